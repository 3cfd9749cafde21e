"""Magnitude64: running error bounds on float64 intervals, for arrays that are too long for `Magnitude`.

The same bounds in the same order, each a little wider by the outward rounding of float64.
"""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Self, final

import numpy as np
from numpy.typing import NDArray

from lenticulum.numbers.array import Booleans, ExactArray, Positions
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.formats import BINARY32, Format, representable
from lenticulum.numbers.interval64 import Interval64, interval64
from lenticulum.numbers.magnitude import CONSTANTS

Floats = NDArray[np.float64]


@final
@no_type_check
class Magnitude64(ExactArray):
    """Running error bounds in one format; `range` encloses the exact and every conforming computed value.

    computed = exact (1 + d) + e,   |d| <= c u,   |e| <= smallest normal (only where the result may be subnormal)

    An element that may overflow, or may leave the domain of a function, is unbounded and stays so. `own` flags the
    elements whose last operation may overflow, `past` those where an earlier one may; None stands for nowhere. Sums
    are accumulated in the format itself, or in a wider one, the `accumulator`, and then rounded once.
    Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.3; with an accumulator
    P. Blanchard et al., Mixed precision block fused multiply-add, SIAM J. Sci. Comput. 42, 2020, section 2.
    """

    dtype = "magnitude64"

    def __init__(
        self,
        range: Interval64,
        format: Format,
        own: Booleans | None = None,
        past: Booleans | None = None,
        accumulator: Format | None = None,
    ) -> None:
        self.range = range
        self.format = format
        self.shape = range.shape
        self.own = own
        self.past = past
        self.accumulator = accumulator or format

    def _with(self, range: Interval64, past: Booleans | None = None, own: Booleans | None = None) -> Magnitude64:
        return Magnitude64(range, self.format, own, past, self.accumulator)

    def _require_compatible(self, other: Self) -> None:
        if (self.format, self.accumulator) != (other.format, other.accumulator):
            raise TypeError(f"got bounds of {self.format.name} and {other.format.name}, expected one format")

    def bounded(self) -> Booleans:
        """Which elements have a finite bound."""
        return self.range.bounded()

    def overflowed(self) -> Booleans:
        """Which elements are unbounded because an intermediate may overflow (not the result itself)."""
        return np.zeros(self.shape, np.bool_) if self.past is None else self.past

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> Magnitude64:
        """A constant array: exact where the format has the constant, otherwise rounded once."""
        value = self.range.lift(constant, shape)
        return self._with(value) if representable(Fraction(constant), self.format) else self._rounded(value, "constant")

    def pi(self) -> Magnitude64:
        """The circle constant, rounded once."""
        return self._rounded(self.range.pi(), "constant")

    def _rounded(self, exact: Interval64, name: str, *operands: Magnitude64, units: int = 0) -> Magnitude64:
        """The results after one rounding, whose constant is that of the primitive."""
        constant = 1 if self.format.rounded_once else max(CONSTANTS[name], units)
        relative = constant * float(self.format.unit_roundoff)
        tiny, largest = float(self.format.smallest_normal), float(self.format.largest)
        with np.errstate(all="ignore"):
            lo, hi = _moved_down(exact.lo, relative), np.asarray(0.0 - _moved_down(-exact.hi, relative))
            size = np.maximum(np.abs(lo), np.abs(hi))
            small = (np.maximum(lo, -hi) < tiny) & (size != 0)
            if small.any():
                lo[small] = np.nextafter(lo[small] - tiny, -np.inf)
                hi[small] = np.nextafter(hi[small] + tiny, np.inf)
            # An infinite or unknown size compares as false, so it becomes unbounded too.
            outside = ~(size <= largest)
            # No value at all (NaN) is no overflow.
            own = outside & ~np.isnan(size)
        lo[outside], hi[outside] = np.nan, np.nan
        past = _either(*(flags for each in operands for flags in (each.own, each.past)))
        return self._with(Interval64(lo, hi), past, own if own.any() else None)

    def _add(self, other: Self) -> Magnitude64:
        return self._rounded(self.range + other.range, "add", self, other)

    def _subtract(self, other: Self) -> Magnitude64:
        return self._rounded(self.range - other.range, "subtract", self, other)

    def _multiply(self, other: Self) -> Magnitude64:
        return self._rounded(self.range * other.range, "multiply", self, other)

    def _divide(self, other: Self) -> Magnitude64:
        return self._rounded(self.range / other.range, "divide", self, other)

    def _negate(self) -> Magnitude64:
        return self._with(-self.range, _either(self.own, self.past))

    def _power(self, exponent: int) -> Magnitude64:
        if exponent == 0:
            return self.lift(1, self.shape)
        if exponent < 0:
            return 1 / self._power(-exponent)
        return self._rounded(self.range**exponent, "power", self, units=exponent - 1)

    def to_format(self, format: Format) -> Magnitude64:
        """The same numbers converted to another format: rounded once where that is narrower."""
        wider = self.accumulator.precision > max(format.precision, self.format.precision)
        accumulator = self.accumulator if wider else format
        widened = Magnitude64(self.range, format, self.own, self.past, accumulator)
        if format.precision >= self.format.precision and format.minimum_exponent <= self.format.minimum_exponent:
            return widened
        return widened._rounded(self.range, "constant", widened)

    def _sum_rows(self) -> Magnitude64:
        """The sums of n terms in any order: n - 1 additions, each of which may also flush."""
        terms = self.shape[1]
        # Sums of n numbers of one sign have a relative error of at most gamma_(n-1).
        sizes = self._sizes().sum(axis=1) * (1 + 2.0**-52 * (terms + 1))
        return self._accumulated(self.range.sum(axis=1), sizes, max(terms - 1, 0), max(terms - 1, 0))

    def _matrix_product(self, other: Self) -> Magnitude64:
        inner = self.shape[1]
        with np.errstate(all="ignore"):
            sizes = self._sizes() @ other._sizes() * (1 + 2.0**-52 * (inner + 2)) + inner * 2.0**-1070
        return self._accumulated(self.range @ other.range, sizes, inner, 2 * inner)

    def _sizes(self) -> Floats:
        return np.maximum(np.abs(self.range.lo), np.abs(self.range.hi))

    def _accumulated(self, value: Interval64, sizes: Floats, roundings: int, operations: int) -> Magnitude64:
        """Sums whose terms are rounded at most `roundings` times each; `operations` results may flush."""
        if not roundings:
            return self._with(value)
        if self.format.rounded_once:
            return self._rounded(value, "add")
        u, tiny = self.accumulator.unit_roundoff, self.accumulator.smallest_normal
        largest = float(self.accumulator.largest)
        if roundings * u >= 1:
            return self._with(interval64(np.full(value.shape, np.nan)))
        gamma = roundings * u / (1 - roundings * u)
        relative, flushed = (np.nextafter(float(each), np.inf) for each in (gamma, operations * tiny * (1 + gamma)))
        with np.errstate(all="ignore"):
            error = np.nextafter(np.nextafter(sizes * relative, np.inf) + flushed, np.inf)
        exactly = sizes == 0
        lo = np.where(exactly, value.lo, np.nextafter(value.lo - error, -np.inf))
        hi = np.where(exactly, value.hi, np.nextafter(value.hi + error, np.inf))
        outside = ~(sizes + error <= largest)
        lo[outside], hi[outside] = np.nan, np.nan
        accumulated = self._with(Interval64(lo, hi), None, outside if outside.any() else None)
        if self.accumulator == self.format:
            return accumulated
        return self._rounded(accumulated.range, "constant", accumulated)

    def _elementary(self, name: str) -> Magnitude64:
        return self._rounded(getattr(self.range, name)(), name, self)

    def _elementary_pair(self, name: str, other: Self) -> Magnitude64:
        return self._rounded(getattr(self.range, name)(other.range), name, self, other)

    def rsqrt(self) -> Magnitude64:
        """1 / sqrt(x); x > 0."""
        return self._elementary("rsqrt")

    def polygamma(self, order: int) -> Magnitude64:
        """Unbounded: float64 intervals have no polygamma."""
        return self._with(self.range.polygamma(order))

    def absolute(self) -> Magnitude64:
        """The range of the absolute value, elementwise; exact."""
        return self._with(self.range.absolute(), _either(self.own, self.past))

    def maximum(self, other: Self | int | Fraction) -> Magnitude64:
        """The range of the larger of two numbers, elementwise; exact."""
        left, right = self._pair(other)
        past = _either(left.own, left.past, right.own, right.past)
        return left._with(left.range.maximum(right.range), past)

    def select(self, condition: Booleans, other: Self) -> Magnitude64:
        """This array where the condition holds, `other` elsewhere."""
        chosen = [
            None if mine is None and its is None else np.where(condition, _filled(mine, self), _filled(its, other))
            for mine, its in ((self.own, other.own), (self.past, other.past))
        ]
        own, past = chosen
        return self._with(self.range.select(condition, other.range), past, own)

    def take(self, index: Positions) -> Magnitude64:
        """The elements at these flat positions; the result has the shape of the index."""
        own, past = (None if flags is None else flags.ravel()[index] for flags in (self.own, self.past))
        return self._with(self.range.take(index), past, own)

    def join(self, others: Sequence[Self]) -> Magnitude64:
        """All elements of this array and the others, in order, as one axis."""
        arrays = [self, *(self._operand(other) for other in others)]
        own, past = (
            None
            if all(each is None for each in flags)
            else np.concatenate([_filled(f, a).ravel() for f, a in zip(flags, arrays, strict=True)])
            for flags in ([a.own for a in arrays], [a.past for a in arrays])
        )
        return self._with(self.range.join([each.range for each in arrays[1:]]), past, own)

    def exactly_zero(self) -> Booleans:
        """Which elements are the point 0."""
        return self.range.exactly_zero()

    def _less(self, other: Self) -> Any:
        return self.range < other.range

    def _less_equal(self, other: Self) -> Any:
        return self.range <= other.range

    def _equal(self, other: Self) -> bool:
        return self.range == other.range

    def __repr__(self) -> str:
        return f"Magnitude64({self.range.lo.tolist()}, {self.range.hi.tolist()})"


