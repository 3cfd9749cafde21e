"""The named functions of balls and their derivatives: mpmath's values and numerical derivatives at 60 digits."""

import math
import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from lenticulum.numbers import (
    DomainError,
    Undecided,
    ball,
    decide,
    functions,
    jvp,
    polygamma,
    rational,
    sqrt,
    vjp,
    working_precision,
)
from lenticulum.numbers.derivatives import DERIVATIVES, PARTIAL_DERIVATIVES
from lenticulum.numbers.enclosures import ENCLOSURES, PAIR_ENCLOSURES

INF = math.inf

REFERENCES = {
    "exp2": (lambda x: mpmath.power(2, x), -100, 100),
    "log2": (lambda x: mpmath.log(x) / mpmath.log(2), 1e-9, 100),
    "log10": (mpmath.log10, 1e-9, 100),
    "cbrt": (lambda x: mpmath.sign(x) * mpmath.root(abs(x), 3), -50, 50),
    "tan": (mpmath.tan, -20, 20),
    "asin": (mpmath.asin, -0.99, 0.99),
    "acos": (mpmath.acos, -0.99, 0.99),
    "atan": (mpmath.atan, -50, 50),
    "sinh": (mpmath.sinh, -50, 50),
    "cosh": (mpmath.cosh, -50, 50),
    "asinh": (mpmath.asinh, -50, 50),
    "acosh": (mpmath.acosh, 1.01, 50),
    "atanh": (mpmath.atanh, -0.99, 0.99),
    "erfinv": (mpmath.erfinv, -0.99, 0.99),
    "lgamma": (lambda x: mpmath.log(abs(mpmath.gamma(x))), -7, 20),
    "digamma": (mpmath.digamma, -7, 20),
    "sigmoid": (lambda x: 1 / (1 + mpmath.exp(-x)), -50, 50),
    "softplus": (lambda x: mpmath.log1p(mpmath.exp(x)), -50, 50),
    "normal_cdf": (mpmath.ncdf, -12, 12),
    "sinc": (mpmath.sincpi, -9, 9),
}
PAIR_REFERENCES = {"power_real": mpmath.power, "hypot": mpmath.hypot, "atan2": mpmath.atan2}


def exact(value):
    """An mpmath number as a Fraction."""
    mantissa, exponent = abs(value).man_exp
    return int(mpmath.sign(value)) * int(mantissa) * Fraction(2) ** int(exponent)


def points(name, count=40):
    _, low, high = REFERENCES[name]
    draw = random.Random(2026)
    return [low + (high - low) * draw.random() for _ in range(count)]


def close(enclosure, value, bits):
    """Whether the ball is narrow and within 2^-bits (1 + |value|) of the reference value."""
    slack = (1 + abs(value)) / Fraction(2) ** bits
    lower, upper = enclosure.lower().item(), enclosure.upper().item()
    return upper - lower <= slack and lower - slack <= value <= upper + slack


def test_every_new_function_has_a_reference_and_a_derivative():
    assert set(REFERENCES) == set(DERIVATIVES)
    assert set(PAIR_REFERENCES) == set(PARTIAL_DERIVATIVES) == set(PAIR_ENCLOSURES)


@pytest.mark.parametrize("name", REFERENCES)
def test_values_are_those_of_mpmath(name):
    reference, function = REFERENCES[name][0], getattr(functions, name)
    for x in points(name):
        with mpmath.workdps(60), working_precision(180):
            value = exact(reference(mpmath.mpf(x)))
            assert close(function(ball(x)), value, 170)
            assert not close(function(ball(x)) + (1 + abs(value)) / 2**160, value, 170)
        narrow = function(ball(x))
        # At 53 bits: the enclosure contains mpmath's value, which is right to 60 digits.
        slack = (1 + abs(value)) / Fraction(2) ** 180
        assert narrow.lower().item() - slack <= value <= narrow.upper().item() + slack


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_polygamma_is_that_of_mpmath_on_both_sides_of_zero(order):
    for x in points("digamma", 25):
        with mpmath.workdps(60), working_precision(180):
            value = exact(mpmath.polygamma(order, mpmath.mpf(x)))
            assert close(polygamma(ball(x), order) / (1 + abs(value)), value / (1 + abs(value)), 150)


