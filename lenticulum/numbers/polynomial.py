"""Polynomial: arrays of polynomials over the rationals or a prime field, in normal form.

A law evaluated at the variables is proved for its instance: two polynomials over Q are equal as functions iff their
normal forms are. Over Z/p equality is that of polynomials, which is finer than equality of functions.
"""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Self, TypeAlias, final

from flint import Ordering, fmpq, fmpq_mpoly_ctx, nmod_mpoly_ctx

from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.errors import DomainError, InexactError
from lenticulum.numbers.flat import FlatArray, power
from lenticulum.numbers.rational import Rational, flint_rational

Ring: TypeAlias = Any
"""A FLINT context: fmpq_mpoly_ctx, or nmod_mpoly_ctx of a prime modulus (FLINT keeps one object per ring)."""


@final
@no_type_check
class Polynomial(FlatArray[Any]):
    """Polynomials of one ring: + - * @ and powers; division by invertible constants only; no order, no transcendentals.

    >>> from lenticulum.numbers import polynomials
    >>> x, y = polynomials(("x", "y"))
    >>> (x + y) * (x - y) == x**2 - y**2
    True
    """

    dtype = "polynomial"

    def __init__(self, shape: tuple[int, ...], elements: list[Any], ring: Ring) -> None:
        self.shape = shape
        self.elements = elements
        self.ring = ring

    def _with(self, shape: tuple[int, ...], elements: list[Any]) -> Polynomial:
        return Polynomial(shape, elements, self.ring)

    @property
    def modulus(self) -> int:
        """The prime p of Z/p, or 0 over the rationals."""
        return 0 if isinstance(self.ring, fmpq_mpoly_ctx) else int(self.ring.modulus())

    def _require_compatible(self, other: Self) -> None:
        if self.ring is not other.ring:
            raise TypeError(
                f"got polynomials in {self.ring.names()} modulo {self.modulus} and in {other.ring.names()} modulo "
                f"{other.modulus}, expected one ring: make all variables in one call of `polynomials`"
            )

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> Polynomial:
        """A constant array; modulo p, a fraction whose denominator is divisible by p raises DomainError."""
        element = self.ring.constant(_coefficient(constant, self.modulus))
        return self._with(shape, [element] * math.prod(shape))

    def _divide(self, other: Self) -> Polynomial:
        inverses = [self.ring.constant(_inverse(x, self.modulus)) for x in other.elements]
        return self._with(self.shape, list(map(operator.mul, self.elements, inverses)))

    def _power(self, exponent: int) -> Polynomial:
        if exponent < 0:
            return 1 / self._power(-exponent)
        one = self.ring.constant(1)
        return self._map(lambda x: power(x, exponent, one))

    def _less(self, other: Self) -> list[bool]:
        raise TypeError("polynomials have no order: compare their values, see `evaluate`")

    def _less_equal(self, other: Self) -> list[bool]:
        return self._less(other)

    def _equal(self, other: Self) -> bool:
        return all(map(operator.eq, self.elements, other.elements))

    def derivative(self, name: str) -> Polynomial:
        """The formal partial derivative in the named variable, elementwise."""
        return self._map(lambda x: x.derivative(name))

    def evaluate(self, values: Mapping[str, int | Fraction]) -> Rational:
        """The values at a point that names every variable; modulo p, the representatives in 0 .. p - 1."""
        names = self.ring.names()
        if set(values) != set(names):
            raise ValueError(f"got values for {sorted(values)}, expected one for each of {sorted(names)}")
        point = [_coefficient(values[name], self.modulus) for name in names]
        return Rational(self.shape, [_plain(x(*point)) for x in self.elements])


def polynomials(names: Sequence[str], modulus: int = 0) -> tuple[Polynomial, ...]:
    """The variables of a polynomial ring, 0-d arrays: over the rationals, or over Z/p for a prime modulus p."""
    if modulus and (modulus < 2 or any(modulus % d == 0 for d in range(2, math.isqrt(modulus) + 1))):
        raise ValueError(f"got the modulus {modulus}, expected 0 (the rationals) or a prime")
    ring: Ring
    if modulus:
        ring = nmod_mpoly_ctx.get(tuple(names), modulus=modulus, ordering=Ordering.degrevlex)
    else:
        ring = fmpq_mpoly_ctx.get(tuple(names), Ordering.degrevlex)
    return tuple(Polynomial((), [variable], ring) for variable in ring.gens())


@no_type_check
def _coefficient(value: int | Fraction, modulus: int) -> Any:
    if not modulus:
        return flint_rational(value)
    if value.denominator % modulus == 0:
        raise DomainError(f"{value} does not exist modulo {modulus}: its denominator is divisible by {modulus}")
    return value.numerator * pow(value.denominator, -1, modulus) % modulus


def _inverse(element: Any, modulus: int) -> Any:
    if element.is_zero():
        raise DomainError("division by the zero polynomial: the quotient does not exist")
    if not element.is_constant():
        raise InexactError(f"1 / ({element}) is not a polynomial: divide by constants, or clear the denominator")
    constant = element.leading_coefficient()
    return pow(int(constant), -1, modulus) if modulus else 1 / constant


def _plain(value: Any) -> fmpq:
    return value if isinstance(value, fmpq) else fmpq(int(value))
