"""Enclosures of log|Gamma|, digamma and trigamma: Stirling's series with its remainder, recurrence and reflection.

Binet: log Gamma(z) - ((z - 1/2) log z - z + log(2 pi)/2) is the integral over t > 0 of e^(-z t) h(t) / t with
    h(t) = 1/(e^t - 1) - 1/t + 1/2 = sum over n >= 1 of 2 t / (t² + 4 pi² n²).
Each fraction expanded in powers of t² has, cut anywhere, a remainder of the sign of the next term and smaller than it
(it is the next term times 1 / (1 + t²/(4 pi² n²))). The weights e^(-z t) t^k are positive, so the same holds for
Stirling's series of log Gamma and for its derivatives, for every z > 0:
    log Gamma(z): B_2k / (2k (2k-1) z^(2k-1))    psi(z): -B_2k / (2k z^2k)    psi'(z): B_2k / z^(2k+1)
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from lenticulum.certify.checker.constants import pi_interval
from lenticulum.certify.checker.dyadic import (
    ONE,
    ZERO,
    Interval,
    NoValue,
    magnitudes,
    minus,
    order,
    outward,
    over,
    plus,
    point,
    scaled,
    square,
    times,
    times_ratio,
)
from lenticulum.certify.checker.elementary import log_at, rising
from lenticulum.certify.checker.trigonometric import cos_pi_at, sin_pi_at

GAMMA_CAP = 8_000


@lru_cache(maxsize=1)
def bernoulli_numbers() -> list[Fraction]:
    """B_0, B_2, B_4, ..., extended by `bernoulli_number`."""
    return [Fraction(1)]


def bernoulli_number(k: int) -> Fraction:
    """B_2k, from the sum over j <= n of C(n+1, j) B_j = 0 with n = 2k; of the odd ones only B_1 = -1/2 is not 0."""
    known = bernoulli_numbers()
    while len(known) <= k:
        n = 2 * len(known)
        total, binomial = -Fraction(n + 1, 2), 1
        for j in range(n):
            if j % 2 == 0:
                total += binomial * known[j // 2]
            binomial = binomial * (n + 1 - j) // (j + 1)
        known.append(-total / (n + 1))
    return known[k]


def stirling_series(z: Interval, coefficient: Callable[[int], Fraction], first: int, w: int) -> Interval:
    """Sum over k >= 1 of c_k z^(-first - 2 (k - 1)) up to the first term below 2^-w; the remainder is within it."""
    inverse = over(ONE, z, w + 8)
    step = square(inverse, w + 8)
    power = inverse
    for _ in range(first - 1):
        power = times(power, inverse, w + 8)
    total, k = ZERO, 1
    while True:
        c = coefficient(k)
        term = times_ratio(power, c.numerator, c.denominator, w + 8)
        largest = magnitudes(term)
        if order(largest[1], largest[2], 1, -w) < 0:
            return plus(total, (min(term[0], 0), max(term[1], 0), term[2]), w + 8)
        total = plus(total, term, w + 8)
        power = times(power, step, w + 8)
        k += 1


def log_gamma_coefficient(k: int) -> Fraction:
    """B_2k / (2k (2k-1))."""
    return bernoulli_number(k) / (2 * k * (2 * k - 1))


def digamma_coefficient(k: int) -> Fraction:
    """-B_2k / 2k."""
    return -bernoulli_number(k) / (2 * k)


def steps_up(m: int, e: int, w: int) -> int:
    """N with x + N > w/5 + 2: there the terms of Stirling's series fall below e^(-2 pi z) < 2^-w."""
    goal = w // 5 + 3
    if m.bit_length() + e > 40:
        return 0
    whole = m << e if e >= 0 else m >> -e
    return max(0, goal - whole)


def refined(compute: Callable[[int, int, int], Interval], m: int, e: int, q: int) -> Interval:
    """compute(m, e, w) at rising w until it has q bits beside its size, or at the cap whatever it has."""
    w = q + 12
    while True:
        value = compute(m, e, w)
        width = value[1] - value[0]
        smallest = min(abs(value[0]), abs(value[1])) if value[0] > 0 or value[1] < 0 else 0
        if smallest.bit_length() - width.bit_length() >= q + 1 or not width or w > GAMMA_CAP:
            return outward(*value, q)
        w += max(q + 2 - smallest.bit_length() + width.bit_length(), 12) if smallest else w


