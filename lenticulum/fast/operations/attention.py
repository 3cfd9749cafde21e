"""Scaled dot-product attention."""

from math import sqrt

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from lenticulum.fast.constants import constant
from lenticulum.fast.meaning import meaning
from lenticulum.terms.exact import Number
from lenticulum.terms.operations import Attention


@meaning(Attention)
def attention(
    query: Float[Array, "..."],
    key: Float[Array, "..."],
    value: Float[Array, "..."],
    bias: Float[Array, "..."] | None = None,
    mask: Bool[Array, "..."] | None = None,
    *,
    scale: Number | None,
    heads: str,
    causal: str,
    blocked: str,
) -> Float[Array, "..."]:
    """Return the mean of the values, weighted by the softmax of the scores of each query.

    y = softmax(scale query keyᵀ + bias) value over the keys that a query may see.

    Arguments: `query`, `key`, `value`: [..., heads, positions, width] (`heads` "first") or [..., positions, heads,
    width] ("last"); `bias`, `mask`: broadcast to [..., heads, queries, keys], true where a key is allowed; `scale`:
    None is 1 / sqrt(width); `causal`: "none", "start" or "end"; `blocked`: what a query that may see no key gives,
    "zero", "uniform" or "nan".
    Returns: an array of the shape of query, with the width of value. Source: Vaswani et al. 2017, arXiv:1706.03762.

    >>> q, k, v = jnp.zeros((1, 1)), jnp.zeros((2, 1)), jnp.array([[1.0], [3.0]])
    >>> fields = dict(scale=1, heads="first", causal="none")
    >>> attention(q, k, v, **fields, blocked="zero").tolist()
    [[2.0]]
    >>> attention(q, k, v, None, jnp.array([[False, True]]), **fields, blocked="zero").tolist()
    [[3.0]]
    >>> attention(q, k, v, None, jnp.array([[False, False]]), **fields, blocked="nan").tolist()
    [[nan]]
    """
    if heads == "last":
        query, key, value = (jnp.swapaxes(x, -2, -3) for x in (query, key, value))
    if query.ndim > 2 and query.shape[-3] != key.shape[-3]:
        shared = query.shape[-3] // key.shape[-3]
        key, value = jnp.repeat(key, shared, axis=-3), jnp.repeat(value, shared, axis=-3)
    factor = 1 / sqrt(query.shape[-1]) if scale is None else scale
    scores = jnp.matmul(query, jnp.swapaxes(key, -1, -2), precision=jax.lax.Precision.HIGHEST)
    scores = scores * constant(factor, scores.dtype, "scale")
    scores = scores if bias is None else scores + jnp.broadcast_to(bias, scores.shape)
    allowed = _permitted(scores.shape, mask, causal)
    y = jnp.matmul(_weights(scores, allowed, blocked), value, precision=jax.lax.Precision.HIGHEST)
    return jnp.swapaxes(y, -2, -3) if heads == "last" else y


def _weights(scores: Float[Array, "..."], allowed: Bool[Array, "..."] | None, blocked: str) -> Float[Array, "..."]:
    """Return the softmax over the allowed keys; blocked ones have weight and gradient exactly 0."""
    if allowed is None:
        return jax.nn.softmax(scores, axis=-1)
    seen = jnp.any(allowed, axis=-1, keepdims=True)
    # Where nothing is allowed the softmax is taken over zeros, so that no NaN enters a derivative.
    weights = jax.nn.softmax(jnp.where(allowed, scores, jnp.where(seen, -jnp.inf, 0)), axis=-1)
    if blocked == "uniform":
        return weights
    return jnp.where(seen, weights, 0 if blocked == "zero" else jnp.nan)


def _permitted(shape: tuple[int, ...], mask: Bool[Array, "..."] | None, causal: str) -> Bool[Array, "..."] | None:
    """Return which keys each query may see; None where it is every key."""
    if causal == "none":
        return None if mask is None else jnp.broadcast_to(mask, shape)
    queries, keys = shape[-2:]
    below = jnp.broadcast_to(np.tri(queries, keys, keys - queries if causal == "end" else 0, dtype=bool), shape)
    return below if mask is None else jnp.broadcast_to(mask, shape) & below
