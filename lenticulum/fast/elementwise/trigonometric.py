"""The trigonometric functions and their inverses, the angle of a point, the length of a vector, and sinc."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.elementwise.geometry import angle, length
from lenticulum.fast.elementwise.sinc import radian_sinc, turn_sinc
from lenticulum.fast.meaning import meaning
from lenticulum.fast.shapes import require_same_shape
from lenticulum.terms.elementwise import Acos, Asin, Atan, Atan2, Cos, Hypot, Sin, Sinc, Tan
from lenticulum.terms.tree import Tree


@meaning(Sin)
def sin(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return sin x, entry by entry.

    >>> float(sin(Tree(), jnp.array(0.0)))
    0.0
    """
    return jnp.sin(x)


@meaning(Cos)
def cos(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return cos x, entry by entry.

    >>> float(cos(Tree(), jnp.array(0.0)))
    1.0
    """
    return jnp.cos(x)


@meaning(Tan)
def tan(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return sin x / cos x, entry by entry.

    >>> float(tan(Tree(), jnp.array(0.0)))
    0.0
    """
    return jnp.tan(x)


@meaning(Asin)
def asin(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return y in [-pi/2, pi/2] with sin y = x, entry by entry.

    >>> float(asin(Tree(), jnp.array(0.0)))
    0.0
    """
    return jnp.asin(x)


@meaning(Acos)
def acos(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return y in [0, pi] with cos y = x, entry by entry.

    >>> float(acos(Tree(), jnp.array(1.0)))
    0.0
    """
    return jnp.acos(x)


@meaning(Atan)
def atan(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return y in (-pi/2, pi/2) with tan y = x, entry by entry.

    >>> float(atan(Tree(), jnp.array(0.0)))
    0.0
    """
    return jnp.atan(x)


@meaning(Atan2)
def atan2(parameters: Tree, x: tuple[Float[Array, "..."], Float[Array, "..."]]) -> Float[Array, "..."]:
    """Return the angle of the point with x = (ordinate, abscissa), entry by entry.

    Raises: ShapeError for two shapes.

    >>> float(atan2(Tree(), (jnp.array(0.0), jnp.array(1.0))))
    0.0
    """
    ordinate, abscissa = x
    require_same_shape("Atan2", ordinate, abscissa)
    return angle(ordinate, abscissa)


@meaning(Hypot)
def hypot(parameters: Tree, x: tuple[Float[Array, "..."], Float[Array, "..."]]) -> Float[Array, "..."]:
    """Return sqrt(a² + b²) for x = (a, b), entry by entry.

    Raises: ShapeError for two shapes.

    >>> float(hypot(Tree(), (jnp.array(3.0), jnp.array(4.0))))
    5.0
    """
    one, other = x
    require_same_shape("Hypot", one, other)
    return length(one, other)


@meaning(Sinc)
def sinc(parameters: Tree, x: Float[Array, "..."], *, normalised: str) -> Float[Array, "..."]:
    """Return sin(pi x) / (pi x), or sin x / x if not normalised, entry by entry.

    >>> float(sinc(Tree(), jnp.array(0.0), normalised="yes"))
    1.0
    """
    return turn_sinc(x) if normalised == "yes" else radian_sinc(x)
