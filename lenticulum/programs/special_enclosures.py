"""Enclosures of the special functions that only programs use: incomplete gamma and beta, Bessel, Hurwitz zeta.

All are FLINT's, at the ends of an enclosure where the function is monotone, so that a wide operand costs no more than
its width. Without a value for certain the result is the NaN ball. Source of the identities: NIST Digital Library of
Mathematical Functions, https://dlmf.nist.gov, sections 8.2, 8.17, 10.29 and 25.11.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from flint import acb, arb, ctx

from lenticulum.numbers.checking import no_type_check

Function: TypeAlias = Callable[..., arb]

MOST_TERMS = 4096
"""The terms after which the series of the derivative in the order gives up: it needs about twice x of them."""


@no_type_check
def _between(low: arb, high: arb) -> arb:
    """The enclosure of all between two enclosures; NaN where one has no value."""
    return low.union(high) if low.is_finite() and high.is_finite() else arb.nan()


@no_type_check
def _infinite(x: arb) -> bool:
    return x.is_exact() and not x.is_finite() and x > 0


@no_type_check
def _at(function: Function, *points: arb) -> arb:
    """The function at points, at the least multiple of the working precision that makes up for cancellation."""
    precision = ctx.prec
    for factor in (1, 2, 4, 8, 16, 32):
        with ctx.workprec(factor * precision):
            found = function(*points)
        if found.is_finite() and found.rel_accuracy_bits() > precision - 16:
            break
    return +found


@no_type_check
def igamma(a: arb, x: arb) -> arb:
    """P(a, x), the lower incomplete gamma function over Gamma(a): rises with x, falls with a."""
    if not (a > 0 and a.is_finite() and x >= 0):
        return arb.nan()
    if _infinite(x):
        return arb(1)
    return _between(_at(_lower, a.upper(), x.lower()), _at(_lower, a.lower(), x.upper()))


@no_type_check
def igammac(a: arb, x: arb) -> arb:
    """Q(a, x) = 1 - P(a, x): falls with x, rises with a."""
    if not (a > 0 and a.is_finite() and x >= 0):
        return arb.nan()
    if _infinite(x):
        return arb(0)
    return _between(_at(_upper, a.lower(), x.upper()), _at(_upper, a.upper(), x.lower()))


@no_type_check
def _lower(a: arb, x: arb) -> arb:
    return x.gamma_lower(a, 1)


@no_type_check
def _upper(a: arb, x: arb) -> arb:
    return x.gamma_upper(a, 1)


@no_type_check
def igamma_grad_a(a: arb, x: arb) -> arb:
    """The derivative of P(a, x) in the order a.

    P(a, x) = x^a e^-x sum x^n / Gamma(a + n + 1) (https://dlmf.nist.gov/8.7.E1), so that its derivative has the terms
    t_n (log x - psi(a + n + 1)). Once psi(a + n + 1) > log x + 1, the ratio of two terms is below
    r = x / (a + n + 1) (1 + 1 / (a + n + 1)), and the rest below the last term times r / (1 - r).
    """
    if x.is_zero() and a > 0:
        return arb(0)
    if not (a > 0 and x > 0 and a.is_finite() and x.is_finite()):
        return arb.nan()
    logarithm, order = x.log(), a + 1
    power, psi = (a * logarithm - x - order.lgamma()).exp(), order.digamma()
    total = arb(0)
    for _ in range(MOST_TERMS):
        term = power * (logarithm - psi)
        total = total + term
        ratio = x / order * (1 + 1 / order)
        if psi > logarithm + 1 and ratio < 0.5 and abs(term) < arb(2) ** -(ctx.prec + 16) * (1 + abs(total)):
            return arb(total, (abs(term) * ratio / (1 - ratio)).upper())
        power, psi, order = power * x / order, psi + 1 / order, order + 1
    return arb.nan()


@no_type_check
def bessel_i0e(x: arb) -> arb:
    """exp(-|x|) I_0(x): falls with |x|."""
    if x.is_nan() or not x.is_finite():
        return arb(0) if x.is_exact() and not x.is_nan() else arb.nan()
    return _between(x.abs_upper().bessel_i(0, True), x.abs_lower().bessel_i(0, True))


@no_type_check
def bessel_i1e(x: arb) -> arb:
    """exp(-|x|) I_1(x), odd."""
    if x.is_nan() or not x.is_finite():
        return arb(0) if x.is_exact() and not x.is_nan() else arb.nan()
    if x > 0:
        return x.bessel_i(1, True)
    return -(-x).bessel_i(1, True) if x < 0 else x.bessel_i(1) * (-abs(x)).exp()


@no_type_check
def betainc(a: arb, b: arb, x: arb) -> arb:
    """I_x(a, b), the incomplete beta function over B(a, b): rises with x and b, falls with a."""
    if not (a > 0 and b > 0 and a.is_finite() and b.is_finite() and x >= 0 and x <= 1):
        return arb.nan()
    return _between(_at(_beta, a.upper(), b.lower(), x.lower()), _at(_beta, a.lower(), b.upper(), x.upper()))


@no_type_check
def _beta(a: arb, b: arb, x: arb) -> arb:
    return x.beta_lower(a, b, True)


@no_type_check
def zeta(s: arb, q: arb) -> arb:
    """sum 1 / (q + n)^s over n >= 0, s > 1: falls with q > 0; left of 0 it exists for integer s and other q."""
    if not s > 1 or not s.is_finite() or not q.is_finite():
        return arb.nan()
    if q > 0:
        return _between(s.zeta(q.upper()), s.zeta(q.lower()))
    if not s.is_integer() or q.contains_integer():
        return arb.nan()
    return acb(s).zeta(acb(q)).real


ENCLOSURES: dict[str, Function] = {
    "igamma": igamma,
    "igammac": igammac,
    "igamma_grad_a": igamma_grad_a,
    "bessel_i0e": bessel_i0e,
    "bessel_i1e": bessel_i1e,
    "regularized_incomplete_beta": betainc,
    "zeta": zeta,
}
"""The enclosure by the name of the primitive, of its operands in order."""
