"""Rational arrays against hand arithmetic, NumPy's integer semantics and Python's Fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum.numbers import (
    DomainError,
    InexactError,
    ball,
    concatenate,
    exp,
    fraction,
    maximum,
    minimum,
    rational,
    sqrt,
    stack,
    total,
    where,
)

fractions = st.fractions(min_value=-20, max_value=20, max_denominator=30)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("0.1", Fraction(1, 10)),
        ("-1/3", Fraction(-1, 3)),
        (0.5, Fraction(1, 2)),
        (0.1, Fraction(3602879701896397, 2**55)),
        (np.float32(0.1), Fraction(13421773, 2**27)),
        (np.float16(2**-24), Fraction(1, 2**24)),
        (np.int8(-7), Fraction(-7)),
        (np.uint64(2**64 - 1), Fraction(2**64 - 1)),
    ],
)
def test_a_literal_means_its_exact_value(data, expected):
    assert rational(data).item() == expected


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (float("nan"), DomainError),
        (float("inf"), DomainError),
        ("0.1.2", ValueError),
        ([[1], [1, 2]], ValueError),
        (True, TypeError),
        (np.array([True]), TypeError),
        (np.array([1j]), TypeError),
        (None, TypeError),
        (ball(1), TypeError),
    ],
)
def test_what_is_not_a_rational_is_refused(data, error):
    with pytest.raises(error):
        rational(data)


@given(fractions, fractions)
def test_operators_agree_with_python_fractions(a, b):
    x, y = rational(a), rational(b)
    assert (x + y).item() == a + b
    assert (x - y).item() == a - b
    assert (x * b).item() == a * b
    assert (a - y).item() == a - b
    assert bool(x < y) is (a < b)
    assert bool(x <= y) is (a <= b)
    assert bool(x > y) is (a > b)
    assert bool(x >= y) is (a >= b)
    assert (x == y) is (a == b)
    assert (x != y) is (a != b)
    assert maximum(x, y).item() == max(a, b)
    assert minimum(x, y).item() == min(a, b)
    if b:
        assert (x / y).item() == a / b
        assert (a / y).item() == a / b
        assert (y**-3).item() == b**-3


integers = np.arange(24).reshape(2, 3, 4)


@pytest.mark.parametrize(
    "key", [0, (1, 2), (slice(None), 1), (..., -1), (None, 0), (slice(None, None, -1), slice(1, 3)), (1, 2, 3)]
)
def test_indexing_is_numpys(key):
    assert rational(integers)[key] == rational(np.asarray(integers[key]))


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), (2, 0), ()])
@pytest.mark.parametrize("keepdims", [False, True])
def test_sums_and_means_are_those_of_integers(axis, keepdims):
    x = rational(integers)
    sums = np.asarray(integers.sum(axis=axis, keepdims=keepdims))
    assert x.sum(axis, keepdims) == rational(sums)
    assert x.mean(axis, keepdims) * (24 // sums.size) == rational(sums)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3,), (3,)),
        ((3,), (3, 2)),
        ((2, 3), (3,)),
        ((4, 3), (3, 2)),
        ((2, 4, 3), (3, 5)),
        ((2, 0), (0, 3)),
    ],
)
def test_matmul_is_numpys_on_integers(left, right):
    a = np.arange(np.prod(left, dtype=int)).reshape(left) - 3
    b = 2 * np.arange(np.prod(right, dtype=int)).reshape(right) + 1
    assert rational(a) @ rational(b) == rational(np.asarray(a @ b))


def test_movement_is_numpys():
    x = rational(integers)
    assert x.T == rational(integers.T)
    assert x.transpose((1, 0, 2)) == rational(integers.transpose(1, 0, 2))
    assert x.reshape(4, -1) == rational(integers.reshape(4, -1))
    assert x.reshape((6, 4)) == rational(integers.reshape(6, 4))
    assert concatenate([x, x], axis=1) == rational(np.concatenate([integers, integers], axis=1))
    assert stack([x, x], axis=-1) == rational(np.stack([integers, integers], axis=-1))
    assert where(integers % 2 == 0, x, 0) == rational(np.where(integers % 2 == 0, integers, 0))
    assert total([x, x, x]) == 3 * x
    assert list(x[0, 0]) == [rational(n) for n in range(4)]
    assert len(x) == 2
    assert x[1, 0, 0].shape == ()


def test_the_decimal_example_where_floats_fail_is_exact():
    assert rational("0.1") + rational("0.2") - rational("0.3") == 0
    # The same in binary64 leaves 2^-54: (0.1 + 0.2) rounds up by one unit in the last place of 0.3.
    assert 0.1 + 0.2 - 0.3 == 2.0**-54


def test_tolist_gives_nested_fractions():
    assert rational([["1/2", 1]]).tolist() == [[Fraction(1, 2), Fraction(1)]]
    assert fraction(rational("2/6").elements[0]) == Fraction(1, 3)


def test_square_roots_are_exact_or_refused():
    assert sqrt(rational(["4/9", 0, 25])) == rational(["2/3", 0, 5])
    with pytest.raises(InexactError, match="irrational"):
        sqrt(rational(2))
    with pytest.raises(DomainError, match="negative"):
        sqrt(rational(-1))


def test_a_transcendental_is_refused_with_advice():
    with pytest.raises(InexactError, match="use `ball`"):
        exp(rational(0))


@pytest.mark.parametrize(
    ("operation", "error", "message"),
    [
        (lambda x: x + 0.5, TypeError, r"got float .* Fraction\(0.5\)"),
        (lambda x: x * True, TypeError, "got bool"),
        (lambda x: x - ball(1), TypeError, "one number system"),
        (lambda x: x == 0.5, TypeError, "got float"),
        (lambda x: np.ones(2) * x, TypeError, "got ndarray"),
        (lambda x: x**0.5, TypeError, "expected an int"),
        (lambda x: x / 0, DomainError, "exact zero"),
        (lambda x: x**-1, DomainError, "exact zero"),
        (lambda x: x + rational([1, 2, 3]), ValueError, "do not broadcast"),
        (lambda x: x @ rational([1, 2, 3]), ValueError, "expected"),
        (lambda x: x @ 2, TypeError, r"use \*"),
        (lambda x: x.sum(axis=2), ValueError, "expected axes"),
        (lambda x: x.sum(axis=(0, 0)), ValueError, "twice"),
        (lambda x: x[:0].mean(), DomainError, "no elements"),
        (lambda x: bool(x), TypeError, "truth value"),
        (lambda x: hash(x), TypeError, "unhashable"),
        (lambda x: x.item(), ValueError, "exactly one"),
        (lambda x: where(np.array([1, 0]), x, x), TypeError, "bool"),
    ],
)
def test_a_bad_call_says_what_to_do(operation, error, message):
    with pytest.raises(error, match=message):
        operation(rational([0, 1]))


def test_arrays_of_different_shape_or_kind_are_unequal():
    assert rational([1, 1]) != rational([[1, 1]])
    assert (rational(1) == "1") is False
