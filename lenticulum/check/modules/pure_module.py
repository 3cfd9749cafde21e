"""A module of any library as a pure function: y, state' = f(data; parameters, state, mode, key)."""

from __future__ import annotations

import copy
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.draw import SeededDraw
from lenticulum.check.errors import CallError
from lenticulum.check.modules.attributes import attributes
from lenticulum.check.rows import reals

Arrays = dict[str, Any]

TRAIN, EVAL = "train", "eval"

#: Arguments and fields that say a mode, with their value in training.
MODE_WORDS = {
    "train": True,
    "training": True,
    "is_training": True,
    "deterministic": False,
    "inference": False,
    "use_running_average": False,
}

#: Arguments of a call that are no data.
_PLUMBING = ("self", "state", "key", "rng", "rngs")


class PureModule(ABC):
    """A module with its parts as values.

    `module`: the object of the library; `kind`: what it is, in words. `names`: its data arguments. `modes`: "train" and
    "eval", or none. `parameters`: its arrays of floats that are trained, by path; `state`: what a call may renew.
    `random`: whether a call takes a key. `in_place`: whether the library writes the state into the object.
    `convention`: what a call takes: one "example", channels first; a "batch", channels last; or examples that are
    "mapped" under a named axis.
    """

    module: Any
    kind: str
    names: tuple[str, ...]
    modes: tuple[str, ...] = ()
    random: bool = False
    in_place: bool = False
    convention: str = "batch"
    parameters: Arrays
    state: Arrays

    @abstractmethod
    def apply(
        self, parameters: Mapping[str, Any], state: Mapping[str, Any], data: Sequence[Any], mode: str | None, key: Any
    ) -> tuple[Any, Arrays]:
        """Return the value and the new state; nothing is changed."""

    def ready(self, mode: str | None) -> Any:
        """Return the object in a mode, as a user has it before a call."""
        del mode
        return self.module

    @abstractmethod
    def call(self, ready: Any, data: Sequence[Any], mode: str | None, key: Any) -> Any:
        """Call an object that `ready` returned, as a user does."""

    def attributes(self, ready: Any) -> dict[str, str]:
        """Return a fingerprint of everything that an object holds, by path."""
        return attributes(ready)

    def rebuilt(self, ready: Any) -> Any:
        """Return the object made again from its parts, as every transformation of JAX does."""
        return jax.tree.unflatten(jax.tree.structure(ready), jax.tree.leaves(ready))

    def copied(self, ready: Any) -> Any:
        """Return a copy of an object that shares nothing that can be changed."""
        return copy.deepcopy(ready)

    def unreached_flags(self) -> list[str]:
        """Return the paths of the mode flags that the library does not set."""
        return []

    def may_change(self, path: str) -> bool:
        """Return whether a call may change what is at a path of `attributes`: state that is written in place."""
        del path
        return False

    def fitted(self, data: Sequence[Any]) -> PureModule:
        """Return the module for data of these types; one that is initialised by its data has parameters only then."""
        del data
        return self

    def accepts(self, data: Sequence[Any]) -> Exception | None:
        """Return what the module raises for data of these types, or None."""
        try:
            jax.eval_shape(lambda *d: self.apply(self.parameters, self.state, d, self.first_mode, KEY()), *data)
        except Exception as error:  # a module is anyone's code
            return error
        return None

    @property
    def first_mode(self) -> str | None:
        """The mode in which a new module is."""
        return TRAIN if self.modes else None

    def sizes(self) -> list[int]:
        """Return the sizes that the module has, by which its data may be guessed: those of its arrays first."""
        found = [size for array in self.parameters.values() for size in reversed(array.shape)]
        found += [size for array in self.state.values() for size in reversed(np.shape(array))]
        found += [each for value in self.fields().values() for each in _integers(value)]
        return [size for size in dict.fromkeys(found) if 1 < size <= LARGEST]

    def fields(self) -> Mapping[str, Any]:
        """Return the settings of the object by name."""
        return getattr(self.module, "__dict__", {})

    @cached_property
    def compiled(self) -> Callable[..., tuple[Any, Arrays]]:
        """`apply`, compiled for each mode."""
        return jax.jit(self.apply, static_argnums=3)

    def generic(self, seed: int) -> Arrays:
        """Return parameters near the own ones, none of which is zero or equal to another: p (1 + r/2), or r/2 for 0."""
        draw = SeededDraw(seed, 1)
        return {path: _shaken(array, draw) for path, array in self.parameters.items()}

    def trained(self, data: Sequence[Any], seed: int) -> Arrays:
        """Return the state after two training steps on different data."""
        state = self.state
        for number in range(2):
            _, state = self.compiled(self.parameters, state, shifted(data, number), self.first_mode, KEY(seed + number))
        return state

    def function(
        self, data: Sequence[Any], mode: str | None = None, seed: int = 0
    ) -> tuple[Callable[..., Any], list[Any]]:
        """Return the value as a function of arrays alone, and these: the data, generic parameters, floats of the state.

        In training the state is that after two steps; the key is fixed.
        """
        parameters, state = self.generic(seed), self.trained(data, seed)
        floats = {path: each for path, each in state.items() if _is_float(each)}
        flat, structure = jax.tree.flatten(tuple(data))
        ends = len(flat), len(flat) + len(parameters)

        def function(*arrays: Any) -> Any:
            given = dict(zip(parameters, arrays[ends[0] : ends[1]], strict=True))
            held = {**as_here(state), **dict(zip(floats, arrays[ends[1] :], strict=True))}
            return self.apply(given, held, jax.tree.unflatten(structure, arrays[: ends[0]]), mode, KEY(seed))[0]

        return function, [np.asarray(each) for each in (*flat, *parameters.values(), *floats.values())]


