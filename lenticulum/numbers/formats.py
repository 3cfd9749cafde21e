"""Floating-point formats as data, and rounding to them written once over exact rationals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lenticulum.numbers.checking import no_type_check

Bits: TypeAlias = NDArray[np.unsignedinteger[Any]]
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Format:
    """A binary format: p bits of significand, normal exponents from `minimum_exponent` to `maximum_exponent`.

    `overflow` says what rounding gives beyond the largest number. With "infinity" the layout is that of IEEE 754: the
    largest exponent field holds the infinities and NaNs. With "nan" or "saturate" the format has no infinity: the
    largest exponent field holds numbers, all but its last pattern, which is NaN.

    `rounded_once`: in an error bound, every operation, named function and sum is correctly rounded: once, after it was
    computed exactly. It is no property of the numbers of the format.

    Source: IEEE 754-2019, section 3.3; arXiv:2209.05433, table 1 (the 8-bit formats).

    >>> from lenticulum.numbers.formats import BINARY16, FLOAT8_E4M3FN
    >>> int(BINARY16.largest), int(BINARY16.overflow_threshold), int(FLOAT8_E4M3FN.largest)
    (65504, 65520, 448)
    """

    name: str
    precision: int
    minimum_exponent: int
    maximum_exponent: int
    width: int
    overflow: Literal["infinity", "nan", "saturate"] = "infinity"
    rounded_once: bool = field(default=False, repr=False)

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
        """(2 - 2^(1-p)) 2^emax, or the number before it where that pattern is NaN."""
        steps = 2 if self.overflow == "infinity" else 4
        return (2 - steps * self.unit_roundoff) * Fraction(2) ** self.maximum_exponent

    @cached_property
    def overflow_threshold(self) -> Fraction:
        """Half a spacing above the largest number.

        Rounding to nearest overflows from here on where the format has infinities, and only beyond where it has none
        (the largest number is then even, and wins the tie).
        """
        return self.largest + self.unit_roundoff * Fraction(2) ** self.maximum_exponent

    @cached_property
    def infinity(self) -> Fraction | float:
        """What rounding gives for a positive value that is too large."""
        return {"infinity": math.inf, "nan": math.nan, "saturate": self.largest}[self.overflow]

    @cached_property
    def fraction_bits(self) -> int:
        """The number of stored bits of the significand, p - 1."""
        return self.precision - 1

    @cached_property
    def exponent_mask(self) -> int:
        """The largest exponent field."""
        return (1 << (self.width - self.precision)) - 1

    @cached_property
    def largest_pattern(self) -> int:
        """The bits of the largest number."""
        top = self.exponent_mask << self.fraction_bits
        return top - 1 if self.overflow == "infinity" else top + (1 << self.fraction_bits) - 2

    @cached_property
    def nan_pattern(self) -> int:
        """The canonical NaN: quiet, of sign 0, with no other bit set; the only one of sign 0 where there is but one."""
        if self.overflow != "infinity":
            return self.largest_pattern + 1
        return self.exponent_mask << self.fraction_bits | 1 << (self.fraction_bits - 1)


BINARY16 = Format("binary16", 11, -14, 15, 16)
BFLOAT16 = Format("bfloat16", 8, -126, 127, 16)
BINARY32 = Format("binary32", 24, -126, 127, 32)
BINARY64 = Format("binary64", 53, -1022, 1023, 64)
FLOAT8_E5M2 = Format("float8_e5m2", 3, -14, 15, 8)
FLOAT8_E4M3FN = Format("float8_e4m3fn", 4, -6, 8, 8, "nan")

FORMATS = {
    "float16": BINARY16,
    "bfloat16": BFLOAT16,
    "float32": BINARY32,
    "float64": BINARY64,
    "float8_e5m2": FLOAT8_E5M2,
    "float8_e4m3fn": FLOAT8_E4M3FN,
}
"""The formats by the names of their dtypes."""


@no_type_check
def ulp(value: Fraction, format: Format) -> Fraction:
    """The spacing of the format at an exact value.

    ulp(f) = 2^(max(floor(log2 |f|), emin) - p + 1), and ulp(0) is the spacing of the subnormal numbers.

    >>> ulp(Fraction(1), BINARY32) == Fraction(1, 2**23)
    True
    """
    return _power_of_two(_spacing(value, format))


@no_type_check
def round_to(value: Fraction, format: Format) -> Fraction | float:
    """The value rounded to nearest, ties to even, with the subnormal floor; too large, what `Format.overflow` says.

    >>> round_to(Fraction(1, 3), BINARY16)
    Fraction(1365, 4096)
    >>> round_to(Fraction(65520), BINARY16)
    inf
    """
    steps, exponent = _nearest(value, format)
    if _pattern(steps, exponent, format) <= format.largest_pattern:
        return (steps if value > 0 else -steps) * _power_of_two(exponent)
    return format.infinity if value > 0 else -format.infinity


@no_type_check
def representable(value: Fraction, format: Format) -> bool:
    """Whether the value is a finite number of the format."""
    numerator, denominator = abs(value.numerator), value.denominator
    if denominator & (denominator - 1):
        return False
    # The exponents of the lowest and the highest bit that is set.
    lowest = (numerator & -numerator).bit_length() - denominator.bit_length()
    highest = numerator.bit_length() - denominator.bit_length()
    fits = numerator == 0 or lowest >= max(highest, format.minimum_exponent) - format.fraction_bits
    return fits and (highest < format.maximum_exponent or abs(value) <= format.largest)


def _power_of_two(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


@no_type_check
def _spacing(value: Fraction, format: Format) -> int:
    """The exponent of `ulp`."""
    numerator, denominator = abs(value.numerator), value.denominator
    exponent = numerator.bit_length() - denominator.bit_length()
    if numerator << max(-exponent, 0) < denominator << max(exponent, 0):
        exponent -= 1
    return max(exponent if numerator else format.minimum_exponent, format.minimum_exponent) - format.fraction_bits


@no_type_check
def _nearest(value: Fraction, format: Format) -> tuple[int, int]:
    """(steps, exponent) with steps * 2^exponent = |value| rounded as if there were no largest exponent."""
    exponent = _spacing(value, format)
    denominator = value.denominator << max(exponent, 0)
    steps, rest = divmod(abs(value.numerator) << max(-exponent, 0), denominator)
    if 2 * rest > denominator or 2 * rest == denominator and steps & 1:
        steps += 1
    return steps, exponent


@no_type_check
def _pattern(steps: int, exponent: int, format: Format) -> int:
    """The pattern of steps * 2^exponent: patterns count the non-negative numbers in increasing order."""
    binade = exponent - (format.minimum_exponent - format.fraction_bits)
    return (binade << format.fraction_bits) + steps


@no_type_check
def decode(bits: int, format: Format) -> Fraction | float:
    """The number that a bit pattern means: a Fraction, or one of the floats 0.0, -0.0, inf, -inf and nan.

    >>> decode(0x3555, BINARY16), decode(0x8000, BINARY16)
    (Fraction(1365, 4096), -0.0)
    """
    if not 0 <= bits < 1 << format.width:
        raise ValueError(f"got the pattern {bits:#x}, expected {format.width} bits ({format.name})")
    negative, magnitude = divmod(bits, 1 << (format.width - 1))
    field, significand = divmod(magnitude, 1 << format.fraction_bits)
    sign = -1 if negative else 1
    if magnitude > format.largest_pattern:
        return sign * math.inf if format.overflow == "infinity" and significand == 0 else math.nan
    if magnitude == 0:
        return sign * 0.0
    if field:
        significand += 1 << format.fraction_bits
    exponent = format.minimum_exponent - format.fraction_bits + max(field - 1, 0)
    return sign * significand * _power_of_two(exponent)


@no_type_check
def encode(value: Fraction | float, format: Format) -> int:
    """The bit pattern of a value, correctly rounded to nearest even.

    `value` is a Fraction, or one of the floats 0.0, -0.0, inf, -inf and nan; a Fraction that rounds to zero keeps its
    sign. NaN is the canonical quiet one of sign 0. An infinity that the format does not have becomes NaN, or the
    largest number where it saturates.

    >>> hex(encode(Fraction(1, 3), BINARY16))
    '0x3555'
    """
    if isinstance(value, float):
        if value and math.isfinite(value):
            raise TypeError(f"got the float {value!r}, expected a Fraction: write Fraction({value!r})")
        sign = int(math.copysign(1, value) < 0) << (format.width - 1)
        if not value:
            return sign
        return format.nan_pattern if math.isnan(value) else _overflow(sign, format)
    sign = int(value < 0) << (format.width - 1)
    pattern = _pattern(*_nearest(Fraction(value), format), format)
    return sign | pattern if pattern <= format.largest_pattern else _overflow(sign, format)


def _overflow(sign: int, format: Format) -> int:
    """The pattern of an infinity, or of what stands for it."""
    if format.overflow == "nan":
        return format.nan_pattern
    return sign | (format.largest_pattern + (format.overflow == "infinity"))


@no_type_check
def bits_to_float64(bits: Bits, format: Format) -> Floats:
    """The numbers that an array of bit patterns means, exactly, as binary64.

    Only integer operations and products of normal numbers are used, so that a processor mode that flushes subnormal
    numbers cannot change an input.

    >>> bits_to_float64(np.array([0x3555, 0x8001], np.uint16), BINARY16).tolist()
    [0.333251953125, -5.960464477539063e-08]
    """
    if format == BINARY64:
        return bits.astype(np.uint64, copy=False).view(np.float64)
    if format == BINARY32 and bits.dtype == np.uint32:
        return _binary32_to_float64(bits)
    pattern = bits.astype(np.int64)
    magnitude = pattern & ((1 << (format.width - 1)) - 1)
    # The exponent field and the fraction move to their places in binary64, whose bias is 1023.
    bias = 1 - format.minimum_exponent
    normal = (magnitude << (52 - format.fraction_bits)) + ((1023 - bias) << 52)
    values = normal.view(np.float64)
    subnormal = magnitude < 1 << format.fraction_bits
    values[subnormal] = magnitude[subnormal] * float(format.smallest_subnormal)
    values[magnitude > format.largest_pattern] = np.nan
    if format.overflow == "infinity":
        values[magnitude == format.largest_pattern + 1] = np.inf
    values.view(np.int64)[...] |= (pattern >> (format.width - 1)) << 63
    return values


@no_type_check
def nan_bits(bits: Bits, format: Format) -> NDArray[np.bool_]:
    """Which patterns of an array mean no number.

    >>> nan_bits(np.array([0x7C00, 0x7C01, 0xFE00], np.uint16), BINARY16).tolist()
    [False, True, True]
    """
    largest = format.largest_pattern + (format.overflow == "infinity")
    return (bits & bits.dtype.type((1 << format.width - 1) - 1)) > bits.dtype.type(largest)


@no_type_check
def _binary32_to_float64(bits: Bits) -> Floats:
    """The same by the processor's conversion, which is exact; only subnormal numbers may be flushed by it."""
    with np.errstate(invalid="ignore"):
        values = np.ascontiguousarray(bits).view(np.float32).astype(np.float64)
    subnormal = (bits & np.uint32(0x7F800000)) == 0
    if subnormal.any():
        size = (bits[subnormal] & np.uint32(0x7FFFFFFF)) * float(BINARY32.smallest_subnormal)
        values[subnormal] = np.where(bits[subnormal] >> np.uint32(31) == 1, -size, size)
    return values


@no_type_check
def float64_ulp(values: Floats, format: Format) -> Floats:
    """`ulp` of the format at each binary64 number, exact; infinite at infinities and NaN.

    >>> float64_ulp(np.array([1.0, 1e-9, 0.0]), BINARY16).tolist() == [2.0**-10, 2.0**-24, 2.0**-24]
    True
    """
    binades = (np.ascontiguousarray(values, np.float64).view(np.int64) & (0x7FF << 52)).view(np.float64)
    return np.maximum(binades * 2.0 ** (1 - format.precision), float(format.smallest_subnormal))
