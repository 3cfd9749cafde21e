"""Ends of enclosures as rationals: of a ball array, of its size, and of its distance from a float."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from lenticulum.numbers import DomainError
from lenticulum.numbers.checking import no_type_check

#: Ends nearer to zero than 2^-BEYOND, or farther from it than 2^BEYOND, are replaced by these: outside every format.
BEYOND = 20_000

Ends = tuple[Fraction, Fraction]


@no_type_check
def ends(array: Any) -> list[Ends]:
    """Return the ends of the enclosures of a ball array, in row-major order, in place of the extremes 2^±BEYOND.

    A ball can have an exponent that no rational can hold (exp(-1e30)), so the ends are made from its integers. An end
    beyond 2^BEYOND becomes 2^BEYOND: enough to say that every format overflows, and no bound on an error.
    Raises: DomainError for an infinite enclosure.
    """
    found: list[Ends] = []
    for middle, exponent, radius, radius_exponent in array.as_integers():
        if radius < 0:
            raise DomainError("an infinite enclosure has no ends")
        if exponent + middle.bit_length() > BEYOND or radius_exponent + radius.bit_length() > BEYOND:
            found.append(_beyond(middle, exponent, radius, radius_exponent))
            continue
        m, r = dyadic(middle, exponent), dyadic(radius, radius_exponent)
        if exponent >= -BEYOND or not middle:
            found.append((m - r, m + r))
        else:
            found.append(_near_zero(m, r, _certain(middle, exponent, radius, radius_exponent)))
    return found


@no_type_check
def _beyond(middle: int, exponent: int, radius: int, radius_exponent: int) -> Ends:
    far = Fraction(1 << BEYOND)
    if not _certain(middle, exponent, radius, radius_exponent):
        return -far, far
    return (far, far) if middle > 0 else (-far, -far)


@no_type_check
def _certain(middle: int, exponent: int, radius: int, radius_exponent: int) -> bool:
    """Return whether an enclosure lies on one side of 0: it does if the radius has a bit less than the midpoint."""
    return radius_exponent + radius.bit_length() < exponent + middle.bit_length()


@no_type_check
def _near_zero(m: Fraction, r: Fraction, certain: bool) -> Ends:
    """Return the ends where the midpoint may be a bound of its own; the sign is kept where it is certain."""
    if certain:
        return (Fraction(0), m + r) if m > 0 else (m - r, Fraction(0))
    return min(m, 0) - r, max(m, 0) + r


@no_type_check
def dyadic(mantissa: int, exponent: int) -> Fraction:
    """Return mantissa * 2^exponent; below 2^-BEYOND, a bound of it with the same sign."""
    if exponent >= 0:
        return Fraction(mantissa << exponent)
    if exponent + mantissa.bit_length() < -BEYOND:
        return Fraction((mantissa > 0) - (mantissa < 0), 1 << BEYOND)
    return Fraction(mantissa, 1 << -exponent)


@no_type_check
def flattened(array: Any) -> list[Fraction]:
    """Return the entries of a rational array."""
    entries = array.reshape((array.size,)).tolist()
    return list(entries)


@no_type_check
def magnitude_ends(f: Ends) -> Ends:
    """Return the ends of |f|.

    >>> magnitude_ends((Fraction(-3), Fraction(2)))
    (Fraction(0, 1), Fraction(3, 1))
    """
    low = max(f[0], -f[1], Fraction(0))
    return low, max(abs(f[0]), abs(f[1]))


@no_type_check
def error_ends(y: Fraction, f: Ends) -> Ends:
    """Return the ends of |y - f|.

    >>> error_ends(Fraction(1), (Fraction(2), Fraction(3)))
    (Fraction(1, 1), Fraction(2, 1))
    """
    return magnitude_ends((y - f[1], y - f[0]))


def decimal(f: Ends, digits: int = 12) -> str:
    """Write the middle of an enclosure with so many digits.

    >>> decimal((Fraction(1, 3), Fraction(1, 3)), 5)
    '0.33333'
    """
    middle = (f[0] + f[1]) / 2
    quotient = Context(prec=digits).divide(Decimal(middle.numerator), Decimal(middle.denominator))
    return format(quotient, f".{digits}g")
