"""Numbers in a dtype: each that the dtype does not hold is refused, none wraps, is truncated or becomes infinite."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.check.errors import CallError
from lenticulum.numbers.formats import FORMATS, Format, round_to

#: Decimal exponents beyond every format: 2^1024 < 10^309 and 10^-324 < 2^-1074. Such a decimal is never expanded.
LARGEST_EXPONENT = 400


def held(name: str, given: Any, dtype: Any) -> np.ndarray:
    """Return numbers, in nested lists or an array, as an array of a dtype: a float is rounded once to nearest.

    Raises: CallError, under `name`, for an integer out of range, a fraction or a boolean where integers are due, a
    number other than 0 and 1 where booleans are due, and a finite number that a float format rounds to an infinity
    or, if it is not 0, to 0. An infinity and NaN are themselves.

    >>> held("x", [Decimal("0.1"), math.inf], "float16").tolist()
    [0.0999755859375, inf]
    >>> held("label", 4294967297, "int32")
    Traceback (most recent call last):
    lenticulum.check.errors.CallError: label: got 4294967297; expected an integer from -2147483648 to 2147483647 (int32)
    """
    kind = np.dtype(dtype)
    given = on_the_host(name, given)
    if isinstance(given, np.ndarray) and given.dtype == kind:
        return given
    numbers = numbers_of(name, given)
    read = {"b": _boolean, "i": _integer, "u": _integer}.get(kind.kind, _float)
    return np.array([read(name, each, kind) for each in numbers.ravel()], kind).reshape(numbers.shape)


def on_the_host(name: str, given: Any) -> Any:
    """Return an array of any library as one of NumPy, and anything else as it is.

    Raises: CallError, under `name`, for an array that NumPy has not, such as one of random keys.
    """
    if not hasattr(given, "__array__"):
        return given
    try:
        return np.asarray(given)
    except (TypeError, RuntimeError) as error:
        raise CallError(f"{name}: expected an array that NumPy reads ({error})") from None


def numbers_of(name: str, given: Any) -> np.ndarray:
    """Return numbers, in nested lists or an array, as an array of bool, int, float, Decimal or Fraction.

    Raises: CallError, under `name`, if there is anything else or the lists are ragged.
    """
    try:
        entries = np.asarray(given, object)
    except ValueError:
        entries = np.array(None, object)
    plain = [each.item() if hasattr(each, "item") else each for each in entries.ravel()]
    if any(not isinstance(each, bool | int | float | Decimal | Fraction) for each in plain):
        raise CallError(f"{name}: expected numbers in nested lists of equal length, such as [[1.0, 88.0]]")
    found = np.empty(len(plain), object)
    found[:] = plain
    return found.reshape(entries.shape)


def _boolean(name: str, each: Any, kind: np.dtype[Any]) -> bool:
    if each not in (0, 1):
        raise CallError(f"{name}: got {_text(each)}; expected true or false ({kind})")
    return bool(each)


def _integer(name: str, each: Any, kind: np.dtype[Any]) -> int:
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    if isinstance(each, bool) or not low <= each <= high or each != int(each):
        raise CallError(f"{name}: got {_text(each)}; expected an integer from {low} to {high} ({kind})")
    return int(each)


def _float(name: str, each: Any, kind: np.dtype[Any]) -> float:
    format = FORMATS[kind.name]
    if isinstance(each, bool):
        raise CallError(f"{name}: got {_text(each)}; expected a number ({kind})")
    rounded = _nearest(each, format)
    if math.isinf(rounded) and each != rounded:
        largest = float(format.largest)
        raise CallError(f"{name}: got {_text(each)}, which {kind} does not hold; its largest number is {largest:.9g}")
    if not rounded and each:
        tiny = float(format.smallest_subnormal)
        raise CallError(
            f"{name}: got {_text(each)}, which {kind} rounds to 0; its smallest positive number is {tiny:.9g}"
        )
    return rounded


def _nearest(each: int | float | Decimal | Fraction, format: Format) -> float:
    """Return the nearest number of a format."""
    if not each or each != each or each in (math.inf, -math.inf):
        return float(each)
    if isinstance(each, Decimal) and abs(each.adjusted()) > LARGEST_EXPONENT:
        return math.copysign(math.inf if each.adjusted() > 0 else 0.0, each)
    return float(round_to(Fraction(each), format))


def _text(each: Any) -> str:
    """Write a number as JSON has it, a long one shortened."""
    written = str(each).lower() if isinstance(each, bool) else str(each)
    return written if len(written) <= 40 else f"{written[:36]}..."
