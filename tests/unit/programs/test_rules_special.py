"""The incomplete gamma and beta, Bessel and zeta functions: against mpmath, and JAX's results inside the bounds."""

import jax
import mpmath
import numpy as np
import pytest
from flint import arb
from jax import lax
from rule_checks import Case, case, exact, forward, inside, parameters

from lenticulum.numbers import Interval64, jvp, vjp
from lenticulum.numbers.formats import BINARY32, BINARY64
from lenticulum.programs import Balls, Bounds, Intervals, trace
from lenticulum.programs.special_enclosures import ENCLOSURES
from lenticulum.programs.special_rounding import rounded

ORDERS = np.array([0.02, 0.5, 1.0, 3.5, 12.0, 90.0])
PLACES = np.array([0.3, 0.75, 1.0, 2.5, 30.0, 80.0])
SIGNED = np.array([-20.0, -1.5, -0.01, 0.0, 0.7, 350.0])
SHARES = np.array([0.001, 0.3, 0.5, 0.75, 0.95, 1.0])
EXPONENTS = np.array([1.25, 2.0, 3.5, 6.0, 12.0, 25.0])

CASES = {
    "igamma": case(lax.igamma, ORDERS, PLACES),
    "igammac": case(lax.igammac, ORDERS, PLACES),
    "igamma_grad_a": case(lax.igamma_grad_a, ORDERS, PLACES),
    "bessel_i0e": case(lax.bessel_i0e, SIGNED),
    "bessel_i1e": case(lax.bessel_i1e, SIGNED),
    "regularized_incomplete_beta": case(lax.betainc, ORDERS, PLACES, SHARES),
    "zeta": case(lax.zeta, EXPONENTS, PLACES),
}

VALUES = {
    "igamma": lambda a, x: mpmath.gammainc(a, 0, x, regularized=True),
    "igammac": lambda a, x: mpmath.gammainc(a, x, mpmath.inf, regularized=True),
    "igamma_grad_a": lambda a, x: mpmath.diff(lambda s: mpmath.gammainc(s, 0, x, regularized=True), a),
    "bessel_i0e": lambda x: mpmath.exp(-abs(x)) * mpmath.besseli(0, x),
    "bessel_i1e": lambda x: mpmath.exp(-abs(x)) * mpmath.besseli(1, x),
    "regularized_incomplete_beta": lambda a, b, x: mpmath.betainc(a, b, 0, x, regularized=True),
    "zeta": mpmath.zeta,
}

#: The places of the operands with a closed form of the derivative.
SLOPES = {"igamma": [0, 1], "igammac": [0, 1], "bessel_i0e": [0], "bessel_i1e": [0],
          "regularized_incomplete_beta": [2], "zeta": [1], "igamma_grad_a": []}  # fmt: skip


