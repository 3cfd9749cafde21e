"""Functions for benchmarks/accuracy_arrays.py: of torch, with signatures, and planted ones that ignore their data."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import torch  # pyright: ignore[reportMissingImports]


def torch_attention(query: Any, key: Any, value: Any) -> Any:
    """Return softmax(query keyᵀ / sqrt(width)) value."""
    return torch.nn.functional.scaled_dot_product_attention(query, key, value)


def torch_product(x: Any, y: Any) -> Any:
    """Return the product of two matrices."""
    return torch.matmul(x, y)


def torch_variance(x: Any) -> Any:
    """Return the sample variance along the last axis."""
    return torch.var(x, dim=-1)


def uniform(x: Any) -> Any:
    """Return 1/n along the last axis."""
    return jnp.full_like(x, 1 / x.shape[-1])


def only_bias(x: Any, weight: Any, bias: Any) -> Any:
    """Return the bias of a layer norm."""
    del weight
    return jnp.broadcast_to(bias, x.shape)


def mean_of_values(query: Any, key: Any, value: Any) -> Any:
    """Return for each query the mean of all values [..., heads, keys, width]; consecutive queries share one."""
    del key
    mean = jnp.mean(value, axis=-2, keepdims=True, dtype=jnp.float32).astype(value.dtype)
    groups = query.shape[-3] // value.shape[-3]
    return jnp.broadcast_to(jnp.repeat(mean, groups, axis=-3), (*query.shape[:-1], value.shape[-1]))


def log_of_classes(prediction: Any, label: Any) -> Any:
    """Return the cross-entropy of the prediction that all classes are equally likely."""
    return jnp.full(label.shape, jnp.log(prediction.shape[-1]), prediction.dtype)


def zeros_of_matrices(x: Any, y: Any) -> Any:
    """Return zeros of the shape of a product."""
    return jnp.zeros_like(jnp.matmul(x, y))


def zeros_of_rows(x: Any) -> Any:
    """Return a zero for each row."""
    return jnp.zeros_like(x[..., 0])
