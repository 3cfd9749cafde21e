"""The named functions of one ball, and where each is undefined: FLINT's, and those that FLINT lacks.

A result that does not exist, or that the ball is too wide for, is the NaN ball; `Ball` turns it into an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import acb, arb, arb_series

from lenticulum.numbers.checking import no_type_check

Function: TypeAlias = Callable[[arb], arb]

MOST_EXPONENT = 2**1100
"""Beyond every float: `exp2` takes such an argument as it is."""


@dataclass(frozen=True)
class Enclosure:
    """A function of one ball, and the predicate "lies outside the domain, for certain"."""

    function: Function
    outside: Callable[[arb], bool]


@no_type_check
def _everywhere(x: arb) -> bool:
    return False


@no_type_check
def _infinite(x: arb) -> bool:
    return x.is_exact() and not x.is_finite()


@no_type_check
def _not_positive(x: arb) -> bool:
    return x <= 0


@no_type_check
def _outside_unit(x: arb) -> bool:
    return x > 1 or x < -1


@no_type_check
def _outside_open_unit(x: arb) -> bool:
    return x >= 1 or x <= -1


@no_type_check
def _pole_of_gamma(x: arb) -> bool:
    return x.is_exact() and x <= 0 and (x.is_integer() or not x.is_finite())


@no_type_check
def _finite_only(function: Function) -> Function:
    return lambda x: function(x) if x.is_finite() else arb.nan()


@no_type_check
def _between(function: Function, at_negative: int, at_positive: int) -> Function:
    """The function with its limits at infinity, between which all its values lie."""
    negative, positive = arb(at_negative), arb(at_positive)

    def extended(x: arb) -> arb:
        if x.is_finite() or x.is_nan():
            return function(x)
        if x.is_exact():
            return positive if x > 0 else negative
        return negative.union(positive)

    return extended


@no_type_check
def _exp2(x: arb) -> arb:
    """2^n 2^(x - n) with n the nearest integer, so that a large x costs no accuracy."""
    if not x.is_finite() or x.rad() > 1 or abs(x) < 1 or abs(x) > MOST_EXPONENT:
        return arb(2) ** x
    mantissa, exponent = (int(part) for part in x.mid().man_exp())
    nearest = round(Fraction(mantissa) * Fraction(2) ** exponent)
    return arb((1, nearest)) * arb(2) ** (x - nearest)


@no_type_check
def _cbrt(x: arb) -> arb:
    if x > 0:
        return x.root(3)
    if x < 0:
        return -(-x).root(3)
    if x.is_zero() or not x.is_finite():
        return x
    return _cbrt(x.lower()).union(_cbrt(x.upper()))


@no_type_check
def _erfinv(x: arb) -> arb:
    # FLINT gives an unbounded ball at 1, where no value exists.
    y = x.erfinv()
    return y if y.is_finite() else arb.nan()


@no_type_check
def _lgamma(x: arb) -> arb:
    """log |Gamma(x)|; left of 0 by the reflection |Gamma(x) Gamma(1 - x) sin(pi x)| = pi."""
    if x > 0:
        return x.lgamma() if x.is_finite() else x
    if not x < 0 or not x.is_finite():
        return arb.nan()
    return arb.pi().log() - abs(x.sin_pi()).log() - (1 - x).lgamma()


@no_type_check
def _digamma(x: arb) -> arb:
    """psi(x); left of 0 by psi(x) = psi(1 - x) - pi cot(pi x)."""
    if x > 0:
        return x.digamma() if x.is_finite() else x
    if not x < 0 or not x.is_finite():
        return arb.nan()
    return (1 - x).digamma() - arb.pi() * x.cot_pi()


@no_type_check
def polygamma(order: int) -> Enclosure:
    """The derivative of this order of the digamma function.

    Left of 0 by the derivative of the reflection, psi_n(x) = (-1)^n psi_n(1 - x) - pi (d/dx)^n cot(pi x).
    """
    if order < 0:
        raise ValueError(f"got the order {order}, expected at least 0")
    if order == 0:
        return ENCLOSURES["digamma"]

    def right(x: arb) -> arb:
        y = acb(x).polygamma(order).real
        return y if y.is_finite() else arb.nan()

    def function(x: arb) -> arb:
        if x > 0:
            return right(x) if x.is_finite() else arb(0)
        if not x < 0 or not x.is_finite():
            return arb.nan()
        cotangent = arb_series([x, 1], prec=order + 1).cot_pi()[order] * math.factorial(order)
        return (-1) ** order * right(1 - x) - arb.pi() * cotangent

    return Enclosure(function, _pole_of_gamma)


@no_type_check
def _sigmoid(x: arb) -> arb:
    """1 / (1 + exp(-x)); left of 0 as 1 - 1 / (1 + exp x) without the cancellation, which a wide x leaves bounded."""
    return x.exp() / (1 + x.exp()) if x < 0 else 1 / (1 + (-x).exp())


@no_type_check
def _softplus(x: arb) -> arb:
    """log(1 + exp x); right of 0 as x + log(1 + exp(-x))."""
    if not x.is_finite():
        return x if x > 0 else arb(0) if x < 0 else arb.nan()
    return x + (-x).exp().log1p() if x > 0 else x.exp().log1p()


@no_type_check
def _normal_cdf(x: arb) -> arb:
    """erfc(-x / sqrt 2) / 2; in the tail as Gamma(1/2, x*x/2) / (2 sqrt pi), whose argument FLINT gets more exactly.

    Source: https://dlmf.nist.gov/7.11.E2.
    """
    if x < -64:
        return (x * x / 2).gamma_upper(arb(0.5)) / (2 * arb.pi().sqrt())
    return (-x / arb(2).sqrt()).erfc() / 2


ENCLOSURES: dict[str, Enclosure] = {
    "exp": Enclosure(arb.exp, _everywhere),
    "exp2": Enclosure(_exp2, _everywhere),
    "expm1": Enclosure(arb.expm1, _everywhere),
    "log": Enclosure(arb.log, _not_positive),
    "log2": Enclosure(lambda x: x.log_base(2), _not_positive),
    "log10": Enclosure(lambda x: x.log_base(10), _not_positive),
    "log1p": Enclosure(arb.log1p, lambda x: x <= -1),
    "sqrt": Enclosure(arb.sqrt, lambda x: x < 0),
    "rsqrt": Enclosure(arb.rsqrt, _not_positive),
    "cbrt": Enclosure(_cbrt, _everywhere),
    "sin": Enclosure(_finite_only(arb.sin), _infinite),
    "cos": Enclosure(_finite_only(arb.cos), _infinite),
    "tan": Enclosure(_finite_only(arb.tan), _infinite),
    "asin": Enclosure(arb.asin, _outside_unit),
    "acos": Enclosure(arb.acos, _outside_unit),
    "atan": Enclosure(arb.atan, _everywhere),
    "sinh": Enclosure(arb.sinh, _everywhere),
    "cosh": Enclosure(arb.cosh, _everywhere),
    "tanh": Enclosure(_between(arb.tanh, -1, 1), _everywhere),
    "asinh": Enclosure(arb.asinh, _everywhere),
    "acosh": Enclosure(arb.acosh, lambda x: x < 1),
    "atanh": Enclosure(arb.atanh, _outside_open_unit),
    "erf": Enclosure(_between(arb.erf, -1, 1), _everywhere),
    "erfc": Enclosure(_between(arb.erfc, 2, 0), _everywhere),
    "erfinv": Enclosure(_erfinv, _outside_open_unit),
    "lgamma": Enclosure(_lgamma, _pole_of_gamma),
    "digamma": Enclosure(_digamma, _pole_of_gamma),
    "sigmoid": Enclosure(_between(_sigmoid, 0, 1), _everywhere),
    "softplus": Enclosure(_softplus, _everywhere),
    "normal_cdf": Enclosure(_between(_normal_cdf, 0, 1), _everywhere),
    "sinc": Enclosure(lambda x: x if x.is_nan() else x.sinc_pi(), _everywhere),
}
"""The functions of one argument by name."""


@no_type_check
def _power_real(x: arb, y: arb) -> arb:
    if not x > 0:
        return arb.nan()
    return x**y if x.is_finite() and y.is_finite() else (y * x.log()).exp()


@no_type_check
def _hypot(x: arb, y: arb) -> arb:
    square = x * x + y * y
    return square if square.is_nan() else square.nonnegative_part().sqrt()


@no_type_check
def _atan2(y: arb, x: arb) -> arb:
    return arb.nan() if y.is_zero() and x.is_zero() else arb.atan2(y, x)


PAIR_ENCLOSURES: dict[str, Callable[[arb, arb], arb]] = {
    "power_real": _power_real,
    "hypot": _hypot,
    "atan2": _atan2,
}
"""The functions of two arguments by name; NaN where no value exists."""
