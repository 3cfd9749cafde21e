"""Draw: the one source of choices behind every generator, whatever drives it (seeded NumPy or Hypothesis)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Protocol, TypeVar, runtime_checkable

from lenticulum.numbers import Rational, rational

T = TypeVar("T")


@runtime_checkable
class Draw(Protocol):
    """What a generator may ask for; a generator is a plain function of a `Draw`."""

    def integer(self, low: int, high: int) -> int:
        """An integer n with low <= n <= high."""
        ...

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        ...

    def bits(self, count: int) -> int:
        """An integer n with 0 <= n < 2^count: a raw bit pattern."""
        ...

    def observe(self, name: str, holds: bool) -> None:
        """Note whether a degeneracy holds in this case; a run reports the names that held in every case."""
        ...


def fraction(draw: Draw, numerator: int = 9, denominator: int = 6) -> Fraction:
    """A signed fraction p/q with |p| <= numerator and 1 <= q <= denominator; zero included."""
    return Fraction(draw.integer(-numerator, numerator), draw.integer(1, denominator))


def positive_fraction(draw: Draw, numerator: int = 9, denominator: int = 6) -> Fraction:
    """A fraction p/q > 0 with 1 <= p <= numerator and 1 <= q <= denominator."""
    return Fraction(draw.integer(1, numerator), draw.integer(1, denominator))


def rational_array(draw: Draw, shape: tuple[int, ...], numerator: int = 9, denominator: int = 6) -> Rational:
    """A rational array of the given shape whose entries are drawn by `fraction`."""
    entries = [fraction(draw, numerator, denominator) for _ in range(prod(shape))]
    return rational(entries).reshape(shape)


def distribution(draw: Draw, size: int) -> tuple[Fraction, ...]:
    """A distribution on `size` points: integer weights 0..9, normalised.

    Zero entries are kept, because null observations come from them. If every weight is zero the result is uniform, so
    that a draw never has to be repeated.
    """
    weights = [draw.integer(0, 9) for _ in range(size)]
    if not any(weights):
        weights = [1] * size
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights)
