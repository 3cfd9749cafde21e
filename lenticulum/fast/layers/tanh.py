"""The hyperbolic tangent."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.layers import Tanh
from lenticulum.terms.tree import Tree


@meaning(Tanh)
def tanh(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return the hyperbolic tangent of every entry.

    y = tanh x.

    >>> float(tanh(Tree(), jnp.array([0.0]))[0])
    0.0
    """
    return jnp.tanh(x)