def is_integer(m: int, e: int) -> bool:
    """Whether m 2^e is an integer."""
    return e >= 0 or not m & ((1 << -e) - 1)


def lgamma_at(m: int, e: int, q: int) -> Interval:
    """log |Gamma(x)|, exactly 0 at 1 and 2; NoValue at the poles."""
    if m <= 0 and is_integer(m, e):
        raise NoValue
    if order(m, e, 1, 0) == 0 or order(m, e, 2, 0) == 0:
        return ZERO
    return refined(log_gamma if m > 0 else reflected_log_gamma, m, e, q)


def reflected_log_gamma(m: int, e: int, w: int) -> Interval:
    """log pi - log|sin(pi x)| - log Gamma(1 - x), x < 0."""
    sine = magnitudes(sin_pi_at(m, e, w + 4))
    rest = (1 << -e) - m
    logs = minus(rising(log_at, pi_interval(w + 4), w + 4), rising(log_at, sine, w + 4), w + 4)
    return minus(logs, log_gamma(rest, e, w + 4), w)


def log_gamma(m: int, e: int, w: int) -> Interval:
    """Stirling's series at z = x + N, less log(x (x + 1) ... (x + N - 1)), x > 0."""
    v = w + 12
    x = point(m, e)
    count = steps_up(m, e, w)
    z = plus(x, point(count), v)
    log_z = rising(log_at, z, v)
    main = minus(times(minus(z, point(1, -1), v), log_z, v), z, v)
    main = plus(main, scaled(rising(log_at, scaled(pi_interval(v), 1), v), -1), v)
    value = plus(main, stirling_series(z, log_gamma_coefficient, 1, w), v)
    if not count:
        return value
    product = x
    for i in range(1, count):
        product = times(product, plus(x, point(i), v), v)
    return minus(value, rising(log_at, product, v), v)


def digamma_at(m: int, e: int, q: int) -> Interval:
    """The derivative of log Gamma; NoValue at the poles."""
    if m <= 0 and is_integer(m, e):
        raise NoValue
    return refined(positive_digamma if m > 0 else reflected_digamma, m, e, q)


def reflected_digamma(m: int, e: int, w: int) -> Interval:
    """psi(1 - x) - pi cos(pi x) / sin(pi x), x < 0."""
    cotangent = over(cos_pi_at(m, e, w + 4), sin_pi_at(m, e, w + 4), w + 4)
    return minus(positive_digamma((1 << -e) - m, e, w + 4), times(pi_interval(w + 4), cotangent, w + 4), w)


def positive_digamma(m: int, e: int, w: int) -> Interval:
    """log z - 1/(2z) - series at z = x + N, less the sum of 1 / (x + i), x > 0."""
    v = w + 12
    x = point(m, e)
    count = steps_up(m, e, w)
    z = plus(x, point(count), v)
    value = minus(rising(log_at, z, v), scaled(over(ONE, z, v), -1), v)
    value = plus(value, stirling_series(z, digamma_coefficient, 2, w), v)
    for i in range(count):
        value = minus(value, over(ONE, plus(x, point(i), v) if i else x, v), v)
    return value


def trigamma_at(m: int, e: int, q: int) -> Interval:
    """The derivative of digamma, positive; NoValue at the poles."""
    if m <= 0 and is_integer(m, e):
        raise NoValue
    return refined(positive_trigamma if m > 0 else reflected_trigamma, m, e, q)


def reflected_trigamma(m: int, e: int, w: int) -> Interval:
    """(pi / sin(pi x))² - psi'(1 - x), x < 0."""
    ratio = over(pi_interval(w + 4), magnitudes(sin_pi_at(m, e, w + 4)), w + 4)
    return minus(square(ratio, w + 4), positive_trigamma((1 << -e) - m, e, w + 4), w)


def positive_trigamma(m: int, e: int, w: int) -> Interval:
    """1/z + 1/(2z²) + series at z = x + N, and the sum of 1 / (x + i)², x > 0."""
    v = w + 12
    x = point(m, e)
    count = steps_up(m, e, w)
    z = plus(x, point(count), v)
    inverse = over(ONE, z, v)
    value = plus(inverse, scaled(square(inverse, v), -1), v)
    value = plus(value, stirling_series(z, bernoulli_number, 3, w + max(0, z[1].bit_length() + z[2])), v)
    for i in range(count):
        value = plus(value, square(over(ONE, plus(x, point(i), v) if i else x, v), v), v)
    return value
