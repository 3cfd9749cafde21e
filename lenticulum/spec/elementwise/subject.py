"""The subject of the laws of elementwise functions: an evaluation of terms; and how its values are compared."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lenticulum import terms
from lenticulum.numbers import Ball, ball, decide
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.elementwise.textbook import evaluation_of
from lenticulum.spec.law import Inapplicable, require
from lenticulum.terms import Term

#: The value of a term at one exact array, or at a pair of them.
Evaluate = Callable[[Term, Any], Any]

#: Two numbers count as equal where enclosures of them are proved to differ by less, relative to 1 and to their size.
TOLERANCE = Fraction(1, 2**256)


def evaluate(term: Term, x: Any) -> Any:
    """Return the value of a term: its meaning."""
    return evaluation_of(term)(x)


def mistaken(kind: type[Term], wrong: Callable[..., Any]) -> Evaluate:
    """Return the evaluation that is wrong(x) or wrong(x, y) for terms of one kind, and right for all others."""

    def evaluation(term: Term, x: Any) -> Any:
        if type(term) is not kind:
            return evaluate(term, x)
        return wrong(*x) if isinstance(x, tuple) else wrong(x)

    return evaluation


class Functions:
    """An evaluation as named functions, so that a law reads like its formula: f.exp(a + b) = f.exp(a) * f.exp(b).

    >>> Functions(evaluate).hypot(ball(3), ball(4))
    Ball(5.00000000000000)
    """

    def __init__(self, of: Evaluate) -> None:
        self.of = of

    def __getattr__(self, name: str) -> Callable[..., Any]:
        kind: Any = getattr(terms, "".join(word.capitalize() for word in name.split("_")))

        def function(*x: Any, **fields: Any) -> Any:
            return self.of(kind(**fields), x[0] if len(x) == 1 else x)

        return function


def same(left: Callable[[], Ball], right: Callable[[], Ball], message: str, **witness: object) -> None:
    """Require two numbers to be equal, as closely as enclosures can show it."""

    def close() -> bool:
        # Squares, because an enclosure of 0 decides no absolute value.
        a, b = left(), right()
        return bool((a - b) ** 2 <= TOLERANCE**2 * (1 + a**2 + b**2))

    require(decide(close, start=384), message, **witness)


def balls(points: tuple[Fraction, ...]) -> list[Ball]:
    """Return enclosures of numbers at the working precision, each of shape ()."""
    return [ball(point) for point in points]


def real(draw: Draw) -> Fraction:
    """Any number: a small fraction, or an integer far out."""
    return draw.choice([fraction(draw), Fraction(draw.integer(-40, 40))])


def nonzero(draw: Draw) -> Fraction:
    """Any number but 0."""
    return draw.choice([-1, 1]) * positive(draw)


def positive(draw: Draw) -> Fraction:
    """A positive number, from 2^-20 to 2^20."""
    return positive_fraction(draw) * Fraction(2) ** draw.choice([0, 0, 0, -20, 20])


def unit(draw: Draw) -> Fraction:
    """A number in (-1, 1), ends excluded."""
    size = draw.integer(2, 40)
    return Fraction(draw.integer(1 - size, size - 1), size)


def share(draw: Draw) -> Fraction:
    """A number in (0, 1), ends excluded."""
    size = draw.integer(2, 40)
    return Fraction(draw.integer(1, size - 1), size)


def above_one(draw: Draw) -> Fraction:
    """A number greater than 1."""
    return 1 + positive(draw)


def no_integer(draw: Draw) -> Fraction:
    """A number that is no integer, of both signs."""
    x = Fraction(draw.integer(-60, 60), draw.integer(2, 7))
    if x.denominator == 1:
        raise Inapplicable("an integer, where the gamma function may have a pole")
    return x


def dyadic(draw: Draw) -> Fraction:
    """A number that enclosures hold exactly, so that ties are decided."""
    return Fraction(draw.integer(-60, 60), 4)
