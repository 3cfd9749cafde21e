"""Ends of enclosures as rationals: of a ball array, of its size, and of its distance from a float."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from lenticulum.numbers import DomainError
from lenticulum.numbers.arb_array import Integers
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.ends import BEYOND, Ends, is_far, is_one_sided, rational_ends


@no_type_check
def ends(array: Any) -> list[Ends]:
    """Return the ends of the enclosures of a ball array, in row-major order, in place of the extremes 2^±BEYOND.

    A ball can have an exponent that no rational can hold (exp(-1e30)), so the ends are made from its integers. An end
    beyond 2^BEYOND becomes 2^BEYOND: enough to say that every format overflows, and no bound on an error.
    Raises: DomainError for an infinite enclosure.
    """
    rows = array.as_integers()
    if any(radius < 0 for _, _, radius, _ in rows):
        raise DomainError("an infinite enclosure has no ends")
    return [_beyond(each) if is_far(each) else rational_ends(each) for each in rows]


@no_type_check
def _beyond(integers: Integers) -> Ends:
    far = Fraction(1 << BEYOND)
    if not is_one_sided(integers):
        return -far, far
    return (far, far) if integers[0] > 0 else (-far, -far)


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
