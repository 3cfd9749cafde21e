"""Functional equations of the functions of two arguments."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# A formula takes as many arguments as its law has points, so those of a lambda have no type of their own.

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lenticulum import numbers, terms
from lenticulum.numbers import absolute, ball, ones_like, pi, rational
from lenticulum.spec.draw import Draw
from lenticulum.spec.elementwise.identity import DLMF, identity
from lenticulum.spec.elementwise.subject import (
    Evaluate,
    dyadic,
    evaluate,
    mistaken,
    nonzero,
    positive,
    real,
    same,
)
from lenticulum.spec.law import Grade, Law, require

NUMPY = "NumPy, https://numpy.org/doc/stable/reference/routines.math.html"
SCIPY = "SciPy, https://docs.scipy.org/doc/scipy/reference/special.html"


def whole_powers(of: Evaluate, draw: Draw) -> None:
    """x^n is the rational power, of a negative base too."""
    base, exponent = nonzero(draw), draw.integer(-5, 5)
    draw.observe("every base is positive", base > 0)
    draw.observe("every exponent is even", exponent % 2 == 0)
    draw.observe("every exponent is odd", exponent % 2 == 1)
    same(
        lambda: of(terms.Pow(), (ball(base), ball(exponent))),
        lambda: ball(rational(base) ** exponent),
        "x^n differs from the product",
        base=base,
        exponent=exponent,
    )


def quadrants(of: Evaluate, draw: Draw) -> None:
    """The angle lies on the side of its ordinate, within pi, and beyond pi/2 exactly if the abscissa is negative."""
    ordinate, abscissa = nonzero(draw), nonzero(draw)
    draw.observe("every point is in the right half", abscissa > 0)
    angle = of(terms.Atan2(), (ball(ordinate), ball(abscissa)))
    circle = pi(angle)
    at = {"ordinate": ordinate, "abscissa": abscissa, "angle": angle}
    require(bool((angle > 0) == (ordinate > 0)), "the angle is on the other side", **at)
    require(bool(absolute(angle) < circle), "the angle is more than pi", **at)
    require(bool((absolute(angle) > circle / 2) == (abscissa < 0)), "the angle is in another quadrant", **at)


def swapped(kind: Any) -> Any:
    """Return the function with its arguments exchanged."""

    def exchanged(x: Any, y: Any) -> Any:
        return evaluate(kind(), (y, x))

    return exchanged


POWERS: tuple[Law[Evaluate], ...] = (
    identity(
        "pow-sum",
        "x^(a + b) = x^a x^b",
        DLMF + "4.2.E33",
        (positive, real, real),
        lambda f, x, a, b: f.pow(x, a + b),
        lambda f, x, a, b: f.pow(x, a) * f.pow(x, b),
        {"the product": (terms.Pow, lambda x, y: x * y)},
    ),
    identity(
        "pow-log",
        "log(x^y) = y log x",
        DLMF + "4.2.E26",
        (positive, real),
        lambda f, x, y: f.log(f.pow(x, y)),
        lambda f, x, y: y * f.log(x),
        {"the exponent truncated": (terms.Pow, lambda x, y: numbers.power_real(x, y * 0))},
    ),
    Law(
        "pow-whole",
        "x^n is a product of n factors, or its inverse",
        DLMF + "4.2.E32",
        Grade.ENCLOSED,
        evaluate,
        whole_powers,
        {
            "of the absolute value": mistaken(terms.Pow, lambda x, y: numbers.power_real(absolute(x), y)),
            "the sign of the base": mistaken(
                terms.Pow, lambda x, y: numbers.where(x < 0, -ones_like(x), 1) * numbers.power_real(absolute(x), y)
            ),
        },
    ),
)

VECTORS: tuple[Law[Evaluate], ...] = (
    identity(
        "hypot-square",
        "hypot(x, y)² = x² + y²",
        "ISO C23, 7.12.7.4",
        (real, nonzero),
        lambda f, x, y: f.hypot(x, y) ** 2,
        lambda f, x, y: x * x + y * y,
        {"the sum": (terms.Hypot, lambda x, y: absolute(x) + absolute(y))},
    ),
    identity(
        "hypot-homogeneous",
        "hypot(cx, cy) = |c| hypot(x, y)",
        "ISO C23, 7.12.7.4",
        (nonzero, real, nonzero),
        lambda f, c, x, y: f.hypot(c * x, c * y),
        lambda f, c, x, y: absolute(c) * f.hypot(x, y),
        {"the square": (terms.Hypot, lambda x, y: x * x + y * y)},
    ),
    identity(
        "atan2-sin",
        "hypot(x, y) sin(atan2(x, y)) = x",
        "ISO C23, 7.12.4.4",
        (nonzero, nonzero),
        lambda f, x, y: f.hypot(x, y) * f.sin(f.atan2(x, y)),
        lambda f, x, y: x,
        {"the arguments exchanged": (terms.Atan2, swapped(terms.Atan2))},
    ),
    identity(
        "atan2-cos",
        "hypot(x, y) cos(atan2(x, y)) = y",
        "ISO C23, 7.12.4.4",
        (nonzero, nonzero),
        lambda f, x, y: f.hypot(x, y) * f.cos(f.atan2(x, y)),
        lambda f, x, y: y,
        {"one half-plane only": (terms.Atan2, lambda x, y: numbers.atan(x / y))},
    ),
    Law(
        "atan2-quadrants",
        "the angle has the sign of the ordinate, at most pi, more than pi/2 where the abscissa is negative",
        "ISO C23, 7.12.4.4",
        Grade.ENCLOSED,
        evaluate,
        quadrants,
        {
            "one half-plane only": mistaken(terms.Atan2, lambda x, y: numbers.atan(x / y)),
            "from 0 to 2 pi": mistaken(
                terms.Atan2, lambda x, y: numbers.atan2(x, y) + numbers.where(x < 0, 2 * pi(x), 0 * x)
            ),
        },
    ),
)

SUMS: tuple[Law[Evaluate], ...] = (
    identity(
        "logaddexp-exp",
        "exp(logaddexp(x, y)) = exp x + exp y",
        NUMPY,
        (real, real),
        lambda f, x, y: f.exp(f.logaddexp(x, y)),
        lambda f, x, y: f.exp(x) + f.exp(y),
        {"the larger": (terms.Logaddexp, numbers.maximum)},
    ),
    identity(
        "logaddexp-shift",
        "logaddexp(x + c, y + c) = logaddexp(x, y) + c",
        NUMPY,
        (real, real, real),
        lambda f, x, y, c: f.logaddexp(x + c, y + c),
        lambda f, x, y, c: f.logaddexp(x, y) + c,
        {"the softplus of the sum": (terms.Logaddexp, lambda x, y: numbers.softplus(x + y))},
    ),
    identity(
        "logaddexp-symmetric",
        "logaddexp(x, y) = logaddexp(y, x)",
        NUMPY,
        (real, real),
        lambda f, x, y: f.logaddexp(x, y),
        lambda f, x, y: f.logaddexp(y, x),
        {"not ordered": (terms.Logaddexp, lambda x, y: x + numbers.softplus(x - y))},
    ),
    identity(
        "logaddexp2-exp2",
        "exp2(logaddexp2(x, y)) = exp2 x + exp2 y",
        NUMPY,
        (real, real),
        lambda f, x, y: f.exp2(f.logaddexp2(x, y)),
        lambda f, x, y: f.exp2(x) + f.exp2(y),
        {"base e": (terms.Logaddexp2, lambda x, y: x + numbers.softplus(y - x))},
    ),
    identity(
        "logaddexp2-shift",
        "logaddexp2(x + c, y + c) = logaddexp2(x, y) + c",
        NUMPY,
        (real, real, real),
        lambda f, x, y, c: f.logaddexp2(x + c, y + c),
        lambda f, x, y, c: f.logaddexp2(x, y) + c,
        {"in bits only outside": (terms.Logaddexp2, lambda x, y: numbers.log2(numbers.exp2(x) + numbers.exp(y)))},
    ),
    identity(
        "logaddexp2-tie",
        "logaddexp2(x, x) = x + 1",
        NUMPY,
        (dyadic,),
        lambda f, x: f.logaddexp2(x, x),
        lambda f, x: x + 1,
        {"the larger": (terms.Logaddexp2, numbers.maximum)},
    ),
)

PRODUCTS: tuple[Law[Evaluate], ...] = (
    identity(
        "xlogy-product",
        "xlogy(x, ab) = xlogy(x, a) + xlogy(x, b)",
        SCIPY,
        (real, positive, positive),
        lambda f, x, a, b: f.xlogy(x, a * b),
        lambda f, x, a, b: f.xlogy(x, a) + f.xlogy(x, b),
        {"shifted by one": (terms.Xlogy, lambda x, y: x * numbers.log1p(y))},
    ),
    identity(
        "xlogy-entr",
        "xlogy(x, x) = -entr x",
        SCIPY,
        (positive,),
        lambda f, x: f.xlogy(x, x),
        lambda f, x: -f.entr(x),
        {"in bits": (terms.Xlogy, lambda x, y: x * numbers.log2(y))},
    ),
    identity(
        "xlog1py-xlogy",
        "xlog1py(x, y) = xlogy(x, 1 + y)",
        SCIPY,
        (real, positive),
        lambda f, x, y: f.xlog1py(x, y - Fraction(1, 2**21)),
        lambda f, x, y: f.xlogy(x, 1 + y - Fraction(1, 2**21)),
        {"not shifted": (terms.Xlog1py, lambda x, y: x * numbers.log(absolute(y)))},
    ),
)

LAWS = (*POWERS, *VECTORS, *SUMS, *PRODUCTS)
