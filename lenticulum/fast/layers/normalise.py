"""What the normalisations share: two-pass statistics, and scale and shift by centre and variance."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.constants import constant
from lenticulum.fast.division import divide
from lenticulum.terms.exact import Number
from lenticulum.terms.tree import Tree


def mean_and_variance(
    x: Float[Array, "..."], axes: int | tuple[int, ...]
) -> tuple[Float[Array, "..."], Float[Array, "..."]]:
    """Return the mean and the population variance over some axes, which are kept with size one.

    Two passes: the one-pass form E[x^2] - mean^2 cancels where the mean is large.

    >>> [float(each[0]) for each in mean_and_variance(jnp.array([0.0, 2.0, 4.0, 6.0]), 0)]
    [3.0, 5.0]
    """
    mean = _mean(x, axes)
    return mean, _mean(jnp.square(x - mean), axes)


def standardise(
    x: Float[Array, "..."], mean: Float[Array, "..."], variance: Float[Array, "..."], epsilon: Number
) -> Float[Array, "..."]:
    """Return (x - mean) / sqrt(variance + epsilon). Mean and variance have the rank of x.

    >>> standardise(jnp.array([1.0, 3.0]), jnp.array([2.0]), jnp.array([1.0]), 3).tolist()
    [-0.5, 0.5]
    """
    return divide(x - mean, jnp.sqrt(variance + constant(epsilon, x.dtype, "epsilon")))


def affine(parameters: Tree, x: Float[Array, "..."], *, use_weight: bool, use_bias: bool) -> Float[Array, "..."]:
    """Return weight * x + bias along the last axis, as far as its halves are used.

    >>> affine(Tree(bias=jnp.array([1.0])), jnp.array([[2.0]]), use_weight=False, use_bias=True).tolist()
    [[3.0]]
    """
    if use_weight:
        x = x * jnp.broadcast_to(parameters.weight, x.shape)
    if use_bias:
        x = x + jnp.broadcast_to(parameters.bias, x.shape)
    return x


def _mean(x: Array, axes: int | tuple[int, ...]) -> Array:
    total = jnp.sum(x, axis=axes, keepdims=True)
    return divide(total, constant(x.size // total.size, x.dtype, "number of entries"))
