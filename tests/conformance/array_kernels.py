"""Kernels of public libraries for convolution, pooling, positions and attention, and broken copies of them."""

import json
import sys
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from equinox.nn import _attention as equinox_attention
from jax import lax

from lenticulum.check import examine

STRIDE, PADDING = (2, 1), ((1, 1), (0, 2))
CHANNELS = {"in_channels": 4, "out_channels": 6, "kernel_size": [3, 2]}
FIELDS = {"stride": STRIDE, "padding": PADDING, "dilation": (1, 2), "groups": 2}
POOL = {"kernel_size": (2, 3), "stride": (2, 1), "padding": ((1, 0), (1, 1))}


def lax_conv_transpose(x: Any, weight: Any, bias: Any = None) -> Any:
    """jax.lax.conv_transpose with explicit padding: that of the spread input, dilation (window - 1) - padding."""
    padding = [(k - 1 - before, k - 1 - after) for k, (before, after) in zip(weight.shape[2:], PADDING, strict=True)]
    y = lax.conv_transpose(x, weight, STRIDE, padding, dimension_numbers=("NCHW", "OIHW", "NCHW"))
    return y if bias is None else y + jnp.broadcast_to(bias[:, None, None], y.shape)


def equinox_heads(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    """The attention inside equinox.nn.MultiheadAttention, mapped over examples and heads."""
    attend = equinox_attention.dot_product_attention
    if mask is None:
        return jax.vmap(jax.vmap(attend))(query, key, value)
    mask = jnp.broadcast_to(mask, (*query.shape[:-1], key.shape[-2]))
    return jax.vmap(jax.vmap(attend))(query, key, value, mask)


def conv_reversed(x: Any, weight: Any) -> Any:
    """Reverse the kernel."""
    return lax.conv_general_dilated(x, weight[:, :, ::-1, ::-1], (1, 1), "VALID")


def conv_one_pad(x: Any, weight: Any) -> Any:
    """Pad before only."""
    return lax.conv_general_dilated(x, weight, (1, 1), ((2, 0), (2, 0)))


def conv_half(x: Any, weight: Any) -> Any:
    """Add up in bfloat16."""
    y = lax.conv_general_dilated(x.astype(jnp.bfloat16), weight.astype(jnp.bfloat16), (1, 1), "VALID")
    return y.astype(x.dtype)


def max_of_zeros(x: Any) -> Any:
    """Pad with zeros."""
    x = jnp.pad(x, ((0, 0), (1, 0), (1, 1)))
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 3), (1, 2, 1), "VALID")


@jax.custom_vjp
def max_to_the_last(x: Any) -> Any:
    """Have a derivative that flows to the last of equals."""
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2), (1, 2), "VALID")


def _max_reversed(x: Any) -> Any:
    return lax.reduce_window(x[:, ::-1], -jnp.inf, lax.max, (1, 2), (1, 2), "VALID")[:, ::-1]


max_to_the_last.defvjp(lambda x: (max_to_the_last(x), x), lambda x, g: jax.vjp(_max_reversed, x)[1](g))


def rope_sign(x: Any) -> Any:
    """Turn the other way."""
    half = x.shape[-1] // 2
    rates = 1 / 10_000 ** (jnp.arange(half) / half)
    angles = jnp.outer(jnp.arange(x.shape[-2], dtype=x.dtype), rates)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * jnp.cos(angles) + b * jnp.sin(angles), b * jnp.cos(angles) - a * jnp.sin(angles)], -1)


def rows_of_the_transpose(ids: Any, weight: Any) -> Any:
    """Count ids from 1."""
    return weight[jnp.maximum(ids - 1, 0)]


def _scores(query: Any, key: Any) -> Any:
    return jnp.einsum("...qd,...kd->...qk", query, key) / jnp.sqrt(jnp.asarray(query.shape[-1], query.dtype))


def unscaled(query: Any, key: Any, value: Any) -> Any:
    """Leave the scale out."""
    return jax.nn.softmax(jnp.einsum("...qd,...kd->...qk", query, key)) @ value


def strictly_causal(query: Any, key: Any, value: Any) -> Any:
    """Leave the diagonal out."""
    seen = jnp.tri(query.shape[-2], key.shape[-2], -1, dtype=bool)
    weights = jax.nn.softmax(jnp.where(seen, _scores(query, key), -jnp.inf))
    return jnp.where(seen.any(-1)[:, None], weights, 0) @ value


