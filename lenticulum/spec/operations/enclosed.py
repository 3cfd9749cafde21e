"""How the laws of operations compare what is not rational: arguments are logarithms of rational numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from lenticulum.numbers import Ball, DomainError, ball, decide, log, rational
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.elementwise.subject import TOLERANCE
from lenticulum.spec.law import require

#: A NumPy array of Fractions, for a second formulation.
Fractions = Any


def same(left: Callable[[], Ball], right: Callable[[], Ball], message: str, **witness: object) -> None:
    """Require two arrays to have one shape and equal entries, as closely as enclosures can show it.

    A left side without a value violates the law too.
    """

    def close() -> bool:
        # Squares, because an enclosure of 0 decides no absolute value.
        a, b = left(), right()
        require(a.shape == b.shape, f"{message}: the shape", got=list(a.shape), expected=list(b.shape), **witness)
        return bool(((a - b) ** 2 <= TOLERANCE**2 * (1 + a**2 + b**2)).all())

    try:
        equal = decide(close, start=384)
    except DomainError as error:
        require(False, f"{message}: {error}", **witness)
    else:
        require(equal, message, **witness)


def exact(numbers: Fractions) -> Ball:
    """Return enclosures of an array of Fractions at the working precision."""
    return ball(rational(np.asarray(numbers).ravel().tolist()).reshape(np.shape(numbers)))


def logarithms(numbers: Fractions) -> Ball:
    """Return the logarithms of an array of positive Fractions."""
    return log(exact(numbers))


def positives(draw: Draw, shape: tuple[int, ...]) -> Fractions:
    """Positive numbers from 1/6 to 9."""
    return _array([positive_fraction(draw) for _ in range(prod(shape))], shape)


def signed(draw: Draw, shape: tuple[int, ...]) -> Fractions:
    """Numbers of both signs, zero among them."""
    return _array([fraction(draw) for _ in range(prod(shape))], shape)


def shares(draw: Draw, shape: tuple[int, ...]) -> Fractions:
    """Numbers in [0, 1], both ends among them."""
    return _array([Fraction(draw.integer(0, 6), 6) for _ in range(prod(shape))], shape)


def _array(numbers: list[Fraction], shape: tuple[int, ...]) -> Fractions:
    return np.array(numbers, dtype=object).reshape(shape)
