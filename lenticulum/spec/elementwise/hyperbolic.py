"""The hyperbolic functions and their inverses."""

import numpy as np

from lenticulum import numbers, terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.elementwise.special import Array, Rules, special
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Tanh)
def tanh(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return tanh x. Derivative 1 - tanh² x. Determined by x alone. Pure; no state."""
    return numbers.tanh(x)


@special(terms.Tanh)
def tanh_special(x: Array) -> Rules:
    """±0 at ±0, ±1 at ±inf. IEEE 754-2019, 9.2.1; C23 F.10.2.6."""
    return [(x == 0, x), (np.isinf(x), np.sign(x))]
