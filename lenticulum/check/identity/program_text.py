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
