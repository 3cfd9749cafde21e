"""Formats against the table of IEEE 754 values, and rounding against NumPy's own conversions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum.numbers import BFLOAT16, BINARY16, BINARY32, BINARY64, representable, round_to, ulp


def two(exponent):
    return Fraction(2) ** exponent


@pytest.mark.parametrize(
    ("format", "largest", "smallest_normal", "smallest", "threshold"),
    [
        (BINARY16, 65504, two(-14), two(-24), 65520),
        (BFLOAT16, (2 - two(-7)) * two(127), two(-126), two(-133), (2 - two(-8)) * two(127)),
        (BINARY32, (2 - two(-23)) * two(127), two(-126), two(-149), (2 - two(-24)) * two(127)),
        (BINARY64, (2 - two(-52)) * two(1023), two(-1022), two(-1074), (2 - two(-53)) * two(1023)),
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
