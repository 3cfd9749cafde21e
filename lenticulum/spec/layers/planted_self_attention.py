"""Planted mistakes about self-attention: wrong twins of `apply` and `put`, each of which a law must reject."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import exp, ones_like, sqrt, where, zeros_like
from lenticulum.spec.apply import apply
from lenticulum.spec.layers.self_attention import affine, split
from lenticulum.spec.put import put
from lenticulum.terms import SelfAttention, Tree, replace


def other_mask(term: SelfAttention, x: Any, *rest: Any) -> Any:
    """A causal mask where none is asked for, and the other way round."""
    return apply(replace(term, mask="none" if term.mask == "causal" else "causal"), x, *rest)


def interleaved(term: SelfAttention, x: Any, parameters: Tree, *rest: Any) -> Any:
    """Entry r of all heads together belongs to head r mod heads."""
    order = np.arange(term.inner()).reshape((-1, term.heads)).T.ravel()
    for name in parameters:
        leaf = parameters[name]
        if name == "output_weight":
            parameters = parameters.with_entries(output_weight=leaf[:, order])
        elif name != "output_bias":
            parameters = parameters.with_entries(**{name: leaf[order]})
    return apply(term, x, parameters, *rest)


def scaled_by_the_features(term: SelfAttention, x: Any, parameters: Tree, *rest: Any) -> Any:
    """The scores are divided by the root of the number of features, not of the width of a head."""
    root = sqrt(x.lift(Fraction(term.inner() // term.heads, term.features)))
    names = [name for name in parameters if name.startswith("query")]
    return apply(term, x, parameters.with_entries(**{name: parameters[name] * root for name in names}), *rest)


def queries_and_keys_exchanged(term: SelfAttention, x: Any, parameters: Tree, *rest: Any) -> Any:
    """Position i is weighted by how much j asks for i."""
    other = replace(term, use_query_bias=term.use_key_bias, use_key_bias=term.use_query_bias)
    names = {"query": "key", "key": "query", "value": "value", "output": "output"}
    kinds = [name.split("_") for name in other.parameter_shapes()]
    moved = {f"{name}_{leaf}": parameters[f"{names[name]}_{leaf}"] for name, leaf in kinds}
    return apply(other, x, Tree(moved), *rest)


def query_bias_dropped(term: SelfAttention, x: Any, parameters: Tree, *rest: Any) -> Any:
    """The bias of the query is not added."""
    return _without(term, x, parameters, rest, "query_bias")


def output_bias_dropped(term: SelfAttention, x: Any, parameters: Tree, *rest: Any) -> Any:
    """The bias of the output is not added."""
    return _without(term, x, parameters, rest, "output_bias")


def key_bias_on_the_values(term: SelfAttention, x: Any, parameters: Tree, *rest: Any) -> Any:
    """The bias of the key is added to the values too."""
    if term.use_key_bias and term.use_value_bias:
        parameters = parameters.with_entries(value_bias=parameters.value_bias + parameters.key_bias)
    return apply(term, x, parameters, *rest)


def heads_averaged(term: SelfAttention, x: Any, parameters: Tree, *rest: Any) -> Any:
    """The heads are averaged, not put side by side."""
    parameters = parameters.with_entries(output_weight=parameters.output_weight / term.heads)
    return apply(term, x, parameters, *rest)


def positions_added(term: SelfAttention, x: Any, *rest: Any) -> Any:
    """The number of the position is added to the last feature."""
    places = np.zeros(x.shape)
    places[..., -1] += np.arange(x.shape[-2])
    return apply(term, x + x.lift(1) * _lifted(x, places), *rest)


def masked_after(term: SelfAttention, x: Any, parameters: Tree, state: Tree, *rest: Any) -> Any:
    """The softmax takes all keys; the weights of later ones are then set to 0."""
    if term.mask == "none":
        return apply(term, x, parameters, state, *rest)
    q, k, v = (
        split(affine(parameters, name, x, getattr(term, f"use_{name}_bias")), term.heads)
        for name in ("query", "key", "value")
    )
    scores = (q[..., :, None, :, :] * k[..., None, :, :, :]).sum(axis=-1) / sqrt(x.lift(q.shape[-1]))
    powers = exp(scores)
    seen = np.tri(x.shape[-2], dtype=np.bool_)[:, :, None]
    weights = where(np.broadcast_to(seen, powers.shape), powers / powers.sum(axis=-2, keepdims=True), 0)
    y = (weights[..., None] * v[..., None, :, :, :]).sum(axis=-3)
    return affine(parameters, "output", y.reshape((*x.shape[:-1], term.inner())), term.use_output_bias), state


def weights_held_constant(
    term: SelfAttention, x: Any, parameters: Tree, state: Tree, mode: Any, key: Any, cotangent: Any
) -> tuple[Tree, Any]:
    """No gradient through the softmax: that of a query and a key is 0."""
    pulled, _ = put(term, x, parameters, state, mode, key, cotangent)
    names = [name for name in pulled if name.startswith(("query", "key"))]
    pulled = pulled.with_entries(**{name: zeros_like(pulled[name]) for name in names})
    still = parameters.with_entries(**{name: zeros_like(parameters[name]) for name in names})
    return pulled, put(term, x, still, state, mode, key, cotangent)[1]


def scale_forgotten(
    term: SelfAttention, x: Any, parameters: Tree, state: Tree, mode: Any, key: Any, cotangent: Any
) -> tuple[Tree, Any]:
    """The gradient of the query weight without the factor 1 / sqrt(width)."""
    pulled, to_x = put(term, x, parameters, state, mode, key, cotangent)
    root = sqrt(x.lift(term.inner() // term.heads))
    return pulled.with_entries(query_weight=pulled.query_weight * root), to_x


def last_example_alone(
    term: SelfAttention, x: Any, parameters: Tree, state: Tree, mode: Any, key: Any, cotangent: Any
) -> tuple[Tree, Any]:
    """The gradients of the parameters are those of the last example, not the sum."""
    pulled, _ = put(term, x[-1:], parameters, state, mode, key, cotangent[-1:])
    return pulled, put(term, x, parameters, state, mode, key, cotangent)[1]


def _without(term: SelfAttention, x: Any, parameters: Tree, rest: tuple[Any, ...], name: str) -> Any:
    if name in parameters:
        parameters = parameters.with_entries(**{name: zeros_like(parameters[name])})
    return apply(term, x, parameters, *rest)


def _lifted(x: Any, integers: np.ndarray) -> Any:
    """Return an array of small integers in the number system of x."""
    one = ones_like(x)
    return sum((where(integers >= n, one, 0) for n in range(1, int(integers.max()) + 1)), zeros_like(x))
