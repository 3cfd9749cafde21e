"""The entries that a reduction takes together, as rows along one last axis."""

from __future__ import annotations

from math import prod
from typing import TypeVar

from lenticulum.numbers import ExactArray
from lenticulum.terms.operations.axes import Axes

Array = TypeVar("Array", bound=ExactArray)


def places(ndim: int, axis: Axes) -> tuple[int, ...]:
    """Return the axes as numbers from 0.

    >>> places(3, -1), places(2, None), places(3, (0, -1))
    ((2,), (0, 1), (0, 2))
    """
    if axis is None:
        return tuple(range(ndim))
    return tuple(each % ndim for each in (axis if isinstance(axis, tuple) else (axis,)))


def count(x: ExactArray, axis: Axes) -> int:
    """Return how many entries are reduced to one."""
    return prod(x.shape[place] for place in places(x.ndim, axis))


def rows(x: Array, axis: Axes) -> Array:
    """Return x with the reduced axes as one last axis, in row-major order.

    >>> from lenticulum.numbers import rational
    >>> rows(rational([[1, 2], [3, 4]]), 0).tolist()
    [[Fraction(1, 1), Fraction(3, 1)], [Fraction(2, 1), Fraction(4, 1)]]
    """
    reduced = places(x.ndim, axis)
    kept = tuple(place for place in range(x.ndim) if place not in reduced)
    return x.transpose(kept + reduced).reshape((*(x.shape[place] for place in kept), count(x, axis)))
