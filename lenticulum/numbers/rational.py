"""Rational: exact arrays over the rationals, on python-flint's fmpq and fmpq_mat."""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any, Self, TypeAlias, final

from flint import fmpq, fmpq_mat

from lenticulum.numbers.array import ExactArray
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.errors import DomainError, InexactError
from lenticulum.numbers.flat import FlatArray, power
from lenticulum.numbers.literal import Scalar, literal

Nested: TypeAlias = Any
"""A Fraction, or a list of Nested, as deep as the array has axes."""


@no_type_check
def fraction(value: fmpq) -> Fraction:
    """The same rational as a Fraction: the one conversion point (`fmpq == Fraction` is False)."""
    return Fraction(int(value.p), int(value.q))


@no_type_check
def flint_rational(value: int | Fraction) -> fmpq:
    """The same rational as an fmpq."""
    return fmpq(value.numerator, value.denominator)


@final
@no_type_check
class Rational(FlatArray[fmpq]):
    """Exact rationals: + - * / @, powers, comparisons, and square roots of perfect squares.

    Division by zero raises DomainError; every other transcendental raises InexactError.

    >>> from lenticulum.numbers import rational
    >>> rational("0.1") + rational("0.2") == rational("0.3")
    True
    >>> (rational([[1, 2], [3, 4]]) @ rational([1, "1/2"])).tolist()
    [Fraction(2, 1), Fraction(5, 1)]
    """

    dtype = "rational"

    def __init__(self, shape: tuple[int, ...], elements: list[fmpq]) -> None:
        self.shape = shape
        self.elements = elements

    def _with(self, shape: tuple[int, ...], elements: list[fmpq]) -> Rational:
        return Rational(shape, elements)

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> Rational:
        """A constant array."""
        return Rational(shape, [flint_rational(constant)] * math.prod(shape))

    def item(self) -> Fraction:
        """The element of an array that has exactly one."""
        if self.size != 1:
            raise ValueError(f"got shape {self.shape}, expected exactly one element")
        return fraction(self.elements[0])

    def tolist(self) -> Nested:
        """Nested lists of Fractions; a Fraction for a 0-d array."""
        return self.item() if not self.shape else [row.tolist() for row in self]

    def _divide(self, other: Self) -> Rational:
        if any(not element for element in other.elements):
            raise DomainError("division by an exact zero: the quotient does not exist")
        return self._zip(lambda x, y: x / y, other)

    def _power(self, exponent: int) -> Rational:
        if exponent < 0:
            return 1 / self._power(-exponent)
        one = fmpq(1)
        return self._map(lambda x: power(x, exponent, one))

    def _matrix_product(self, other: Self) -> Rational:
        (rows, inner), columns = self.shape, other.shape[1]
        product = fmpq_mat(rows, inner, self.elements) * fmpq_mat(inner, columns, other.elements)
        return Rational((rows, columns), product.entries())

    def _less(self, other: Self) -> list[bool]:
        return list(map(operator.lt, self.elements, other.elements))

    def _less_equal(self, other: Self) -> list[bool]:
        return list(map(operator.le, self.elements, other.elements))

    def _equal(self, other: Self) -> bool:
        return all(map(operator.eq, self.elements, other.elements))

    def sqrt(self) -> Rational:
        """The square root where it is rational; otherwise InexactError."""
        return self._map(_square_root)


def _square_root(value: fmpq) -> fmpq:
    exact = fraction(value)
    if exact < 0:
        raise DomainError(f"sqrt({exact}): the argument is negative")
    root = Fraction(math.isqrt(exact.numerator), math.isqrt(exact.denominator))
    if root * root != exact:
        raise InexactError(f"sqrt({exact}) is irrational: use `ball`, which encloses it")
    return flint_rational(root)


def _finite(value: Scalar) -> fmpq:
    if isinstance(value, float):
        raise DomainError(f"got {value}, which is not rational: use `ball` for extended reals")
    return flint_rational(value)


def rational(data: object) -> Rational:
    """A Rational array of the given numbers.

    `data` is an int, Fraction, float (its exact binary value), decimal string ("0.1", "1/3"), nested lists or tuples of
    those, a NumPy array of integers or floats, or a Rational. NaN and infinities raise DomainError.
    """
    if isinstance(data, Rational):
        return data
    if isinstance(data, ExactArray):
        raise TypeError(f"got a {data.dtype} array, expected plain numbers: its elements need not be rational")
    shape, entries = literal(data)
    return Rational(shape, [_finite(entry) for entry in entries])
