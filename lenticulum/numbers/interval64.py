"""Interval64: arrays of float64 enclosures, fast enough for every input of a 32-bit format.

They are tried first; balls answer what they leave unbounded or too wide.
"""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Self, cast, final

import numpy as np

from lenticulum.numbers.array import ExactArray, Positions
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.errors import Undecided
from lenticulum.numbers.interval_functions import (
    COMPOSED,
    DOMAINS,
    TIGHT,
    Booleans,
    Floats,
    Interval,
    absolute,
    constant,
    interval,
    ival,
    negative,
)

LARGEST = sys.float_info.max


@final
@no_type_check
class Interval64(ExactArray):
    """Enclosures with float64 ends: each element contains the exact value, or is unbounded.

    An element without a value (outside the domain), or whose end overflows, becomes unbounded, [nan, nan], and stays
    so; no element ever raises. An end is infinite only where the value itself is too large for float64: such an
    element reaches from the largest float64 number to infinity. Comparisons raise Undecided where a bounded element
    is undecided; their answer at an unbounded one is masked, and `where` makes that element unbounded. A derivative
    exists only where the function does: the tangent of log at -1 is bounded, its value is not.

    `lo` and `hi` are one and the same array where every element is a point. `tight` holds for points, and for one
    operation on points: then each element is the smallest interval around its value, so that the value lies strictly
    inside where `lo < hi`. (Every point halfway between two numbers of a narrower format is a float64 number, so a
    tight interval decides the rounding to that format.)

    >>> from lenticulum.numbers import exp
    >>> x = exp(interval64(np.array([0.0, 1.0])))
    >>> x.lo.tolist(), x.hi.tolist(), x.tight
    ([1.0, 2.718281828459045], [1.0, 2.7182818284590455], True)
    """

    dtype = "interval64"

    def __init__(self, lo: Floats, hi: Floats, tight: bool = False) -> None:
        self.shape = lo.shape
        self.lo = lo
        self.hi = hi
        self.tight = tight

    def _points(self) -> bool:
        return self.lo is self.hi

    def _interval(self) -> Interval:
        return interval(self.lo, self.hi)

    def _moved(self, move: Callable[[Floats], Floats]) -> Interval64:
        lo = move(self.lo)
        return Interval64(lo, lo if self._points() else move(self.hi), self.tight)

    def bounded(self) -> Booleans:
        """Which elements enclose their value."""
        return ~np.isnan(self.lo)

    def exactly_zero(self) -> Booleans:
        """Which elements are the point 0."""
        return (self.lo == 0) & (self.hi == 0)

    def lift(self, constant_value: int | Fraction, shape: tuple[int, ...] = ()) -> Interval64:
        """A constant array: points where float64 has the constant, otherwise the two numbers around it."""
        lo, hi = _around(Fraction(constant_value))
        lower = constant(lo, shape)
        return Interval64(lower, lower if lo == hi else constant(hi, shape), True)

    def pi(self) -> Interval64:
        """The circle constant, between 3.141592653589793 and the next number."""
        return Interval64(constant(np.pi, ()), constant(np.nextafter(np.pi, 4), ()), True)

    def _pair(self, other: object) -> tuple[Interval64, Interval64]:
        if isinstance(other, int | Fraction) and not isinstance(other, bool):
            return self, self.lift(other, self.shape)
        return super()._pair(other)

    def __getitem__(self, key: Any) -> Interval64:
        return self._moved(lambda ends: np.asarray(ends[key], order="C"))

    def reshape(self, *shape: int | tuple[int, ...]) -> Interval64:
        """The same elements in row-major order under another shape; one entry may be -1."""
        sizes = shape[0] if isinstance(shape[0], tuple) else cast(tuple[int, ...], shape)
        return self._moved(lambda ends: ends.reshape(sizes))

    def broadcast_to(self, shape: tuple[int, ...]) -> Interval64:
        """Repeat the elements along new or size-one axes."""
        if shape == self.shape:
            return self
        return self._moved(lambda ends: np.broadcast_to(ends, shape).copy())

    def take(self, index: Positions) -> Interval64:
        """The elements at these flat positions; the result has the shape of the index."""
        return self._moved(lambda ends: ends.ravel()[index])

    def join(self, others: Sequence[Self]) -> Interval64:
        """All elements of this array and the others, in order, as one axis."""
        arrays = [self, *(self._operand(other) for other in others)]
        lo = np.concatenate([array.lo.ravel() for array in arrays])
        if all(array._points() for array in arrays):
            return Interval64(lo, lo, True)
        hi = np.concatenate([array.hi.ravel() for array in arrays])
        return Interval64(lo, hi, all(array.tight for array in arrays))

    def select(self, condition: Booleans, other: Self) -> Interval64:
        """This array where the condition holds, `other` elsewhere; unbounded where the condition is masked."""

        def choose(ends: Floats, others: Floats) -> Floats:
            chosen = np.where(condition, ends, others)
            if isinstance(condition, np.ma.MaskedArray):
                chosen[np.ma.getmaskarray(condition)] = np.nan
            return chosen

        lo = choose(self.lo, other.lo)
        both_points = self._points() and other._points()
        return Interval64(lo, lo if both_points else choose(self.hi, other.hi), self.tight and other.tight)

    def _require_compatible(self, other: Self) -> None:
        """Two arrays of intervals always fit."""

    def _add(self, other: Self) -> Interval64:
        return _result(self._interval() + other._interval(), self._points() and other._points())

    def _subtract(self, other: Self) -> Interval64:
        return _result(self._interval() - other._interval(), self._points() and other._points())

    def _multiply(self, other: Self) -> Interval64:
        return _result(self._interval() * other._interval(), self._points() and other._points(), self._times(other))

    def _times(self, other: Self) -> Booleans | None:
        """Where a product exists for certain: an infinity times 0 does not; None stands for everywhere."""
        ends = (self.lo, self.hi, other.lo, other.hi)
        if (self._points() and other._points()) or not any(np.isinf(each).any() for each in ends):
            return None
        infinite, other_infinite = (np.isinf(x.lo) | np.isinf(x.hi) for x in (self, other))
        zero, other_zero = ((x.lo <= 0) & (x.hi >= 0) for x in (self, other))
        return ~((infinite & other_zero) | (other_infinite & zero))

    def _divide(self, other: Self) -> Interval64:
        outside = (other.lo <= 0) & (other.hi >= 0)
        return _result(self._interval() / other._interval(), self._points() and other._points(), ~outside)

    def _negate(self) -> Interval64:
        opposite = negative(self._interval())
        return Interval64(opposite.lo, opposite.hi, self.tight)

    def absolute(self) -> Interval64:
        """The range of the absolute value, elementwise; exact."""
        magnitude = absolute(self._interval())
        return Interval64(magnitude.lo, magnitude.hi, self._points())

    def maximum(self, other: Self | int | Fraction) -> Interval64:
        """The range of the larger of two numbers, elementwise; exact."""
        left, right = self._pair(other)
        lo = np.maximum(left.lo, right.lo)
        both_points = left._points() and right._points()
        return Interval64(lo, lo if both_points else np.maximum(left.hi, right.hi), both_points)

    def _power(self, exponent: int) -> Interval64:
        if exponent == 1:
            return self
        if exponent == 2:
            return _result(ival().sqr(self._interval()), self._points())
        inside = None if exponent > 0 else (self.lo > 0) | (self.hi < 0)
        return _result(self._interval() ** exponent, self._points(), inside)

    def _sum_rows(self) -> Interval64:
        found = self
        while found.shape[1] > 1:
            half = found.shape[1] // 2
            left = found[:, 2 * half :]
            found = found[:, :half] + found[:, half : 2 * half]
            if left.shape[1]:
                found = found[:, :-1].beside(found[:, -1:] + left)
        return found[:, 0] if found.shape[1] else self.lift(0, self.shape[:1])

    def beside(self, other: Interval64) -> Interval64:
        """The columns of this array, then those of another."""
        lo, hi = (np.concatenate(pair, axis=1) for pair in ((self.lo, other.lo), (self.hi, other.hi)))
        return Interval64(lo, hi)

    def _middle(self) -> tuple[Floats, Floats]:
        """A midpoint and a radius that cover each element; infinite or NaN where it is unbounded."""
        if self._points():
            return self.lo, np.zeros(self.shape)
        middle = self.lo / 2 + self.hi / 2
        return middle, np.nextafter(np.maximum(self.hi - middle, middle - self.lo), np.inf)

    def _matrix_product(self, other: Self) -> Interval64:
        """By midpoints and radii: |fl(A B) - A B| <= gamma_k |A||B| in any order of summation, fused or not.

        Sources: S. M. Rump, Fast and parallel interval arithmetic, BIT 39, 1999; N. J. Higham, Accuracy and Stability
        of Numerical Algorithms, 2nd ed., section 3.5.
        """
        inner = self.shape[1]
        if not inner:
            return self.lift(0, (self.shape[0], other.shape[1]))
        with np.errstate(all="ignore"):
            (a, a_radius), (b, b_radius) = self._middle(), other._middle()
            a_size, b_size = np.abs(a), np.abs(b)
            # Each of these sums is computed with a relative error of at most gamma_k, and of 2 gamma_k beside others.
            gamma = 2.0**-52 * (inner + 2)
            spread = a_size @ b_radius + a_radius @ (b_size + b_radius) + gamma * (a_size @ b_size)
            radius = spread * (1 + 4 * gamma) + inner * 2.0**-1070
            middle = a @ b
            lo, hi = np.nextafter(middle - radius, -np.inf), np.nextafter(middle + radius, np.inf)
        bounded = np.isfinite(lo) & np.isfinite(hi)
        return Interval64(np.where(bounded, lo, np.nan), np.where(bounded, hi, np.nan))

    def _less(self, other: Self) -> Booleans:
        return _decided(self.hi < other.lo, self.lo >= other.hi, self.bounded() & other.bounded(), "<")

    def _less_equal(self, other: Self) -> Booleans:
        return _decided(self.hi <= other.lo, self.lo > other.hi, self.bounded() & other.bounded(), "<=")

    def _equal(self, other: Self) -> bool:
        if ((self.hi < other.lo) | (self.lo > other.hi)).any():
            return False
        if (self.lo == self.hi).all() and (other.lo == other.hi).all():
            return True
        raise Undecided("two overlapping intervals: the values may be equal or not")

    def _elementary(self, name: str) -> Interval64:
        x = self._interval()
        inside = DOMAINS[name](self.lo, self.hi) if name in DOMAINS else None
        if name in TIGHT:
            return _result(getattr(ival(), name)(x), self._points(), inside)
        if name in COMPOSED:
            return _result(COMPOSED[name](ival(), x), False, inside)
        return self._unbounded()

    def rsqrt(self) -> Interval64:
        """1 / sqrt(x); x > 0."""
        return self._elementary("rsqrt")

    def polygamma(self, order: int) -> Interval64:
        """Unbounded: crival has no polygamma."""
        return self._unbounded()

    def _unbounded(self) -> Interval64:
        nothing = constant(np.nan, self.shape)
        return Interval64(nothing, nothing)

    def _elementary_pair(self, name: str, other: Self) -> Interval64:
        x, y, both_points = self._interval(), other._interval(), self._points() and other._points()
        if name == "power_real":
            return _result(ival().pow(x, y), both_points, self.lo > 0)
        if name == "hypot":
            return _result(ival().hypot(x, y), both_points)
        origin = (self.lo <= 0) & (self.hi >= 0) & (other.lo <= 0) & (other.hi >= 0)
        return _result(ival().atan2(x, y), both_points, ~origin)

    def __repr__(self) -> str:
        return f"Interval64({self.lo.tolist()}, {self.hi.tolist()})"


