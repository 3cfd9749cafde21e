"""The logarithms."""

import numpy as np

from lenticulum import numbers, terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.elementwise.special import NAN, Array, Rules, special
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Log)
def log(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return log x for x > 0. Derivative 1/x. Determined by x alone. Pure; no state."""
    return numbers.log(x)


@special(terms.Log, 1.0)
def log_special(x: Array) -> Rules:
    """-inf at ±0, +0 at 1, NaN below 0. IEEE 754-2019, 9.2.1; C23 F.10.3.11."""
    return [(x == 0, -np.inf), (x < 0, NAN), (x == 1, 0.0), (x == np.inf, np.inf)]
