"""The form of an object: a tuple that tells apart whatever is stored, for comparing before and after."""

from __future__ import annotations

import enum
import functools
from fractions import Fraction
from types import FunctionType, MethodType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from lenticulum.check.identity.parts import is_record, parts
from lenticulum.terms.key import key

_PLAIN = (type(None), bool, int, str, bytes, float, complex, Fraction)


def form(value: Any) -> Any:
    """Return the form of a value: types and bits all the way down, objects without known parts by their address.

    >>> form([1, 2.0]) == form([1, 2]), form((0.0,)) == form((-0.0,)), form({1: 2, 3: 4}) == form({3: 4, 1: 2})
    (False, False, False)
    """
    return _form(value, ())


def _form(value: Any, above: tuple[int, ...]) -> Any:
    kind = type(value)
    if kind in _PLAIN or isinstance(value, enum.Enum):
        return key(value)
    if isinstance(value, np.ma.MaskedArray):
        return ("masked", _array(value.data), _array(np.ma.getmaskarray(value)), repr(value.fill_value))
    if isinstance(value, np.ndarray | np.generic):
        return (kind, *_array(np.asarray(value)))
    if isinstance(value, jax.Array) and not isinstance(value, Tracer):
        if jnp.issubdtype(value.dtype, jax.dtypes.extended):
            return ("address", id(value))
        return (*_array(np.asarray(value)), bool(value.aval.weak_type))
    if id(value) in above:
        return ("the object above", above.index(id(value)))
    inside = (*above, id(value))
    if isinstance(value, set | frozenset):
        return (kind, frozenset(_form(each, inside) for each in value))
    children = tuple((_step(step), _form(child, inside)) for step, child in parts(value))
    if isinstance(value, FunctionType):
        return ("function", value.__code__, id(value.__globals__), children)
    if isinstance(value, MethodType):
        return ("method", _form(value.__func__, inside), children)
    if isinstance(value, tuple | list | dict | functools.partial) or is_record(kind):
        return (kind, children)
    return ("address", id(value))


def _step(step: Any) -> Any:
    return _form(step, ()) if not isinstance(step, str) else step


def _array(array: np.ndarray) -> tuple[Any, ...]:
    if array.dtype.hasobject:
        return ("objects", array.shape, tuple(map(id, array.ravel())))
    return (array.dtype.name, array.dtype.str, array.dtype.descr, array.shape, array.tobytes())
