"""The logarithms."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.elementwise import Log
from lenticulum.terms.tree import Tree


@meaning(Log)
def log(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return log x, entry by entry.

    >>> float(log(Tree(), jnp.array(1.0)))
    0.0
    """
    return jnp.log(x)
