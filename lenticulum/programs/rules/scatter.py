"""Scatters: updates that are written to, added to, or combined with the places that indices name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.numbers import ExactArray
from lenticulum.numbers.tape import transposed_take
from lenticulum.programs.interpreter import bind
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.rules.extremes import larger, smaller
from lenticulum.programs.rules.movement import moved
from lenticulum.programs.values import decided


@rule("scatter")
def scatter(step: Step, operand: Any, indices: Any, updates: Any) -> Any:
    """The operand with updates in the named places."""
    if not isinstance(operand, ExactArray):
        return bind(step.equation, [operand, decided(indices, step.name), updates])
    return moved(step, [operand, indices, updates])


@rule("scatter-add")
def scatter_add(step: Step, operand: Any, indices: Any, updates: Any) -> Any:
    """The operand plus, at each place, the sum of the updates that name it."""
    return operand + gathered_sums(destinations(step, indices), updates, operand)


def gathered_sums(places: Any, updates: Any, like: Any) -> Any:
    """Return, in the shape of an array, the sums of the updates whose place (-1: nowhere) is each of its elements."""
    somewhere = np.where(places < 0, like.size, places)
    return transposed_take(updates, somewhere, (like.size + 1,))[: like.size].reshape(like.shape)


def destinations(step: Step, indices: Any) -> Any:
    """Return for each update the flat position that it is written to, -1 where it is dropped.

    Adding the updates to zeros is linear in them; its transpose gives each update what stands at its place.
    """
    operand, _, updates = step.operands
    where_to = jnp.asarray(decided(indices, step.name))
    with jax.enable_x64(True):

        def added(given: Any) -> Any:
            zeros = jnp.zeros(operand.shape, jnp.float64)
            return jax.lax.scatter_add(
                zeros,
                where_to,
                given,
                dimension_numbers=step.parameters["dimension_numbers"],
                mode=step.parameters["mode"],
            )

        numbered = jnp.arange(1, 1 + np.prod(operand.shape, dtype=np.int64), dtype=jnp.float64).reshape(operand.shape)
        places = jax.linear_transpose(added, jax.ShapeDtypeStruct(updates.shape, jnp.float64))(numbered)[0]
    return np.asarray(places).astype(np.int64) - 1


def _combined(name: str, combine: Callable[[Any, Any], Any]) -> None:
    def function(step: Step, operand: Any, indices: Any, updates: Any) -> Any:
        places = destinations(step, indices).ravel()
        found, flat = operand.reshape((operand.size,)), updates.reshape((updates.size,))
        # Updates of one place come one after the other: in the n-th round the n-th of each place.
        for round_ in _rounds(places):
            at = places[round_]
            changed = combine(found.take(at), flat.take(round_))
            index = np.arange(found.size)
            index[at] = found.size + np.arange(at.size)
            found = found.join([changed]).take(index)
        return found.reshape(operand.shape)

    function.__doc__ = f"The operand combined by `{name}` with the updates that name each place."
    rule(name)(function)


def _rounds(places: Any) -> list[Any]:
    kept = np.flatnonzero(places >= 0)
    order = kept[np.argsort(places[kept], kind="stable")]
    counts = np.unique(places[order], return_counts=True)[1]
    rank = np.arange(order.size) - np.repeat(np.cumsum(counts) - counts, counts)
    return [order[rank == turn] for turn in range(int(counts.max(initial=0)))]


_combined("scatter-mul", lambda a, b: a * b)
_combined("scatter-max", larger)
_combined("scatter-min", smaller)
_combined("scatter-sub", lambda a, b: a - b)
