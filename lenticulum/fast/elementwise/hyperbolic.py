"""The hyperbolic functions and their inverses."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.elementwise.geometry import length
from lenticulum.fast.meaning import meaning
from lenticulum.terms.elementwise import Acosh, Asinh, Atanh, Cosh, Sinh, Tanh
from lenticulum.terms.tree import Tree


@meaning(Sinh)
def sinh(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return sinh x, entry by entry.

    >>> float(sinh(Tree(), jnp.array(0.0)))
    0.0
    """
    return jnp.sinh(x)


@meaning(Cosh)
def cosh(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return cosh x, entry by entry.

    >>> float(cosh(Tree(), jnp.array(0.0)))
    1.0
    """
    return jnp.cosh(x)


@meaning(Tanh)
def tanh(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return tanh x, entry by entry.

    >>> float(tanh(Tree(), jnp.array(0.0)))
    0.0
    """
    return jnp.tanh(x)


@meaning(Asinh)
def asinh(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return y with sinh y = x, entry by entry; x² in the derivative of `jnp.asinh` overflows from 2^64 on.

    >>> float(asinh(Tree(), jnp.array(0.0)))
    0.0
    """
    return _asinh(x)


@meaning(Acosh)
def acosh(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return y >= 0 with cosh y = x, entry by entry.

    >>> float(acosh(Tree(), jnp.array(1.0)))
    0.0
    """
    return _acosh(x)


@meaning(Atanh)
def atanh(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return y with tanh y = x, entry by entry.

    >>> float(atanh(Tree(), jnp.array(0.0)))
    0.0
    """
    return jnp.atanh(x)


@jax.custom_jvp
def _asinh(x: Float[Array, "..."]) -> Float[Array, "..."]:
    return jnp.asinh(x)


_asinh.defjvps(lambda tangent, y, x: tangent / length(jnp.ones_like(x), x))


@jax.custom_jvp
def _acosh(x: Float[Array, "..."]) -> Float[Array, "..."]:
    return jnp.acosh(x)


_acosh.defjvps(lambda tangent, y, x: tangent * (jax.lax.rsqrt(x - 1) * jax.lax.rsqrt(x + 1)))
