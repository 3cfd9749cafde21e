"""The logarithms."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.elementwise import Log, Log1p, Log2, Log10
from lenticulum.terms.tree import Tree


@meaning(Log)
def log(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return log x, entry by entry.

    >>> float(log(Tree(), jnp.array(1.0)))
    0.0
    """
    return jnp.log(x)


@meaning(Log2)
def log2(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return log2 x, entry by entry.

    >>> float(log2(Tree(), jnp.array(1.0)))
    0.0
    """
    return jnp.log2(x)


@meaning(Log10)
def log10(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return log10 x, entry by entry.

    >>> float(log10(Tree(), jnp.array(1.0)))
    0.0
    """
    return jnp.log10(x)


@meaning(Log1p)
def log1p(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return log(1 + x), entry by entry.

    >>> float(log1p(Tree(), jnp.array(0.0)))
    0.0
    """
    return jnp.log1p(x)
