"""The products with a logarithm: entr, xlogy and xlog1py."""

import math

import numpy as np

from lenticulum import numbers, terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.elementwise.operands import Pair, operands
from lenticulum.spec.elementwise.special import NAN, Array, Booleans, Rule, Rules, special
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Entr)
def entr(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return -x log x for x > 0; the value at 0 stands in the table. Derivative -log x - 1. Pure; no state."""
    return -x * numbers.log(x)


@meaning(terms.Xlogy)
def xlogy(parameters: Tree, x: Pair) -> ExactArray:
    """Return a log b for x = (a, b), b > 0. Derivatives log b and a/b. Pure; no state.

    For a = 0 with another b the table of special values gives 0. Determined by the two arrays alone.
    """
    factor, argument = operands(x, "Xlogy")
    return factor * numbers.log(argument)


@meaning(terms.Xlog1py)
def xlog1py(parameters: Tree, x: Pair) -> ExactArray:
    """Return a log(1 + b) for x = (a, b), b > -1. Derivatives log(1 + b) and a / (1 + b). Pure; no state.

    For a = 0 with another b the table of special values gives 0. Determined by the two arrays alone.
    """
    factor, argument = operands(x, "Xlog1py")
    return factor * numbers.log1p(argument)


@special(terms.Entr)
def entr_special(x: Array) -> Rules:
    """0 at ±0, the limit from above; -inf below 0 and at inf. As in SciPy: the concave function extended by -inf."""
    return [(x == 0, 0.0), ((x < 0) | (x == np.inf), -np.inf)]


@special(terms.Xlogy, answers_nan=True)
def xlogy_special(x: Array, y: Array, *, at_nan: str) -> Rules:
    """0 where x = 0; x log y in the extended reals otherwise, NaN where that does not exist."""
    return _product(x, y, y == 0, y < 0, np.where(y == 1, 0.0, np.where(y > 1, 1.0, -1.0)), at_nan)


@special(terms.Xlog1py, -1.0, answers_nan=True)
def xlog1py_special(x: Array, y: Array, *, at_nan: str) -> Rules:
    """0 where x = 0; x log(1 + y) in the extended reals otherwise, NaN where that does not exist."""
    return _product(x, y, y == -1, y < -1, np.sign(y), at_nan)


def _product(x: Array, y: Array, pole: Booleans, outside: Booleans, log_sign: Array, at_nan: str) -> Rules:
    """The rules of x log: `log_sign` is the sign of the logarithm, inside the domain."""
    at_zero: Rule = (x == 0, np.where(np.isnan(y), math.nan if at_nan == "nan" else 0.0, 0.0))
    return [
        at_zero,
        (np.isnan(x) | np.isnan(y) | outside, NAN),
        (pole, -np.copysign(np.inf, x)),
        (np.isinf(x) & (log_sign == 0), NAN),
        (np.isinf(x) | (y == np.inf), np.copysign(np.inf, x * log_sign)),
    ]
