"""Layouts: how the arrays of a definition lie in a library that has channels last and kernels that map inputs first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import jax.numpy as jnp

from lenticulum.check.errors import CallError

Move = Callable[[Any], Any]


@dataclass(frozen=True)
class Layout:
    """How to bring arrays of some roles into a library, how to bring the value back, and both in words."""

    into: Mapping[str, Move] = field(default_factory=dict)
    back: Move | None = None
    words: str = ""

    def put(self, role: str, array: Any) -> Any:
        """Return the array of a role as the library has it."""
        return self.into[role](array) if role in self.into else array

    def returned(self, y: Any) -> Any:
        """Return the value of the library as the definition has it."""
        return y if self.back is None else self.back(y)


def _transposed(kernel: Any) -> Any:
    return jnp.swapaxes(kernel, 0, 1)


def _channels_last(x: Any) -> Any:
    return jnp.moveaxis(x, 1, -1)


def _channels_second(y: Any) -> Any:
    return jnp.moveaxis(y, -1, 1)


def _kernel_last(weight: Any) -> Any:
    """[outputs, inputs, *window] to [*window, inputs, outputs]."""
    return jnp.moveaxis(weight, (1, 0), (-2, -1))


_NORM = Layout(
    {"x": _channels_last}, _channels_second, "the channels are its last axis, and axis 1 in the definition: x is moved"
)

_POOL = Layout(
    {"x": lambda x: x[..., None]},
    lambda y: y[..., 0],
    "the first axis of x is its batch, and one channel is added last",
)

#: By the name of the definition. The words say what is moved, for nothing is guessed from shapes.
_CHANNELS_LAST = {
    "dense": Layout(
        {"weight": _transposed},
        words="its kernel is [inputs, outputs]: the weight [outputs, inputs] of the definition is transposed",
    ),
    "convolution": Layout(
        {"x": _channels_last, "weight": _kernel_last},
        _channels_second,
        "its channels are last and its kernel is [*window, inputs, outputs]: x and the weight of the definition, "
        "[outputs, inputs, *window], are moved",
    ),
    "group_norm": _NORM,
    "instance_norm": _NORM,
    "max_pool": _POOL,
    "average_pool": _POOL,
}


def channels_last(name: str, module: str) -> Layout:
    """Return how Flax and Keras lay out the arrays of a definition.

    Raises: CallError if that is not known here.
    """
    if name == "transposed_convolution":
        raise CallError(f"{module}: its layout of a {name} is not known here; check a function of x, weight and bias")
    return _CHANNELS_LAST.get(name, Layout())
