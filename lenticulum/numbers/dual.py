"""Dual: forward derivatives, a primal and a tangent array over any number system, nestable for higher orders.

The derivative of a function at x in the direction t is the tangent of its value at (x, t):
f(x + e t) = f(x) + e Df(x)[t] with e*e = 0.
"""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count
from typing import Any, Self, TypeAlias, final

from lenticulum.numbers.array import Booleans, ExactArray, Positions
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.derivatives import DERIVATIVES, PARTIAL_DERIVATIVES
from lenticulum.numbers.functions import where

Outputs: TypeAlias = Any
"""One array or a tuple of arrays, as the differentiated function returns."""

_levels = count(1)


@final
@no_type_check
class Dual(ExactArray):
    """A primal with its tangent, of one shape and system; comparisons look at the primal.

    Conventions at kinks: the tangent of `maximum` and `minimum` at an exact tie is 0, and that of `absolute` at 0.

    >>> from lenticulum.numbers import dual, rational
    >>> (dual(rational(3), rational(1)) ** 2).tangent
    Rational(6)
    """

    dtype = "dual"

    def __init__(self, primal: ExactArray, tangent: ExactArray, level: int = 0) -> None:
        self.primal: Any = primal
        self.tangent: Any = tangent
        self.level = level
        self.shape = primal.shape

    def _with(self, primal: ExactArray, tangent: ExactArray) -> Dual:
        return Dual(primal, tangent, self.level)

    def select(self, condition: Booleans, other: Self) -> Dual:
        """This array where the condition holds, `other` elsewhere; all of one shape."""
        primal = self.primal.select(condition, other.primal)
        return self._with(primal, self.tangent.select(condition, other.tangent))

    def _require_compatible(self, other: Self) -> None:
        if self.level != other.level:
            raise TypeError(
                "got dual numbers of two different derivatives (nested jvp): pass the outer one as an input"
            )
        self.primal.require_same_system(other.primal)

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> Dual:
        """A constant array; its tangent is 0."""
        return self._with(self.primal.lift(constant, shape), self.primal.lift(0, shape))

    def pi(self) -> Dual:
        """The circle constant."""
        return self._with(self.primal.pi(), self.primal.lift(0))

    def take(self, index: Positions) -> Dual:
        """The elements at these flat positions; the result has the shape of the index."""
        return self._with(self.primal.take(index), self.tangent.take(index))

    def join(self, others: Sequence[Self]) -> Dual:
        """All elements of this array and the others, in order, as one axis."""
        operands = [self._operand(other) for other in others]
        primal = self.primal.join([other.primal for other in operands])
        return self._with(primal, self.tangent.join([other.tangent for other in operands]))

    def _add(self, other: Self) -> Dual:
        return self._with(self.primal + other.primal, self.tangent + other.tangent)

    def _subtract(self, other: Self) -> Dual:
        return self._with(self.primal - other.primal, self.tangent - other.tangent)

    def _negate(self) -> Dual:
        return self._with(-self.primal, -self.tangent)

    def _multiply(self, other: Self) -> Dual:
        tangent = self.tangent * other.primal + self.primal * other.tangent
        return self._with(self.primal * other.primal, tangent)

    def _divide(self, other: Self) -> Dual:
        quotient = self.primal / other.primal
        return self._with(quotient, (self.tangent - quotient * other.tangent) / other.primal)

    def _power(self, exponent: int) -> Dual:
        if exponent == 0:
            return self.lift(1, self.shape)
        return self._with(self.primal**exponent, exponent * self.primal ** (exponent - 1) * self.tangent)

    def _matrix_product(self, other: Self) -> Dual:
        tangent = self.tangent @ other.primal + self.primal @ other.tangent
        return self._with(self.primal @ other.primal, tangent)

    def _sum_rows(self) -> Dual:
        return self._with(self.primal.sum(axis=1), self.tangent.sum(axis=1))

    def exactly_zero(self) -> Booleans:
        """Where the primal and the tangent are."""
        return self.primal.exactly_zero() & self.tangent.exactly_zero()

    def _less(self, other: Self) -> list[bool] | Booleans:
        return self.primal._less(other.primal)

    def _less_equal(self, other: Self) -> list[bool] | Booleans:
        return self.primal._less_equal(other.primal)

    def _equal(self, other: Self) -> bool:
        return self.primal == other.primal and self.tangent == other.tangent

    def maximum(self, other: Self | int | Fraction) -> Dual:
        """The larger of two numbers, elementwise; its tangent at an exact tie is 0."""
        left, right = self._pair(other)
        a, b = left.primal, right.primal
        tangent = where(a > b, left.tangent, where(b > a, right.tangent, 0))
        return self._with(a.maximum(b), tangent)

    def absolute(self) -> Dual:
        """The absolute value, elementwise; its tangent at 0 is 0."""
        x, t = self.primal, self.tangent
        return self._with(x.absolute(), where(x > 0, t, where(x < 0, -t, 0)))

    def exp(self) -> Dual:
        """exp' = exp."""
        y = self.primal.exp()
        return self._with(y, y * self.tangent)

    def expm1(self) -> Dual:
        """expm1' = exp."""
        return self._with(self.primal.expm1(), self.primal.exp() * self.tangent)

    def log(self) -> Dual:
        """log'(x) = 1 / x."""
        return self._with(self.primal.log(), self.tangent / self.primal)

    def log1p(self) -> Dual:
        """log1p'(x) = 1 / (1 + x)."""
        return self._with(self.primal.log1p(), self.tangent / (1 + self.primal))

    def sqrt(self) -> Dual:
        """sqrt'(x) = 1 / (2 sqrt(x)); DomainError at 0."""
        y = self.primal.sqrt()
        return self._with(y, self.tangent / (2 * y))

    def rsqrt(self) -> Dual:
        """rsqrt'(x) = -rsqrt(x) / (2 x)."""
        y = self.primal.rsqrt()
        return self._with(y, -(y * self.tangent) / (2 * self.primal))

    def tanh(self) -> Dual:
        """tanh' = 1 - tanh^2."""
        y = self.primal.tanh()
        return self._with(y, (1 - y * y) * self.tangent)

    def erf(self) -> Dual:
        """erf'(x) = 2 / sqrt(pi) * exp(-x*x)."""
        return self._with(self.primal.erf(), self._bell() * self.tangent)

    def erfc(self) -> Dual:
        """erfc'(x) = -2 / sqrt(pi) * exp(-x*x)."""
        return self._with(self.primal.erfc(), -(self._bell() * self.tangent))

    def _bell(self) -> Any:
        x = self.primal
        return 2 / x.pi().sqrt() * (-(x * x)).exp()

    def sin(self) -> Dual:
        """sin' = cos."""
        return self._with(self.primal.sin(), self.primal.cos() * self.tangent)

    def cos(self) -> Dual:
        """cos' = -sin."""
        return self._with(self.primal.cos(), -(self.primal.sin() * self.tangent))

    def _elementary(self, name: str) -> Dual:
        x = self.primal
        y = x._elementary(name)
        return self._with(y, DERIVATIVES[name](x, y, self.tangent))

    def polygamma(self, order: int) -> Dual:
        """The derivative of one order is the function of the next."""
        return self._with(self.primal.polygamma(order), self.primal.polygamma(order + 1) * self.tangent)

    def _elementary_pair(self, name: str, other: Self) -> Dual:
        x, y = self.primal, other.primal
        z = x._elementary_pair(name, y)
        by_x, by_y = PARTIAL_DERIVATIVES[name](x, y, z)
        return self._with(z, by_x * self.tangent + by_y * other.tangent)

    def __repr__(self) -> str:
        return f"Dual({self.primal!r}, tangent={self.tangent!r})"


