"""Enclosures of erf, erfc, the normal distribution function and erfinv; no tail cancels.

With v = 2 x² and v = x² the two families share their series:
    erf x = 2 x e^(-x²) / sqrt(pi) G(2 x²)          Phi(x) - 1/2 = x e^(-x²/2) / sqrt(2 pi) G(x²)
    erfc x = e^(-x²) / (x sqrt(pi)) A(2 x²)          Phi(-x) = e^(-x²/2) / (x sqrt(2 pi)) A(x²)        (x > 0)
    G(v) = sum of v^n / (2n+1)!!                     A(v) ~ sum of (-1)^n (2n-1)!! / v^n
"""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist

from lenticulum.certify.checker.constants import pi_interval
from lenticulum.certify.checker.dyadic import (
    ONE,
    ZERO,
    Interval,
    NoValue,
    below,
    minus,
    negative,
    outward,
    over,
    plus,
    point,
    scaled,
    square_root,
    times,
)
from lenticulum.certify.checker.elementary import beyond, exp_at, short_of


@lru_cache(maxsize=256)
def inverse_root_pi(q: int) -> Interval:
    """1 / sqrt(pi)."""
    return over(ONE, square_root(pi_interval(q + 4), q + 4), q + 2)


@lru_cache(maxsize=256)
def inverse_root_two_pi(q: int) -> Interval:
    """1 / sqrt(2 pi)."""
    return over(ONE, square_root(scaled(pi_interval(q + 4), 1), q + 4), q + 2)


def positive_series(m: int, e: int, q: int) -> Interval:
    """G(v), v = m 2^e >= 0, all of whose terms are positive.

    Rounding v down by less than a unit costs less than G 2^-w, because G' <= G. With T_n the exact terms, T_0 = 2^w, a
    term rounded down n times is short by at most the sum over j <= n of T_n / T_j <= n (T_n / T_0 + 1), since the terms
    rise and then fall. So N terms are short by at most N² + N G. The loop ends where the term vanishes and the ratio is
    at most 1/2: then T_N <= 2 N, and the rest is at most 4 N.
    """
    w = q + 18
    shift = e + w
    v = m << shift if shift >= 0 else m >> min(-shift, m.bit_length())
    term = total = 1 << w
    n = 0
    while term or (2 * n + 3) << w < 2 * v:
        n += 1
        term = term * v // ((2 * n + 1) << w)
        total += term
    size = (total >> w) + 2
    return outward(total, total + n * n + n * size + 4 * n + size, -w, q)


def tail_series(m: int, e: int, q: int) -> Interval | None:
    """A(v), v = m 2^e > 0, or None where its smallest term is not below 2^-q.

    Integration by parts of the integral of e^(-t²/2) gives after n terms a remainder of the sign of the next term and
    smaller than it, for every v > 0. With n = floor(v/2), (2n-1)!! <= sqrt(2) (2n/e)^n, so a term is below
    sqrt(2) e^(1 - v/2) < 2^(2 - 0.72 v): v >= 3/2 w is enough to get below 2^-w, w >= 32, and there the loop ends.
    Terms rounded down are short by at most n units (the ratio is below 1 while they fall): N² + N units together.
    """
    size = m.bit_length() + e
    if size > q + 8:
        return short_of(1, 0, q + 4)
    w = q + 16
    if below(point(m, e), point(3 * w, -1)) is not False:
        return None
    numerator, denominator = (1, m << e) if e >= 0 else (1 << -e, m)
    term = total = 1 << w
    n = 0
    while term:
        n += 1
        term = term * (2 * n - 1) * numerator // denominator
        total += -term if n & 1 else term
    error = n * n + 2 * n + 2
    return total - error, total + error, -w


def central_part(m: int, e: int, k: int, root: Interval, q: int) -> Interval:
    """x e^(-v/2) root G(v), v = 2^k x²."""
    v, exponent = m * m, 2 * e + k
    density = times(exp_at(-v, exponent - 1, q + 4), root, q + 4)
    return times(times(density, point(m, e), q + 4), positive_series(v, exponent, q + 4), q)


def tail_part(m: int, e: int, k: int, root: Interval, q: int) -> Interval | None:
    """e^(-v/2) root A(v) / x, v = 2^k x², x > 0; None where A does not reach q bits."""
    v, exponent = m * m, 2 * e + k
    series = tail_series(v, exponent, q + 4)
    if series is None:
        return None
    density = times(exp_at(-v, exponent - 1, q + 4), root, q + 4)
    return over(times(density, series, q + 4), point(m, e), q)


def lost_bits(m: int, e: int) -> int:
    """More bits than cancel in 1 - erf x or 1/2 - (Phi(x) - 1/2) if v/2 is m 2^e: log2(e) v/2 + log2 of 4 (x + 1)."""
    return (3 * (m << max(e, 0) if e >= 0 else m >> -e)) // 2 + abs(m.bit_length() + e) + 8


