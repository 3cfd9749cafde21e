"""TotalBall and TotalMagnitude: enclosures that never raise, for programs whose untaken branches have no value.

A program may compute a logarithm of a negative number and then select another branch. So an element without a value is
*unbounded* (the NaN ball), and stays so until it is dropped. A comparison that is not decided is masked in the boolean
array that it returns (`numpy.ma`), and `select` returns an enclosure of both branches there.
"""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Self, final

import numpy as np
from flint import arb, arb_mat
from numpy.typing import NDArray

from lenticulum.numbers.arb_array import ArbArray
from lenticulum.numbers.array import Booleans
from lenticulum.numbers.ball import exact_ball
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.enclosures import ENCLOSURES, PAIR_ENCLOSURES, polygamma
from lenticulum.numbers.errors import Undecided
from lenticulum.numbers.flat import power
from lenticulum.numbers.formats import Format
from lenticulum.numbers.magnitude import CONSTANTS, Magnitude, absolute_ball, input_ball
from lenticulum.numbers.rational import flint_rational

#: The operations whose result IEEE 754 rounds correctly: what is a number of the format is not rounded at all.
CORRECTLY_ROUNDED = frozenset(("add", "subtract", "multiply", "divide"))

#: The error in units of u beside that of `CONSTANTS`, of x and f(x), where a program may call a function far from the
#: arguments that a definition has. JAX computes exp2, sinh and cosh as exp(a) of a rounded a: an error of u |a| in a is
#: a relative one of the result; so for exp(-x²) in erfc. At their zeros lgamma and digamma are small differences. The
#: factors are twice the largest error of JAX 0.10.2 on 500 points, logarithmic in the domain, in both wide formats.
AMPLIFIED: dict[str, Callable[[Any, Any], Any]] = {
    "exp2": lambda x, y: 2 * x.abs_upper() * y.abs_upper(),
    "sinh": lambda x, y: (8 + x.abs_upper()) * y.abs_upper(),
    "cosh": lambda x, y: (8 + x.abs_upper()) * y.abs_upper(),
    "erfc": lambda x, y: 2 * x.abs_upper() ** 2 * y.abs_upper(),
    "atanh": lambda x, y: 140 * y.abs_upper(),
    "erfinv": lambda x, y: 60 * y.abs_upper(),
    "lgamma": lambda x, y: 64 * arb(1).max(y.abs_upper()),
    "digamma": lambda x, y: 24 * arb(1).max(y.abs_upper()),
    "polygamma": lambda x, y: 24 * y.abs_upper(),
}


@no_type_check
class _Total(ArbArray):
    """What both classes share: masked comparisons, hulls, and extremes of extended reals."""

    def bounded(self) -> Booleans:
        """Which elements have a value: a finite enclosure, or an infinity."""
        return np.array([x.is_finite() or _infinite(x) for x in self.elements], np.bool_).reshape(self.shape)

    def select(self, condition: Booleans, other: Self) -> Self:
        """This array where the condition holds, `other` elsewhere, an enclosure of both where it is masked."""
        masked = np.ma.getmaskarray(condition).ravel().tolist()
        chosen = np.ma.getdata(condition).ravel().tolist()
        rows = zip(masked, chosen, self.elements, other.elements, strict=True)
        return self._with(self.shape, [_hull(x, y) if open_ else x if taken else y for open_, taken, x, y in rows])

    def _less(self, other: Self) -> Any:
        return _masked([_less(x, y) for x, y in zip(self.elements, other.elements, strict=True)])

    def _less_equal(self, other: Self) -> Any:
        answers = [_less(y, x) for x, y in zip(self.elements, other.elements, strict=True)]
        return _masked([None if each is None else not each for each in answers])

    def _equal(self, other: Self) -> bool:
        pairs = list(zip(self.elements, other.elements, strict=True))
        if any(_less(x, y) or _less(y, x) for x, y in pairs):
            return False
        if all(x.is_exact() and y.is_exact() and not x.is_nan() and not y.is_nan() for x, y in pairs):
            return True
        raise Undecided("two overlapping enclosures: the values may be equal or not")

    def maximum(self, other: Self | int | Fraction) -> Self:
        """The larger of two extended reals, elementwise."""
        left, right = self._pair(other)
        return left._zip(_larger, right)

    def absolute(self) -> Self:
        """The absolute value, elementwise."""
        return self._map(absolute_ball)


