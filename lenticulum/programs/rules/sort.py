"""Sorting, and the largest k, by keys whose order is decided."""

from __future__ import annotations

from typing import Any

import numpy as np

from lenticulum.numbers import ExactArray, Undecided
from lenticulum.programs.ends import ends_of
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.values import decided, plain


@rule("sort")
def sort(step: Step, *operands: Any) -> list[Any]:
    """The operands in the order of the first `num_keys` of them along an axis; equal keys keep their order."""
    axis, keys = step.parameters["dimension"], step.parameters["num_keys"]
    places = _order(step, operands[:keys], axis)
    return [
        each.take(places) if isinstance(each, ExactArray) else np.asarray(each).ravel()[places] for each in operands
    ]


@rule("top_k")
def top_k(step: Step, x: Any) -> list[Any]:
    """The k largest along the last axis, and where they were; of equal ones the first."""
    return _first(step, x, -plain(x), step.parameters.get("axis", -1) % x.ndim)


@rule("approx_top_k")
def approx_top_k(step: Step, x: Any) -> list[Any]:
    """The k largest or smallest along an axis, exactly; a device may return others that are large."""
    if not step.parameters["aggregate_to_topk"]:
        raise Undecided("approx_top_k without aggregation returns candidates that depend on the device")
    axis = step.parameters["reduction_dimension"] % x.ndim
    return _first(step, x, -plain(x) if step.parameters["is_max_k"] else plain(x), axis)


def _first(step: Step, x: Any, key: Any, axis: int) -> list[Any]:
    places = np.take(_order(step, [key], axis), np.arange(step.parameters["k"]), axis=axis)
    index = np.unravel_index(places, x.shape)[axis].astype(step.results[1].dtype)
    # JAX puts 0 before -0, which are one number here: where zeros are tied, any of them may be the first.
    zero = key.exactly_zero()
    tied = zero.ravel()[places] & (zero.sum(axis=axis, keepdims=True) > 1)
    return [x.take(places), np.ma.array(index, mask=tied) if tied.any() else index]


def _order(step: Step, keys: Any, axis: int) -> Any:
    """Return the flat positions in sorted order along an axis."""
    shape = keys[0].shape
    ranks = [_ranks(plain(key), step.name) if isinstance(key, ExactArray) else _of_integers(key, step) for key in keys]
    order = np.lexsort([np.moveaxis(rank.reshape(shape), axis, -1) for rank in reversed(ranks)])
    positions = np.moveaxis(np.arange(ranks[0].size).reshape(shape), axis, -1)
    return np.moveaxis(np.take_along_axis(positions, order, -1), -1, axis)


def _of_integers(key: Any, step: Step) -> Any:
    return np.asarray(decided(key, step.name)).astype(object) if key.dtype == np.uint64 else decided(key, step.name)


def _ranks(key: Any, name: str) -> Any:
    """Return integers in the order of the elements: equal ones for elements that are equal for certain.

    Raises: Undecided where two enclosures overlap.
    """
    pairs = _extended(key)
    order = sorted(range(len(pairs)), key=lambda place: pairs[place])
    ranks = np.zeros(len(pairs), np.int64)
    for before, after in zip(order, order[1:], strict=False):
        (low, high), (next_low, next_high) = pairs[before], pairs[after]
        equal = low == high == next_low == next_high
        if not equal and high >= next_low:
            raise Undecided(f"{name}: the order of two floats is not decided by their enclosures")
        ranks[after] = ranks[before] + (not equal)
    return ranks.reshape(key.shape)


def _extended(key: Any) -> list[Any]:
    elements = getattr(key, "elements", [None] * key.size)
    found: list[Any] = []
    for pair, element in zip(ends_of(key), elements, strict=True):
        if pair is not None:
            found.append(pair)
        elif element is not None and element.is_exact() and not element.is_nan() and not element.is_finite():
            infinity = np.inf if element > 0 else -np.inf
            found.append((infinity, infinity))
        else:
            raise Undecided("the order of a float without a value is not decided")
    return found
