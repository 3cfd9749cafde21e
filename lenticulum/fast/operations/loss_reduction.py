"""What is made of the entries of a loss."""

import jax.numpy as jnp
from jaxtyping import Array, Float


def reduced(loss: Float[Array, "..."], reduction: str) -> Float[Array, "..."]:
    """Return the entries ("none"), their sum or mean, that of each row, or the sum divided by the number of rows.

    >>> [float(reduced(jnp.array([[1.0, 2.0, 3.0]]), how)) for how in ("sum", "mean", "batch_mean")]
    [6.0, 2.0, 6.0]
    """
    if reduction == "none":
        return loss
    if reduction == "mean":
        return jnp.mean(loss)
    if reduction == "row":
        return jnp.sum(loss, axis=-1)
    if reduction == "row_mean":
        return jnp.mean(loss, axis=-1)
    return jnp.sum(loss) / loss.shape[0] if reduction == "batch_mean" else jnp.sum(loss)
