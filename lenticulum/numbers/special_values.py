"""Named functions at signed zeros, infinities, NaN and poles, where arithmetic on real numbers says nothing.

Sources: IEEE 754-2019, 9.2.1; ISO C23, Annex F.10 (lgamma). What neither defines is the limit from the side that the
sign of a zero names, and NaN where the two sides of a pole differ.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

Element: TypeAlias = Fraction | float
"""A non-zero finite number as a Fraction, or one of the floats 0.0, -0.0, inf, -inf and nan."""

ODD_AT_ZERO = frozenset(
    ["expm1", "log1p", "sqrt", "cbrt", "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf", "erfinv"]
)
"""The functions with f(+0) = +0 and f(-0) = -0."""

HALF_PI, PI = Fraction(1, 2), Fraction(1)
"""Angles in units of pi."""


def at_special(name: str, x: Element) -> float | None:
    """The value at a zero, NaN or a pole; None where the function has a limit or a number.

    >>> at_special("rsqrt", -0.0), at_special("log", Fraction(1)), at_special("atanh", Fraction(-1))
    (-inf, None, -inf)
    """
    if isinstance(x, float):
        if math.isnan(x):
            return math.nan
        if not x:
            return _at_zero(name, x)
        return math.inf if name == "lgamma" else None
    if name == "log1p" and x == -1:
        return -math.inf
    if name in ("atanh", "erfinv") and abs(x) == 1:
        return math.copysign(math.inf, x)
    return math.inf if name == "lgamma" and x < 0 and x.denominator == 1 else None


def _at_zero(name: str, zero: float) -> float | None:
    if name in ODD_AT_ZERO:
        return zero
    poles = {
        "log": -math.inf,
        "log2": -math.inf,
        "log10": -math.inf,
        "lgamma": math.inf,
        "rsqrt": math.copysign(math.inf, zero),
        "digamma": -math.copysign(math.inf, zero),
    }
    return poles.get(name)


def polygamma_at_special(order: int, x: Element) -> float | None:
    """As `at_special`, for the derivatives of digamma: at a pole, (-1)^(n+1) n! / (x - pole)^(n+1) leads."""
    if order == 0:
        return at_special("digamma", x)
    if isinstance(x, float):
        if math.isnan(x) or x == -math.inf:
            return math.nan
        if x == math.inf:
            return 0.0 if order % 2 else -0.0
        return math.inf if order % 2 else -math.copysign(math.inf, x)
    if x < 0 and x.denominator == 1:
        return math.inf if order % 2 else math.nan
    return None


def power_at_special(x: Element, y: Element) -> Element | None:
    """powr(x, y) = exp(y log x) where x or y is no positive number; None where both are.

    >>> power_at_special(0.0, Fraction(-1)), power_at_special(math.inf, 0.0), power_at_special(Fraction(-2), 0.0)
    (inf, nan, nan)
    """
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return None if x > 0 else math.nan
    if math.isnan(x) or math.isnan(y) or x < 0:
        return math.nan
    if isinstance(y, Fraction) or math.isinf(y):
        # y log x is an infinity, or 0 times one.
        growth = (x > 1) - (x < 1)
        return math.nan if growth == 0 else math.inf if growth * y > 0 else 0.0
    return math.nan if isinstance(x, float) else Fraction(1)


def hypot_at_special(x: Element, y: Element) -> Element | None:
    """The larger magnitude where one of the two is a zero, an infinity or NaN (infinity wins); else None."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return None
    if math.isinf(x) or math.isinf(y):
        return math.inf
    if math.isnan(x) or math.isnan(y):
        return math.nan
    return max(abs(x), abs(y))


def angle_at_special(y: Element, x: Element) -> tuple[float, Fraction] | float | None:
    """atan2(y, x) where one is no non-zero number: a zero or NaN, or (sign, angle in units of pi); else None."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return None
    if math.isnan(x) or math.isnan(y):
        return math.nan
    sign = math.copysign(1.0, y)
    left = x < 0 or math.copysign(1.0, x) < 0
    if y == 0 or math.isinf(x) and not math.isinf(y):
        return (sign, PI) if left else math.copysign(0.0, y)
    if not math.isinf(x):
        return sign, HALF_PI
    return sign, Fraction(3 if left else 1, 4)
