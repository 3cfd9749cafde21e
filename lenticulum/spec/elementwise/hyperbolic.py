"""The hyperbolic functions and their inverses."""

import numpy as np

from lenticulum import numbers, terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.elementwise.special import NAN, Array, Rules, special
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Sinh)
def sinh(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return (e^x - e^-x) / 2. Derivative cosh x. Determined by x alone. Pure; no state."""
    return numbers.sinh(x)


@meaning(terms.Cosh)
def cosh(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return (e^x + e^-x) / 2. Derivative sinh x. Determined by x alone. Pure; no state."""
    return numbers.cosh(x)


@meaning(terms.Tanh)
def tanh(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return tanh x. Derivative 1 - tanh² x. Determined by x alone. Pure; no state."""
    return numbers.tanh(x)


@meaning(terms.Asinh)
def asinh(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return y with sinh y = x. Derivative 1 / sqrt(1 + x²). Determined by x alone. Pure; no state."""
    return numbers.asinh(x)


@meaning(terms.Acosh)
def acosh(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return y >= 0 with cosh y = x >= 1. Derivative 1 / sqrt(x² - 1). Determined by x alone. Pure; no state."""
    return numbers.acosh(x)


@meaning(terms.Atanh)
def atanh(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return y with tanh y = x, |x| < 1. Derivative 1 / (1 - x²). Determined by x alone. Pure; no state."""
    return numbers.atanh(x)


@special(terms.Sinh)
@special(terms.Asinh)
def sinh_special(x: Array) -> Rules:
    """±0 at ±0, ±inf at ±inf. IEEE 754-2019, 9.2.1; C23 F.10.2.2 and F.10.2.5."""
    return [((x == 0) | np.isinf(x), x)]


@special(terms.Cosh)
def cosh_special(x: Array) -> Rules:
    """1 at ±0, inf at ±inf. IEEE 754-2019, 9.2.1; C23 F.10.2.4."""
    return [(x == 0, 1.0), (np.isinf(x), np.inf)]


@special(terms.Tanh)
def tanh_special(x: Array) -> Rules:
    """±0 at ±0, ±1 at ±inf. IEEE 754-2019, 9.2.1; C23 F.10.2.6."""
    return [(x == 0, x), (np.isinf(x), np.sign(x))]


@special(terms.Acosh, 1.0)
def acosh_special(x: Array) -> Rules:
    """+0 at 1, NaN below. IEEE 754-2019, 9.2.1; C23 F.10.2.1."""
    return [(x == 1, 0.0), (x < 1, NAN), (x == np.inf, np.inf)]


@special(terms.Atanh, -1.0, 1.0)
def atanh_special(x: Array) -> Rules:
    """±0 at ±0, ±inf at ±1, NaN beyond. IEEE 754-2019, 9.2.1; C23 F.10.2.3."""
    return [(x == 0, x), (np.abs(x) == 1, np.copysign(np.inf, x)), (np.abs(x) > 1, NAN)]
