"""The values of a program: exact arrays for floats, NumPy arrays for integers and booleans, JAX arrays for keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.numbers import Dual, ExactArray, Tape, Undecided, where


def is_float(aval: Any) -> bool:
    """Return whether a type is a floating-point array."""
    return jnp.issubdtype(aval.dtype, jnp.floating)


def is_key(aval: Any) -> bool:
    """Return whether a type is an array of keys."""
    return jnp.issubdtype(aval.dtype, jax.dtypes.prng_key)


def host(array: Any) -> Any:
    """Return a discrete result of JAX as a value: a NumPy array, or the JAX array of keys as it is."""
    return array if is_key(array) else np.asarray(array)


def is_masked(value: Any) -> bool:
    """Return whether a boolean or integer array has an undecided element."""
    return isinstance(value, np.ma.MaskedArray) and bool(np.ma.getmaskarray(value).any())


def decided(value: Any, name: str) -> Any:
    """Return a discrete array without undecided elements.

    Raises: Undecided if there is one.
    """
    if is_masked(value):
        raise Undecided(f"{name} depends on a comparison that these enclosures do not decide")
    return np.ma.getdata(value) if isinstance(value, np.ma.MaskedArray) else value


def promoted(values: Sequence[Any]) -> list[Any]:
    """Return the values with every exact array in the system of the deepest derivative among them.

    A constant of a program is a plain array; beside a dual number it is one with the tangent 0.
    """
    deepest = max((value for value in values if isinstance(value, ExactArray)), key=depth, default=None)
    if deepest is None or not depth(deepest):
        return list(values)
    return [lifted(value, deepest) if isinstance(value, ExactArray) else value for value in values]


def hull(one: Any, other: Any) -> Any:
    """Return an enclosure of two arrays of one shape: a choice between them that is undecided everywhere."""
    everywhere = np.ones(one.shape, np.bool_)
    return where(np.ma.array(everywhere, mask=everywhere), one, other)


def depth(value: ExactArray) -> int:
    """Return how many derivatives an array carries."""
    if isinstance(value, Dual):
        return 1 + depth(value.primal)
    return 1 + depth(value.value) if isinstance(value, Tape) else 0


def lifted(value: Any, like: Any) -> Any:
    """Return an array as a constant of the derivative that another array carries."""
    if isinstance(like, Dual):
        if isinstance(value, Dual) and value.level == like.level:
            return value
        inner = lifted(value, like.primal)
        return Dual(inner, inner.lift(0, inner.shape), like.level)
    if isinstance(like, Tape):
        if isinstance(value, Tape) and value.record is like.record:
            return value
        return like.constant(lifted(value, like.value))
    return value


def plain(value: Any) -> Any:
    """Return the array under all derivatives."""
    while isinstance(value, Dual | Tape):
        value = value.primal if isinstance(value, Dual) else value.value
    return value
