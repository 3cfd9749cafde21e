"""What is made of the entries of a loss, and the domain that labels and variances have."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from lenticulum.numbers import DomainError, ExactArray

Array = TypeVar("Array", bound=ExactArray)


def reduced(loss: Array, reduction: str) -> Array:
    """Return the entries ("none"), their sum or mean, that of each row, or the sum divided by the number of rows.

    >>> from lenticulum.numbers import rational
    >>> loss = rational([[1, 2, 3], [4, 5, 6]])
    >>> [reduced(loss, how).tolist() for how in ("sum", "mean", "row", "batch_mean")]
    [Fraction(21, 1), Fraction(7, 2), [Fraction(6, 1), Fraction(15, 1)], Fraction(21, 2)]
    >>> reduced(loss, "row_mean").tolist()
    [Fraction(2, 1), Fraction(5, 1)]
    """
    if reduction == "none":
        return loss
    if reduction == "mean":
        return loss.mean()
    if reduction == "row":
        return loss.sum(axis=-1)
    if reduction == "row_mean":
        return loss.mean(axis=-1)
    return loss.sum() / loss.shape[0] if reduction == "batch_mean" else loss.sum()


def require_not_negative(x: ExactArray, name: str) -> None:
    """Raise DomainError if an entry is negative for certain."""
    if np.ma.filled(x < 0, False).any():
        raise DomainError(f"{name} has a negative entry; expected numbers >= 0")
