"""Ball arrays against mpmath's point values at twice the digits, closed forms, and the limits at infinity."""

import json
import math
import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum.numbers import (
    DomainError,
    Undecided,
    absolute,
    ball,
    cos,
    current_precision,
    decide,
    erf,
    erfc,
    exp,
    expm1,
    from_integers,
    log,
    log1p,
    maximum,
    pi,
    rational,
    rsqrt,
    sin,
    sqrt,
    tanh,
    working_precision,
)

FUNCTIONS = [
    (exp, mpmath.exp, -30, 30),
    (expm1, mpmath.expm1, -30, 30),
    (log, mpmath.log, 1e-9, 30),
    (log1p, mpmath.log1p, -0.99, 30),
    (sqrt, mpmath.sqrt, 0, 30),
    (rsqrt, lambda x: 1 / mpmath.sqrt(x), 1e-9, 30),
    (tanh, mpmath.tanh, -20, 20),
    (erf, mpmath.erf, -5, 5),
    (erfc, mpmath.erfc, -5, 10),
    (sin, mpmath.sin, -30, 30),
    (cos, mpmath.cos, -30, 30),
]


def dyadic(value):
    """An mpmath number as a Fraction."""
    mantissa, exponent = abs(value).man_exp
    return int(mpmath.sign(value)) * int(mantissa) * Fraction(2) ** int(exponent)


@pytest.mark.parametrize(("function", "reference", "low", "high"), FUNCTIONS)
def test_enclosures_contain_mpmaths_value(function, reference, low, high):
    draw = random.Random(2026)
    points = [low + (high - low) * draw.random() for _ in range(40)] + [high]
    enclosure = function(ball(np.array(points)))
    for point, lower, upper in zip(points, enclosure.lower().tolist(), enclosure.upper().tolist(), strict=True):
        with mpmath.workprec(2 * current_precision() + 60):
            value = dyadic(reference(mpmath.mpf(point)))
        # mpmath's value at more than twice the bits is off by at most 2^-160 relative (its claim, 6 bits spare).
        slack = abs(value) / 2**160
        assert lower - slack <= value <= upper + slack
        # A useful enclosure: relative width below 2^-40 at 53 bits; no function here loses more than 13 bits.
        assert upper - lower <= abs(value) / 2**40 + Fraction(1, 2**52)


def test_a_shifted_function_is_not_enclosed():
    """The planted wrong twin: exp moved by one part in 2^40 leaves the enclosure."""
    enclosure = exp(ball([1, 2, 3]))
    assert not enclosure.contains(exp(ball([1, 2, 3])).midpoint() * (1 + Fraction(1, 2**40)))
    assert enclosure.contains(enclosure.midpoint())


def overlap(a, b):
    return bool((a.lower() <= b.upper()).all() and (b.lower() <= a.upper()).all())


@given(st.floats(min_value=0.015625, max_value=8, width=32))
def test_closed_forms_overlap(x):
    x = ball(x)
    assert overlap(sin(x) ** 2 + cos(x) ** 2, ball(1))
    assert overlap(log(exp(x)), x)
    assert overlap(expm1(x) + 1, exp(x))
    assert overlap(log1p(x), log(1 + x))
    assert overlap(erf(x) + erfc(x), ball(1))
    assert overlap(tanh(x), expm1(2 * x) / (exp(2 * x) + 1))
    assert overlap(rsqrt(x) * sqrt(x), ball(1))


def test_pi_satisfies_machins_formula():
    # pi = 16 atan(1/5) - 4 atan(1/239); the alternating series stops below its first omitted term.
    def arctangent(n):
        return sum(Fraction((-1) ** k, (2 * k + 1) * n ** (2 * k + 1)) for k in range(15))

    machin = 16 * arctangent(5) - 4 * arctangent(239)
    error = 16 * Fraction(1, 31 * 5**31)
    enclosure = pi(ball(0))
    assert enclosure.lower().item() <= machin + error
    assert machin - error <= enclosure.upper().item()


@pytest.mark.parametrize(
    ("function", "at_negative", "at_positive"),
    [(exp, 0, math.inf), (expm1, -1, math.inf), (tanh, -1, 1), (erf, -1, 1), (erfc, 2, 0)],
)
def test_limits_at_infinity_are_exact(function, at_negative, at_positive):
    assert function(ball([-math.inf, math.inf])) == ball([at_negative, at_positive])


