"""Batches whose normalisation needs no irrational root: var + epsilon is the square of a rational."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lenticulum.spec.draw import Draw, fraction


@dataclass(frozen=True)
class Column:
    """Entries with their mean, their population variance and the root of variance + epsilon."""

    entries: list[Fraction]
    mean: Fraction
    variance: Fraction
    root: Fraction


def epsilon(draw: Draw) -> Fraction:
    """A square, so that rational roots can be found; about 1/8, never tiny."""
    return draw.choice([Fraction(1, 9), Fraction(1, 4), Fraction(4, 25)])


def column(draw: Draw, size: int, epsilon: Fraction) -> Column:
    """Entries m + lambda d_i with variance lambda^2 v such that lambda^2 v + e^2 = s^2 for epsilon = e^2.

    The conic lambda^2 v + e^2 = s^2 holds the point (0, e); the line of slope t through it meets it again at
    lambda = 2 e t / (v - t^2).
    """
    e = square_root(epsilon)
    deviations = [draw.integer(-3, 3) for _ in range(size)]
    slope = Fraction(draw.choice([-1, 1]), draw.choice([5, 7, 11]))
    # Two formulations of one variance: here E[x^2] - E[x]^2, in the definition the mean squared deviation.
    variance = Fraction(sum(d * d for d in deviations), size) - Fraction(sum(deviations), size) ** 2
    stretch = 2 * e * slope / (variance - slope * slope)
    shift = fraction(draw)
    mean = shift + stretch * Fraction(sum(deviations), size)
    draw.observe("constant columns", variance == 0)
    root = abs(e + slope * stretch)
    return Column([shift + stretch * d for d in deviations], mean, stretch * stretch * variance, root)


def square_root(square: Fraction) -> Fraction:
    """Return the rational square root of a rational square.

    >>> square_root(Fraction(4, 25))
    Fraction(2, 5)
    """
    return Fraction(_root(square.numerator), _root(square.denominator))


def _root(square: int) -> int:
    return next(n for n in range(square + 1) if n * n == square)
