"""Running error bounds on float64 intervals: the bounds of the textbook, hardly wider."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from lenticulum.numbers import BINARY32, BINARY64, available, fraction, magnitude, working_precision
from lenticulum.numbers.formats import BFLOAT16, BINARY16, FLOAT8_E4M3FN, FLOAT8_E5M2
from lenticulum.numbers.magnitude import CONSTANTS
from lenticulum.numbers.magnitude64 import magnitude64

pytestmark = pytest.mark.skipif(not available(), reason="crival is not installed")

FORMATS = [BINARY64, BINARY32, BINARY16, BFLOAT16, FLOAT8_E5M2, FLOAT8_E4M3FN]
FORMATS += [replace(each, rounded_once=True) for each in FORMATS]
in_each_format = pytest.mark.parametrize(
    "format", FORMATS, ids=lambda f: f.name + (", rounded once" if f.rounded_once else "")
)

# Of both signs and three bits: numbers of every format.
X = np.array([0.25, -0.5, 0.75, 1.0, -1.25, 1.5, 1.75, -2.0, 0.375, -0.875, 0.625, 0.25])
Y = X[::-1].copy()
EXACT = [Fraction(x) for x in X.tolist()], [Fraction(y) for y in Y.tolist()]

#: Roundings of float64 outwards, on the way to the end of a bound.
OUTWARDS = 40


def assert_around(found, value, radius, format, size=None):
    """Assert that a bound holds value ± radius, and more only by roundings of float64 and what may be flushed.

    `size`: of all that is added up on the way.
    """
    lo, hi = Fraction(float(found.lo)), Fraction(float(found.hi))
    assert lo <= value - radius
    assert value + radius <= hi
    flushed = format.smallest_normal if abs(value) - radius < format.smallest_normal else 0
    assert hi - lo <= 2 * (radius + flushed) + ((size or abs(value)) + radius) * Fraction(OUTWARDS, 2**52)


@in_each_format
@pytest.mark.parametrize(
    "operation",
    [lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x / y],
    ids=["add", "subtract", "multiply", "divide"],
)
def test_one_operation_is_rounded_once(operation, format):
    found = operation(magnitude64(X, format), magnitude64(Y, format)).range
    for place, value in enumerate(map(operation, *EXACT)):
        assert_around(found[place], value, abs(value) * format.unit_roundoff, format)


@in_each_format
def test_a_sum_of_n_terms_is_rounded_at_each_addition_or_once(format):
    count, u = 7, format.unit_roundoff
    found = magnitude64(X[:count], format).sum().range
    value, sizes = sum(EXACT[0][:count]), sum(map(abs, EXACT[0][:count]))
    gamma = (count - 1) * u / (1 - (count - 1) * u)
    flushed = (count - 1) * format.smallest_normal * (1 + gamma)
    assert_around(found, value, abs(value) * u if format.rounded_once else gamma * sizes + flushed, format)


@in_each_format
def test_a_product_of_matrices_is_rounded_at_each_product_or_once(format):
    inner, u = 2, format.unit_roundoff
    found = (magnitude64(X, format).reshape(6, inner) @ magnitude64(Y, format).reshape(inner, 6)).range
    gamma = inner * u / (1 - inner * u)
    for row in range(6):
        for column in range(6):
            terms = [EXACT[0][inner * row + k] * EXACT[1][6 * k + column] for k in range(inner)]
            value, flushed = sum(terms), 2 * inner * format.smallest_normal * (1 + gamma)
            size = sum(map(abs, terms))
            radius = abs(value) * u if format.rounded_once else gamma * size + flushed
            assert_around(found[row, column], value, radius, format, size)


@in_each_format
@pytest.mark.parametrize("name", ["exp", "tanh", "erf"])
def test_functions_have_the_constant_of_the_primitive(name, format):
    found = getattr(magnitude64(X, format), name)().range
    # A ball has thirty bits of its radius, so that these are not the narrower ones.
    with working_precision(200):
        balls = getattr(magnitude(X, format), name)()
        ends = [fraction(each) for side in (balls.lower(), balls.upper()) for each in side.elements]
    exact = [(least + most) / 2 for least, most in zip(ends[: X.size], ends[X.size :], strict=True)]
    units = 1 if format.rounded_once else CONSTANTS[name]
    for place, value in enumerate(exact):
        radius = abs(value) * units * format.unit_roundoff * (1 - Fraction(1, 2**28))
        assert Fraction(float(found.lo[place])) <= value - radius
        assert value + radius <= Fraction(float(found.hi[place]))


def test_zeros_stay_points_and_the_unbounded_stays_so():
    zero = magnitude64(np.zeros(3))
    for each in (zero * 5, zero + zero, zero.reshape(3, 1).sum(axis=1), zero / 3):
        assert each.range.lo.tolist() == each.range.hi.tolist() == [0, 0, 0]
    assert not magnitude64(np.array([3e38])).exp().bounded().any()
    assert (magnitude64(np.array(2.0)) * 3 - 5).bounded().all()


@pytest.mark.parametrize("count", [2, 1000])
def test_a_sum_that_is_rounded_once_does_not_grow_with_its_terms(count):
    u = Fraction(1, 2**24)
    once = magnitude64(np.ones(count), replace(BINARY32, rounded_once=True)).sum().range
    often = magnitude64(np.ones(count)).sum().range
    gamma = (count - 1) * u / (1 - (count - 1) * u)
    for found, relative in ((once, u), (often, gamma)):
        radius = Fraction(float(found.hi)) - count
        assert relative * count <= radius <= relative * count * (1 + Fraction(1, 2**20))