@pytest.mark.parametrize(
    "undefined",
    [
        lambda: ball(math.inf) - ball(math.inf),
        lambda: ball(math.inf) * 0,
        lambda: ball(1) / 0,
        lambda: ball([math.inf, -math.inf]).sum(),
        lambda: ball([math.inf]) @ ball([0]),
        lambda: log(ball(0)),
        lambda: log(ball(-1)),
        lambda: log1p(ball(-1)),
        lambda: sqrt(ball(-1)),
        lambda: rsqrt(ball(0)),
        lambda: sin(ball(math.inf)),
        lambda: ball(math.nan),
        lambda: ball(math.inf).upper(),
    ],
)
def test_what_does_not_exist_is_a_domain_error(undefined):
    with pytest.raises(DomainError):
        undefined()


def zero():
    """An enclosure of 0 that no precision makes exact."""
    return sqrt(ball(2)) ** 2 - 2


@pytest.mark.parametrize(
    "open_question",
    [
        lambda: zero() < 0,
        lambda: zero() <= 0,
        lambda: zero() > 0,
        lambda: zero() >= 0,
        lambda: zero() == 0,
        lambda: zero() != zero(),
        lambda: maximum(zero(), 0),
        lambda: absolute(zero()),
        lambda: 1 / zero(),
        lambda: log(zero()),
        lambda: sqrt(zero()),
    ],
)
def test_what_an_enclosure_cannot_decide_stays_undecided_at_the_cap(open_question):
    with pytest.raises(Undecided, match="cap of 256 bits"):
        decide(open_question, cap=256)


def test_raising_the_precision_decides_what_can_be_decided():
    def question():
        return bool(exp(ball("1e-60")) > 1)

    with pytest.raises(Undecided):
        question()
    assert decide(question) is True


def test_the_working_precision_is_restored_also_after_an_error():
    before = current_precision()
    with working_precision(before + 100):
        assert current_precision() == before + 100
    with pytest.raises(Undecided), working_precision(before + 100):
        bool(zero() < 0)
    assert current_precision() == before


def test_decimal_inputs_are_enclosed_and_floats_are_exact():
    tenth = ball("0.1")
    assert tenth.contains(rational("0.1"))
    # 0.1 as a ball is wider than the end of this sum leaves room for; the number itself lies inside.
    assert (tenth + 8).contains(rational("8.1"))
    assert not (tenth + 8).contains(rational("8.1") + Fraction(1, 2**48))
    assert tenth.lower() < tenth.upper()
    assert ball(0.1).lower() == ball(0.1).upper() == rational(0.1)


@given(st.lists(st.tuples(st.floats(-1e6, 1e6, width=32), st.floats(-1e6, 1e6, width=32)), max_size=5))
def test_balls_cross_processes_unchanged(pairs):
    x = ball([[a, b] for a, b in pairs]) / 7
    sent = json.dumps(x.as_integers())
    received = from_integers(x.shape, json.loads(sent))
    assert received.as_integers() == x.as_integers()
    assert received.lower() == x.lower()
    assert received.upper() == x.upper()


def test_infinite_balls_cross_processes_unchanged():
    x = ball([math.inf, -math.inf])
    assert from_integers(x.shape, x.as_integers()) == x


def test_matmul_encloses_the_exact_product():
    a, b = rational([["1/3", "-2/7"], [5, "1/9"]]), rational([["1/11"], ["3/13"]])
    assert (ball(a) @ ball(b)).contains(a @ b)


def test_negative_and_straddling_bases_have_integer_powers():
    straddling = zero()
    assert (straddling**2).contains(rational(0))
    assert ball(-2) ** 3 == -8
    assert ball(-2) ** -1 == Fraction(-1, 2)
    assert ball(-math.inf) ** 3 == ball(-math.inf)


def test_an_end_that_no_rational_can_hold_is_refused_and_kept_as_integers():
    # exp(-10^38) is about 2^(-1.44 10^38): FLINT would abort the process where it makes a rational of it.
    with working_precision(256):
        tiny = exp(ball(-(10**38)))
    with pytest.raises(DomainError, match="too far from 1 for a rational number"):
        tiny.lower()
    [(mantissa, exponent, _, _)] = tiny.as_integers()
    assert mantissa > 0
    # -10^38 / log 2, cut to six digits: exponent + bits of the mantissa is the binary exponent.
    assert str(exponent + mantissa.bit_length()).startswith("-144269")
