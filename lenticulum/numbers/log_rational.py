"""LogRational: numbers r + sum of q log b with rational r and q and integers b > 1, and +inf; equality is decidable.

Entropies, divergences and free energies of finite rational models are of this form. A common base of pairwise coprime
integers comes from gcd refinement, so nothing is factored. Over such a base the normal form is complete: if
r + sum q_i log b_i = 0 then e^(-r) = prod b_i^q_i is algebraic, so r = 0 (Lindemann), and pairwise coprime integers > 1
are multiplicatively independent, so every q_i = 0. The base is not unique (log 6 = log 2 + log 3), so a number has no
hash.
"""

# pyright: reportIncompatibleMethodOverride=false
# A binary operation takes an operand of its own class, which an override narrows (operators check it at run time).

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Self, final

from flint import arb

from lenticulum.numbers.array import ExactArray
from lenticulum.numbers.ball import Ball
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.coprime import coprime_base, exponents
from lenticulum.numbers.errors import DomainError, InexactError, Undecided
from lenticulum.numbers.flat import FlatArray
from lenticulum.numbers.literal import Scalar, literal
from lenticulum.numbers.precision import decide
from lenticulum.numbers.rational import Rational, flint_rational, fraction

SIGN_CAP = 1 << 20
"""Bits at which the sign of a non-zero number is given up; its terms would have to cancel to as many bits."""


@final
@no_type_check
class LogNumber:
    """One number: `rational` plus the sum of `logs[b]` log b over pairwise coprime b > 1, all coefficients non-zero."""

    __slots__ = ("infinite", "logs", "rational")

    def __init__(self, rational: Fraction, logs: Mapping[int, Fraction], infinite: bool = False) -> None:
        self.rational = rational
        self.logs = logs
        self.infinite = infinite

    def __add__(self, other: Any) -> LogNumber:
        if self.infinite or other.infinite:
            return INFINITY
        return _normal(self.rational + other.rational, [*self.logs.items(), *other.logs.items()])

    def __sub__(self, other: Any) -> LogNumber:
        return self + other.scaled(Fraction(-1))

    def __mul__(self, other: Any) -> LogNumber:
        if not self.is_rational() and not other.is_rational():
            raise InexactError("the product of two logarithms is not log-rational: use `ball`, which encloses it")
        return self.scaled(other.rational) if other.is_rational() else other.scaled(self.rational)

    def is_rational(self) -> bool:
        """Whether no logarithm occurs."""
        return not self.logs and not self.infinite

    def is_zero(self) -> bool:
        """Whether the number is 0, by its normal form."""
        return self.is_rational() and self.rational == 0

    def scaled(self, factor: Fraction) -> LogNumber:
        """The rational multiple."""
        if self.infinite:
            if factor <= 0:
                raise DomainError(f"{factor} times +inf is not log-rational: only +inf is, and 0 * inf does not exist")
            return INFINITY
        return LogNumber(self.rational * factor, {b: q * factor for b, q in self.logs.items()} if factor else {})

    def enclosure(self) -> arb:
        """A ball at the working precision."""
        if self.infinite:
            return arb.pos_inf()
        terms = (arb(flint_rational(q)) * arb(b).log() for b, q in self.logs.items())
        return sum(terms, arb(flint_rational(self.rational)))

    def sign(self) -> int:
        """-1, 0 or 1: zero by the normal form, the rest by balls of rising precision, which separate it from 0."""
        if self.is_zero():
            return 0

        def separated() -> int:
            value = self.enclosure()
            if not (value > 0 or value < 0):
                raise Undecided(f"the sign of {self} is not decided by its enclosure")
            return 1 if value > 0 else -1

        return decide(separated, cap=SIGN_CAP)

    def __str__(self) -> str:
        if self.infinite:
            return "inf"
        terms = [f"{q}*log({b})" for b, q in sorted(self.logs.items())]
        return " + ".join([str(self.rational)] * bool(self.rational or not terms) + terms)


INFINITY = LogNumber(Fraction(0), {}, infinite=True)


