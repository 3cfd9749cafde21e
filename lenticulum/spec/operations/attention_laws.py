"""Laws of attention: the weighted mean key by key, its weights, and what blocked keys do not do."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from lenticulum.numbers import (
    Ball,
    DomainError,
    Rational,
    ball,
    decide,
    exp,
    ones_like,
    rational,
    sqrt,
    stack,
    total,
    vjp,
    where,
)
from lenticulum.numbers.array import Booleans
from lenticulum.spec.draw import Draw, fraction, rational_array
from lenticulum.spec.law import Grade, Law, Violation, require
from lenticulum.spec.operations import planted_attention as planted
from lenticulum.spec.operations.enclosed import same
from lenticulum.spec.operations.subject import Evaluate, Reverse, evaluate
from lenticulum.terms import Attention, replace


class AttentionCase(NamedTuple):
    """Arrays with the heads first: [batch, heads, positions, width]; the mask and the bias for every key."""

    term: Attention
    query: Rational
    key: Rational
    value: Rational
    bias: Rational
    mask: Booleans


def attention_case(draw: Draw) -> AttentionCase:
    """Shared heads, unequal numbers of queries and keys, holes in the mask, blocked keys far above the others."""
    batch, shared, heads = draw.integer(1, 2), draw.integer(1, 2), draw.integer(1, 2)
    queries, keys, width, values = draw.integer(1, 3), draw.integer(1, 4), draw.integer(1, 3), draw.integer(1, 2)
    draw.observe("as many keys as queries", queries == keys)
    draw.observe("one head", heads * shared == 1)
    draw.observe("width of one", width == 1)
    mask = np.array([draw.integer(0, 2) > 0 for _ in range(batch * queries * keys)]).reshape((batch, 1, queries, keys))
    bias = rational_array(draw, (heads * shared, queries, keys)) + draw.choice((0, 0, 1000)) * _integers(~mask[0])
    term = Attention(
        scale=draw.choice((None, Fraction(1, 2), Fraction(-3, 2))),
        causal=draw.choice(("none", "start", "end")),
        blocked=draw.choice(("zero", "uniform")),
    )
    return AttentionCase(
        term,
        rational_array(draw, (batch, heads * shared, queries, width), 5, 3),
        rational_array(draw, (batch, heads, keys, width), 5, 3),
        rational_array(draw, (batch, heads, keys, values)),
        bias,
        mask,
    )


def key_by_key(of: Evaluate, draw: Draw) -> None:
    """y_i = sum_j exp(s_ij) value_j / sum_j exp(s_ij) over the allowed keys; the axis of heads first or last."""
    case = attention_case(draw)
    layout = draw.choice(("first", "last"))

    def got() -> Any:
        arrays = _balls(case)
        if layout == "last":
            arrays = tuple(x.transpose((0, 2, 1, 3)) for x in arrays)
        y = of(replace(case.term, heads=layout), *arrays, ball(case.bias), case.mask)
        return y.transpose((0, 2, 1, 3)) if layout == "last" else y

    same(got, lambda: _expected(case), "the weighted means differ", case=case, heads=layout)


def weights_sum_to_one(of: Evaluate, draw: Draw) -> None:
    """Of values that are all 1, every query that may see a key gives 1."""
    case = attention_case(draw)
    seen = np.asarray(_allowed(case).any(axis=-1))
    chosen = np.flatnonzero(np.broadcast_to(seen[..., None], (*case.query.shape[:-1], case.value.shape[-1])))

    def got() -> Any:
        query, key, value = _balls(case)
        y = of(case.term, query, key, ones_like(value), ball(case.bias), case.mask)
        return y.reshape((-1,)).take(chosen)

    same(got, lambda: ball([1] * len(chosen)), "the weights do not sum to 1", case=case)


def permuted_keys(of: Evaluate, draw: Draw) -> None:
    """Keys, values, bias and mask in another order give the same, where no order of time is asked for."""
    case = attention_case(draw)
    term = replace(case.term, causal="none")
    order = np.arange(case.key.shape[-2])[::-1]

    def permuted() -> Any:
        query, key, value = _balls(case)
        bias, mask = ball(case.bias)[..., order], case.mask[..., order]
        return of(term, query, key[..., order, :], value[..., order, :], bias, mask)

    same(lambda: of(term, *_balls(case), ball(case.bias), case.mask), permuted, "the order matters", case=case)


def blocked_keys_do_not_enter(of: Evaluate, draw: Draw) -> None:
    """Another key and value in a place that no query may see gives the same number, to the last bit."""
    case = attention_case(draw)
    term = replace(case.term, blocked="zero")
    keep = np.array([draw.integer(0, 1) == 1 for _ in range(case.key.shape[-2])])
    mask = np.logical_and(case.mask, keep)
    changed = (case.key * fraction(draw) + 100 * _integers(~keep)[:, None], case.value + 50 * _integers(~keep)[:, None])
    key = where(keep[:, None], case.key, changed[0])

    def difference() -> bool:
        query, bias = ball(case.query), ball(case.bias)
        y = of(term, query, ball(case.key), ball(case.value), bias, mask)
        other = of(term, query, ball(key), ball(changed[1]), bias, mask)
        # Equal balls, for the same operations on the same numbers are due.
        return y.as_integers() == other.as_integers()

    require(decide(difference), "a blocked key enters", case=case, keep=keep, key=key, value=changed[1])


def nothing_to_see(of: Evaluate, draw: Draw) -> None:
    """A query that may see no key gives 0 ("zero"), the mean of all values ("uniform"), or DomainError ("nan")."""
    case = attention_case(draw)
    closed = np.zeros_like(case.mask)
    for blocked in ("zero", "uniform"):
        term = replace(case.term, blocked=blocked)
        shared = case.query.shape[1] // case.key.shape[1]
        mean = case.value.mean(axis=-2, keepdims=True)[:, np.repeat(np.arange(case.key.shape[1]), shared)]
        due = mean.broadcast_to((*case.query.shape[:-1], case.value.shape[-1])) * (1 if blocked == "uniform" else 0)
        same(
            lambda: of(term, *_balls(case), ball(case.bias), closed),  # noqa: B023
            lambda: ball(due),  # noqa: B023
            f"not {blocked}",
            case=case,
        )
    try:
        got = of(replace(case.term, blocked="nan"), *_balls(case), ball(case.bias), closed)
    except DomainError:
        return
    raise Violation("0/0 has a value", {"case": case, "got": got})


def blocked_keys_get_no_cotangent(of: Reverse, draw: Draw) -> None:
    """The cotangents of a key and its value that no query may see are exactly 0."""
    case = attention_case(draw)
    keep = np.array([draw.integer(0, 1) == 1 for _ in range(case.key.shape[-2])])
    mask = np.logical_and(case.mask, keep)
    c = rational_array(draw, (*case.query.shape[:-1], case.value.shape[-1]))

    def squares() -> bool:
        arrays = (*_balls(case), ball(case.bias), mask)
        _, to_key, to_value, *_ = of(replace(case.term, blocked="zero"), arrays, ball(c))
        blocked = [(x * x)[..., ~keep, :].sum() for x in (to_key, to_value)]
        return bool(total(blocked) <= 0)

    require(decide(squares, start=2048), "a blocked key gets a cotangent", case=case, keep=keep, c=c)


def reverse_in_floats(term: Attention, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The cotangents of query, key, value and bias by the tape; the mask, the last array, has none."""
    *floats, mask = arrays
    return vjp(lambda *traced: evaluate(term, *traced, mask), *floats)[1](cotangent)


