"""The logarithm of the gamma function and its derivative."""

import math

import numpy as np

from lenticulum import numbers, terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.elementwise.special import NAN, Array, Expected, Rules, special
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Lgamma)
def lgamma(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return log |Gamma(x)|, x no integer <= 0; the sign of Gamma is ignored. Derivative digamma x. Pure; no state."""
    return numbers.lgamma(x)


@meaning(terms.Digamma)
def digamma(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return Gamma'(x) / Gamma(x), x no integer <= 0. Derivative: trigamma x. Determined by x alone. Pure; no state."""
    return numbers.digamma(x)


@special(terms.Lgamma, 1.0, 2.0)
def lgamma_special(x: Array) -> Rules:
    """+0 at 1 and 2, inf at the poles and at ±inf. C23 F.10.5.3."""
    return [((x == 1) | (x == 2), 0.0), (np.isinf(x) | pole(x), np.inf)]


@special(terms.Digamma)
def digamma_special(x: Array, *, at_zero: str) -> Rules:
    """NaN at the poles -1, -2, ..., where the two sides differ; ∓inf or NaN at ±0 by convention; inf at inf.

    The poles accumulate at -inf; no standard says what is due there.
    """
    zero = np.copysign(np.inf, -x) if at_zero == "infinity" else NAN
    return [
        (x == 0, zero),
        (pole(x), NAN),
        (x == np.inf, np.inf),
        (x == -np.inf, Expected(math.nan, judged=False)),
    ]


def pole(x: Array) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return where the gamma function has a pole: at 0, -1, -2, ...

    >>> pole(np.array([0.0, -2.0, -0.5, 3.0])).tolist()
    [True, True, False, False]
    """
    return (x <= 0) & (x == np.floor(x)) & np.isfinite(x)
