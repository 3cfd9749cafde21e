"""Floating-point formats as data: patterns to exact values and back, with one rounding written over integers."""

from __future__ import annotations

from math import copysign, inf, isinf, isnan, nan
from typing import NamedTuple

#: A finite nonzero number m 2^e as (m, e), or one of the floats 0.0, -0.0, inf, -inf and nan.
Decoded = tuple[int, int] | float


class FloatFormat(NamedTuple):
    """A binary format; `overflow` is "infinity" (the layout of IEEE 754), "nan" or "saturate".

    Without infinities the largest exponent field holds numbers, all but its last pattern, which is NaN.
    """

    name: str
    precision: int
    emin: int
    emax: int
    width: int
    overflow: str


def overflow_pattern(fmt: FloatFormat) -> int:
    """The first magnitude pattern beyond the finite numbers: infinity, or NaN where there is none."""
    if fmt.overflow == "infinity":
        return (1 << (fmt.width - 1)) - (1 << (fmt.precision - 1))
    return (1 << (fmt.width - 1)) - 1


def decode_pattern(pattern: int, fmt: FloatFormat) -> Decoded:
    """What a pattern means."""
    sign = pattern >> (fmt.width - 1)
    magnitude = pattern & ((1 << (fmt.width - 1)) - 1)
    beyond = overflow_pattern(fmt)
    if magnitude >= beyond:
        if magnitude > beyond or fmt.overflow != "infinity":
            return nan
        return -inf if sign else inf
    if not magnitude:
        return -0.0 if sign else 0.0
    field = magnitude >> (fmt.precision - 1)
    m = magnitude & ((1 << (fmt.precision - 1)) - 1)
    if field:
        m += 1 << (fmt.precision - 1)
    return (-m if sign else m), max(field, 1) + fmt.emin - fmt.precision


def magnitude_pattern(m: int, e: int, fmt: FloatFormat, tie: int = 0) -> int:
    """The pattern nearest to m 2^e >= 0, at most `overflow_pattern`.

    Midway between two patterns: the even one for tie = 0, the larger one for tie > 0, the smaller one for tie < 0. The
    patterns count the numbers in increasing order, so a carry into the exponent needs no care.
    """
    if not m:
        return 0
    exponent = m.bit_length() - 1 + e
    if exponent > fmt.emax + 1:
        return overflow_pattern(fmt)
    if exponent < fmt.emin - fmt.precision - 1:
        return 0
    exponent = max(exponent, fmt.emin)
    shift = e - (exponent - fmt.precision + 1)
    if shift >= 0:
        n = m << shift
    else:
        n, rest = m >> -shift, m & ((1 << -shift) - 1)
        half = 1 << (-shift - 1)
        if rest > half or (rest == half and (tie > 0 or (tie == 0 and n & 1))):
            n += 1
    return min(n + ((exponent - fmt.emin) << (fmt.precision - 1)), overflow_pattern(fmt))


def overflow_threshold(fmt: FloatFormat) -> tuple[int, int]:
    """Half a spacing above the largest number, as (m, e)."""
    largest = decode_pattern(overflow_pattern(fmt) - 1, fmt)
    assert isinstance(largest, tuple)
    return 2 * largest[0] + 1, largest[1] - 1


def encode_float(value: float, fmt: FloatFormat) -> int:
    """The pattern of a float, rounded once; NaN is the quiet one of sign 0."""
    if isnan(value):
        return overflow_pattern(fmt) | (1 << (fmt.precision - 2) if fmt.overflow == "infinity" else 0)
    negative = copysign(1, value) < 0
    if isinf(value):
        magnitude = overflow_pattern(fmt)
    else:
        numerator, denominator = abs(value).as_integer_ratio()
        magnitude = magnitude_pattern(numerator, 1 - denominator.bit_length(), fmt)
    return finished_pattern(negative, magnitude, fmt)


def finished_pattern(negative: bool, magnitude: int, fmt: FloatFormat) -> int:
    """The pattern with its sign; beyond the finite numbers what the format does there."""
    if magnitude == overflow_pattern(fmt) and fmt.overflow != "infinity":
        if fmt.overflow == "nan":
            return magnitude
        magnitude -= 1
    return magnitude | negative << (fmt.width - 1)
