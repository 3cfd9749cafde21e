"""Public kernels of reductions and normalisations, broken copies of them, and a sweep that prints verdicts as JSON."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import equinox
import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from lenticulum.check import examine

SEEDS = 3


@dataclass(frozen=True)
class Kernel:
    """A kernel, the definition it is held to, the kind of finding where it is broken, and its stratum if special."""

    subject: Any
    spec: str
    kind: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        name = getattr(self.subject, "__name__", type(self.subject).__name__)
        return f"{self.subject.__module__.split('.')[0]} {name} {self.spec} {self.options or ''}".strip()


def einsum_of(equation: str) -> Callable[..., Array]:
    """Return the einsum of one equation."""

    def einsum(x: Array, y: Array) -> Array:
        return jnp.einsum(equation, x, y)

    return einsum


def affine(y: Array, weight: Array | None, bias: Array | None, place: int) -> Array:
    """Scale and shift along an axis."""
    shape = (1,) * place + (-1,) + (1,) * (y.ndim - place - 1)
    y = y if weight is None else y * weight.reshape(shape)
    return y if bias is None else y + bias.reshape(shape)


def rms_norm(x: Array, weight: Array | None = None, bias: Array | None = None, epsilon: float = 1e-5) -> Array:
    """Scale by the reciprocal root."""
    y = x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + epsilon)
    return affine(y, weight, bias, x.ndim - 1)


def rms_norm_centred(x: Array, weight: Array | None = None, bias: Array | None = None) -> Array:
    """Subtract the mean."""
    return rms_norm(x - jnp.mean(x, axis=-1, keepdims=True), weight, bias)


def rms_norm_outside(x: Array, weight: Array | None = None, bias: Array | None = None) -> Array:
    """Add epsilon to the root."""
    y = x / (jnp.sqrt(jnp.mean(x * x, axis=-1, keepdims=True)) + 1e-5)
    return affine(y, weight, bias, x.ndim - 1)


def rms_norm_epsilon(x: Array, weight: Array | None = None, bias: Array | None = None) -> Array:
    """Take another epsilon."""
    return rms_norm(x, weight, bias, epsilon=1e-6)


def rms_norm_middle(x: Array, weight: Array | None = None, bias: Array | None = None) -> Array:
    """Average over axis 1, which of a matrix is the last."""
    y = x * jax.lax.rsqrt(jnp.mean(x * x, axis=1, keepdims=True) + 1e-5)
    return affine(y, weight, bias, x.ndim - 1)


def group_norm(
    x: Array, weight: Array | None = None, bias: Array | None = None, ddof: int = 0, epsilon: float = 1e-5
) -> Array:
    """Normalise blocks of channels."""
    blocks = x.reshape(x.shape[0], 2, -1)
    mean, variance = (f(blocks, axis=2, keepdims=True) for f in (jnp.mean, partial(jnp.var, ddof=ddof)))
    return affine(((blocks - mean) * jax.lax.rsqrt(variance + epsilon)).reshape(x.shape), weight, bias, 1)


def group_norm_sample(x: Array, weight: Array | None = None, bias: Array | None = None) -> Array:
    """Divide by n - 1."""
    return group_norm(x, weight, bias, ddof=1)


def group_norm_interleaved(x: Array, weight: Array | None = None, bias: Array | None = None) -> Array:
    """Take every second channel together."""
    order = np.argsort(np.arange(x.shape[1]) % 2, kind="stable")
    return affine(group_norm(x[:, order])[:, np.argsort(order)], weight, bias, 1)


def instance_norm_over_the_batch(x: Array, weight: Array | None = None, bias: Array | None = None) -> Array:
    """Average over the batch too."""
    axes = (0, *range(2, x.ndim))
    y = (x - x.mean(axes, keepdims=True)) * jax.lax.rsqrt(x.var(axes, keepdims=True) + 1e-5)
    return affine(y, weight, bias, 1)


def clamped(x: Array) -> Array:
    """Divide by the root of the larger square."""
    return x * jax.lax.rsqrt(jnp.maximum(jnp.sum(x * x, axis=-1, keepdims=True), 1e-12))


def variance_in_one_pass(x: Array) -> Array:
    """E[x²] - E[x]²."""
    return jnp.mean(x * x, axis=-1) - jnp.mean(x, axis=-1) ** 2


def mean_of_all(x: Array) -> Array:
    """Divide by the number of all entries."""
    return jnp.sum(x, axis=0) / x.size


def sum_in_bfloat16(x: Array) -> Array:
    """Accumulate in another format."""
    return jnp.sum(x.astype(jnp.bfloat16), axis=-1).astype(x.dtype)


def exclusive(x: Array) -> Array:
    """Leave the last summand out."""
    return jnp.cumsum(x, axis=0) - x


def root_mean_square(x: Array) -> Array:
    """Take the mean for the sum."""
    return jnp.sqrt(jnp.mean(x * x, axis=-1))


def largest_entry(x: Array) -> Array:
    """Forget the absolute value."""
    return jnp.max(x, axis=-1)


def matmul_of_rows(x: Array, y: Array) -> Array:
    """Transpose the right operand where it is square."""
    return jnp.matmul(x, y.swapaxes(-1, -2) if y.ndim > 1 and y.shape[-1] == y.shape[-2] else y)


def matmul_in_bfloat16(x: Array, y: Array) -> Array:
    """Round the operands first."""
    return jnp.matmul(x.astype(jnp.bfloat16), y.astype(jnp.bfloat16), preferred_element_type=x.dtype)


def dot_without_the_last(x: Array, y: Array) -> Array:
    """Leave the last product out of sums of several."""
    return jnp.dot(x[:-1], y[:-1]) if x.size > 1 else jnp.dot(x, y)


DDOF = {"bind": {"ddof": 1}}
ORDER = {"bind": {"ord": 1}}
BATCHED = 'einsum:equation="bij,kj->bik"'

GOOD = [
    Kernel(jnp.sum, "sum:axis=[0,-1],keepdims=true"),
    Kernel(jnp.mean, "mean:axis=-1"),
    Kernel(jnp.prod, "product:axis=1"),
    Kernel(jnp.var, "variance:axis=-1,estimate=sample", options=DDOF),
    Kernel(jax.lax.cumsum, "cumsum:axis=0"),
    Kernel(jnp.linalg.norm, "norm:axis=-1"),
    Kernel(jnp.linalg.norm, "norm:axis=0,order=1", options=ORDER),
    Kernel(jnp.dot, "dot"),
    Kernel(jnp.matmul, "matmul"),
    Kernel(einsum_of("ij,jk->ik"), "einsum"),
    Kernel(einsum_of("bij,kj->bik"), BATCHED),
    Kernel(np.dot, "dot"),
    Kernel(equinox.nn.RMSNorm, "rms_norm"),
    Kernel(equinox.nn.GroupNorm, "group_norm"),
    Kernel(equinox.nn.RMSNorm(5, use_bias=False), "rms_norm"),
    Kernel(clamped, "l2_normalize:epsilon_at=maximum_square"),
]

BROKEN = [
    Kernel(jnp.var, "variance:axis=0", "formula", DDOF),
    Kernel(variance_in_one_pass, "variance:axis=-1", "rounding"),
    Kernel(mean_of_all, "mean:axis=0", "formula"),
    Kernel(sum_in_bfloat16, "sum:axis=-1", "formula"),
    Kernel(jnp.sum, "sum:axis=0", "type", {"bind": {"axis": -1}}),
    Kernel(exclusive, "cumsum:axis=0", "formula"),
    Kernel(root_mean_square, "norm:axis=-1", "formula"),
    Kernel(largest_entry, "norm:axis=-1,order=infinity", "formula"),
    Kernel(matmul_of_rows, "matmul", "formula"),
    Kernel(matmul_in_bfloat16, "matmul", "formula"),
    Kernel(dot_without_the_last, "dot", "formula"),
    Kernel(einsum_of("bij,kj->ikb"), BATCHED, "type"),
    Kernel(rms_norm_centred, "rms_norm", "formula"),
    Kernel(rms_norm_outside, "rms_norm", "formula"),
    Kernel(rms_norm_epsilon, "rms_norm", "formula"),
    Kernel(rms_norm_middle, "rms_norm", "formula"),
    Kernel(group_norm_sample, "group_norm", "formula"),
    Kernel(group_norm_interleaved, "group_norm", "formula"),
    Kernel(instance_norm_over_the_batch, "instance_norm", "formula"),
    Kernel(clamped, "l2_normalize", "formula"),
]


def of_torch() -> dict[str, list[Kernel]]:
    """Return the kernels of PyTorch: those that conform, and those with a known finding."""
    import torch
    from torch.nn import functional

    def rms(x: Any, weight: Any = None, epsilon: float = 1e-5) -> Any:
        return functional.rms_norm(x, x.shape[-1:], weight, epsilon)

    def group(x: Any, weight: Any = None, bias: Any = None, epsilon: float = 1e-5) -> Any:
        return functional.group_norm(x, 2, weight, bias, epsilon)

    def instance(x: Any, weight: Any = None, bias: Any = None, epsilon: float = 1e-5) -> Any:
        return functional.instance_norm(x, weight=weight, bias=bias, eps=epsilon)

    def reduced(function: Any) -> Any:
        def reduction(x: Any, axis: Any, keepdims: bool) -> Any:
            return function(x, dim=axis, keepdim=keepdims)

        return reduction

    good = [
        Kernel(reduced(torch.sum), "sum:axis=0"),
        Kernel(reduced(torch.mean), "mean:axis=-1"),
        Kernel(reduced(torch.var), "variance:axis=-1,estimate=sample"),
        Kernel(reduced(torch.prod), "product:axis=0"),
        Kernel(lambda x, axis: torch.cumsum(x, axis), "cumsum:axis=-1"),
        Kernel(lambda x, y: torch.matmul(x, y), "matmul"),
        Kernel(lambda x, y: torch.einsum("bij,kj->bik", x, y), BATCHED),
        Kernel(rms, "rms_norm"),
        Kernel(group, "group_norm"),
        Kernel(instance, "instance_norm"),
        Kernel(functional.normalize, "l2_normalize:axis=1"),
    ]
    # Where subnormal numbers are kept, the squares of some underflow, and their norm is 0 for a normal number.
    known = [
        Kernel(reduced(torch.linalg.vector_norm), "norm:axis=-1", "rounding"),
        Kernel(reduced(torch.var), "variance:axis=-1", "formula"),
    ]
    return {"good": good, "known": known}


def sweep(kernels: list[Kernel], seeds: int) -> list[list[dict[str, Any]]]:
    """Return verdict, kind, stratum, number of entries that a criterion carried and witness, by kernel and seed."""
    return [
        [
            {
                "verdict": result.verdict,
                "kind": result.kind,
                "stratum": result.finding and result.finding.stratum,
                "carried": sum(result.carried.values()),
                "witness": result.witness and result.witness.code,
            }
            for result in (examine(each.subject, each.spec, seed=seed, **each.options) for seed in range(seeds))
        ]
        for each in kernels
    ]


if __name__ == "__main__":
    groups = of_torch() if sys.argv[1] == "torch" else {"good": GOOD, "broken": BROKEN}
    print(json.dumps({name: sweep(kernels, int(sys.argv[2])) for name, kernels in groups.items()}))
