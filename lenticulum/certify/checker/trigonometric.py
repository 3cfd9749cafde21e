"""Enclosures of the trigonometric functions and their inverses: reduction by pi with enough bits, then series."""

from __future__ import annotations

from lenticulum.certify.checker.constants import fixed_constant, pi_interval
from lenticulum.certify.checker.dyadic import (
    ONE,
    ZERO,
    Interval,
    NoValue,
    below,
    hull,
    minus,
    negative,
    outward,
    over,
    plus,
    point,
    scaled,
    square,
    square_root,
    times,
)
from lenticulum.certify.checker.elementary import At, beyond, short_of


def quarter_turns(m: int, e: int, q: int) -> tuple[int, int, int]:
    """n, R, w with x = n pi/2 + r, |r - R 2^-w| <= 2 units and |R| >= 2^(q+8): r with q bits, however small it is.

    x is rounded down and pi/2 is short by at most 2 units of 2^-w1: r is wrong by at most 1 + 2 |n| < 2^(w1-w) of them
    (|n| < 2^size, w1 = w + size + 2), that is one unit of 2^-w, and one more for rounding down. A nonzero rational is
    no multiple of pi, so the loop ends.
    """
    size = m.bit_length() + e
    w = q + 10 + max(-size, 0)
    while True:
        w1 = w + max(size, 0) + 2
        half_pi = fixed_constant("pi", w1 - 1)
        shift = e + w1
        x = m << shift if shift >= 0 else m >> -shift
        n = (2 * x + half_pi) // (2 * half_pi)
        R = (x - n * half_pi) >> (w1 - w)
        missing = q + 9 - R.bit_length()
        if missing <= 0:
            return n, R, w
        w += missing + 2


def sine_series(R: int, uncertainty: int, w: int) -> Interval:
    """sin r for |r - R| <= uncertainty, |r| < 0.8, in units of 2^-w.

    Terms rounded down are short by at most 1.4 units each, the rest by 2 together, and |sin'| <= 1.
    """
    r = abs(R)
    r2 = r * r >> w
    term, total, count, j = r, r, 0, 1
    while term:
        term = term * r2 // ((j + 1) * (j + 2) << w)
        j += 2
        count += 1
        total += -term if count & 1 else term
    error = 2 * count + 2 + uncertainty
    if R < 0:
        total = -total
    return total - error, total + error, -w


def cosine_series(R: int, uncertainty: int, w: int) -> Interval:
    """cos r for |r - R| <= uncertainty, |r| < 0.8, in units of 2^-w, counted as in `sine_series`."""
    r2 = R * R >> w
    term = total = 1 << w
    count, j = 0, 0
    while term:
        term = term * r2 // ((j + 1) * (j + 2) << w)
        j += 2
        count += 1
        total += -term if count & 1 else term
    error = 2 * count + 4 + uncertainty
    return total - error, total + error, -w


def sine_of_turns(n: int, R: int, uncertainty: int, w: int) -> Interval:
    """sin(n pi/2 + r)."""
    value = cosine_series(R, uncertainty, w) if n & 1 else sine_series(R, uncertainty, w)
    return negative(value) if n & 2 else value


def sin_at(m: int, e: int, q: int) -> Interval:
    """sin x; x - x³ <= sin x <= x for 0 <= x < 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return short_of(m, e, q + 2)
    n, R, w = quarter_turns(m, e, q)
    return outward(*sine_of_turns(n, R, 2, w), q)


def cos_at(m: int, e: int, q: int) -> Interval:
    """cos x = sin(x + pi/2); 1 - x² <= cos x <= 1."""
    if not m:
        return ONE
    if 2 * (m.bit_length() + e) <= -q - 2:
        return short_of(1, 0, q + 2)
    n, R, w = quarter_turns(m, e, q)
    return outward(*sine_of_turns(n + 1, R, 2, w), q)


def tan_at(m: int, e: int, q: int) -> Interval:
    """sin x / cos x; x <= tan x <= x + x³ for 0 <= x <= 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return beyond(m, e, q + 2)
    n, R, w = quarter_turns(m, e, q)
    return over(sine_of_turns(n, R, 2, w), sine_of_turns(n + 1, R, 2, w), q)


def monotonic_piece(m: int, e: int, shift: int) -> int:
    """floor(x / pi - shift / 2): on one piece of this number sin (shift 1) and cos (shift 0) are monotonic."""
    n, R, _ = quarter_turns(m, e, 0) if m else (0, 0, 0)
    return (n - shift) // 2 - (not (n - shift) & 1 and R < 0)


def wave_range(at: At, shift: int, a: Interval, q: int) -> Interval:
    """The range of sin or cos over an interval: from its ends, and 1 or -1 where it passes from piece to piece."""
    (lo, hi, e) = a
    first, last = monotonic_piece(lo, e, shift), monotonic_piece(hi, e, shift)
    result = hull(at(lo, e, q), at(hi, e, q), q)
    for piece in range(first + 1, min(last, first + 2) + 1):
        result = hull(result, point(-1 if piece & 1 else 1), q)
    return result


def half_turns(m: int, e: int) -> tuple[int, Interval]:
    """n and s with x = n/2 + s exactly, |s| <= 1/4."""
    if e >= -1:
        return m << (e + 1), ZERO
    half = 1 << (-e - 1)
    n = (2 * m + half) // (2 * half)
    return n, point(m - n * half, e)


