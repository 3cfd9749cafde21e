"""Rounded: floating-point arithmetic of any format, step by step, every operation rounded once.

Source: IEEE 754-2019, clauses 4.3.1 (to nearest, ties to even), 5.4.1 and 6.3 (the sign of zero); 9.2 for functions.
"""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Self, cast, final

import numpy as np
from flint import arb
from numpy.typing import NDArray

from lenticulum.numbers.array import ExactArray
from lenticulum.numbers.ball import exact_ball
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.enclosures import ENCLOSURES, PAIR_ENCLOSURES, Enclosure, polygamma
from lenticulum.numbers.flat import FlatArray, power
from lenticulum.numbers.formats import BINARY32, Format, decode, encode
from lenticulum.numbers.literal import literal, scalar
from lenticulum.numbers.rational import Rational, fraction
from lenticulum.numbers.roots import perfect_root
from lenticulum.numbers.special_values import (
    Element,
    angle_at_special,
    at_special,
    hypot_at_special,
    polygamma_at_special,
    power_at_special,
)
from lenticulum.numbers.ziv import rounding_ends, ziv

ROOTS = {"sqrt": 2, "rsqrt": 2, "cbrt": 3}
"""The degrees of the functions whose values may be rational, and so lie on a rounding boundary."""


@final
@no_type_check
class Rounded(FlatArray[Element]):
    """Numbers of one format, with signed zeros, infinities and NaN; no operation raises.

    Every operation, and every named function, is rounded once, to nearest even. Sums and matrix products go from left
    to right; with `fused`, a matrix product rounds each a*b + c once. `x**n` is repeated squaring from the lowest bit
    of n. Comparisons are those of IEEE 754: false at NaN.

    >>> from lenticulum.numbers import BINARY16
    >>> x = rounded([2048, 1, 1], BINARY16)
    >>> x.sum(), x[::-1].sum()
    (Rounded(2048), Rounded(2050))
    """

    dtype = "rounded"

    def __init__(self, shape: tuple[int, ...], elements: list[Element], format: Format, fused: bool = False) -> None:
        self.shape = shape
        self.elements = elements
        self.format = format
        self.fused = fused

    def _with(self, shape: tuple[int, ...], elements: list[Element]) -> Rounded:
        return Rounded(shape, elements, self.format, self.fused)

    def _require_compatible(self, other: Self) -> None:
        if (self.format, self.fused) != (other.format, other.fused):
            raise TypeError(f"got numbers of {self.format.name} and {other.format.name}, expected one arithmetic")

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> Rounded:
        """A constant array, the constant rounded once."""
        return self._with(shape, [self._round(Fraction(constant))] * math.prod(shape))

    def bits(self) -> NDArray[np.uint64]:
        """The bit patterns."""
        patterns = [encode(element, self.format) for element in self.elements]
        return np.array(patterns, dtype=np.uint64).reshape(self.shape)

    def _round(self, value: Element) -> Element:
        return decode(encode(value, self.format), self.format)

    def _each(self, function: Callable[[Any, Any], Element], other: Self) -> Rounded:
        return self._zip(lambda x, y: self._round(function(x, y)), other)

    def _add(self, other: Self) -> Rounded:
        return self._each(_sum, other)

    def _subtract(self, other: Self) -> Rounded:
        return self._each(lambda x, y: _sum(x, -y), other)

    def _multiply(self, other: Self) -> Rounded:
        return self._each(_product, other)

    def _divide(self, other: Self) -> Rounded:
        return self._each(_quotient, other)

    def _power(self, exponent: int) -> Rounded:
        if exponent < 0:
            return 1 / self._power(-exponent)
        return power(self, exponent, self.lift(1, self.shape))

    def multiply_add(self, factor: Self, addend: Self) -> Rounded:
        """self * factor + addend, rounded once (IEEE's fusedMultiplyAdd)."""
        left, right = self._pair(factor)
        products = left._zip(_product, right)
        return products._each(_sum, self._operand(addend).broadcast_to(left.shape))

    def _sum_rows(self) -> Rounded:
        return self._with(self.shape[:1], [self._total(row) for row in self._rows()])

    def _total(self, terms: Iterable[Element]) -> Element:
        total: Element | None = None
        for term in terms:
            total = term if total is None else self._round(_sum(total, term))
        return 0.0 if total is None else total

    def _matrix_product(self, other: Self) -> Rounded:
        columns = other.transpose()._rows()
        entries = [self._dot(row, column) for row in self._rows() for column in columns]
        return self._with((self.shape[0], other.shape[1]), entries)

    def _dot(self, row: list[Element], column: list[Element]) -> Element:
        products = list(map(_product, row, column))
        if not self.fused:
            return self._total(map(self._round, products))
        total: Element = 0.0
        for number, product in enumerate(products):
            total = self._round(_sum(product, total) if number else product)
        return total

    def _less(self, other: Self) -> list[bool]:
        return list(map(operator.lt, self.elements, other.elements))

    def _less_equal(self, other: Self) -> list[bool]:
        return list(map(operator.le, self.elements, other.elements))

    def _equal(self, other: Self) -> bool:
        return all(map(operator.eq, self.elements, other.elements))

    def maximum(self, other: Self | int | Fraction) -> Rounded:
        """IEEE's maximum: NaN wins, and +0 is larger than -0."""
        left, right = self._pair(other)
        return left._zip(_maximum, right)

    def absolute(self) -> Rounded:
        """The absolute value; of -0, +0."""
        return self._map(abs)

    def pi(self) -> Rounded:
        """The circle constant, rounded once."""
        return self._with((), [self._angle(1.0, Fraction(1))])

    def _elementary(self, name: str) -> Rounded:
        return self._map(lambda x: self._function(name, x))

    def rsqrt(self) -> Rounded:
        """1 / sqrt(x), rounded once."""
        return self._elementary("rsqrt")

    def polygamma(self, order: int) -> Rounded:
        """The derivative of this order of digamma."""
        enclosure = polygamma(order)

        def function(x: Element) -> Element:
            special = polygamma_at_special(order, x)
            return self._round(self._enclosed(enclosure, x) if special is None else special)

        return self._map(function)

    def _elementary_pair(self, name: str, other: Self) -> Rounded:
        function = {"power_real": self._power_real, "hypot": self._hypot, "atan2": self._atan2}[name]
        return self._zip(function, other)

    def _function(self, name: str, x: Element) -> Element:
        special = at_special(name, x)
        if special is not None:
            return self._round(special)
        if isinstance(x, Fraction) and name in ROOTS:
            root = perfect_root(x, ROOTS[name])
            if root is not None:
                return self._round(1 / root if name == "rsqrt" else root)
        return self._enclosed(ENCLOSURES[name], x)

    def _enclosed(self, enclosure: Enclosure, x: Element) -> Element:
        argument = exact_ball(x)
        if enclosure.outside(argument):
            return math.nan
        if isinstance(x, float):
            limit = enclosure.function(argument)
            if not limit.is_finite():
                return self._round(math.inf if limit > 0 else -math.inf)
        return self._nearest(lambda: enclosure.function(argument))

    def _nearest(self, function: Callable[[], arb]) -> Element:
        """The value that `function()` encloses at the working precision, rounded."""
        return decode(ziv(lambda: rounding_ends(function(), self.format), self.format), self.format)

    def _angle(self, sign: float, turn: Fraction) -> Element:
        """sign * turn * pi, rounded."""
        return self._nearest(lambda: arb.pi() * exact_ball(int(sign) * turn))

    def _power_real(self, x: Element, y: Element) -> Element:
        special = power_at_special(x, y)
        if special is not None:
            return self._round(special)
        x, y = cast(Fraction, x), cast(Fraction, y)
        # x^y is rational only for an integer y, or where roots of x are: those are taken exactly.
        while y.denominator > 1 and (root := perfect_root(x, 2)) is not None:
            x, y = root, 2 * y
        return self._nearest(lambda: PAIR_ENCLOSURES["power_real"](exact_ball(x), exact_ball(y)))

    def _hypot(self, x: Element, y: Element) -> Element:
        special = hypot_at_special(x, y)
        if special is not None:
            return self._round(special)
        x, y = cast(Fraction, x), cast(Fraction, y)
        root = perfect_root(x * x + y * y, 2)
        if root is not None:
            return self._round(root)
        return self._nearest(lambda: PAIR_ENCLOSURES["hypot"](exact_ball(x), exact_ball(y)))

    def _atan2(self, y: Element, x: Element) -> Element:
        special = angle_at_special(y, x)
        if isinstance(special, tuple):
            return self._angle(*special)
        if special is not None:
            return special
        return self._nearest(lambda: PAIR_ENCLOSURES["atan2"](exact_ball(y), exact_ball(x)))


