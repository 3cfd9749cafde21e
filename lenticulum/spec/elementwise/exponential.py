"""The exponential functions."""

import numpy as np

from lenticulum import numbers, terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.elementwise.special import Array, Rules, special
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Exp)
def exp(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return e^x. Derivative e^x. Determined by x alone. Pure; no state."""
    return numbers.exp(x)


@meaning(terms.Exp2)
def exp2(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return 2^x. Derivative 2^x log 2. Determined by x alone. Pure; no state."""
    return numbers.exp2(x)


@meaning(terms.Expm1)
def expm1(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return e^x - 1. Derivative e^x. Determined by x alone. Pure; no state."""
    return numbers.expm1(x)


@special(terms.Exp)
@special(terms.Exp2)
def exp_special(x: Array) -> Rules:
    """1 at ±0, +0 and inf at the ends. IEEE 754-2019, 9.2.1; C23 F.10.3.1 and F.10.3.4."""
    return [(x == 0, 1.0), (x == -np.inf, 0.0), (x == np.inf, np.inf)]


@special(terms.Expm1)
def expm1_special(x: Array) -> Rules:
    """±0 at ±0, -1 and inf at the ends. IEEE 754-2019, 9.2.1; C23 F.10.3.6."""
    return [(x == 0, x), (x == -np.inf, -1.0), (x == np.inf, np.inf)]
