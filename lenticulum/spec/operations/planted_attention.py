"""Planted mistakes about attention: wrong twins of `evaluate` and `reverse`, each of which a law must reject."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import exp, vjp, where
from lenticulum.spec.operations.attention import factor, heads_first, permitted
from lenticulum.spec.operations.subject import evaluate
from lenticulum.terms import Attention, replace


def scaled_by_the_width(term: Attention, *arrays: Any) -> Any:
    """The scale 1 / width for 1 / sqrt(width)."""
    return evaluate(replace(term, scale=Fraction(1, arrays[0].shape[-1])) if term.scale is None else term, *arrays)


def bias_scaled(term: Attention, query: Any, key: Any, value: Any, bias: Any, mask: Any) -> Any:
    """The bias is added before the scale is applied."""
    return evaluate(term, query, key, value, bias * factor(query, Fraction(term.scale) if term.scale else None), mask)


def strictly_causal(term: Attention, query: Any, key: Any, value: Any, bias: Any, mask: Any) -> Any:
    """Query i may see key j iff j < i."""
    if term.causal == "none":
        return evaluate(term, query, key, value, bias, mask)
    queries, keys = mask.shape[-2:]
    before = np.tri(queries, keys, (keys - queries if term.causal == "end" else 0) - 1, dtype=bool)
    return evaluate(term, query, key, value, bias, mask & before)


def other_alignment(term: Attention, *arrays: Any) -> Any:
    """The first queries and keys aligned for the last, and the other way round."""
    other = {"start": "end", "end": "start", "none": "none"}
    return evaluate(replace(term, causal=other[term.causal]), *arrays)


def penalty(term: Attention, query: Any, key: Any, value: Any, bias: Any, mask: Any) -> Any:
    """Blocked keys get a score that is lower by 1000, and are otherwise seen."""
    lowered = where(mask, bias.lift(0, mask.shape), -1000)
    return evaluate(term, query, key, value, bias + lowered, None)


def penalty_reverse(term: Attention, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The reverse derivative of `penalty`."""
    *floats, mask = arrays

    def function(query: Any, key: Any, value: Any, bias: Any) -> Any:
        return penalty(term, query, key, value, bias, mask)

    return vjp(function, *floats)[1](cotangent)


def mask_inverted(term: Attention, query: Any, key: Any, value: Any, bias: Any, mask: Any) -> Any:
    """The mask is true where a key is blocked."""
    return evaluate(term, query, key, value, bias, ~mask)


def heads_dealt_out(term: Attention, query: Any, key: Any, value: Any, bias: Any, mask: Any) -> Any:
    """Query head h reads key head h mod the number of key heads."""
    axis = -3 if term.heads == "first" else -2
    heads = np.arange(int(query.shape[axis]))
    order = heads % int(key.shape[axis])
    place: Any = (..., order, slice(None), slice(None)) if axis == -3 else (..., order, slice(None))
    return evaluate(term, query, key[place], value[place], bias, mask)


def softmax_over_queries(term: Attention, query: Any, key: Any, value: Any, bias: Any, mask: Any) -> Any:
    """The weights of one key sum to 1 over the queries."""
    return _weighted(term, query, key, value, bias, mask, summed_over=-2)


def masked_after(term: Attention, query: Any, key: Any, value: Any, bias: Any, mask: Any) -> Any:
    """The softmax takes all keys; the weights of blocked ones are then set to 0."""
    return _weighted(term, query, key, value, bias, mask, summed_over=-1)


def _weighted(term: Attention, query: Any, key: Any, value: Any, bias: Any, mask: Any, *, summed_over: int) -> Any:
    q, k, v = heads_first(query, key, value, term.heads)
    scale = None if term.scale is None else Fraction(term.scale)
    powers = exp((q[..., :, None, :] * k[..., None, :, :]).sum(axis=-1) * factor(q, scale) + bias)
    weights = where(permitted(powers.shape, mask, term.causal), powers / powers.sum(summed_over, keepdims=True), 0)
    y = (weights[..., None] * v[..., None, :, :]).sum(axis=-2)
    return y.transpose((0, 2, 1, 3)) if term.heads == "last" else y


def always_causal(term: Attention, *arrays: Any) -> Any:
    """Query i may see key j iff j <= i, whatever is asked for."""
    return evaluate(replace(term, causal="start"), *arrays)


def conventions_exchanged(term: Attention, *arrays: Any) -> Any:
    """Zeros for the mean of all values, and the other way round."""
    other = {"zero": "uniform", "uniform": "zero", "nan": "nan"}
    return evaluate(replace(term, blocked=other[term.blocked]), *arrays)


def never_nan(term: Attention, *arrays: Any) -> Any:
    """0/0 is 0."""
    return evaluate(replace(term, blocked="zero") if term.blocked == "nan" else term, *arrays)
