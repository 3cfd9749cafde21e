"""Roots and the real power."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.fast.shapes import require_same_shape
from lenticulum.terms.elementwise import Cbrt, Pow, Rsqrt, Sqrt
from lenticulum.terms.tree import Tree


@meaning(Sqrt)
def sqrt(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return the square root of x, entry by entry.

    >>> float(sqrt(Tree(), jnp.array(4.0)))
    2.0
    """
    return jnp.sqrt(x)


@meaning(Rsqrt)
def rsqrt(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return 1 / sqrt x, entry by entry.

    >>> float(rsqrt(Tree(), jnp.array(4.0)))
    0.5
    """
    return _rsqrt(x)


@meaning(Cbrt)
def cbrt(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return the real cube root of x, entry by entry.

    >>> float(cbrt(Tree(), jnp.array(0.0)))
    0.0
    """
    # Where subnormal numbers count as 0 the root is 0, and not what `jnp.cbrt` makes of them.
    return jnp.where(x == 0, 0 * x, jnp.cbrt(x))


@meaning(Pow)
def pow(parameters: Tree, x: tuple[Float[Array, "..."], Float[Array, "..."]]) -> Float[Array, "..."]:
    """Return base^exponent for x = (base, exponent), entry by entry.

    Raises: ShapeError for two shapes.

    >>> float(pow(Tree(), (jnp.array(-2.0), jnp.array(3.0))))
    -8.0
    """
    base, exponent = x
    require_same_shape("Pow", base, exponent)
    return _power(base, exponent)


@jax.custom_jvp
def _rsqrt(x: Float[Array, "..."]) -> Float[Array, "..."]:
    return jax.lax.rsqrt(x)


# Halved first: y / x overflows where the derivative does not.
_rsqrt.defjvps(lambda tangent, y, x: tangent * (-0.5 * y / x))


@jax.custom_jvp
def _power(base: Float[Array, "..."], exponent: Float[Array, "..."]) -> Float[Array, "..."]:
    return jnp.power(base, exponent)


def _by_base(tangent: Array, value: Array, base: Array, exponent: Array) -> Array:
    """y x^(y-1). For |y| < 1, where y - 1 is rounded, x^y / x."""
    small = (jnp.abs(exponent) < 1) & (base != 0)
    lower = jnp.where(small, _power(base, exponent) / jnp.where(small, base, 1), _power(base, exponent - 1))
    return tangent * jnp.where(exponent == 0, 0, exponent * lower)


def _by_exponent(tangent: Array, value: Array, base: Array, exponent: Array) -> Array:
    """x^y log |x|, and 0 at the base 0: left of 0 along |x|^y, where `jnp.power` gives NaN."""
    return tangent * jnp.where(base == 0, 0, value * jnp.log(jnp.where(base == 0, 1, jnp.abs(base))))


_power.defjvps(_by_base, _by_exponent)
