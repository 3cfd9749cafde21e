"""Modules of flax.nnx with one planted mistake each, which `lenticulum check` finds without a definition.

lenticulum check docs/broken_flax_modules.py:Squeezing --make '{"inputs": 3, "outputs": 2}'
"""

from typing import Any

import jax
import jax.numpy as jnp
from flax import nnx
from jax import Array


class EagerBatchNorm(nnx.BatchNorm):
    """Updates its running statistics in evaluation too."""

    def __call__(self, x: Array, use_running_average: bool | None = None, *, mask: Any = None) -> Array:
        evaluating = self.use_running_average if use_running_average is None else use_running_average
        y = super().__call__(x, use_running_average=False, mask=mask)
        return super().__call__(x, use_running_average=True, mask=mask) if evaluating else y


class StubbornDropout(nnx.Dropout):
    """Does not look at its flag."""

    def __call__(self, inputs: Array, *, deterministic: bool | None = None, rngs: Any = None) -> Array:
        return super().__call__(inputs, deterministic=False, rngs=rngs)


class Remembering(nnx.Linear):
    """Keeps its last result in itself, as no variable."""

    def __call__(self, inputs: Array, out_sharding: Any = None) -> Array:
        y = super().__call__(inputs, out_sharding)
        self.largest = float(abs(y).max()) if not isinstance(y, jax.core.Tracer) else None
        return y


class Squeezing(nnx.Module):
    """Loses the axis of a batch of one."""

    def __init__(self, inputs: int, outputs: int, rngs: nnx.Rngs) -> None:
        self.linear = nnx.Linear(inputs, outputs, rngs=rngs)

    def __call__(self, x: Array) -> Array:
        return jnp.squeeze(self.linear(x))


class OneKeyBlock(nnx.Module):
    """Draws two layers from one seed."""

    def __init__(self, features: int, rngs: nnx.Rngs) -> None:
        seed = rngs.params()
        self.first = nnx.Linear(features, features, rngs=nnx.Rngs(seed))
        self.second = nnx.Linear(features, features, rngs=nnx.Rngs(seed))

    def __call__(self, x: Array) -> Array:
        return self.second(jnp.tanh(self.first(x)))


class SelfCorrecting(nnx.Module):
    """Rescales its weight in the forward pass."""

    def __init__(self, inputs: int, outputs: int, rngs: nnx.Rngs) -> None:
        self.linear = nnx.Linear(inputs, outputs, rngs=rngs)

    def __call__(self, x: Array) -> Array:
        kernel = self.linear.kernel
        kernel[...] = kernel[...] / jnp.linalg.norm(kernel[...])
        return self.linear(x)