@final
@no_type_check
class TotalBall(_Total):
    """Balls at the working precision that never raise; see the module.

    >>> from lenticulum.numbers import where
    >>> x = total_ball(np.array([-1.0, 1.0]))
    >>> x.log().bounded().tolist(), where(x > 0, x.log(), x)
    ([False, True], TotalBall([-1.00000000000000, 0]))
    """

    dtype = "total_ball"

    def __init__(self, shape: tuple[int, ...], elements: list[arb]) -> None:
        self.shape = shape
        self.elements = elements

    def _with(self, shape: tuple[int, ...], elements: list[arb]) -> TotalBall:
        return TotalBall(shape, elements)

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> TotalBall:
        """A constant array, each element the ball of the constant at the working precision."""
        return TotalBall(shape, [arb(flint_rational(constant))] * math.prod(shape))

    def pi(self) -> TotalBall:
        """The circle constant."""
        return TotalBall((), [arb.pi()])

    def _divide(self, other: Self) -> TotalBall:
        return self._zip(lambda x, y: x / y if y.is_finite() or x.is_finite() else arb.nan(), other)

    def _power(self, exponent: int) -> TotalBall:
        if exponent < 0:
            return 1 / self._power(-exponent)
        one = arb(1)
        return self._map(lambda x: power(x, exponent, one))

    def _matrix_product(self, other: Self) -> TotalBall:
        (rows, inner), columns = self.shape, other.shape[1]
        product = arb_mat(rows, inner, self.elements) * arb_mat(inner, columns, other.elements)
        return TotalBall((rows, columns), product.entries())

    def _add(self, other: Self) -> TotalBall:
        return self._zip(lambda x, y: _pointed(x + y), other)

    def _subtract(self, other: Self) -> TotalBall:
        return self._zip(lambda x, y: _pointed(x - y), other)

    def _sum_rows(self) -> TotalBall:
        return super()._sum_rows()._map(_pointed)

    def _elementary(self, name: str) -> TotalBall:
        return self._map(ENCLOSURES[name].function)

    def _elementary_pair(self, name: str, other: Self) -> TotalBall:
        return self._zip(PAIR_ENCLOSURES[name], other)

    def rsqrt(self) -> TotalBall:
        """1 / sqrt(x)."""
        return self._elementary("rsqrt")

    def polygamma(self, order: int) -> TotalBall:
        """The derivative of this order of digamma."""
        return self._map(polygamma(order).function)


@final
@no_type_check
class TotalMagnitude(_Total, Magnitude):
    """Running error bounds that never raise, with infinities as values.

    An infinity that comes from infinite operands is exact; a number that may overflow is unbounded, as in `Magnitude`.
    """

    dtype = "total_magnitude"

    def _with(self, shape: tuple[int, ...], elements: list[arb]) -> TotalMagnitude:
        return TotalMagnitude(shape, elements, self.format)

    def to_format(self, format: Format) -> TotalMagnitude:
        """The same numbers converted to another format: rounded once where that is narrower."""
        widened = TotalMagnitude(self.shape, self.elements, format)
        if format.precision >= self.format.precision and format.minimum_exponent <= self.format.minimum_exponent:
            return widened
        rounded = widened._rounded_extended(self.elements, self.elements, CONSTANTS["constant"])
        kept = [x if _is_number(x, format) else y for x, y in zip(self.elements, rounded, strict=True)]
        return widened._with(self.shape, kept)

    def _rounded_extended(self, results: list[arb], witnesses: list[arb], units: int) -> list[arb]:
        """Results after a rounding; a point whose operand, the witness, is infinite stays as it is."""
        rounded = self._rounded(results, units)
        return [
            result if _infinite(witness) and result.is_exact() else changed
            for result, witness, changed in zip(results, witnesses, rounded, strict=True)
        ]

    def _operation(self, function: Callable[[Any, Any], Any], other: Self, name: str) -> TotalMagnitude:
        pairs = list(zip(self.elements, other.elements, strict=True))
        results = [_pointed(function(x, y)) for x, y in pairs]
        witnesses = [x if _infinite(x) else y for x, y in pairs]
        rounded = self._rounded_extended(results, witnesses, CONSTANTS[name])
        if name in CORRECTLY_ROUNDED:
            rounded = [x if _is_number(x, self.format) else y for x, y in zip(results, rounded, strict=True)]
        return self._with(self.shape, rounded)

    def _divide(self, other: Self) -> TotalMagnitude:
        """Quotients; of arrays with two roundings: XLA computes x / s for a broadcast s as x * (1 / s)."""
        found = self._operation(lambda x, y: x / y, other, "divide")
        if not self.shape or self.format.rounded_once:
            return found
        factor = arb(1, exact_ball(CONSTANTS["divide"] * self.format.unit_roundoff))
        # What is unbounded or infinite stays so; a subnormal quotient has been widened by more than this.
        return found._map(lambda x: x * factor if x.is_finite() else x)

    def _function(self, function: Callable[[Any], Any], name: str) -> TotalMagnitude:
        results = list(map(function, self.elements))
        if name not in AMPLIFIED or self.format.rounded_once:
            return self._with(self.shape, self._rounded_extended(results, self.elements, CONSTANTS[name]))
        u, largest = exact_ball(self.format.unit_roundoff), exact_ball(self.format.largest)
        errors = [u * AMPLIFIED[name](x, y) for x, y in zip(self.elements, results, strict=True)]
        wide = [_widened(y, error, largest) for y, error in zip(results, errors, strict=True)]
        return self._with(self.shape, self._rounded_extended(wide, self.elements, CONSTANTS[name]))

    def _sum(self, row: list[arb]) -> arb:
        return sum(row, arb(0)) if _adds_exactly(row, self.format) else super()._sum(row)

    def _accumulated(self, value: arb, magnitudes: arb, roundings: int, operations: int) -> arb:
        value = _pointed(value)
        if _infinite(value):
            return value
        return super()._accumulated(value, magnitudes, roundings, operations)


