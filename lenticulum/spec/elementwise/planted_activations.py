"""Planted mistakes about activations: evaluations that are wrong for one of them and right for the others."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from lenticulum import terms
from lenticulum.numbers import ExactArray, absolute, erfc, expm1, maximum, minimum, sigmoid, sqrt, tanh, where
from lenticulum.numbers import softplus as exact_softplus
from lenticulum.spec.elementwise.textbook import evaluation_of
from lenticulum.terms import Term, replace

Evaluate = Callable[[Term, ExactArray], ExactArray]


def evaluate(term: Term, x: ExactArray) -> ExactArray:
    """Return the value of an activation: the meaning of the term."""
    return evaluation_of(term)(x)


def mistaken(kind: type[Term], wrong: Evaluate) -> Evaluate:
    """Return the evaluation that is `wrong` for terms of one kind."""
    return lambda term, x: wrong(term, x) if type(term) is kind else evaluate(term, x)


def first_convention(term: Term, x: ExactArray) -> ExactArray:
    """The derivative at a kink is always that of the first convention: zero, left, outside."""
    for first in ("zero", "left", "outside"):
        try:
            return evaluate(replace(term, at_kink=first), x)
        except ValueError:
            continue
    raise AssertionError(f"{term} has no convention of a kink")


def one_sided_at_ties(term: Term, x: ExactArray) -> ExactArray:
    """The derivative at a kink is 1 whatever the convention, as of a comparison x >= 0."""
    y = evaluate(term, x)
    return y + x - maximum(x, 0) - minimum(x, 0)


def gelu_by_sigmoid(term: Term, x: ExactArray) -> ExactArray:
    """x sigmoid(1.702 x): the third function that is called gelu."""
    return x * sigmoid(Fraction("1.702") * x)


def gelu_of_unscaled_error_function(term: Term, x: ExactArray) -> ExactArray:
    """x/2 erfc(-x): the distribution of variance 1/2."""
    return x / 2 * erfc(-x)


def approximation_exchanged(term: Term, x: ExactArray) -> ExactArray:
    """The tanh approximation for the definition, and the other way round."""
    assert isinstance(term, terms.Gelu)
    return evaluate(terms.Gelu("none" if term.approximate == "tanh" else "tanh"), x)


def softplus_with_threshold(term: Term, x: ExactArray) -> ExactArray:
    """The identity where beta x > 20."""
    assert isinstance(term, terms.Softplus)
    return where(Fraction(term.beta) * x > 20, x, evaluate(term, x))


def softplus_not_divided(term: Term, x: ExactArray) -> ExactArray:
    """log(1 + exp(beta x)) without the division by beta."""
    assert isinstance(term, terms.Softplus)
    return exact_softplus(Fraction(term.beta) * x)


def log_sigmoid_with_lost_sign(term: Term, x: ExactArray) -> ExactArray:
    """-softplus(x)."""
    return -exact_softplus(x)


def mish_of_sigmoid(term: Term, x: ExactArray) -> ExactArray:
    """x tanh(sigmoid(x))."""
    return x * tanh(sigmoid(x))


def celu_not_scaled(term: Term, x: ExactArray) -> ExactArray:
    """alpha expm1(x) below 0: elu."""
    assert isinstance(term, terms.Celu)
    return maximum(x, 0) + Fraction(term.alpha) * expm1(minimum(x, 0))


def elu_of_scaled_argument(term: Term, x: ExactArray) -> ExactArray:
    """alpha expm1(x / alpha) below 0: celu."""
    assert isinstance(term, terms.Elu)
    return evaluate(terms.Celu(term.alpha), x)


def constants_exchanged(term: Term, x: ExactArray) -> ExactArray:
    """Selu with scale and alpha exchanged."""
    assert isinstance(term, terms.Selu)
    return evaluate(terms.Selu(term.alpha, term.scale, term.at_kink), x)


def silu_of_hard_sigmoid(term: Term, x: ExactArray) -> ExactArray:
    """x relu6(x + 3) / 6."""
    return evaluate(terms.HardSilu(), x)


def leaking_below_low(term: Term, x: ExactArray) -> ExactArray:
    """Below the low end, the identity divided by 10 goes on."""
    y = evaluate(term, x)
    return y + minimum(x, 0) / 10


def rectified_from_one(term: Term, x: ExactArray) -> ExactArray:
    """0 up to 1, then x."""
    return where(x > 1, x, 0)


def offset_of_another_slope(term: Term, x: ExactArray) -> ExactArray:
    """slope clip(x + 3, 0, 1/slope): the offset of the slope 1/6."""
    assert isinstance(term, terms.HardSigmoid)
    slope = Fraction(term.slope)
    return slope * minimum(maximum(x + 3, 0), 1 / slope)


def squareplus_not_halved(term: Term, x: ExactArray) -> ExactArray:
    """x + sqrt(x² + b)."""
    return 2 * evaluate(term, x)


def squareplus_of_squared_constant(term: Term, x: ExactArray) -> ExactArray:
    """(x + sqrt(x² + b²)) / 2."""
    assert isinstance(term, terms.Squareplus)
    return (x + sqrt(x * x + Fraction(term.b) ** 2)) / 2


def sparse_plus_not_quartered(term: Term, x: ExactArray) -> ExactArray:
    """(x + 1)² / 2 between: neither value nor slope joins at 1."""
    return where(absolute(x) < 1, (x + 1) ** 2 / 2, evaluate(term, x))


def soft_sign_with_smooth_root(term: Term, x: ExactArray) -> ExactArray:
    """x / sqrt(1 + x²): another sigmoid."""
    return x / sqrt(1 + x * x)


def hard_silu_doubled_offset(term: Term, x: ExactArray) -> ExactArray:
    """x relu6(x + 3) / 6 with the absolute value of x."""
    return absolute(x) * minimum(maximum(x + 3, 0), 6) / 6
