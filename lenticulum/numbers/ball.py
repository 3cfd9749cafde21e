"""Ball: rigorous enclosures of extended reals at the working precision, on FLINT's arb and arb_mat."""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Self, final

from flint import arb, arb_mat, fmpq

from lenticulum.numbers.arb_array import ArbArray
from lenticulum.numbers.array import ExactArray
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.enclosures import ENCLOSURES, PAIR_ENCLOSURES, Enclosure, polygamma
from lenticulum.numbers.errors import DomainError, Undecided
from lenticulum.numbers.flat import power
from lenticulum.numbers.literal import Scalar, literal
from lenticulum.numbers.rational import Rational, flint_rational

LARGEST_EXPONENT = 2**31
"""An end beyond 2 to the power of this is refused as a rational: it would fill gigabytes."""


@final
@no_type_check
class Ball(ArbArray):
    """Enclosures: each element is a ball that contains the exact value.

    Comparisons are three-valued: certain, or Undecided. A result that does not exist raises DomainError where the
    operands lie outside the domain for certain, and Undecided where they only may (more precision may separate them).
    Infinities are values: exp(-inf) = 0; inf - inf and 0 * inf do not exist.

    >>> from lenticulum.numbers import ball, rational
    >>> bool(ball(2).sqrt() > rational("1.4142").item())
    True
    >>> ball("0.1").contains(rational("0.1"))
    True
    """

    dtype = "ball"

    def __init__(self, shape: tuple[int, ...], elements: list[arb]) -> None:
        self.shape = shape
        self.elements = elements

    def _with(self, shape: tuple[int, ...], elements: list[arb]) -> Ball:
        return Ball(shape, elements)

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> Ball:
        """A constant array, each element the ball of the constant at the working precision."""
        return Ball(shape, [arb(flint_rational(constant))] * math.prod(shape))

    def pi(self) -> Ball:
        """The circle constant."""
        return Ball((), [arb.pi()])

    def lower(self) -> Rational:
        """The lower ends, exact dyadic rationals; an infinite ball raises DomainError."""
        return Rational(self.shape, [end(element.lower()) for element in self.elements])

    def upper(self) -> Rational:
        """The upper ends, exact dyadic rationals; an infinite ball raises DomainError."""
        return Rational(self.shape, [end(element.upper()) for element in self.elements])

    def midpoint(self) -> Rational:
        """The midpoints, exact dyadic rationals: inside the enclosure, and nothing more."""
        return Rational(self.shape, [end(element.mid()) for element in self.elements])

    def contains(self, value: Rational) -> bool:
        """Whether every element contains the rational at its place."""
        if value.shape != self.shape:
            raise ValueError(f"got a value of shape {value.shape}, expected {self.shape}")
        return all(map(_contains, self.elements, value.elements))

    def _binary(self, name: str, function: Callable[[Any, Any], Any], other: Self) -> Ball:
        result = self._zip(function, other)
        for x, y, z in zip(self.elements, other.elements, result.elements, strict=True):
            if z.is_nan():
                raise _undefined(name, x, y)
        return result

    def _add(self, other: Self) -> Ball:
        return self._binary("sum", operator.add, other)

    def _subtract(self, other: Self) -> Ball:
        return self._binary("difference", operator.sub, other)

    def _multiply(self, other: Self) -> Ball:
        return self._binary("product", operator.mul, other)

    def _divide(self, other: Self) -> Ball:
        return self._binary("quotient", lambda x, y: x / y, other)

    def _power(self, exponent: int) -> Ball:
        if exponent < 0:
            return 1 / self._power(-exponent)
        one = arb(1)
        return self._map(lambda x: power(x, exponent, one))

    def _matrix_product(self, other: Self) -> Ball:
        (rows, inner), columns = self.shape, other.shape[1]
        product = arb_mat(rows, inner, self.elements) * arb_mat(inner, columns, other.elements)
        return _existing(Ball((rows, columns), product.entries()), "a matrix product")

    def _sum_rows(self) -> Ball:
        return _existing(super()._sum_rows(), "a sum")

    def _less(self, other: Self) -> list[bool]:
        return list(map(less, self.elements, other.elements))

    def _less_equal(self, other: Self) -> list[bool]:
        return [not less(y, x) for x, y in zip(self.elements, other.elements, strict=True)]

    def _equal(self, other: Self) -> bool:
        pairs = list(zip(self.elements, other.elements, strict=True))
        if any(not x.overlaps(y) for x, y in pairs):
            return False
        if all(x.is_exact() and y.is_exact() for x, y in pairs):
            return True
        raise Undecided(
            "two overlapping balls: they may be equal or not; compare exact numbers, or bound the difference"
        )

    def _enclosed(self, name: str, enclosure: Enclosure) -> Ball:
        images = list(map(enclosure.function, self.elements))
        for x, y in zip(self.elements, images, strict=True):
            if y.is_nan():
                if enclosure.outside(x):
                    raise DomainError(f"{name}({x}): the argument lies outside the domain")
                raise Undecided(
                    f"{name}({x}): the argument may lie outside the domain; raise the precision, see `decide`"
                )
        return Ball(self.shape, images)

    def _elementary(self, name: str) -> Ball:
        return self._enclosed(name, ENCLOSURES[name])

    def _elementary_pair(self, name: str, other: Self) -> Ball:
        return self._binary(name, PAIR_ENCLOSURES[name], other)

    def rsqrt(self) -> Ball:
        """1 / sqrt(x); x > 0."""
        return self._elementary("rsqrt")

    def polygamma(self, order: int) -> Ball:
        """The derivative of this order of digamma; x not in {0, -1, -2, ...}."""
        return self._enclosed(f"polygamma of order {order}", polygamma(order))


