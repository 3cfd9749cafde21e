"""Polynomial arrays: normal forms, formal derivatives, evaluation, and what a ring refuses."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum.numbers import DomainError, InexactError, exp, polynomials, rational, stack

x, y, z = polynomials(("x", "y", "z"))


def test_identities_hold_by_normal_form():
    assert (x + y) ** 3 == x**3 + 3 * x**2 * y + 3 * x * y**2 + y**3
    assert (x + y) ** 3 != x**3 + y**3
    assert (x + y) / 2 == Fraction(1, 2) * x + y * Fraction(1, 2)


def test_the_freshmans_dream_holds_modulo_three_only():
    for modulus in (2, 3, 5):
        a, b = polynomials(("a", "b"), modulus)
        assert ((a + b) ** 3 == a**3 + b**3) is (modulus == 3)


def test_fermats_little_theorem_is_not_an_equality_of_polynomials():
    (a,) = polynomials(("a",), 3)
    assert a**3 != a
    assert all((a**3 - a).evaluate({"a": n}) == 0 for n in range(3))


def test_derivatives_are_formal():
    (a,) = polynomials(("a",), 3)
    assert (a**3).derivative("a") == 0
    assert (x**2 * y + z).derivative("x") == 2 * x * y


@given(st.lists(st.integers(-3, 3), min_size=3, max_size=3))
def test_evaluation_is_a_homomorphism(values):
    point = dict(zip("xyz", values, strict=True))
    matrix = stack([x + y, y * z, z - 1, x**2]).reshape(2, 2)
    assert (matrix @ matrix).evaluate(point) == matrix.evaluate(point) @ matrix.evaluate(point)
    assert matrix.sum(axis=0).evaluate(point) == matrix.evaluate(point).sum(axis=0)


def test_the_determinant_is_multiplicative_at_the_variables():
    a = stack(polynomials(tuple("abcdefgh")))
    first, second = a[:4].reshape(2, 2), a[4:].reshape(2, 2)

    def determinant(m):
        return m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]

    assert determinant(first @ second) == determinant(first) * determinant(second)
    assert determinant(first @ second.T) == determinant(first @ second)
    assert first @ second != second @ first


def test_constants_lift_into_the_ring():
    (a,) = polynomials(("a",), 5)
    assert a.lift(Fraction(1, 2)) == 3
    assert a.lift(7, (2,)).evaluate({"a": 0}) == rational(np.array([2, 2]))
    assert a / 3 == 2 * a


@pytest.mark.parametrize(
    ("operation", "error", "message"),
    [
        (lambda: x / y, InexactError, "not a polynomial"),
        (lambda: x / 0, DomainError, "zero polynomial"),
        (lambda: x**-1, InexactError, "not a polynomial"),
        (lambda: x < y, TypeError, "no order"),
        (lambda: exp(x), InexactError, "use `ball`"),
        (lambda: x + polynomials(("x",))[0], TypeError, "expected one ring"),
        (lambda: x + polynomials(("x", "y", "z"), 2)[0], TypeError, "expected one ring"),
        (lambda: polynomials(("a",), 3)[0].lift(Fraction(1, 6)), DomainError, "divisible by 3"),
        (lambda: polynomials(("a",), 4), ValueError, "prime"),
        (lambda: x.evaluate({"x": 1}), ValueError, "one for each"),
    ],
)
def test_a_ring_refuses_what_it_does_not_have(operation, error, message):
    with pytest.raises(error, match=message):
        operation()
