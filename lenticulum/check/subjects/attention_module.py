"""An Equinox module of multi-head attention as self-attention: one array is its query, its key and its value."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp

from lenticulum.check.definition import Definition
from lenticulum.check.errors import CallError
from lenticulum.check.subjects.function import FunctionSubject
from lenticulum.check.subjects.operation_module import constructed
from lenticulum.check.target import Source

#: What the module has: its size, its heads, and four affine maps. `query_weight` is the weight of `query_proj`.
FIELDS = ("query_size", "num_heads", "query_proj", "key_proj", "value_proj", "output_proj")


class AttentionModuleSubject(FunctionSubject):
    """The module as a function of x and the arrays of its four affine maps; the mask is that of the definition."""

    def __init__(
        self, module: Any, source: Source, definition: Definition, roles: Mapping[str, str], make: Mapping[str, Any]
    ) -> None:
        instance, expression = constructed(module, source, make, definition)
        missing = [name for name in FIELDS if not hasattr(instance, name)]
        if missing:
            raise CallError(
                f"{source.name} has no {missing[0]}: it is not made like equinox.nn.MultiheadAttention\n"
                "check a function of x and the arrays of self_attention instead"
            )
        leaves = [role for role in definition.entry.arrays[1:] if _held(instance, role) is not None]
        mask = definition.stated.get("mask", "none")
        imports = (*source.imports, "import jax", f"from {__name__} import as_function")
        written = Source(f"as_function({expression}, {mask!r}, {', '.join(map(repr, leaves))})", imports, source.name)
        super().__init__(as_function(instance, mask, *leaves), written, definition, roles, {}, definition.output)
        self.shapes.update({role: tuple(_held(instance, role).shape) for role in leaves})
        self.shapes["x"] = (6, instance.query_size)
        self.received["heads"] = instance.num_heads


def as_function(module: Any, mask: str, *leaves: str) -> Callable[..., Any]:
    """Return the module as a function of x [..., positions, features] and of some of its arrays, by their roles.

    >>> layer = eqx.nn.MultiheadAttention(1, 2, key=jax.random.key(0))
    >>> x = jnp.ones((3, 2))
    >>> as_function(layer, "none", "output_weight")(x, jnp.zeros((2, 2))).tolist()
    [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    """

    def function(x: Any, *arrays: Any) -> Any:
        filled = eqx.tree_at(lambda m: [_held(m, role) for role in leaves], module, list(arrays))
        seen = jnp.tri(x.shape[-2], dtype=bool) if mask == "causal" else None
        attend = lambda rows: filled(rows, rows, rows, mask=seen)  # noqa: E731
        for _ in range(x.ndim - 2):
            attend = jax.vmap(attend)
        return attend(x)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in ("x", *leaves)])  # type: ignore[attr-defined]
    return function


def _held(module: Any, role: str) -> Any:
    """Return the array of a role, or None."""
    projection, leaf = role.split("_")
    return getattr(getattr(module, f"{projection}_proj"), leaf)
