"""Roots and the real power."""

import numpy as np

from lenticulum import numbers, terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.elementwise.operands import Pair, operands
from lenticulum.spec.elementwise.special import NAN, Array, Rules, special
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Sqrt)
def sqrt(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return the square root of x >= 0. Derivative 1 / (2 sqrt x), infinite at 0. Pure; no state."""
    return numbers.sqrt(x)


@meaning(terms.Rsqrt)
def rsqrt(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return 1 / sqrt x for x > 0. Derivative -1 / (2 x sqrt x). Determined by x alone. Pure; no state."""
    return numbers.rsqrt(x)


@meaning(terms.Cbrt)
def cbrt(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return the real cube root. Derivative 1 / (3 cbrt² x), infinite at 0. Determined by x alone. Pure; no state."""
    return numbers.cbrt(x)


@meaning(terms.Pow)
def pow(parameters: Tree, x: Pair) -> ExactArray:
    """Return base^exponent for x = (base, exponent): a base > 0, or a base < 0 with an integer exponent.

    (-b)^n = ±b^n, with the sign of (-1)^n. At the base 0, where the function has no derivative, the table of special
    values is the definition. Derivatives y x^(y-1) and x^y log |x|: left of 0 the exponent varies along |x|^y.
    Determined by the two arrays alone. Pure; no state.
    """
    base, exponent = operands(x, "Pow")
    negative = base < 0
    whole, odd = np.zeros(base.shape, np.bool_), np.zeros(base.shape, np.bool_)
    whole[negative], odd[negative] = numbers.parity(exponent[negative])
    # Without an integer exponent the base stays negative, and every number system refuses it in its own way.
    size = numbers.power_real(numbers.where(np.asarray(negative & ~whole), base, numbers.absolute(base)), exponent)
    return numbers.where(odd, -size, size)


@special(terms.Sqrt)
def sqrt_special(x: Array) -> Rules:
    """±0 at ±0, NaN below. IEEE 754-2019, 5.4.1 and 6.3."""
    return [(x == 0, x), (x < 0, NAN), (x == np.inf, np.inf)]


@special(terms.Rsqrt)
def rsqrt_special(x: Array) -> Rules:
    """±inf at ±0, NaN below, +0 at inf. IEEE 754-2019, 9.2.1; C23 F.10.4.9."""
    return [(x == 0, np.copysign(np.inf, x)), (x < 0, NAN), (x == np.inf, 0.0)]


@special(terms.Cbrt)
def cbrt_special(x: Array) -> Rules:
    """±0 at ±0, ±inf at ±inf. C23 F.10.4.1."""
    return [((x == 0) | np.isinf(x), x)]


@special(terms.Pow, 1.0, answers_nan=True)
def pow_special(x: Array, y: Array) -> Rules:
    """The table of pow in C23 F.10.4.5, which is that of IEEE 754-2019, 9.2.1."""
    whole = np.isfinite(y) & (y == np.floor(y))
    odd = whole & (np.mod(y, 2) == 1)
    signed = np.where(odd, np.copysign(1.0, x), 1.0)
    small = np.abs(x) < 1
    return [
        ((x == 1) | (y == 0), 1.0),
        (np.isnan(x) | np.isnan(y), NAN),
        ((x == -1) & np.isinf(y), 1.0),
        (np.isinf(y), np.where(small == (y > 0), 0.0, np.inf)),
        (x == 0, signed * np.where(y < 0, np.inf, 0.0)),
        (np.isinf(x), signed * np.where(y < 0, 0.0, np.inf)),
        ((x < 0) & ~whole, NAN),
    ]
