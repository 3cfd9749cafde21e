"""The subjects of the laws of operations: an evaluation of terms, and their reverse derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lenticulum.numbers import ExactArray, vjp
from lenticulum.spec.elementwise.textbook import evaluation_of
from lenticulum.terms import Operation

#: (term, array, ...) -> the value.
Evaluate = Callable[..., Any]

#: (term, arrays, cotangent) -> the cotangents of the arrays.
Reverse = Callable[[Operation, tuple[Any, ...], Any], tuple[Any, ...]]


def evaluate(term: Operation, *arrays: Any) -> Any:
    """Return the value of an operation: its meaning."""
    return evaluation_of(term)(*arrays)


def reverse(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Return the cotangents of the arrays by the tape."""
    return vjp(evaluation_of(term), *arrays)[1](cotangent)


def mistaken(kind: type[Operation], wrong: Callable[..., Any]) -> Evaluate:
    """Return the evaluation that is wrong(term, array, ...) for terms of one kind, and right for all others."""

    def evaluation(term: Operation, *arrays: Any) -> Any:
        return wrong(term, *arrays) if type(term) is kind else evaluate(term, *arrays)

    return evaluation


def entries(x: ExactArray) -> Any:
    """Return the Fractions of a rational array as a NumPy array of objects, for a second formulation.

    >>> from lenticulum.numbers import rational
    >>> np.sum(entries(rational([[1, 2], [3, 4]])), axis=0).tolist()
    [Fraction(4, 1), Fraction(6, 1)]
    """
    flat: Any = x.reshape((-1,))
    return np.array(flat.tolist(), dtype=object).reshape(x.shape)


def equal(x: Any, expected: Any) -> bool:
    """Return whether a rational array has the shape and the entries of an array of Fractions."""
    return x.shape == np.shape(expected) and bool(np.all(entries(x) == expected))
