"""The error function, its complement and its inverse."""

from jax.scipy import special
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.elementwise import Erf, Erfc, Erfinv
from lenticulum.terms.tree import Tree


@meaning(Erf)
def erf(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return erf x, entry by entry.

    >>> import jax.numpy as jnp
    >>> float(erf(Tree(), jnp.array(0.0)))
    0.0
    """
    return special.erf(x)


@meaning(Erfc)
def erfc(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return 1 - erf x, entry by entry.

    >>> import jax.numpy as jnp
    >>> float(erfc(Tree(), jnp.array(0.0)))
    1.0
    """
    return special.erfc(x)


@meaning(Erfinv)
def erfinv(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return y with erf y = x, entry by entry.

    >>> import jax.numpy as jnp
    >>> float(erfinv(Tree(), jnp.array(0.0)))
    0.0
    """
    return special.erfinv(x)
