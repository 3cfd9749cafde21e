"""Interval64 against balls at 200 bits, on every binade of binary32; domains, unbounded elements, derivatives."""

from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from lenticulum.numbers import (
    BINARY32,
    DomainError,
    Undecided,
    absolute,
    atan2,
    ball,
    bits_to_float64,
    concatenate,
    digamma,
    encode,
    erfinv,
    exp,
    from_bits,
    functions,
    hypot,
    interval64,
    jvp,
    lgamma,
    log,
    maximum,
    minimum,
    ones_like,
    pi,
    polygamma,
    power_real,
    softplus,
    vjp,
    where,
    working_precision,
)
from lenticulum.numbers.enclosures import ENCLOSURES, PAIR_ENCLOSURES
from lenticulum.numbers.interval_functions import COMPOSED, TIGHT

pytest.importorskip("ival", reason="crival is not installed")

FUNCTIONS = sorted((TIGHT & set(ENCLOSURES)) | set(COMPOSED))


def stratified(per_binade, seed):
    """Both ends and random points of every binade of binary32, subnormal ones too, with both signs; and zero."""
    draw = np.random.default_rng(seed)
    fields = np.repeat(np.arange(255, dtype=np.uint32), per_binade)
    fractions = draw.integers(0, 2**23, fields.size, dtype=np.uint32)
    fractions[::per_binade], fractions[1::per_binade] = 0, 2**23 - 1
    positive = ((fields << 23) | fractions).view(np.float32).astype(np.float64)
    return np.concatenate([positive, -positive[1:]])


INPUTS = stratified(21, 5)


def misses(function, inputs, lo, hi):
    """The inputs whose value lies outside [lo, hi]."""
    return [x for x, low, high in zip(inputs, lo, hi, strict=True) if not inside(function, x, arb(low), arb(high))]


def inside(function, x, low, high):
    """Whether the value lies in [low, high], or differs from an end by less than 1200 bits show.

    That is the case of points, and of functions near their limits: 1 - erf(32) is less than 2^-1480.
    """
    for bits in (200, 1200):
        with working_precision(bits):
            y = function(x)
            if y < low or y > high:
                return False
            if low <= y <= high:
                return True
            if bits == 1200 or low == high:
                return y.rad() <= 2 * abs(y) * arb(2) ** (8 - bits) and y.overlaps(low.union(high))
    raise AssertionError("unreachable")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_binade_is_enclosed(name):
    image = getattr(functions, name)(interval64(INPUTS))
    enclosure, bounded = ENCLOSURES[name], image.bounded()
    assert INPUTS.size > 10_000
    assert bounded.tolist() == [not enclosure.function(arb(x)).is_nan() for x in INPUTS.tolist()]
    points = [arb(x) for x in INPUTS[bounded].tolist()]
    lo, hi = image.lo[bounded], image.hi[bounded]
    assert misses(enclosure.function, points, lo.tolist(), hi.tolist()) == []
    if name in TIGHT:
        assert image.tight
        with np.errstate(over="ignore"):
            assert ((lo == hi) | (np.nextafter(lo, np.inf) == hi)).all()
    else:
        assert not image.tight
        relative = np.abs(hi - lo) <= 2.0**-40 * np.abs(lo) + 2.0**-1022
        assert relative.all()


@pytest.mark.parametrize("name", ["exp", "sigmoid", "softplus", "normal_cdf", "sinc", "log1p"])
def test_a_planted_interval_that_is_too_narrow_is_rejected(name):
    """Every interval with two ends is cut to its upper one, which is not the value."""
    x = np.random.default_rng(1).uniform(-0.9, 9, 200)
    image = getattr(functions, name)(interval64(x))
    wide = image.lo < image.hi
    points = [arb(value) for value in x[wide].tolist()]
    assert len(points) > 150
    upper = image.hi[wide].tolist()
    assert len(misses(ENCLOSURES[name].function, points, upper, upper)) > 0.4 * len(points)
    below = np.nextafter(image.lo[wide], -np.inf).tolist()
    assert len(misses(ENCLOSURES[name].function, points, below, below)) == len(points)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_images_of_wide_intervals_hold_the_values_of_their_points(name):
    draw = np.random.default_rng(11)
    lo = draw.uniform(-3, 3, 400)
    width = 2.0 ** draw.uniform(-40, 0, 400)
    image = getattr(functions, name)(interval64(lo, lo + width))
    bounded = image.bounded()
    assert bounded.sum() > 50
    assert not image.tight
    for share in (0, 0.25, 1):
        inner = np.minimum(lo + share * width, lo + width)[bounded]
        points = [arb(x) for x in inner.tolist()]
        found = misses(ENCLOSURES[name].function, points, image.lo[bounded].tolist(), image.hi[bounded].tolist())
        assert found == []


