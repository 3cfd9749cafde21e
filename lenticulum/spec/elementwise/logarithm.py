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


@meaning(terms.Log2)
def log2(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return log x / log 2 for x > 0. Derivative 1 / (x log 2). Determined by x alone. Pure; no state."""
    return numbers.log2(x)


@meaning(terms.Log10)
def log10(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return log x / log 10 for x > 0. Derivative 1 / (x log 10). Determined by x alone. Pure; no state."""
    return numbers.log10(x)


@meaning(terms.Log1p)
def log1p(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return log(1 + x) for x > -1. Derivative 1 / (1 + x). Determined by x alone. Pure; no state."""
    return numbers.log1p(x)


@special(terms.Log, 1.0)
@special(terms.Log2, 1.0)
@special(terms.Log10, 1.0)
def log_special(x: Array) -> Rules:
    """-inf at ±0, +0 at 1, NaN below 0. IEEE 754-2019, 9.2.1; C23 F.10.3.11, F.10.3.12 and F.10.3.15."""
    return [(x == 0, -np.inf), (x < 0, NAN), (x == 1, 0.0), (x == np.inf, np.inf)]


@special(terms.Log1p, -1.0)
def log1p_special(x: Array) -> Rules:
    """±0 at ±0, -inf at -1, NaN below. IEEE 754-2019, 9.2.1; C23 F.10.3.14."""
    return [(x == 0, x), (x == -1, -np.inf), (x < -1, NAN), (x == np.inf, np.inf)]
