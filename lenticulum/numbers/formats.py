"""Floating-point formats as data, and rounding to them written once over exact rationals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lenticulum.numbers.checking import no_type_check


@dataclass(frozen=True)
class Format:
    """A binary format: p bits of significand, normal exponents from `minimum_exponent` to `maximum_exponent`.

    Source: IEEE 754-2019, section 3.3 (with overflow to infinity).

    >>> from lenticulum.numbers.formats import BINARY16
    >>> int(BINARY16.largest), int(BINARY16.overflow_threshold)
    (65504, 65520)
    """

    name: str
    precision: int
    minimum_exponent: int
    maximum_exponent: int

    @cached_property
    def unit_roundoff(self) -> Fraction:
        """u = 2^-p: the largest relative error of one rounding to nearest in the normal range."""
        return Fraction(2) ** -self.precision

    @cached_property
    def smallest_normal(self) -> Fraction:
        """2^emin."""
        return Fraction(2) ** self.minimum_exponent

    @cached_property
    def smallest_subnormal(self) -> Fraction:
        """2^(emin-p+1), also the spacing of the subnormal numbers."""
        return Fraction(2) ** (self.minimum_exponent - self.precision + 1)

    @cached_property
    def largest(self) -> Fraction:
        """(2 - 2^(1-p)) 2^emax."""
        return (2 - 2 * self.unit_roundoff) * Fraction(2) ** self.maximum_exponent

    @cached_property
    def overflow_threshold(self) -> Fraction:
        """(2 - 2^-p) 2^emax: from here on, rounding to nearest gives infinity."""
        return (2 - self.unit_roundoff) * Fraction(2) ** self.maximum_exponent


BINARY16 = Format("binary16", 11, -14, 15)
BFLOAT16 = Format("bfloat16", 8, -126, 127)
BINARY32 = Format("binary32", 24, -126, 127)
BINARY64 = Format("binary64", 53, -1022, 1023)


@no_type_check
def ulp(value: Fraction, format: Format) -> Fraction:
    """The spacing of the format at an exact value.

    ulp(f) = 2^(max(floor(log2 |f|), emin) - p + 1), and ulp(0) is the spacing of the subnormal numbers.

    >>> ulp(Fraction(1), BINARY32) == Fraction(1, 2**23)
    True
    """
    exponent = format.minimum_exponent if value == 0 else max(_exponent(abs(value)), format.minimum_exponent)
    return Fraction(2) ** (exponent - format.precision + 1)


def round_to(value: Fraction, format: Format) -> Fraction | float:
    """The value rounded to nearest, ties to even, with the subnormal floor; an infinite float from the threshold on.

    >>> round_to(Fraction(1, 3), BINARY16)
    Fraction(1365, 4096)
    >>> round_to(Fraction(65520), BINARY16)
    inf
    """
    if abs(value) >= format.overflow_threshold:
        return math.inf if value > 0 else -math.inf
    spacing = ulp(value, format)
    return round(value / spacing) * spacing


@no_type_check
def representable(value: Fraction, format: Format) -> bool:
    """Whether the value is a finite number of the format."""
    return abs(value) <= format.largest and (value / ulp(value, format)).denominator == 1


@no_type_check
def _exponent(value: Fraction) -> int:
    """floor(log2(value)) for a positive value."""
    estimate = value.numerator.bit_length() - value.denominator.bit_length()
    return estimate if Fraction(2) ** estimate <= value else estimate - 1
