"""A program as a value: everything in a jaxpr that decides what it computes, without addresses and names."""

from __future__ import annotations

import re
from typing import Any

import jax
import numpy as np

_ADDRESS = re.compile(r"0x[0-9a-f]+")


def canonical(closed: Any) -> Any:
    """Return the equations of a closed jaxpr with variables numbered, literals and constants by dtype, shape and bits.

    Two programs with one canonical form compute the same. Two forms may compute the same nevertheless.

    >>> one, other = (jax.make_jaxpr(lambda x, a=a: a * x)(1.0) for a in (0.0, -0.0))
    >>> canonical(one) == canonical(one), canonical(one) == canonical(other)
    (True, False)
    """
    return ("closed", _jaxpr(closed.jaxpr), tuple(map(_constant, closed.consts)))


def has_array_constants(closed: Any) -> bool:
    """Return whether an array is a constant of a closed jaxpr, or of one inside it.

    >>> table = np.ones(3, np.float32)
    >>> has_array_constants(jax.make_jaxpr(lambda x: x * table)(1.0)), has_array_constants(jax.make_jaxpr(abs)(1.0))
    (True, False)
    """
    return any(np.ndim(each) for each in closed.consts) or _holds_arrays(closed.jaxpr)


def _holds_arrays(jaxpr: Any) -> bool:
    literals = (v.val for each in jaxpr.eqns for v in each.invars if hasattr(v, "val"))
    inner = [value for each in jaxpr.eqns for value in jax.tree.leaves(list(each.params.values()), is_leaf=_is_program)]
    return any(np.ndim(each) for each in literals) or any(
        has_array_constants(each) if hasattr(each, "consts") else _holds_arrays(each)
        for each in inner
        if _is_program(each)
    )


def _is_program(value: Any) -> bool:
    return hasattr(value, "eqns")


def _jaxpr(jaxpr: Any) -> Any:
    numbers: dict[Any, int] = {}

    def number(variable: Any) -> Any:
        if hasattr(variable, "val"):
            return ("literal", _constant(variable.val), str(variable.aval), _weak(variable.aval))
        return numbers.setdefault(variable, len(numbers))

    inputs = tuple((number(v), str(v.aval), _weak(v.aval)) for v in (*jaxpr.constvars, *jaxpr.invars))
    equations = tuple(
        (
            each.primitive.name,
            tuple(map(number, each.invars)),
            tuple((number(v), str(v.aval), _weak(v.aval)) for v in each.outvars),
            tuple((name, _parameter(value)) for name, value in sorted(each.params.items()) if name != "name"),
        )
        for each in jaxpr.eqns
    )
    return (inputs, equations, tuple(map(number, jaxpr.outvars)))


def _weak(aval: Any) -> bool:
    return bool(getattr(aval, "weak_type", False))


def _parameter(value: Any) -> Any:
    if hasattr(value, "jaxpr") and hasattr(value, "consts"):
        return canonical(value)
    if hasattr(value, "eqns"):
        return _jaxpr(value)
    if isinstance(value, tuple | list):
        return tuple(map(_parameter, value))
    if isinstance(value, np.ndarray | jax.Array):
        return _constant(value)
    return _ADDRESS.sub("", str(value))


def _constant(value: Any) -> Any:
    if isinstance(value, bool | int | float | complex):
        return (type(value).__name__, repr(value))
    try:
        array = np.asarray(value)
    except TypeError:  # a key of random numbers
        return _ADDRESS.sub("", str(value))
    return (array.dtype.name, array.shape, array.tobytes())
