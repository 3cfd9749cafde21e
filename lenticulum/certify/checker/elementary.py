"""Enclosures of exp, log, roots and their relatives by series with derived truncation bounds.

A function `..._at(m, e, q)` takes the number m 2^e exactly and returns an interval of relative width about 2^-q; a
function of an interval evaluates at the ends. Inside, fixed-point integers count units of 2^-w. A quantity that is
rounded down is at most its true value, and the docstrings count by how many units it can be short.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import isqrt

from lenticulum.certify.checker.constants import fixed_constant, log2_interval
from lenticulum.certify.checker.dyadic import (
    ONE,
    ZERO,
    Interval,
    NoValue,
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

At = Callable[[int, int, int], Interval]


def rising(at: At, a: Interval, q: int) -> Interval:
    """The range of an increasing function over a."""
    lo, hi, e = a
    low = at(lo, e, q)
    if lo == hi:
        return low
    high = at(hi, e, q)
    return hull((low[0], low[0], low[2]), (high[1], high[1], high[2]), q)


def falling(at: At, a: Interval, q: int) -> Interval:
    """The range of a decreasing function over a."""
    return rising(lambda m, e, q: at(-m, e, q), negative(a), q)


def beyond(m: int, e: int, k: int) -> Interval:
    """The numbers from x = m 2^e to x (1 + 2^-k)."""
    shift = max(k + 2 - m.bit_length(), 0)
    m <<= shift
    more = (abs(m) >> k) + 1
    return (m, m + more, e - shift) if m > 0 else (m - more, m, e - shift)


def short_of(m: int, e: int, k: int) -> Interval:
    """The numbers from x (1 - 2^-k) to x = m 2^e."""
    shift = max(k + 2 - m.bit_length(), 0)
    m <<= shift
    less = (abs(m) >> k) + 1
    return (m - less, m, e - shift) if m > 0 else (m, m + less, e - shift)


def exp_at(m: int, e: int, q: int) -> Interval:
    """e^x = 2^n (e^(r / 2^k))^(2^k) with x = n log 2 + r, 0 <= r < log 2.

    |x| < 2^(-q-2): 1 - |x| < e^x < 1 + 2 |x|.
    Reduction: x is rounded down and log 2 is short by at most 2 units of 2^-w1, so r 2^w1 is wrong by at most
    1 + 2 |n| < 2^(w1-w) units of 2^-w1 times 1.5 (|n| < 2^(size+1), w1 = w + size + 2), and rounding it down to units
    of 2^-w adds one: r lies in [R - 2, R + 3] 2^-w. That is a factor in [1 - 2 2^-w, 1 + 4 2^-w] of the result; for a
    result below 2.02 it is less than 5 and 9 units.
    Taylor series at y = r / 2^k < 0.18: a term rounded down once is short by at most 1.25 units, and so is the first
    that vanishes, hence the rest by 2 together; y is short by 1 unit, the sum by 1.2 for it. In all less than 2 N + 4.
    """
    if not m:
        return ONE
    size = m.bit_length() + e
    if size <= -q - 2:
        one = 1 << (q + 2)
        return (one, one + 2, -q - 2) if m > 0 else (one - 1, one, -q - 2)
    k = isqrt(q) // 2 + 2
    w = q + k + 12
    w1 = w + max(size, 0) + 2
    shift = e + w1
    n, r = divmod(m << shift if shift >= 0 else m >> -shift, fixed_constant("log2", w1))
    y = r >> (w1 - w + k)
    term = total = 1 << w
    count = 0
    while term:
        count += 1
        term = (term * y >> w) // count
        total += term
    lo, hi = total, total + 2 * count + 4
    for _ in range(k):
        lo, hi = lo * lo >> w, -(-hi * hi >> w)
    return outward(lo - 5, hi + 9, n - w, q)


def exp_interval(a: Interval, q: int) -> Interval:
    """The range of e^x; on a narrow interval from one value: e^(x+d) <= e^x (1 + d + d²) for 0 <= d <= 1."""
    lo, hi, e = a
    width = hi - lo
    if 2 * (width.bit_length() + e) > -q:
        return rising(exp_at, a, q)
    if not width:
        return exp_at(lo, e, q)
    low = exp_at(lo, e, q)
    growth = plus((0, width, e), (0, 1, -q), q)  # d² < 2^-q
    return plus(low, times(low, growth, q), q)


def expm1_at(m: int, e: int, q: int) -> Interval:
    """e^x - 1; for |x| < 2^(-q-2) between x and x (1 + x), because x <= e^x - 1 <= x + x² for x <= 1."""
    if not m:
        return ZERO
    size = m.bit_length() + e
    if size <= -q - 2:
        return beyond(m, e, q + 2) if m > 0 else short_of(m, e, q + 2)
    return minus(exp_at(m, e, q + max(0, -size) + 3), ONE, q)


def log_at(m: int, e: int, q: int) -> Interval:
    """log x = k log 2 + 2 atanh z, x = 2^k t, 2/3 <= t < 4/3, z = (t - 1) / (t + 1), |z| <= 1/5.

    If k is not 0, |k| log 2 > 0.69 > 0.41 > |log t|: at most two bits cancel. If k is 0, z is taken with q + 8 bits.
    Terms z^(2j+1) rounded down (z and z² too) are short by at most 1.5 units, the division by 2j + 1 costs one more,
    and the terms left out are less than 2 units together: less than 3 N + 3 units for N terms.
    """
    if m <= 0:
        raise NoValue
    bits = m.bit_length()
    k = e + bits
    if 3 * m < 1 << (bits + 1):
        bits -= 1
        k -= 1
    difference, total = m - (1 << bits), m + (1 << bits)
    magnitude = abs(difference)
    w = q + 10
    if not k:
        if not difference:
            return ZERO
        w += bits + 2 - magnitude.bit_length()
    z = (magnitude << w) // total
    z2 = z * z >> w
    series, j, power = z, 1, z * z2 >> w
    while power:
        j += 2
        series += power // j
        power = power * z2 >> w
    lo, hi = 2 * series, 2 * series + 3 * j + 9
    if difference < 0:
        lo, hi = -hi, -lo
    if k:
        c = fixed_constant("log2", w + 12)
        whole = (k * c, k * (c + 2)) if k > 0 else (k * (c + 2), k * c)
        if k.bit_length() <= 12:
            lo, hi = lo + (whole[0] >> 12), hi - (-whole[1] >> 12)
        else:
            return plus(times(point(k), log2_interval(q + 4), q + 4), (lo, hi, -w), q)
    return outward(lo, hi, -w, q)


def log1p_at(m: int, e: int, q: int) -> Interval:
    """log(1 + x), the sum exactly.

    |x| < 2^(-q-2): between x and x (1 - x), because x - x² <= log(1 + x) <= x for |x| <= 1/2. Huge x:
    log x < log(1 + x) < log x + 1 / x.
    """
    if not m:
        return ZERO
    if m.bit_length() + e <= -q - 2:
        return short_of(m, e, q + 2) if m > 0 else beyond(m, e, q + 2)
    if e <= 0:
        return log_at((1 << -e) + m, e, q)
    if m < 0:
        raise NoValue
    if e <= 2 * q + 64:
        return log_at((m << e) + 1, 0, q)
    return plus(log_at(m, e, q + 2), (0, 1, -e), q)


@lru_cache(maxsize=256)
def log10_of_e(q: int) -> Interval:
    """1 / log 10."""
    return over(ONE, log_at(10, 0, q + 4), q + 2)


def log2_at(m: int, e: int, q: int) -> Interval:
    """log x / log 2; exact for powers of two (for other dyadic x it is irrational)."""
    if m > 0 and not m & (m - 1):
        return point(m.bit_length() - 1 + e)
    return over(log_at(m, e, q + 4), log2_interval(q + 4), q)


def log10_at(m: int, e: int, q: int) -> Interval:
    """log x / log 10; exact for 10^k = 5^k 2^k, k >= 0 (for other dyadic x it is irrational)."""
    if m > 0:
        twos = (m & -m).bit_length() - 1
        k = e + twos
        if 0 <= k <= m.bit_length() and m >> twos == 5**k:
            return point(k)
    return times(log_at(m, e, q + 4), log10_of_e(q + 4), q)


def exp2_at(m: int, e: int, q: int) -> Interval:
    """2^x = 2^n e^(f log 2), x = n + f, 0 <= f < 1; exact for integers (for other dyadic x it is irrational)."""
    if e >= 0:
        return ONE[0], ONE[1], m << e
    if m.bit_length() + e <= -q - 2:
        return exp_interval(times(point(m, e), log2_interval(q + 4), q + 4), q)
    n = m >> -e
    f = m - (n << -e)
    if not f:
        return ONE[0], ONE[1], n
    return scaled(exp_interval(times(point(f, e), log2_interval(q + 6), q + 6), q), n)


def sqrt_at(m: int, e: int, q: int) -> Interval:
    """The square root; exact for squares."""
    return square_root((m, m, e), q)


def rsqrt_at(m: int, e: int, q: int) -> Interval:
    """1 / sqrt(x)."""
    return over(ONE, square_root((m, m, e), q + 3), q)


def cube_root(n: int) -> int:
    """floor(n^(1/3)), n >= 1: Newton's iteration from above decreases until it reaches it."""
    extra = max(0, n.bit_length() - 900) // 3
    root = (int(float(n >> 3 * extra) ** (1 / 3) * (1 + 2.0**-40)) + 2) << extra
    while True:
        closer = (2 * root + n // (root * root)) // 3
        if closer >= root:
            return root
        root = closer


def cbrt_at(m: int, e: int, q: int) -> Interval:
    """The real cube root; exact for cubes."""
    if m < 0:
        return negative(cbrt_at(-m, e, q))
    if not m:
        return ZERO
    shift = max(3 * q + 6 - m.bit_length(), 0)
    shift += (e - shift) % 3
    n = m << shift
    root = cube_root(n)
    return outward(root, root + (root**3 < n), (e - shift) // 3, q)


def sigmoid_at(m: int, e: int, q: int) -> Interval:
    """1 / (1 + e^-x)."""
    return over(ONE, plus(ONE, exp_at(-m, e, q + 4), q + 4), q)


def softplus_at(m: int, e: int, q: int) -> Interval:
    """log(1 + e^x) = max(x, 0) + log1p(e^-|x|)."""
    small = rising(log1p_at, exp_at(-abs(m), e, q + 4), q + 2)
    return plus(point(m, e), small, q) if m > 0 else outward(*small, q)


def logit_at(m: int, e: int, q: int) -> Interval:
    """log(x / (1 - x)): log1p((2x - 1) / (1 - x)) for 1/4 < x < 3/4; log x - log1p(-x) elsewhere, where it is large."""
    if m <= 0:
        raise NoValue
    if m.bit_length() + e >= -1 and 4 * m < 3 << -e:
        rest = (1 << -e) - m
        return rising(log1p_at, over(point(m - rest), point(rest), q + 4), q)
    return minus(log_at(m, e, q + 3), log1p_at(-m, e, q + 3), q)


def tanh_at(m: int, e: int, q: int) -> Interval:
    """-E / (2 + E), E = expm1(-2 |x|), with the sign of x; x - x³ <= tanh x <= x for 0 <= x < 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return short_of(m, e, q + 2)
    E = expm1_at(-abs(m), e + 1, q + 4)
    value = over(negative(E), plus(point(2), E, q + 4), q)
    return value if m > 0 else negative(value)


def sinh_at(m: int, e: int, q: int) -> Interval:
    """(E + E / (1 + E)) / 2, E = expm1(|x|), with the sign of x; x <= sinh x <= x + x³ for 0 <= x < 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return beyond(m, e, q + 2)
    E = expm1_at(abs(m), e, q + 6)
    value = scaled(plus(E, over(E, plus(ONE, E, q + 6), q + 4), q), -1)
    return value if m > 0 else negative(value)


def cosh_at(m: int, e: int, q: int) -> Interval:
    """(e^|x| + e^-|x|) / 2; 1 <= cosh x <= 1 + x² for |x| <= 1."""
    if not m:
        return ONE
    if 2 * (m.bit_length() + e) <= -q - 2:
        return beyond(1, 0, q + 2)
    E = exp_at(abs(m), e, q + 4)
    return scaled(plus(E, over(ONE, E, q + 4), q), -1)


def asinh_at(m: int, e: int, q: int) -> Interval:
    """log1p(x + x² / (1 + sqrt(1 + x²))) of |x|, with the sign of x; x - x³ <= asinh x <= x for 0 <= x < 1."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return short_of(m, e, q + 2)
    x = point(abs(m), e)
    x2 = square(x, q + 8)
    root = square_root(plus(ONE, x2, q + 8), q + 8)
    value = rising(log1p_at, plus(x, over(x2, plus(ONE, root, q + 8), q + 8), q + 6), q)
    return value if m > 0 else negative(value)


def acosh_at(m: int, e: int, q: int) -> Interval:
    """log1p(t + sqrt(t (t + 2))), t = x - 1."""
    t = point(m - (1 << -e), e) if e <= 0 else minus(point(m, e), ONE, q + 8)
    if t[0] < 0:
        raise NoValue
    if t[1] == 0:
        return ZERO
    root = square_root(times(t, plus(t, point(2), q + 8), q + 8), q + 8)
    return rising(log1p_at, plus(t, root, q + 6), q)


def atanh_at(m: int, e: int, q: int) -> Interval:
    """log1p(2 x / (1 - x)) / 2 of |x|, with the sign of x; x <= atanh x <= x + x³ for 0 <= x <= 1/2."""
    if not m:
        return ZERO
    if 2 * (m.bit_length() + e) <= -q - 2:
        return beyond(m, e, q + 2)
    if e >= 0 or abs(m) >= 1 << -e:
        raise NoValue
    rest = (1 << -e) - abs(m)
    value = scaled(rising(log1p_at, over(point(2 * abs(m)), point(rest), q + 6), q), -1)
    return value if m > 0 else negative(value)
