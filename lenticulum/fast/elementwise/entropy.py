"""The products with a logarithm: entr, xlogy and xlog1py."""

import jax
import jax.numpy as jnp
from jax.scipy import special
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.fast.shapes import require_same_shape
from lenticulum.terms.elementwise import Entr, Xlog1py, Xlogy
from lenticulum.terms.tree import Tree


@meaning(Entr)
def entr(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return -x log x, entry by entry; +0 at ±0, where `jax.scipy.special.entr` has -0.

    >>> float(entr(Tree(), jnp.array(0.0)))
    0.0
    """
    return _entr(x)


@meaning(Xlogy)
def xlogy(parameters: Tree, x: tuple[Float[Array, "..."], Float[Array, "..."]], *, at_nan: str) -> Float[Array, "..."]:
    """Return a log b for x = (a, b), and 0 where a = 0, entry by entry.

    Raises: ShapeError for two shapes.

    >>> float(xlogy(Tree(), (jnp.array(0.0), jnp.array(0.0)), at_nan="nan"))
    0.0
    """
    factor, argument = x
    require_same_shape("Xlogy", factor, argument)
    return _at_nan(factor, special.xlogy(factor, argument), at_nan)


@meaning(Xlog1py)
def xlog1py(
    parameters: Tree, x: tuple[Float[Array, "..."], Float[Array, "..."]], *, at_nan: str
) -> Float[Array, "..."]:
    """Return a log(1 + b) for x = (a, b), and 0 where a = 0, entry by entry.

    Raises: ShapeError for two shapes.

    >>> float(xlog1py(Tree(), (jnp.array(0.0), jnp.array(-1.0)), at_nan="nan"))
    0.0
    """
    factor, argument = x
    require_same_shape("Xlog1py", factor, argument)
    return _at_nan(factor, special.xlog1py(factor, argument), at_nan)


@jax.custom_jvp
def _entr(x: Float[Array, "..."]) -> Float[Array, "..."]:
    return jnp.where(x < 0, -jnp.inf, 0 - special.xlogy(x, x))


_entr.defjvps(lambda tangent, y, x: tangent * (-jnp.log(x) - 1))


def _at_nan(factor: Float[Array, "..."], y: Float[Array, "..."], at_nan: str) -> Float[Array, "..."]:
    """y, or 0 beside a zero factor where the convention wants it even beside NaN."""
    return jnp.where(factor == 0, 0, y) if at_nan == "zero" else y