@no_type_check
def _result(image: Interval, tight: bool, inside: Booleans | None = None) -> Interval64:
    """The image as an array; unbounded outside the domain, and where an end is infinite but the value need not be."""
    lo, hi = np.asarray(image.lo), np.asarray(image.hi)
    if inside is not None and not inside.all():
        lo, hi = np.where(inside, lo, np.nan), np.where(inside, hi, np.nan)
    if not (np.isfinite(lo).all() and np.isfinite(hi).all()):
        finite = np.isfinite(lo) & np.isfinite(hi)
        sound = finite | (lo == LARGEST) & (hi == np.inf) | (lo == -np.inf) & (hi == -LARGEST)
        lo, hi = np.where(sound, lo, np.nan), np.where(sound, hi, np.nan)
    return Interval64(lo, hi, tight)


@no_type_check
def _decided(true: Booleans, false: Booleans, bounded: Booleans, relation: str) -> Booleans:
    """The truth values, masked at unbounded elements."""
    if (bounded & ~(true | false)).any():
        raise Undecided(f"x {relation} y is not decided by these intervals: use balls, see `decide`")
    return true if bounded.all() else np.ma.array(true, mask=~bounded)


@no_type_check
def _around(value: Fraction) -> tuple[float, float]:
    """The largest float64 number that is not above the value, and the smallest that is not below it."""
    try:
        nearest = float(value)
    except OverflowError:
        return (LARGEST, np.inf) if value > 0 else (-np.inf, -LARGEST)
    if nearest == value:
        return nearest, nearest
    return (nearest, np.nextafter(nearest, np.inf)) if nearest < value else (np.nextafter(nearest, -np.inf), nearest)


