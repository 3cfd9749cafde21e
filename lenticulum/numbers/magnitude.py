"""Magnitude: the running error bound of an evaluation in its textbook order, value and error in one ball.

Each element encloses the exact value and every float that a conforming evaluation could compute for it. An operation
takes the ball operation of its operands and inflates the result by its own rounding:

    computed = exact (1 + d) + e,   |d| <= c u,   |e| <= smallest normal (only where the result may be subnormal)

with c from `CONSTANTS`. An element that may be subnormal also encloses 0, so an operand that is flushed is covered.
Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sections 2.2, 3.1 and 3.3.
"""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Self

import numpy as np
from flint import arb, arb_mat

from lenticulum.numbers.arb_array import ArbArray
from lenticulum.numbers.array import Booleans, ExactArray
from lenticulum.numbers.ball import end, exact_ball, less
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.enclosures import ENCLOSURES, PAIR_ENCLOSURES, polygamma
from lenticulum.numbers.errors import Undecided
from lenticulum.numbers.flat import power
from lenticulum.numbers.formats import BINARY32, Format, representable
from lenticulum.numbers.literal import Scalar, literal
from lenticulum.numbers.rational import Rational, flint_rational

CONSTANTS = {
    "add": 1,
    "subtract": 1,
    "multiply": 1,
    "divide": 1,
    "sqrt": 1,
    "constant": 1,
    "exp": 12,
    "exp2": 4,
    "expm1": 13,
    "log": 4,
    "log2": 4,
    "log10": 4,
    "log1p": 6,
    "rsqrt": 4,
    "cbrt": 4,
    "power": 4,
    "sin": 4,
    "cos": 4,
    "tan": 4,
    "asin": 4,
    "acos": 4,
    "atan": 4,
    "atan2": 4,
    "hypot": 4,
    "sinh": 4,
    "cosh": 4,
    "asinh": 4,
    "acosh": 4,
    "atanh": 4,
    "tanh": 10,
    "sigmoid": 6,
    "softplus": 8,
    "sinc": 8,
    "erf": 16,
    "erfc": 16,
    "erfinv": 4,
    "normal_cdf": 16,
    "lgamma": 16,
    "digamma": 16,
    "polygamma": 16,
    "power_real": 4,
}
"""The rounding allowed to one primitive, in units of u.

`power` is a library power; where |n| - 1 multiplications round more, that number counts. A dot product of n terms is
allowed gamma_n = n u / (1 - n u) times sum |x||y|, a sum gamma_(n-1) times sum |x|, in any order. Where the format
is `rounded_once`, every constant is 1.

`exp`, `expm1`, `log`, `log1p`, `rsqrt`, `sin`, `tanh`, `erf`, `sigmoid` and `softplus` are proved for JAX and PyTorch
on every binary32 input of one processor: twice the largest error in ulp of docs/accuracy is at most the constant (an
ulp is at most 2 u |f|), which a test requires. The other 4s are measured on samples where the argument is well
conditioned. A sinc is allowed a sine and four roundings. `erfc`, `normal_cdf`, `lgamma`, `digamma` and `polygamma` are
not measured.
"""


