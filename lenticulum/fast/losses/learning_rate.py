"""The learning rate: the cap that turns a loss into the cotangent that starts the reverse pass."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.constants import constant, times
from lenticulum.terms.exact import Number, exact


def learning_rate(loss: Float[Array, ""], *, rate: Number, kind: str) -> Float[Array, ""]:
    """Return the cotangent of a loss. The minus sign is the only place where descent enters.

    alpha(loss) = -rate ("constant"), or -rate * loss ("scaled"); for rate 1 there is no multiplication.

    Arguments: `loss`: a 0-d array; `rate`: negative to ascend; `kind`: "constant" or "scaled".
    Returns: a 0-d array of the format of the loss. Source: arXiv:2103.01931, Definition 3.8.

    >>> float(learning_rate(jnp.array(8.0), rate="1/4", kind="constant"))
    -0.25
    >>> float(learning_rate(jnp.array(8.0), rate="1/4", kind="scaled"))
    -2.0
    """
    if kind == "constant":
        return jnp.full_like(loss, constant(-exact(rate), loss.dtype, "rate"))
    return -times(rate, loss, "rate")
