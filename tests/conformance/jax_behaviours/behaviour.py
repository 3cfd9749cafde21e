"""A behaviour of jax: one situation, run with empty caches, and what came of it as text that a record can hold."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

RECORD = Path(__file__).parents[1] / "data" / "jax_behaviours.json"

Outcome = dict[str, str]


@dataclass(frozen=True)
class Row:
    """One row of the corpus. `run` returns an outcome for each situation of it; `needs`: packages that it uses."""

    name: str
    situation: str
    run: Callable[[], Outcome]
    needs: tuple[str, ...]

    @property
    def missing(self) -> list[str]:
        """The packages that are not installed."""
        return [each for each in self.needs if find_spec(each) is None]

    def outcome(self) -> Outcome:
        """Run it, with empty caches before and after."""
        jax.clear_caches()
        try:
            return self.run()
        finally:
            jax.clear_caches()


ROWS: dict[str, Row] = {}
OURS: dict[str, Callable[[], None]] = {}


def row(name: str, situation: str, *needs: str) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register a situation; a single outcome needs no name."""

    def register(run: Callable[[], Any]) -> Callable[[], Any]:
        def named() -> Outcome:
            found = run()
            return found if isinstance(found, dict) else {"": found}

        ROWS[name] = Row(name, situation, named, needs)
        return run

    return register


def ours(*names: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Register what the same situation is with value types: refused, or right."""

    def register(test: Callable[[], None]) -> Callable[[], None]:
        OURS.update(dict.fromkeys(names, test))
        return test

    return register


def records() -> dict[str, dict[str, Outcome]]:
    """Return the outcomes of each row, by version of jax."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


# What came of it -----------------------------------------------------------------------------------------------------


def shown(value: Any) -> str:
    """Return dtype and entries of an array, or what else it is."""
    if not isinstance(value, jax.Array | np.ndarray | np.generic):
        return repr(value)
    array = np.asarray(value)
    entries = array.tolist() if array.dtype.kind in "biufc" else array.astype(np.float32).tolist()
    return f"{array.dtype.name} {entries}"


def bits(value: Any) -> Any:
    """Return structure, dtypes, shapes and bytes."""
    leaves, structure = jax.tree.flatten(value)
    arrays = map(np.asarray, leaves)
    return structure, [(array.dtype.name, array.shape, array.tobytes()) for array in arrays]


def against(served: Any, truth: Any) -> str:
    """Return served and truth, and whether their bits agree."""
    return f"{shown(served)} / {shown(truth)}, {'fresh' if bits(served) == bits(truth) else 'stale'}"


def raised(function: Callable[..., Any], *args: Any) -> str:
    """Return the name of the error, or what is returned without one."""
    try:
        return shown(function(*args))
    except Exception as error:
        return type(error).__name__


def cold(function: Callable[..., Any], *args: Any) -> Any:
    """Return what the function means now: compiled as a new function, with empty caches."""
    jax.clear_caches()
    return jax.jit(lambda *given: function(*given))(*args)


class Counting:
    """`jax.jit` that counts its traces."""

    def __init__(self) -> None:
        self.traces = 0

    def __call__(self, function: Callable[..., Any], **options: Any) -> Any:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.traces += 1
            return function(*args, **kwargs)

        return jax.jit(counted, **options)


# Programs and carriers that many rows share --------------------------------------------------------------------------


def ten() -> jax.Array:
    """The usual argument."""
    return jnp.float32(10.0)


def times_factor(item: Any, x: Any) -> Any:
    """The usual program."""
    return item.factor * x


def static_pair(first: Any, second: Any, run: Callable[..., Any] = times_factor, x: Any = None) -> str:
    """Compile a program with the first object as static argument, call it with the second, and compare."""
    x = ten() if x is None else x
    compiled = jax.jit(lambda item, given: run(item, given), static_argnums=0)
    compiled(first, x)
    return against(compiled(second, x), cold(functools.partial(run, second), x))


class Node:
    """A pytree node of one array; everything else is auxiliary data."""

    def __init__(self, array: Any, aux: Any) -> None:
        self.array, self.aux = array, aux


jax.tree_util.register_pytree_node(
    Node, lambda node: ((node.array,), node.aux), lambda aux, children: Node(children[0], aux)
)


def aux_pair(first: Any, second: Any, run: Callable[[Any, Any], Any], x: Any = None) -> str:
    """The same with auxiliary data of a pytree."""
    x = ten() if x is None else x
    compiled = jax.jit(lambda node: run(node.aux, node.array))
    compiled(Node(x, first))
    return against(compiled(Node(x, second)), cold(lambda given: run(second, given), x))


@functools.partial(jax.tree_util.register_dataclass, data_fields=["array"], meta_fields=["value"])
@dataclass
class Meta:
    """A registered dataclass with a metadata field."""

    array: Any
    value: Any


def meta_pair(first: Any, second: Any, run: Callable[[Any, Any], Any], x: Any = None) -> str:
    """The same with a metadata field."""
    x = ten() if x is None else x
    compiled = jax.jit(lambda node: run(node.value, node.array))
    compiled(Meta(x, first))
    return against(compiled(Meta(x, second)), cold(lambda given: run(second, given), x))
