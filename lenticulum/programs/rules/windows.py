"""Reductions over windows, as pooling uses them, and their transposes."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from lenticulum.programs.rule import Step, rule
from lenticulum.programs.rules.extremes import larger, smaller
from lenticulum.programs.rules.linear import window_places
from lenticulum.programs.rules.scatter import gathered_sums
from lenticulum.programs.values import decided, plain, promoted


def places_of_windows(step: Step, shape: tuple[int, ...]) -> Any:
    """Return for each output its places in the array, -1 in the padding: [outputs..., window]."""
    parameters = step.parameters
    ones = (1,) * len(shape)
    window = parameters["window_dimensions"]
    found = window_places(
        shape,
        window,
        parameters["window_strides"],
        parameters["padding"],
        parameters.get("base_dilation", ones),
        parameters.get("window_dilation", ones),
    )
    return found.reshape((*found.shape[: len(shape)], int(np.prod(window))))


def _windows(step: Step, x: Any, filling: float) -> Any:
    places = places_of_windows(step, x.shape)
    nothing = step.interpreter.system.data(np.full((1,), filling), step.dtype)
    flat, nothing = promoted([x.reshape((x.size,)), nothing])
    return flat.join([nothing]).take(np.where(places < 0, x.size, places))


@rule("reduce_window_sum")
def window_sum(step: Step, x: Any) -> Any:
    """The sum over each window."""
    return _windows(step, x, 0.0).sum(axis=-1)


def _extreme(name: str, combine: Callable[[Any, Any], Any], filling: float) -> None:
    def function(step: Step, x: Any) -> Any:
        windows = _windows(step, x, filling)
        return reduce(combine, [windows[..., place] for place in range(windows.shape[-1])])

    function.__doc__ = f"The extreme of each window, padding ignored: `{name}`."
    rule(name)(function)


_extreme("reduce_window_max", larger, -np.inf)
_extreme("reduce_window_min", smaller, np.inf)


@rule("select_and_scatter_add")
def select_and_scatter_add(step: Step, source: Any, operand: Any) -> Any:
    """Each source added to the place of the first extreme element of its window."""
    chosen = _chosen(step, operand)
    return gathered_sums(chosen, source, operand)


@rule("select_and_gather_add")
def select_and_gather_add(step: Step, tangents: Any, operand: Any) -> Any:
    """The tangent at the first extreme element of each window."""
    chosen = _chosen(step, operand)
    return tangents.reshape((tangents.size,)).take(chosen)


def _chosen(step: Step, operand: Any) -> Any:
    """Return the place of the extreme element of each window, of equal ones the first."""
    largest = step.parameters["select_prim"].name == "ge"
    base = plain(operand) if largest else -plain(operand)
    places = places_of_windows(step, operand.shape)
    flat = base.reshape((base.size,))
    best = places[..., 0]
    for place in range(1, places.shape[-1]):
        other = places[..., place]
        above = decided(flat.take(np.maximum(other, 0)) > flat.take(np.maximum(best, 0)), step.name)
        best = np.where((other >= 0) & ((best < 0) | above), other, best)
    return best
