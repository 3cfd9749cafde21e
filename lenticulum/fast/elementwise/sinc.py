"""sin t / t and sin(pi x) / (pi x), right at 0, at integers and far out, in value and derivative."""

import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

Entries = Float[Array, "..."]

#: Near 0 the derivative is summed as a power series, whose terms do not cancel up to here.
NEAR = math.pi / 2

#: sin t / t = sum_k (-1)^k t^(2k) / (2k + 1)!; the derivative is t times the polynomial with these coefficients in t²,
#: whose first omitted term is less than 2^-34 of the sum.
SLOPE = [(-1) ** k * 2 * k / math.factorial(2 * k + 1) for k in range(1, 9)]


@jax.custom_jvp
def radian_sinc(t: Entries) -> Entries:
    """Return sin t / t, and 1 at 0."""
    return jnp.where(t == 0, 1, jnp.sin(t) / jnp.where(t == 0, 1, t))


radian_sinc.defjvps(lambda tangent, y, t: tangent * _slope(t, t, y, jnp.cos(t)))


@jax.custom_jvp
def turn_sinc(x: Entries) -> Entries:
    """Return sin(pi x) / (pi x), and 1 at 0; pi x loses the angle for large x, so whole turns are taken off first."""
    return jnp.where(x == 0, 1, jnp.sin(math.pi * _remainder(x)) / (math.pi * jnp.where(x == 0, 1, x)))


turn_sinc.defjvps(lambda tangent, y, x: tangent * (math.pi * _turn_slope(x, y)))


def _remainder(x: Entries) -> Entries:
    """x without whole turns: exact, in [-1, 1]."""
    return x - 2 * jnp.round(x / 2)


def _turn_slope(x: Entries, y: Entries) -> Entries:
    return _slope(math.pi * _remainder(x), math.pi * x, y, jnp.cos(math.pi * _remainder(x)))


def _slope(reduced: Entries, t: Entries, y: Entries, cosine: Entries) -> Entries:
    """(cos t - sin t / t) / t; near 0 by its power series."""
    near = jnp.abs(t) < NEAR
    series = reduced * jnp.polyval(jnp.asarray(SLOPE[::-1], t.dtype), reduced * reduced)
    return jnp.where(near, series, (cosine - y) / jnp.where(near, 1, t))
