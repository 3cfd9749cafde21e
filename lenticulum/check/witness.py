"""Witnesses: the smallest input found that shows a finding, as a program that can be pasted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lenticulum.check.finding import float_roles
from lenticulum.check.shrink import shrink
from lenticulum.check.target import Source
from lenticulum.check.text import jax_array

Inputs = Mapping[str, Any]


@dataclass(frozen=True)
class Witness:
    """A call that shows a finding. `code` runs by itself (a bare name if there is no import) and sets `got`."""

    inputs: Inputs
    lines: tuple[str, ...]

    @property
    def code(self) -> str:
        """The program."""
        return "\n".join(self.lines)

    @property
    def call(self) -> str:
        """Its last line without the assignment."""
        return self.lines[-1].removeprefix("got = ")


def positional_call(source: Source, arrays: Sequence[np.ndarray], bind: Mapping[str, Any]) -> Witness:
    """Return the call of a function without a definition: its arguments by position, the bound ones by name."""
    arguments = [*map(jax_array, arrays), *(f"{name}={value!r}" for name, value in bind.items())]
    lines = dict.fromkeys((*source.imports, "import jax", "import jax.numpy as jnp"))
    return Witness({}, (*lines, f"got = {source.expression}({', '.join(arguments)})"))


def sliced(inputs: Inputs, locality: str, kind: str, position: tuple[int, ...]) -> Inputs | None:
    """Return the inputs reduced to the row or entry that an output entry depends on, or None if all is needed."""
    if kind in ("update", "elementwise") and locality == "element" and position:
        return {r: a[position].reshape((1,)) if isinstance(a, np.ndarray) else a for r, a in inputs.items()}
    x = inputs.get("x")
    if kind != "layer" or locality == "batch" or not isinstance(x, np.ndarray) or x.ndim < 2 or len(position) < x.ndim:
        return None
    by_row = ("x", "tangent x", "cotangent")
    return {r: a[position[:-1]].reshape((1, -1)) if r in by_row else a for r, a in inputs.items()}


def simplest(inputs: Inputs, shows: Callable[[Inputs], bool], trials: int = 60) -> Inputs:
    """Return inputs with as many entries as possible 0, 1 or of few bits that still show the finding.

    Each entry is one choice: 0 for 0.0, 1 for 1.0, then 2, 5 and 11 significant bits, then the entry itself.
    """
    entries = [(role, place) for role in float_roles(inputs) for place in range(inputs[role].size)]
    left = trials

    def replay(choices: tuple[int, ...]) -> tuple[int, ...] | None:
        nonlocal left
        if len(choices) != len(entries) or left <= 0:
            return None
        left -= 1
        return choices if shows(_coded(inputs, entries, choices)) else None

    start = (len(LEVELS) - 1,) * len(entries)
    return _coded(inputs, entries, shrink(start, replay, trials=20 * trials))


def _coded(inputs: Inputs, entries: list[tuple[str, int]], choices: tuple[int, ...]) -> Inputs:
    changed = {role: array.copy() if isinstance(array, np.ndarray) else array for role, array in inputs.items()}
    for (role, place), level in zip(entries, choices, strict=True):
        array = changed[role]
        with np.errstate(all="ignore"):
            array.reshape(-1)[place] = LEVELS[level](array.reshape(-1)[place])
    return changed


def _bits(count: int) -> Callable[[Any], Any]:
    def rounded(value: Any) -> Any:
        if not np.isfinite(value):
            return value
        fraction, exponent = np.frexp(np.float64(value))
        return np.ldexp(np.round(fraction * 2**count) / 2**count, exponent)

    return rounded


LEVELS: tuple[Callable[[Any], Any], ...] = (
    lambda value: 0.0,
    lambda value: 1.0,
    _bits(2),
    _bits(5),
    _bits(11),
    lambda value: value,
)
