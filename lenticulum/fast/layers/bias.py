"""The translation."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.layers import Bias
from lenticulum.terms.tree import Tree


@meaning(Bias)
def bias(parameters: Tree, x: Float[Array, "*batch features"]) -> Float[Array, "*batch features"]:
    """Return every row, translated.

    y = x + b.

    Parameters: bias [features].

    >>> bias(Tree(bias=jnp.array([1.0, -1.0])), jnp.array([[2.0, 2.0]])).tolist()
    [[3.0, 1.0]]
    """
    return x + jnp.broadcast_to(parameters.bias, x.shape)