#: The largest size that a data axis is guessed to have.
LARGEST = 512


def KEY(seed: int = 0) -> Any:  # noqa: N802
    """Return a key."""
    return jax.random.key(seed)


def shifted(data: Sequence[Any], number: int) -> tuple[Any, ...]:
    """Return other data of the same types: floats are moved and enlarged, integers stay in their range."""

    def moved(array: Any) -> Any:
        return array * (1 + number / 4) + number / 8 if _is_float(array) else jnp.roll(jnp.asarray(array), number)

    return jax.tree.map(lambda array: jnp.asarray(moved(array), array.dtype), tuple(data))


def as_here(state: Mapping[str, Any]) -> Arrays:
    """Return a state in which the numbers that Python wrote have the width that they have here (see `enable_x64`)."""
    return {
        name: jnp.asarray(each.item()) if getattr(each, "weak_type", False) else each for name, each in state.items()
    }


def data_names(call: Callable[..., Any], bound: Mapping[str, Any] = {}) -> tuple[str, ...]:  # noqa: B006
    """Return the arguments of a call that are data: those that are needed, and no state, key or mode.

    Raises: CallError for a bound argument that the call does not have.
    """
    try:
        parameters = inspect.signature(call).parameters
    except (TypeError, ValueError):
        return ("x",)
    variadic = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    unknown = [] if variadic else [name for name in bound if name not in parameters]
    if unknown:
        raise CallError(f"the call has no argument {unknown[0]!r}; it has {', '.join(parameters)}")
    found = tuple(
        p.name
        for p in parameters.values()
        if p.default is p.empty
        and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
        and p.name not in (*_PLUMBING, *MODE_WORDS, *bound)
    )
    return found or ("x",)


def mode_arguments(call: Callable[..., Any], needed: bool) -> tuple[str, ...]:
    """Return the arguments of a call that say a mode; `needed`: only those without a default."""
    try:
        parameters = inspect.signature(call).parameters
    except (TypeError, ValueError):
        return ()
    return tuple(n for n, p in parameters.items() if n in MODE_WORDS and (p.default is p.empty or not needed))


def in_mode(words: Sequence[str], mode: str | None) -> dict[str, bool]:
    """Return the values of mode words."""
    return {} if mode is None else {word: MODE_WORDS[word] is (mode == TRAIN) for word in words}


def takes(call: Callable[..., Any], name: str) -> bool:
    """Return whether a call has an argument."""
    try:
        return name in inspect.signature(call).parameters
    except (TypeError, ValueError):
        return False


def _shaken(array: Any, draw: Any) -> Any:
    given = np.asarray(array)
    shake = np.asarray(reals(draw, given.shape), np.float64) / 2
    return jnp.asarray(np.where(given == 0, shake, given * (1 + shake)), given.dtype)


def _is_float(array: Any) -> bool:
    return bool(jnp.issubdtype(jnp.result_type(array), jnp.floating))


def _integers(value: Any) -> list[int]:
    parts = value if isinstance(value, tuple | list) else [value]
    return [int(each) for each in parts if isinstance(each, int) and not isinstance(each, bool)]
