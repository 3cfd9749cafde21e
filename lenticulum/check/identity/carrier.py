"""Carriers: how an object reaches a compiled program, and when jax takes two objects for one key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

#: A leaf that is traced has no place in the key but its aval.
_TRACED = "traced"


# A carrier has a `key` of an object, what is kept of it with its program; `hits`, whether a program stored under one
# key is served for the other; `write`, a key as text; `jit`, the compiled program (instance, *args) -> result; and
# `expression`, that program in Python. Key and hits raise what the class raises when it is asked.


@dataclass(frozen=True)
class Static:
    """A static argument of `jax.jit`: by hash, then type, then `==`."""

    name: str = "static argument"

    def key(self, instance: Any) -> Any:
        """The hash and the object."""
        return hash(instance), instance

    def hits(self, stored: Any, asked: Any) -> bool:
        """One hash, one type, and equal."""
        if stored[0] != asked[0] or type(stored[1]) is not type(asked[1]):
            return False
        return stored[1] is asked[1] or bool(stored[1] == asked[1])

    def write(self, key: Any) -> str:
        """The hash and the type."""
        return f"hash {key[0]} of a {type(key[1]).__qualname__}"

    def jit(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """`jax.jit` with the object static."""
        return jax.jit(run, static_argnums=0)

    def expression(self, run: str) -> str:
        """`jax.jit` with the object static."""
        return f"jax.jit({run}, static_argnums=0)"


def _aval(leaf: Any) -> Any:
    aval = jax.typeof(leaf)
    return str(aval), bool(getattr(aval, "weak_type", False))


@dataclass(frozen=True)
class Tree:
    """A pytree argument of `jax.jit`: the treedef by `==`, the leaves by shape and dtype."""

    name: str = "pytree argument"

    def key(self, instance: Any) -> Any:
        """The treedef and the avals of the leaves."""
        leaves, treedef = jax.tree.flatten(instance)
        return treedef, tuple(map(_aval, leaves))

    def hits(self, stored: Any, asked: Any) -> bool:
        """Equal avals and equal treedefs. A hash of auxiliary data is never asked for."""
        return stored[1] == asked[1] and bool(stored[0] == asked[0])

    def write(self, key: Any) -> str:
        """The treedef."""
        return str(key[0])

    def jit(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """`jax.jit`."""
        return jax.jit(run)

    def expression(self, run: str) -> str:
        """`jax.jit`."""
        return f"jax.jit({run})"


def is_array(leaf: Any) -> bool:
    """Whether a leaf is traced by `equinox.filter_jit`."""
    return isinstance(leaf, jax.Array | np.ndarray | np.generic)


@dataclass(frozen=True)
class Split:
    """A pytree with leaves that are no arrays: they are static, as `equinox.filter_jit` has it."""

    name: str = "pytree with static leaves"

    def key(self, instance: Any) -> Any:
        """The treedef, the avals of the arrays, and the other leaves with the hash of all."""
        leaves, treedef = jax.tree.flatten(instance)
        static = tuple(_TRACED if is_array(leaf) else leaf for leaf in leaves)
        return treedef, tuple(_aval(leaf) for leaf in leaves if is_array(leaf)), static, hash(static)

    def hits(self, stored: Any, asked: Any) -> bool:
        """All of that equal."""
        same = stored[1] == asked[1] and stored[3] == asked[3] and bool(stored[0] == asked[0])
        return same and bool(stored[2] == asked[2])

    def write(self, key: Any) -> str:
        """The treedef and the static leaves."""
        return f"{key[0]}, {key[2]}"

    def jit(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """`jax.jit` of the arrays, with the rest static."""

        def inner(static: Any, arrays: Any, *args: Any) -> Any:
            treedef, others = static
            given = iter(arrays)
            return run(jax.tree.unflatten(treedef, [next(given) if o is _TRACED else o for o in others]), *args)

        compiled = jax.jit(inner, static_argnums=0)

        def split(instance: Any, *args: Any) -> Any:
            leaves, treedef = jax.tree.flatten(instance)
            others = tuple(_TRACED if is_array(leaf) else leaf for leaf in leaves)
            return compiled((treedef, others), [leaf for leaf in leaves if is_array(leaf)], *args)

        return split

    def expression(self, run: str) -> str:
        """`equinox.filter_jit`."""
        return f"equinox.filter_jit({run})"


@dataclass(frozen=True)
class Eager(Static):
    """No `jax.jit` around the program: only what it calls is cached."""

    name: str = "call without jit"

    def jit(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """The program itself."""
        return run

    def expression(self, run: str) -> str:
        """The program itself."""
        return run


Carrier = Static | Tree | Split


def carrier_of(instance: Any) -> Carrier:
    """Return how an object is passed by default: a registered pytree as such, anything else as a static argument.

    >>> carrier_of(3).name, carrier_of([np.zeros(2)]).name, carrier_of([max]).name
    ('static argument', 'pytree argument', 'pytree with static leaves')
    """
    leaves, treedef = jax.tree.flatten(instance)
    if jax.tree_util.treedef_is_leaf(treedef) or instance is None:
        return Static()
    traced = all(is_array(leaf) or isinstance(leaf, bool | int | float | complex) for leaf in leaves)
    return Tree() if traced else Split()


CARRIERS: dict[str, Carrier] = {"static": Static(), "pytree": Tree(), "filter": Split(), "eager": Eager()}
