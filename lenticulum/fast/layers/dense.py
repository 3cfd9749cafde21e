"""The affine map."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.layers import Dense
from lenticulum.terms.tree import Tree


@meaning(Dense)
def dense(parameters: Tree, x: Float[Array, "*batch inputs"], *, use_bias: bool) -> Float[Array, "*batch outputs"]:
    """Return the affine image of every row.

    y = x Wᵀ + b.

    Parameters: weight [outputs, inputs]; bias [outputs] if `use_bias`.

    >>> weight, bias = jnp.array([[0.8, -0.4]]), jnp.array([0.2])
    >>> f"{dense(Tree(weight=weight, bias=bias), jnp.array([0.1, -1.0]), use_bias=True)[0]:.2f}"
    '0.68'
    """
    y = x @ parameters.weight.T
    # Broadcast by hand, so that the function also runs where JAX is told to refuse rank promotion.
    return y + jnp.broadcast_to(parameters.bias, y.shape) if use_bias else y
