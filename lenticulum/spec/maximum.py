"""The largest entry along axes, as definitions and their shifted closed forms take it."""

from __future__ import annotations

from typing import TypeVar

from lenticulum.numbers import ExactArray, maximum
from lenticulum.terms.operations.axes import Axes, places

Array = TypeVar("Array", bound=ExactArray)


def largest(x: Array, axis: Axes) -> Array:
    """Return the largest entry along axes, which are kept with size 1.

    >>> from lenticulum.numbers import rational
    >>> largest(rational([[1, 3], [2, -1]]), 0).tolist(), largest(rational([[1, 3], [2, -1]]), None).tolist()
    ([[Fraction(2, 1), Fraction(3, 1)]], [[Fraction(3, 1)]])
    """
    for place in places(x.ndim, axis):
        columns = [x[(slice(None),) * place + (slice(k, k + 1),)] for k in range(x.shape[place])]
        x = columns[0]
        for column in columns[1:]:
            x = maximum(x, column)
    return x
