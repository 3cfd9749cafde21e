"""Kernels, cases and running bounds, with which the laws of arrays are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum import fast
from lenticulum.certify.arrays.invariance import Bound, Call, Held, Inputs, Invariance, hold
from lenticulum.certify.arrays.invariances_of import invariances
from lenticulum.check.cases import cases
from lenticulum.check.definition import Definition
from lenticulum.check.draw import SeededDraw
from lenticulum.check.finding import float_roles
from lenticulum.fast.meaning import MEANINGS
from lenticulum.numbers import DomainError, Undecided, ball
from lenticulum.numbers.formats import FORMATS
from lenticulum.numbers.magnitude64 import magnitude64
from lenticulum.terms import Tree

assert fast


def bound_of(definition: Definition, term: Any, dtype: str) -> Bound:
    """Return the running bound: entry by entry that of the first form that has one."""

    def bound(inputs: Inputs) -> tuple[np.ndarray, np.ndarray]:
        floats = {r: magnitude64(inputs[r].astype(np.float64), FORMATS[dtype]) for r in float_roles(inputs)}
        ones = {role: ball(np.ones(inputs[role].shape)) for role in floats}
        lo = hi = np.full(definition.outputs(term, {**inputs, **ones})[definition.output].shape, np.nan)
        for form in definition.forms(term):
            try:
                found = form({**inputs, **floats})[definition.output].range
            except (DomainError, Undecided):
                continue
            lo, hi = np.where(np.isnan(lo), found.lo, lo), np.where(np.isnan(lo), found.hi, hi)
        return lo, hi

    return bound


def arrays_to(function: Callable[..., Any]) -> Call:
    """Return a kernel of JAX arrays by name as one of NumPy arrays, compiled."""
    compiled = jax.jit(function)

    def call(inputs: Inputs) -> np.ndarray:
        return np.asarray(compiled(**{role: jnp.asarray(array) for role, array in inputs.items()}))

    return call


def fast_kernel(definition: Definition, term: Any) -> Call:
    """Return the fast meaning of a description."""
    meaning = MEANINGS[type(term)]
    fields = {name: getattr(term, name) for name in meaning.fields}
    kind, roles = definition.entry.kind, definition.entry.arrays

    def function(**arrays: Any) -> Any:
        if kind == "layer":
            parameters = {name: arrays[name] for name in term.parameter_shapes()}
            return meaning.function(Tree(parameters), arrays["x"], **fields)
        if kind == "loss":
            return meaning.function(Tree(), (arrays["label"], arrays["prediction"]), **fields)
        return meaning.function(*(arrays.get(role) for role in roles), **fields)

    return arrays_to(function)


def drawn(
    definition: Definition, dtype: str, seed: int, absent: tuple[str, ...] = (), most: int | None = None
) -> Iterator[tuple[Any, Inputs]]:
    """Return descriptions and regular inputs: all, or the first few."""
    found = cases(definition, SeededDraw(seed, 0), {}, absent, {}, jnp.dtype(dtype))
    for case in [case for case in found if case.label == "regular"][:most]:
        yield definition.term({role: array.shape for role, array in case.arrays.items()}, {}), case.arrays


def said(
    definition: Definition, term: Any, kernel: Call, inputs: Inputs, seed: int, law: str | None = None
) -> Iterator[tuple[Invariance, Held]]:
    """Return what the laws that apply say of a kernel."""
    first = next(iter(inputs[role] for role in float_roles(inputs)))
    bound = bound_of(definition, term, first.dtype.name)
    for number, invariance in enumerate(invariances(definition, term)):
        if law in (None, invariance.law):
            rng = np.random.default_rng([seed, number])
            held = hold(invariance, kernel, definition, term, inputs, bound, rng)
            if held is not None:
                yield invariance, held


def hard_rows(rng: np.random.Generator, count: int, size: int) -> np.ndarray:
    """Ordinary rows, rows around 1000, and rows whose exponents spread over 2^±12."""
    ordinary = rng.standard_normal((count, size))
    spread = ordinary * np.exp2(rng.integers(-12, 3, (count, size)))
    families = np.stack([ordinary, 1000 + ordinary, spread])
    return families[np.arange(count) % 3, np.arange(count)]


def in_format(arrays: Mapping[str, np.ndarray], dtype: str) -> dict[str, np.ndarray]:
    """Return float64 arrays in a format, others as they are."""
    return {r: a.astype(jnp.dtype(dtype)) if a.dtype == np.float64 else a for r, a in arrays.items()}
