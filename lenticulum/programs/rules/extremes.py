"""The larger and the smaller of two numbers, and of many along an axis.

At a tie the derivative may be that of either operand, or anything between: an enclosure of both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lenticulum.numbers import Dual, Tape, concatenate
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.values import decided, plain


def larger(x: Any, y: Any) -> Any:
    """Return the larger of two arrays of one system, with the derivatives of whichever may be it."""
    shape = np.broadcast_shapes(x.shape, y.shape)
    x, y = x.broadcast_to(shape), y.broadcast_to(shape)
    if isinstance(x, Dual):
        condition = first_or_either(plain(x) >= plain(y), plain(x) <= plain(y))
        return Dual(larger(x.primal, y.primal), x.tangent.select(condition, y.tangent), x.level)
    if isinstance(x, Tape):
        condition = first_or_either(plain(x) >= plain(y), plain(x) <= plain(y))
        return x.chosen(larger(x.value, y.value), condition, y)
    return x.maximum(y)


def smaller(x: Any, y: Any) -> Any:
    """Return the smaller of two arrays of one system."""
    return -larger(-x, -y)


def first_or_either(first: Any, second: Any) -> Any:
    """Return where the first condition holds, undecided where both may."""
    both = np.ma.getdata(first) & np.ma.getdata(second)
    mask = np.ma.getmaskarray(first) | np.ma.getmaskarray(second) | both
    return np.ma.array(np.ma.getdata(first), mask=mask) if mask.any() else np.ma.getdata(first)


@rule("max")
def maximum(step: Step, x: Any, y: Any) -> Any:
    """The larger of two numbers."""
    return larger(x.broadcast_to(step.shape), y.broadcast_to(step.shape))


@rule("min")
def minimum(step: Step, x: Any, y: Any) -> Any:
    """The smaller of two numbers."""
    return smaller(x.broadcast_to(step.shape), y.broadcast_to(step.shape))


def along(x: Any, axes: tuple[int, ...], combine: Callable[[Any, Any], Any]) -> Any:
    """Return an array combined along some axes: halves with halves, whatever the order of a program is."""
    for axis in sorted(axes, reverse=True):
        before = (slice(None),) * axis
        while x.shape[axis] > 1:
            half = x.shape[axis] // 2
            last = x[(*before, slice(2 * half, None))]
            x = combine(x[(*before, slice(0, half))], x[(*before, slice(half, 2 * half))])
            if last.shape[axis]:
                x = concatenate(
                    [x[(*before, slice(0, half - 1))], combine(x[(*before, slice(half - 1, half))], last)], axis
                )
        x = x[(*before, 0)]
    return x


@rule("reduce_max")
def largest(step: Step, x: Any) -> Any:
    """The largest along some axes; of none, minus infinity."""
    return _extreme(step, x, larger, -np.inf)


@rule("reduce_min")
def smallest(step: Step, x: Any) -> Any:
    """The smallest along some axes; of none, infinity."""
    return _extreme(step, x, smaller, np.inf)


def _extreme(step: Step, x: Any, combine: Callable[[Any, Any], Any], nothing: float) -> Any:
    axes = tuple(map(int, step.parameters["axes"]))
    if any(x.shape[axis] == 0 for axis in axes):
        return step.interpreter.system.data(np.full(step.shape, nothing), step.dtype)
    return along(x, axes, combine)


@rule("argmax")
def index_of_largest(step: Step, x: Any) -> Any:
    """The first place of the largest along an axis.

    Raises: Undecided where two that are not equal for certain may be the largest.
    """
    return _place(step, plain(x))


@rule("argmin")
def index_of_smallest(step: Step, x: Any) -> Any:
    """The first place of the smallest along an axis."""
    return _place(step, -plain(x))


def _place(step: Step, x: Any) -> Any:
    (axis,) = step.parameters["axes"]
    slices = [x[(slice(None),) * axis + (place,)] for place in range(x.shape[axis])]
    best, index = slices[0], np.zeros(slices[0].shape, step.parameters["index_dtype"])
    for place, each in enumerate(slices[1:], 1):
        above = decided(each > best, step.name)
        best, index = each.select(above, best), np.where(above, place, index)
    return index.astype(step.parameters["index_dtype"])