@pytest.mark.parametrize(("name", "function"), [("power_real", power_real), ("hypot", hypot), ("atan2", atan2)])
def test_functions_of_two_arguments_are_enclosed(name, function):
    draw = np.random.default_rng(2)
    x, y = draw.permutation(INPUTS)[:3000], draw.permutation(INPUTS)[:3000]
    axes = np.array([0.0, 0.0, 1.0, -1.0, 0.0, 2.0, -2.0])
    x, y = np.concatenate([x, axes]), np.concatenate([y, axes[::-1]])
    image = function(interval64(x), interval64(y))
    bounded = image.bounded()
    pairs = [(arb(a), arb(b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    assert bounded.tolist() == [not PAIR_ENCLOSURES[name](*pair).is_nan() for pair in pairs]
    kept = [pair for pair, keep in zip(pairs, bounded, strict=True) if keep]
    assert image.tight

    def value(pair):
        return PAIR_ENCLOSURES[name](*pair)

    # x^y underflows and overflows by exponents of 2^100 and more, where no float64 end cuts close: ends 0 and infinity.
    assert misses(value, kept, image.lo[bounded].tolist(), image.hi[bounded].tolist()) == []


def test_the_angle_jumps_across_the_negative_axis():
    x = interval64([-1.0, -1.0, 1.0])
    y = interval64([-0.5, 0.0, -0.5], [0.0, 0.5, 0.5])
    angle = atan2(y, x)
    assert angle.lo[0] <= -np.pi
    assert angle.hi[0] >= np.pi
    assert angle.lo[1] > 2
    assert angle.hi[2] < 1
    assert not atan2(interval64([-1.0], [1.0]), interval64([-1.0], [1.0])).bounded()


@pytest.mark.parametrize("name", ["+", "-", "*", "/"])
def test_arithmetic_encloses_exact_rationals(name):
    operation = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
    }[name]
    draw = np.random.default_rng(8)
    x, y = draw.permutation(INPUTS)[:2000], draw.permutation(INPUTS[1:])[:2000]
    image = operation(interval64(x), interval64(y))
    assert image.tight
    for a, b, lo, hi in zip(x.tolist(), y.tolist(), image.lo.tolist(), image.hi.tolist(), strict=True):
        exact = operation(Fraction(a), Fraction(b))
        assert Fraction(lo) <= exact <= Fraction(hi)
        assert lo == hi or Fraction(lo) < exact < Fraction(hi)


def test_constants_are_points_or_lie_strictly_inside():
    x = interval64([1.0, 2.0])
    assert (x + Fraction(1, 2)).lo.tolist() == [1.5, 2.5]
    tenth = x.lift(Fraction(1, 10))
    assert Fraction(float(tenth.lo)) < Fraction(1, 10) < Fraction(float(tenth.hi))
    circle = pi(x)
    with working_precision(200):
        assert arb(float(circle.lo)) < arb.pi() < arb(float(circle.hi))
    huge = x.lift(10**400)
    assert (huge.lo, huge.hi) == (np.finfo(float).max, np.inf)


def test_tight_is_lost_by_composition_and_kept_by_movement():
    x = interval64([0.25, -0.75])
    assert exp(x).tight
    assert (-exp(x))[::-1].reshape(2, 1).tight
    assert (x * 3).tight
    assert not (x * Fraction(1, 3)).tight
    assert not exp(exp(x)).tight
    assert not (exp(x) + 1).tight
    assert not absolute(exp(x)).tight


def test_an_element_without_a_value_is_unbounded_and_stays_so():
    x = interval64([-1.0, 0.0, 4.0, np.nan, np.inf, -np.inf])
    expected = [False, False, True, False, False, False]
    for y in (log(x), log(x) * 0 + 1, maximum(log(x), 0), log(x) ** 0, where(log(x) > 0, log(x) * 0, 5)):
        assert y.bounded().tolist() == expected
    assert where(~(log(x) > 0), 0 * x, 5 + 0 * x).bounded().tolist() == expected
    assert (1 / x).bounded().tolist() == [True, False, True, False, False, False]
    for y in (erfinv(x / 8), lgamma(x), digamma(x), polygamma(x, 1)):
        assert not y.bounded().any()


def test_a_condition_at_an_unbounded_element_decides_nothing():
    x = interval64([-2.0, 3.0, np.nan])

    def leaky(x):
        return where(x > 0, x, x * Fraction(1, 4))

    assert leaky(x).bounded().tolist() == [True, True, False]
    constant = where(x > 0, ones_like(x), 0)
    assert constant.lo[:2].tolist() == [0, 1]
    assert constant.bounded().tolist() == [True, True, False]
    _, tangent = jvp(lambda x: maximum(x, 0), (x,), (ones_like(x),))
    assert tangent.lo[:2].tolist() == [0, 1]
    assert tangent.bounded().tolist() == [True, True, False]
    cotangent = vjp(lambda x: where(x > 0, x, 0), x)[1](ones_like(x))[0]
    assert cotangent.bounded().tolist() == [True, True, False]


def test_an_end_is_infinite_only_where_the_value_is_too_large():
    x = exp(interval64([1000.0, -1000.0, 1.0]))
    largest = np.finfo(float).max
    assert x.lo.tolist()[:2] == [largest, 0.0]
    assert x.hi[0] == np.inf
    assert (1 / x)[:1].hi <= 1 / largest * 2
    assert (x - x).bounded().tolist() == [False, True, True]
    # The lower end is finite, so the value need not be too large.
    assert exp(interval64([1.0], [1000.0])).bounded().tolist() == [False]
    assert not softplus(x)[:1].bounded()


def test_comparisons_are_undecided_only_at_bounded_elements():
    x = interval64([1.0, np.nan], [3.0, np.nan])
    with pytest.raises(Undecided):
        _ = x < 2
    assert (x < 4).tolist() == [True, None]
    assert (x >= 1).tolist() == [True, None]
    y = interval64([1.0, 2.0])
    assert y == interval64([1.0, 2.0])
    assert y != interval64([1.0, 3.0])
    assert y != exp(y)
    with pytest.raises(Undecided):
        _ = exp(y) == exp(y)


def test_ranges_movement_and_sums():
    x = interval64([[-2.0, 1.0], [0.5, -4.0]], [[-1.0, 2.0], [0.75, 5.0]])
    assert absolute(x).lo.tolist() == [[1, 1], [0.5, 0]]
    assert absolute(x).hi.tolist() == [[2, 2], [0.75, 5]]
    assert minimum(x, 0).lo.tolist() == [[-2, 0], [0, -4]]
    assert minimum(x, 0).hi.tolist() == [[-1, 0], [0, 0]]
    assert x.T[1].lo.tolist() == [1, -4]
    assert concatenate([x, x]).shape == (4, 2)
    assert x.sum(axis=1).hi.tolist() == [1, 5.75]
    points = interval64([[1.0, 2.0], [3.0, 4.0]])
    product, exact = points @ points, np.array([[7, 10], [15, 22]])
    # Two products and a sum: within gamma_2 of sum |a||b|, and the rounding of the radius.
    assert ((product.lo <= exact) & (exact <= product.hi) & (product.hi - product.lo <= 16 * 2.0**-52 * exact)).all()
    assert (points**-2).bounded().all()
    assert (points**3).lo.tolist() == [[1, 8], [27, 64]]
    assert str(-interval64(0.0)) == "Interval64(0.0, 0.0)"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_are_those_of_balls(name):
    """The same closed form in two systems: the ball of the derivative meets the interval of it."""
    function = getattr(functions, name)
    x = np.random.default_rng(9).uniform(-2, 2, 60)
    image, tangents = jvp(function, (interval64(x),), (ones_like(interval64(x)),))
    seen = image.bounded()
    assert seen.sum() > 10
    assert tangents.bounded()[seen].all()
    for point, lo, hi in zip(x[seen].tolist(), tangents.lo[seen].tolist(), tangents.hi[seen].tolist(), strict=True):

        def derivative(_, point=point):
            return jvp(function, (ball(Fraction(point)),), (ball(1),))[1].elements[0]

        assert inside(derivative, None, arb(lo), arb(hi))
        assert hi - lo <= 2.0**-40 * (1 + abs(lo))
    for point in x[~seen].tolist():
        with pytest.raises(DomainError):
            jvp(function, (ball(point),), (ball(1),))


def test_what_is_no_array_of_ends_is_refused():
    with pytest.raises(TypeError, match="expected float64"):
        interval64(np.array([1.0], np.float32))
    with pytest.raises(ValueError, match="lo <= hi"):
        interval64([2.0], [1.0])
    with pytest.raises(ValueError, match="different shapes"):
        interval64([2.0], [3.0, 4.0])
    with pytest.raises(TypeError, match="exact constant"):
        interval64([2.0]) * 0.1


def test_a_tight_interval_decides_the_rounding_to_binary32():
    """Both ends round alike, or one is a midpoint and the value lies on the other's side of it."""
    # exp(2^-24) = 1 + 2^-24 + ...: the lower end is the midpoint of 1 and 1 + 2^-23.
    bits = np.concatenate([[0x33800000], np.random.default_rng(3).integers(0, 2**32, 400)]).astype(np.uint32)
    for name in ("exp", "log", "tanh", "erf", "sin", "cbrt"):
        function = getattr(functions, name)
        image = function(interval64(bits_to_float64(bits, BINARY32)))
        assert image.tight
        wanted = function(from_bits(bits, BINARY32)).elements
        for lo, hi, exact in zip(image.lo.tolist(), image.hi.tolist(), wanted, strict=True):
            if lo == lo:
                between = (Fraction(lo) + Fraction(min(hi, np.finfo(float).max))) / 2
                assert encode(between or 0.0, BINARY32) == encode(exact, BINARY32)


def test_a_matrix_product_encloses_the_exact_one_and_is_narrow():
    rng = np.random.default_rng(0)
    for rows, inner, columns in ((1, 1, 1), (3, 17, 2), (8, 64, 8)):
        a, b = rng.normal(size=(rows, inner)), rng.normal(size=(inner, columns)) * 2.0 ** rng.integers(-30, 30)
        width = np.abs(rng.normal(size=a.shape)) * 2.0**-40
        product = interval64(a, a + width) @ interval64(b)
        size = np.abs(a) @ np.abs(b)
        for i, j in np.ndindex(rows, columns):
            column = [Fraction(entry) for entry in b[:, j]]
            lower, upper = ([Fraction(entry) for entry in ends] for ends in (a[i], (a + width)[i]))
            terms = [sorted((lo * y, hi * y)) for lo, hi, y in zip(lower, upper, column, strict=True)]
            least, most = (sum(each[end] for each in terms) for end in (0, 1))
            assert Fraction(product.lo[i, j]) <= least
            assert most <= Fraction(product.hi[i, j])
            # gamma_n, twice for the two sides, and the spread of the operand.
            slack = Fraction(4 * (inner + 2)) * Fraction(2) ** -52 * Fraction(size[i, j])
            assert Fraction(product.hi[i, j]) - Fraction(product.lo[i, j]) <= (most - least) * (1 + slack) + 2 * slack


def test_a_product_with_an_unbounded_element_is_unbounded_where_it_enters():
    x = interval64(np.array([[np.nan, 1.0], [2.0, 3.0]]))
    product = x @ interval64(np.eye(2))
    assert product.bounded().tolist() == [[False, False], [True, True]]
