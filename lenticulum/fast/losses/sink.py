"""The sink: the end of a wire, which gives its cotangent."""

from typing import Any

import jax
import jax.numpy as jnp

from lenticulum.fast.constants import constant, times
from lenticulum.terms.exact import Number


def sink(wire: Any, *, number: Number, kind: str) -> Any:
    """Return the cotangent that a sink gives to its wire.

    number at every entry ("constant"), or number * wire ("scaled").

    Arguments: `wire`: an array, or a tuple of such. Returns: the structure, shapes and formats of the wire.
    Source: arXiv:2103.01931, Definition 3.8, on any space.

    >>> sink(jnp.array([2.0, 4.0]), number="1/4", kind="scaled").tolist()
    [0.5, 1.0]
    """
    if kind == "constant":
        return jax.tree.map(lambda leaf: jnp.full_like(leaf, constant(number, leaf.dtype, "number")), wire)
    return jax.tree.map(lambda leaf: times(number, leaf, "number"), wire)
