"""Convolution and pooling: published values, the two derivatives, every number system, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

from lenticulum.numbers import DomainError, ball, dual, interval64, jvp, magnitude, rational, vjp
from lenticulum.spec.elementwise import evaluation_of
from lenticulum.terms import (
    AdaptiveAveragePool,
    AveragePool,
    Convolution,
    MaxPool,
    TransposedConvolution,
)

PAIRS = ((1, 0), (2, 1))
TERMS = [
    Convolution((2, 1), PAIRS, (1, 2), 2),
    TransposedConvolution((2, 3), ((1, 0), (0, 1)), (1, 2), (1, 2), 2),
    TransposedConvolution((1, 2), 0, 0, (2, 1), 2, "direct"),
    MaxPool((2, 3), (2, 1), ((1, 0), (1, 2))),
    AveragePool((2, 3), (2, 1), ((1, 0), (1, 2))),
    AveragePool((2, 3), (2, 1), ((1, 0), (1, 2)), "inside"),
    AdaptiveAveragePool((2, 3)),
    AdaptiveAveragePool((2, 3), "split"),
]


def arrays(term, seed):
    random = np.random.default_rng(seed)
    x = random.integers(-9, 10, (2, 4, 3, 5)) / 8
    if isinstance(term, Convolution | TransposedConvolution):
        channels = (6, 2) if getattr(term, "kernel", "direct") == "direct" else (4, 3)
        return x, random.integers(-9, 10, (*channels, 2, 3)) / 4, random.integers(-9, 10, (6,)) / 2
    return (x,)


# The worked example of Dumoulin and Visin 2016, arXiv:1603.07285, figure 1.1.
FIGURE = [[3, 3, 2, 1, 0], [0, 0, 1, 3, 1], [3, 1, 2, 2, 3], [2, 0, 0, 2, 2], [2, 0, 0, 0, 1]]
KERNEL = [[0, 1, 2], [2, 2, 0], [0, 1, 2]]


def test_the_convolution_of_the_published_figure():
    x, weight = rational([FIGURE]), rational([[KERNEL]])
    assert evaluation_of(Convolution(stride=1))(x, weight).tolist() == [[[12, 12, 17], [10, 17, 19], [9, 6, 14]]]
    strided = evaluation_of(Convolution(stride=2, padding=1))(x, weight)
    assert strided.tolist() == [[[6, 17, 3], [8, 17, 13], [6, 4, 4]]]


def test_the_pooling_of_the_published_figure():
    # The same source, figures 1.5 and 1.6: windows of 3 × 3 with stride 1.
    x = rational(FIGURE)
    assert evaluation_of(MaxPool((3, 3)))(x).tolist() == [[3, 3, 3], [3, 3, 3], [3, 2, 3]]
    means = evaluation_of(AveragePool((3, 3)))(x).tolist()
    printed = [["1.7", "1.7", "1.7"], ["1.0", "1.2", "1.8"], ["1.1", "0.8", "1.3"]]
    assert [[f"{float(mean):.1f}" for mean in row] for row in means] == printed


def test_a_product_of_polynomials_is_a_convolution_of_a_reversed_kernel():
    # (1 + 2t)(3 + 5t + 7t²) = 3 + 11t + 17t² + 14t³.
    x, weight = rational([[3, 5, 7]]), rational([[[2, 1]]])
    assert evaluation_of(Convolution(padding=1))(x, weight).tolist() == [[3, 11, 17, 14]]
    assert evaluation_of(TransposedConvolution())(x, rational([[[1, 2]]])).tolist() == [[3, 11, 17, 14]]


def test_the_bins_of_five_entries():
    x = rational([1, 2, 3, 4, 5])
    assert evaluation_of(AdaptiveAveragePool((3,)))(x).tolist() == [Fraction(3, 2), 3, Fraction(9, 2)]
    assert evaluation_of(AdaptiveAveragePool((3,), "split"))(x).tolist() == [Fraction(3, 2), Fraction(7, 2), 5]


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_both_derivatives_are_transposes_of_each_other(term):
    point = tuple(rational(array.tolist()) for array in arrays(term, 1))
    directions = tuple(rational(array.tolist()) for array in arrays(term, 2))
    function = evaluation_of(term)
    value, forward = jvp(function, point, directions)
    again, pull = vjp(function, *point)
    assert value == again
    cotangent = rational(np.random.default_rng(3).integers(-9, 10, value.shape).tolist())
    backward = pull(cotangent)
    assert (forward * cotangent).sum() == sum(((t * g).sum() for t, g in zip(directions, backward, strict=True)), 0)
    assert function(*(dual(p, t) for p, t in zip(point, directions, strict=True))).tangent == forward


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_every_number_system_agrees(term):
    point = arrays(term, 4)
    function = evaluation_of(term)
    exact = function(*(rational(array.tolist()) for array in point))
    assert function(*map(ball, point)).contains(exact)
    intervals = function(*map(interval64, point))
    assert (rational(intervals.lo.tolist()) <= exact).all()
    assert (exact <= rational(intervals.hi.tolist())).all()
    bound = function(*map(magnitude, point))
    assert (bound.lower() <= exact).all()
    assert (exact <= bound.upper()).all()


def test_one_entry_of_a_field_stands_for_every_axis():
    x, weight, bias = (rational(array.tolist()) for array in arrays(Convolution(groups=2), 5))
    one = evaluation_of(Convolution(2, 1, 1, 2))(x, weight, bias)
    assert one == evaluation_of(Convolution((2, 2), ((1, 1), (1, 1)), (1, 1), 2))(x, weight, bias)


def test_a_window_that_fits_nowhere_gives_no_output():
    assert evaluation_of(Convolution())(rational([[1, 2]]), rational([[[1, 2, 3]]])).shape == (1, 0)
    assert evaluation_of(AveragePool((3,)))(rational([1, 2])).shape == (0,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Convolution(stride=0), "stride = 0"),
        (lambda: Convolution(groups=0), "groups = 0"),
        (lambda: Convolution(padding=-1), "padding = -1"),
        (lambda: Convolution(padding=()), "pair"),
        (lambda: MaxPool(()), "window"),
        (lambda: evaluation_of(Convolution(groups=2))(rational([[1]]), rational([[[1]], [[1]]])), "channels"),
        (lambda: evaluation_of(Convolution((1, 1)))(rational([[1]]), rational([[[1]]])), "stride"),
    ],
)
def test_fields_and_arrays_that_do_not_fit_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_window_of_padding_alone_is_outside_the_domain():
    with pytest.raises(DomainError, match="padding alone"):
        evaluation_of(MaxPool((2,), 1, ((2, 0),)))(rational([1, 2]))
    with pytest.raises(DomainError, match="no entry"):
        evaluation_of(AdaptiveAveragePool((3,), "split"))(rational([1, 2]))


def test_the_maximum_under_padding_compares_no_enclosure_with_itself():
    third = ball(1) / 3
    x = third * ball([1, 2, 3])
    y = evaluation_of(MaxPool((2,), 2, ((1, 0),)))(x)
    assert y.contains(rational(["1/3", "1"]))