def erf_at(m: int, e: int, q: int) -> Interval:
    """erf x; 1 - e^(-x²) < erf x < 1 for x >= 1."""
    if m < 0:
        return negative(erf_at(-m, e, q))
    if not m:
        return ZERO
    if below(point(m * m, 2 * e), point(q + 4)) is False:
        return short_of(1, 0, q + 2)
    return scaled(central_part(m, e, 1, inverse_root_pi(q + 4), q), 1)


def erfc_at(m: int, e: int, q: int) -> Interval:
    """1 - erf x."""
    if m <= 0:
        return plus(ONE, erf_at(-m, e, q + 2), q)
    tail = tail_part(m, e, 1, inverse_root_pi(q + 4), q)
    if tail is not None:
        return tail
    extra = lost_bits(m * m, 2 * e) if m.bit_length() + e >= -1 else 2
    return minus(ONE, scaled(central_part(m, e, 1, inverse_root_pi(q + extra), q + extra), 1), q)


def normal_cdf_at(m: int, e: int, q: int) -> Interval:
    """Phi(x); for x > 0, 1 - e^(-x²/2) < Phi(x) < 1."""
    root = inverse_root_two_pi(q + 4)
    if m >= 0:
        if below(point(m * m, 2 * e - 1), point(q + 4)) is False:
            return short_of(1, 0, q + 2)
        return plus(point(1, -1), central_part(m, e, 0, root, q + 2), q) if m else point(1, -1)
    tail = tail_part(-m, e, 0, root, q)
    if tail is not None:
        return tail
    extra = lost_bits(m * m, 2 * e - 1) if m.bit_length() + e >= -1 else 2
    return minus(point(1, -1), central_part(-m, e, 0, inverse_root_two_pi(q + extra + 4), q + extra), q)


def erfinv_at(m: int, e: int, q: int) -> Interval:
    """The z with erf z = x: a guess, accepted if erf(z (1 - 2^-k)) <= x <= erf(z (1 + 2^-k)), else improved by Newton.

    erf increases, so the test is a proof and the guess needs none. For x >= 1/2 it compares erfc with 1 - x, exact.
    Small x: with s = x² <= 1/4 and z = sqrt(pi)/2 x (1 + s), erf z >= 2 z / sqrt(pi) (1 - z²/3)
    >= x (1 + s)(1 - 0.41 s) >= x, so erfinv x lies between sqrt(pi)/2 x and sqrt(pi)/2 x (1 + x²).
    """
    if m < 0:
        return negative(erfinv_at(-m, e, q))
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        root = scaled(square_root(pi_interval(q + 6), q + 6), -1)
        return times(beyond(m, e, q + 2), root, q)
    if e >= 0 or m >= 1 << -e:
        raise NoValue
    upper = 2 * m >= 1 << -e
    rest = point((1 << -e) - m, e)
    z = guess_of_erfinv(m, e, upper)
    k = q + 2
    while True:
        lo, hi, ze = short_of(z[0], z[2], k)[0], beyond(z[0], z[2], k)[1], beyond(z[0], z[2], k)[2]
        if upper:
            proved = below(rest, erfc_at(lo, ze, k + 12)) is True and below(erfc_at(hi, ze, k + 12), rest) is True
        else:
            x = point(m, e)
            proved = below(erf_at(lo, ze, k + 12), x) is True and below(x, erf_at(hi, ze, k + 12)) is True
        if proved:
            return outward(lo, hi, ze, q)
        z = closer_erfinv(z, rest if upper else point(m, e), upper, k + 20)


def guess_of_erfinv(m: int, e: int, upper: bool) -> Interval:
    """A float near erfinv x, as a point."""
    if upper:
        guess = -NormalDist().inv_cdf(float((1 << -e) - m) * 2.0 ** (e - 1)) / 2**0.5
    else:
        x = float(m) * 2.0**e
        guess = (
            NormalDist().inv_cdf((1 + x) / 2) / 2**0.5 if x > 2.0**-8 else 0.886226925452758 * x * (1 + 0.2618 * x * x)
        )
    numerator, denominator = guess.as_integer_ratio()
    return point(numerator, 1 - denominator.bit_length())


def closer_erfinv(z: Interval, target: Interval, upper: bool, w: int) -> Interval:
    """One Newton step of erf z = x or erfc z = 1 - x, rounded to a point."""
    m, _, e = z
    slope = scaled(times(exp_at(-m * m, 2 * e, w), inverse_root_pi(w), w), 1)
    missing = minus(erfc_at(m, e, w), target, w) if upper else minus(target, erf_at(m, e, w), w)
    lo, hi, e = plus(z, over(missing, slope, w), w)
    return point((lo + hi) >> 1, e)