def penalised(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    """Lower the scores of blocked keys by 16."""
    scores = _scores(query, key)
    return jax.nn.softmax(scores if mask is None else scores - 16.0 * ~mask) @ value


CONV = "stride=[2,1],padding=[[1,1],[0,2]],dilation=[1,2],groups=2"
POOLS = "window=[2,3],stride=[2,1],padding=[[1,0],[1,1]]"
LAX: dict[str, Any] = {"roles": {"x": "lhs", "weight": "rhs"}}

#: (kernel, definition, options of the check).
GOOD: list[tuple[Any, str, dict[str, Any]]] = [
    (lax.conv_general_dilated, f"convolution:{CONV}", LAX),
    (lax.conv_general_dilated, "convolution:stride=2,padding=[[1,0]]", LAX),
    (lax.conv_general_dilated, "convolution:stride=[2,1,1],padding=[[1,0],[0,0],[0,1]],dilation=[1,1,2]", LAX),
    (eqx.nn.Conv2d, "convolution", {"make": {**CHANNELS, **FIELDS}}),
    (
        eqx.nn.Conv1d,
        "convolution",
        {"make": {"in_channels": 2, "out_channels": 3, "kernel_size": 3, "use_bias": False}},
    ),
    (
        eqx.nn.ConvTranspose2d,
        "transposed_convolution:kernel=direct",
        {"make": {**CHANNELS, **FIELDS, "output_padding": [1, 0]}},
    ),
    (lax_conv_transpose, "transposed_convolution:stride=[2,1],padding=[[1,1],[0,2]],kernel=direct", {}),
    (eqx.nn.MaxPool2d, "max_pool", {"make": POOL}),
    (eqx.nn.AvgPool2d(**POOL), "average_pool", {}),
    (eqx.nn.AdaptiveAvgPool2d, "adaptive_average_pool:bins=split", {"make": {"target_shape": [2, 3]}}),
    (eqx.nn.Embedding, "embedding", {"make": {"num_embeddings": 4, "embedding_size": 6}}),
    (eqx.nn.RotaryPositionalEmbedding(6), "rotary_positions:layout=half", {}),
    (equinox_heads, "attention:blocked=uniform", {}),
    (
        jax.nn.dot_product_attention,
        "attention:heads=last,blocked=uniform,causal=start",
        {"bind": {"is_causal": True, "scale": None}},
    ),
]

#: (kernel, definition, kind of the finding).
BROKEN: list[tuple[Any, str, str]] = [
    (conv_reversed, "convolution", "formula"),
    (conv_one_pad, "convolution:padding=[[1,1],[1,1]]", "formula"),
    (conv_half, "convolution", "formula"),
    (eqx.nn.AdaptiveAvgPool2d((2, 3)), "adaptive_average_pool", "formula"),
    (max_of_zeros, f"max_pool:{POOLS}", "formula"),
    (max_to_the_last, "max_pool:window=[2],stride=2", "derivative"),
    (eqx.nn.AvgPool2d(**POOL), "average_pool:divisor=inside", "formula"),
    (rows_of_the_transpose, "embedding", "formula"),
    (rope_sign, "rotary_positions:layout=half", "formula"),
    (unscaled, "attention", "formula"),
    (strictly_causal, "attention:causal=start", "formula"),
    (penalised, "attention", "formula"),
]


def sweep(seeds: int) -> dict[str, list[list[dict[str, Any]]]]:
    """Return, for each kernel and seed, the verdict, the entries that a criterion carried, and the witness."""
    return {
        "good": [
            [_facts(examine(subject, spec, seed=seed, **options)) for seed in range(seeds)]
            for subject, spec, options in GOOD
        ],
        "broken": [[_facts(examine(subject, spec, seed=seed)) for seed in range(seeds)] for subject, spec, _ in BROKEN],
    }


def _facts(result: Any) -> dict[str, Any]:
    return {
        "verdict": result.verdict,
        "kind": result.kind,
        "carried": sum(result.carried.values()),
        "witness": result.witness and result.witness.code,
        "text": str(result),
    }


if __name__ == "__main__":
    print(json.dumps(sweep(int(sys.argv[1]))))
