"""Reads data written by people or produced by NumPy into a shape and a flat list of exact scalars."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.errors import DomainError

Scalar: TypeAlias = int | Fraction | float
"""An int, a Fraction, or plus or minus infinity as a float; finite floats have become Fractions."""


@no_type_check
def scalar(value: Any) -> Scalar:
    """Read one number; a float means its exact binary value, a string means the rational it spells ("0.1", "1/3")."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"got {value!r}, expected a number: write 1 or 0, or use a NumPy bool array as a condition")
    if isinstance(value, int | Fraction):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            raise DomainError("got nan, which is not a number: remove it or test special values by bits")
        return value if math.isinf(value) else Fraction(value)
    if isinstance(value, str):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise ValueError(f'got {value!r}, expected a decimal or a fraction such as "0.1" or "1/3"') from None
    if isinstance(value, np.generic):
        return scalar(_python_scalars(np.asarray(cast(Any, value)))[0])
    raise TypeError(f"got a {type(value).__name__}, expected int, Fraction, float, or a decimal string")


def literal(data: object, read: Callable[[Any], Scalar] = scalar) -> tuple[tuple[int, ...], list[Scalar]]:
    """Read nested lists or tuples, an array (NumPy's, or with `__array__`) or one scalar: (shape, entries)."""
    if isinstance(data, list | tuple):
        rows = [literal(row, read) for row in cast(Sequence[object], data)]
        shapes = {shape for shape, _ in rows}
        if len(shapes) > 1:
            raise ValueError(f"got ragged data with rows of shapes {sorted(shapes)}, expected equal shapes")
        inner = shapes.pop() if shapes else ()
        return (len(rows), *inner), [entry for _, entries in rows for entry in entries]
    if hasattr(data, "__array__") and not isinstance(data, np.generic):
        array = np.asarray(cast(Any, data))
        return array.shape, [read(entry) for entry in _python_scalars(array)]
    return (), [read(data)]


def _python_scalars(array: np.ndarray[Any, np.dtype[Any]]) -> list[Any]:
    """The entries as Python ints or floats; every NumPy, bfloat16 and float8 entry is exact in binary64."""
    if array.dtype.kind in "iu":
        return array.ravel().tolist()
    if array.dtype.kind in "fV" and array.dtype.itemsize <= 8 and array.dtype.names is None:
        return array.astype(np.float64).ravel().tolist()
    raise TypeError(f"got an array of dtype {array.dtype}, expected integers or floats of at most 64 bits")
