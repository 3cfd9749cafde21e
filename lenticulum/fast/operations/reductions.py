"""Sums, means, variances and norms over axes, and running sums."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.constants import constant
from lenticulum.fast.division import divide
from lenticulum.fast.meaning import meaning
from lenticulum.terms.operations import CumulativeSum, Mean, Norm, Product, Sum, Variance
from lenticulum.terms.operations.axes import Axes, places, reduced


@meaning(Sum)
def sum(x: Float[Array, "..."], *, axis: Axes, keepdims: bool) -> Float[Array, "..."]:
    """Return the sum of x over `axis`, accumulated in the format of x or a wider one.

    >>> sum(jnp.array([[1.0, 2.0], [3.0, 4.0]]), axis=0, keepdims=False).tolist()
    [4.0, 6.0]
    """
    return jnp.sum(x, axis=axis, keepdims=keepdims)


@meaning(Mean)
def mean(x: Float[Array, "..."], *, axis: Axes, keepdims: bool) -> Float[Array, "..."]:
    """Return the sum of x over `axis`, divided once by the number of summands.

    Raises: ValueError where there is none.

    >>> float(mean(jnp.array([1.0, 2.0, 6.0]), axis=None, keepdims=False))
    3.0
    """
    return _divided(jnp.sum(x, axis=axis, keepdims=True), x, reduced(x.shape, axis), axis, keepdims)


@meaning(Product)
def product(x: Float[Array, "..."], *, axis: Axes, keepdims: bool) -> Float[Array, "..."]:
    """Return the product of x over `axis`.

    >>> float(product(jnp.array([2.0, 3.0, 4.0]), axis=None, keepdims=False))
    24.0
    """
    return jnp.prod(x, axis=axis, keepdims=keepdims)


@meaning(Variance)
def variance(x: Float[Array, "..."], *, axis: Axes, keepdims: bool, estimate: str) -> Float[Array, "..."]:
    """Return the sum of (x - mean)² over `axis`, divided by n, or by n - 1 for the estimate of a sample.

    Two passes: the one-pass form E[x²] - mean² cancels where the mean is large.
    Raises: ValueError where the divisor is not positive.

    >>> float(variance(jnp.array([1.0, 2.0, 6.0]), axis=None, keepdims=False, estimate="sample"))
    7.0
    """
    deviation = x - jnp.broadcast_to(mean(x, axis=axis, keepdims=True), x.shape)
    divisor = reduced(x.shape, axis) - (estimate == "sample")
    return _divided(jnp.sum(jnp.square(deviation), axis=axis, keepdims=True), x, divisor, axis, keepdims)


@meaning(CumulativeSum)
def cumsum(x: Float[Array, "..."], *, axis: int | None) -> Float[Array, "..."]:
    """Return the running sums along `axis`, by a parallel scan; None takes all entries in row-major order.

    >>> cumsum(jnp.array([1.0, 2.0, 3.0]), axis=0).tolist()
    [1.0, 3.0, 6.0]
    """
    if axis is None:
        return jax.lax.associative_scan(jnp.add, x.ravel())
    return jax.lax.associative_scan(jnp.add, x, axis=axis % x.ndim)


@meaning(Norm)
def norm(x: Float[Array, "..."], *, order: str, axis: Axes, keepdims: bool) -> Float[Array, "..."]:
    """Return sum |x|, sqrt(sum x²) or max |x| over `axis`.

    The derivative is 0, not NaN, where the norm is 0, and of the largest entry where two are largest.

    >>> x = jnp.array([3.0, -4.0])
    >>> [float(norm(x, order=order, axis=None, keepdims=False)) for order in ("1", "2", "infinity")]
    [7.0, 5.0, 4.0]
    """
    if order == "1":
        # Of abs alone the derivative at 0 is 1.
        return jnp.sum(jnp.where(x == 0, 0, jnp.abs(x)), axis=axis, keepdims=keepdims)
    if order == "infinity":
        return _largest(jnp.abs(x), axis, keepdims)
    return length(jnp.sum(jnp.square(x), axis=axis, keepdims=keepdims))


def length(square: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return the square root; the derivative at 0 is 0, because a root of 1 is differentiated there and not taken.

    >>> length(jnp.array([0.0, 4.0])).tolist(), float(jax.grad(length)(jnp.array(0.0)))
    ([0.0, 2.0], 0.0)
    """
    zero = square == 0
    return jnp.where(zero, 0, jnp.sqrt(jnp.where(zero, 1, square)))


def _largest(x: Array, axis: Axes, keepdims: bool) -> Array:
    """Return the largest entry, which moves with the one entry that is largest, and with none of several."""
    held = jax.lax.stop_gradient(x)
    top = jnp.max(held, axis=axis, keepdims=True)
    highest = held == jnp.broadcast_to(top, x.shape)
    alone = highest & jnp.broadcast_to(jnp.sum(highest, axis=axis, keepdims=True) == 1, x.shape)
    # The difference is 0, and has the derivative of x; an infinite entry stands still.
    moving = alone & jnp.isfinite(held)
    moved = jnp.sum(jnp.where(moving, x - jnp.where(moving, held, 0), 0), axis=axis, keepdims=keepdims)
    return top.reshape(moved.shape) + moved


def _divided(total: Array, x: Array, divisor: int, axis: Axes, keepdims: bool) -> Array:
    if divisor < 1:
        raise ValueError(f"got shape {list(x.shape)} and axis {axis}, which leave the divisor {divisor}")
    quotient = divide(total, constant(divisor, x.dtype, "number of entries"))
    return quotient if keepdims else quotient.squeeze(places(x.ndim, axis))
