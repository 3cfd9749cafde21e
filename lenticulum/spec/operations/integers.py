"""Whole numbers as an exact array: positions and counts that enter a formula."""

from typing import TypeVar

import numpy as np

from lenticulum.numbers import ExactArray
from lenticulum.numbers.array import Positions

Array = TypeVar("Array", bound=ExactArray)


def integers(like: Array, numbers: Positions) -> Array:
    """Return whole numbers as an array of the system of `like`.

    >>> from lenticulum.numbers import rational
    >>> integers(rational(0), np.array([[3, 1]])).tolist()
    [[Fraction(3, 1), Fraction(1, 1)]]
    """
    values, places = np.unique(numbers, return_inverse=True)
    if not values.size:
        return like.lift(0, numbers.shape)
    first, *others = [like.lift(int(value), (1,)) for value in values]
    return first.join(others).take(places.reshape(numbers.shape))
