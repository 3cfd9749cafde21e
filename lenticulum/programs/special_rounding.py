"""The rounding allowed to the special functions of `special_enclosures`, which no implementation rounds correctly.

The incomplete functions are a prefactor, the exponential of a sum of logarithms, times a series or a continued
fraction: the exponential turns the rounding of its argument, u times the sum of the absolute terms, into a relative
error. Where a function is computed as 1 minus its complement, the error is relative to 1.
The factors are twice what was measured of JAX 0.10.2 (binary32 and binary64, 300 random points each, logarithmic in
the boxes below); outside of the boxes nothing was measured, and the bound is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb

from lenticulum.numbers.ball import exact_ball
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.formats import Format


@dataclass(frozen=True)
class Rounding:
    """Relative units of u, and those for each unit of the prefactor's exponent; where the error is relative to 1."""

    units: int
    exponent_units: int
    exponent: Callable[..., Any]
    inside: Callable[..., bool]
    relative_to_one: Callable[..., bool]


@no_type_check
def _gamma_exponent(a: arb, x: arb) -> arb:
    return x if x.is_zero() else abs(a * x.log()) + x + abs(a.lgamma())


@no_type_check
def _beta_exponent(a: arb, b: arb, x: arb) -> arb:
    if x.is_zero() or x == 1:
        return arb(0)
    return abs(a * x.log()) + abs(b * (-x).log1p()) + abs(a.lgamma()) + abs(b.lgamma()) + abs((a + b).lgamma())


@no_type_check
def _beta_turned(a: arb, b: arb, x: arb) -> bool:
    return not x < (a + 1) / (a + b + 2)


@no_type_check
def _nothing(*operands: arb) -> arb:
    return arb(0)


@no_type_check
def _nowhere(*operands: arb) -> bool:
    return False


@no_type_check
def _everywhere(*operands: arb) -> bool:
    return True


@no_type_check
def _gamma_box(a: arb, x: arb) -> bool:
    return a <= 1024 and x <= 10240


@no_type_check
def _beta_box(a: arb, b: arb, x: arb) -> bool:
    return a <= 128 and b <= 128


@no_type_check
def _zeta_box(s: arb, q: arb) -> bool:
    return s <= 32 and q > 0


ROUNDINGS = {
    "igamma": Rounding(64, 8, _gamma_exponent, _gamma_box, _nowhere),
    "igammac": Rounding(64, 8, _gamma_exponent, _gamma_box, lambda a, x: not (x > 1 and x > a)),
    "igamma_grad_a": Rounding(64, 8, _gamma_exponent, _gamma_box, _everywhere),
    "bessel_i0e": Rounding(16, 0, _nothing, _everywhere, _nowhere),
    "bessel_i1e": Rounding(32, 0, _nothing, _everywhere, _nowhere),
    "regularized_incomplete_beta": Rounding(1024, 8, _beta_exponent, _beta_box, _beta_turned),
    "zeta": Rounding(16, 0, _nothing, _zeta_box, _nowhere),
}

UNDERFLOWS = 16
"""How many terms of a sum may be flushed to zero."""


@no_type_check
def rounded(name: str, result: arb, operands: Sequence[arb], format: Format) -> arb:
    """Return the enclosure of the exact and the computed value; unbounded (NaN) where it may overflow."""
    allowed = ROUNDINGS[name]
    if not result.is_finite():
        return result
    if any(x.is_exact() and not x.is_finite() for x in operands):
        return result
    if not allowed.inside(*operands):
        return arb.nan()
    units = allowed.units + allowed.exponent_units * allowed.exponent(*operands).abs_upper()
    size = arb(1).max(result.abs_upper()) if allowed.relative_to_one(*operands) else result.abs_upper()
    error = exact_ball(format.unit_roundoff) * units * size
    if not result.is_zero() or not result.is_exact():
        error = error + UNDERFLOWS * exact_ball(format.smallest_normal)
    wide = arb(result, error.upper())
    return wide if wide.abs_upper() <= exact_ball(format.largest) else arb.nan()
