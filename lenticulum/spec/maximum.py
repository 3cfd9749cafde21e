"""The largest entry of a row, as the shifted closed forms take it."""

from lenticulum.numbers import ExactArray, maximum


def row_maximum(x: ExactArray) -> ExactArray:
    """Return the largest entry along the last axis, which is kept with size 1.

    >>> from lenticulum.numbers import rational
    >>> row_maximum(rational([[1, 3], [2, -1]])).tolist()
    [[Fraction(3, 1)], [Fraction(2, 1)]]
    """
    largest = x[..., :1]
    for column in range(1, x.shape[-1]):
        largest = maximum(largest, x[..., column : column + 1])
    return largest
