"""The tables of special values against the C library, published values, and the domain."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from lenticulum import terms
from lenticulum.numbers import BINARY64, Undecided, ball, magnitude, parity, rational, rounded, ulp, working_precision
from lenticulum.spec.elementwise import Expected, answers, expected, in_domain, special, special_points
from lenticulum.spec.meaning import meaning_of
from lenticulum.terms import BinaryElementwise, Tree, UnaryElementwise

KINDS = [kind for kind in vars(terms.elementwise).values() if isinstance(kind, type)]
UNARY = [kind for kind in KINDS if kind.__base__ is UnaryElementwise]
BINARY = [kind for kind in KINDS if kind.__base__ is BinaryElementwise]

#: What the C library calls them.
LIBRARY = {
    **{name: getattr(math, name) for name in "exp expm1 log log2 log10 log1p sqrt cbrt sin cos tan".split()},
    **{name: getattr(math, name) for name in "asin acos atan sinh cosh tanh asinh acosh atanh erf erfc lgamma".split()},
    **{name: getattr(math, name) for name in "exp2 pow hypot atan2".split()},
}

GRID = [sign * x for x in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.5, math.inf) for sign in (1.0, -1.0)] + [math.nan]


def by_library(name, *point):
    """The value of the C library; where Python raises for a pole or a domain error, what C returns there."""
    try:
        return LIBRARY[name](*point)
    except OverflowError:
        return math.inf
    except ValueError:
        return None


def same(one, other):
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return one == other and math.copysign(1, one) == math.copysign(1, other)


def one_ulp_apart(due, value):
    """Whether a float64 lies within one unit in its last place of a limit."""
    difference = due.limit() - ball(value)
    unit = ulp(Fraction(value), BINARY64)
    return bool(difference < unit) and bool(-difference < unit)


@pytest.mark.parametrize("name", LIBRARY)
def test_the_table_is_that_of_the_c_library(name):
    kind = getattr(terms, name.capitalize())
    met = 0
    for point in itertools.product(GRID, repeat=1 if kind in UNARY else 2):
        due, value = expected(kind(), *point), by_library(name, *point)
        if due is None:
            assert all(map(math.isfinite, point)), f"{name}{point}: nothing is expected, the library has {value}"
            continue
        met += 1
        if value is None:
            # Python raises ValueError for a pole and for a domain error: infinite or NaN in C.
            assert due.value is not None, point
            assert not math.isfinite(due.value), (point, due)
        elif due.limit is not None:
            assert one_ulp_apart(due, value), (point, due, value)
        else:
            assert same(due.value, value), (point, due, value)
    assert met >= 3


@pytest.mark.parametrize(
    ("name", "point", "value"),
    [
        # IEEE 754-2019, 9.2.1, and ISO C23, Annex F.10, where Python raises or has no such function.
        ("Log", (-0.0,), -math.inf),
        ("Log", (-1.0,), math.nan),
        ("Log1p", (-1.0,), -math.inf),
        ("Log1p", (-2.0,), math.nan),
        ("Atanh", (1.0,), math.inf),
        ("Atanh", (-1.0,), -math.inf),
        ("Lgamma", (0.0,), math.inf),
        ("Lgamma", (-3.0,), math.inf),
        ("Rsqrt", (0.0,), math.inf),
        ("Rsqrt", (-0.0,), -math.inf),
        ("Rsqrt", (math.inf,), 0.0),
        ("Rsqrt", (-1.0,), math.nan),
        ("Pow", (0.0, -3.0), math.inf),
        ("Pow", (-0.0, -3.0), -math.inf),
        ("Pow", (-0.0, -2.0), math.inf),
        ("Pow", (-8.0, 1 / 3), math.nan),
        ("Sin", (math.inf,), math.nan),
        # SciPy's documentation of entr, xlogy and xlog1py; limits of logit, erfinv, sigmoid and logaddexp.
        ("Entr", (0.0,), 0.0),
        ("Entr", (-0.0,), 0.0),
        ("Entr", (-0.5,), -math.inf),
        ("Entr", (math.inf,), -math.inf),
        ("Xlogy", (0.0, 0.0), 0.0),
        ("Xlogy", (0.0, -1.0), 0.0),
        ("Xlogy", (0.0, math.inf), 0.0),
        ("Xlogy", (0.0, math.nan), math.nan),
        ("Xlogy", (2.0, 0.0), -math.inf),
        ("Xlogy", (-2.0, 0.0), math.inf),
        ("Xlogy", (2.0, -1.0), math.nan),
        ("Xlogy", (math.inf, 1.0), math.nan),
        ("Xlogy", (-math.inf, 0.5), math.inf),
        ("Xlogy", (-2.0, math.inf), -math.inf),
        ("Xlog1py", (0.0, -1.0), 0.0),
        ("Xlog1py", (2.0, -1.0), -math.inf),
        ("Xlog1py", (2.0, -2.0), math.nan),
        ("Xlog1py", (math.inf, 0.0), math.nan),
        ("Logit", (0.0,), -math.inf),
        ("Logit", (1.0,), math.inf),
        ("Logit", (0.5,), 0.0),
        ("Logit", (1.5,), math.nan),
        ("Erfinv", (1.0,), math.inf),
        ("Erfinv", (-1.0,), -math.inf),
        ("Erfinv", (2.0,), math.nan),
        ("Sigmoid", (0.0,), 0.5),
        ("Sigmoid", (-math.inf,), 0.0),
        ("Sigmoid", (math.inf,), 1.0),
        ("Sinc", (-0.0,), 1.0),
        ("Digamma", (0.0,), -math.inf),
        ("Digamma", (-0.0,), math.inf),
        ("Digamma", (-1.0,), math.nan),
        ("Digamma", (math.inf,), math.inf),
        ("Logaddexp", (-math.inf, -0.0), 0.0),
        ("Logaddexp", (3.0, -math.inf), 3.0),
        ("Logaddexp", (-math.inf, -math.inf), -math.inf),
        ("Logaddexp", (math.inf, -math.inf), math.inf),
        ("Logaddexp", (math.inf, math.nan), math.nan),
    ],
)
def test_a_published_special_value(name, point, value):
    due = expected(getattr(terms, name)(), *point)
    assert due is not None
    assert due.judged
    assert same(due.value, value), due


def test_conventions_change_the_table():
    assert math.isnan(expected(terms.Digamma("nan"), 0.0).value)
    assert expected(terms.Xlogy("zero"), 0.0, math.nan) == Expected(0.0)
    assert expected(terms.Xlog1py("zero"), -0.0, math.nan) == Expected(0.0)


def test_what_no_standard_decides_is_not_judged():
    assert not expected(terms.Sinc(), math.inf).judged
    assert not expected(terms.Digamma(), -math.inf).judged


@pytest.mark.parametrize("kind", [*UNARY, *BINARY])
def test_nan_gives_nan_but_for_the_documented_exceptions(kind):
    exceptions = {terms.Pow: (1.0, math.nan), terms.Hypot: (math.nan, math.inf), terms.Xlogy: None, terms.Xlog1py: None}
    points = [(math.nan,)] if kind in UNARY else [(math.nan, 2.0), (2.0, math.nan), (math.nan, math.nan)]
    assert all(math.isnan(expected(kind(), *point).value) for point in points)
    if exceptions.get(kind):
        assert not math.isnan(expected(kind(), *exceptions[kind]).value)


@pytest.mark.parametrize("kind", [*UNARY, *BINARY])
def test_the_vectorised_answers_are_the_single_ones_and_do_not_overlap(kind):
    points = np.array(list(itertools.product(GRID, repeat=1 if kind in UNARY else 2))).T
    found = {}
    for where, due in answers(kind(), *points):
        for index in np.flatnonzero(where):
            assert index not in found
            found[index] = due if isinstance(due, Expected) else Expected(float(due[index]))
    for index, point in enumerate(points.T):
        assert plain(expected(kind(), *point)) == plain(found.get(index)), point


def plain(due):
    """What is due, in a form that compares: the sign of a zero, NaN and limits too."""
    return None if due is None else (repr(due.value), due.judged, due.limit and str(due.limit()))


@pytest.mark.parametrize("kind", [*UNARY, *BINARY])
def test_inside_the_domain_the_meaning_has_a_value_and_outside_it_refuses(kind):
    for point in itertools.product([x for x in GRID if math.isfinite(x)], repeat=1 if kind in UNARY else 2):
        inside = bool(in_domain(kind(), *(np.array([x]) for x in point))[0])
        if expected(kind(), *point) is None:
            assert inside, point
            x = ball(point[0]) if kind in UNARY else tuple(map(ball, point))
            fields = {name: getattr(kind(), name) for name in kind.__dataclass_fields__}
            wanted = {name: fields[name] for name in fields if name == "normalised"}
            value = meaning_of(kind())(Tree(), x, **wanted)
            assert bool(value.lower() <= value.upper()), point
        else:
            assert inside == expected(kind(), *point).finite(), point


@pytest.mark.parametrize("kind", UNARY)
def test_the_listed_points_are_special(kind):
    listed = special_points(kind())
    assert all(expected(kind(), point) is not None for point in listed)
    # On a grid of halves nothing else in the domain is, but for the zeros.
    inside = [x for x in np.arange(-4, 4.5, 0.5) if x != 0 and in_domain(kind(), np.array([x]))[0]]
    assert {x for x in inside if expected(kind(), x) is not None} <= set(listed)


def test_a_limit_is_an_enclosure_and_no_float():
    due = expected(terms.Atan2(), -math.inf, -math.inf)
    assert due.value is None
    assert due.finite()
    with working_precision(200):
        gap = due.limit() - ball(math.atan2(-math.inf, -math.inf))
        assert bool(gap * gap > Fraction(1, 2**120))


def test_a_table_asks_for_fields_of_its_description_only():
    with pytest.raises(TypeError, match="asks for slope, which Exp has not"):
        special(terms.Exp)(lambda x, *, slope: [])


def test_a_kind_without_a_table_says_so():
    with pytest.raises(TypeError, match="no table of special values for Bias"):
        expected(terms.Bias(1), 0.0)


def test_parity_of_numbers_of_every_system():
    for numbers in (ball([2, -3, "1/2", 2**40 + 1]), rational([2, -3, "1/2", 2**40 + 1])):
        assert [mask.tolist() for mask in parity(numbers)] == [[True, True, False, True], [False, True, False, True]]
    assert [mask.tolist() for mask in parity(magnitude([3.0, 0.75]))] == [[True, False], [True, False]]
    floats = rounded([3.0, -0.0, math.inf, math.nan], BINARY64)
    assert [mask.tolist() for mask in parity(floats)] == [[True, True, False, False], [True, False, False, False]]


def test_the_parity_of_an_enclosure_that_may_be_an_integer_is_undecided():
    with pytest.raises(Undecided, match="may be an integer"):
        parity(ball([3]).exp().log())
