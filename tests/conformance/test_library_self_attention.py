"""Multi-head self-attention of Equinox and of jax.nn is the layer; broken copies and other conventions are not."""

import equinox as eqx
import jax
import jax.numpy as jnp
import pytest

from lenticulum.check import CallError, check

BIASES = {f"use_{name}_bias": True for name in ("query", "key", "value", "output")}


def heads(y, number=2):
    return y.reshape(*y.shape[:-1], number, -1)


def of_jax(x, query_weight, key_weight, value_weight, output_weight, *, is_causal=False):
    q, k, v = (heads(x @ weight.T) for weight in (query_weight, key_weight, value_weight))
    y = jax.nn.dot_product_attention(q, k, v, is_causal=is_causal)
    return y.reshape(*x.shape[:-1], -1) @ output_weight.T


def of_jax_causal(x, query_weight, key_weight, value_weight, output_weight):
    return of_jax(x, query_weight, key_weight, value_weight, output_weight, is_causal=True)


def unshifted(x, query_weight, key_weight, value_weight, output_weight):
    q, k, v = (heads(x @ weight.T) for weight in (query_weight, key_weight, value_weight))
    powers = jnp.exp(jnp.einsum("...qhd,...khd->...hqk", q, k) / jnp.sqrt(jnp.float32(q.shape[-1])))
    weights = powers / jnp.broadcast_to(powers.sum(-1, keepdims=True), powers.shape)
    return jnp.einsum("...hqk,...khd->...qhd", weights, v).reshape(*x.shape[:-1], -1) @ output_weight.T


SIZES = {"num_heads": 2, "query_size": 4}


@pytest.mark.parametrize(
    ("subject", "definition", "make"),
    [
        (eqx.nn.MultiheadAttention, "self_attention", SIZES),
        (eqx.nn.MultiheadAttention, "self_attention:mask=causal", {"num_heads": 3, "query_size": 6, **BIASES}),
        (of_jax_causal, "self_attention:mask=causal", {}),
    ],
)
def test_the_libraries_conform(subject, definition, make):
    result = check(subject, definition, make=make)
    assert result.verdict == "conforms", str(result)


def test_a_broken_copy_differs():
    result = check(unshifted, "self_attention")
    assert (result.verdict, result.kind) == ("differs", "special-value"), str(result)


def test_another_mask_is_named():
    result = check(of_jax_causal, "self_attention")
    assert result.verdict == "differs"
    assert "it matches self_attention:mask=causal" in str(result)


def test_a_module_of_another_make_is_refused():
    with pytest.raises(CallError, match="Linear has no query_size: it is not made like equinox.nn.MultiheadAttention"):
        check(eqx.nn.Linear, "self_attention", make={"in_features": 3, "out_features": 2})
