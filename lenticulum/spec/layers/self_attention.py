"""Multi-head self-attention (Vaswani et al. 2017): affine maps, attention head by head, an affine map of all heads."""

from collections.abc import Callable
from typing import Any

from lenticulum import terms
from lenticulum.numbers import DomainError, ExactArray, exp, where
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.layers.affine import dense
from lenticulum.spec.meaning import meaning
from lenticulum.spec.operations.attention import (
    attention_with_scaled_query,
    attention_with_scaled_scores,
    factor,
    heads_first,
    permitted,
)
from lenticulum.terms import Tree


@textbook(terms.SelfAttention)
@meaning(terms.SelfAttention)
def self_attention(
    parameters: Tree,
    x: ExactArray,
    *,
    heads: int,
    mask: str,
    use_query_bias: bool,
    use_key_bias: bool,
    use_value_bias: bool,
    use_output_bias: bool,
) -> ExactArray:
    """Return concat_h(softmax(Q_h K_hᵀ / sqrt(width)) V_h) W_oᵀ + b_o, with Q = x W_qᵀ + b_q, and K and V likewise.

    Values that determine the result: x [..., positions, features], the weights and, if used, biases, heads, mask; of
    the causal mask, row i of the result is determined by rows 0 ... i of x. Pure; no state.
    Laws: equivariant under permutations of the positions without a mask; with one head it is attention of the images;
    the heads add up. Raises: DomainError without an axis of positions.
    Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2.
    """
    biases = (use_query_bias, use_key_bias, use_value_bias, use_output_bias)
    return _attended(parameters, x, attention_by_softmax, heads, mask, biases)


@textbook(terms.SelfAttention)
def self_attention_with_scaled_scores(
    parameters: Tree,
    x: ExactArray,
    *,
    heads: int,
    mask: str,
    use_query_bias: bool,
    use_key_bias: bool,
    use_value_bias: bool,
    use_output_bias: bool,
) -> ExactArray:
    """Return the same by exp(s - m), m the largest score of a query, s = Q_h K_hᵀ / sqrt(width): no power overflows."""
    biases = (use_query_bias, use_key_bias, use_value_bias, use_output_bias)
    return _attended(parameters, x, attention_with_scaled_scores, heads, mask, biases)


@textbook(terms.SelfAttention)
def self_attention_with_scaled_query(
    parameters: Tree,
    x: ExactArray,
    *,
    heads: int,
    mask: str,
    use_query_bias: bool,
    use_key_bias: bool,
    use_value_bias: bool,
    use_output_bias: bool,
) -> ExactArray:
    """Return the same with s = (Q_h / sqrt(width)) K_hᵀ, as Equinox and Flax evaluate it."""
    biases = (use_query_bias, use_key_bias, use_value_bias, use_output_bias)
    return _attended(parameters, x, attention_with_scaled_query, heads, mask, biases)


def attention_by_softmax(
    query: ExactArray, key: ExactArray, value: ExactArray, *, heads: str, causal: str, **_: object
) -> ExactArray:
    """Return softmax(query keyᵀ / sqrt(width)) value, with w_ij = 1 / sum_l exp(s_il - s_ij) over the l that i sees.

    The term l = j is kept as the power exp(0) that it is: so the running bound of the reverse derivative is that of
    w_ij (g_ij - sum_l w_il g_il), the form in which kernels evaluate it, which cancels where one weight is near 1.
    """
    q, k, v = heads_first(query, key, value, heads)
    s = (q[..., :, None, :] * k[..., None, :, :]).sum(axis=-1) * factor(q, None)
    seen = permitted(s.shape, None, causal)
    powers = exp(s[..., None, :] - s[..., :, None])
    weights = where(seen, 1 / where(seen[..., None, :], powers, 0).sum(axis=-1), 0)
    y = (weights[..., :, :, None] * v[..., None, :, :]).sum(axis=-2)
    axes = tuple(range(y.ndim))
    return y.transpose((*axes[:-3], axes[-2], axes[-3], axes[-1]))


def affine(parameters: Tree, name: str, x: ExactArray, use_bias: bool) -> ExactArray:
    """Return the affine image of x under the weight and the bias of a name."""
    named = {role: parameters[f"{name}_{role}"] for role in ("weight", "bias") if role == "weight" or use_bias}
    return dense(Tree(named), x, use_bias=use_bias)


def split(x: ExactArray, heads: int) -> ExactArray:
    """Return [..., heads width] as [..., heads, width]: the heads lie one after the other."""
    return x.reshape((*x.shape[:-1], heads, x.shape[-1] // heads))


def _attended(
    parameters: Tree, x: ExactArray, attend: Callable[..., Any], heads: int, mask: str, biases: tuple[bool, ...]
) -> ExactArray:
    """Return the layer, with the attention of each head evaluated by one of its closed forms."""
    if x.ndim < 2:
        raise DomainError(
            f"SelfAttention: expected shape (positions, features), got {list(x.shape)}; add an axis of positions"
        )
    *read, use_output_bias = biases
    images = zip(("query", "key", "value"), read, strict=True)
    query, key, value = (split(affine(parameters, name, x, use_bias), heads) for name, use_bias in images)
    causal = "start" if mask == "causal" else "none"
    y = attend(query, key, value, scale=None, heads="last", causal=causal, blocked="zero")
    return affine(parameters, "output", y.reshape((*y.shape[:-2], y.shape[-2] * y.shape[-1])), use_output_bias)
