"""Enclosures of the real power and of log2(1 + 2^t)."""

from __future__ import annotations

from math import isqrt

from lenticulum.certify.checker.constants import log2_interval
from lenticulum.certify.checker.dyadic import (
    ONE,
    Interval,
    NoValue,
    negative,
    outward,
    over,
    point,
    times,
)
from lenticulum.certify.checker.elementary import exp_interval, log_at, rising, softplus_at

#: An integer power with at most so many bits is computed as one.
EXACT_POWER_BITS = 5_000


def power_at(x: Interval, y: Interval, q: int) -> Interval:
    """x^y of two points: x > 0, or x < 0 with an integer y, or x = 0 with y > 0.

    x^y of a dyadic x and y = n / 2^k is dyadic only if x is a 2^j-th power that makes the exponent an integer. So roots
    are drawn while x is a square; then an integer power short enough to be a midpoint of a format is computed exactly.
    """
    (m, _, e), (n, _, f) = x, y
    if not n:
        return ONE
    if not m:
        if n < 0:
            raise NoValue
        return m, m, 0
    if m < 0:
        if f < 0 and n & ((1 << -f) - 1):
            raise NoValue
        odd = f <= 0 and (n >> -f) & 1
        size = power_at(point(-m, e), y, q)
        return negative(size) if odd else size
    twos = (m & -m).bit_length() - 1
    m, e = m >> twos, e + twos
    drop = (n & -n).bit_length() - 1
    n, f = n >> drop, f + drop
    while f < 0 and not e & 1 and isqrt(m) ** 2 == m:
        m, e, f = isqrt(m), e // 2, f + 1
    if f >= 0 and m == 1:
        return ONE[0], ONE[1], e * (n << f)
    if f >= 0 and f < 16 and (abs(n) << f) * m.bit_length() <= EXACT_POWER_BITS:
        power = m ** (abs(n) << f)
        exponent = e * (abs(n) << f)
        return outward(power, power, exponent, q) if n > 0 else over(ONE, point(power, exponent), q)
    guard = max(n.bit_length() + f, 0) + max(e.bit_length(), 0) + 8
    w = q + guard
    return exp_interval(times(log_at(m, e, w), point(n, f), w), q)


def softplus2_at(m: int, e: int, q: int) -> Interval:
    """log2(1 + 2^t), exactly 1 at 0."""
    if not m:
        return ONE
    w = q + 8 + max(m.bit_length() + e, 0)  # e^t of a t with w bits is known to w - log2 |t| bits
    return over(rising(softplus_at, times(point(m, e), log2_interval(w), w), q + 4), log2_interval(q + 4), q)
