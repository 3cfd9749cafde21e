"""Multi-head self-attention."""

from math import sqrt

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.constants import constant
from lenticulum.fast.layers.dense import dense
from lenticulum.fast.meaning import meaning
from lenticulum.terms.self_attention import SelfAttention
from lenticulum.terms.tree import Tree


@meaning(SelfAttention)
def self_attention(
    parameters: Tree,
    x: Float[Array, "*batch features"],
    *,
    heads: int,
    mask: str,
    use_query_bias: bool,
    use_key_bias: bool,
    use_value_bias: bool,
    use_output_bias: bool,
) -> Float[Array, "*batch features"]:
    """Return, at every position, what its heads read from all positions.

    y = concat_h(softmax(Q_h K_hᵀ / sqrt(width)) V_h) W_oᵀ + b_o, with Q = x W_qᵀ + b_q, and K and V likewise.

    Parameters: query_weight, key_weight, value_weight [heads width, features], output_weight [features, heads width],
    and the biases that are used. Arguments: `x`: [..., positions, features]; `mask`: "none", or "causal": position i
    sees j iff j <= i. Raises: ValueError without an axis of positions.
    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2.

    >>> one = jnp.eye(1)
    >>> weights = Tree(query_weight=0 * one, key_weight=one, value_weight=one, output_weight=one)
    >>> biases = dict(use_query_bias=False, use_key_bias=False, use_value_bias=False, use_output_bias=False)
    >>> x = jnp.array([[2.0], [4.0], [9.0]])
    >>> self_attention(weights, x, heads=1, mask="none", **biases)[:, 0].tolist()
    [5.0, 5.0, 5.0]
    >>> self_attention(weights, x, heads=1, mask="causal", **biases)[:, 0].tolist()
    [2.0, 3.0, 5.0]
    """
    if x.ndim < 2:
        raise ValueError(f"SelfAttention: expected x of shape [..., positions, features], got {list(x.shape)}")
    query = _split(_affine(parameters, "query", x, use_query_bias), heads)
    key = _split(_affine(parameters, "key", x, use_key_bias), heads)
    value = _split(_affine(parameters, "value", x, use_value_bias), heads)
    scores = jnp.einsum("...qhd,...khd->...hqk", query, key)
    scores = scores * constant(1 / sqrt(query.shape[-1]), scores.dtype, "1 / sqrt(width)")
    if mask == "causal":
        # Compared in the program: a constant of the host would lie in it, positions² bytes long.
        seen = jnp.tri(x.shape[-2], dtype=bool)
        scores = jnp.where(jnp.broadcast_to(seen, scores.shape), scores, -jnp.inf)
    y = jnp.einsum("...hqk,...khd->...qhd", jax.nn.softmax(scores, axis=-1), value)
    return _affine(parameters, "output", y.reshape(*x.shape[:-1], -1), use_output_bias)


def _affine(parameters: Tree, name: str, x: Float[Array, "..."], use_bias: bool) -> Float[Array, "..."]:
    named = {role: parameters[f"{name}_{role}"] for role in ("weight", "bias") if role == "weight" or use_bias}
    return dense(Tree(named), x, use_bias=use_bias)


def _split(x: Float[Array, "..."], heads: int) -> Float[Array, "..."]:
    """Return [..., heads width] as [..., heads, width]."""
    return x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads)
