"""Incomplete gamma and beta functions, Bessel functions and the zeta function, element by element.

The derivatives have closed forms (https://dlmf.nist.gov, sections 8.8, 8.17, 10.29 and 25.11), except those of the
incomplete beta function in its two parameters, of the zeta function in its exponent and of `igamma_grad_a`, which are
unbounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from lenticulum.numbers import Dual, Interval64, Tape, where
from lenticulum.numbers.unraising import TotalMagnitude
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.special_enclosures import ENCLOSURES
from lenticulum.programs.special_rounding import rounded

Slopes: TypeAlias = Callable[..., Sequence[Any]]
"""The partial derivatives from the operands; None where there is no closed form."""


def special(name: str, operands: Sequence[Any]) -> Any:
    """Return a function of `ENCLOSURES` of the elements of arrays of one shape and system."""
    first = operands[0]
    if isinstance(first, Dual):
        primals = [each.primal for each in operands]
        tangents = _products(name, primals, [each.tangent for each in operands])
        total = tangents[0]
        for each in tangents[1:]:
            total = total + each
        return Dual(special(name, primals), total, first.level)
    if isinstance(first, Tape):
        values = [each.value for each in operands]
        return first.elementwise(
            special(name, values), operands[1:], lambda g: _products(name, values, [g] * len(values))
        )
    if isinstance(first, Interval64):
        return first.lift(1, first.shape) / first.lift(0, first.shape)
    rows = list(zip(*(each.elements for each in operands), strict=True))
    results = [ENCLOSURES[name](*row) for row in rows]
    if isinstance(first, TotalMagnitude):
        results = [rounded(name, result, row, first.format) for result, row in zip(results, rows, strict=True)]
    return first._with(first.shape, results)


def _products(name: str, operands: Sequence[Any], factors: Sequence[Any]) -> list[Any]:
    """Return each partial derivative times its factor; 0 where the factor is exactly 0."""
    if all(each.exactly_zero().all() for each in factors):
        return list(factors)
    first = operands[0]
    nothing = first.lift(1, first.shape) / first.lift(0, first.shape)
    slopes = SLOPES[name](*operands)
    return [
        where(factor.exactly_zero(), factor, (nothing if slope is None else slope) * factor)
        for slope, factor in zip(slopes, factors, strict=True)
    ]


def _density(a: Any, x: Any) -> Any:
    """x^(a - 1) e^-x / Gamma(a)."""
    return ((a - 1) * x.log() - x - a.lgamma()).exp()


def _igamma(a: Any, x: Any) -> list[Any]:
    return [special("igamma_grad_a", [a, x]), _density(a, x)]


def _igammac(a: Any, x: Any) -> list[Any]:
    return [-special("igamma_grad_a", [a, x]), -_density(a, x)]


def _betainc(a: Any, b: Any, x: Any) -> list[Any]:
    logarithm = (a - 1) * x.log() + (b - 1) * (-x).log1p()
    return [None, None, (logarithm + (a + b).lgamma() - a.lgamma() - b.lgamma()).exp()]


def _bessel_i0e(x: Any) -> list[Any]:
    return [special("bessel_i1e", [x]) - _sign(x) * special("bessel_i0e", [x])]


def _bessel_i1e(x: Any) -> list[Any]:
    """I_0 - I_1 / x - sign(x) I_1, all scaled; 1/2 at 0."""
    zero = (x >= 0) & (x <= 0)
    y = special("bessel_i1e", [x])
    slope = special("bessel_i0e", [x]) - y / where(zero, x.lift(1, x.shape), x) - _sign(x) * y
    return [where(zero, x.lift(1, x.shape) / 2, slope)]


def _sign(x: Any) -> Any:
    one = x.lift(1, x.shape)
    return where(x > 0, one, where(x < 0, -one, x.lift(0, x.shape)))


def _zeta(s: Any, q: Any) -> list[Any]:
    return [None, -s * special("zeta", [s + 1, q])]


SLOPES: dict[str, Slopes] = {
    "igamma": _igamma,
    "igammac": _igammac,
    "igamma_grad_a": lambda a, x: [None, None],
    "bessel_i0e": _bessel_i0e,
    "bessel_i1e": _bessel_i1e,
    "regularized_incomplete_beta": _betainc,
    "zeta": _zeta,
}


def _register(name: str) -> None:
    def function(step: Step, *operands: Any) -> Any:
        return special(name, [each.broadcast_to(step.shape) for each in operands])

    function.__doc__ = f"The special function `{name}`."
    rule(name)(function)


for _name in ENCLOSURES:
    _register(_name)
