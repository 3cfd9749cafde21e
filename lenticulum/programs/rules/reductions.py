"""Sums and products along axes, and their running forms."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any

from lenticulum.numbers import stack
from lenticulum.numbers.unraising import TotalMagnitude
from lenticulum.programs.rule import Step, UnknownPrimitive, rule
from lenticulum.programs.rules.extremes import along, larger, smaller
from lenticulum.programs.values import plain


@rule("reduce_sum")
def total(step: Step, x: Any) -> Any:
    """The sum along some axes."""
    return x.sum(axis=tuple(step.parameters["axes"]))


@rule("psum")
def total_over_a_mapped_axis(step: Step, *operands: Any) -> Any:
    """The sum over an axis that `vmap` has made one of the array.

    Raises: UnknownPrimitive for an axis that is a name: it is one of devices.
    """
    axes, groups = step.parameters["axes"], step.parameters["axis_index_groups"]
    if groups is not None or not all(isinstance(axis, int) for axis in axes):
        raise UnknownPrimitive(f"psum over {axes} adds across devices: a program is read as one device runs it")
    sums = [each.sum(axis=tuple(axes)) if axes else each for each in operands]
    return sums if step.equation.primitive.multiple_results else sums[0]


@rule("reduce_prod")
def product(step: Step, x: Any) -> Any:
    """The product along some axes; of none, 1."""
    axes = tuple(step.parameters["axes"])
    if any(x.shape[axis] == 0 for axis in axes):
        return x.lift(1, step.shape)
    return along(x, axes, lambda a, b: a * b)


def _running(x: Any, axis: int, reverse: bool, combine: Callable[[Any, Any], Any]) -> Any:
    slices = _slices(x, axis, reverse)
    if not slices:
        return x
    found = list(accumulate(slices, combine))
    return stack(found[::-1] if reverse else found, axis=axis)


def _slices(x: Any, axis: int, reverse: bool) -> list[Any]:
    slices = [x[(slice(None),) * axis + (place,)] for place in range(x.shape[axis])]
    return slices[::-1] if reverse else slices


@rule("cumsum")
def running_sum(step: Step, x: Any) -> Any:
    """The sums of the first entries along an axis, each of them in any order: JAX adds them in a tree."""
    axis, reverse = step.parameters["axis"], step.parameters["reverse"]
    if not isinstance(plain(x), TotalMagnitude):
        return _running(x, axis, reverse, lambda a, b: a + b)
    slices = _slices(x, axis, reverse)
    if not slices:
        return x
    found = [stack(slices[: count + 1]).sum(axis=0) for count in range(len(slices))]
    return stack(found[::-1] if reverse else found, axis=axis)


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
    """The logarithms of the sums of the first exponentials along an axis."""
    axis, reverse = step.parameters["axis"], step.parameters["reverse"]
    if isinstance(x, TotalMagnitude):
        return _running(x, axis, reverse, _log_add_exp)
    return _running(x.exp(), axis, reverse, lambda a, b: a + b).log()


def _log_add_exp(a: Any, b: Any) -> Any:
    """log(exp a + exp b) as JAX evaluates it, so that no exponential overflows."""
    return a.maximum(b) + (-(a - b).absolute()).exp().log1p()