@no_type_check
def less(x: arb, y: arb) -> bool:
    """Three-valued x < y: True or False where certain, otherwise Undecided."""
    if x < y:
        return True
    if x >= y:
        return False
    raise Undecided(f"{x} < {y} is not decided by these enclosures: raise the precision, see `decide`")


@no_type_check
def end(value: arb) -> fmpq:
    """The exact ball as a rational."""
    if not value.is_finite():
        raise DomainError("the end of an unbounded enclosure is not a rational number")
    # FLINT aborts the process where a rational of that size cannot be held.
    exponent = int(value.man_exp()[1])
    if abs(exponent) > LARGEST_EXPONENT:
        raise DomainError(f"an end near 2^{exponent} is too far from 1 for a rational number; read it by as_integers")
    return value.fmpq()


@no_type_check
def _contains(element: arb, x: fmpq) -> bool:
    """Whether a ball contains a rational; FLINT rounds x to a ball first, which a thin ball need not contain."""
    if element.contains(x) or not element.overlaps(arb(x)):
        return element.contains(x)
    return abs(x - element.mid().fmpq()) <= element.rad().fmpq()


def _undefined(name: str, x: arb, y: arb) -> ArithmeticError:
    """Why x op y is NaN: an operation on exact operands does not exist; one on wide balls may."""
    impossible = name == "quotient" and y.is_zero() or name == "power_real" and x <= 0
    if x.is_exact() and y.is_exact() or impossible:
        return DomainError(f"the {name} of {x} and {y} does not exist in the extended reals")
    return Undecided(f"the {name} of {x} and {y} may not exist; raise the precision, see `decide`")


def _existing(result: Ball, name: str) -> Ball:
    if any(element.is_nan() for element in result.elements):
        raise DomainError(f"{name} contains inf - inf or 0 * inf, which do not exist in the extended reals")
    return result


@no_type_check
def exact_ball(value: int | Fraction | float) -> arb:
    """A dyadic rational, or a zero or infinity as a float, as an exact ball at any working precision."""
    if isinstance(value, float):
        return arb(0) if not value else arb.pos_inf() if value > 0 else arb.neg_inf()
    return arb((value.numerator, 1 - value.denominator.bit_length()))


def _element(value: Scalar) -> arb:
    if isinstance(value, float):
        return arb.pos_inf() if value > 0 else arb.neg_inf()
    return arb(flint_rational(value))


def ball(data: object) -> Ball:
    """A Ball array that encloses the given numbers at the working precision.

    `data` is as for `rational`, with infinite floats, or a Rational or Ball array. Floats of at most that precision are
    exact.
    """
    if isinstance(data, Ball):
        return data
    if isinstance(data, Rational):
        return Ball(data.shape, [arb(element) for element in data.elements])
    if isinstance(data, ExactArray):
        raise TypeError(f"got a {data.dtype} array, expected plain numbers, a Rational, or a Ball")
    shape, entries = literal(data)
    return Ball(shape, [_element(entry) for entry in entries])


def from_integers(shape: tuple[int, ...], integers: Sequence[Sequence[int]]) -> Ball:
    """The Ball of this shape that `as_integers` wrote (as tuples, or as the lists that JSON makes of them)."""
    return Ball(shape, [_from_integers(*four) for four in integers])


def _from_integers(mantissa: int, exponent: int, radius: int, radius_exponent: int) -> arb:
    if radius < 0:
        infinities = {1: arb.pos_inf(), -1: arb.neg_inf(), 0: arb.neg_inf().union(arb.pos_inf())}
        return infinities[mantissa]
    if radius & (radius - 1) == 0:
        return arb((mantissa, exponent), (radius, radius_exponent))
    # FLINT keeps 30 bits of a radius and adds one unit in the last of them when it reads one; so hand it one unit less.
    shift = 30 - radius.bit_length()
    return arb((mantissa, exponent), arb(((radius << shift) - 1, radius_exponent - shift)))