def rows(name):
    return list(zip(*(each.tolist() for each in CASES[name].arguments), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_enclosures_hold_the_values_of_mpmath(name):
    with exact(), mpmath.workdps(50):
        for row in rows(name):
            enclosure = ENCLOSURES[name](*map(arb, row))
            value = VALUES[name](*map(mpmath.mpf, row))
            assert abs(enclosure - arb(mpmath.nstr(value, 45))) < arb(10) ** -30 * (1 + abs(enclosure)), row
            assert enclosure.rad() < arb(10) ** -30 * (1 + abs(enclosure)), row


@pytest.mark.parametrize("name", CASES)
def test_wide_operands_give_all_that_they_may(name):
    """Corners and middles of boxes around each point lie inside the enclosure of the box, which is not much wider."""
    with exact():
        for row in rows(name):
            if name == "regularized_incomplete_beta" and row[2] == 1:
                continue
            widths = [abs(x) / 64 for x in row]
            box = ENCLOSURES[name](*(arb(x, width) for x, width in zip(row, widths, strict=True)))
            for shift in (-1, 0, 0.5, 1):
                moved = [arb(x + (shift if place % 2 else -shift) * width * 0.99) for place, (x, width)
                         in enumerate(zip(row, widths, strict=True))]  # fmt: skip
                assert box.is_nan() or box.overlaps(ENCLOSURES[name](*moved)), (row, shift)
            assert name == "igamma_grad_a" or box.is_finite()


@pytest.mark.parametrize(("name", "dtype"), parameters(CASES))
def test_results_lie_inside(name, dtype):
    with exact():
        forward(CASES[name], dtype)


def test_random_results_lie_inside():
    draw = np.random.default_rng(5)

    def spread(low, high):
        return np.exp(draw.uniform(np.log(low), np.log(high), 40))

    orders = spread(0.01, 900.0)
    random = {
        "igamma": Case(lax.igamma, (orders, orders * spread(0.2, 5.0))),
        "igammac": Case(lax.igammac, (orders, orders * spread(0.2, 5.0))),
        "igamma_grad_a": Case(lax.igamma_grad_a, (spread(0.02, 50.0), spread(0.02, 50.0))),
        "bessel_i0e": Case(lax.bessel_i0e, (spread(1e-3, 1e4),)),
        "bessel_i1e": Case(lax.bessel_i1e, (-spread(1e-3, 1e4),)),
        "regularized_incomplete_beta": Case(
            lax.betainc, (spread(0.02, 90.0), spread(0.02, 90.0), draw.uniform(0, 1, 40))
        ),
        "zeta": Case(lax.zeta, (1 + spread(0.01, 30.0), spread(0.1, 90.0))),
    }
    with exact():
        for each in random.values():
            for dtype in (np.float32, np.float64):
                forward(each, dtype)


@pytest.mark.parametrize("name", [name for name in CASES if SLOPES[name]])
def test_derivatives_have_the_values_of_mpmath(name):
    """The slope in each operand with a closed form, forward and reverse; in the others it is unbounded."""
    arguments = CASES[name].arguments
    with exact(), mpmath.workdps(40):
        program = trace(CASES[name].function, *arguments)
        data = [Balls().data(each, each.dtype) for each in arguments]
        _, pull = vjp(lambda *given: program.read(Balls(), *given)[0], *data)
        reverse = pull(data[0].lift(1, data[0].shape))
        for place in range(len(arguments)):
            directions = [each.lift(int(place == number), each.shape) for number, each in enumerate(data)]
            _, forwards = jvp(lambda *given: program.read(Balls(), *given)[0], data, directions)
            for row, one, other in zip(rows(name), forwards.elements, reverse[place].elements, strict=True):
                if place not in SLOPES[name]:
                    assert one.is_nan()
                    assert other.is_nan()
                elif interior(name, row):
                    slope = arb(mpmath.nstr(partial(VALUES[name], row, place), 25))
                    for each in (one, other):
                        assert abs(each - slope) < arb(10) ** -15 * (1 + abs(slope)), (row, each, slope)


def interior(name, row):
    """Not at the end of the domain, where mpmath's differences leave it."""
    return name != "regularized_incomplete_beta" or row[-1] < 1


def partial(function, row, place):
    order = tuple(int(number == place) for number in range(len(row)))
    return mpmath.diff(function, tuple(map(mpmath.mpf, row)), order)


def test_derivatives_of_jax_lie_inside():
    """In the operands for which JAX has a rule."""
    places = {"igamma": (0, 1), "igammac": (0, 1), "bessel_i0e": (0,), "bessel_i1e": (0,),
              "regularized_incomplete_beta": (2,)}  # fmt: skip
    with exact():
        for name, numbers in places.items():
            for number in numbers:
                arguments = [each[:5] for each in CASES[name].arguments]

                def slope(*given, name=name, number=number):
                    def alone(x):
                        return CASES[name].function(*given[:number], x, *given[number + 1 :])

                    return jax.jvp(alone, (given[number],), (given[number] * 0 + 1,))[1]

                program = trace(slope, *arguments)
                (bound,) = program.read(Bounds(), *arguments)
                (result,) = program.run(*arguments)
                assert inside(result, bound) > 2
                (meaning,) = program.read(Balls(), *arguments)
                assert all(wide.contains(one) for wide, one in zip(bound.elements, meaning.elements, strict=True))


def test_ends_of_the_domains():
    nothing, infinity = arb.nan(), arb.pos_inf()
    with exact():
        for a, x in ((-1, 1), (0, 1), (2, -1), (nothing, 1), (1, nothing), (infinity, 1)):
            assert ENCLOSURES["igamma"](arb(a), arb(x)).is_nan()
            assert ENCLOSURES["igammac"](arb(a), arb(x)).is_nan()
            assert ENCLOSURES["igamma_grad_a"](arb(a), arb(x)).is_nan()
        assert ENCLOSURES["igamma"](arb(2), arb(0)) == 0
        assert ENCLOSURES["igammac"](arb(2), arb(0)) == 1
        assert ENCLOSURES["igamma"](arb(2), infinity) == 1
        assert ENCLOSURES["igammac"](arb(2), infinity) == 0
        assert ENCLOSURES["igamma_grad_a"](arb(2), arb(0)) == 0
        assert ENCLOSURES["bessel_i0e"](infinity) == 0
        assert ENCLOSURES["bessel_i1e"](-infinity) == 0
        assert ENCLOSURES["bessel_i0e"](nothing).is_nan()
        for a, b, x in ((0, 1, 0.5), (1, -1, 0.5), (1, 1, 1.5), (1, 1, -0.5), (1, 1, nothing)):
            assert ENCLOSURES["regularized_incomplete_beta"](arb(a), arb(b), arb(x)).is_nan()
        assert ENCLOSURES["regularized_incomplete_beta"](arb(2), arb(3), arb(1)) == 1
        for s, q in ((1, 2), (0.5, 2), (2.5, -0.5), (3, -2), (3, 0), (nothing, 1)):
            assert ENCLOSURES["zeta"](arb(s), arb(q)).is_nan()
        # zeta(2, -1/2) = 4 + zeta(2, 1/2) = 4 + pi^2/2
        assert ENCLOSURES["zeta"](arb(2), arb(-0.5)).overlaps(4 + arb.pi() ** 2 / 2)


def test_a_rounding_is_known_only_where_it_was_measured():
    with exact():
        for name, row in (("igamma", (2000, 1)), ("regularized_incomplete_beta", (1, 500, 0.5)), ("zeta", (3, -0.5))):
            balls = [arb(x) for x in row]
            result = ENCLOSURES[name](*balls)
            assert result.is_finite()
            assert rounded(name, result, balls, BINARY32).is_nan()
        large = ENCLOSURES["zeta"](arb(30), arb(2) ** -6)
        assert rounded("zeta", large, [arb(30), arb(2) ** -6], BINARY32).is_nan()
        assert rounded("zeta", large, [arb(30), arb(2) ** -6], BINARY64).is_finite()


def test_float64_intervals_do_not_suffice():
    x = np.array([0.5])
    (found,) = trace(lambda x: lax.bessel_i0e(x), x).read(Intervals(), x)
    assert isinstance(found, Interval64)
    assert not found.bounded().any()
