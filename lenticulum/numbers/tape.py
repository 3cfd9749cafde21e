"""Tape: reverse derivatives over any number system, one rule per operation.

The reverse derivative is defined as the transpose of the forward one (`dual`); the rules here are tested against that
definition. Functions without a rule of their own share their derivative with it (`derivatives`).
"""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, Self, TypeAlias, final

import numpy as np

from lenticulum.numbers.array import Booleans, ExactArray, Positions
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.derivatives import DERIVATIVES, PARTIAL_DERIVATIVES
from lenticulum.numbers.functions import where

Outputs: TypeAlias = Any
"""One array or a tuple of arrays, as the differentiated function returns."""

Pullback: TypeAlias = Callable[[Any], Sequence[Any]]
"""From the cotangent of a result to the cotangents of its operands."""


@no_type_check
class _Record:
    """The operations of one evaluation, in order: the operands of each and its pullback."""

    def __init__(self) -> None:
        self.operands: list[tuple[int, ...]] = []
        self.pullbacks: list[Pullback] = []

    def append(self, operands: tuple[int, ...], pullback: Pullback) -> int:
        self.operands.append(operands)
        self.pullbacks.append(pullback)
        return len(self.operands) - 1


@final
@no_type_check
class Tape(ExactArray):
    """A value that remembers the operation it came from; comparisons look at the value.

    The kink conventions are those of `Dual`.
    """

    dtype = "tape"

    def __init__(self, value: ExactArray, record: _Record, position: int) -> None:
        self.value: Any = value
        self.record = record
        self.position = position
        self.shape = value.shape

    def _result(self, value: ExactArray, operands: Sequence[Tape], pullback: Pullback) -> Tape:
        position = self.record.append(tuple(operand.position for operand in operands), pullback)
        return Tape(value, self.record, position)

    def _unary(self, value: ExactArray, pullback: Callable[[Any], Any]) -> Tape:
        return self._result(value, (self,), lambda g: (pullback(g),))

    def elementwise(self, value: ExactArray, others: Sequence[Self], pullback: Pullback) -> Tape:
        """A value that each element of this array and of others of its shape gives alone.

        Where the cotangent is exactly 0, 0 flows on, also where a slope has no value: a branch that is not taken.
        """

        def guarded(g: Any) -> Sequence[Any]:
            zero = g.exactly_zero()
            if not zero.any():
                return pullback(g)
            if zero.all():
                return [g] * (1 + len(others))
            return [where(zero, g, part) for part in pullback(g)]

        return self._result(value, (self, *others), guarded)

    def _named(self, value: ExactArray, pullback: Callable[[Any], Any]) -> Tape:
        return self.elementwise(value, (), lambda g: (pullback(g),))

    def _require_compatible(self, other: Self) -> None:
        if self.record is not other.record:
            raise TypeError("got tapes of two different derivatives (nested vjp): pass the outer one as an input")

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> Tape:
        """A constant array; no cotangent flows into it."""
        return self._result(self.value.lift(constant, shape), (), lambda g: ())

    def constant(self, value: ExactArray) -> Tape:
        """An array of the system below, into which no cotangent flows."""
        return self._result(value, (), lambda g: ())

    def pi(self) -> Tape:
        """The circle constant."""
        return self._result(self.value.pi(), (), lambda g: ())

    def take(self, index: Positions) -> Tape:
        """The elements at these flat positions; the transpose adds each cotangent to the element it came from."""
        return self._unary(self.value.take(index), lambda g: transposed_take(g, index, self.shape))

    def join(self, others: Sequence[Self]) -> Tape:
        """All elements of this array and the others, in order, as one axis."""
        operands = [self, *(self._operand(other) for other in others)]
        ends = list(accumulate(operand.size for operand in operands))

        def split(g: Any) -> list[Any]:
            return [
                g.take(np.arange(end - x.size, end).reshape(x.shape)) for end, x in zip(ends, operands, strict=True)
            ]

        return self._result(self.value.join([operand.value for operand in operands[1:]]), operands, split)

    def chosen(self, value: ExactArray, condition: Booleans, other: Self) -> Tape:
        """A value that is this array where the condition holds, and `other` elsewhere."""

        def pullback(g: Any) -> tuple[Any, Any]:
            return where(condition, g, 0), where(condition, 0 * g, g)

        return self._result(value, (self, other), pullback)

    def constantly(self, value: ExactArray, pullback: Callable[[Any], Any]) -> Tape:
        """A value with a pullback of its own."""
        return self._unary(value, pullback)

    def select(self, condition: Booleans, other: Self) -> Tape:
        """This array where the condition holds, `other` elsewhere; all of one shape."""
        return self.chosen(self.value.select(condition, other.value), condition, other)

    def _add(self, other: Self) -> Tape:
        return self._result(self.value + other.value, (self, other), lambda g: (g, g))

    def _subtract(self, other: Self) -> Tape:
        return self._result(self.value - other.value, (self, other), lambda g: (g, -g))

    def _negate(self) -> Tape:
        return self._unary(-self.value, lambda g: -g)

    def _multiply(self, other: Self) -> Tape:
        a, b = self.value, other.value
        return self.elementwise(a * b, (other,), lambda g: (b * g, a * g))

    def _divide(self, other: Self) -> Tape:
        a, b = self.value, other.value
        return self.elementwise(a / b, (other,), lambda g: (g / b, -(g * a) / (b * b)))

    def _power(self, exponent: int) -> Tape:
        x = self.value
        if exponent == 0:
            return self.lift(1, self.shape)
        return self._named(x**exponent, lambda g: g * exponent * x ** (exponent - 1))

    def _matrix_product(self, other: Self) -> Tape:
        a, b = self.value, other.value
        return self._result(a @ b, (self, other), lambda g: (g @ b.T, a.T @ g))

    def _sum_rows(self) -> Tape:
        return self._unary(self.value.sum(axis=1), lambda g: g[:, None].broadcast_to(self.shape))

    def _less(self, other: Self) -> list[bool] | Booleans:
        return self.value._less(other.value)

    def _less_equal(self, other: Self) -> list[bool] | Booleans:
        return self.value._less_equal(other.value)

    def _equal(self, other: Self) -> bool:
        return self.value == other.value

    def maximum(self, other: Self | int | Fraction) -> Tape:
        """The larger of two numbers, elementwise; at an exact tie no cotangent flows."""
        left, right = self._pair(other)
        a, b = left.value, right.value
        left_wins, right_wins = a > b, b > a
        return self._result(a.maximum(b), (left, right), lambda g: (where(left_wins, g, 0), where(right_wins, g, 0)))

    def absolute(self) -> Tape:
        """The absolute value, elementwise; at 0 no cotangent flows."""
        positive, negative = self.value > 0, self.value < 0
        return self._unary(self.value.absolute(), lambda g: where(positive, g, 0) - where(negative, g, 0))

    def exp(self) -> Tape:
        """exp' = exp."""
        y = self.value.exp()
        return self._named(y, lambda g: g * y)

    def expm1(self) -> Tape:
        """expm1' = expm1 + 1."""
        y = self.value.expm1()
        return self._named(y, lambda g: g * (y + 1))

    def log(self) -> Tape:
        """log'(x) = 1 / x."""
        x = self.value
        return self._named(x.log(), lambda g: g / x)

    def log1p(self) -> Tape:
        """log1p'(x) = 1 / (1 + x)."""
        x = self.value
        return self._named(x.log1p(), lambda g: g / (x + 1))

    def sqrt(self) -> Tape:
        """sqrt'(x) = 1 / (2 sqrt(x)); DomainError at 0."""
        y = self.value.sqrt()
        return self._named(y, lambda g: g / (y + y))

    def rsqrt(self) -> Tape:
        """rsqrt' = -rsqrt^3 / 2."""
        y = self.value.rsqrt()
        return self._named(y, lambda g: -(g * y * y * y) / 2)

    def tanh(self) -> Tape:
        """tanh' = (1 - tanh)(1 + tanh), of which a library may add (1 - tanh) and (1 - tanh) tanh one by one."""
        y = self.value.tanh()

        def pullback(g: Any) -> Any:
            part = g * (1 - y)
            return (g * ((1 - y) * (1 + y))).added_as(part, part * y)

        return self._named(y, pullback)

    def erf(self) -> Tape:
        """erf'(x) = 2 / (sqrt(pi) exp(x*x))."""
        x = self.value
        return self._named(x.erf(), lambda g: 2 * g / (x.pi().sqrt() * (x * x).exp()))

    def erfc(self) -> Tape:
        """erfc'(x) = -2 / (sqrt(pi) exp(x*x))."""
        x = self.value
        return self._named(x.erfc(), lambda g: -2 * g / (x.pi().sqrt() * (x * x).exp()))

    def sin(self) -> Tape:
        """sin' = cos."""
        x = self.value
        return self._named(x.sin(), lambda g: g * x.cos())

    def cos(self) -> Tape:
        """cos' = -sin."""
        x = self.value
        return self._named(x.cos(), lambda g: -g * x.sin())

    def _elementary(self, name: str) -> Tape:
        x = self.value
        y = x._elementary(name)
        return self._named(y, lambda g: DERIVATIVES[name](x, y, g))

    def polygamma(self, order: int) -> Tape:
        """The derivative of one order is the function of the next."""
        x = self.value
        return self._named(x.polygamma(order), lambda g: x.polygamma(order + 1) * g)

    def _elementary_pair(self, name: str, other: Self) -> Tape:
        x, y = self.value, other.value
        z = x._elementary_pair(name, y)

        def pullback(g: Any) -> tuple[Any, Any]:
            by_x, by_y = PARTIAL_DERIVATIVES[name](x, y, z)
            return by_x * g, by_y * g

        return self.elementwise(z, (other,), pullback)

    def __repr__(self) -> str:
        return f"Tape({self.value!r})"


