"""The number systems that a program can be read in, and how data, literals and conversions enter them.

A literal of a program is a decimal that was rounded to the format: unless its shortest decimal is the number itself
(0.5, 2, 100), it means the interval of the reals that round to it. Otherwise every decimal constant would be a finding.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from lenticulum.numbers import BINARY64, FORMATS, ExactArray, Format, Interval64, interval64, round_to, ulp
from lenticulum.numbers.interval64 import LARGEST
from lenticulum.numbers.magnitude64 import Magnitude64, magnitude64
from lenticulum.numbers.unraising import TotalBall, TotalMagnitude, total_ball, total_magnitude
from lenticulum.programs.values import hull

Array = NDArray[Any]

#: The powers of two that scale the blocks of narrow numbers (OCP Microscaling Formats 1.0, section 5.4.1).
SCALE = Format("float8_e8m0fnu", 1, -127, 127, 8)


@runtime_checkable
class System(Protocol):
    """How numbers enter a number system, and what a change of format means in it."""

    def data(self, array: Array, dtype: Any) -> ExactArray:
        """The numbers of an array of floats of this dtype, or of integers or booleans converted to it."""
        ...

    def literal(self, value: float, dtype: Any) -> ExactArray:
        """A constant that the program states, a 0-d array."""
        ...

    def convert(self, x: Any, dtype: Any) -> Any:
        """The same numbers in another floating-point format."""
        ...


class Balls:
    """The exact meaning: balls at the working precision; a change of format changes nothing."""

    def data(self, array: Array, dtype: Any) -> TotalBall:
        """Exact."""
        del dtype
        return total_ball(array)

    def literal(self, value: float, dtype: Any) -> TotalBall:
        """The number, or the interval of reals that round to it."""
        meant = meaning_of_literal(float(value), format_of(dtype))
        if meant is None:
            return total_ball(np.asarray(value, np.float64))
        low, high = (TotalBall((), []).lift(each) for each in meant)
        return low if meant[0] == meant[1] else hull(low, high)

    def convert(self, x: TotalBall, dtype: Any) -> TotalBall:
        """The same."""
        del dtype
        return x


class _Formats:
    """The formats of running error bounds.

    Arguments: `rounded_once`: whether every operation, function and sum is correctly rounded. (Then the bound does not
    say what a conforming evaluation may compute, but how far two formulas may differ unseen.)
    """

    def __init__(self, rounded_once: bool = False) -> None:
        self.rounded_once = rounded_once

    def format(self, dtype: Any) -> Format:
        """The format of a dtype, with roundings of this kind."""
        return _rounded_once(format_of(dtype)) if self.rounded_once else format_of(dtype)


class Bounds(_Formats):
    """The running error bound: the exact value, and all that a conforming evaluation op by op may compute, enclosed."""

    def data(self, array: Array, dtype: Any) -> TotalMagnitude:
        """Exact; an integer that the format has not is rounded once."""
        return total_magnitude(array, self.format(dtype))

    def literal(self, value: float, dtype: Any) -> TotalMagnitude:
        """The float that the program holds, and what it means."""
        format = self.format(dtype)
        held = total_magnitude(np.asarray(value, np.float64), format)
        meant = meaning_of_literal(float(value), format)
        if meant is None or meant[0] == meant[1]:
            return held
        low, high = (TotalBall((), []).lift(each) for each in meant)
        return hull(held, held._with((), hull(low, high).elements))

    def convert(self, x: TotalMagnitude, dtype: Any) -> TotalMagnitude:
        """Rounded once where the format is narrower."""
        return x.to_format(self.format(dtype))


class Intervals:
    """The exact meaning in float64 intervals: fast, and unbounded where they do not suffice."""

    def data(self, array: Array, dtype: Any) -> Interval64:
        """Exact; an infinity is a number beyond all others."""
        del dtype
        return _extended(np.asarray(array).astype(np.float64))

    def literal(self, value: float, dtype: Any) -> Interval64:
        """The number, or the interval of reals that round to it."""
        meant = meaning_of_literal(float(value), format_of(dtype))
        if meant is None:
            return _extended(np.asarray(value, np.float64))
        low, high = (interval64(np.zeros(())).lift(each) for each in meant)
        return Interval64(low.lo, low.hi if meant[0] == meant[1] else high.hi)

    def convert(self, x: Interval64, dtype: Any) -> Interval64:
        """The same."""
        del dtype
        return x


def _extended(points: NDArray[np.float64]) -> Interval64:
    found = interval64(points)
    return _beyond(points, found) if np.isinf(points).any() else found


def _beyond(points: NDArray[np.float64], found: Interval64) -> Interval64:
    """Infinities as enclosures of all numbers beyond the largest of float64."""
    lo = np.where(points == np.inf, LARGEST, np.where(points == -np.inf, -np.inf, found.lo))
    hi = np.where(points == -np.inf, -LARGEST, np.where(points == np.inf, np.inf, found.hi))
    return Interval64(lo, hi)


class Bounds64(_Formats):
    """The running error bound on float64 intervals: fast, and unbounded where they do not suffice."""

    def data(self, array: Array, dtype: Any) -> Magnitude64:
        """Exact; an infinity is a number beyond all others, and an integer that the format has not is rounded once."""
        format, points = self.format(dtype), np.asarray(array).astype(np.float64)
        found = magnitude64(points, format)
        if np.isinf(points).any():
            return Magnitude64(_beyond(points, found.range), format)
        if array.dtype.kind in "iu" and array.dtype.itemsize * 8 > format.precision:
            return Magnitude64(found.range, BINARY64).to_format(format)
        return found

    def literal(self, value: float, dtype: Any) -> Magnitude64:
        """The float that the program holds, and what it means."""
        held = self.data(np.asarray(value, np.float64), dtype)
        if not np.isfinite(value):
            return held
        meant = Intervals().literal(value, dtype)
        return Magnitude64(
            Interval64(np.minimum(held.range.lo, meant.lo), np.maximum(held.range.hi, meant.hi)), held.format
        )

    def convert(self, x: Magnitude64, dtype: Any) -> Magnitude64:
        """Rounded once where the format is narrower."""
        return x.to_format(self.format(dtype))


def format_of(dtype: Any) -> Format:
    """Return the format of a floating-point dtype; a format is its own.

    Raises: TypeError for a dtype that has none here.
    """
    if isinstance(dtype, Format):
        return dtype
    name = np.dtype(dtype).name
    if name == SCALE.name:
        return SCALE
    if name not in FORMATS:
        raise TypeError(f"got the dtype {name}, expected one of {', '.join(FORMATS)}")
    return FORMATS[name]


@lru_cache(maxsize=64)
def _rounded_once(format: Format) -> Format:
    return replace(format, rounded_once=True)


@lru_cache(maxsize=4096)
def meaning_of_literal(value: float, format: Format) -> tuple[Fraction, Fraction] | None:
    """Return the ends of what a literal means; None for an infinity or NaN.

    >>> from lenticulum.numbers import BFLOAT16
    >>> [str(end) for end in meaning_of_literal(0.75, BFLOAT16)]
    ['3/4', '3/4']
    >>> low, high = meaning_of_literal(0.796875, BFLOAT16)
    >>> low < Fraction("0.7978845608") < high
    True
    """
    if not np.isfinite(value):
        return None
    exact = Fraction(value)
    if exact == shortest_decimal(exact, format):
        return exact, exact
    # Half a spacing to either side; below a power of two the spacing is half of that above.
    size = abs(exact)
    below, above = ulp(size - size / 2**60, format) / 2, ulp(size, format) / 2
    ends = (size - below, size + above)
    return ends if exact > 0 else (-ends[1], -ends[0])


def shortest_decimal(value: Fraction, format: Format) -> Fraction:
    """Return the decimal of the fewest digits that rounds to a number of the format, the nearest of them.

    >>> from lenticulum.numbers import BFLOAT16
    >>> shortest_decimal(Fraction(0.796875), BFLOAT16)
    Fraction(797, 1000)
    """
    if not value:
        return value
    magnitude = len(str(int(abs(value)))) if abs(value) >= 1 else 1 - len(str(int(1 / abs(value))))
    for digits in range(1, 2 + format.precision):
        scale = Fraction(10) ** (digits - magnitude)
        decimal = round(value * scale) / scale
        if round_to(decimal, format) == value:
            return decimal
    return value
