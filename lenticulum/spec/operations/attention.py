"""Attention: weights of keys for each query, and the weighted mean of the values (Vaswani et al. 2017)."""

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum import terms
from lenticulum.numbers import DomainError, ExactArray, concatenate, exp, sqrt, where
from lenticulum.numbers.array import Booleans
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.maximum import largest
from lenticulum.spec.meaning import meaning


@textbook(terms.Attention)
@meaning(terms.Attention)
def attention(
    query: ExactArray,
    key: ExactArray,
    value: ExactArray,
    bias: ExactArray | None = None,
    mask: Booleans | None = None,
    *,
    scale: Fraction | None,
    heads: str,
    causal: str,
    blocked: str,
) -> ExactArray:
    """Return y_i = sum_j w_ij value_j, w_ij = 1 / sum_l exp(s_il - s_ij) over the allowed keys l, and 0 for blocked j.

    s_ij = scale <query_i, key_j> + bias_ij. The mask is true where a key is allowed; `causal` allows key j for query i
    iff j <= i ("start") or j - keys <= i - queries ("end").

    Values that determine the result: query, key, value [..., heads, positions, width] (`heads` "first") or
    [..., positions, heads, width] ("last"), bias and mask, if given, which broadcast to [..., heads, queries, keys],
    and every field. A blocked key and its value do not enter. Pure; no state.
    Laws: the weights of a query sum to 1; linear in value; invariant under a permutation of the keys with their values;
    a query that may see no key gives 0 ("zero"), or the mean of all values ("uniform").
    Raises: DomainError for such a query where `blocked` is "nan". Source: Vaswani et al. 2017, arXiv:1706.03762.
    """
    q, k, v = heads_first(query, key, value, heads)
    s = _biased((q[..., :, None, :] * k[..., None, :, :]).sum(axis=-1) * factor(q, scale), bias)
    allowed = permitted(s.shape, mask, causal)
    seen = _seen(allowed, blocked)
    # A query that may see no key is given every key, and answered for in `_answer`.
    open_keys = allowed | ~seen[..., None]
    sums = where(open_keys[..., None, :], _ratios(s), 0).sum(axis=-1)
    weights = where(allowed, 1 / sums, 0) if not allowed.all() else 1 / sums
    return _answer(_weighted_sum(weights, v), v, seen, blocked, heads)


def attention_by_steps(
    query: ExactArray,
    key: ExactArray,
    value: ExactArray,
    bias: ExactArray | None = None,
    mask: Booleans | None = None,
    *,
    scaled: str,
    divided: str,
    scale: Fraction | None,
    heads: str,
    causal: str,
    blocked: str,
) -> ExactArray:
    """Return the same in the order of a program: exp(s - m) with m the largest allowed score of a query.

    `scaled`: the "scores", the "query", or query and key by the root of the scale ("both"); `divided` by the sum: the
    "weights", or the "result".
    """
    q, k, v = heads_first(query, key, value, heads)
    c = factor(q, scale)
    if scaled == "query":
        q = q * c
    elif scaled == "both":
        q, k = q * sqrt(c), k * sqrt(c)
    s = (q[..., :, None, :] * k[..., None, :, :]).sum(axis=-1)
    s = _biased(s * c if scaled == "scores" else s, bias)
    allowed = permitted(s.shape, mask, causal)
    seen = _seen(allowed, blocked)
    open_keys = allowed | ~seen[..., None]
    powers = where(open_keys, exp(s - _largest_allowed(s, open_keys)), 0)
    sums = powers.sum(axis=-1, keepdims=True)
    y = _weighted_sum(powers, v) / sums if divided == "result" else _weighted_sum(powers / sums, v)
    return _answer(y, v, seen, blocked, heads)


@textbook(terms.Attention)
def attention_with_scaled_scores(
    *arrays: Any, scale: Fraction | None, heads: str, causal: str, blocked: str
) -> ExactArray:
    """Return softmax(scale query keyᵀ + bias) value, as the paper prints it."""
    fields: dict[str, Any] = {"scale": scale, "heads": heads, "causal": causal, "blocked": blocked}
    return attention_by_steps(*arrays, scaled="scores", divided="weights", **fields)


@textbook(terms.Attention)
def attention_with_scaled_query(
    *arrays: Any, scale: Fraction | None, heads: str, causal: str, blocked: str
) -> ExactArray:
    """Return softmax((scale query) keyᵀ + bias) value: the scale goes into the smaller array."""
    fields: dict[str, Any] = {"scale": scale, "heads": heads, "causal": causal, "blocked": blocked}
    return attention_by_steps(*arrays, scaled="query", divided="weights", **fields)


