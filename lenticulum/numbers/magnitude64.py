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

    An element that may overflow, or may leave the domain of a function, is unbounded and stays so.
    Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.3.
    """

    dtype = "magnitude64"

    def __init__(self, range: Interval64, format: Format) -> None:
        self.range = range
        self.format = format
        self.shape = range.shape

    def _with(self, range: Interval64) -> Magnitude64:
        return Magnitude64(range, self.format)

    def _require_compatible(self, other: Self) -> None:
        if self.format != other.format:
            raise TypeError(f"got bounds of {self.format.name} and {other.format.name}, expected one format")

    def bounded(self) -> Booleans:
        """Which elements have a finite bound."""
        return self.range.bounded()

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> Magnitude64:
        """A constant array: exact where the format has the constant, otherwise rounded once."""
        value = self.range.lift(constant, shape)
        return self._with(value if representable(Fraction(constant), self.format) else self._rounded(value, "constant"))

    def pi(self) -> Magnitude64:
        """The circle constant, rounded once."""
        return self._with(self._rounded(self.range.pi(), "constant"))

    def _rounded(self, exact: Interval64, name: str, units: int = 0) -> Interval64:
        """The results after one rounding, whose constant is that of the primitive."""
        relative = max(CONSTANTS[name], units) * float(self.format.unit_roundoff)
        tiny, largest = float(self.format.smallest_normal), float(self.format.largest)
        with np.errstate(all="ignore"):
            wide = exact * interval64(np.full(exact.shape, 1 - relative), np.full(exact.shape, 1 + relative))
            lo, hi = wide.lo.copy(), wide.hi.copy()
            size = np.maximum(np.abs(lo), np.abs(hi))
            small = (np.maximum(lo, -hi) < tiny) & (size != 0)
            lo[small] = np.nextafter(lo[small] - tiny, -np.inf)
            hi[small] = np.nextafter(hi[small] + tiny, np.inf)
            # An infinite or unknown size compares as false, so it becomes unbounded too.
            outside = ~(size <= largest)
        lo[outside], hi[outside] = np.nan, np.nan
        return Interval64(lo, hi)

    def _add(self, other: Self) -> Magnitude64:
        return self._with(self._rounded(self.range + other.range, "add"))

    def _subtract(self, other: Self) -> Magnitude64:
        return self._with(self._rounded(self.range - other.range, "subtract"))

    def _multiply(self, other: Self) -> Magnitude64:
        return self._with(self._rounded(self.range * other.range, "multiply"))

    def _divide(self, other: Self) -> Magnitude64:
        return self._with(self._rounded(self.range / other.range, "divide"))

    def _negate(self) -> Magnitude64:
        return self._with(-self.range)

    def _power(self, exponent: int) -> Magnitude64:
        if exponent == 0:
            return self.lift(1, self.shape)
        if exponent < 0:
            return 1 / self._power(-exponent)
        return self._with(self._rounded(self.range**exponent, "power", exponent - 1))

    def _sum_rows(self) -> Magnitude64:
        raise self._refuse("a sum")

    def _matrix_product(self, other: Self) -> Magnitude64:
        raise self._refuse("a matrix product")

    def _elementary(self, name: str) -> Magnitude64:
        return self._with(self._rounded(getattr(self.range, name)(), name))

    def _elementary_pair(self, name: str, other: Self) -> Magnitude64:
        return self._with(self._rounded(getattr(self.range, name)(other.range), name))

    def rsqrt(self) -> Magnitude64:
        """1 / sqrt(x); x > 0."""
        return self._elementary("rsqrt")

    def polygamma(self, order: int) -> Magnitude64:
        """Unbounded: float64 intervals have no polygamma."""
        return self._with(self.range.polygamma(order))

    def absolute(self) -> Magnitude64:
        """The range of the absolute value, elementwise; exact."""
        return self._with(self.range.absolute())

    def maximum(self, other: Self | int | Fraction) -> Magnitude64:
        """The range of the larger of two numbers, elementwise; exact."""
        left, right = self._pair(other)
        return left._with(left.range.maximum(right.range))

    def select(self, condition: Booleans, other: Self) -> Magnitude64:
        """This array where the condition holds, `other` elsewhere."""
        return self._with(self.range.select(condition, other.range))

    def take(self, index: Positions) -> Magnitude64:
        """The elements at these flat positions; the result has the shape of the index."""
        return self._with(self.range.take(index))

    def join(self, others: Sequence[Self]) -> Magnitude64:
        """All elements of this array and the others, in order, as one axis."""
        return self._with(self.range.join([self._operand(other).range for other in others]))

    def _less(self, other: Self) -> Any:
        return self.range < other.range

    def _less_equal(self, other: Self) -> Any:
        return self.range <= other.range

    def _equal(self, other: Self) -> bool:
        return self.range == other.range

    def __repr__(self) -> str:
        return f"Magnitude64({self.range.lo.tolist()}, {self.range.hi.tolist()})"


def magnitude64(points: Floats, format: Format = BINARY32) -> Magnitude64:
    """Bounds of inputs that are numbers of the format; a subnormal one counts as 0 too.

    >>> import numpy as np
    >>> third = magnitude64(np.array([1.0])) / 3
    >>> bool(third.range.lo[0] < 1 / 3 < third.range.hi[0] < 0.33333336)
    True
    """
    small = np.abs(points) < float(format.smallest_normal)
    if not (small & (points != 0)).any():
        return Magnitude64(interval64(points), format)
    lo = np.where(small, np.minimum(points, 0.0), points)
    return Magnitude64(interval64(lo, np.where(small, np.maximum(points, 0.0), points)), format)
