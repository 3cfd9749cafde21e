"""Reductions by a computation that the program gives, along axes and over windows.

JAX leaves the order open; here the elements are combined from the first to the last, after the initial value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend import core

from lenticulum.numbers import ExactArray
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.rules.control import inner
from lenticulum.programs.rules.windows import places_of_windows
from lenticulum.programs.values import decided, promoted


@rule("reduce")
def reduce(step: Step, *operands: Any) -> list[Any]:
    """Arrays reduced together along some axes."""
    half = len(operands) // 2
    axes = step.parameters["dimensions"]
    kept = [axis for axis in range(len(step.operands[0].shape)) if axis not in axes]
    positions = np.arange(operands[0].size).reshape(operands[0].shape).transpose([*kept, *axes])
    count = math.prod(step.operands[0].shape[axis] for axis in axes)
    return _folded(step, operands[:half], operands[half:], positions.reshape((*step.shape, count)), ())


@rule("reduce_window")
def reduce_window(step: Step, *operands: Any) -> list[Any]:
    """Arrays reduced together over windows, whose padding holds the initial value."""
    half = len(operands) // 2
    places = places_of_windows(step, tuple(step.operands[0].shape))
    return _folded(step, operands[:half], operands[half:], places, step.parameters["consts"])


def _folded(step: Step, arrays: Sequence[Any], start: Sequence[Any], places: Any, constants: Any) -> list[Any]:
    """Return the fold of the elements at some places [..., n] of the flat arrays; at -1 stands the initial value."""
    start = [each if isinstance(each, ExactArray) else decided(each, step.name) for each in start]
    flat = [_joined(array, first) for array, first in zip(arrays, start, strict=True)]
    size = math.prod(step.operands[0].shape)
    places = np.where(places < 0, size, places).reshape((math.prod(step.shape), places.shape[-1]))
    found = [_taken(each, np.full(len(places), size)) for each in flat]
    program = _on_rows(step.parameters["jaxpr"], constants, found, [*step.operands[: len(arrays)]])
    for each in _columns(flat, places):
        found = inner(step, program, promoted([*found, *each]))
    return [each.reshape(tuple(result.shape)) for each, result in zip(found, step.results, strict=True)]


def _joined(array: Any, first: Any) -> Any:
    """The flat array with the initial value as its last element."""
    if isinstance(array, ExactArray):
        array, first = promoted([array, first])
        return array.join([first])
    return np.append(decided(array, "a reduction"), first)


def _taken(flat: Any, places: Any) -> Any:
    return flat.take(places) if isinstance(flat, ExactArray) else flat[places]


def _columns(flat: Sequence[Any], places: Any) -> Iterator[list[Any]]:
    return ([_taken(each, column) for each in flat] for column in places.T)


def _on_rows(jaxpr: Any, constants: Any, found: Sequence[Any], types: Sequence[Any]) -> core.ClosedJaxpr:
    """The computation on scalars as one on vectors."""
    closed = jaxpr if isinstance(jaxpr, core.ClosedJaxpr) else core.ClosedJaxpr(jaxpr, constants)
    shapes = [jax.ShapeDtypeStruct((found[0].size,), each.dtype) for each in (*types, *types)]
    return jax.make_jaxpr(jax.vmap(core.jaxpr_as_fun(closed)))(*shapes)
