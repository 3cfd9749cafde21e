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
from lenticulum.check.derivative import is_reverse_only, reverse_rule, structural
from lenticulum.check.environment import Environment
from lenticulum.check.finding import Finding, Tally
from lenticulum.check.judge import judge
from lenticulum.check.slopes import Slope
from lenticulum.check.target import one_line

Arrays = tuple[jax.Array, ...]


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
        seen: dict[str, bytes] = {}
        for compute in (self._first, self._second):
            try:
                with nullcontext() if compiled else jax.disable_jit():
                    computed = compute(tuple(arrays.values()))
            except Exception as error:
                return structural(f"the derivative raises {one_line(error)}"), tally
            for name, array in computed.items():
                kind, _, role = name.rpartition(" ")
                bits = np.asarray(array).tobytes()
                # A forward derivative with the bits of the reverse one says nothing new.
                if seen.setdefault(f"{kind.removeprefix('forward ')} {role}", bits) == bits and "forward" in kind:
                    continue
                slope = Slope(definition, role, 2 if kind.startswith("second") else 1, name)
                finding, counted = judge(slope, term, inputs, {name: np.asarray(array)}, environment)
                tally.merge(counted)
                if finding is not None:
                    return dataclasses.replace(finding, kind="derivative"), tally
        return None, tally

    def _structure(self, arrays: Mapping[str, jax.Array]) -> Finding | None:
        """Return the finding that the reverse rule cannot be traced, or returns something of the wrong structure."""
        found: list[Any] = []

        def traced(few: Mapping[str, jax.Array]) -> None:
            found.append(reverse_rule(self.function, few, jnp.ones_like(next(iter(few.values())))))

        jax.eval_shape(traced, {role: array.ravel()[:2] for role, array in arrays.items()})
        return found[0] if isinstance(found[0], Finding) else None

    @cached_property
    def _has_forward(self) -> bool:
        return not is_reverse_only(self.function, *(jnp.ones(2) for _ in self.roles))

    @cached_property
    def _first(self) -> Callable[[Arrays], dict[str, jax.Array]]:
        def both(x: Arrays) -> dict[str, jax.Array]:
            found = {f"derivative {role}": self.slope(place)(*x) for place, role in enumerate(self.roles)}
            if self._has_forward:
                places = enumerate(self.roles)
                found |= {f"forward derivative {role}": _pushed(self.function, place, x) for place, role in places}
            return found

        return jax.jit(both)

    @cached_property
    def _second(self) -> Callable[[Arrays], dict[str, jax.Array]]:
        """Forward over reverse, or reverse over reverse where there is no forward rule."""
        derive = _pushed if self._has_forward else _pulled

        def second(x: Arrays) -> dict[str, jax.Array]:
            places = enumerate(self.roles)
            return {f"second derivative {role}": derive(self.slope(place), place, x) for place, role in places}

        return jax.jit(second)

    def slope(self, place: int) -> Callable[..., jax.Array]:
        """Return the derivative in one argument by reverse mode."""
        return lambda *x: _pulled(self.function, place, x)


def _pushed(function: Callable[..., Any], place: int, x: Arrays) -> jax.Array:
    tangents = tuple(jnp.ones_like(each) if place == other else jnp.zeros_like(each) for other, each in enumerate(x))
    return jax.jvp(function, x, tangents)[1]


def _pulled(function: Callable[..., Any], place: int, x: Arrays) -> jax.Array:
    return jax.vjp(function, *x)[1](jnp.ones_like(x[place]))[place]