def _balls(case: AttentionCase) -> tuple[Any, Any, Any]:
    return ball(case.query), ball(case.key), ball(case.value)


def _expected(case: AttentionCase) -> Ball:
    """One query of one head of one example after another."""
    query, key, value = _balls(case)
    bias, allowed = ball(case.bias), _allowed(case)
    scale = ball(case.term.scale) if case.term.scale is not None else 1 / sqrt(ball(query.shape[-1]))
    shared = query.shape[1] // key.shape[1]
    rows: list[Any] = []
    for b, h, i in product(*map(range, query.shape[:-1])):
        keys: list[Any] = [
            exp(scale * _dot(query[b, h, i], key[b, h // shared, j]) + bias[h, i, j]) for j in _keys(case)
        ]
        open_keys = [j for j in _keys(case) if allowed[b, h, i, j]]
        values = [value[b, h // shared, j] for j in _keys(case)]
        if open_keys:
            rows.append(total([keys[j] * values[j] for j in open_keys]) / total([keys[j] for j in open_keys]))
        else:
            rows.append(total(values) / len(values) * (1 if case.term.blocked == "uniform" else 0))
    return stack(rows).reshape((*query.shape[:-1], value.shape[-1]))


def _keys(case: AttentionCase) -> range:
    return range(case.key.shape[-2])


def _dot(left: Any, right: Any) -> Any:
    return total([left[n] * right[n] for n in range(left.size)])


def _allowed(case: AttentionCase) -> Booleans:
    """Which keys each query may see, from the words of the convention."""
    (batch, heads, queries), keys = case.query.shape[:-1], case.key.shape[-2]
    allowed = np.zeros((batch, heads, queries, keys), dtype=np.bool_)
    for b, h, i, j in _places(allowed.shape):
        in_time = {"none": True, "start": j <= i, "end": queries - 1 - i <= keys - 1 - j}[case.term.causal]
        allowed[b, h, i, j] = in_time and case.mask[b, 0, i, j]
    return allowed


def _places(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return product(*map(range, shape))


def _integers(flags: Booleans) -> Rational:
    return rational(flags.astype(int).tolist())


VASWANI = "Vaswani et al. 2017, arXiv:1706.03762, equation 1"

LAWS: tuple[Law[Any], ...] = (
    Law(
        "attention-key-by-key",
        "y_i = sum_j exp(s_ij) value_j / sum_j exp(s_ij), s_ij = scale <query_i, key_j> + bias_ij, j allowed",
        VASWANI,
        Grade.ENCLOSED,
        evaluate,
        key_by_key,
        {
            "scaled by 1 / width": planted.scaled_by_the_width,
            "scale applied to the bias too": planted.bias_scaled,
            "causal mask without the diagonal": planted.strictly_causal,
            "aligned at the other end": planted.other_alignment,
            "penalty of -1000 for a mask": planted.penalty,
            "mask inverted": planted.mask_inverted,
            "heads of keys dealt out in turn": planted.heads_dealt_out,
            "softmax over the queries": planted.softmax_over_queries,
        },
    ),
    Law(
        "attention-weights-sum-to-one",
        "of values 1 the result is 1 where a key is allowed",
        VASWANI,
        Grade.ENCLOSED,
        evaluate,
        weights_sum_to_one,
        {"masked after the softmax": planted.masked_after, "softmax over the queries": planted.softmax_over_queries},
    ),
    Law(
        "attention-of-permuted-keys",
        "keys, values, bias and mask in another order give the same",
        "the sum over the keys has no order",
        Grade.ENCLOSED,
        evaluate,
        permuted_keys,
        {"causal although not asked for": planted.always_causal},
    ),
    Law(
        "attention-blocked-keys-do-not-enter",
        "a key and a value that no query may see do not change the result",
        "definition: a blocked key has weight exactly 0",
        Grade.EXACT,
        evaluate,
        blocked_keys_do_not_enter,
        {"penalty of -1000 for a mask": planted.penalty, "masked after the softmax": planted.masked_after},
    ),
    Law(
        "attention-with-nothing-to-see",
        "zero: 0; uniform: the mean of all values; nan: outside the domain",
        "PyTorch, https://github.com/pytorch/pytorch/pull/133882 (zero); JAX, jax.nn.dot_product_attention (uniform)",
        Grade.ENCLOSED,
        evaluate,
        nothing_to_see,
        {"the other convention": planted.conventions_exchanged, "0/0 is 0": planted.never_nan},
    ),
    Law(
        "attention-blocked-keys-get-no-cotangent",
        "the cotangents of a key and a value that no query may see are exactly 0",
        "derived by hand",
        Grade.EXACT,
        reverse_in_floats,
        blocked_keys_get_no_cotangent,
        {"penalty of -1000 for a mask": planted.penalty_reverse},
    ),
)