@no_type_check
def _stand_in(x: Element) -> float:
    """A float of the same sign and kind: zero, infinite, NaN, or a number."""
    return x if isinstance(x, float) else 1.0 if x > 0 else -1.0


@no_type_check
def _sum(x: Element, y: Element) -> Element:
    """The exact sum; +0 where non-zero terms cancel."""
    if isinstance(x, float) == isinstance(y, float):
        return x + y
    special, number = (x, y) if isinstance(x, float) else (y, x)
    return number if special == 0 else special


@no_type_check
def _product(x: Element, y: Element) -> Element:
    """The exact product."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x * y
    return _stand_in(x) * _stand_in(y)


@no_type_check
def _quotient(x: Element, y: Element) -> Element:
    """The exact quotient; of a number and a zero, infinity."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x / y
    dividend, divisor = _stand_in(x), _stand_in(y)
    if divisor == 0:
        return math.nan if dividend == 0 else dividend * math.copysign(math.inf, divisor)
    return dividend / divisor


@no_type_check
def _maximum(x: Element, y: Element) -> Element:
    if x != x or y != y:
        return math.nan
    return x + y if x == y == 0 else max(x, y)


@no_type_check
def _entry(value: Any) -> Element:
    """One number, with the floats that are no non-zero real numbers as they are."""
    number: Any = float(cast(Any, value)) if isinstance(value, np.floating) else value
    if isinstance(number, float) and (not number or not math.isfinite(number)):
        return number
    exact = scalar(number)
    return exact if isinstance(exact, float) else Fraction(exact)


@no_type_check
def rounded(data: object, format: Format = BINARY32, fma: bool = False) -> Rounded:
    """A Rounded array: each number rounded once to the format.

    `data` is as for `rational`, with -0.0, infinities and NaN as values, or a Rational array. With `fma`, matrix
    products use the fused multiply-add.

    >>> rounded([-0.0, "0.1", float("inf")])
    Rounded([-0.0, 13421773/134217728, inf])
    """
    if isinstance(data, Rational):
        shape, entries = data.shape, [fraction(element) for element in data.elements]
    elif isinstance(data, ExactArray):
        raise TypeError(f"got a {data.dtype} array, expected plain numbers or a Rational")
    else:
        shape, entries = literal(data, _entry)
    return Rounded(shape, [decode(encode(entry, format), format) for entry in entries], format, fma)


@no_type_check
def from_bits(bits: object, format: Format = BINARY32, fma: bool = False) -> Rounded:
    """A Rounded array of the numbers that these bit patterns mean.

    >>> from_bits([0x3F800000, 0xFF800000])
    Rounded([1, -inf])
    """
    patterns = np.asarray(bits)
    return Rounded(patterns.shape, [decode(int(pattern), format) for pattern in patterns.ravel()], format, fma)
