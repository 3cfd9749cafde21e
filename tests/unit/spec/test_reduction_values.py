"""Reductions, products and normalisations at published and closed-form values, out of their domains, in intervals."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from lenticulum import terms
from lenticulum.check.cases import cases
from lenticulum.check.definition import parse
from lenticulum.check.draw import SeededDraw
from lenticulum.numbers import DomainError, ball, interval64, rational, working_precision
from lenticulum.spec.elementwise import evaluation_of


def value(term, *arrays):
    return evaluation_of(term)(*(rational(array) for array in arrays))


@pytest.mark.parametrize(("centre", "mean"), [("1.2", "1.2"), ("1000000.2", "1000000.2"), ("10000000.2", "10000000.2")])
def test_the_certified_values_of_nist(centre, mean):
    # NumAcc2, NumAcc3 and NumAcc4 of the Statistical Reference Datasets, https://www.itl.nist.gov/div898/strd/:
    # 1001 observations with the mean and the standard deviation 1/10 exactly.
    c = Fraction(centre)
    x = [c] + [c - Fraction(1, 10), c + Fraction(1, 10)] * 500
    assert value(terms.Mean(), x).item() == Fraction(mean)
    assert value(terms.Variance(estimate="sample"), x).item() == Fraction(1, 100)
    assert value(terms.Variance(), x).item() == Fraction(1000, 1001) * Fraction(1, 100)


def test_numacc1_of_nist():
    x = [10000001, 10000003, 10000002]
    assert value(terms.Mean(), x).item() == 10000002
    assert value(terms.Variance(estimate="sample"), x).item() == 1


def test_sums_in_closed_form():
    assert value(terms.Sum(), list(range(101))).item() == 5050
    assert value(terms.CumulativeSum(), [1] * 5).tolist() == [1, 2, 3, 4, 5]
    assert value(terms.CumulativeSum(0), [1, 3, 5, 7]).tolist() == [1, 4, 9, 16]
    assert value(terms.Product(), [1, 2, 3, 4, 5]).item() == 120


@pytest.mark.parametrize("vector", [[3, 4, 5], [2, 3, 6, 7], [1, 4, 8, 9], [-2, 5, 14, 15], [0, 0]])
def test_vectors_of_whole_length(vector):
    *x, length = vector
    assert value(terms.Norm(), x).item() == length
    assert value(terms.Norm("1"), x).item() == sum(map(abs, x))
    assert value(terms.Norm("infinity"), x).item() == max(map(abs, x))


def test_a_hilbert_matrix_times_its_inverse():
    # The inverse in closed form: Choi 1983, Tricks or treats with the Hilbert matrix, Amer. Math. Monthly 90.
    n = 4
    hilbert = [[Fraction(1, i + j + 1) for j in range(n)] for i in range(n)]
    inverse = [
        [
            (-1) ** (i + j) * (i + j + 1) * comb(n + i, n - j - 1) * comb(n + j, n - i - 1) * comb(i + j, i) ** 2
            for j in range(n)
        ]
        for i in range(n)
    ]
    identity = np.eye(n, dtype=int).tolist()
    assert value(terms.Matmul(), hilbert, inverse).tolist() == identity
    assert value(terms.Einsum("ij,jk->ki"), hilbert, inverse).tolist() == identity
    assert value(terms.Einsum("ij,ji->"), hilbert, inverse).item() == n
    assert value(terms.Dot(), hilbert[0], [row[0] for row in inverse]).item() == 1


def test_normalisations_at_whole_roots():
    # mean(x²) + 7/2 = 16; var + 3 = 4 in each group; 9 + 16 + 144 = 13².
    assert value(terms.RmsNorm(epsilon="7/2"), [3, -4]).tolist() == [Fraction(3, 4), -1]
    assert value(terms.RmsNorm(epsilon="7/2"), [3, -4], [4, 2], [1, 1]).tolist() == [4, -1]
    half = Fraction(1, 2)
    assert value(terms.GroupNorm(2, epsilon=3), [[1, 3, 7, 5]]).tolist() == [[-half, half, half, -half]]
    assert value(terms.InstanceNorm(epsilon=3), [[[1, 3], [5, 7]]], [2, 4], [0, 7]).tolist() == [[[-1, 1], [5, 9]]]
    for choice, divisor in {"maximum": 144, "inside": 13, "outside": 149, "maximum_square": 12}.items():
        term = terms.L2Normalize(epsilon=144, epsilon_at=choice)
        assert value(term, [3, 4]).tolist() == [Fraction(3, divisor), Fraction(4, divisor)]


@pytest.mark.parametrize(
    ("term", "shapes", "error"),
    [
        (terms.Mean(0), [(0, 2)], DomainError),
        (terms.Variance(0, estimate="sample"), [(1, 2)], DomainError),
        (terms.Norm("infinity"), [(0,)], DomainError),
        (terms.Sum(2), [(3, 2)], ValueError),
        (terms.Dot(), [(1,), (3,)], ValueError),
        (terms.Dot(), [(2, 3), (3,)], ValueError),
        (terms.Matmul(), [(2, 3), (2, 3)], ValueError),
        (terms.Matmul(), [(), (3,)], ValueError),
        (terms.Einsum("i,i->i"), [(1,), (3,)], ValueError),
        (terms.Einsum("ij->j"), [(3,)], ValueError),
        (terms.Einsum("i,j->"), [(3,)], ValueError),
        (terms.RmsNorm(2), [(3,)], ValueError),
        (terms.RmsNorm(), [(2, 3), (2,)], ValueError),
        (terms.GroupNorm(2), [(2, 3)], ValueError),
        (terms.GroupNorm(2), [(2, 4, 3), (3,)], ValueError),
        (terms.InstanceNorm(), [(2, 4)], ValueError),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused(term, shapes, error):
    with pytest.raises(error):
        evaluation_of(term)(*(ball(np.ones(shape)) for shape in shapes))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (terms.Sum, {"axis": ()}),
        (terms.Sum, {"axis": (0, 0)}),
        (terms.Mean, {"axis": 1.5}),
        (terms.Mean, {"keepdims": "yes"}),
        (terms.CumulativeSum, {"axis": (0, 1)}),
        (terms.Variance, {"estimate": "n"}),
        (terms.Norm, {"order": "3"}),
        (terms.RmsNorm, {"epsilon": 0}),
        (terms.GroupNorm, {"groups": 0}),
        (terms.L2Normalize, {"epsilon_at": "floor"}),
        *((terms.Einsum, {"equation": each}) for each in ("ij", "ij,jk", "ij, jk->ik", "...i->i", "i->j", "i->ii")),
        (terms.Einsum, {"equation": "a,b,c,d->"}),
    ],
    ids=str,
)
def test_a_field_that_means_nothing_is_refused(kind, fields):
    with pytest.raises((TypeError, ValueError)):
        kind(**fields)


@pytest.mark.parametrize(
    "spec",
    [
        *("sum:axis=0", "mean", "product:axis=-1", "variance:axis=0", "cumsum", "norm:axis=0", "dot", "matmul"),
        *('einsum:equation="iij,jk->ki"', "rms_norm", "group_norm", "instance_norm", "l2_normalize"),
    ],
)
def test_intervals_enclose_what_balls_do(spec):
    definition = parse(spec)
    term = definition.term({}, {})
    case = cases(definition, SeededDraw(91), {}, (), {}, np.float32)[0]
    given = [case.arrays.get(role) for role in definition.entry.arrays]
    evaluate = evaluation_of(term)
    with working_precision(256):
        tight, wide = (
            evaluate(*(None if each is None else lift(each.astype(np.float64)) for each in given))
            for lift in (ball, interval64)
        )
        assert wide.bounded().all()
        # A point is the value itself, which the ball holds to so many bits.
        assert bool((ball(wide.lo) - Fraction(1, 2**200) < tight).all())
        assert bool((tight < ball(wide.hi) + Fraction(1, 2**200)).all())
    assert float(np.max((wide.hi - wide.lo) / (1 + abs(wide.hi)))) < 1e-9