def sine_of_half_turns(n: int, s: Interval, q: int) -> Interval:
    """sin(pi (n/2 + s)); the interval pi s, known to a few units, is the fixed-point argument of the series."""
    if s == ZERO or not s[0]:
        return (ZERO, ONE, ZERO, point(-1))[n & 3]
    r = times(s, pi_interval(q + 10), q + 10)
    size = r[0].bit_length() + r[2]
    if 2 * size <= -q - 2:
        value = plus(r, (-1, 1, 3 * size), q + 8) if not n & 1 else short_of(1, 0, q + 2)
        return outward(*(negative(value) if n & 2 else value), q)
    return outward(*sine_of_turns(n, r[0], r[1] - r[0] + 1, -r[2]), q)


def sin_pi_at(m: int, e: int, q: int) -> Interval:
    """sin(pi x), exact where x is a multiple of 1/2."""
    n, s = half_turns(m, e)
    return sine_of_half_turns(n, s, q)


def cos_pi_at(m: int, e: int, q: int) -> Interval:
    """cos(pi x), exact where x is a multiple of 1/2."""
    n, s = half_turns(m, e)
    return sine_of_half_turns(n + 1, s, q)


def sinc_at(m: int, e: int, q: int) -> Interval:
    """sin(pi x) / (pi x), 1 at 0 and 0 at the other integers; 1 - (pi x)² <= sinc x <= 1."""
    if not m:
        return ONE
    if 2 * (m.bit_length() + e + 2) <= -q - 2:
        return short_of(1, 0, q + 2)
    sine = sin_pi_at(m, e, q + 4)
    return over(sine, times(pi_interval(q + 4), point(m, e), q + 4), q) if sine != ZERO else ZERO


def atan_of(y: Interval, q: int) -> Interval:
    """The range of atan over an interval of numbers >= 0, narrow beside its size.

    y > 1: pi/2 - atan(1/y). Else atan y = 2^h atan(y'), y' from y by y -> y / (1 + sqrt(1 + y²)) h times, y' <= 0.2,
    and the alternating series: a power rounded down is short by at most 1.1 units, a term by 2.2, the rest by 2
    together: 3 N + 3 units; the width of y' adds to the upper end since 0 < atan' <= 1.
    """
    if below(ONE, y):
        return minus(scaled(pi_interval(q + 4), -1), atan_of(over(ONE, y, q + 8), q + 4), q)
    if not y[1]:
        return ZERO
    halvings = 2 + q.bit_length() // 8 + q // 400
    v = q + 10 + halvings
    for _ in range(halvings):
        root = square_root(plus(ONE, square(y, v), v), v)
        y = over(y, plus(ONE, root, v), v)
    lo, hi, e = y
    if lo.bit_length() < v:
        lo, hi, e = lo << 12, hi << 12, e - 12
    w = -e
    y2 = lo * lo >> w
    power = total = lo
    j = 1
    while power:
        power = power * y2 >> w
        j += 2
        total += -(power // j) if j & 2 else power // j
    error = 2 * j + 6
    return outward(total - error, total + error + hi - lo, e + halvings, q)


def atan_at(m: int, e: int, q: int) -> Interval:
    """atan x; x - x³ <= atan x <= x for 0 <= x < 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return short_of(m, e, q + 2)
    value = atan_of(point(abs(m), e), q)
    return value if m > 0 else negative(value)


def asin_at(m: int, e: int, q: int) -> Interval:
    """atan(x / sqrt(1 - x²)); x <= asin x <= x + x³ for 0 <= x <= 1/2."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return beyond(m, e, q + 2)
    rest = (1 << -2 * e) - m * m if e < 0 else 1 - m * m
    if rest < 0 or e > 0:
        raise NoValue
    if not rest:
        value = scaled(pi_interval(q), -1)
    else:
        value = atan_of(over(point(abs(m)), square_root(point(rest), q + 10), q + 8), q)
    return value if m > 0 else negative(value)


def acos_at(m: int, e: int, q: int) -> Interval:
    """2 atan(sqrt((1 - x) / (1 + x))); near 0, pi/2 - asin x."""
    if 2 * (m.bit_length() + e) <= -q - 2:
        return minus(scaled(pi_interval(q + 4), -1), asin_at(m, e, q + 4), q)
    if e > 0 or abs(m) > 1 << -e:
        raise NoValue
    one = 1 << -e
    if m == -one:
        return pi_interval(q)
    ratio = over(point(one - m), point(one + m), q + 10)
    return scaled(atan_of(square_root(ratio, q + 10), q), 1)


def atan2_at(y: Interval, x: Interval, q: int) -> Interval:
    """The angle of the point (abscissa x, ordinate y), both points, not both 0."""
    if y[0] < 0:
        return negative(atan2_at(negative(y), x, q))
    if not x[0]:
        if not y[0]:
            raise NoValue
        return scaled(pi_interval(q), -1)
    if x[0] > 0:
        return atan_of(over(y, x, q + 8), q)
    return minus(pi_interval(q + 4), atan_of(over(y, negative(x), q + 8), q + 4), q) if y[0] else pi_interval(q)