@pytest.mark.parametrize("name", REFERENCES)
def test_forward_and_reverse_derivatives_are_numerical_ones(name):
    reference, function = REFERENCES[name][0], getattr(functions, name)
    for x in points(name, 12):
        with mpmath.workdps(60), working_precision(200):
            slope = exact(mpmath.diff(reference, mpmath.mpf(x)))
            _, tangent = jvp(function, (ball(x),), (ball(3),))
            _, pull = vjp(function, ball(x))
            assert close(tangent, 3 * slope, 100)
            assert close(pull(ball(3))[0], 3 * slope, 100)
            assert not close(tangent * (1 + Fraction(1, 2**40)), 3 * slope, 100) or abs(slope) < 1e-15


@pytest.mark.parametrize("name", REFERENCES)
def test_second_derivatives_are_numerical_ones(name):
    reference, function = REFERENCES[name][0], getattr(functions, name)
    for x in points(name, 6):
        with mpmath.workdps(60), working_precision(200):
            bend = exact(mpmath.diff(reference, mpmath.mpf(x), 2))
            one = ball(1)
            _, second = jvp(lambda x: jvp(function, (x,), (x.lift(1),))[1], (ball(x),), (one,))  # noqa: B023
            assert close(second, bend, 70)
            second = vjp(lambda x: jvp(function, (x,), (x.lift(1),))[1], ball(x))[1](one)[0]  # noqa: B023
            assert close(second, bend, 70)


@pytest.mark.parametrize("order", [1, 2])
def test_the_derivative_of_one_polygamma_is_the_next(order):
    for x in (0.75, 3.5, -2.25):
        with working_precision(200):
            expected = polygamma(ball(x), order + 1)
            assert (
                jvp(lambda x: polygamma(x, order), (ball(x),), (ball(1),))[1].elements[0].overlaps(expected.elements[0])
            )
            assert vjp(lambda x: polygamma(x, order), ball(x))[1](ball(1))[0].elements[0].overlaps(expected.elements[0])


@pytest.mark.parametrize("name", PAIR_REFERENCES)
def test_functions_of_two_arguments_and_both_their_derivatives(name):
    reference, function = PAIR_REFERENCES[name], getattr(functions, name)
    draw = random.Random(7)
    for _ in range(25):
        x = draw.uniform(0.01, 5) if name == "power_real" else draw.uniform(-5, 5)
        y = draw.uniform(-5, 5)
        with mpmath.workdps(60), working_precision(200):
            mx, my = mpmath.mpf(x), mpmath.mpf(y)
            value = exact(reference(mx, my))
            by_x, by_y = (
                exact(mpmath.diff(reference, (mx, my), (1, 0))),
                exact(mpmath.diff(reference, (mx, my), (0, 1))),
            )
            scale = 1 + abs(value) + abs(by_x) + abs(by_y)
            result, tangent = jvp(function, (ball(x), ball(y)), (ball(2), ball(-5)))
            assert close(result / scale, value / scale, 150)
            assert close(tangent / scale, (2 * by_x - 5 * by_y) / scale, 90)
            gradient = vjp(function, ball(x), ball(y))[1](ball(1))
            assert close(gradient[0] / scale, by_x / scale, 90)
            assert close(gradient[1] / scale, by_y / scale, 90)
            # The partial derivatives are not exchanged.
            assert not close(tangent / scale, (-5 * by_x + 2 * by_y) / scale, 90)


@pytest.mark.parametrize(
    ("name", "at_negative", "at_positive"),
    [
        ("exp2", 0, INF),
        ("cbrt", -INF, INF),
        ("sinh", -INF, INF),
        ("cosh", INF, INF),
        ("asinh", -INF, INF),
        ("sigmoid", 0, 1),
        ("softplus", 0, INF),
        ("normal_cdf", 0, 1),
        ("sinc", 0, 0),
    ],
)
def test_limits_at_infinity_are_exact(name, at_negative, at_positive):
    assert getattr(functions, name)(ball([-INF, INF])) == ball([at_negative, at_positive])


def test_limits_that_are_no_rationals_are_enclosed():
    half_pi = functions.pi(ball(0)) / 2
    assert (functions.atan(ball([-INF, INF])) / half_pi).contains(rational([-1, 1]))
    assert (functions.atan2(ball([INF, -INF]), ball(3)) / half_pi).contains(rational([1, -1]))


