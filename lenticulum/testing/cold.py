"""Programs as data, served and cold: what a cache gave, and what a fresh trace with empty caches gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.core
import numpy as np

ADDRESS = re.compile(r"0x[0-9a-f]+")

Program = tuple[str, tuple[Any, ...], str]


def program(traced: Any) -> Program:
    """Return text without addresses, constants with their bits, and types of the results: one program is one triple."""
    closed = traced.jaxpr
    types = str([str(each) for each in closed.out_avals])
    return ADDRESS.sub("0x", str(closed)), tuple(map(bits, _constants(closed))), types


def _constants(closed: Any) -> Iterator[Any]:
    yield from closed.consts
    for equation in closed.jaxpr.eqns:
        for parameter in jax.tree.leaves(equation.params, is_leaf=lambda each: hasattr(each, "consts")):
            if hasattr(parameter, "consts") and hasattr(parameter, "jaxpr"):
                yield from _constants(parameter)


def bits(array: Any) -> Any:
    """Return dtype, shape and bytes of an array; of a random key, those of its data; of a traced value, its type."""
    if isinstance(array, jax.core.Tracer):
        return str(jax.typeof(array))
    if isinstance(array, jax.Array) and jax.numpy.issubdtype(array.dtype, jax.dtypes.prng_key):
        return str(array.dtype), *bits(jax.random.key_data(array))
    host = np.asarray(array)
    return host.dtype.name, host.shape, host.tobytes()


def result_bits(result: Any) -> Any:
    """Return structure and bits of a result."""
    leaves, structure = jax.tree.flatten(result)
    return str(structure), tuple(map(bits, leaves))


def op_by_op(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the bits of a function, traced and then run one equation after the other: nothing is fused."""
    closed = jax.make_jaxpr(lambda *leaves: function(*leaves))(*arguments)
    leaves = jax.tree.leaves(arguments)
    return tuple(map(bits, jax.core.eval_jaxpr(closed.jaxpr, closed.consts, *leaves)))
