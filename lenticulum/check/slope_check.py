"""The derivatives of a traceable elementwise function: reverse, forward and second order, against the exact slopes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.definition import Definition
from lenticulum.check.derivative import reverse_rule, structural
from lenticulum.check.environment import Environment
from lenticulum.check.finding import Finding, Tally
from lenticulum.check.judge import judge
from lenticulum.check.slopes import Slope
from lenticulum.check.target import one_line


class Slopes:
    """The derivatives of a function of some arrays, entry by entry, compiled once for each shape."""

    def __init__(self, function: Callable[..., Any], roles: list[str]) -> None:
        self.function, self.roles = function, roles

    def check(
        self,
        definition: Definition,
        term: Any,
        inputs: Mapping[str, np.ndarray],
        environment: Environment,
        compiled: bool = True,
    ) -> tuple[Finding | None, Tally]:
        """Return a finding `derivative` if a derivative is wrong, and the counts."""
        arrays = {role: jnp.asarray(inputs[role]) for role in self.roles}
        tally = Tally()
        wrong = self._structure(arrays)
        if wrong is not None:
            return wrong, tally
        try:
            with nullcontext() if compiled else jax.disable_jit():
                computed = self._all(arrays)
        except Exception as error:
            return structural(f"the derivative raises {one_line(error)}"), tally
        for name, array in computed.items():
            kind, _, role = name.rpartition(" ")
            slope = Slope(definition, role, 2 if kind.startswith("second") else 1, name)
            finding, counted = judge(slope, term, inputs, {name: np.asarray(array)}, environment)
            tally.merge(counted)
            if finding is not None:
                return dataclasses.replace(finding, kind="derivative"), tally
        return None, tally

    def _structure(self, arrays: Mapping[str, jax.Array]) -> Finding | None:
        few = {role: array.ravel()[:2] for role, array in arrays.items()}
        ones = jnp.ones_like(next(iter(few.values())))
        pulled = reverse_rule(self.function, few, ones)
        return pulled if isinstance(pulled, Finding) else None

    def _all(self, arrays: Mapping[str, jax.Array]) -> dict[str, jax.Array]:
        """Return the slopes by name, for each argument; the forward ones only where their bits differ."""
        values = tuple(arrays.values())
        found = dict(self._reverse(*values))
        if not self._has_forward:
            return found | dict(self._twice_reverse(*values))
        forward = self._forward(*values)
        twins = {name: found.get(name.removeprefix("forward ")) for name in forward}
        return found | {n: each for n, each in forward.items() if twins[n] is None or _bits(each) != _bits(twins[n])}

    @cached_property
    def _has_forward(self) -> bool:
        """Whether there is a forward rule: a custom_vjp has none, and says so; that is no defect."""
        ones = tuple(jnp.ones(2) for _ in self.roles)
        try:
            jax.jvp(self.function, ones, ones)
        except TypeError as error:
            return "forward-mode" not in str(error)
        return True

    @cached_property
    def _reverse(self) -> Callable[..., dict[str, jax.Array]]:
        return jax.jit(lambda *x: {f"derivative {role}": self.slope(place)(*x) for place, role in self._places()})

    @cached_property
    def _forward(self) -> Callable[..., dict[str, jax.Array]]:
        def both(*x: jax.Array) -> dict[str, jax.Array]:
            first = {f"forward derivative {r}": _pushed(self.function, place, x) for place, r in self._places()}
            second = {f"second derivative {r}": _pushed(self.slope(place), place, x) for place, r in self._places()}
            return first | second

        return jax.jit(both)

    @cached_property
    def _twice_reverse(self) -> Callable[..., dict[str, jax.Array]]:
        def twice(*x: jax.Array) -> dict[str, jax.Array]:
            return {
                f"second derivative {role}": jax.vjp(self.slope(place), *x)[1](jnp.ones_like(x[place]))[place]
                for place, role in self._places()
            }

        return jax.jit(twice)

    def _places(self) -> list[tuple[int, str]]:
        return list(enumerate(self.roles))

    def slope(self, place: int) -> Callable[..., jax.Array]:
        """Return the derivative in one argument by reverse mode."""
        return lambda *x: jax.vjp(self.function, *x)[1](jnp.ones_like(x[place]))[place]


def _pushed(function: Callable[..., Any], place: int, x: tuple[jax.Array, ...]) -> jax.Array:
    tangents = tuple(jnp.ones_like(each) if place == other else jnp.zeros_like(each) for other, each in enumerate(x))
    return jax.jvp(function, x, tangents)[1]


def _bits(array: Any) -> bytes:
    return np.asarray(array).tobytes()
