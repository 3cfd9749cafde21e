"""The logarithms."""

import math

import jax
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
    return _log2(x)


@jax.custom_jvp
def _log2(x: Float[Array, "..."]) -> Float[Array, "..."]:
    return jnp.log2(x)


# JAX 0.12 divides by x log 2, which underflows at the smallest normal number, where the slope is still a float.
_log2.defjvps(lambda tangent, y, x: tangent * (1 / math.log(2) / x))


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
