"""Invariances: what a definition says of its own values, so that a kernel is held to it by its own values alone.

A law relates the values y(X_1), y(X_2), ... of one function at several arrays: left(y_1, y_2, ...) = right(...), such
as softmax(x + c) = softmax(x), or left <= right. No exact value is computed. The allowance is derived: where the exact
and every conforming computed value of y_k lie in the running bound B_k, left(B_1, ...) contains the exact left side and
that of every conforming kernel, so

    |left(ŷ) - right(ŷ)| <= width left(B) + width right(B),

for any function of the values, by interval arithmetic. A law that rounding cannot break allows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lenticulum.check.definition import Definition
from lenticulum.numbers import DomainError, Interval64, interval64

Floats = NDArray[np.float64]
Inputs = Mapping[str, np.ndarray]
Call = Callable[[Inputs], np.ndarray]
Bound = Callable[[Inputs], tuple[Floats, Floats]]

#: The values, one argument for each call, to the two sides of a law.
Sides = Callable[..., tuple[Interval64, Interval64]]


class Allowance(Enum):
    """How far the sides of a law may be apart."""

    #: As far as the running bounds of the values leave them, where they are bounded.
    BOUNDS = "the running bounds"
    #: Not at all, where the values are bounded: every order of the definition, however rounded, keeps the law.
    NOTHING = "nothing"
    #: Not at all, wherever a number is returned: the calls do the same work on what the definition reads.
    SAME_WORK = "nothing, bounded or not"


@dataclass(frozen=True)
class Relation:
    """A law at given inputs: left = right, or left <= right, entry by entry, of the values at the inputs of `calls`."""

    calls: tuple[Inputs, ...]
    sides: Sides
    order: str = "="
    allows: Allowance = Allowance.BOUNDS


#: (description, inputs, random generator) -> the law at these inputs, changed as it needs them; None: not applicable.
Relate = Callable[[Any, Inputs, np.random.Generator], Relation | None]


@dataclass(frozen=True)
class Invariance:
    """One law of a definition. In its statement {f} stands for the name of the definition."""

    law: str
    statement: str
    relate: Relate


@dataclass(frozen=True)
class Held:
    """What one law said on one call.

    `largest`: the largest |left - right| / allowance over the entries that were compared (0/0 is 0), at most 1 where
    the law held; infinite where only one side is a number. `place`: the entry where it is; `got` and `expected`: the
    sides there, `allowed`: their allowance. None and NaN if nothing is wrong.
    """

    law: str
    statement: str
    largest: float
    violated: bool
    place: tuple[int, ...] | None
    got: float
    expected: float
    allowed: float
    compared: int


def hold(
    invariance: Invariance,
    call: Call,
    definition: Definition,
    term: Any,
    inputs: Inputs,
    bound: Bound,
    rng: np.random.Generator,
) -> Held | None:
    """Return how far a kernel keeps one law; None where the law does not apply to these inputs.

    Arguments: `call`: inputs to the output of the kernel, both in its format; `term`: the description; `bound`: inputs
    to the ends of the running bound, arrays of the shape of the value, NaN where there is none (a kernel that conforms
    by K alone may leave it, and then break a law); `rng`: draws shifts, factors, permutations.
    """
    with np.errstate(all="ignore"):
        relation = invariance.relate(term, inputs, rng)
        if relation is None:
            return None
        left, right = relation.sides(*(points(np.asarray(call(each))) for each in relation.calls))
        try:
            allowed = _allowed(relation, bound)
        except DomainError:
            # A part of the arrays may lie outside the domain where the whole does not: nothing is allowed in it.
            return None
        compared, allowed = _compared(relation, left, right, allowed)
        if not compared.any():
            return None
        apart = np.where(compared, _apart(left, right, relation.order), 0.0)
        ratio = np.divide(apart, allowed, out=np.zeros(apart.shape), where=apart > 0)
    worst = np.unravel_index(int(np.argmax(ratio)), ratio.shape)
    violated = bool((apart > np.where(compared, allowed, np.inf)).any())
    differs = bool(ratio[worst] > 0)
    got, expected = (_middle(side, ratio.shape)[worst] for side in (left, right))
    return Held(
        invariance.law,
        invariance.statement.format(f=definition.entry.name),
        float(ratio[worst]),
        violated,
        tuple(int(each) for each in worst) if differs else None,
        float(got) if differs else np.nan,
        float(expected) if differs else np.nan,
        float(allowed[worst]) if differs else np.nan,
        int(compared.sum()),
    )


def points(array: np.ndarray) -> Interval64:
    """Return the numbers of an array as intervals; NaN and the infinities are unbounded.

    >>> points(np.array([0.5, np.inf], np.float32)).bounded().tolist()
    [True, False]
    """
    return interval64(np.asarray(array, dtype=np.float64))


def _allowed(relation: Relation, bound: Bound) -> Floats | float:
    """Return width left(B) + width right(B), rounded upwards; NaN where a side is unbounded."""
    if relation.allows is Allowance.SAME_WORK:
        return 0.0
    left, right = relation.sides(*(Interval64(*bound(each)) for each in relation.calls))
    width = _upwards(_width(left) + _width(right))
    return np.where(np.isnan(width), np.nan, 0.0) if relation.allows is Allowance.NOTHING else width


def _width(side: Interval64) -> Floats:
    return _upwards(side.hi - side.lo)


def _upwards(x: Floats | np.float64) -> Floats:
    """Return the next number above each that is not 0: a sum or a difference that is rounded to 0 is 0."""
    return np.where(x == 0, 0.0, np.nextafter(x, np.inf))


def _compared(
    relation: Relation, left: Interval64, right: Interval64, allowed: Floats | float
) -> tuple[NDArray[np.bool_], Floats]:
    """Return which entries are compared, and the allowance of each.

    Where neither side is a number, there is nothing to compare: that a number is due there is for the values to say.
    """
    shape = np.broadcast_shapes(left.shape, right.shape, np.shape(allowed))
    everywhere = np.broadcast_to(allowed, shape)
    numbers = np.broadcast_to(left.bounded(), shape) | np.broadcast_to(right.bounded(), shape)
    if relation.order == "<=":
        # A side may be known without the kernel, so that it says nothing of the other.
        numbers = np.ones(shape, np.bool_)
    return np.asarray(numbers & ~np.isnan(everywhere)), everywhere


def _apart(left: Interval64, right: Interval64, order: str) -> Floats:
    """Return the least distance by which the sides miss the law; infinite where one side is no number."""
    difference = left - right
    excess = difference.lo if order == "<=" else np.maximum(difference.lo, -difference.hi)
    return np.where(np.isnan(excess), np.inf, np.maximum(excess, 0.0))


def _middle(side: Interval64, shape: tuple[int, ...]) -> Floats:
    return np.broadcast_to(side.lo / 2 + side.hi / 2, shape)
