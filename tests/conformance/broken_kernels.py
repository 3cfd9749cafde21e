"""Subtly broken copies of public kernels: each differs from a sound one by a mistake that people make."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from jax import Array


def softmax_temperature(x: Array) -> Array:
    """Softmax at temperature 1.00001."""
    return jax.nn.softmax(x / 1.00001)


class LayerNormEpsilon(eqx.Module):
    """LayerNorm with the epsilon 1e-6 where 1e-5 is documented."""

    weight: Array
    bias: Array

    def __init__(self, shape: int) -> None:
        self.weight, self.bias = jnp.ones(shape), jnp.zeros(shape)

    def __call__(self, x: Array) -> Array:
        deviation = x - jnp.mean(x)
        return self.weight * deviation * jax.lax.rsqrt(jnp.mean(deviation**2) + 1e-6) + self.bias


class LayerNormOnePass(eqx.Module):
    """LayerNorm with the variance E[x²] - E[x]², which cancels where |mean| >> standard deviation."""

    weight: Array
    bias: Array
    eps: float

    def __init__(self, shape: int, eps: float = 1e-5) -> None:
        self.weight, self.bias, self.eps = jnp.ones(shape), jnp.zeros(shape), eps

    def __call__(self, x: Array) -> Array:
        mean = jnp.mean(x)
        variance = jnp.maximum(jnp.mean(x**2) - mean**2, 0.0)
        return self.weight * (x - mean) * jax.lax.rsqrt(variance + self.eps) + self.bias


class LinearMissingProduct(eqx.Module):
    """Linear with the last product of the first output left out."""

    weight: Array
    bias: Array

    def __init__(self, in_features: int, out_features: int) -> None:
        self.weight, self.bias = jnp.zeros((out_features, in_features)), jnp.zeros(out_features)

    def __call__(self, x: Array) -> Array:
        return self.weight.at[0, -1].set(0.0) @ x + self.bias


def adagrad_start(learning_rate: float, initial_accumulator_value: float = 0.1, eps: float = 1e-7) -> Any:
    """Adagrad that starts a thousandth too high."""
    return optax.adagrad(learning_rate, initial_accumulator_value * 1.001, eps)


def adam_epsilon(learning_rate: float, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8) -> Any:
    """Adam with epsilon too large by one part in a thousand."""
    return optax.adam(learning_rate, b1, b2, eps * 1.001)


def sgd_rate(learning_rate: float) -> Any:
    """Gradient descent with the rate too large by one part in a thousand."""
    return optax.sgd(learning_rate * 1.001)


class TraceState(NamedTuple):
    """A buffer and the number of steps."""

    trace: Array
    count: Array


def sgd_first_buffer_damped(learning_rate: float, momentum: float) -> Any:
    """Momentum whose first buffer is (1 - decay) g."""

    def init(parameters: Array) -> TraceState:
        return TraceState(jnp.zeros_like(parameters), jnp.zeros([], jnp.int32))

    def update(gradient: Array, state: TraceState, parameters: Array | None = None) -> tuple[Array, TraceState]:
        del parameters
        damped = jnp.where(state.count == 0, (1 - momentum) * gradient, gradient)
        trace = momentum * state.trace + damped
        return -learning_rate * trace, TraceState(trace, state.count + 1)

    return optax.GradientTransformation(init, update)


def sgd_stale_look_ahead(learning_rate: float, momentum: float) -> Any:
    """Nesterov momentum that looks ahead along the buffer of the step before."""

    def init(parameters: Array) -> TraceState:
        return TraceState(jnp.zeros_like(parameters), jnp.zeros([], jnp.int32))

    def update(gradient: Array, state: TraceState, parameters: Array | None = None) -> tuple[Array, TraceState]:
        del parameters
        trace = momentum * state.trace + gradient
        return -learning_rate * (gradient + momentum * state.trace), TraceState(trace, state.count + 1)

    return optax.GradientTransformation(init, update)
