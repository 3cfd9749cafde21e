"""LogRational: identities of logarithms derived by hand, entropies of known models, decidable order."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum.numbers import DomainError, InexactError, LogRational, ball, log, log_rational, rational
from lenticulum.numbers.coprime import coprime_base, exponents

positive = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50)


@given(positive, positive)
def test_logarithms_are_additive(a, b):
    assert log(rational(a * b)) == log(rational(a)) + log(rational(b))
    assert log(rational(a / b)) == log(rational(a)) - log(rational(b))
    assert log(rational(a**3)) == 3 * log(rational(a))


@given(positive, positive)
def test_order_is_that_of_the_arguments(a, b):
    x, y = log(rational(a)), log(rational(b))
    assert bool(x < y) is (a < b)
    assert bool(x <= y) is (a <= b)
    assert (x == y) is (a == b)


def test_hand_derived_identities_hold_across_bases():
    assert log_rational(0, {6: 1}) == log_rational(0, {2: 1, 3: 1})
    assert log_rational(0, {4: Fraction(1, 2)}) == log_rational(0, {2: 1})
    assert log_rational(0, {12: 1, 18: -1}) == log_rational(0, {Fraction(2, 3): 1})
    assert log_rational(1, {2: 1}) - log_rational(1, {2: 1}) == 0
    assert log_rational(0, {2: 1}) != log_rational(0, {3: 1})
    # A near miss: 2^485 / 3^306 is within 0.2 % of 1, and its logarithm is not 0.
    assert log_rational(0, {2: 485, 3: -306}) != 0


def test_the_sign_of_a_tiny_difference_is_decided():
    # log(1 + 1e-60) - 1e-60 is about -5e-121: negative, by log(1 + t) < t.
    tiny = Fraction(1, 10**60)
    assert bool(log(rational(1 + tiny)) < log_rational(tiny))


def test_the_entropy_of_a_dyadic_model_is_rational_in_bits():
    # H(1/2, 1/4, 1/8, 1/8) = 7/4 log 2.
    p = rational(["1/2", "1/4", "1/8", "1/8"])
    assert -(log_rational(p) * log(p)).sum() == log_rational(0, {2: Fraction(7, 4)})


def test_the_divergence_of_two_models_matches_the_closed_form():
    # KL((1/2, 1/2) | (1/3, 2/3)) = log 3 - 3/2 log 2.
    p, q = rational(["1/2", "1/2"]), rational(["1/3", "2/3"])
    assert (log_rational(p) * log(p / q)).sum() == log_rational(0, {3: 1, 2: Fraction(-3, 2)})


@given(st.fractions(-9, 9, max_denominator=20), st.fractions(-9, 9, max_denominator=20), positive)
def test_the_enclosure_contains_the_float_value(r, q, b):
    enclosure = log_rational(r, {b: q}).ball()
    # Three float operations and a logarithm, each within 2^-52 of at most 9 + 9 log 50 < 45: below 2^-44.
    value = rational(float(r) + float(q) * math.log(b))
    slack = rational(Fraction(1, 2**44))
    assert bool(enclosure.lower() - slack < value)
    assert bool(value < enclosure.upper() + slack)


def test_infinity_absorbs():
    infinite = log_rational(math.inf)
    assert infinite + log(rational(2)) == infinite
    assert infinite * 2 == infinite
    assert bool(log(rational(10**9)) < infinite)
    assert infinite != 0
    assert infinite.ball() == ball(math.inf)


@pytest.mark.parametrize(
    ("operation", "error"),
    [
        (lambda: log(rational(2)) * log(rational(3)), InexactError),
        (lambda: 1 / log(rational(2)), InexactError),
        (lambda: log(log(rational(2))), InexactError),
        (lambda: log(rational(2)) ** 2, InexactError),
        (lambda: log(rational(0)), DomainError),
        (lambda: log(rational(-2)), DomainError),
        (lambda: log_rational(math.inf) * 0, DomainError),
        (lambda: -log_rational(math.inf), DomainError),
        (lambda: log_rational(math.inf) - log_rational(math.inf), DomainError),
        (lambda: log_rational(-math.inf), DomainError),
        (lambda: log_rational(1) / 0, DomainError),
        (lambda: hash(log(rational(2))), TypeError),
        (lambda: log_rational(ball(1)), TypeError),
    ],
)
def test_what_is_not_log_rational_is_refused(operation, error):
    with pytest.raises(error):
        operation()


def test_the_logarithm_of_rationals_is_log_rational():
    assert isinstance(log(rational([1, 2])), LogRational)
    assert log(rational(1)) == 0


@given(st.lists(st.integers(1, 10**6), max_size=6))
def test_a_coprime_base_is_coprime_and_divides_everything_out(numbers):
    base = coprime_base(numbers)
    assert all(math.gcd(a, b) == 1 for i, a in enumerate(base) for b in base[:i])
    for n in numbers:
        assert math.prod(b**e for b, e in exponents(n, base).items()) == n


def test_a_base_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="does not divide out"):
        exponents(10, [2])