@final
@no_type_check
class LogRational(FlatArray[LogNumber]):
    """Arrays of log-rational numbers: + and -, rational multiples, exact equality and order.

    >>> from lenticulum.numbers import log, log_rational, rational
    >>> log(rational(6)) == log(rational(2)) + log(rational(3))
    True
    >>> bool(log(rational(3)) > log_rational("1.0986122886681"))
    True
    """

    dtype = "log_rational"

    def __init__(self, shape: tuple[int, ...], elements: list[LogNumber]) -> None:
        self.shape = shape
        self.elements = elements

    def _with(self, shape: tuple[int, ...], elements: list[LogNumber]) -> LogRational:
        return LogRational(shape, elements)

    def lift(self, constant: int | Fraction, shape: tuple[int, ...] = ()) -> LogRational:
        """A constant array."""
        return LogRational(shape, [LogNumber(Fraction(constant), {})] * math.prod(shape))

    def ball(self) -> Ball:
        """Enclosures at the working precision."""
        return Ball(self.shape, [x.enclosure() for x in self.elements])

    def _negate(self) -> LogRational:
        return self._map(lambda x: x.scaled(Fraction(-1)))

    def _divide(self, other: Self) -> LogRational:
        if any(not x.is_rational() for x in other.elements):
            raise InexactError("division by a logarithm is not log-rational: use `ball`, which encloses it")
        if any(x.is_zero() for x in other.elements):
            raise DomainError("division by an exact zero: the quotient does not exist")
        return self._zip(lambda x, y: x.scaled(1 / y.rational), other)

    def _power(self, exponent: int) -> LogRational:
        if any(not x.is_rational() for x in self.elements) and exponent not in (0, 1):
            raise InexactError("a power of a logarithm is not log-rational: use `ball`, which encloses it")
        if exponent < 0 and any(x.is_zero() for x in self.elements):
            raise DomainError("a negative power of an exact zero does not exist")
        return self if exponent == 1 else self._map(lambda x: LogNumber(x.rational**exponent, {}))

    def _less(self, other: Self) -> list[bool]:
        return [_compare(x, y) < 0 for x, y in zip(self.elements, other.elements, strict=True)]

    def _less_equal(self, other: Self) -> list[bool]:
        return [_compare(x, y) <= 0 for x, y in zip(self.elements, other.elements, strict=True)]

    def _equal(self, other: Self) -> bool:
        return all(_same(x, y) for x, y in zip(self.elements, other.elements, strict=True))

    def log(self) -> LogRational:
        """The natural logarithm of elements that are positive rationals."""
        return self._map(_logarithm)


@no_type_check
def _normal(rational: Fraction, terms: list[tuple[int, Fraction]]) -> LogNumber:
    """The sum over a coprime base, without zero coefficients."""
    base = coprime_base([b for b, _ in terms])
    logs = dict.fromkeys(base, Fraction(0))
    for b, q in terms:
        for prime, multiplicity in exponents(b, base).items():
            logs[prime] += q * multiplicity
    return LogNumber(rational, {b: q for b, q in logs.items() if q})


@no_type_check
def _same(x: LogNumber, y: LogNumber) -> bool:
    if x.infinite or y.infinite:
        return x.infinite and y.infinite
    return (x - y).is_zero()


@no_type_check
def _compare(x: LogNumber, y: LogNumber) -> int:
    if x.infinite or y.infinite:
        return x.infinite - y.infinite
    return (x - y).sign()


def _logarithm(x: LogNumber) -> LogNumber:
    if x.infinite:
        return INFINITY
    if not x.is_rational():
        raise InexactError(f"log({x}) is not log-rational: use `ball`, which encloses it")
    if x.rational <= 0:
        raise DomainError(f"log({x}): the argument lies outside the domain (log 0 = -inf is not log-rational)")
    numerator, denominator = x.rational.numerator, x.rational.denominator
    return _normal(Fraction(0), [(b, q) for b, q in ((numerator, Fraction(1)), (denominator, Fraction(-1))) if b > 1])


def _number(value: Scalar) -> LogNumber:
    if isinstance(value, float):
        if value < 0:
            raise DomainError("got -inf, which is not log-rational: only +inf is")
        return INFINITY
    return LogNumber(Fraction(value), {})


def log_rational(data: object, logs: Mapping[int | Fraction, int | Fraction] | None = None) -> LogRational:
    """Log-rational numbers: `log_rational(r, {b: q})` is r + sum of q log b; `data` is as for `rational`.

    `data` may also be a Rational array, or contain infinite floats (+inf). The b are positive rationals.
    """
    if isinstance(data, LogRational):
        result = data
    elif isinstance(data, Rational):
        result = LogRational(data.shape, [LogNumber(fraction(x), {}) for x in data.elements])
    elif isinstance(data, ExactArray):
        raise TypeError(f"got a {data.dtype} array, expected plain numbers, a Rational, or a LogRational")
    else:
        shape, entries = literal(data)
        result = LogRational(shape, [_number(entry) for entry in entries])
    for b, q in (logs or {}).items():
        result = result + result.lift(b).log() * q
    return result
