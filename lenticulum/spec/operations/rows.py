"""The entries that a reduction takes together, as rows along one last axis."""

from __future__ import annotations

from typing import TypeVar

from lenticulum.numbers import ExactArray
from lenticulum.terms.operations.axes import Axes, places, reduced

Array = TypeVar("Array", bound=ExactArray)


def rows(x: Array, axis: Axes) -> Array:
    """Return x with the reduced axes as one last axis, in row-major order.

    >>> from lenticulum.numbers import rational
    >>> rows(rational([[1, 2], [3, 4]]), 0).tolist()
    [[Fraction(1, 1), Fraction(3, 1)], [Fraction(2, 1), Fraction(4, 1)]]
    """
    last = places(x.ndim, axis)
    kept = tuple(place for place in range(x.ndim) if place not in last)
    return x.transpose(kept + last).reshape((*(x.shape[place] for place in kept), reduced(x.shape, axis)))
