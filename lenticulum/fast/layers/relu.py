"""The rectifier."""

import jax
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.layers import Relu
from lenticulum.terms.tree import Tree


@meaning(Relu)
def relu(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return the positive part of every entry.

    y = max(x, 0); the derivative at 0 is 0.

    >>> import jax.numpy as jnp
    >>> relu(Tree(), jnp.array([-1.0, 0.0, 2.0])).tolist()
    [0.0, 0.0, 2.0]
    """
    return jax.nn.relu(x)
