"""Enclosures of a definition at many inputs: float64 intervals first, balls at rising precision where too wide.

The result of `enclose` is four arrays. lo <= f <= hi always. Where `strict` holds and lo < hi, f lies strictly between
them; where lo = hi, f is that number. So the rounding of f to a narrower format is decided although a midpoint of two
of its numbers may be an end.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.check.definition import Definition
from lenticulum.numbers import (
    Ball,
    DomainError,
    InexactError,
    Rational,
    Undecided,
    ball,
    rational,
    working_precision,
)
from lenticulum.numbers.arb_array import integers_of
from lenticulum.numbers.formats import Format, float64_ulp
from lenticulum.numbers.interval64 import interval64
from lenticulum.spec.elementwise.textbook import evaluation_of

Array = np.ndarray

#: An enclosure is narrow if its width is at most 2^-10 ulp: an error is then known to about a thousandth of an ulp.
NARROW = 2.0**-10

#: Ball precisions: the first is beyond binary64, the last is where an input is given up as undecided.
PRECISIONS = (192, 384, 768, 1536, 3072)

#: A radius so many binary digits below its midpoint counts as if it were as large as that.
GAP = 20_000


@dataclass(frozen=True)
class Enclosures:
    """lo <= f <= hi, `strict` where both inequalities are known to be strict, `escalated` where balls were needed."""

    lo: Array
    hi: Array
    strict: Array
    escalated: Array


def at(enclosures: Enclosures, rows: Any) -> Enclosures:
    """Return the enclosures at some rows."""
    found = enclosures
    return Enclosures(found.lo[rows], found.hi[rows], found.strict[rows], found.escalated[rows])


class Definitely:
    """A one- or two-argument elementwise definition as a function of arrays of any exact system.

    >>> from lenticulum.check.definition import parse
    >>> Definitely(parse("tanh"))(ball([0.0]))
    Ball([0])
    """

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.term: Any = definition.term({role: () for role in definition.entry.arrays}, {})
        self._form = evaluation_of(self.term)

    def __call__(self, *arrays: Any) -> Any:
        """Return the value on arrays of one exact system, one for each argument."""
        return self._form(arrays[0] if len(arrays) == 1 else arrays)


def enclose(function: Definitely, points: Sequence[Array], format: Format, *, intervals: bool = True) -> Enclosures:
    """Return enclosures of the definition at float64 points inside its domain.

    Arguments: `points`: one array for each argument, all of one shape [n], exact inputs. `format`: of the outputs; an
    enclosure is narrowed until it is at most 2^-10 of its ulp wide.
    `intervals`: False leaves float64 intervals out.
    """
    n = len(points[0])
    if format.precision >= 53:
        return _around_balls(function, points)
    if intervals and interval64_available():
        value = function(*(interval64(point) for point in points))
        lo, hi = np.array(value.lo, np.float64).reshape(n), np.array(value.hi, np.float64).reshape(n)
        strict = np.full(n, bool(value.tight))
        # The smallest interval around a value is narrow for every format of fewer bits than float64.
        if value.tight:
            wide = np.isnan(lo)
        else:
            wide = ~_narrow(lo, hi, format) | _around_smallest_normal(lo, hi, strict, format)
    else:
        lo, hi = np.full(n, np.nan), np.full(n, np.nan)
        strict, wide = np.zeros(n, bool), np.ones(n, bool)
    escalated = np.flatnonzero(wide)
    if escalated.size:
        lo[escalated], hi[escalated], strict[escalated] = narrowed(function, [p[escalated] for p in points], format)
    return Enclosures(lo, hi, strict, wide)


def _around_balls(function: Definitely, points: Sequence[Array]) -> Enclosures:
    """Return the float64 numbers around each value; what lies between them is looked at one by one elsewhere."""
    values = balls(function, points, PRECISIONS[0])
    ends = [(-math.inf, math.inf, False) if element is None else outward(element) for element in values]
    lo, hi, strict = (np.array(column) for column in zip(*ends, strict=True))
    return Enclosures(lo, hi, strict, np.ones(len(values), bool))


def constant(function: Definitely, points: Array, format: Format) -> Enclosures | None:
    """Return one enclosure for neighbouring inputs at which the definition is nearly constant, or None if it is not.

    The image of the smallest interval around the inputs holds every value. For float32 that settles most inputs of exp,
    the sigmoid or the tails of tanh: it is 1 near 0, and infinite, 0 or 1 far from it.
    """
    if not interval64_available() or format.precision >= 53:
        return None
    around = interval64(points.min(keepdims=True), points.max(keepdims=True))
    try:
        image = function(around)
    except (Undecided, DomainError):
        return None
    lo, hi = float(np.ravel(image.lo)[0]), float(np.ravel(image.hi)[0])
    if not bool(_narrow(np.array([lo]), np.array([hi]), format)[0]):
        return None
    n = len(points)
    return Enclosures(np.full(n, lo), np.full(n, hi), np.zeros(n, bool), np.zeros(n, bool))


def interval64_available() -> bool:
    """Return whether float64 intervals can be computed here; without them every input goes to balls."""
    from lenticulum.numbers.interval_functions import available

    return available()


def _narrow(lo: Array, hi: Array, format: Format) -> Array:
    """Return which enclosures are narrow; in the overflow range only the fact counts, not the distance."""
    with np.errstate(all="ignore"):
        size = np.minimum(np.abs(lo), np.abs(hi))
        beyond = (size >= float(format.overflow_threshold)) & ((lo > 0) | (hi < 0))
        return beyond | (hi - lo <= NARROW * float64_ulp(size, format))


def _decided(lo: Array, hi: Array, strict: Array, format: Format) -> Array:
    """Return which enclosures are narrow and decide the rounding to the format, and the stratum."""
    with np.errstate(all="ignore"):
        spacing = float64_ulp(np.minimum(np.abs(lo), np.abs(hi)), format)
        beyond = np.minimum(np.abs(lo), np.abs(hi)) >= float(format.overflow_threshold)
        decided = beyond | ~_midpoint_inside(lo, hi, strict, spacing)
    return _narrow(lo, hi, format) & decided & ~_around_smallest_normal(lo, hi, strict, format)


def _around_smallest_normal(lo: Array, hi: Array, strict: Array, format: Format) -> Array:
    """Return where f may lie on either side of the smallest normal number, so that its stratum is open."""
    small, large = np.minimum(np.abs(lo), np.abs(hi)), np.maximum(np.abs(lo), np.abs(hi))
    smallest = float(format.smallest_normal)
    return (small < smallest) & ((large > smallest) | ((large == smallest) & ~strict))


def _midpoint_inside(lo: Array, hi: Array, strict: Array, spacing: Array) -> Array:
    """Return where a midpoint of two numbers of the format may be f or separate f from an end.

    Midpoints are the odd multiples of half a spacing. Strictly between the ends there must be none (without `strict`,
    at the ends neither), unless lo = hi, where f is known.
    """
    half = spacing / 2
    first = np.ceil(lo / half)
    first += first % 2 == 0
    first = np.where(strict & (first * half == lo), first + 2, first)
    return (lo != hi) & ((first * half < hi) | ((first * half == hi) & ~strict))


def narrowed(function: Definitely, points: Sequence[Array], format: Format) -> tuple[Array, Array, Array]:
    """Return lo, hi and strict by exact arithmetic: rational numbers if the definition is rational, else balls."""
    return by_rationals(function, points) or by_balls(function, points, format)


def by_balls(function: Definitely, points: Sequence[Array], format: Format) -> tuple[Array, Array, Array]:
    """Return lo, hi and strict at a few points, element by element at rising precision."""
    n = len(points[0])
    lo, hi, strict = np.full(n, -np.inf), np.full(n, np.inf), np.zeros(n, bool)
    left = np.arange(n)
    for precision in PRECISIONS:
        if not left.size:
            break
        values = balls(function, [point[left] for point in points], precision)
        ends = [outward(element) if element is not None else (-math.inf, math.inf, False) for element in values]
        low, high, inside = (np.array(column) for column in zip(*ends, strict=True))
        # A later precision may only narrow: keep the best ends seen.
        lo[left], hi[left] = np.maximum(lo[left], low), np.minimum(hi[left], high)
        strict[left] = inside
        # Balls can decide every boundary that is not the value itself, so they go on until none is left.
        left = left[~_decided(lo[left], hi[left], strict[left], format)]
    return lo, hi, strict


def by_rationals(function: Definitely, points: Sequence[Array]) -> tuple[Array, Array, Array] | None:
    """Return lo, hi and strict from exact values, or None where the definition is no rational function.

    No enclosure decides whether a rational value is a midpoint of two numbers; the value itself does.
    """
    try:
        value = function(*(rational(point) for point in points))
    except (InexactError, DomainError, TypeError):
        # A logarithm of rational numbers is in a system of its own, which does not mix with them (TypeError).
        return None
    if not isinstance(value, Rational):
        return None
    ends = [around(Fraction(entry)) for entry in value.reshape((value.size,)).tolist()]
    low, high = (np.array(column, np.float64) for column in zip(*ends, strict=True))
    return low, high, np.ones(len(low), bool)


def around(value: Fraction) -> tuple[float, float]:
    """Return the float64 numbers around a rational: equal where it is one.

    >>> around(Fraction(1, 2)), around(Fraction(1, 3)) == (np.nextafter(1 / 3, 0), 1 / 3)
    ((0.5, 0.5), False)
    """
    nearest = float(value)
    if Fraction(nearest) == value:
        return nearest, nearest
    if Fraction(nearest) < value:
        return nearest, math.nextafter(nearest, math.inf)
    return math.nextafter(nearest, -math.inf), nearest


def balls(function: Definitely, points: Sequence[Array], precision: int) -> list[Any]:
    """Return the FLINT ball of each point, or None where it is not decided at this precision."""
    with working_precision(precision):
        try:
            value = function(*(ball(point) for point in points))
            assert isinstance(value, Ball)
            return list(value.elements)
        except (Undecided, DomainError):
            if len(points[0]) == 1:
                return [None]
        return [balls(function, [point[i : i + 1] for point in points], precision)[0] for i in range(len(points[0]))]


def outward(element: Any) -> tuple[float, float, bool]:
    """Return the float64 numbers around a finite ball, and whether the ball lies strictly between them.

    >>> from flint import arb
    >>> outward(arb(1) / 4)
    (0.25, 0.25, True)
    >>> with working_precision(80):
    ...     low, high, strict = outward(arb(1) / 3)
    >>> high == math.nextafter(low, 1.0), strict
    (True, True)
    """
    if not element.is_finite():
        return -math.inf, math.inf, False
    # `lower()` would round to the precision at hand; midpoint and radius are exact.
    middle, exponent, radius, scale = integers_of(element)
    if exponent - scale > GAP:
        radius, scale = min(radius, 1), exponent - GAP
    if scale - exponent > GAP:
        return -math.inf, math.inf, False
    common = min(exponent, scale)
    middle, radius = middle << exponent - common, radius << scale - common
    low, low_exact = _rounded_down(middle - radius, common)
    negated, high_exact = _rounded_down(-(middle + radius), common)
    high = -negated
    if low == high:
        return low, high, True
    return low, high, not low_exact and not high_exact


def _rounded_down(mantissa: int, exponent: int) -> tuple[float, bool]:
    """Return the largest float64 that is at most mantissa * 2^exponent, and whether it is that number."""
    excess = max(mantissa.bit_length() - 53, -1074 - exponent, 0)
    if exponent + mantissa.bit_length() > 1024:
        return (sys.float_info.max if mantissa > 0 else -math.inf), False
    if excess > mantissa.bit_length() + 64:
        return (0.0, mantissa == 0) if mantissa >= 0 else (-5e-324, False)
    floor = mantissa >> excess
    return math.ldexp(float(floor), exponent + excess), floor << excess == mantissa
