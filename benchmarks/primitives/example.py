"""An example of a public function: its name, a function of arrays, and the shapes of these arrays."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Example:
    """A call that can be traced.

    name: what the call is named in the survey; path: the public name that it exercises; arguments: trees of shapes.
    """

    name: str
    path: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


def floats(*shape: int) -> jax.ShapeDtypeStruct:
    """Return the shape of a float32 array."""
    return jax.ShapeDtypeStruct(shape, jnp.float32)


def integers(*shape: int) -> jax.ShapeDtypeStruct:
    """Return the shape of an int32 array."""
    return jax.ShapeDtypeStruct(shape, jnp.int32)


def booleans(*shape: int) -> jax.ShapeDtypeStruct:
    """Return the shape of a boolean array."""
    return jax.ShapeDtypeStruct(shape, jnp.bool_)


def key() -> jax.ShapeDtypeStruct:
    """Return the shape of a random key."""
    return jax.ShapeDtypeStruct((), jax.random.key(0).dtype)


def shapes(tree: Any) -> Any:
    """Return the shapes of a tree of arrays."""
    return jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), tree)


def call(path: str, *arguments: Any, **options: Any) -> Example:
    """Return the example that calls a public function: arguments with an array are traced, all others are fixed.

    path: a dotted name such as jax.numpy.sum; options: further arguments by name, which are part of the example's name.
    """
    traced = [place for place, argument in enumerate(arguments) if has_array(argument)]

    def function(*given: Any) -> Any:
        places = dict(zip(traced, given, strict=True))
        return resolve(path)(*(places.get(place, fixed) for place, fixed in enumerate(arguments)), **options)

    words = ", ".join(f"{name}={value!r}" for name, value in options.items())
    return Example(f"{path}({words})" if words else path, path, function, tuple(arguments[place] for place in traced))


def composed(path: str, function: Callable[..., Any], *arguments: Any, what: str = "") -> Example:
    """Return the example of a call that needs more than arrays, such as a function; what: words that tell it apart."""
    return Example(f"{path}({what})" if what else path, path, function, arguments)


def has_array(argument: Any) -> bool:
    """Say whether an argument is a tree with an array or the shape of one."""
    leaves = jax.tree.leaves(argument)
    return any(isinstance(leaf, jax.ShapeDtypeStruct | jax.Array) for leaf in leaves)


def resolve(path: str) -> Any:
    """Return the public object of a dotted name.

    Raises: AttributeError if its module has no such name in this version.
    """
    return pkgutil.resolve_name(path)
