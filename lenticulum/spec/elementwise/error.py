"""The error function, its complement and its inverse."""

import numpy as np

from lenticulum import numbers, terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.elementwise.special import NAN, Array, Rules, special
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Erf)
def erf(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return 2/sqrt(pi) times the integral of exp(-t²) from 0 to x. Derivative 2/sqrt(pi) exp(-x²). Pure; no state."""
    return numbers.erf(x)


@meaning(terms.Erfc)
def erfc(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return 1 - erf x. Derivative -2/sqrt(pi) exp(-x²). Determined by x alone. Pure; no state."""
    return numbers.erfc(x)


@meaning(terms.Erfinv)
def erfinv(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return y with erf y = x, |x| < 1. Derivative sqrt(pi)/2 exp(y²). Determined by x alone. Pure; no state."""
    return numbers.erfinv(x)


@special(terms.Erf)
def erf_special(x: Array) -> Rules:
    """±0 at ±0, ±1 at ±inf. C23 F.10.5.1."""
    return [(x == 0, x), (np.isinf(x), np.sign(x))]


@special(terms.Erfc)
def erfc_special(x: Array) -> Rules:
    """2 and +0 at the ends: C23 F.10.5.2. 1 at ±0, exactly, by the definition."""
    return [(x == 0, 1.0), (x == -np.inf, 2.0), (x == np.inf, 0.0)]


@special(terms.Erfinv, -1.0, 1.0)
def erfinv_special(x: Array) -> Rules:
    """±0 at ±0, ±inf at ±1, NaN beyond: limits of the definition, as in SciPy, JAX and PyTorch."""
    return [(x == 0, x), (np.abs(x) == 1, np.copysign(np.inf, x)), (np.abs(x) > 1, NAN)]
