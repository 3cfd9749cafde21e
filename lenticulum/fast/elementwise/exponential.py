"""The exponential functions."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.elementwise.gates import expm1 as smooth_expm1
from lenticulum.fast.meaning import meaning
from lenticulum.terms.elementwise import Exp, Exp2, Expm1
from lenticulum.terms.tree import Tree


@meaning(Exp)
def exp(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return e^x, entry by entry.

    >>> float(exp(Tree(), jnp.array(0.0)))
    1.0
    """
    return jnp.exp(x)


@meaning(Exp2)
def exp2(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return 2^x, entry by entry.

    >>> float(exp2(Tree(), jnp.array(0.0)))
    1.0
    """
    return jnp.exp2(x)


@meaning(Expm1)
def expm1(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return e^x - 1, entry by entry.

    >>> float(expm1(Tree(), jnp.array(0.0)))
    0.0
    """
    return smooth_expm1(x)
