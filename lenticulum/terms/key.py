"""The strict key of a plain value: a tuple that separates every two values that can change a program."""

import enum
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Key = tuple[object, ...]
Array = NDArray[Any]
Elements = tuple[object, ...]  # a named tuple may override its iteration: go through this one

# `dtype.str` prints '<V1' for sixteen different formats and `dtype.name` merges byte orders, so neither alone is an
# identity: only these names are accepted, and only in native byte order.
NUMPY_NAMES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
)
ML_DTYPES_NAMES = frozenset(
    "bfloat16 float4_e2m1fn float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn "
    "float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int1 int2 int4 uint1 uint2 uint4".split()
)


class Keyed:
    """A value that carries the key of its fields, computed once when its construction ended."""

    __slots__ = ("__weakref__", "identity_arrays", "identity_hash", "identity_key")
    identity_arrays: frozenset[str]
    identity_key: Key
    identity_hash: int


def key(value: object) -> Key:
    """Return the identity of a plain value, stricter than `==`.

    `key(a) == key(b)` exactly when `a` and `b` have the same type and the same bits (all NaN floats are one value):
    `1`, `1.0` and `True` differ, so do `0.0` and `-0.0`, a named tuple and a tuple.

    Args:
        value: None, bool, int, str, bytes, float, complex, Fraction, an Enum member, a NumPy scalar, array or dtype of
            a listed format, a tuple, named tuple or frozenset of such values, or another value type.
    Returns:
        A hashable tuple of canonical forms, never a digest.
    Raises:
        TypeError: for every other type, naming the plain data to use.
    Laws:
        Total or refused, equivalence, hash, separation, rebuild, stability, injectivity
        (tests/properties/test_identity.py).
    Source:
        Stated for this library; what weaker keys cost is in tests/conformance/test_published_miscompiles.py.

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
        return ("value", kind, cast(Keyed, value).identity_key)
    if issubclass(kind, enum.Enum):
        return _enum_key(cast(enum.Enum, value))
    if issubclass(kind, np.generic):
        return _scalar_key(cast(np.generic, value))
    if issubclass(kind, np.dtype):
        return ("dtype", _dtype_name(cast("np.dtype[Any]", value)))
    if is_named_tuple(kind):
        return ("tuple", kind, *map(key, Elements.__iter__(cast(Elements, value))))
    raise TypeError(f"{_article(kind.__name__)} is not plain data; use {_plain_form(value)}")


def is_named_tuple(kind: Any) -> bool:
    """Whether `kind` is a named tuple class whose instances hold nothing but their elements."""
    return issubclass(kind, tuple) and hasattr(cast(object, kind), "_fields") and kind.__dictoffset__ == 0


def with_array_copies(value: object) -> object:
    """Return `value` with every array in it replaced by a copy that nobody can write to.

    A copy with `setflags(write=False)` can be made writable again; an array over `bytes` can not.
    """
    return _map_arrays(_immutable_copy, value)


def with_array_views(value: object) -> object:
    """Return `value` with every array in it replaced by a view: even a read-only array lets its shape be assigned."""
    return _map_arrays(_view, value)


def _map_arrays(function: Callable[[Array], Array], value: object) -> object:
    kind = type(value)
    if kind is np.ndarray:
        return function(cast(Array, value))
    if kind is tuple or is_named_tuple(kind):
        elements = cast(Elements, value)
        images = tuple(_map_arrays(function, element) for element in Elements.__iter__(elements))
        if any(image is not element for image, element in zip(images, Elements.__iter__(elements), strict=True)):
            return Elements.__new__(cast(type[Elements], kind), images)
    return value


def _immutable_copy(array: Array) -> Array:
    _dtype_name(array.dtype)  # an object array holds pointers: refused before its bytes are read
    return np.ndarray(array.shape, array.dtype, buffer=array.tobytes())


def _view(array: Array) -> Array:
    return array.view()


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
    kind, name = type(value), value._name_
    if kind.__members__.get(name) is value:
        return ("enum", kind, name)
    # A combination of flags is no named member, and flags without a known bit all have the name None.
    return ("flags", kind, key(value._value_))


def _scalar_key(value: np.generic) -> Key:
    dtype: np.dtype[Any] = value.dtype
    if type(value) is not dtype.type:
        raise TypeError(f"{_article(type(value).__name__)} is not plain data; use {dtype.type.__name__} itself")
    return ("scalar", _dtype_name(dtype), value.tobytes())


def _array_key(value: Array) -> Key:
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
