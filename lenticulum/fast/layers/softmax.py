"""The softmax."""

import jax
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.layers import Softmax
from lenticulum.terms.tree import Tree


@meaning(Softmax)
def softmax(parameters: Tree, x: Float[Array, "*batch features"]) -> Float[Array, "*batch features"]:
    """Return the normalised exponentials of every row.

    y_i = exp x_i / sum_j exp x_j.

    >>> import jax.numpy as jnp
    >>> softmax(Tree(), jnp.array([7.0, 7.0])).tolist()
    [0.5, 0.5]
    """
    return jax.nn.softmax(x, axis=-1)
