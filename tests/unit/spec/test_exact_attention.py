"""Attention, embedding and positions: values by hand, the two derivatives, conventions, and what is refused."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from lenticulum.numbers import (
    DomainError,
    InexactError,
    ball,
    interval64,
    jvp,
    magnitude,
    rational,
    vjp,
    working_precision,
)
from lenticulum.spec.elementwise import evaluation_of
from lenticulum.spec.operations.attention import attention_by_steps
from lenticulum.terms import Attention, Embedding, RotaryPositions, SinusoidalPositions

MASK = np.array([[True, True, False, True], [False, True, True, True], [False, False, False, False]])
TERMS = [
    Attention(),
    Attention(scale=Fraction(3, 2), causal="start", blocked="uniform"),
    Attention(causal="end"),
]


def arrays(seed):
    random = np.random.default_rng(seed)
    shapes = ((2, 3, 3), (2, 4, 3), (2, 4, 2), (2, 3, 4))
    return tuple(random.integers(-9, 10, shape) / 8 for shape in shapes)


def floats(evaluate):
    """The numbers of binary64 that are nearest to an enclosure at 200 bits."""
    with working_precision(200):
        y = evaluate()
        return np.array([float(each) for each in y.midpoint().reshape((-1,)).tolist()]).reshape(y.shape)


def by_mpmath(term, query, key, value, bias, mask):
    """One query of one head at a time, with 60 digits."""
    y = np.zeros((*query.shape[:-1], value.shape[-1]))
    with mpmath.workdps(60):
        scale = (
            1 / mpmath.sqrt(query.shape[-1])
            if term.scale is None
            else mpmath.mpf(term.scale.numerator) / (term.scale.denominator)
        )
        for h, i in np.ndindex(query.shape[:2]):
            offset = {"none": 99, "start": 0, "end": key.shape[1] - query.shape[1]}[term.causal]
            keys = [j for j in range(key.shape[1]) if mask[i, j] and j <= i + offset]
            powers = {j: mpmath.exp(scale * mpmath.fdot(query[h, i], key[h, j]) + bias[h, i, j]) for j in keys}
            for n in range(value.shape[-1]):
                if keys:
                    total = mpmath.fsum(powers[j] * value[h, j, n] for j in keys)
                    y[h, i, n] = total / mpmath.fsum(powers.values())
                elif term.blocked == "uniform":
                    y[h, i, n] = value[h, :, n].mean()
    return y


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_the_value_is_that_of_mpmath(term):
    point = arrays(1)
    got = floats(lambda: evaluation_of(term)(*map(ball, point), MASK))
    assert got.tolist() == by_mpmath(term, *point, MASK).tolist()


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_enclosures_and_running_bounds_overlap(term):
    point = arrays(2)
    exact = evaluation_of(term)(*map(ball, point), MASK)
    intervals = evaluation_of(term)(*map(interval64, point), MASK)
    assert intervals.bounded().all()
    assert (rational(intervals.lo.tolist()) <= exact.upper()).all()
    assert (exact.lower() <= rational(intervals.hi.tolist())).all()
    fields = {"scale": term.scale, "heads": term.heads, "causal": term.causal, "blocked": term.blocked}
    for scaled in ("scores", "query", "both"):
        for divided in ("weights", "result"):
            order = {"scaled": scaled, "divided": divided}
            bound = attention_by_steps(*map(magnitude, point), MASK, **order, **fields)
            assert (bound.lower() <= exact.lower()).all()
            assert (exact.upper() <= bound.upper()).all()


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_both_derivatives_are_transposes_of_each_other(term):
    point, directions = tuple(map(ball, arrays(3))), tuple(map(ball, arrays(4)))

    def function(*traced):
        return evaluation_of(term)(*traced, MASK)

    value, forward = jvp(function, point, directions)
    _, pull = vjp(function, *point)
    cotangent = ball(np.random.default_rng(5).integers(-9, 10, value.shape))
    backward = sum(((t * g).sum() for t, g in zip(directions, pull(cotangent), strict=True)), ball(0))
    assert ((forward * cotangent).sum() - backward).contains(rational(0))


def test_equal_scores_give_the_mean_of_what_is_allowed():
    query, key, value = rational([[0]]), rational([[5], [7], [9]]), rational([[3], [6], [12]])
    mask = np.array([[True, False, True]])
    y = evaluation_of(Attention(scale=1))(ball(query), ball(key), ball(value), None, mask)
    assert y.contains(rational([["15/2"]]))


def test_a_gap_of_1000_does_not_open_a_hard_mask():
    # An additive penalty of -1000 would give [1/2, 1/2].
    query, key, value = ball([[1]]), ball([[0], [1000]]), ball([[1], [0]])
    y = evaluation_of(Attention(scale=1))(query, key, value, None, np.array([[True, False]]))
    assert y.contains(rational([[1]]))


def test_shared_heads_are_consecutive():
    query, key, value = (ball(np.zeros(shape)) for shape in ((4, 1, 2), (2, 1, 2), (2, 1, 1)))
    value = ball([[[1]], [[2]]])
    y = evaluation_of(Attention())(query, key, value)
    assert y.contains(rational([[[1]], [[1]], [[2]], [[2]]]))


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((2, 3), (4, 5), (4, 1)), "as wide as queries"),
        (((2, 3), (4, 3), (5, 1)), "as many"),
        (((3, 2, 3), (2, 4, 3), (2, 4, 1)), "multiple"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(shapes, message):
    with pytest.raises(ValueError, match=message):
        evaluation_of(Attention())(*(ball(np.zeros(shape)) for shape in shapes))


def test_conventions_that_do_not_exist_are_refused():
    for fields in ({"heads": "middle"}, {"causal": "left"}, {"blocked": "ignore"}):
        with pytest.raises(ValueError, match="expected one of"):
            Attention(**fields)


def test_ids_are_rows():
    weight = rational([[1, 2], [3, 4], [5, 6]])
    assert evaluation_of(Embedding())(np.array([[2, 0]]), weight).tolist() == [[[5, 6], [1, 2]]]
    with pytest.raises(DomainError, match="id 3 for a weight of 3 rows"):
        evaluation_of(Embedding())(np.array([0, 3]), weight)


def test_rotary_positions_turn_the_first_pair_by_the_position():
    got = floats(lambda: evaluation_of(RotaryPositions(layout="half"))(ball([[1, 0], [1, 0]])))
    with mpmath.workdps(60):
        assert got.tolist() == [[1.0, 0.0], [float(mpmath.cos(1)), float(mpmath.sin(1))]]


def test_sinusoidal_positions_of_the_paper():
    got = floats(lambda: evaluation_of(SinusoidalPositions(4))(ball([2])))
    with mpmath.workdps(60):
        small = mpmath.mpf(2) / 100
        expected = [mpmath.sin(2), mpmath.cos(2), mpmath.sin(small), mpmath.cos(small)]
    assert got.tolist() == [[float(each) for each in expected]]


def test_angles_of_rationals_have_no_rational_value():
    with pytest.raises(InexactError):
        evaluation_of(RotaryPositions())(rational([[1, 0], [1, 0]]))


def test_an_odd_width_keeps_its_last_coordinate():
    for layout in ("interleaved", "half"):
        y = evaluation_of(RotaryPositions(layout=layout))(ball([[1, 2, 3], [4, 5, 6]]))
        assert y[:, 2] == ball([3, 6])


def test_positions_derivatives_are_transposes_of_each_other():
    for term in (RotaryPositions(10, "half"), SinusoidalPositions(5, 10)):
        x, t = ball([[1, 2, 3], [4, 5, 7]]), ball([[3, 1, 2], [1, 0, 5]])
        value, forward = jvp(evaluation_of(term), (x,), (t,))
        _, pull = vjp(evaluation_of(term), x)
        c = ball(np.random.default_rng(6).integers(-9, 10, value.shape))
        assert ((forward * c).sum() - (t * pull(c)[0]).sum()).contains(rational(0))