@textbook(terms.Attention)
def attention_with_late_division(
    *arrays: Any, scale: Fraction | None, heads: str, causal: str, blocked: str
) -> ExactArray:
    """Return (exp(s - m) value) / sum exp(s - m), the order of tiled attention (Dao et al. 2022, arXiv:2205.14135)."""
    fields: dict[str, Any] = {"scale": scale, "heads": heads, "causal": causal, "blocked": blocked}
    return attention_by_steps(*arrays, scaled="both", divided="result", **fields)


def heads_first(
    query: ExactArray, key: ExactArray, value: ExactArray, heads: str
) -> tuple[ExactArray, ExactArray, ExactArray]:
    """Return the arrays as [..., heads, positions, width], with one head of keys and values for each of queries."""
    if heads == "last":
        query, key, value = (_swapped(x) for x in (query, key, value))
    if key.shape[:-1] != value.shape[:-1] or query.shape[-1] != key.shape[-1] or query.ndim != key.ndim:
        raise ValueError(
            f"got query {list(query.shape)}, key {list(key.shape)} and value {list(value.shape)}; expected as many "
            "keys as values, and keys as wide as queries"
        )
    if query.ndim < 3 or query.shape[-3] == key.shape[-3]:
        return query, key, value
    queries, keys = query.shape[-3], key.shape[-3]
    if queries % keys:
        raise ValueError(f"got {queries} heads of queries and {keys} of keys; expected a multiple")
    shared = np.arange(queries) // (queries // keys)
    return query, key[..., shared, :, :], value[..., shared, :, :]


def factor(query: ExactArray, scale: Fraction | None) -> ExactArray:
    """Return the scale of the scores: 1 / sqrt(width) unless it is given."""
    return query.lift(scale) if scale is not None else 1 / sqrt(query.lift(query.shape[-1]))


def permitted(shape: tuple[int, ...], mask: Booleans | None, causal: str) -> Booleans:
    """Return which keys each query may see, [..., queries, keys].

    >>> permitted((2, 3), None, "end").tolist()
    [[True, True, False], [True, True, True]]
    """
    allowed = np.ones(shape, dtype=np.bool_) if mask is None else np.broadcast_to(mask, shape)
    if causal == "none":
        return allowed
    queries, keys = shape[-2:]
    offset = keys - queries if causal == "end" else 0
    earlier = np.arange(keys) <= np.arange(queries)[:, None] + offset
    return np.where(earlier, allowed, False)


def _largest_allowed(s: ExactArray, allowed: Booleans) -> ExactArray:
    """Return the largest allowed score of each query, with the axis of keys kept.

    Queries that may see the same keys are taken together: a blocked key enters no comparison.
    """
    keys = s.shape[-1]
    rows, flags = s.reshape((-1, keys)), allowed.reshape((-1, keys))
    patterns, pattern_of = np.unique(flags, axis=0, return_inverse=True)
    members = [np.flatnonzero(pattern_of.ravel() == number) for number in range(len(patterns))]
    parts = [largest(rows[rows_of][:, pattern], -1) for rows_of, pattern in zip(members, patterns, strict=True)]
    return concatenate(parts)[np.argsort(np.concatenate(members))].reshape((*s.shape[:-1], 1))


def _ratios(s: ExactArray) -> ExactArray:
    """Return exp(s_l - s_j) for every pair of keys: with itself a key is exactly 1."""
    others = ~np.eye(s.shape[-1], dtype=np.bool_)
    return where(others, exp(s[..., None, :] - s[..., :, None]), 1)


def _biased(s: ExactArray, bias: ExactArray | None) -> ExactArray:
    return s if bias is None else s + bias


def _seen(allowed: Booleans, blocked: str) -> Booleans:
    """Return which queries may see a key."""
    seen = np.asarray(allowed.any(axis=-1))
    if blocked == "nan" and not seen.all():
        raise DomainError("a query may see no key: its weights are 0/0")
    return seen


def _weighted_sum(weights: ExactArray, value: ExactArray) -> ExactArray:
    return (weights[..., :, :, None] * value[..., None, :, :]).sum(axis=-2)


def _answer(y: ExactArray, value: ExactArray, seen: Booleans, blocked: str, heads: str) -> ExactArray:
    """Return y with the convention for queries that may see no key, in the layout of the caller."""
    if not seen.all():
        instead = value.mean(axis=-2, keepdims=True) if blocked == "uniform" else y.lift(0)
        y = where(seen[..., None], y, instead)
    return _swapped(y) if heads == "last" else y


def _swapped(x: ExactArray) -> ExactArray:
    """Return the array with the axes of positions and heads exchanged."""
    axes = list(range(x.ndim))
    return x.transpose((*axes[:-3], axes[-2], axes[-3], axes[-1]))