@no_type_check
def _moved_down(ends: Floats, relative: float) -> Floats:
    """Numbers that are not above x - |x| times a relative error; 0 stays 0."""
    # The factor covers the rounding of the product, and the step that of the difference.
    moved = np.nextafter(ends - np.abs(ends) * (relative * (1 + 2.0**-50)), -np.inf)
    return np.where(ends == 0, 0.0, moved)


@no_type_check
def _either(*flags: Booleans | None) -> Booleans | None:
    """Where any of some flags holds; None stands for nowhere."""
    given = [each for each in flags if each is not None]
    return np.logical_or.reduce(np.broadcast_arrays(*given)) if given else None


@no_type_check
def _filled(flags: Booleans | None, like: Magnitude64) -> Booleans:
    return np.zeros(like.shape, np.bool_) if flags is None else flags


def magnitude64(points: Floats, format: Format = BINARY32, accumulator: Format | None = None) -> Magnitude64:
    """Bounds of inputs that are numbers of the format; a subnormal one counts as 0 too.

    `accumulator`: a wider format in which sums are accumulated, before they are rounded.

    >>> import numpy as np
    >>> third = magnitude64(np.array([1.0])) / 3
    >>> bool(third.range.lo[0] < 1 / 3 < third.range.hi[0] < 0.33333336)
    True
    """
    small = np.abs(points) < float(format.smallest_normal)
    if not (small & (points != 0)).any():
        return Magnitude64(interval64(points), format, accumulator=accumulator)
    lo = np.where(small, np.minimum(points, 0.0), points)
    hi = np.where(small, np.maximum(points, 0.0), points)
    return Magnitude64(interval64(lo, hi), format, accumulator=accumulator)
