"""Intervals with integer ends over one power of two: the arithmetic on which the checker rests.

An interval (lo, hi, e) is the set of reals from lo 2^e to hi 2^e, lo <= hi. Every operation returns an interval that
holds every result of reals of its operands: ends are rounded outward by shifts (>> rounds down, and so does //; up is
minus down of minus). `q` is the number of bits kept: an exact result of at most q bits stays a point.
"""

from __future__ import annotations

from math import isqrt

Interval = tuple[int, int, int]

ZERO: Interval = (0, 0, 0)
ONE: Interval = (1, 1, 0)


class NoValue(ArithmeticError):
    """The operands reach outside the domain (a divisor that may be 0, a root of what may be negative)."""


class DivisionByZero(NoValue):
    """The divisor is 0."""


def point(n: int, e: int = 0) -> Interval:
    """The number n 2^e."""
    return n, n, e


def outward(lo: int, hi: int, e: int, q: int) -> Interval:
    """(lo, hi, e) with at most q + 1 bits: the ends moved outward to a coarser power of two."""
    excess = max(lo.bit_length(), hi.bit_length()) - q
    if excess <= 0:
        return lo, hi, e
    return lo >> excess, -(-hi >> excess), e + excess


def shifted_down(n: int, shift: int) -> int:
    """floor(n / 2^shift) for shift >= 0 of any size."""
    return n >> shift if shift < 1 << 20 else -(n < 0)


def negative(a: Interval) -> Interval:
    """-a."""
    return -a[1], -a[0], a[2]


def scaled(a: Interval, k: int) -> Interval:
    """2^k a."""
    return a[0], a[1], a[2] + k


def plus(a: Interval, b: Interval, q: int) -> Interval:
    """a + b.

    If the powers of two are far apart, the operand of the smaller one is first rounded outward to a multiple of
    2^(e - q - 8), e the larger exponent: 2^-(q+8) of a mantissa that is at least 1.
    """
    if a[2] < b[2]:
        a, b = b, a
    (alo, ahi, ae), (blo, bhi, be) = a, b
    gap = ae - be
    if gap > 2 * q + 64:
        if alo == 0 == ahi:
            return outward(blo, bhi, be, q)
        coarse = ae - q - 8
        blo, bhi = shifted_down(blo, coarse - be), -shifted_down(-bhi, coarse - be)
        be, gap = coarse, q + 8
    return outward((alo << gap) + blo, (ahi << gap) + bhi, be, q)


def minus(a: Interval, b: Interval, q: int) -> Interval:
    """a - b."""
    return plus(a, (-b[1], -b[0], b[2]), q)


def times(a: Interval, b: Interval, q: int) -> Interval:
    """a b."""
    (alo, ahi, ae), (blo, bhi, be) = a, b
    if alo >= 0 and blo >= 0:
        return outward(alo * blo, ahi * bhi, ae + be, q)
    products = (alo * blo, alo * bhi, ahi * blo, ahi * bhi)
    return outward(min(products), max(products), ae + be, q)


def square(a: Interval, q: int) -> Interval:
    """a², a range of which no end is negative."""
    size = magnitudes(a)
    return outward(size[0] * size[0], size[1] * size[1], 2 * size[2], q)


def over(a: Interval, b: Interval, q: int) -> Interval:
    """a / b; NoValue if b may be 0, DivisionByZero if it is."""
    (alo, ahi, ae), (blo, bhi, be) = a, b
    if bhi < 0:
        alo, ahi, blo, bhi = -ahi, -alo, -bhi, -blo
    if blo <= 0:
        raise NoValue if blo or bhi else DivisionByZero
    shift = max(q + 2 + bhi.bit_length() - max(alo.bit_length(), ahi.bit_length()), 0)
    alo, ahi = alo << shift, ahi << shift
    return outward(alo // (bhi if alo >= 0 else blo), -(-ahi // (blo if ahi >= 0 else bhi)), ae - be - shift, q)


def times_ratio(a: Interval, numerator: int, denominator: int, q: int) -> Interval:
    """a n / d for integers n and d > 0, rounded once."""
    product = times(a, point(numerator), 1 << 30) if numerator != 1 else a
    return over(product, point(denominator), q) if denominator != 1 else outward(*product, q)


def square_root(a: Interval, q: int) -> Interval:
    """The square root; exact for squares. NoValue if a may be negative."""
    lo, hi, e = a
    if lo < 0:
        raise NoValue
    shift = max(2 * q + 4 - hi.bit_length(), 0)
    shift += (e - shift) & 1
    return outward(isqrt(lo << shift), ceiling_root(hi << shift), (e - shift) >> 1, q)


def ceiling_root(n: int) -> int:
    """The smallest integer whose square is at least n."""
    root = isqrt(n)
    return root + (root * root < n)


def magnitudes(a: Interval) -> Interval:
    """The range of |a|."""
    lo, hi, e = a
    if lo >= 0:
        return a
    return (-hi, -lo, e) if hi <= 0 else (0, max(-lo, hi), e)


def order(m: int, e: int, n: int, f: int) -> int:
    """The sign of m 2^e - n 2^f; shifts only numbers of one size, so exponents may be huge."""
    left, right = (m > 0) - (m < 0), (n > 0) - (n < 0)
    if left != right or not left:
        return (left > right) - (left < right)
    sizes = m.bit_length() + e - n.bit_length() - f
    if sizes:
        return left if sizes > 0 else -left
    gap = e - f
    m, n = (m << gap, n) if gap >= 0 else (m, n << -gap)
    return (m > n) - (m < n)


def below(a: Interval, b: Interval) -> bool | None:
    """Whether a < b: True or False if certain, None if the intervals do not decide."""
    if order(a[1], a[2], b[0], b[2]) < 0:
        return True
    return False if order(a[0], a[2], b[1], b[2]) >= 0 else None


def maximum_of(a: Interval, b: Interval, q: int) -> Interval:
    """The range of the larger of two numbers: one of them where that is certain, otherwise widened by a unit.

    So a value that the operands hold strictly inside, or know, is held strictly inside, or known, by the result.
    """
    if order(a[0], a[2], b[1], b[2]) >= 0:
        return a
    if order(b[0], b[2], a[1], a[2]) >= 0:
        return b
    lower = a if order(a[0], a[2], b[0], b[2]) >= 0 else b
    upper = a if order(a[1], a[2], b[1], b[2]) >= 0 else b
    lo, hi, e = hull((lower[0], lower[0], lower[2]), (upper[1], upper[1], upper[2]), q + 4)
    return 2 * lo - 1, 2 * hi + 1, e - 1


def hull(a: Interval, b: Interval, q: int) -> Interval:
    """An interval around both."""
    if a[2] < b[2]:
        a, b = b, a
    (alo, ahi, ae), (blo, bhi, be) = a, b
    gap = ae - be
    if gap > 2 * q + 64:
        if alo == 0 == ahi:
            ae = max(blo.bit_length(), bhi.bit_length()) + be
        gap = min(ae - be, q + 8)
        coarse = ae - gap
        blo, bhi, be = shifted_down(blo, coarse - be), -shifted_down(-bhi, coarse - be), coarse
    return outward(min(alo << gap, blo), max(ahi << gap, bhi), be, q)
