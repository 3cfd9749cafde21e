"""The trigonometric functions and their inverses, the angle of a point, the length of a vector, and sinc."""

from functools import lru_cache

import numpy as np

from lenticulum import numbers, terms
from lenticulum.numbers import Ball, ExactArray, ball
from lenticulum.spec.elementwise.operands import Pair, operands
from lenticulum.spec.elementwise.special import NAN, Array, Expected, Rules, special
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Sin)
def sin(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return sin x. Derivative cos x. Determined by x alone. Pure; no state."""
    return numbers.sin(x)


@meaning(terms.Cos)
def cos(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return cos x. Derivative -sin x. Determined by x alone. Pure; no state."""
    return numbers.cos(x)


@meaning(terms.Tan)
def tan(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return sin x / cos x. Derivative 1 + tan² x. Determined by x alone. Pure; no state."""
    return numbers.tan(x)


@meaning(terms.Asin)
def asin(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return y in [-pi/2, pi/2] with sin y = x, |x| <= 1. Derivative 1 / sqrt(1 - x²). Pure; no state."""
    return numbers.asin(x)


@meaning(terms.Acos)
def acos(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return y in [0, pi] with cos y = x, |x| <= 1. Derivative -1 / sqrt(1 - x²). Pure; no state."""
    return numbers.acos(x)


@meaning(terms.Atan)
def atan(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return y in (-pi/2, pi/2) with tan y = x. Derivative 1 / (1 + x²). Determined by x alone. Pure; no state."""
    return numbers.atan(x)


@meaning(terms.Atan2)
def atan2(parameters: Tree, x: Pair) -> ExactArray:
    """Return the angle in (-pi, pi] of the point with x = (ordinate, abscissa); signed zeros stand in the table.

    Derivatives b / (a² + b²) and -a / (a² + b²) for x = (a, b). Determined by the two arrays alone. Pure; no state.
    """
    ordinate, abscissa = operands(x, "Atan2")
    return numbers.atan2(ordinate, abscissa)


@meaning(terms.Hypot)
def hypot(parameters: Tree, x: Pair) -> ExactArray:
    """Return sqrt(a² + b²) for x = (a, b). Derivatives a/h and b/h. Pure; no state."""
    one, other = operands(x, "Hypot")
    return numbers.hypot(one, other)


@meaning(terms.Sinc)
def sinc(parameters: Tree, x: ExactArray, *, normalised: str) -> ExactArray:
    """Return sin(pi x) / (pi x), or sin x / x if not normalised; 1 at 0, with the derivative 0 there. Pure; no state.

    Right of the quotient stands the Taylor polynomial 1 - x²/6 of degree 3 at 0, for derivatives of first and second
    order. Determined by x and the convention.
    """
    if normalised == "yes":
        return numbers.sinc(x)
    zero = np.asarray((x >= 0) & (x <= 0))
    nonzero = numbers.where(zero, numbers.ones_like(x), x)
    return numbers.where(zero, 1 - x * x / 6, numbers.sin(nonzero) / nonzero)


@textbook(terms.Sinc, normalised="yes")
def sinc_normalised_quotient(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return sin(pi x) / (pi x), x not 0."""
    angle = numbers.pi(x) * x
    return numbers.sin(angle) / angle


@textbook(terms.Sinc, normalised="no")
def sinc_quotient(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return sin x / x, x not 0."""
    return numbers.sin(x) / x


@special(terms.Sin)
@special(terms.Tan)
def sin_special(x: Array) -> Rules:
    """±0 at ±0, NaN at ±inf. IEEE 754-2019, 9.2.1; C23 F.10.1.6 and F.10.1.7."""
    return [(x == 0, x), (np.isinf(x), NAN)]


@special(terms.Cos)
def cos_special(x: Array) -> Rules:
    """1 at ±0, NaN at ±inf. IEEE 754-2019, 9.2.1; C23 F.10.1.5."""
    return [(x == 0, 1.0), (np.isinf(x), NAN)]


@special(terms.Asin)
def asin_special(x: Array) -> Rules:
    """±0 at ±0, NaN for |x| > 1. IEEE 754-2019, 9.2.1; C23 F.10.1.2."""
    return [(x == 0, x), (np.abs(x) > 1, NAN)]


@special(terms.Acos, 1.0)
def acos_special(x: Array) -> Rules:
    """+0 at 1, NaN for |x| > 1. IEEE 754-2019, 9.2.1; C23 F.10.1.1."""
    return [(x == 1, 0.0), (np.abs(x) > 1, NAN)]


@special(terms.Atan)
def atan_special(x: Array) -> Rules:
    """±0 at ±0, ±pi/2 at ±inf. IEEE 754-2019, 9.2.1; C23 F.10.1.3."""
    return [(x == 0, x), (x == np.inf, turn(1)), (x == -np.inf, turn(-1))]


@special(terms.Atan2)
def atan2_special(x: Array, y: Array) -> Rules:
    """The table of atan2(y, x) in C23 F.10.1.4; here x is the ordinate and y the abscissa."""
    up, left = ~np.signbit(x), np.signbit(y)
    infinite = np.isinf(x) & np.isinf(y)
    straight = (x == 0) | np.isinf(y)
    upright = (y == 0) | np.isinf(x)
    return [
        *((infinite & left & (up == above), turn(3 if above else -3, 4)) for above in (True, False)),
        *((infinite & ~left & (up == above), turn(1 if above else -1, 4)) for above in (True, False)),
        *((straight & left & (up == above), turn(2 if above else -2)) for above in (True, False)),
        (straight & ~left, np.copysign(0.0, x)),
        *((upright & (up == above), turn(1 if above else -1)) for above in (True, False)),
    ]


@special(terms.Hypot, answers_nan=True)
def hypot_special(x: Array, y: Array) -> Rules:
    """inf if an argument is infinite, even beside NaN; |x| beside ±0. C23 F.10.4.4."""
    return [
        (np.isinf(x) | np.isinf(y), np.inf),
        (np.isnan(x) | np.isnan(y), NAN),
        (y == 0, np.abs(x)),
        (x == 0, np.abs(y)),
    ]


@special(terms.Sinc)
def sinc_special(x: Array) -> Rules:
    """1 at ±0; at ±inf the limit is 0 and NumPy, JAX and PyTorch return NaN, so it is not judged."""
    return [(x == 0, 1.0), (np.isinf(x), Expected(0.0, judged=False))]


@lru_cache
def turn(count: int, denominator: int = 2) -> Expected:
    """Return the limit pi count / denominator.

    >>> turn(1).limit()  # pi/2
    Ball([1.5707963267949... +/- ...])
    """

    def limit() -> Ball:
        return numbers.pi(ball([0])) * count / denominator

    return Expected(limit=limit)
