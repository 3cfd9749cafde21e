"""The ends of a ball as rationals: no exponent of FLINT's, however large, becomes a number that fills the memory."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from lenticulum.numbers.arb_array import Integers

BEYOND = 20_000
"""Ends nearer to zero than 2^-BEYOND, or farther from it than 2^BEYOND, lie outside every format."""

Ends: TypeAlias = tuple[Fraction, Fraction]


def is_far(integers: Integers) -> bool:
    """Whether an end of a finite ball may lie beyond 2^BEYOND."""
    middle, exponent, radius, scale = integers
    return exponent + middle.bit_length() > BEYOND or scale + radius.bit_length() > BEYOND


def is_one_sided(integers: Integers) -> bool:
    """Whether a ball lies on one side of 0: it does if the radius has a bit less than the midpoint."""
    middle, exponent, radius, scale = integers
    return scale + radius.bit_length() < exponent + middle.bit_length()


def rational_ends(integers: Integers) -> Ends:
    """The ends of a finite ball that is not far, the inner ones exact, those below 2^-BEYOND moved outwards to 0 or it.

    >>> rational_ends((3, -2, 1, -4)), rational_ends((1, -10**30, 0, 0)) == (0, Fraction(1, 2**BEYOND))
    ((Fraction(11, 16), Fraction(13, 16)), True)
    """
    middle, exponent, radius, scale = integers
    m, r = dyadic(middle, exponent), dyadic(radius, scale)
    if exponent >= -BEYOND or not middle:
        return m - r, m + r
    # The midpoint may be a bound of its own; the sign is kept where it is certain.
    if is_one_sided(integers):
        return (Fraction(0), m + r) if m > 0 else (m - r, Fraction(0))
    return min(m, Fraction(0)) - r, max(m, Fraction(0)) + r


def dyadic(mantissa: int, exponent: int) -> Fraction:
    """mantissa * 2^exponent; below 2^-BEYOND, a bound of it with the same sign."""
    if exponent >= 0:
        return Fraction(mantissa << exponent)
    if exponent + mantissa.bit_length() < -BEYOND:
        return Fraction((mantissa > 0) - (mantissa < 0), 1 << BEYOND)
    return Fraction(mantissa, 1 << -exponent)
