"""The exact side of a call against other formulations: rational sums, mpmath, closed Jacobians, simulated rounding."""

from fractions import Fraction

import ml_dtypes
import mpmath
import numpy as np
import pytest

from lenticulum.certify.arrays.exact import ExactCall
from lenticulum.check.definition import parse
from lenticulum.numbers.formats import FORMATS

FORMAT = FORMATS["float32"]


def called(spec, dtype="float32", **arrays):
    definition = parse(spec)
    term = definition.term({role: array.shape for role, array in arrays.items()}, {})
    return ExactCall(definition, term, arrays, FORMATS[dtype])


def normal(seed, *shape, mean=0.0):
    return (np.random.default_rng(seed).normal(size=shape) + mean).astype(np.float32)


def encloses(call, exact):
    """Whether every enclosure holds the exact number (Fraction or mpf), and is narrow."""
    found = call.enclosures
    for low, high, value in zip(found.lo, found.hi, exact, strict=True):
        assert low <= value <= high
        assert high - low <= 2.0**-6 * float(np.spacing(np.float32(abs(low) or 1e-30)))


@pytest.mark.parametrize("mean", [0.0, 10.0, 1000.0])
def test_the_variance_of_rationals_is_enclosed(mean):
    x = normal(1, 4, 9, mean=mean)
    rows = [[Fraction(float(each)) for each in row] for row in x]
    # n^2 var = sum over pairs (x_i - x_j)^2, not the two-pass formula of the definition.
    exact = [sum((a - b) ** 2 for i, a in enumerate(row) for b in row[:i]) / 81 for row in rows]
    encloses(called("variance:axis=-1", x=x), exact)


@pytest.mark.parametrize("mean", [0.0, 1000.0])
def test_softmax_by_mpmath_is_enclosed(mean):
    x = normal(2, 3, 7, mean=mean)
    with mpmath.workprec(200):
        powers = [[mpmath.exp(mpmath.mpf(float(each))) for each in row] for row in x]
        exact = [power / sum(row) for row in powers for power in row]
        encloses(called("softmax", x=x), exact)


def test_a_product_that_cancels_is_enclosed_narrowly():
    x, y = np.array([[2.0**24, 1.0, -(2.0**24)]], np.float32), np.ones((3, 1), np.float32)
    encloses(called("matmul", x=x, y=y), [Fraction(1)])


def test_the_scale_of_a_product_is_that_of_the_absolute_values():
    x, y = normal(3, 2, 5), normal(4, 5, 3)
    exact = [
        sum(abs(Fraction(float(a)) * Fraction(float(b))) for a, b in zip(row, column, strict=True))
        for row in x
        for column in y.T
    ]
    low, high = called("matmul", x=x, y=y).scale
    assert all(a <= each <= b and b - a <= 1e-14 for a, each, b in zip(low, exact, high, strict=True))


def test_the_condition_of_softmax_is_that_of_its_jacobian():
    x = normal(5, 1, 6)
    call = called("softmax", x=x)
    with mpmath.workprec(200):
        powers = [mpmath.exp(mpmath.mpf(float(each))) for each in x[0]]
        s = [power / sum(powers) for power in powers]
        for i in range(6):
            exact = sum(abs(float(x[0][j]) * s[i] * ((i == j) - s[j])) for j in range(6))
            low, high = call.condition(i)
            assert low <= exact <= high
            assert high - low <= exact * 1e-9
            assert call.row_conditions(i)[0] <= exact


def test_a_row_shares_no_slopes_with_another():
    x = normal(6, 5, 4)
    together, alone = called("softmax", x=x), [called("softmax", x=row[None]) for row in x]
    for column in range(4):
        exact = [each.condition(column)[0] for each in alone]
        assert np.allclose(together.row_conditions(column), exact, rtol=1e-9, atol=0)


def test_what_every_operation_rounded_gives_lies_inside_the_running_bound():
    x = normal(7, 6, 33, mean=100.0)
    mean = x.sum(axis=1, dtype=np.float32) / np.float32(33)
    deviation = x - mean[:, None]
    y = (deviation * deviation).sum(axis=1, dtype=np.float32) / np.float32(33)
    call = called("variance:axis=-1", x=x)
    bound = call.bound(0, FORMAT)
    assert bound.inside(y.astype(np.float64), call.enclosures).all()
    assert (bound.share(y.astype(np.float64), call.enclosures) <= 1).all()


def test_the_one_pass_variance_lies_outside_the_running_bound():
    x = normal(8, 6, 33, mean=1000.0)
    y = (x * x).mean(axis=1) - x.mean(axis=1) ** 2
    call = called("variance:axis=-1", x=x)
    assert not call.bound(0, FORMAT).inside(y.astype(np.float64), call.enclosures).any()


def bfloat16(array):
    return array.astype(ml_dtypes.bfloat16)


def test_sums_in_binary32_have_a_bound_in_bfloat16_that_sums_in_bfloat16_break():
    """Of 512 ones a sum in bfloat16 stalls at 256, since 256 + 1 is a tie that goes to 256; in binary32 it is 512."""
    x = bfloat16(np.ones((1, 512), np.float32))
    call = called("mean:axis=-1", dtype="bfloat16", x=x)
    wide, narrow = call.bound(0, FORMATS["float32"]), call.bound(0, FORMATS["bfloat16"])
    total = bfloat16(np.zeros(1, np.float32))
    for column in x.T:
        total = bfloat16(total.astype(np.float32) + column.astype(np.float32))
    assert float(total[0]) == 256
    stalled = (total.astype(np.float64) / 512).ravel()
    assert not wide.inside(stalled, call.enclosures).any()
    assert wide.inside(np.ones(1), call.enclosures).all()
    # From n u = 1 on the theorem says nothing of an accumulator in bfloat16.
    assert np.isnan(narrow.lo).all()