@no_type_check
def _pointed(x: arb) -> arb:
    """An infinity without the radius that FLINT keeps of the other term of a sum."""
    return x if x.is_finite() or x.is_nan() or not x.rad().is_finite() else x.mid()


@no_type_check
def _infinite(x: arb) -> bool:
    return not x.is_finite() and x.is_exact()


@no_type_check
def _adds_exactly(row: list[arb], format: Format) -> bool:
    """Whether the sum of some points has no rounding, whatever the order: so counts are known.

    With 2^e the unit of all terms, every partial sum is a multiple of 2^e of at most sum |x|: a number of the format
    where that is at most 2^(e + p), and a normal one or zero where 2^e is.
    """
    if not all(x.is_exact() and x.is_finite() for x in row):
        return False
    terms = [(int(mantissa), int(exponent)) for mantissa, exponent in (x.man_exp() for x in row) if mantissa]
    if not terms:
        return True
    unit = min(exponent for _, exponent in terms)
    # Before the shifts, which would be long for terms of very different sizes.
    if any(exponent - unit > format.precision for _, exponent in terms) or unit < format.minimum_exponent:
        return False
    size = sum(abs(mantissa) << (exponent - unit) for mantissa, exponent in terms)
    return size <= 1 << format.precision and Fraction(2) ** unit * size <= format.largest


@no_type_check
def _is_number(x: arb, format: Format) -> bool:
    """Whether a ball is a point, and one that the format has as a normal number or zero."""
    if not x.is_exact() or not x.is_finite():
        return False
    mantissa, exponent = (int(part) for part in x.man_exp())
    if not mantissa:
        return True
    top = exponent + abs(mantissa).bit_length() - 1
    within = format.minimum_exponent <= top < format.maximum_exponent
    return within and abs(mantissa).bit_length() <= format.precision


@no_type_check
def _widened(y: arb, error: arb, largest: arb) -> arb:
    """A ball with an error added, unless it is infinite or may overflow."""
    return arb(y, error.upper()) if y.abs_upper() <= largest and error.is_finite() else y


@no_type_check
def _hull(x: arb, y: arb) -> arb:
    if x is y:
        return x
    if _infinite(x) or _infinite(y):
        return x if _infinite(x) and _infinite(y) and (x > 0) == (y > 0) else arb.nan()
    return x.union(y)


@no_type_check
def _larger(x: arb, y: arb) -> arb:
    if x.is_nan() or y.is_nan():
        return arb.nan()
    # FLINT's maximum with an infinity is NaN.
    if _infinite(x) or _infinite(y):
        infinite, other = (x, y) if _infinite(x) else (y, x)
        return infinite if infinite > 0 else other
    return x.max(y)


@no_type_check
def _less(x: arb, y: arb) -> bool | None:
    return True if x < y else False if x >= y else None


@no_type_check
def _masked(answers: list[bool | None]) -> Any:
    data = np.array([answer is True for answer in answers], np.bool_)
    mask = np.array([answer is None for answer in answers], np.bool_)
    return np.ma.array(data, mask=mask) if mask.any() else data


@no_type_check
def total_ball(data: NDArray[Any]) -> TotalBall:
    """A TotalBall of the entries of a float or integer array: infinities are values, NaN is unbounded."""
    return TotalBall(data.shape, [_entry(value) for value in _entries(data)])


@no_type_check
def total_magnitude(data: NDArray[Any], format: Format) -> TotalMagnitude:
    """A TotalMagnitude of the entries of a float or integer array, rounded where it is no number of the format."""
    return TotalMagnitude(data.shape, [_input(value, format) for value in _entries(data)], format)


def _entries(data: NDArray[Any]) -> list[Any]:
    return (data if data.dtype.kind in "iub" else data.astype(np.float64)).ravel().tolist()


@no_type_check
def _entry(value: float | int) -> arb:
    if isinstance(value, int):
        return exact_ball(int(value))
    return arb.nan() if math.isnan(value) else exact_ball(value if math.isinf(value) else Fraction(value))


@no_type_check
def _input(value: float | int, format: Format) -> arb:
    if isinstance(value, float) and not math.isfinite(value):
        return _entry(value)
    return input_ball(Fraction(value), format)
