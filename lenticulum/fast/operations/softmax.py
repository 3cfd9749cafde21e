"""Log-sum-exp and its relatives."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from lenticulum.fast.constants import constant
from lenticulum.fast.meaning import meaning
from lenticulum.terms.exact import Number
from lenticulum.terms.operations import Glu, LogSoftmax, LogSumExp, Standardize
from lenticulum.terms.operations.axes import Axes


@meaning(LogSumExp)
def logsumexp(
    x: Float[Array, "..."],
    b: Float[Array, "..."] | None = None,
    where: Bool[Array, "..."] | None = None,
    *,
    axis: Axes,
    keepdims: bool,
) -> Float[Array, "..."]:
    """Return the logarithm of a weighted sum of exponentials along axes.

    y = m + log sum b exp(x - m), m the largest entry that is allowed, or 0 where that is infinite.

    Arguments: `b`: weights that broadcast against x; `where`: the entries that take part.
    Returns: an array without the axes, or with size 1 in them; NaN where the weighted sum is negative, -inf where
    nothing is allowed.
    Source: Blanchard, Higham and Higham 2021, Accurately computing the log-sum-exp and softmax functions.

    >>> f"{logsumexp(jnp.array([1000.0, 1000.0]), axis=None, keepdims=False):.3f}"
    '1000.693'
    """
    x = x if where is None else jnp.where(where, x, -jnp.inf)
    largest = jnp.max(x, axis=axis, keepdims=True)
    shift = jnp.where(jnp.isfinite(largest), largest, 0)
    powers = jnp.exp(x - shift)
    total = jnp.sum(powers if b is None else b * powers, axis=axis, keepdims=keepdims)
    return jnp.log(total) + shift.reshape(total.shape)


@meaning(LogSoftmax)
def log_softmax(x: Float[Array, "..."], *, axis: int) -> Float[Array, "..."]:
    """Return the logarithms of the softmax along an axis: (x_i - m) - log sum_j exp(x_j - m), m the largest entry.

    >>> log_softmax(jnp.array([1000.0, 0.0]), axis=-1).tolist()
    [0.0, -1000.0]
    """
    shifted = x - jax.lax.stop_gradient(jnp.max(x, axis=axis, keepdims=True))
    return shifted - jnp.log(jnp.sum(jnp.exp(shifted), axis=axis, keepdims=True))


@meaning(Standardize)
def standardize(x: Float[Array, "..."], *, axis: Axes, epsilon: Number) -> Float[Array, "..."]:
    """Return x with mean 0 and variance 1 along axes: (x - mean) / sqrt(var + epsilon), the variance in two passes.

    >>> standardize(jnp.array([1.0, 3.0]), axis=-1, epsilon="1e-12").tolist()
    [-1.0, 1.0]
    """
    deviation = x - jnp.mean(x, axis=axis, keepdims=True)
    variance = jnp.mean(jnp.square(deviation), axis=axis, keepdims=True)
    return deviation * jax.lax.rsqrt(variance + constant(epsilon, x.dtype, "epsilon"))


@meaning(Glu)
def glu(x: Float[Array, "..."], *, axis: int) -> Float[Array, "..."]:
    """Return the first half of x along an axis times the sigmoid of the second half.

    Source: Dauphin et al. 2017, arXiv:1612.08083, equation 1. Raises: ValueError for an odd number of entries.

    >>> glu(jnp.array([2.0, 0.0]), axis=-1).tolist()
    [1.0]
    """
    if x.shape[axis] % 2:
        raise ValueError(f"x has {x.shape[axis]} entries along axis {axis}; expected an even number, to halve it")
    values, gates = jnp.split(x, 2, axis=axis)
    return values * jax.nn.sigmoid(gates)
