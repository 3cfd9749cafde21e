"""Log-sum-exp and its relatives."""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.operations import LogSumExp
from lenticulum.terms.operations.axes import Axes


@meaning(LogSumExp)
def logsumexp(
    x: Float[Array, "..."],
    b: Float[Array, "..."] | None = None,
    allowed: Bool[Array, "..."] | None = None,
    *,
    axis: Axes,
    keepdims: bool,
) -> Float[Array, "..."]:
    """Return the logarithm of a weighted sum of exponentials along axes.

    y = m + log sum b exp(x - m), m the largest entry that is allowed, or 0 where that is infinite.

    Arguments: `b`: weights that broadcast against x; `allowed`: the entries that take part.
    Returns: an array without the axes, or with size 1 in them; NaN where the weighted sum is negative, -inf where
    nothing is allowed.
    Source: Blanchard, Higham and Higham 2021, Accurately computing the log-sum-exp and softmax functions.

    >>> f"{logsumexp(jnp.array([1000.0, 1000.0]), axis=None, keepdims=False):.3f}"
    '1000.693'
    """
    x = x if allowed is None else jnp.where(allowed, x, -jnp.inf)
    largest = jnp.max(x, axis=axis, keepdims=True)
    shift = jnp.where(jnp.isfinite(largest), largest, 0)
    powers = jnp.exp(x - shift)
    total = jnp.sum(powers if b is None else b * powers, axis=axis, keepdims=keepdims)
    return jnp.log(total) + shift.reshape(total.shape)
