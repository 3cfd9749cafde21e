"""Sums and products along axes, and their running forms."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any

from lenticulum.numbers import stack
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.rules.extremes import along, larger, smaller


@rule("reduce_sum")
def total(step: Step, x: Any) -> Any:
    """The sum along some axes."""
    return x.sum(axis=tuple(step.parameters["axes"]))


@rule("reduce_prod")
def product(step: Step, x: Any) -> Any:
    """The product along some axes; of none, 1."""
    axes = tuple(step.parameters["axes"])
    if any(x.shape[axis] == 0 for axis in axes):
        return x.lift(1, step.shape)
    return along(x, axes, lambda a, b: a * b)


def _running(x: Any, axis: int, reverse: bool, combine: Callable[[Any, Any], Any]) -> Any:
    slices = [x[(slice(None),) * axis + (place,)] for place in range(x.shape[axis])]
    if not slices:
        return x
    if reverse:
        return stack(list(accumulate(reversed(slices), combine))[::-1], axis=axis)
    return stack(list(accumulate(slices, combine)), axis=axis)


@rule("cumsum")
def running_sum(step: Step, x: Any) -> Any:
    """The sums of the first entries along an axis."""
    return _running(x, step.parameters["axis"], step.parameters["reverse"], lambda a, b: a + b)


@rule("cumprod")
def running_product(step: Step, x: Any) -> Any:
    """The products of the first entries along an axis."""
    return _running(x, step.parameters["axis"], step.parameters["reverse"], lambda a, b: a * b)


@rule("cummax")
def running_maximum(step: Step, x: Any) -> Any:
    """The largest of the first entries along an axis."""
    return _running(x, step.parameters["axis"], step.parameters["reverse"], larger)


@rule("cummin")
def running_minimum(step: Step, x: Any) -> Any:
    """The smallest of the first entries along an axis."""
    return _running(x, step.parameters["axis"], step.parameters["reverse"], smaller)


@rule("cumlogsumexp")
def running_logsumexp(step: Step, x: Any) -> Any:
    """The logarithms of the sums of the first exponentials along an axis, without a shift."""
    return _running(x.exp(), step.parameters["axis"], step.parameters["reverse"], lambda a, b: a + b).log()
