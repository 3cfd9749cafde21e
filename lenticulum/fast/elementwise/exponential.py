"""The exponential functions."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.elementwise import Exp
from lenticulum.terms.tree import Tree


@meaning(Exp)
def exp(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return e^x, entry by entry.

    >>> float(exp(Tree(), jnp.array(0.0)))
    1.0
    """
    return jnp.exp(x)
