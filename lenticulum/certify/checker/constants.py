"""Enclosures of the constants pi, log 2 and those made of them, kept for reuse."""

from __future__ import annotations

from functools import lru_cache

from lenticulum.certify.checker.dyadic import Interval

FIXED_CONSTANTS: dict[str, tuple[int, int]] = {}


def fixed_constant(name: str, w: int) -> int:
    """n with n <= c 2^w <= n + 2 for c = pi or log 2; the longest n computed so far is kept.

    A series short by less than 2^guard units gives N <= c 2^W <= N + 2. Then n = floor(N / 2^k), k = W - w, satisfies
    n <= c 2^w <= (N + 2) / 2^k <= n + (2^k - 1 + 2) / 2^k <= n + 2.
    """
    bits, value = FIXED_CONSTANTS.get(name, (-1, 0))
    if bits < w:
        bits = 2 * w + 64
        guard = bits.bit_length() + 12
        series = pi_series if name == "pi" else log2_series
        value = series(bits + guard) >> guard
        FIXED_CONSTANTS[name] = bits, value
    return value >> (bits - w)


def inverse_series(k: int, w: int, alternating: bool) -> int:
    """Sum of 1 / ((2j+1) k^(2j+1)), with signs (-1)^j if alternating, in units of 2^-w; wrong by less than 2 w units.

    k^-(2j+1) is rounded down again and again, which makes it short by at most 1 + 1/9 + ... < 1.2 units; the division
    by 2j + 1 costs one more. There are at most w / (2 log2 3) + 1 terms, and those left out are below 1.4 units in all.
    """
    power, total, j = (1 << w) // k, 0, 0
    while power:
        term = power // (2 * j + 1)
        total += -term if alternating and j & 1 else term
        power //= k * k
        j += 1
    return total


def pi_series(w: int) -> int:
    """At most pi 2^w, and short by less than 80 w units: Machin's pi = 16 atan(1/5) - 4 atan(1/239)."""
    return 16 * inverse_series(5, w, True) - 4 * inverse_series(239, w, True) - 40 * w


def log2_series(w: int) -> int:
    """At most log(2) 2^w, and short by less than 4 w units: log 2 = 2 atanh(1/3)."""
    return 2 * inverse_series(3, w, False)


@lru_cache(maxsize=1024)
def pi_interval(q: int) -> Interval:
    """The circle constant."""
    n = fixed_constant("pi", q + 2)
    return n, n + 2, -q - 2


@lru_cache(maxsize=1024)
def log2_interval(q: int) -> Interval:
    """log 2."""
    n = fixed_constant("log2", q + 4)
    return n, n + 2, -q - 4
