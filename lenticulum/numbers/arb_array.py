"""Arrays of FLINT's balls: what every system of them shares, and the integers that a ball is made of."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from flint import arb

from lenticulum.numbers.array import Booleans
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.flat import FlatArray

Integers: TypeAlias = tuple[int, int, int, int]
"""Midpoint mantissa and exponent, radius mantissa and exponent."""

INFINITE_EXPONENT = 0
"""An infinite midpoint is written (sign, 0) with the radius (-1, 0), which no finite ball has."""


@no_type_check
class ArbArray(FlatArray[arb]):
    """An array whose elements are balls of FLINT."""

    def exactly_zero(self) -> Booleans:
        """Which elements are the point 0."""
        return np.array([x.is_zero() for x in self.elements], dtype=np.bool_).reshape(self.shape)

    def as_integers(self) -> list[Integers]:
        """Each element as (midpoint mantissa, exponent, radius mantissa, exponent), to cross processes exactly."""
        return [integers_of(element) for element in self.elements]


@no_type_check
def integers_of(element: arb) -> Integers:
    """The integers of a ball, exact at any working precision (FLINT's own ends are rounded to it).

    >>> integers_of(arb(3) / 4), integers_of(arb.neg_inf())
    ((3, -2, 0, 0), (-1, 0, -1, 0))
    """
    if not element.is_finite():
        if not element.is_exact():
            return 0, INFINITE_EXPONENT, -1, 0
        return (1 if element > 0 else -1), INFINITE_EXPONENT, -1, 0
    (mantissa, exponent), (radius, radius_exponent) = element.mid().man_exp(), element.rad().man_exp()
    return int(mantissa), int(exponent), int(radius), int(radius_exponent)