@no_type_check
def interval64(lo: object, hi: object = None) -> Interval64:
    """An Interval64 array of the given ends, or of points.

    `lo` and `hi` are float64 arrays (or lists, or numbers) of one shape with `lo <= hi`. A NaN or an infinity is no
    real number, and becomes an unbounded element. ImportError where crival is not installed.

    >>> interval64([1.0, 2.0]) / 3 > 0
    array([ True,  True])
    """
    ival()
    lower = _ends(lo)
    upper = lower if hi is None or hi is lo else _ends(hi)
    if lower.shape != upper.shape or (lower > upper).any():
        raise ValueError("got ends of different shapes or in the wrong order, expected lo <= hi")
    if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        finite = np.isfinite(lower) & np.isfinite(upper)
        points = lower is upper
        lower = np.where(finite, lower, np.nan)
        upper = lower if points else np.where(finite, upper, np.nan)
    return Interval64(lower, upper, lower is upper)


@no_type_check
def _ends(data: Any) -> Floats:
    array = np.asarray(data)
    if array.dtype != np.float64:
        raise TypeError(f"got ends of dtype {array.dtype}, expected float64")
    # Adding 0.0 makes -0.0 the zero that it is here.
    return np.ascontiguousarray(array).reshape(array.shape) + 0.0
