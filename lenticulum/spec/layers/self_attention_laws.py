"""Laws of self-attention: the layer entry by entry, what order and time do, one head, many heads, and its put."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lenticulum.numbers import Ball, ball, concatenate, decide, exp, sqrt, stack, total, where
from lenticulum.spec.apply import apply
from lenticulum.spec.draw import Draw, rational_array
from lenticulum.spec.elementwise.textbook import evaluation_of
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.layers import planted_self_attention as planted
from lenticulum.spec.layers.mode_laws import Apply
from lenticulum.spec.layers.self_attention_cases import SelfAttentionCase, self_attention_case
from lenticulum.spec.lenses.planted_puts import Put
from lenticulum.spec.operations.enclosed import same
from lenticulum.spec.operations.subject import entries
from lenticulum.spec.put import put
from lenticulum.terms import Attention, Mode, SelfAttention, Tree, replace


def head_by_head(of: Apply, draw: Draw) -> None:
    """y_i = b_o + sum over the heads and the j that i sees of w_hij W_oh (W_vh x_j + b_vh), w_hij ~ exp(s_hij)."""
    case = self_attention_case(draw)
    same(lambda: _value(of, case), lambda: _expected(case), "the layer differs", case=case)


def permuted_positions(of: Apply, draw: Draw) -> None:
    """f(P x) = P f(x) for every permutation P of the positions, without a mask."""
    case = self_attention_case(draw, mask="none")
    order = np.array(sorted(range(case.x.shape[1]), key=lambda _: draw.bits(8)))
    permuted = case._replace(x=case.x[:, order])
    same(lambda: _value(of, permuted), lambda: _value(of, case)[:, order], "the order matters", case=case, order=order)


def earlier_positions_alone(of: Apply, draw: Draw) -> None:
    """Under the causal mask the first k rows of y are determined by the first k rows of x, to the last bit."""
    case = self_attention_case(draw, mask="causal")
    k = draw.integer(1, case.x.shape[1])
    draw.observe("nothing later", k == case.x.shape[1])
    changed = concatenate([case.x[:, :k], rational_array(draw, case.x[:, k:].shape)], axis=1)

    def unchanged() -> bool:
        y, other = (_value(of, case._replace(x=x))[:, :k] for x in (case.x, changed))
        return y.as_integers() == other.as_integers()

    require(decide(unchanged), "a later position is seen", case=case, first=k, changed=changed)


def one_head(of: Apply, draw: Draw) -> None:
    """Of one head y = attention(x W_qᵀ + b_q, x W_kᵀ + b_k, x W_vᵀ + b_v) W_oᵀ + b_o."""
    case = self_attention_case(draw, heads=1)

    def expected() -> Ball:
        parameters, x = case.point()
        q, k, v = (_affine(parameters, name, x) for name in ("query", "key", "value"))
        attention = Attention(causal="end" if case.term.mask == "causal" else "none")
        return _affine(parameters, "output", evaluation_of(attention)(q, k, v))

    same(lambda: _value(of, case), expected, "not the attention of the images", case=case)


def heads_add_up(of: Apply, draw: Draw) -> None:
    """y = b_o + the sum of what each head gives alone, with its rows of W_q, W_k, W_v and its columns of W_o."""
    case = self_attention_case(draw)

    def expected() -> Ball:
        alone = total([_value(of, each) for each in _heads_of(case)])
        return alone + ball(case.parameters.output_bias) if case.term.use_output_bias else alone

    same(lambda: _value(of, case), expected, "the heads do not add up", case=case)


def key_bias_cancels(of: Apply, draw: Draw) -> None:
    """Without the bias of the key y is the same: it adds <Q_i, b_k> to every score of a query."""
    case = self_attention_case(draw, use_key_bias=True)
    without = case._replace(
        term=replace(case.term, use_key_bias=False), parameters=case.parameters.without(("key_bias",))
    )
    same(lambda: _value(of, case), lambda: _value(of, without), "the bias of the key shows", case=case)


def reverse_by_hand(of: Put, draw: Draw) -> None:
    """With dS = W * (dO Vᵀ - rowsum(W * dO Vᵀ)): dQ = dS K / sqrt(width), dK = dSᵀ Q / sqrt(width), dV = Wᵀ dO.

    Each head, each example; then the affine maps: dW_q = sum dQᵀ x, db_q = sum dQ, dx = dQ W_q + dK W_k + dV W_v.
    """
    case = self_attention_case(draw)
    cotangent = rational_array(draw, case.x.shape)

    def flattened() -> Ball:
        parameters, x = case.point()
        pulled, to_x = of(case.term, x, parameters, Tree(), Mode.TRAIN, None, ball(cotangent))
        return _flat([*pulled.leaves(), to_x])

    same(flattened, lambda: _flat(_pulled(case, ball(cotangent))), "the put differs", case=case, cotangent=cotangent)


def _value(of: Apply, case: SelfAttentionCase) -> Any:
    parameters, x = case.point()
    return of(case.term, x, parameters, Tree(), Mode.EVAL, None)[0]


def _expected(case: SelfAttentionCase) -> Ball:
    """One query of one head of one example after another; the affine maps in fractions."""
    p, width = case.parameters, case.term.inner() // case.term.heads
    weights = {name: entries(p[name]) for name in p}

    def image(name: str, x: Any) -> Any:
        return x @ weights[f"{name}_weight"].T + weights.get(f"{name}_bias", 0)

    def numbers(fractions: Any) -> Ball:
        return ball(fractions.tolist())

    rows: list[Any] = []
    for x in entries(case.x):
        q, k, v = image("query", x), image("key", x), image("value", x)
        for i in range(len(x)):
            seen = i + 1 if case.term.mask == "causal" else len(x)
            read = [numbers(weights.get("output_bias", np.zeros(case.term.features)))]
            for h in _slices(case.term):
                powers = exp(numbers(k[:seen, h] @ q[i, h]) / sqrt(ball(width)))
                values = numbers(v[:seen, h] @ weights["output_weight"][:, h].T)
                read.append((powers[:, None] * values).sum(axis=0) / powers.sum())
            rows.append(total(read))
    return stack(rows).reshape(case.x.shape)


def _slices(term: SelfAttention) -> Iterator[slice]:
    width = term.inner() // term.heads
    return (slice(h * width, (h + 1) * width) for h in range(term.heads))


def _affine(parameters: Tree, name: str, x: Any) -> Any:
    y = x @ parameters[f"{name}_weight"].T
    return y + parameters[f"{name}_bias"] if f"{name}_bias" in parameters else y


def _heads_of(case: SelfAttentionCase) -> Iterator[SelfAttentionCase]:
    """Each head as a layer of its own, without the bias of the output."""
    p, term = case.parameters, case.term
    alone = replace(term, heads=1, width=term.inner() // term.heads, use_output_bias=False)
    for h in _slices(term):
        leaves = {name: p[name][:, h] if name == "output_weight" else p[name][h] for name in alone.parameter_shapes()}
        yield SelfAttentionCase(alone, Tree(leaves), case.x)


def _flat(arrays: list[Any]) -> Ball:
    return concatenate([array.reshape((-1,)) for array in arrays])


def _pulled(case: SelfAttentionCase, cotangent: Ball) -> list[Any]:
    """Return the cotangents of the parameters, in order, and of x."""
    parameters, xs = case.point()
    pulled: dict[str, list[Any]] = {name: [] for name in parameters}
    to_x: list[Any] = []
    for b in range(xs.shape[0]):
        x, c = xs[b], cotangent[b]
        o, dq, dk, dv = _pulled_through_heads(case.term, parameters, x, c @ parameters.output_weight)
        for name, source, image in (("query", x, dq), ("key", x, dk), ("value", x, dv), ("output", o, c)):
            pulled[f"{name}_weight"].append(image.T @ source)
            pulled.get(f"{name}_bias", []).append(image.sum(axis=0))
        to_x.append(total([d @ parameters[f"{n}_weight"] for n, d in (("query", dq), ("key", dk), ("value", dv))]))
    return [*(total(pulled[name]) for name in parameters), stack(to_x)]


def _pulled_through_heads(term: SelfAttention, parameters: Tree, x: Any, c: Any) -> tuple[Any, Any, Any, Any]:
    """Return what all heads read, and the cotangents of queries, keys and values."""
    q, k, v = (_affine(parameters, name, x) for name in ("query", "key", "value"))
    root = sqrt(ball(term.inner() // term.heads))
    seen = np.tri(x.shape[0], dtype=np.bool_) if term.mask == "causal" else np.ones((x.shape[0],) * 2, np.bool_)
    parts: list[list[Any]] = [[], [], [], []]
    for h in _slices(term):
        powers = where(seen, exp(q[:, h] @ k[:, h].T / root), 0)
        weights = powers / powers.sum(axis=-1, keepdims=True)
        d = c[:, h] @ v[:, h].T
        ds = weights * (d - (weights * d).sum(axis=-1, keepdims=True))
        head = (weights @ v[:, h], ds @ k[:, h] / root, ds.T @ q[:, h] / root, weights.T @ c[:, h])
        for part, each in zip(parts, head, strict=True):
            part.append(each)
    o, dq, dk, dv = (concatenate(part, axis=1) for part in parts)
    return o, dq, dk, dv


VASWANI = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.2"

LAWS: tuple[Law[Any], ...] = (
    Law(
        "self-attention-head-by-head",
        "y_i = b_o + sum_h sum_j w_hij W_oh (W_vh x_j + b_vh), w_hij ~ exp(<Q_hi, K_hj> / sqrt(width))",
        VASWANI,
        Grade.ENCLOSED,
        apply,
        head_by_head,
        {
            "the other mask": planted.other_mask,
            "heads interleaved": planted.interleaved,
            "scaled by the features": planted.scaled_by_the_features,
            "queries and keys exchanged": planted.queries_and_keys_exchanged,
            "no bias of the query": planted.query_bias_dropped,
            "no bias of the output": planted.output_bias_dropped,
            "heads averaged": planted.heads_averaged,
            "masked after the softmax": planted.masked_after,
        },
    ),
    Law(
        "self-attention-of-permuted-positions",
        "f(P x) = P f(x) without a mask",
        "Lee et al. 2019, Set Transformer, arXiv:1810.00825, property 1",
        Grade.ENCLOSED,
        apply,
        permuted_positions,
        {"a mask that is not asked for": planted.other_mask, "positions added": planted.positions_added},
    ),
    Law(
        "self-attention-of-earlier-positions",
        "causal: the first k rows of y are determined by the first k rows of x",
        "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3",
        Grade.EXACT,
        apply,
        earlier_positions_alone,
        {"no mask": planted.other_mask, "masked after the softmax": planted.masked_after},
    ),
    Law(
        "self-attention-of-one-head",
        "of one head it is attention of the images of x",
        "Vaswani et al. 2017, arXiv:1706.03762, equation 1",
        Grade.ENCLOSED,
        apply,
        one_head,
        {"scaled by the features": planted.scaled_by_the_features, "the other mask": planted.other_mask},
    ),
    Law(
        "self-attention-heads-add-up",
        "y = b_o + the sum of what each head gives alone",
        VASWANI,
        Grade.ENCLOSED,
        apply,
        heads_add_up,
        {"heads interleaved": planted.interleaved, "heads averaged": planted.heads_averaged},
    ),
    Law(
        "self-attention-key-bias-cancels",
        "the bias of the key changes nothing",
        "the softmax is invariant under s -> s + c; Namazifar et al. 2023, arXiv:2302.08626",
        Grade.ENCLOSED,
        apply,
        key_bias_cancels,
        {"added to the values too": planted.key_bias_on_the_values},
    ),
    Law(
        "self-attention-reverse",
        "dQ = dS K / sqrt(width), dK = dSᵀ Q / sqrt(width), dV = Wᵀ dO, dS = W * (dO Vᵀ - rowsum(W * dO Vᵀ))",
        "Dao et al. 2022, arXiv:2205.14135, appendix B.2",
        Grade.ENCLOSED,
        put,
        reverse_by_hand,
        {
            "weights held constant": planted.weights_held_constant,
            "scale forgotten": planted.scale_forgotten,
            "the last example alone": planted.last_example_alone,
        },
    ),
)