@pytest.mark.parametrize(
    ("name", "outside", "boundary"),
    [
        ("log2", [-1, 0, -INF], 0),
        ("log10", [-1, 0, -INF], 0),
        ("tan", [INF, -INF], None),
        ("asin", [2, -2, INF, -INF], 1),
        ("acos", [2, -2, INF, -INF], 1),
        ("acosh", [0.5, -2, -INF], 1),
        ("atanh", [1, -1, 2, INF], 1),
        ("erfinv", [1, -1, 2, -INF], 1),
        ("lgamma", [0, -1, -2, -INF], 0),
        ("digamma", [0, -1, -2, -INF], 0),
    ],
)
def test_outside_the_domain_there_is_no_value(name, outside, boundary):
    function = getattr(functions, name)
    for x in outside:
        with pytest.raises(DomainError):
            function(ball(x))
    if boundary is not None:
        # An enclosure of a boundary point that no precision makes exact.
        with pytest.raises(Undecided, match="cap"):
            decide(lambda: function(sqrt(ball(2)) ** 2 - 2 + boundary), cap=128)


def test_pairs_without_a_value():
    for name, x, y in [
        ("power_real", 0, 1),
        ("power_real", -1, 2),
        ("power_real", INF, 0),
        ("power_real", 1, INF),
        ("atan2", 0, 0),
        ("atan2", INF, INF),
    ]:
        with pytest.raises(DomainError):
            getattr(functions, name)(ball(x), ball(y))
    with pytest.raises(ValueError, match="order"):
        polygamma(ball(1), -1)


def test_exact_values_are_exact():
    """So that a comparison with them is decided."""
    for name, x, y in [
        ("exp2", -3, Fraction(1, 8)),
        ("exp2", 1000, 2**1000),
        ("log2", Fraction(1, 1024), -10),
        ("log10", 1000, 3),
        ("cbrt", 0, 0),
        ("acos", 1, 0),
        ("acosh", 1, 0),
        ("lgamma", 2, 0),
        ("sigmoid", 0, Fraction(1, 2)),
        ("normal_cdf", 0, Fraction(1, 2)),
        ("sinc", 0, 1),
        ("sinc", -7, 0),
    ]:
        assert getattr(functions, name)(ball(x)) == ball(y)
    assert functions.hypot(ball(-3), ball(4)) == 5
    assert functions.power_real(ball(4), ball(-0.5)) == ball(0.5)


def test_wide_balls_are_enclosed():
    """The image of a ball of radius about 1/32, made at 6 bits, holds the values of points in it."""
    seen = 0
    for name in [*REFERENCES, "exp", "log1p", "tanh", "erf", "erfc"]:
        for centre in (0.3, 1.7, -0.4):
            with working_precision(6):
                wide = ball("1/3") - ball("1/3") + ball(centre)
            try:
                image = getattr(functions, name)(wide)
            except (Undecided, DomainError):
                continue
            seen += 1
            for share in (0, Fraction(1, 3), 1):
                inner = wide.lower() + (wide.upper() - wide.lower()) * share
                with working_precision(200):
                    assert image.elements[0].contains(getattr(functions, name)(ball(inner)).elements[0])
    assert seen > 50


def test_tails_keep_their_sign_and_relative_accuracy():
    for name in ("sigmoid", "softplus", "normal_cdf"):
        for x in (-30.0, -600.0, -524287.96875, -1e30):
            with working_precision(256):
                tail = getattr(functions, name)(ball(x)).elements[0]
                assert tail > 0
                assert tail.rel_accuracy_bits() > 100
    # Phi(-x) exp(x x / 2) x sqrt(2 pi) = 1 - 1/x^2 + ..., from below (DLMF 7.12.1).
    with working_precision(200):
        x = ball(2**40)
        ratio = functions.normal_cdf(-x) * (x * x / 2).exp() * x * (2 * x.pi()).sqrt()
        assert bool(ratio < 1)
        assert bool(ratio > 1 - Fraction(1, 2**80))


def test_sinc_has_slope_zero_at_zero():
    x = ball([0, 0.5])
    _, tangent = jvp(functions.sinc, (x,), (ball([1, 1]),))
    assert tangent[0] == 0
    assert vjp(functions.sinc, x)[1](ball([1, 1]))[0][0] == 0


def test_rationals_have_no_transcendentals():
    for name in [*REFERENCES, *ENCLOSURES]:
        if name not in ("sqrt", "log", "rsqrt"):
            with pytest.raises(TypeError, match="no value in the rational numbers"):
                getattr(functions, name)(rational(1))
    with pytest.raises(TypeError, match="no value"):
        functions.hypot(rational(3), 4)


def test_arrays_broadcast_in_functions_of_two_arguments():
    x = ball(np.array([[3.0], [5.0]]))
    assert functions.hypot(x, ball(np.array([4.0, 12.0]))).shape == (2, 2)
    assert functions.power_real(ball([4, 9]), Fraction(1, 2)) == ball([2, 3])
