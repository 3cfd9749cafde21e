"""The strict key of a plain value: a tuple that separates every two values that can change a program."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any, cast

import numpy as np

Key = tuple[object, ...]

# `dtype.str` prints '<V1' for sixteen different formats and `dtype.name` merges byte orders, so neither alone is an
# identity: only these names are accepted, and only in native byte order (reference/identity.md, section 3).
NUMPY_NAMES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
)
ML_DTYPES_NAMES = frozenset(
    "bfloat16 float4_e2m1fn float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn "
    "float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int1 int2 int4 uint1 uint2 uint4".split()
)


class Keyed:
    """A value that carries the key of its fields, computed once when its construction ended."""

    __slots__ = ("__weakref__", "_identity_hash", "_identity_key")
    _identity_key: Key
    _identity_hash: int


def key(value: object) -> Key:
    """The identity of a plain value, stricter than ``==``.

    ``key(a) == key(b)`` exactly when ``a`` and ``b`` have the same type and the same bits (all NaN floats are one
    value): ``1``, ``1.0`` and ``True`` differ, so do ``0.0`` and ``-0.0``, a named tuple and a tuple.

    Arguments: ``value``: None, bool, int, str, bytes, float, complex, Fraction, an Enum member, a NumPy scalar, array
    or dtype of a listed format, a tuple, named tuple or frozenset of such values, or another value type.
    Returns: a hashable tuple of canonical forms, never a digest.
    Raises: ``TypeError`` for every other type, naming the plain data to use.
    Laws: total or refused, equivalence, separation, injectivity (tests/properties/test_identity.py).
    Source: reference/identity.md, section 3.

    >>> key(1) == key(True), key(0.0) == key(-0.0), key(float("nan")) == key(float("nan"))
    (False, False, True)
    >>> key((1, 2.5))
    ('tuple', <class 'tuple'>, ('int', 1), ('float', '0x1.4000000000000p+1'))
    """
    kind = type(value)
    simple = _EXACT.get(kind)
    if simple is not None:
        return simple(value)
    if issubclass(kind, Keyed):
        return ("value", kind, cast(Keyed, value)._identity_key)
    if issubclass(kind, enum.Enum):
        return _enum_key(cast(enum.Enum, value))
    if issubclass(kind, np.generic):
        scalar = cast("np.generic[Any]", value)
        return ("scalar", _dtype_name(scalar.dtype), scalar.tobytes())
    if issubclass(kind, np.dtype):
        return ("dtype", _dtype_name(cast("np.dtype[Any]", value)))
    if is_named_tuple(kind):
        return ("tuple", kind, *map(key, _elements(value)))
    raise TypeError(f"{_article(kind.__name__)} is not plain data; use {_plain_form(value)}")


def is_named_tuple(kind: type) -> bool:
    """Whether ``kind`` is a named tuple class whose instances hold nothing but their elements."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields") and kind.__dictoffset__ == 0


def canonical(value: object) -> object:
    """``value`` with every NumPy array replaced by a copy that nobody can write to; any other value unchanged.

    A copy with ``setflags(write=False)`` can be made writable again; an array over ``bytes`` can not.
    Raises: ``TypeError`` for an array of a format without a key.
    """
    kind = type(value)
    if kind is np.ndarray:
        array = cast("np.ndarray[Any, Any]", value)
        _dtype_name(array.dtype)
        return np.ndarray(array.shape, array.dtype, buffer=array.tobytes())
    if kind is tuple or is_named_tuple(kind):
        elements = tuple(_elements(value))
        copies = tuple(canonical(element) for element in elements)
        if all(copy is element for copy, element in zip(copies, elements, strict=True)):
            return value
        return tuple.__new__(cast("type[tuple[object, ...]]", kind), copies)
    return value


def _elements(value: object) -> Iterable[object]:
    # A named tuple may override iteration; its elements are those of the tuple.
    return tuple.__iter__(cast("tuple[object, ...]", value))


def _float_form(value: float) -> str:
    return value.hex() if value == value else "nan"


def _float_key(value: float) -> Key:
    return ("float", _float_form(value))


def _complex_key(value: complex) -> Key:
    return ("complex", _float_form(value.real), _float_form(value.imag))


def _fraction_key(value: Fraction) -> Key:
    return ("Fraction", value.numerator, value.denominator)


def _tuple_key(value: tuple[object, ...]) -> Key:
    return ("tuple", tuple, *map(key, value))


def _frozenset_key(value: frozenset[object]) -> Key:
    # Counted, because a set can hold two NaN objects, which are one key.
    return ("frozenset", frozenset(Counter(map(key, value)).items()))


def _enum_key(value: enum.Enum) -> Key:
    kind, name = type(value), value.name
    if kind.__members__.get(name) is value:
        return ("enum", kind, name)
    # A combination of flags is no named member, and flags without a known bit all have the name None.
    return ("flags", kind, key(value.value))


def _array_key(value: np.ndarray[Any, Any]) -> Key:
    return ("array", _dtype_name(value.dtype), value.shape, value.tobytes())


def _dtype_name(dtype: np.dtype[Any]) -> str:
    """The name of a listed format, refused in foreign byte order, with fields or metadata, or as a platform twin."""
    name, kind = dtype.name, dtype.type
    known = (name in NUMPY_NAMES and kind is np.dtype(name).type) or (
        name in ML_DTYPES_NAMES and kind.__module__ == "ml_dtypes"
    )
    if known and dtype.isnative and dtype.fields is None and dtype.metadata is None:
        return name
    raise TypeError(
        f"the dtype {dtype!r} has no exact name; use a number format such as float32 in native byte order, "
        "without fields or metadata"
    )


def _constant_key(name: str) -> Callable[[Any], Key]:
    return lambda value: (name, value)


_EXACT: dict[type, Callable[[Any], Key]] = {
    **{kind: _constant_key(kind.__name__) for kind in (type(None), bool, int, str, bytes)},
    float: _float_key,
    complex: _complex_key,
    Fraction: _fraction_key,
    tuple: _tuple_key,
    frozenset: _frozenset_key,
    np.ndarray: _array_key,
}

_PLAIN_FORMS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (np.ndarray, "numpy.asarray of it (an array of the exact type, without subclass or mask)"),
    ((bool, int, float, complex, str, bytes), "the plain number, str or bytes it wraps"),
    (Fraction, "fractions.Fraction itself"),
    (Decimal, "a Fraction, or the decimal string"),
    ((list, tuple), "a tuple"),
    (dict, "a tuple of (name, value) pairs in the order that is meant"),
    ((set, frozenset), "a frozenset"),
    (range, "the tuple (start, stop, step), or a tuple of its elements"),
    ((bytearray, memoryview), "bytes"),
    ((type, ModuleType), "an Enum member, or another value type"),
)


def _plain_form(value: object) -> str:
    kind = type(value)
    for kinds, form in _PLAIN_FORMS:
        if issubclass(kind, kinds):
            return form
    if kind.__module__.partition(".")[0] in ("jax", "jaxlib"):
        return "a NumPy array for a constant; device arrays and traced values are arguments of apply, not parameters"
    if callable(value):
        return "an Enum member, or another value type; a variant of a behaviour is a subclass"
    return "None, bool, int, float, str, bytes, Fraction, an Enum member, a NumPy array, a tuple or another value type"


def _article(name: str) -> str:
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
