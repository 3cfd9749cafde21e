"""What the normalisations share: two-pass statistics, and scale and shift by centre and variance."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.constants import constant
from lenticulum.fast.division import divide
from lenticulum.terms.exact import Number
from lenticulum.terms.tree import Tree


def moments(
    x: Float[Array, "..."], axes: int | tuple[int, ...]
) -> tuple[Float[Array, "..."], Float[Array, "..."], Float[Array, "..."]]:
    """Return the mean, x - mean, and the population variance over some axes, which the first and last keep as size one.

    Two passes: the one-pass form E[x^2] - mean^2 cancels where the mean is large. The deviation is returned because a
    second subtraction would be a second path of the reverse derivative, with sums of its own.

    >>> mean, deviation, variance = moments(jnp.array([0.0, 2.0, 4.0, 6.0]), 0)
    >>> float(mean[0]), deviation.tolist(), float(variance[0])
    (3.0, [-3.0, -1.0, 1.0, 3.0], 5.0)
    """
    mean = _mean(x, axes)
    deviation = x - mean
    return mean, deviation, _mean(jnp.square(deviation), axes)


def standardise(deviation: Float[Array, "..."], variance: Float[Array, "..."], epsilon: Number) -> Float[Array, "..."]:
    """Return deviation / sqrt(variance + epsilon). Both have one rank.

    >>> standardise(jnp.array([-1.0, 1.0]), jnp.array([1.0]), 3).tolist()
    [-0.5, 0.5]
    """
    return divide(deviation, jnp.sqrt(variance + constant(epsilon, deviation.dtype, "epsilon")))


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
