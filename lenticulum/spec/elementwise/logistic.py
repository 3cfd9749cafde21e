"""The logistic sigmoid, its inverse, and the logarithms of sums of powers."""

import numpy as np

from lenticulum import numbers, terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.elementwise.operands import Pair, operands
from lenticulum.spec.elementwise.special import NAN, Array, Rules, special
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Sigmoid)
def sigmoid(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return 1 / (1 + e^-x). Derivative y (1 - y). Determined by x alone. Pure; no state."""
    return numbers.sigmoid(x)


@textbook(terms.Sigmoid)
def sigmoid_of_negative(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return 1 / (1 + e^-x); e^-x overflows for large negative x."""
    return 1 / (1 + numbers.exp(-x))


@textbook(terms.Sigmoid)
def sigmoid_quotient(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return e^x / (1 + e^x); e^x overflows for large x."""
    power = numbers.exp(x)
    return power / (1 + power)


@textbook(terms.Logit)
@meaning(terms.Logit)
def logit(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return log x - log(1 - x) for 0 < x < 1. Derivative 1 / (x (1 - x)). Determined by x alone. Pure; no state."""
    return numbers.log(x) - numbers.log1p(-x)


@textbook(terms.Logit)
def logit_of_odds(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return log(x / (1 - x))."""
    return numbers.log(x / (1 - x))


@meaning(terms.Logaddexp)
def logaddexp(parameters: Tree, x: Pair) -> ExactArray:
    """Return log(e^a + e^b) for x = (a, b), as larger + softplus(smaller - larger): no overflow, no cancellation.

    At a tie both orders are the same smooth function, so the derivatives e^a / (e^a + e^b) and e^b / (e^a + e^b) are
    right there too. Determined by the two arrays alone. Pure; no state.
    """
    larger, smaller = ordered(*operands(x, "Logaddexp"))
    return larger + numbers.softplus(smaller - larger)


@textbook(terms.Logaddexp)
def logaddexp_sum(parameters: Tree, x: Pair) -> ExactArray:
    """Return log(e^a + e^b)."""
    one, other = operands(x, "Logaddexp")
    return numbers.log(numbers.exp(one) + numbers.exp(other))


@textbook(terms.Logaddexp)
def logaddexp_shifted(parameters: Tree, x: Pair) -> ExactArray:
    """Return max(a, b) + log(1 + e^-|a - b|)."""
    one, other = operands(x, "Logaddexp")
    return numbers.maximum(one, other) + numbers.log1p(numbers.exp(-numbers.absolute(one - other)))


@meaning(terms.Logaddexp2)
def logaddexp2(parameters: Tree, x: Pair) -> ExactArray:
    """Return log2(2^a + 2^b) for x = (a, b), as larger + softplus((smaller - larger) log 2) / log 2.

    At a tie, where the value a + 1 is a number of the format and may be 0, the Taylor polynomial of degree 3 gives it
    exactly: (a + b)/2 + 1 + (a - b)² (log 2) / 8. Derivatives 2^a / (2^a + 2^b) and 2^b / (2^a + 2^b).
    Determined by the two arrays alone. Pure; no state.
    """
    one, other = operands(x, "Logaddexp2")
    larger, smaller = ordered(one, other)
    log_two, difference = numbers.log(larger.lift(2)), smaller - larger
    apart = larger + numbers.softplus(difference * log_two) / log_two
    tied = (one + other) / 2 + 1 + difference * difference * log_two / 8
    return numbers.where(smaller >= larger, tied, apart)


@textbook(terms.Logaddexp2)
def logaddexp2_sum(parameters: Tree, x: Pair) -> ExactArray:
    """Return log2(2^a + 2^b)."""
    one, other = operands(x, "Logaddexp2")
    return numbers.log2(numbers.exp2(one) + numbers.exp2(other))


@textbook(terms.Logaddexp2)
def logaddexp2_shifted(parameters: Tree, x: Pair) -> ExactArray:
    """Return max(a, b) + log(1 + 2^-|a - b|) / log 2."""
    one, other = operands(x, "Logaddexp2")
    power = numbers.exp2(-numbers.absolute(one - other))
    return numbers.maximum(one, other) + numbers.log1p(power) / numbers.log(one.lift(2))


@special(terms.Sigmoid)
def sigmoid_special(x: Array) -> Rules:
    """1/2 at ±0; the limits +0 and 1 at the ends."""
    return [(x == 0, 0.5), (x == -np.inf, 0.0), (x == np.inf, 1.0)]


@special(terms.Logit, 0.5, 1.0)
def logit_special(x: Array) -> Rules:
    """±inf at 1 and 0, NaN outside; +0 at 1/2, as log 1."""
    return [(x == 0, -np.inf), (x == 1, np.inf), ((x < 0) | (x > 1), NAN), (x == 0.5, 0.0)]


@special(terms.Logaddexp)
@special(terms.Logaddexp2)
def logaddexp_special(x: Array, y: Array) -> Rules:
    """inf if an argument is inf; the other argument where one is -inf, +0 for ±0: limits of the definition."""
    return [
        ((x == np.inf) | (y == np.inf), np.inf),
        # Adding 0 makes +0 of -0: the zero of the sum is that of log 1.
        (x == -np.inf, y + 0.0),
        (y == -np.inf, x + 0.0),
    ]


def ordered(one: ExactArray, other: ExactArray) -> tuple[ExactArray, ExactArray]:
    """Return the larger and the smaller of two arrays, entry by entry; Undecided where enclosures overlap.

    >>> from lenticulum.numbers import rational
    >>> ordered(rational([1, 5]), rational([3, 2]))
    (Rational([3, 5]), Rational([1, 2]))
    """
    first = one >= other
    return numbers.where(first, one, other), numbers.where(first, other, one)
