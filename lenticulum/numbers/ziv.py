"""Correct rounding by Ziv's strategy: raise the precision of an enclosure until both its ends round alike."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.errors import Undecided
from lenticulum.numbers.formats import Format, encode
from lenticulum.numbers.precision import working_precision

CAP = 4000
"""Bits at which the search gives up."""


@no_type_check
def ziv(
    enclose: Callable[[], tuple[Fraction, Fraction]], format: Format, start: int | None = None, cap: int = CAP
) -> int:
    """The bit pattern of the correctly rounded value that `enclose()` encloses at the working precision.

    It ends unless the value lies on a rounding boundary (a number halfway between two of the format, or 0), which
    cannot be seen by enclosures: decide such values exactly beforehand. `start` is p + 14 bits by default.

    Raises: Undecided at `cap` bits.
    Source: A. Ziv, Fast evaluation of elementary mathematical functions with correctly rounded last bit, ACM TOMS 1991.

    >>> from lenticulum.numbers import BINARY16, ball
    >>> def enclose():
    ...     y = ball(1).exp()
    ...     return y.lower().item(), y.upper().item()
    >>> hex(ziv(enclose, BINARY16))
    '0x4170'
    """
    bits = min(format.precision + 14 if start is None else start, cap)
    while True:
        with working_precision(bits):
            lower, upper = enclose()
        pattern = encode(lower, format)
        if pattern == encode(upper, format):
            return pattern
        if bits >= cap:
            raise Undecided(f"the rounding to {format.name} is undecided at {cap} bits: a boundary lies too close")
        bits = min(2 * bits, cap)


@no_type_check
def rounding_ends(enclosure: arb, format: Format) -> tuple[Fraction, Fraction]:
    """The ends of a ball as rationals that round alike; one far outside the range of the format is moved near to it.

    The end of exp(-10^38) has an exponent of 127 bits: as a rational it would fill the memory.
    """
    huge = Fraction(2) ** (format.maximum_exponent + 2)
    if not enclosure.is_finite():
        return -huge, huge
    return _rounding_end(enclosure.lower(), huge, format), _rounding_end(enclosure.upper(), huge, format)


@no_type_check
def _rounding_end(end: arb, huge: Fraction, format: Format) -> Fraction:
    mantissa, exponent = (int(part) for part in end.man_exp())
    # 2^(size - 1) <= |end| < 2^size
    size = exponent + abs(mantissa).bit_length()
    if mantissa == 0:
        return Fraction(0)
    sign = 1 if mantissa > 0 else -1
    if size > format.maximum_exponent + 2:
        return sign * huge
    tiniest = format.minimum_exponent - format.precision - 1
    return sign * Fraction(2) ** (tiniest - 1) if size <= tiniest else mantissa * Fraction(2) ** exponent
