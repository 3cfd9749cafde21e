"""Formats against the table of IEEE 754 values, and rounding against NumPy's own conversions."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum.numbers import (
    BFLOAT16,
    BINARY16,
    BINARY32,
    BINARY64,
    FLOAT8_E4M3FN,
    FLOAT8_E5M2,
    FORMATS,
    Format,
    bits_to_float64,
    decode,
    encode,
    float64_ulp,
    representable,
    round_to,
    ulp,
)


def two(exponent):
    return Fraction(2) ** exponent


@pytest.mark.parametrize(
    ("format", "largest", "smallest_normal", "smallest", "threshold"),
    [
        (BINARY16, 65504, two(-14), two(-24), 65520),
        (BFLOAT16, (2 - two(-7)) * two(127), two(-126), two(-133), (2 - two(-8)) * two(127)),
        (BINARY32, (2 - two(-23)) * two(127), two(-126), two(-149), (2 - two(-24)) * two(127)),
        (BINARY64, (2 - two(-52)) * two(1023), two(-1022), two(-1074), (2 - two(-53)) * two(1023)),
        (FLOAT8_E5M2, 57344, two(-14), two(-16), 61440),
        (FLOAT8_E4M3FN, 448, two(-6), two(-9), 464),
    ],
)
def test_the_parameters_are_those_of_the_standard(format, largest, smallest_normal, smallest, threshold):
    assert format.largest == largest
    assert format.smallest_normal == smallest_normal
    assert format.smallest_subnormal == smallest
    assert format.overflow_threshold == threshold


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_agrees_with_numpys_conversion_from_binary64(x):
    for format, dtype in ((BINARY16, np.float16), (BINARY32, np.float32), (BINARY64, np.float64)):
        with np.errstate(over="ignore", under="ignore"):
            expected = float(dtype(x))
        assert round_to(Fraction(x), format) == expected


@given(st.integers(0, 2**16 - 1).map(lambda bits: np.array(bits, np.uint16).view(np.float16)))
def test_every_binary16_number_rounds_to_itself(x):
    if np.isfinite(x):
        assert representable(Fraction(float(x)), BINARY16)
        assert round_to(Fraction(float(x)), BINARY16) == float(x)


def test_bfloat16_is_rounded_once():
    # 1 + 2^-8 + 2^-40 lies just above the midpoint of 1 and 1 + 2^-7; by way of binary32 it would become 1.
    assert round_to(1 + two(-8) + two(-40), BFLOAT16) == 1 + two(-7)
    assert round_to(1 + two(-8), BFLOAT16) == 1


def test_overflow_begins_at_the_threshold():
    assert round_to(Fraction(65520), BINARY16) == math.inf
    assert round_to(-Fraction(65520), BINARY16) == -math.inf
    assert round_to(Fraction(65520) - two(-30), BINARY16) == 65504
    assert not representable(Fraction(65536), BINARY16)


def test_ulp_is_the_spacing_at_the_exact_value_with_the_subnormal_floor():
    assert ulp(Fraction(1), BINARY32) == two(-23)
    assert ulp(1 - two(-60), BINARY32) == two(-24)
    assert ulp(Fraction(0), BINARY32) == two(-149)
    assert ulp(-two(-140), BINARY32) == two(-149)
    assert ulp(Fraction(1, 3), BINARY64) == Fraction(math.ulp(1 / 3))


def same(a, b):
    """Equal as values, zeros by sign, NaN as NaN."""
    if a != a or b != b:
        return a != a and b != b
    return a == b and math.copysign(1, a) == math.copysign(1, b)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float8_e5m2", "float8_e4m3fn"])
def test_every_pattern_of_the_narrow_formats_means_what_ml_dtypes_says(dtype):
    format = FORMATS[dtype]
    patterns = np.arange(2**format.width, dtype=np.uint8 if format.width == 8 else np.uint16)
    with np.errstate(invalid="ignore"):  # signalling NaNs
        expected = patterns.view(getattr(ml_dtypes, dtype, np.float16)).astype(np.float64)
    vectorised = bits_to_float64(patterns, format)
    for bits, reference, value in zip(patterns.tolist(), expected.tolist(), vectorised.tolist(), strict=True):
        assert same(reference, value)
        exact = decode(bits, format)
        assert same(reference, float(exact))
        if value == value:
            assert encode(exact, format) == bits


def test_binary32_and_binary64_patterns_mean_what_numpy_says():
    draw = np.random.default_rng(3)
    edges = np.array([0, 1, 0x7FFFFF, 0x800000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FFFFFFF], np.uint32)
    bits = np.concatenate([edges, edges | 0x80000000, draw.integers(0, 2**32, 20_000, dtype=np.uint32)])
    with np.errstate(invalid="ignore"):  # signalling NaNs
        expected = bits.view(np.float32).astype(np.float64)
    assert all(map(same, expected.tolist(), bits_to_float64(bits, BINARY32).tolist()))
    for pattern, value in zip(bits.tolist(), bits.view(np.float32).tolist(), strict=True):
        assert same(float(decode(pattern, BINARY32)), value)
        assert value != value or encode(decode(pattern, BINARY32), BINARY32) == pattern
    wide = draw.integers(0, 2**64, 100, dtype=np.uint64)
    assert bits_to_float64(wide, BINARY64).tobytes() == wide.tobytes()


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_encoding_agrees_with_numpys_conversion_from_binary64(x):
    value = Fraction(x) if x else x
    for format, dtype, unsigned in ((BINARY16, np.float16, np.uint16), (BINARY32, np.float32, np.uint32)):
        with np.errstate(over="ignore", under="ignore"):
            expected = int(np.array(dtype(x)).view(unsigned))
        assert encode(value, format) == expected


def test_overflow_follows_the_rule_of_the_format():
    saturating = Format("float8_e4m3fn", 4, -6, 8, 8, "saturate")
    assert round_to(Fraction(464), FLOAT8_E4M3FN) == 448
    assert encode(Fraction(464), FLOAT8_E4M3FN) == 0x7E
    assert math.isnan(round_to(Fraction(465), FLOAT8_E4M3FN))
    assert encode(-math.inf, FLOAT8_E4M3FN) == encode(math.nan, FLOAT8_E4M3FN) == 0x7F
    assert encode(Fraction(-465), saturating) == encode(-math.inf, saturating) == 0xFE
    assert [encode(Fraction(x), FLOAT8_E5M2) for x in (61439, 61440, -61440)] == [0x7B, 0x7C, 0xFC]
    assert encode(math.nan, BINARY16) == 0x7E00


def test_a_value_that_rounds_to_zero_keeps_its_sign():
    assert encode(Fraction(-1, 2**30), BINARY16) == 0x8000
    assert encode(Fraction(1, 2**25), BINARY16) == 0
    assert encode(Fraction(1, 2**25) + two(-90), BINARY16) == 1


def test_what_is_no_pattern_or_no_exact_value_is_refused():
    with pytest.raises(ValueError, match="expected 8 bits"):
        decode(256, FLOAT8_E5M2)
    with pytest.raises(TypeError, match="expected a Fraction"):
        encode(0.5, BINARY16)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_array_of_spacings_is_that_of_ulp(x):
    for format in FORMATS.values():
        assert Fraction(float(float64_ulp(np.array([x]), format)[0])) == ulp(Fraction(x), format)
