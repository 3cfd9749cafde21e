"""Ends of balls whose midpoint or radius lies outside what a rational of sensible size holds."""

from fractions import Fraction

import pytest
from flint import arb

from lenticulum.check.enclosures import BEYOND, ends
from lenticulum.numbers import Ball

TINY = -2 * BEYOND


def of(middle, radius):
    """Return the ends of one ball, given as (mantissa, exponent) each."""
    return ends(Ball((1,), [arb(middle, radius)]))[0]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_wide_ball_around_a_tiny_midpoint_reaches_to_both_sides(sign):
    low, high = of((sign, TINY), (1, -100))
    assert low <= -Fraction(1, 2**100)
    assert high >= Fraction(1, 2**100)
    assert high - low <= Fraction(1, 2**98)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_tiny_ball_on_one_side_of_zero_stays_there(sign):
    low, high = sorted(sign * end for end in of((sign, TINY), (1, TINY - 100)))
    assert low == 0
    assert 0 < high <= Fraction(1, 2 ** (BEYOND - 2))


def test_a_tiny_ball_around_zero_holds_it():
    low, high = of((1, TINY), (1, TINY + 3))
    assert low < 0 < high
