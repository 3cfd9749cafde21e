"""Finite rational distributions: plain tuples of Fractions that are >= 0 and sum to 1."""

from __future__ import annotations

from fractions import Fraction

Distribution = tuple[Fraction, ...]


def dirac(size: int, point: int) -> Distribution:
    """The point mass at `point`."""
    return tuple(Fraction(index == point) for index in range(size))


def uniform(size: int) -> Distribution:
    """The uniform distribution on `size` points."""
    return (Fraction(1, size),) * size


def product(first: Distribution, second: Distribution) -> Distribution:
    """The product distribution on X x X', flattened in row-major order."""
    return tuple(p * q for p in first for q in second)


def marginals(joint: Distribution, first_size: int, second_size: int) -> tuple[Distribution, Distribution]:
    """The two marginals of a joint distribution on X x X' in row-major order."""
    rows = [joint[x * second_size : (x + 1) * second_size] for x in range(first_size)]
    return tuple(sum(row, Fraction(0)) for row in rows), tuple(
        sum(column, Fraction(0)) for column in zip(*rows, strict=True)
    )