@no_type_check
class Magnitude(ArbArray):
    """Running error bounds in one format; `lower()` and `upper()` enclose the exact and the computed value.

    An element that may overflow, or may leave the domain of a function, is unbounded and stays so; it never raises.
    Comparisons raise Undecided where the enclosures overlap.

    >>> from lenticulum.numbers import magnitude, rational
    >>> third = magnitude(1) / magnitude(3)
    >>> bool((third.upper() - third.lower() < rational("1e-7")).all())
    True
    """

    dtype = "magnitude"

    def __init__(self, shape: tuple[int, ...], elements: list[arb], format: Format) -> None:
        self.shape = shape
        self.elements = elements
        self.format = format
        self.addends: tuple[Magnitude, ...] = ()

    def _with(self, shape: tuple[int, ...], elements: list[arb]) -> Magnitude:
        return Magnitude(shape, elements, self.format)

    def _require_compatible(self, other: Self) -> None:
        if self.format != other.format:
            raise TypeError(f"got magnitudes of {self.format.name} and {other.format.name}, expected one format")

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> Magnitude:
        """A constant array: exact where the format has the constant, otherwise rounded once."""
        return self._with(shape, [input_ball(constant, self.format)] * math.prod(shape))

    def pi(self) -> Magnitude:
        """The circle constant, rounded once."""
        return self._with((), self._rounded([arb.pi()], CONSTANTS["constant"]))

    def bounded(self) -> Booleans:
        """Which elements have a finite bound."""
        return np.array([x.is_finite() for x in self.elements], dtype=np.bool_).reshape(self.shape)

    def lower(self) -> Rational:
        """The lower ends; an unbounded element raises DomainError (see `bounded`)."""
        return Rational(self.shape, [end(x.lower()) for x in self.elements])

    def upper(self) -> Rational:
        """The upper ends; an unbounded element raises DomainError (see `bounded`)."""
        return Rational(self.shape, [end(x.upper()) for x in self.elements])

    def _rounded(self, exact: list[arb], units: int) -> list[arb]:
        """The results after a rounding of `units` u each."""
        factor = arb(1, arb(1 if self.format.rounded_once else units) * _dyadic(self.format.unit_roundoff))
        tiny, largest = _dyadic(self.format.smallest_normal), _dyadic(self.format.largest)
        return [_checked(x * factor, tiny, tiny, largest) for x in exact]

    def _operation(self, function: Callable[[Any, Any], Any], other: Self, name: str) -> Magnitude:
        results = list(map(function, self.elements, other.elements))
        return self._with(self.shape, self._rounded(results, CONSTANTS[name]))

    def _function(self, function: Callable[[Any], Any], name: str) -> Magnitude:
        return self._with(self.shape, self._rounded(list(map(function, self.elements)), CONSTANTS[name]))

    def _add(self, other: Self) -> Magnitude:
        return self._operation(lambda x, y: x + y, other, "add")

    def _subtract(self, other: Self) -> Magnitude:
        return self._operation(lambda x, y: x - y, other, "subtract")

    def _multiply(self, other: Self) -> Magnitude:
        return self._operation(lambda x, y: x * y, other, "multiply")

    def _divide(self, other: Self) -> Magnitude:
        return self._operation(lambda x, y: x / y, other, "divide")

    def _power(self, exponent: int) -> Magnitude:
        if exponent == 0:
            return self.lift(1, self.shape)
        if exponent < 0:
            return 1 / self._power(-exponent)
        one, units = arb(1), max(CONSTANTS["power"], exponent - 1)
        return self._with(self.shape, self._rounded([power(x, exponent, one) for x in self.elements], units))

    def _sum_rows(self) -> Magnitude:
        return self._with(self.shape[:1], [self._sum(row) for row in self._rows()])

    def _sum(self, row: list[arb]) -> arb:
        """The sum of n terms in any order: n - 1 additions, each of which may also flush."""
        additions = len(row) - 1
        if additions < 1:
            return row[0] if row else arb(0)
        magnitudes = sum((x.abs_upper() for x in row), arb(0))
        return self._accumulated(sum(row, arb(0)), magnitudes, additions, additions)

    def _matrix_product(self, other: Self) -> Magnitude:
        (rows, inner), columns = self.shape, other.shape[1]
        values = arb_mat(rows, inner, self.elements) * arb_mat(inner, columns, other.elements)
        left, right = [x.abs_upper() for x in self.elements], [y.abs_upper() for y in other.elements]
        magnitudes = arb_mat(rows, inner, left) * arb_mat(inner, columns, right)
        pairs = zip(values.entries(), magnitudes.entries(), strict=True)
        elements = [self._accumulated(value, magnitude, inner, 2 * inner) for value, magnitude in pairs]
        return self._with((rows, columns), elements)

    def _accumulated(self, value: arb, magnitudes: arb, roundings: int, operations: int) -> arb:
        """A sum whose terms are rounded at most `roundings` times each; `operations` results may flush."""
        if self.format.rounded_once:
            return self._rounded([value], 1)[0]
        u = self.format.unit_roundoff
        if roundings * u >= 1:
            return arb.nan()
        if magnitudes.is_zero():
            return value
        gamma = arb(flint_rational(roundings * u / (1 - roundings * u)))
        tiny, largest = _dyadic(self.format.smallest_normal), _dyadic(self.format.largest)
        error = (gamma * magnitudes + operations * tiny * (1 + gamma)).upper()
        if not (magnitudes + error <= largest):
            return arb.nan()
        return arb(value, error)

    def accumulate(self, other: Self) -> Magnitude:
        """self + other in this order; what was added is remembered, until the next operation."""
        total = self + other
        total.addends = (*(self.addends or (self,)), *(other.addends or (other,)))
        return total

    def added_as(self, *addends: Self) -> Magnitude:
        """This bound, with other parts for a sum in any order."""
        result = self._with(self.shape, self.elements)
        result.addends = addends
        return result

    def added_in_any_order(self, other: Self) -> Magnitude:
        """A bound on the sum of everything that was accumulated in both, whatever the order of the additions.

        A wire that is copied and used twice inside one of the branches gets three contributions, which a library adds
        in an order of its own: 1 + (2^-24 + 2^-24) is right to the last bit, (1 + 2^-24) + 2^-24 is not.

        >>> one, small = magnitude([1]), magnitude([2.0**-24])
        >>> total = one.added_in_any_order(small.accumulate(small))
        >>> bool(total.lower()[0] <= 1), bool((one + (small + small)).lower()[0] <= 1)
        (True, False)
        """
        total = self.accumulate(other)
        if len(total.addends) == 2:
            return total
        columns = zip(*(each.elements for each in total.addends), strict=True)
        result = self._with(self.shape, [self._sum(list(column)) for column in columns])
        result.addends = total.addends
        return result

    def _less(self, other: Self) -> list[bool]:
        return list(map(less, self.elements, other.elements))

    def _less_equal(self, other: Self) -> list[bool]:
        return [not less(y, x) for x, y in zip(self.elements, other.elements, strict=True)]

    def _equal(self, other: Self) -> bool:
        pairs = list(zip(self.elements, other.elements, strict=True))
        if any(x < y or y < x for x, y in pairs):
            return False
        if all(x.is_exact() and y.is_exact() and x == y for x, y in pairs):
            return True
        raise Undecided("two overlapping error bounds: the values may be equal or not")

    def maximum(self, other: Self | int | Fraction) -> Magnitude:
        """The range of the larger of two numbers, elementwise; exact."""
        left, right = self._pair(other)
        return left._zip(lambda x, y: x.max(y), right)

    def absolute(self) -> Magnitude:
        """The range of the absolute value, elementwise; exact."""
        return self._map(absolute_ball)

    def _elementary(self, name: str) -> Magnitude:
        return self._function(ENCLOSURES[name].function, name)

    def _elementary_pair(self, name: str, other: Self) -> Magnitude:
        return self._operation(PAIR_ENCLOSURES[name], other, name)

    def root_of_squares(self) -> Magnitude:
        """The square root of a sum of squares, which no float evaluation makes negative."""
        return self._function(_root_of_squares, "sqrt")

    def rsqrt(self) -> Magnitude:
        """1 / sqrt(x)."""
        return self._elementary("rsqrt")

    def polygamma(self, order: int) -> Magnitude:
        """The derivative of this order of digamma."""
        return self._function(polygamma(order).function, "polygamma")


