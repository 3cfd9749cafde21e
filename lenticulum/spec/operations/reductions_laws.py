"""Laws of the reductions, exactly over the rationals: values by a second formulation, invariances, derivatives."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from lenticulum.numbers import Rational, rational
from lenticulum.spec.draw import Draw, fraction, rational_array
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.operations import planted_reductions as planted
from lenticulum.spec.operations.rows import rows
from lenticulum.spec.operations.subject import Evaluate, Reverse, entries, equal, evaluate, reverse
from lenticulum.terms import CumulativeSum, Mean, Norm, Product, Sum, Variance
from lenticulum.terms.operations.axes import Axes, places, reduced

#: Not all sizes are equal, so that an axis cannot be taken for another.
SHAPES = ((3,), (2, 3), (3, 1), (2, 3, 2), (1, 4), (2, 1, 3), (4, 2))


def array_and_axes(draw: Draw) -> tuple[Rational, Axes]:
    """A rational array, and one axis, several or None."""
    shape = draw.choice(SHAPES)
    ndim = len(shape)
    options: list[Axes] = [None, *range(-ndim, ndim), *combinations(range(ndim), 2)]
    x, axis = rational_array(draw, shape), draw.choice(options)
    draw.observe("all axes reduced", len(places(ndim, axis)) == ndim)
    draw.observe("one entry reduced", reduced(x.shape, axis) == 1)
    return x, axis


def _flag(draw: Draw) -> bool:
    return draw.choice((False, True))


def sums_of_entries(of: Evaluate, draw: Draw) -> None:
    """The sum, the mean times the number of entries, and the product are those of the entries."""
    x, axis = array_and_axes(draw)
    kept = _flag(draw)
    how: Any = {"axis": axis, "keepdims": kept}
    total: Any = np.sum(entries(x), **how)
    values: dict[Any, Any] = {
        Sum: total,
        Mean: total * Fraction(1, reduced(x.shape, axis)),
        Product: np.prod(entries(x), **how),
    }
    for kind, expected in values.items():
        got = of(kind(axis, kept), x)
        require(equal(got, expected), f"{kind.__name__} differs", x=x, got=got, expected=expected, **how)


def sum_is_linear(of: Evaluate, draw: Draw) -> None:
    """sum(a x + y) = a sum x + sum y; so for the mean."""
    x, axis = array_and_axes(draw)
    y, a = rational_array(draw, x.shape), fraction(draw)
    for term in (Sum(axis), Mean(axis)):
        left, right = of(term, a * x + y), a * of(term, x) + of(term, y)
        require(left == right, f"{term} is not linear", x=x, y=y, a=a, left=left, right=right)


def variance_of_pairs(of: Evaluate, draw: Draw) -> None:
    """n divisor var = the sum over pairs i < j of (x_i - x_j)²."""
    x, axis = array_and_axes(draw)
    n = reduced(x.shape, axis)
    estimate = draw.choice(("population", "sample") if n > 1 else ("population",))
    grouped = entries(rows(x, axis))
    pairs: Any = sum(
        ((grouped[..., i] - grouped[..., j]) ** 2 for i, j in combinations(range(n), 2)), 0 * grouped[..., 0]
    )
    got = of(Variance(axis, estimate=estimate), x)
    expected = pairs * Fraction(1, n * (n if estimate == "population" else n - 1))
    require(equal(got, expected), "the variance differs", x=x, axis=axis, got=got, expected=expected)


def variance_of_an_affine_image(of: Evaluate, draw: Draw) -> None:
    """var(a x + c) = a² var(x)."""
    x, axis = array_and_axes(draw)
    a, c, term = fraction(draw), 1000 * fraction(draw), Variance(axis, keepdims=_flag(draw))
    left, right = of(term, a * x + c), a * a * of(term, x)
    require(left == right, "var(a x + c) differs from a² var(x)", x=x, a=a, c=c, left=left, right=right)


def cumsum_has_the_entries_as_differences(of: Evaluate, draw: Draw) -> None:
    """y_0 = x_0 and y_i - y_(i-1) = x_i; None takes the entries in row-major order."""
    x, _ = array_and_axes(draw)
    axis = draw.choice((None, *range(-x.ndim, x.ndim)))
    got = of(CumulativeSum(axis), x)
    summed = entries(x).reshape(-1) if axis is None else entries(x)
    require(got.shape == summed.shape, "the shape differs", x=x, axis=axis, got=got)
    along = 0 if axis is None else axis
    first = np.zeros_like(summed.take([0], axis=along))
    differences = np.diff(entries(got), axis=along, prepend=first)
    require(bool((differences == summed).all()), "the differences are not the entries", x=x, axis=axis, got=got)


def norm_values(of: Evaluate, draw: Draw) -> None:
    """Of x = r (2t, |t|² - 1) / (|t|² + 1), which has the length |r|, the other norms are those of the entries."""
    x, r, axis = spheres(draw)
    keepdims = _flag(draw)
    sizes = abs(entries(x))
    expected = {
        "1": np.sum(sizes, axis=axis, keepdims=keepdims),
        "2": np.sum(np.expand_dims(abs(entries(r)), axis), axis=axis, keepdims=keepdims),
        "infinity": np.max(sizes, axis=axis, keepdims=keepdims),
    }
    for order, value in expected.items():
        got = of(Norm(order, axis, keepdims), x)
        require(equal(got, value), f"the norm of order {order} differs", x=x, got=got, expected=value)


def norm_is_a_norm(of: Evaluate, draw: Draw) -> None:
    """|a x| = |a| |x| and |x + y| <= |x| + |y|, of the orders that are rational."""
    x, axis = array_and_axes(draw)
    y, a = rational_array(draw, x.shape), fraction(draw)
    for term in (Norm("1", axis), Norm("infinity", axis)):
        left, right = of(term, a * x), abs(a) * of(term, x)
        require(left == right, "|a x| differs from |a| |x|", x=x, a=a, left=left, right=right)
        below = of(term, x + y) <= of(term, x) + of(term, y)
        require(bool(below.all()), "the triangle inequality fails", x=x, y=y, term=term)


def reductions_reverse(of: Reverse, draw: Draw) -> None:
    """Cotangents: c of a sum, c/n of a mean, 2 c (x - mean)/divisor of a variance, sums from the end of a cumsum."""
    x, axis = array_and_axes(draw)
    n = reduced(x.shape, axis)
    estimate = draw.choice(("population", "sample") if n > 1 else ("population",))
    total = Sum(axis, True)
    c = rational_array(draw, evaluate(total, x).shape)
    deviation = x - evaluate(Mean(axis, True), x)
    spread = {
        total: c.broadcast_to(x.shape),
        Mean(axis, True): (c / n).broadcast_to(x.shape),
        Variance(axis, True, estimate): 2 * c * deviation / (n if estimate == "population" else n - 1),
    }
    for term, expected in spread.items():
        (got,) = of(term, (x,), c)
        require(got == expected, f"the cotangent of {term} differs", x=x, c=c, got=got, expected=expected)
    along, each = draw.choice(range(x.ndim)), rational_array(draw, x.shape)
    (got,) = of(CumulativeSum(along), (x,), each)
    backwards = np.flip(np.cumsum(np.flip(entries(each), along), axis=along), along)
    require(equal(got, backwards), "the cotangent of the running sum differs", c=each, got=got, expected=backwards)


def norm_reverse(of: Reverse, draw: Draw) -> None:
    """Cotangents: c sign x; c x/|x|, 0 at 0; c sign x at the one largest entry, 0 where two are largest."""
    x, r, axis = spheres(draw)
    draw.observe("no zero vector", bool((r > 0).all() or (r < 0).all()))
    c = rational_array(draw, r.shape)
    sign = np.sign(entries(x)).astype(int)
    sizes = abs(entries(x))
    top = sizes == np.max(sizes, axis=axis, keepdims=True)
    alone = top & (np.sum(top, axis=axis, keepdims=True) == 1)
    length = np.expand_dims(abs(entries(r)), axis)
    unit = np.where(length == 0, 0, entries(x) / np.where(length == 0, 1, length))
    scaled = np.expand_dims(entries(c), axis)
    for order, slope in (("1", sign), ("2", unit), ("infinity", np.where(alone, sign, 0))):
        (got,) = of(Norm(order, axis), (x,), c)
        require(equal(got, scaled * slope), f"the cotangent of order {order} differs", x=x, c=c, got=got)


def spheres(draw: Draw) -> tuple[Rational, Rational, int]:
    """Vectors of rational length along an axis of an array, their lengths with a sign, and the axis; zero included."""
    size, vectors = draw.integer(2, 4), draw.integer(1, 3)
    draw.observe("as many vectors as entries", size == vectors)
    t = rational_array(draw, (vectors, size - 1), 3, 2)
    r = rational([draw.choice((Fraction(0), fraction(draw))) for _ in range(vectors)])
    square = (t * t).sum(axis=1)
    scaled = entries(r / (square + 1))
    last = scaled * (entries(square) - 1)
    points = np.concatenate([2 * scaled[:, None] * entries(t), last[:, None]], axis=1)
    axis = draw.choice((0, 1))
    along = points if axis else points.T
    return rational(along.tolist()), r, axis


HIGHAM = "Higham 2002, Accuracy and Stability of Numerical Algorithms, section 1.9"

LAWS: tuple[Law[Any], ...] = (
    Law(
        "sums-of-entries",
        "sum, n mean and product are those of the entries along the axes, which go or stay with size 1",
        "NumPy, https://numpy.org/doc/stable/reference/generated/numpy.sum.html",
        Grade.EXACT,
        evaluate,
        sums_of_entries,
        {
            "mean divided by the number of all entries": planted.divided_by_all,
            "mean divided by n - 1": planted.divided_by_fewer,
            "summed over another axis": planted.other_axis,
            "last entry left out": planted.last_left_out,
            "axes kept or dropped the wrong way": planted.axes_kept_wrongly,
        },
    ),
    Law(
        "sum-is-linear",
        "sum(a x + y) = a sum x + sum y, and so for the mean",
        "definition",
        Grade.EXACT,
        evaluate,
        sum_is_linear,
        {"sum of absolute values": planted.absolute_sum},
    ),
    Law(
        "variance-of-pairs",
        "n divisor var = sum over pairs i < j of (x_i - x_j)²",
        HIGHAM,
        Grade.EXACT,
        evaluate,
        variance_of_pairs,
        {
            "n for n - 1, and the other way round": planted.estimates_exchanged,
            "mean over all axes": planted.mean_over_all,
            "not centred": planted.not_centred,
        },
    ),
    Law(
        "variance-of-an-affine-image",
        "var(a x + c) = a² var(x)",
        HIGHAM,
        Grade.EXACT,
        evaluate,
        variance_of_an_affine_image,
        {"not centred": planted.not_centred, "absolute deviation": planted.absolute_deviation},
    ),
    Law(
        "cumsum-differences",
        "y_0 = x_0, y_i - y_(i-1) = x_i",
        "NumPy, https://numpy.org/doc/stable/reference/generated/numpy.cumsum.html",
        Grade.EXACT,
        evaluate,
        cumsum_has_the_entries_as_differences,
        {
            "exclusive": planted.exclusive,
            "from the end": planted.from_the_end,
            "along another axis": planted.along_the_next_axis,
        },
    ),
    Law(
        "norm-values",
        "|x|_1 = sum |x_i|, |x|_2² = sum x_i², |x|_inf = max |x_i|",
        "Higham 2002, section 6.1",
        Grade.EXACT,
        evaluate,
        norm_values,
        {
            "without the root": planted.square_of_the_norm,
            "root of the mean square": planted.root_mean_square,
            "largest entry, not absolute": planted.largest_entry,
            "sum without absolute values": planted.plain_sum,
        },
    ),
    Law(
        "norm-is-a-norm",
        "|a x| = |a| |x|, |x + y| <= |x| + |y|",
        "Higham 2002, section 6.1",
        Grade.EXACT,
        evaluate,
        norm_is_a_norm,
        {"largest entry, not absolute": planted.largest_entry, "without the root": planted.square_of_the_norm},
    ),
    Law(
        "reductions-reverse",
        "cotangents: c of a sum, c/n of a mean, 2 c (x - mean)/divisor of a variance, sums from the end of a cumsum",
        "derived by hand",
        Grade.EXACT,
        reverse,
        reductions_reverse,
        {
            "mean not divided": planted.reverse_of_the_sum,
            "factor 2 missing": planted.half_the_slope,
            "running sum from the start": planted.cotangents_from_the_start,
            "n for n - 1": planted.slope_of_the_other_estimate,
        },
    ),
    Law(
        "norm-reverse",
        "cotangents: c sign x; c x/|x|, 0 at 0; c sign x at the one largest entry",
        "derived by hand; at kinks the convention of the definition",
        Grade.EXACT,
        reverse,
        norm_reverse,
        {
            "half the cotangent to each of two largest": planted.shared_between_ties,
            "without the sign": planted.unsigned_slope,
            "not divided by the norm": planted.undivided_slope,
        },
    ),
)
