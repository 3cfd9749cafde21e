"""The derivatives of the activations in closed form, derived by hand, away from kinks; and the slopes at each kink."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from lenticulum import terms
from lenticulum.numbers import ExactArray, absolute, exp, normal_cdf, pi, sigmoid, sqrt, where, zeros_like
from lenticulum.spec.elementwise.activations import CUBIC, cubic
from lenticulum.spec.elementwise.textbook import evaluation_of
from lenticulum.terms import Term


def derivative(term: Term, x: ExactArray) -> ExactArray:
    """Return the derivative where it exists; at a kink, that from the right."""
    return _DERIVATIVES[type(term)](term, x)


def _steps(x: ExactArray, *pieces: tuple[Fraction | int, ExactArray | Fraction | int]) -> ExactArray:
    """Return 0, and from each point on, in increasing order, the value that goes with it."""
    result = zeros_like(x)
    for point, piece in pieces:
        result = where(x >= point, piece if isinstance(piece, ExactArray) else x.lift(piece, x.shape), result)
    return result


def _gelu(term: Any, x: ExactArray) -> ExactArray:
    if term.approximate == "none":
        return normal_cdf(x) + x * exp(-(x * x) / 2) / sqrt(2 * pi(x))
    s, slope = sigmoid(2 * cubic(x)), 2 * sqrt(2 / pi(x)) * (1 + 3 * CUBIC * x * x)
    return s + x * s * (1 - s) * slope


def _mish(term: Any, x: ExactArray) -> ExactArray:
    e = exp(x)
    n = e * (e + 2)
    return n / (n + 2) + 4 * x * e * (1 + e) / ((n + 2) * (n + 2))


def _silu(term: Any, x: ExactArray) -> ExactArray:
    s = sigmoid(x)
    return s * (1 + x * (1 - s))


def _hard_sigmoid(term: Any, x: ExactArray) -> ExactArray:
    end = 1 / (2 * Fraction(term.slope))
    return _steps(x, (-end, term.slope), (end, 0))


def _squareplus(term: Any, x: ExactArray) -> ExactArray:
    root = sqrt(x * x + Fraction(term.b))
    return (x + root) / (2 * root)


_DERIVATIVES: dict[type[Term], Callable[[Any, ExactArray], ExactArray]] = {
    terms.Relu: lambda term, x: _steps(x, (0, 1)),
    terms.Relu6: lambda term, x: _steps(x, (0, 1), (6, 0)),
    terms.LeakyRelu: lambda term, x: where(x < 0, x.lift(term.negative_slope, x.shape), 1),
    terms.Elu: lambda term, x: where(x < 0, evaluation_of(term)(x) + term.alpha, 1),
    terms.Selu: lambda term, x: where(x < 0, evaluation_of(term)(x) + term.scale * term.alpha, term.scale),
    terms.Celu: lambda term, x: where(x < 0, evaluation_of(term)(x) / term.alpha + 1, 1),
    terms.Gelu: _gelu,
    terms.Silu: _silu,
    terms.Mish: _mish,
    terms.Softplus: lambda term, x: 1 / (1 + exp(-(term.beta * x))),
    terms.LogSigmoid: lambda term, x: 1 / (1 + exp(x)),
    terms.HardSigmoid: _hard_sigmoid,
    terms.HardSilu: lambda term, x: _steps(x, (-3, (2 * x + 3) / 6), (3, 1)),
    terms.HardTanh: lambda term, x: _steps(x, (term.low, 1), (term.high, 0)),
    terms.SoftSign: lambda term, x: 1 / ((1 + absolute(x)) * (1 + absolute(x))),
    terms.Squareplus: _squareplus,
    terms.SparsePlus: lambda term, x: _steps(x, (-1, (x + 1) / 2), (1, 1)),
}

#: The activations, each by its type.
KINDS = tuple(_DERIVATIVES)


class Kink(NamedTuple):
    """A point, the derivatives from the left and from the right, and whether what is called inside is on the right."""

    point: Fraction
    left: Fraction
    right: Fraction
    lower: bool = True


def kinks(term: Any) -> tuple[Kink, ...]:
    """Return where the two one-sided derivatives may differ; they are equal for elu with alpha = 1.

    >>> [(int(kink.point), str(kink.left), str(kink.right)) for kink in kinks(terms.HardSilu())]
    [(-3, '0', '-1/2'), (3, '3/2', '1')]
    """
    match term:
        case terms.Relu():
            rows = [(0, 0, 1)]
        case terms.Relu6():
            rows = [(0, 0, 1), (6, 1, 0)]
        case terms.LeakyRelu():
            rows = [(0, term.negative_slope, 1)]
        case terms.Elu():
            rows = [(0, term.alpha, 1)]
        case terms.Selu():
            rows = [(0, Fraction(term.scale) * Fraction(term.alpha), term.scale)]
        case terms.HardSigmoid():
            end = 1 / (2 * Fraction(term.slope))
            rows = [(-end, 0, term.slope), (end, term.slope, 0)]
        case terms.HardSilu():
            rows = [(-3, 0, Fraction(-1, 2)), (3, Fraction(3, 2), 1)]
        case terms.HardTanh():
            rows = [(term.low, 0, 1), (term.high, 1, 0)]
        case _:
            rows = []
    return tuple(
        Kink(Fraction(point), Fraction(left), Fraction(right), lower=number == 0)
        for number, (point, left, right) in enumerate(rows)
    )


def derivative_at(kink: Kink, convention: str) -> Fraction:
    """Return the derivative that a convention gives at a kink.

    >>> derivative_at(Kink(Fraction(3), Fraction(3, 2), Fraction(1), lower=False), "inside")
    Fraction(3, 2)
    """
    if convention == "half":
        return (kink.left + kink.right) / 2
    by_name = {"left": kink.left, "right": kink.right, "zero": Fraction(0), "one": Fraction(1)}
    if convention in by_name:
        return by_name[convention]
    outside, inside = (kink.left, kink.right) if kink.lower else (kink.right, kink.left)
    return outside if convention == "outside" else inside
