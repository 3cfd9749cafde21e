"""Modules of Equinox with one planted mistake each, which `lenticulum check` finds without a definition.

lenticulum check docs/broken_modules.py:EagerBatchNorm --make '{"input_size": 3, "axis_name": "batch"}'
"""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jax import Array


class EagerBatchNorm(eqx.nn.BatchNorm):
    """Updates its running statistics in evaluation too."""

    def __init__(self, input_size: int, axis_name: str) -> None:
        super().__init__(input_size, axis_name, mode="ema")

    def __call__(self, x: Array, state: Any, *, key: Any = None, inference: bool | None = None) -> Any:
        evaluating = self.inference if inference is None else inference
        y, after = super().__call__(x, state, key=key, inference=False)
        if not evaluating:
            return y, after
        mean, variance = after.get(self.ema_state_index)
        y = (x - mean) / jnp.sqrt(variance + self.eps) * self.weight + self.bias
        return y, after


class StubbornDropout(eqx.nn.Dropout):
    """Does not look at its flag."""

    def __call__(self, x: Array, *, key: Any = None, inference: bool | None = None, deterministic: Any = None) -> Array:
        kept = jax.random.bernoulli(key, 1 - self.p, x.shape)
        return jnp.where(kept, x / (1 - self.p), 0)


class HalfTied(eqx.Module):
    """An autoencoder of one tied weight, which loses the gradient of its second use."""

    weight: Array

    def __init__(self, size: int, hidden: int, *, key: Array) -> None:
        self.weight = jax.random.normal(key, (hidden, size))

    def __call__(self, x: Array) -> Array:
        return jax.lax.stop_gradient(self.weight).T @ jnp.tanh(self.weight @ x)


class CachingLinear(eqx.nn.Linear):
    """Keeps its last result in itself."""

    def __call__(self, x: Array, *, key: Any = None) -> Array:
        y = super().__call__(x)
        object.__setattr__(self, "last", y)
        return y


class OneKeyLinear(eqx.Module):
    """Draws weight and bias from one key."""

    weight: Array
    bias: Array

    def __init__(self, inputs: int, outputs: int, *, key: Array) -> None:
        self.weight = jax.random.uniform(key, (outputs, inputs), minval=-1, maxval=1) / inputs**0.5
        self.bias = jax.random.uniform(key, (outputs,), minval=-1, maxval=1)

    def __call__(self, x: Array) -> Array:
        return self.weight @ x + self.bias


class OneKeyHeads(eqx.Module):
    """Draws the projection of every head from one key."""

    projections: Array

    def __init__(self, size: int, heads: int, *, key: Array) -> None:
        self.projections = jnp.stack([jax.random.normal(key, (size, size)) for _ in range(heads)])

    def __call__(self, x: Array) -> Array:
        return jnp.tanh(self.projections @ x).sum(0)


class FixedKeyLinear(eqx.nn.Linear):
    """Does not use the key that it is given."""

    def __init__(self, in_features: int, out_features: int, *, key: Array) -> None:
        super().__init__(in_features, out_features, key=jax.random.key(0))


@jax.custom_vjp
def _softsign(x: Array) -> Array:
    return x / (1 + jnp.abs(x))


def _softsign_backward(x: Array, cotangent: Array) -> tuple[Array]:
    return (cotangent / (1 + jnp.abs(x)),)


_softsign.defvjp(lambda x: (_softsign(x), x), _softsign_backward)


class WrongRule(eqx.Module):
    """Has a reverse rule without the square: 1 / (1 + |x|) for 1 / (1 + |x|)^2."""

    linear: eqx.nn.Linear

    def __init__(self, inputs: int, outputs: int, *, key: Array) -> None:
        self.linear = eqx.nn.Linear(inputs, outputs, key=key)

    def __call__(self, x: Array) -> Array:
        return _softsign(self.linear(x))


class LayerScale(eqx.Module):
    """Has no parameter where its initial value is 0."""

    gain: Array | None

    def __init__(self, size: int, initial: float = 0.5) -> None:
        self.gain = None if initial == 0 else jnp.full(size, initial)

    def __call__(self, x: Array) -> Array:
        return x if self.gain is None else x * (1 + self.gain)


class TrainedEpsilon(eqx.Module):
    """Holds epsilon as an array, which an optimizer then trains."""

    weight: Array
    eps: Array

    def __init__(self, size: int, eps: float = 1e-5) -> None:
        self.weight, self.eps = jnp.ones(size), jnp.asarray(eps)

    def __call__(self, x: Array) -> Array:
        return x * jax.lax.rsqrt(jnp.mean(x**2) + self.eps) * self.weight


class HiddenDropout(eqx.Module):
    """Holds a dropout in a static field, where no mode reaches it."""

    linear: eqx.nn.Linear
    after: Callable[..., Array] = eqx.field(static=True)

    def __init__(self, inputs: int, outputs: int, *, key: Array) -> None:
        dropout = eqx.nn.Dropout(0.5)
        self.linear = eqx.nn.Linear(inputs, outputs, key=key)
        self.after = lambda x, key: dropout(x, key=key)

    def __call__(self, x: Array, *, key: Array) -> Array:
        return self.after(self.linear(x), key)


@jax.tree_util.register_pytree_node_class
class ForgetfulScale:
    """A pytree whose flatten does not keep its shift."""

    def __init__(self, scale: Any, shift: float = 0.0) -> None:
        self.scale, self.shift = scale, shift

    def __call__(self, x: Array) -> Array:
        return self.scale * x + self.shift

    def tree_flatten(self) -> Any:
        """Return the children and no static data."""
        return (self.scale,), None

    @classmethod
    def tree_unflatten(cls, aux: None, children: Any) -> Any:
        """Return a scale without a shift."""
        return cls(*children)


forgetful = ForgetfulScale(jnp.array([1.5, -0.5, 2.0]), 0.25)


class Settings:
    """Settings that are equal to all others."""

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settings)

    def __hash__(self) -> int:
        return 0


class LooseSettings(eqx.Module):
    """Holds settings in a static field which the key of a compiled program does not see."""

    linear: eqx.nn.Linear
    settings: Settings = eqx.field(static=True)

    def __init__(self, inputs: int, outputs: int, slope: float = 0.125, *, key: Array) -> None:
        self.linear, self.settings = eqx.nn.Linear(inputs, outputs, key=key), Settings(slope)

    def __call__(self, x: Array) -> Array:
        y = self.linear(x)
        return jnp.where(y > 0, y, self.settings.slope * y)
