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


@special(terms.Exp)
def exp_special(x: Array) -> Rules:
    """1 at ±0, +0 and inf at the ends. IEEE 754-2019, 9.2.1; C23 F.10.3.1."""
    return [(x == 0, 1.0), (x == -np.inf, 0.0), (x == np.inf, np.inf)]
