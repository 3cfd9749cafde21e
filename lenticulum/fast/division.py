"""Division by a value that is shared along some axes, rounded once where it runs op by op."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float


def divide(x: Float[Array, "..."], y: Float[Array, "..."] | np.floating) -> Float[Array, "..."]:
    """Return x / y, with y broadcast to the shape of x.

    XLA rewrites the division by a broadcast into a multiplication by the reciprocal, which rounds twice, also inside a
    single operation of jax.numpy. Broadcasting in an operation of its own keeps the one rounding of IEEE division, op
    by op; compiled code may still be rewritten.

    >>> x, y = np.float32([5, 7, 11]), np.float32(0.75)
    >>> bool((divide(jnp.asarray(x), y) == x / y).all())
    True
    """
    return x / jnp.broadcast_to(y, x.shape)