_dyadic = lru_cache(maxsize=4096)(exact_ball)


@no_type_check
def _checked(x: arb, flushed: arb, tiny: arb, largest: arb) -> arb:
    """x, widened by `flushed` where it may be subnormal; unbounded (NaN) where it may overflow."""
    if not (x.abs_upper() <= largest):
        return arb.nan()
    if x.abs_lower() >= tiny or x.is_zero():
        return x
    return arb(x, flushed)


@no_type_check
def absolute_ball(x: arb) -> arb:
    """An enclosure of |x|, one that begins at 0 where the sign is not known."""
    return abs(x) if x > 0 or x < 0 or not x.is_finite() else arb(0).union(x.abs_upper())


@no_type_check
def _root_of_squares(x: arb) -> arb:
    return x.sqrt() if x > 0 or not x.is_finite() else arb(0).union(x.abs_upper().sqrt())


@no_type_check
def input_ball(value: Scalar, format: Format) -> arb:
    """An input: exact where the format has it, otherwise rounded once; a subnormal one counts as 0 too."""
    if isinstance(value, float):
        return arb.nan()
    exact = Fraction(value)
    if not representable(exact, format):
        tiny, largest = _dyadic(format.smallest_normal), _dyadic(format.largest)
        factor = arb(1, _dyadic(CONSTANTS["constant"] * format.unit_roundoff))
        return _checked(arb(flint_rational(exact)) * factor, tiny, tiny, largest)
    held = exact_ball(exact)
    return held if exact == 0 or abs(exact) >= format.smallest_normal else held.union(arb(0))


def magnitude(data: object, format: Format = BINARY32) -> Magnitude:
    """A Magnitude array of inputs: numbers of the format are exact, others are rounded once to it.

    `data` is as for `rational`, or a Rational array. Infinite and too large inputs are unbounded.
    """
    if isinstance(data, Magnitude) and data.format == format:
        return data
    if isinstance(data, Rational):
        entries = [Fraction(int(x.p), int(x.q)) for x in data.elements]
        return Magnitude(data.shape, [input_ball(entry, format) for entry in entries], format)
    if isinstance(data, ExactArray):
        raise TypeError(f"got a {data.dtype} array, expected plain numbers or a Rational")
    shape, scalars = literal(data)
    return Magnitude(shape, [input_ball(entry, format) for entry in scalars], format)
