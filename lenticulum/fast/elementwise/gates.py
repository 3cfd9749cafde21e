"""Smooth functions whose derivative is given in closed form, because differentiating the code would cancel.

Each derivative is again differentiable, so that higher orders are right too.
"""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

Entries = Float[Array, "..."]


@jax.custom_jvp
def expm1(x: Entries) -> Entries:
    """Return exp x - 1, with the derivative exp x; `jnp.expm1` has (expm1 x) + 1, which is 0 or 2^-24 from -17 on."""
    return jnp.expm1(x)


expm1.defjvps(lambda tangent, y, x: tangent * jnp.exp(x))


@jax.custom_jvp
def sigmoid(x: Entries) -> Entries:
    """Return 1 / (1 + exp(-x)), with the derivative sigmoid(x) sigmoid(-x)."""
    return jax.nn.sigmoid(x)


sigmoid.defjvps(lambda tangent, y, x: tangent * (y * sigmoid(-x)))


@jax.custom_jvp
def softplus(x: Entries, beta: Any) -> Entries:
    """Return log(1 + exp(beta x)) / beta, with the derivative sigmoid(beta x); beta is a constant."""
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-beta * jnp.abs(x))) / beta


softplus.defjvps(lambda tangent, y, x, beta: tangent * sigmoid(beta * x), None)


@jax.custom_jvp
def tanh_softplus(x: Entries) -> Entries:
    """Return tanh(log(1 + exp x)) = n / (n + 2) with n = exp x (exp x + 2), scaled by exp(-2x) where x > 0."""
    numerator, denominator, _ = _tanh_softplus_parts(x)
    return numerator / denominator


tanh_softplus.defjvps(lambda tangent, y, x: tangent * _tanh_softplus_slope(x))


def _tanh_softplus_parts(x: Entries) -> tuple[Entries, Entries, Entries]:
    positive = x > 0
    e = jnp.exp(jnp.where(positive, -x, x))
    numerator = jnp.where(positive, 1 + 2 * e, e * (e + 2))
    return numerator, numerator + jnp.where(positive, 2 * e * e, 2), e


def _tanh_softplus_slope(x: Entries) -> Entries:
    """4 exp x (1 + exp x) / (n + 2)², scaled likewise."""
    _, denominator, e = _tanh_softplus_parts(x)
    return 4 * e * (1 + e) * jnp.where(x > 0, e, 1) / (denominator * denominator)


@jax.custom_jvp
def soft_sign(x: Entries) -> Entries:
    """Return x / (1 + |x|), ±1 at ±inf, with the derivative 1 / (1 + |x|)²."""
    return jnp.where(jnp.isinf(x), jnp.sign(x), x / (1 + jnp.abs(x)))


soft_sign.defjvps(lambda tangent, y, x: tangent / (1 + jnp.abs(x)) / (1 + jnp.abs(x)))


@jax.custom_jvp
def squareplus(x: Entries, b: Any) -> Entries:
    """Return (x + sqrt(x² + b)) / 2, with the derivative squareplus(x) / sqrt(x² + b); b is a constant.

    For x < 0 it is b / 4 over the value at -x, which does not cancel.
    """
    half = jnp.abs(x) / 2 + _root(x, b) / 2
    return jnp.where(x < 0, b / 4 / half, half)


squareplus.defjvps(lambda tangent, y, x, b: tangent * (squareplus(x, b) / _root(x, b)), None)


@jax.custom_jvp
def _root(x: Entries, b: Any) -> Entries:
    """sqrt(x² + b), scaled by a power of two where x² would overflow."""
    exponent = jnp.finfo(x.dtype).maxexp // 2
    scale = jnp.where(jnp.abs(x) > 2.0 ** (exponent - 2), jnp.asarray(2.0 ** -(exponent + 2), x.dtype), 1)
    scaled = x * scale
    return jnp.sqrt(scaled * scaled + b * scale * scale) / scale


_root.defjvps(lambda tangent, y, x, b: tangent * (x / _root(x, b)), None)