def dual(primal: ExactArray, tangent: ExactArray) -> Dual:
    """The dual number primal + e * tangent; both arrays have one shape and one system."""
    if primal.shape != tangent.shape:
        raise ValueError(
            f"got a primal of shape {primal.shape} and a tangent of shape {tangent.shape}, expected one shape"
        )
    primal.require_same_system(tangent)
    return Dual(primal, tangent)


@no_type_check
def jvp(
    function: Callable[..., Outputs], primals: Sequence[ExactArray], tangents: Sequence[ExactArray]
) -> tuple[Outputs, Outputs]:
    """The value and the derivative of a function in a direction.

    jvp(f, x, t) = (f(x), Df(x)[t]), by one evaluation over dual numbers.

    `primals` and `tangents` have equal lengths, shapes and systems. The function returns one array or a tuple of
    arrays, and so are both results. An output that does not depend on the inputs has the tangent 0.

    >>> from lenticulum.numbers import jvp, rational
    >>> jvp(lambda x, y: x * y, (rational(2), rational(3)), (rational(1), rational(10)))
    (Rational(6), Rational(23))
    """
    if len(primals) != len(tangents):
        raise ValueError(f"got {len(primals)} primals and {len(tangents)} tangents, expected as many")
    level = next(_levels)
    inputs: list[Dual] = []
    for primal, tangent in zip(primals, tangents, strict=True):
        checked = dual(primal, tangent)
        inputs.append(Dual(checked.primal, checked.tangent, level))
    result = function(*inputs)
    if isinstance(result, tuple):
        pairs = [_parts(output, level) for output in result]  # pyright: ignore[reportUnknownVariableType]
        return tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
    return _parts(result, level)


def _parts(output: Any, level: int) -> tuple[ExactArray, ExactArray]:
    if isinstance(output, Dual) and output.level == level:
        return output.primal, output.tangent
    return output, output.lift(0, output.shape)
