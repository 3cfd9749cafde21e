"""A point that a user gave: its arrays in the dtypes that a kernel gets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from lenticulum.check.definition import Definition
from lenticulum.check.environment import format_of
from lenticulum.check.errors import CallError
from lenticulum.check.held import held, numbers_of, on_the_host


def point_of(definition: Definition, given: Mapping[str, Any], dtype: str) -> dict[str, Any]:
    """Return one point: role -> array in the dtype that a kernel gets, `count` a plain int.

    Raises: CallError if a role is unknown, an array is empty, or a number is none of its dtype.
    """
    format_of(dtype)
    entry = definition.entry
    known = (*entry.arrays, *entry.state)
    unknown = [role for role in given if role not in known]
    if unknown:
        raise CallError(f"at: {entry.name} has no array {unknown[0]!r}; it has {', '.join(known)}")
    found = {role: held(role, each, dtype_of(definition, role, dtype)) for role, each in given.items()}
    for role, array in found.items():
        if not array.size or role == "count" and (array.ndim or array < 0):
            raise CallError(f"{role}: expected {'a number of steps' if role == 'count' else 'at least one entry'}")
    return {role: int(array) if role == "count" else array for role, array in found.items()}


def dtype_of(definition: Definition, role: str, dtype: Any) -> np.dtype[Any]:
    """Return the dtype in which a kernel gets a role: int32, bool, or the float format."""
    if role in definition.entry.booleans:
        return np.dtype(np.bool_)
    return np.dtype(np.int32 if role in definition.entry.integers or role == "count" else dtype)


def argument(name: str, given: Any, dtype: str) -> np.ndarray:
    """Return an argument that has no role, in its own dtype as far as JAX has it.

    Lists and numbers have none: booleans alone stay booleans, integers alone are int32, all others floats of `dtype`.

    >>> argument("argument 1", [1, 2], "float32").dtype, argument("argument 1", [1, 2.5], "float16").dtype
    (dtype('int32'), dtype('float16'))
    """
    given = on_the_host(name, given)
    if isinstance(given, np.ndarray):
        return held(name, given, jax.dtypes.canonicalize_dtype(given.dtype))
    kinds = {type(each) for each in numbers_of(name, given).ravel()}
    return held(name, given, {frozenset([bool]): np.bool_, frozenset([int]): np.int32}.get(frozenset(kinds), dtype))
