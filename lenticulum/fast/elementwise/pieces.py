"""What elementwise functions are put together with: a wider format, derivatives at kinks, values at infinities."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

Entries = Float[Array, "..."]


def widened(function: Callable[[Entries], Entries], x: Entries) -> Entries:
    """Return function(x), evaluated in binary32 where the format is narrower, and rounded to it once.

    >>> widened(lambda x: x + 2.0**-9 - 1, jnp.array(1.0, jnp.bfloat16)).item()
    0.001953125
    """
    return function(x.astype(jnp.promote_types(x.dtype, jnp.float32))).astype(x.dtype)


def with_slope(y: Entries, x: Entries, point: Any, slope: Any) -> Entries:
    """Return y, with another derivative at one point: dy/dx = slope where x = point.

    >>> float(jax.grad(lambda x: with_slope(jnp.abs(x), x, 0, 0.25))(0.0))
    0.25
    """
    return jnp.where(x == point, jax.lax.stop_gradient(y) + slope * (x - point), y)


def between_infinities(function: Callable[[Entries], Entries], x: Entries, below: float) -> Entries:
    """Return function(x) for finite x, x itself at +inf, and the constant `below` at -inf; so the derivatives.

    The formula is not evaluated at an infinity, where a product 0 inf would make value or derivative NaN.

    >>> between_infinities(lambda x: x / (1 + jnp.exp(-x)), jnp.array([-jnp.inf, 0.0, jnp.inf]), 0.0).tolist()
    [0.0, 0.0, inf]
    """
    y = function(jnp.where(jnp.isinf(x), 0, x))
    return jnp.where(x == jnp.inf, x, jnp.where(x == -jnp.inf, jnp.asarray(below, x.dtype), y))
