"""The ends of the elements of an array as rationals, whatever its system."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import Interval64, Rational
from lenticulum.numbers.magnitude64 import Magnitude64


def ends_of(x: Any) -> list[tuple[Fraction, Fraction] | None]:
    """Return (lower, upper) of each element in row-major order; None where it is unbounded or infinite."""
    if isinstance(x, Rational):
        return [(each, each) for each in x.reshape(-1).tolist()]
    if isinstance(x, Magnitude64):
        return ends_of(x.range)
    if isinstance(x, Interval64):
        pairs = zip(x.lo.ravel().tolist(), x.hi.ravel().tolist(), strict=True)
        return [(Fraction(lo), Fraction(hi)) if np.isfinite(lo) and np.isfinite(hi) else None for lo, hi in pairs]
    return [_ends(element) for element in x.elements]


def _ends(element: Any) -> tuple[Fraction, Fraction] | None:
    if not element.is_finite():
        return None
    (middle, exponent), (radius, scale) = (
        (int(mantissa), int(power)) for mantissa, power in (element.mid().man_exp(), element.rad().man_exp())
    )
    centre, half = Fraction(middle) * Fraction(2) ** exponent, Fraction(radius) * Fraction(2) ** scale
    return centre - half, centre + half
