"""Derivatives of black boxes: right ones agree, and wrong ones differ where differences are said to resolve them."""

import math

import numpy as np
import pytest

from lenticulum.check.black_box import compare, noise, slope

UNITS = {"float64": 2.0**-53, "float32": 2.0**-24}


def lines(dtype: str, size: int, factor: float, seed: int):
    """Return <w, sin(x + t v)> and its derivative times a factor, computed in a format."""
    rng = np.random.default_rng([seed, size])
    x, v, w = (rng.normal(size=size).astype(dtype) for _ in range(3))

    def line(t: float) -> float:
        return float((w * np.sin(x + np.asarray(t, dtype) * v)).sum(dtype=np.float64))

    def derivative(t: float) -> float:
        return factor * float((w * np.cos(x + np.asarray(t, dtype) * v) * v).sum(dtype=np.float64))

    return line, derivative


@pytest.mark.parametrize("dtype", UNITS)
@pytest.mark.parametrize("size", [1, 10, 1000])
def test_a_right_derivative_agrees_and_a_wrong_one_does_not(dtype, size):
    for seed in range(20):
        right = compare(*lines(dtype, size, 1.0, seed), UNITS[dtype], 20)
        assert right.agrees, (seed, right)
        # Twice what is resolved is seen, and a tenth of it may not be.
        wrong = compare(*lines(dtype, size, 1 + 3 * right.resolves, seed), UNITS[dtype], 20)
        assert not wrong.agrees, (seed, wrong)
        # The terms of the slope are of size 1, and random: their sum may cancel to less than the root of their number.
        assert right.expected.error < UNITS[dtype] ** 0.5 * size**0.5


@pytest.mark.parametrize("size", [1, 10, 1000])
@pytest.mark.parametrize("factor", [-1.0, 0.0, 1.000001])
def test_a_scaled_derivative_is_seen_in_float64_whatever_the_size(size, factor):
    for seed in range(5):
        assert not compare(*lines("float64", size, factor, seed), UNITS["float64"], 5).agrees


def test_noise_is_that_of_the_format():
    # sin(1 + t) in float32 is rounded to multiples of 2^-24: its noise has the deviation 2^-24 / sqrt(12) or so.
    found = noise(lambda t: float(np.sin(np.float32(1) + np.float32(t))), UNITS["float32"])
    assert 2.0**-27 < found < 2.0**-22


def test_the_rounding_of_the_argument_is_noise_also_where_equal_spacings_would_hide_it():
    # 2^-39.75 v is 2^-40, a whole number of spacings of floats near 2.5, which are 2^-51. Rounded to them, t v is off
    # by 2^-51 / sqrt(12) in the mean.
    v = 2.0**-0.25
    found = noise(lambda t: (2.5 + t * v) - 2.5, UNITS["float64"])
    assert 0.5 < found / (2.0**-51 / 12**0.5) < 2


def test_the_error_of_a_slope_covers_it():
    # exp at 0: the derivative is 1.
    found = slope(lambda t: float(np.exp(t)), UNITS["float64"], 1)
    assert abs(found.value - 1) <= found.error < 1e-9


def test_noise_of_the_rule_is_allowed_for_and_a_rule_that_is_not_finite_is_wrong():
    unit, noisy = UNITS["float64"], lambda t: math.exp(t) + 1e-9 * math.sin(1e15 * t + 1)
    assert compare(math.exp, noisy, unit, 1).agrees
    assert not compare(math.exp, lambda t: math.exp(t) + 1e-9, unit, 1).agrees
    for value in (math.nan, math.inf):
        assert not compare(math.exp, lambda t, value=value: value, unit, 1).agrees
        assert not compare(math.exp, lambda t, value=value: value if t else 2.0, unit, 1).agrees


def test_a_kink_is_no_agreement_with_either_side():
    assert not compare(lambda t: abs(t) + t, lambda t: 2.0, UNITS["float64"], 1).agrees
