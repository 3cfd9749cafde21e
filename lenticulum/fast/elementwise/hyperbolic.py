"""The hyperbolic functions and their inverses."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.elementwise import Tanh
from lenticulum.terms.tree import Tree


@meaning(Tanh)
def tanh(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return tanh x, entry by entry.

    >>> float(tanh(Tree(), jnp.array(0.0)))
    0.0
    """
    return jnp.tanh(x)
