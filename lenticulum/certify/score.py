"""Scoring outputs against enclosures, many at once: strata, errors in ulp, K, correct rounding, acceptance.

Every quantity is computed in float64 with its rounding covered, so a bound is a bound: an error is an interval
[at_least, at_most] that holds for every value inside the enclosure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lenticulum.certify.enclosure import Enclosures, at
from lenticulum.certify.rule import K_LIMIT, Rule
from lenticulum.numbers.formats import Format, bits_to_float64, encode, float64_ulp

Array = np.ndarray

STRATA = ("regular", "subnormal result", "overflow", "subnormal input")
REGULAR, SUBNORMAL_RESULT, OVERFLOW, SUBNORMAL_INPUT = range(4)

#: Ways in which an input is accepted, in the order in which they are tried.
WAYS = ("K", "running bound", "flushed", "textbook overflow", "within")
REJECTED, UNDECIDED, BY_K, BY_BOUND, BY_FLUSH, BY_OVERFLOW, BY_WITHIN = range(-2, 5)

#: Covers the roundings of a difference, a quotient by a power of two, and this product itself.
UP = 1 + 2.0**-50
DOWN = 1 - 2.0**-50

#: Larger values are taken for this one: they are beyond every narrower format, and only that counts.
FAR = 2.0**1000


@dataclass
class Scores:
    """One row for each ordinary input: stratum, error in ulp as an interval, acceptance, and the rounding.

    `rounding`: 1 correctly rounded, 0 not, -1 undecided. `k_most`: error / (u |f| + eta), an upper bound of
    K that needs no derivative.
    """

    stratum: Array
    ulp_least: Array
    ulp_most: Array
    k_most: Array
    accepted: Array
    rounding: Array
    zero_sign: Array


def score(x_subnormal: Array, y_bits: Array, enclosures: Enclosures, rule: Rule) -> Scores:
    """Return errors and the acceptance that needs no derivative: K <= error / (u |f| + eta) <= 4.

    Arguments: `x_subnormal`: which inputs are subnormal; `y_bits`: the outputs as unsigned integers [n].
    """
    lo, hi, format = enclosures.lo, enclosures.hi, rule.format
    y = standing_for(y_bits, format, enclosures)
    with np.errstate(all="ignore"):
        small, large = _sizes(lo, hi)
        threshold, largest = float(format.overflow_threshold), float(format.largest)
        beyond = small >= threshold
        least, most = _distances(y, enclosures, threshold)
        # A value strictly below a power of two has the spacing below it.
        below = np.where(enclosures.strict & (enclosures.lo != enclosures.hi), np.nextafter(large, 0), large)
        spacing = float64_ulp(np.minimum(small, FAR), format)
        widest = float64_ulp(np.minimum(below, FAR), format)
        ulp_most, ulp_least = most / spacing, least / widest
        rounding = _rounding(y_bits, ulp_least, ulp_most, enclosures, format)
        # Below half the smallest number f rounds to zero; the difference of that number and f is not exact there.
        half, inner = float(format.smallest_subnormal / 2), enclosures.strict & (enclosures.lo != enclosures.hi)
        rounding = np.where((large < half) | (inner & (large <= half)), y == 0, rounding)
        # A value rounds to infinity from the threshold on, which an infinity stands for, and only there.
        infinite = (np.abs(y) == threshold) | np.isnan(y)
        due = y == np.where(lo > 0, threshold, -threshold)
        if format.overflow != "infinity":
            # The largest number is even here, and wins the tie at the threshold.
            tied = small == threshold
            due = np.where(tied & (large == small), y == np.copysign(largest, lo), due)
            due = np.where(tied & (large > small) & ~inner, -1, due)
        rounding = np.where(beyond, due, np.where(infinite, 0, rounding)).astype(np.int8)
    left = np.flatnonzero((rounding < 0) & (spacing != widest))
    rounding[left] = _by_ends(y_bits[left], at(enclosures, left), format)
    with np.errstate(all="ignore"):
        # The differences are exact near a half, where the rounding is decided; elsewhere they are rounded.
        ulp_most, ulp_least = ulp_most * UP, ulp_least * DOWN
        k_most = most * UP / (rule.unit * np.minimum(small, FAR) * DOWN + rule.eta)
    nan = np.isnan(y)
    ulp_most, ulp_least, k_most = (np.where(nan, np.inf, array) for array in (ulp_most, ulp_least, k_most))
    stratum = _strata(x_subnormal, small, beyond, enclosures, format)
    if rule.within is None:
        accepted = np.where(k_most <= K_LIMIT, BY_K, REJECTED)
    else:
        accepted = np.where(ulp_most <= float(rule.within), BY_WITHIN, REJECTED)
    # A value that is not known to be 0 has the sign of the end that is not.
    positive, negative = (lo >= 0) & (hi > 0), (lo < 0) & (hi <= 0)
    zero_sign = (y == 0) & (positive & np.signbit(y) | negative & ~np.signbit(y))
    return Scores(stratum, ulp_least, ulp_most, k_most, accepted, rounding, zero_sign)


def standing_for(y_bits: Array, format: Format, enclosures: Enclosures) -> Array:
    """Return the outputs as float64; what the format has for too large a value stands for the overflow threshold.

    That is an infinity; NaN in a format without infinities; and the largest number in one that saturates, where the
    value is too large.
    """
    y = bits_to_float64(y_bits, format)
    threshold = float(format.overflow_threshold)
    if format.overflow == "nan":
        # NaN has no sign of its own.
        y = np.where(np.isnan(y), np.where(enclosures.hi <= 0, -threshold, threshold), y)
    elif format.overflow == "saturate":
        beyond = np.where(enclosures.lo >= threshold, threshold, np.where(enclosures.hi <= -threshold, -threshold, 0.0))
        y = np.where((beyond != 0) & (y == np.copysign(float(format.largest), beyond)), beyond, y)
    return np.clip(y, -threshold, threshold)


def _distances(y: Array, enclosures: Enclosures, threshold: float) -> tuple[Array, Array]:
    """Return the ends of |y - f|: 0 where y is infinite, f lies beyond the threshold, and both have one sign."""
    lo, hi = np.clip(enclosures.lo, -FAR, FAR), np.clip(enclosures.hi, -FAR, FAR)
    settled = ((y == threshold) & (lo >= threshold)) | ((y == -threshold) & (hi <= -threshold))
    most = np.maximum(np.abs(y - lo), np.abs(hi - y))
    least = np.maximum(np.maximum(lo - y, y - hi), 0.0)
    return np.where(settled, 0.0, least), np.where(settled, 0.0, most)


def _sizes(lo: Array, hi: Array) -> tuple[Array, Array]:
    """Return the smallest and the largest |f|."""
    small = np.maximum(np.maximum(lo, -hi), 0.0)
    return small, np.maximum(np.abs(lo), np.abs(hi))


def _rounding(y_bits: Array, least: Array, most: Array, enclosures: Enclosures, format: Format) -> Array:
    """Return whether y is the number of the format nearest to f: by the error in ulp against one half.

    An enclosure that is strict lets the error come near its ends but not reach them. At a tie, which only an exactly
    known f can be, the even significand is the rounded one; below a power of two a number at exactly half an ulp is
    not the nearest.
    """
    known = enclosures.lo == enclosures.hi
    strict = enclosures.strict & ~known
    nearest = (most < 0.5) | (strict & (most <= 0.5))
    not_nearest = (least > 0.5) | (strict & (least >= 0.5))
    tie = known & (most == 0.5)
    rounding = np.where(nearest, 1, np.where(not_nearest, 0, -1)).astype(np.int8)
    if tie.any():
        size = np.abs(enclosures.lo[tie])
        power = np.frexp(size)[0] == 0.5
        even = (y_bits[tie] & 1) == 0
        # At a power of two the predecessor lies at half an ulp, and the power itself is a number: no tie.
        rounding[tie] = np.where(power & (size >= float(format.smallest_normal)), 0, even)
    return rounding


def _by_ends(y_bits: Array, enclosures: Enclosures, format: Format) -> list[int]:
    """Return the same by rounding the ends, for a few outputs: around a power of two the ulp of f itself is open.

    Numbers strictly inside an enclosure round to what its ends do, moved inwards by less than a float64 spacing.
    """
    found = []
    for y, lo, hi, strict in zip(y_bits, enclosures.lo, enclosures.hi, enclosures.strict, strict=True):
        if not np.isfinite(hi - lo):
            found.append(-1)
            continue
        low, high = Fraction(float(lo)), Fraction(float(hi))
        step = (high - low) / 2**60 if strict else Fraction(0)
        one, two = encode(low + step, format), encode(high - step, format)
        zeros = (int(y) | one) & ((1 << format.width - 1) - 1) == 0
        found.append(int(int(y) == one or zeros) if one == two else -1)
    return found


def _strata(x_subnormal: Array, small: Array, beyond: Array, enclosures: Enclosures, format: Format) -> Array:
    tiny = (small < float(format.smallest_normal)) & ~((enclosures.lo == 0) & (enclosures.hi == 0))
    stratum = np.where(beyond, OVERFLOW, np.where(tiny, SUBNORMAL_RESULT, REGULAR))
    return np.where(x_subnormal, SUBNORMAL_INPUT, stratum).astype(np.int8)


def mixed_errors(
    slopes: Callable[[Sequence[Array]], tuple[Array, Array]],
    points: Sequence[Array],
    y_bits: Array,
    enclosures: Enclosures,
    rule: Rule,
) -> tuple[Array, Array]:
    """Return the ends of K = |y - f| / (u (sum |x_i f_i| + |f|) + eta).

    Arguments: `slopes`: ends of sum |x_i f_i| at points, see `condition.py`.
    """
    y, threshold = standing_for(y_bits, rule.format, enclosures), float(rule.format.overflow_threshold)
    with np.errstate(all="ignore"):
        small, large = (np.minimum(size, FAR) for size in _sizes(enclosures.lo, enclosures.hi))
        least, most = _distances(y, enclosures, threshold)
        low, high = slopes(points)
        # Where f overflows, K tends to 0 as the slope grows: it counts only while first order still describes f.
        steep = (small >= threshold) & (4 * rule.unit * high > small)
        low, high = np.where(steep, 0.0, low), np.where(steep, 0.0, high)
        smallest = (rule.unit * (low + small) + rule.eta) * DOWN
        largest = (rule.unit * (high + large) + rule.eta) * UP
        k_most, k_least = most / smallest * UP, least / largest * DOWN
    return np.where(np.isnan(k_least), 0.0, k_least), np.where(np.isnan(k_most), np.inf, k_most)
