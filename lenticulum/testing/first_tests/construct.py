"""How a class is constructed for a first test: small sizes for the arguments that are sizes by their names."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from lenticulum.testing.first_tests.discover import Found

#: Sizes are small and, where both occur, different; a number of channels is a multiple of that of groups or heads.
SIZES = {
    **dict.fromkeys(("in_features", "in_size", "in_channels", "inputs", "input_size", "din"), 4),
    **dict.fromkeys(("out_features", "out_size", "out_channels", "outputs", "output_size", "dout"), 2),
    **dict.fromkeys(("size", "features", "num_features", "dim", "width", "shape", "channels", "d_model"), 4),
    **dict.fromkeys(("hidden_size", "hidden_features", "width_size", "hidden", "embedding_size", "embed_dim"), 4),
    **dict.fromkeys(("num_heads", "heads", "groups", "num_groups", "depth", "layers", "num_layers"), 2),
    **dict.fromkeys(("num_embeddings", "vocabulary", "vocab_size"), 5),
    **dict.fromkeys(("kernel_size", "num_spatial_dims"), 1),
}

#: What the checker gives by itself.
GIVEN = ("key", "rngs", "rng")


def construction(found: Found, given: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the constructor's arguments: those given for the name, else sizes; None where a name says no size.

    >>> class Gate:
    ...     def __init__(self, size, heads=1, *, key): ...
    >>> gate = Found("Gate", Gate, ("size",))
    >>> construction(gate, {}), construction(gate, {"Gate": {"size": 2}})
    ({'size': 4}, {'size': 2})
    """
    if not inspect.isclass(found.subject):
        return {}
    if found.name in given:
        return given[found.name]
    try:
        parameters = inspect.signature(found.subject).parameters.values()
    except (TypeError, ValueError):
        return None
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [p.name for p in parameters if p.default is inspect.Parameter.empty and p.kind not in variadic]
    wanted = [name for name in needed if name not in GIVEN]
    return {name: SIZES[name] for name in wanted} if all(name in SIZES for name in wanted) else None
