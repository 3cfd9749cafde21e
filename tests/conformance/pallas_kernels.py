"""Row kernels in Pallas, interpreted on the processor: softmax, layer norm and matmul, and broken copies."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array
from jax.experimental import pallas as pl


def by_rows(body: Callable[..., None], x: Array, *whole: Array) -> Array:
    """Run a kernel once for each row of x, beside arrays that every row reads whole."""
    row = pl.BlockSpec((1, x.shape[1]), lambda i: (i, 0))
    every = [pl.BlockSpec(array.shape, lambda i, axes=array.ndim: (0,) * axes) for array in whole]
    return pl.pallas_call(
        body,
        grid=(x.shape[0],),
        in_specs=[row, *every],
        out_specs=row,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        interpret=True,
    )(x, *whole)


def _softmax(x: Any, y: Any, *, shift: bool = True, sums: Any = None) -> None:
    e = jnp.exp(x[...] - jnp.max(x[...], axis=-1, keepdims=True) if shift else x[...])
    y[...] = e / jnp.sum(e.astype(sums or e.dtype), axis=-1, keepdims=True).astype(e.dtype)


def softmax(x: Array) -> Array:
    """The exponentials of a shifted row, divided by their sum."""
    return by_rows(_softmax, x)


def softmax_without_shift(x: Array) -> Array:
    """Overflow."""
    return by_rows(partial(_softmax, shift=False), x)


def softmax_sums_in_bfloat16(x: Array) -> Array:
    """Add up in another format."""
    return by_rows(partial(_softmax, sums=jnp.bfloat16), x)


def softmax_of_columns(x: Array) -> Array:
    """Take the blocks along the other axis."""
    return by_rows(_softmax, x.T).T


def _layer_norm(x: Any, weight: Any, bias: Any, y: Any, *, epsilon: float, outside: bool = False) -> None:
    centred = x[...] - jnp.mean(x[...], axis=-1, keepdims=True)
    variance = jnp.mean(centred * centred, axis=-1, keepdims=True)
    root = jnp.sqrt(variance) + epsilon if outside else jnp.sqrt(variance + epsilon)
    y[...] = centred / root * weight[...][None] + bias[...][None]


def layer_norm(x: Array, weight: Array, bias: Array, *, epsilon: float) -> Array:
    """Centre a row, and scale it by the root of its variance."""
    return by_rows(partial(_layer_norm, epsilon=epsilon), x, weight, bias)


def layer_norm_epsilon_outside(x: Array, weight: Array, bias: Array, *, epsilon: float) -> Array:
    """Add epsilon to the root."""
    return by_rows(partial(_layer_norm, epsilon=epsilon, outside=True), x, weight, bias)


def _matmul(x: Any, y: Any, value: Any, *, wide: bool = True) -> None:
    left, right = (x[...], y[...]) if wide else (x[...].astype(jnp.bfloat16), y[...].astype(jnp.bfloat16))
    value[...] = jnp.dot(left, right, precision="highest").astype(value.dtype)


def matmul(x: Array, y: Array, *, wide: bool = True) -> Array:
    """One block for the whole product."""
    return pl.pallas_call(
        partial(_matmul, wide=wide), out_shape=jax.ShapeDtypeStruct((x.shape[0], y.shape[1]), x.dtype), interpret=True
    )(x, y)


def matmul_in_bfloat16(x: Array, y: Array) -> Array:
    """Multiply and add up in another format."""
    return matmul(x, y, wide=False)
