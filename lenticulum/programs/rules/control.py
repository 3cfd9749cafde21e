"""Programs inside programs: calls, loops and branches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from lenticulum.numbers import ExactArray, stack, where
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.values import decided, hull, is_masked, promoted


def inner(step: Step, program: Any, arguments: Any) -> list[Any]:
    """Return the results of a program that an equation holds, closed or open."""
    reader = step.interpreter
    if isinstance(program, core.ClosedJaxpr):
        return reader.closed(program, *arguments)
    return reader.read(program, [], arguments)


CALLS = "jit closed_call composite remat2 custom_jvp_call custom_vjp_call custom_vmap_call eval_jaxpr".split()

#: The names under which a call keeps its program: they differ between calls, and between versions of JAX.
PROGRAMS = "jaxpr call_jaxpr call".split()


@rule(*CALLS)
def call(step: Step, *operands: Any) -> list[Any]:
    """A call. Of a function with a rule for its derivative the function itself is read, never the rule."""
    return inner(step, next(step.parameters[name] for name in PROGRAMS if name in step.parameters), operands)


@rule("call_hi_primitive")
def high_level(step: Step, *operands: Any) -> list[Any]:
    """A primitive that JAX expands to others, as it does before it runs it."""
    primitive = step.equation.primitive
    return expanded(step, partial(primitive.to_lojax, **step.parameters), operands)


def expanded(step: Step, function: Callable[..., Any], operands: Any) -> list[Any]:
    """Return the results of a JAX function in place of an equation, read as a program."""
    shapes = [jax.ShapeDtypeStruct(each.shape, each.dtype) for each in step.operands]
    return inner(step, jax.make_jaxpr(function)(*shapes), operands)


@rule("custom_linear_solve")
def linear_solve(step: Step, *operands: Any) -> list[Any]:
    """The solution that the program computes for the operator and the right-hand side."""
    lengths, programs = step.parameters["const_lengths"], step.parameters["jaxprs"]
    counts = [lengths.matvec, lengths.vecmat, lengths.solve, lengths.transpose_solve]
    start = sum(counts[:2])
    return inner(step, programs.solve, [*operands[start : start + counts[2]], *operands[sum(counts) :]])


@rule("cond")
def branch(step: Step, which: Any, *operands: Any) -> list[Any]:
    """The branch that an integer names; where that is undecided, an enclosure of all of them."""
    branches = step.parameters["branches"]
    if not is_masked(which):
        place = min(max(int(np.ma.getdata(which)), 0), len(branches) - 1)
        return inner(step, branches[place], operands)
    found = inner(step, branches[0], operands)
    for each in branches[1:]:
        found = [_either(a, b, step.name) for a, b in zip(found, inner(step, each, operands), strict=True)]
    return found


def _either(a: Any, b: Any, name: str) -> Any:
    if isinstance(a, ExactArray):
        return hull(*promoted([a, b]))
    same = np.asarray(decided(a, name)) == np.asarray(decided(b, name))
    return a if same.all() else np.ma.array(a, mask=~same)


@rule("while")
def loop(step: Step, *operands: Any) -> list[Any]:
    """A loop; how often it runs must be decided."""
    parameters = step.parameters
    first, second = parameters["cond_nconsts"], parameters["cond_nconsts"] + parameters["body_nconsts"]
    of_condition, of_body, carried = operands[:first], operands[first:second], list(operands[second:])
    while True:
        (goes_on,) = inner(step, parameters["cond_jaxpr"], [*of_condition, *carried])
        goes_on = np.asarray(decided(goes_on, "the number of turns of a loop"))
        if not goes_on.any():
            return carried
        after = inner(step, parameters["body_jaxpr"], [*of_body, *carried])
        carried = [_kept(goes_on, *each) for each in zip(after, carried, strict=True)] if goes_on.ndim else after


def _kept(goes_on: Any, after: Any, before: Any) -> Any:
    """Of loops side by side, as `vmap` makes them, those that have ended keep their values."""
    on = np.broadcast_to(goes_on.reshape(goes_on.shape + (1,) * (len(before.shape) - goes_on.ndim)), before.shape)
    if isinstance(before, ExactArray):
        return where(on, *promoted([after, before]))
    if isinstance(before, jax.Array):
        return jnp.where(on, after, before)
    return np.ma.where(on, after, before) if is_masked(after) or is_masked(before) else np.where(on, after, before)


@rule("scan")
def scan(step: Step, *operands: Any) -> list[Any]:
    """A loop of known length that reads one slice and writes one in each turn."""
    parameters = step.parameters
    (constants, carries), length = _counts(parameters), parameters["length"]
    fixed, carried = operands[:constants], list(operands[constants : constants + carries])
    slices = operands[constants + carries :]
    written: dict[int, list[Any]] = {}
    order = range(length - 1, -1, -1) if parameters["reverse"] else range(length)
    for turn in order:
        results = inner(step, parameters["jaxpr"], [*fixed, *carried, *(each[turn] for each in slices)])
        carried, written[turn] = results[:carries], results[carries:]
    count = len(step.equation.outvars) - carries
    outputs = [_stacked(step, place, [written[turn] for turn in range(length)], carries) for place in range(count)]
    return [*carried, *outputs]


def _counts(parameters: dict[str, Any]) -> tuple[int, int]:
    """Return how many operands are constant, and how many are carried from turn to turn."""
    if "num_carry" in parameters:
        return parameters["num_consts"], parameters["num_carry"]
    # JAX 0.12 keeps trees of (constants, carried, slices) and of (carried, written) in their place.
    constants, carried, _ = parameters["ft_in"].unpack()
    return len(constants), len(carried)


def _stacked(step: Step, place: int, turns: list[list[Any]], carries: int) -> Any:
    parts = [turn[place] for turn in turns]
    aval = step.results[carries + place]
    if not parts:
        return step.interpreter.constant(np.zeros(aval.shape, aval.dtype))
    if isinstance(parts[0], ExactArray):
        return stack(promoted(parts))
    return np.ma.stack(parts) if any(map(is_masked, parts)) else _stack_discrete(parts)


def _stack_discrete(parts: list[Any]) -> Any:
    return jnp.stack(parts) if isinstance(parts[0], jax.Array) else np.stack(parts)