@no_type_check
def transposed_take(cotangent: Any, index: Positions, shape: tuple[int, ...]) -> Any:
    """The transpose of `take(index)`: element i of this shape is the sum of the cotangents with index i.

    Written with `take` and `sum` alone, so that it is exact, and differentiable again, over every number system: row i
    of a table lists the places of i in the index, padded with the place of a zero.
    """
    flat = index.ravel()
    size = int(np.prod(shape, dtype=np.int64))
    order = np.argsort(flat, kind="stable")
    counts = np.bincount(flat, minlength=size)
    table = np.full((size, int(counts.max(initial=0))), flat.size)
    rank = np.arange(flat.size) - np.repeat(np.cumsum(counts) - counts, counts)
    table[flat[order], rank] = order
    padded = cotangent.join([cotangent.lift(0)])
    gathered = padded.take(table)
    return (gathered[:, 0] if table.shape[1] == 1 else gathered.sum(axis=1)).reshape(shape)


@no_type_check
def vjp(function: Callable[..., Outputs], *inputs: ExactArray) -> tuple[Outputs, Callable[[Outputs], tuple[Any, ...]]]:
    """The value of a function and its reverse derivative.

    vjp(f, x) = (f(x), pull) with pull(g) = Df(x)^T g, by one evaluation and one pass back over its operations.

    The function returns one array or a tuple of arrays; `pull` takes cotangents of the same structure, shapes and
    system and returns one cotangent per input (exact zeros for an input that was not used).

    >>> from lenticulum.numbers import rational, vjp
    >>> value, pull = vjp(lambda x, y: x * y, rational(2), rational(3))
    >>> value, pull(rational(1))
    (Rational(6), (Rational(3), Rational(2)))
    """
    record = _Record()
    tapes = [Tape(x, record, record.append((), lambda g: ())) for x in inputs]
    result = function(*tapes)
    outputs: tuple[Any, ...] = result if isinstance(result, tuple) else (result,)  # pyright: ignore[reportUnknownVariableType]
    values = tuple(_value(output, record) for output in outputs)

    def pull(cotangents: Outputs) -> tuple[Any, ...]:
        given: tuple[Any, ...] = cotangents if isinstance(result, tuple) else (cotangents,)
        _check_cotangents(values, given)
        sums: list[Any] = [None] * len(record.operands)
        for output, cotangent in zip(outputs, given, strict=True):
            if isinstance(output, Tape) and output.record is record:
                # An input that is returned several times, as by a tie, gets a cotangent from each use: in any order.
                before = sums[output.position]
                sums[output.position] = cotangent if before is None else before.added_in_any_order(cotangent)
        for position in reversed(range(len(record.operands))):
            if sums[position] is not None:
                parts = record.pullbacks[position](sums[position])
                for operand, part in zip(record.operands[position], parts, strict=True):
                    _accumulate(sums, operand, part)
        return tuple(x.lift(0, x.shape) if sums[i] is None else sums[i] for i, x in enumerate(inputs))

    return (values if isinstance(result, tuple) else values[0]), pull


def _value(output: Any, record: _Record) -> Any:
    return output.value if isinstance(output, Tape) and output.record is record else output


@no_type_check
def _accumulate(sums: list[Any], position: int, cotangent: Any) -> None:
    sums[position] = cotangent if sums[position] is None else sums[position].accumulate(cotangent)


def _check_cotangents(values: tuple[Any, ...], cotangents: tuple[Any, ...]) -> None:
    if [value.shape for value in values] != [cotangent.shape for cotangent in cotangents]:
        expected, given = [v.shape for v in values], [c.shape for c in cotangents]
        raise ValueError(f"got cotangents of shapes {given}, expected the shapes of the outputs, {expected}")
