"""The logistic sigmoid, its inverse, and the logarithms of sums of powers."""

import math

import jax
import jax.numpy as jnp
from jax.scipy import special
from jaxtyping import Array, Float

from lenticulum.fast.elementwise import gates
from lenticulum.fast.elementwise.pieces import widened
from lenticulum.fast.meaning import meaning
from lenticulum.fast.shapes import require_same_shape
from lenticulum.terms.elementwise import Logaddexp, Logaddexp2, Logit, Sigmoid
from lenticulum.terms.tree import Tree


@meaning(Sigmoid)
def sigmoid(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return 1 / (1 + e^-x), entry by entry; e^-x overflows in binary16 where the result does not underflow.

    >>> float(sigmoid(Tree(), jnp.array(0.0)))
    0.5
    """
    return widened(gates.sigmoid, x)


@meaning(Logit)
def logit(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return log(x / (1 - x)), entry by entry.

    >>> float(logit(Tree(), jnp.array(0.5)))
    0.0
    """
    return special.logit(x)


@meaning(Logaddexp)
def logaddexp(parameters: Tree, x: tuple[Float[Array, "..."], Float[Array, "..."]]) -> Float[Array, "..."]:
    """Return log(e^a + e^b) for x = (a, b), entry by entry.

    Raises: ShapeError for two shapes.

    >>> float(logaddexp(Tree(), (jnp.array(0.0), jnp.array(-jnp.inf))))
    0.0
    """
    one, other = x
    require_same_shape("Logaddexp", one, other)
    return _logaddexp(one, other)


@meaning(Logaddexp2)
def logaddexp2(parameters: Tree, x: tuple[Float[Array, "..."], Float[Array, "..."]]) -> Float[Array, "..."]:
    """Return log2(2^a + 2^b) for x = (a, b), entry by entry.

    Raises: ShapeError for two shapes.

    >>> float(logaddexp2(Tree(), (jnp.array(1.0), jnp.array(1.0))))
    2.0
    """
    one, other = x
    require_same_shape("Logaddexp2", one, other)
    return _logaddexp2(one, other)


@jax.custom_jvp
def _logaddexp(one: Float[Array, "..."], other: Float[Array, "..."]) -> Float[Array, "..."]:
    return jnp.logaddexp(one, other)


_logaddexp.defjvps(
    lambda tangent, y, a, b: tangent * gates.sigmoid(_difference(a, b)),
    lambda tangent, y, a, b: tangent * gates.sigmoid(_difference(b, a)),
)


@jax.custom_jvp
def _logaddexp2(one: Float[Array, "..."], other: Float[Array, "..."]) -> Float[Array, "..."]:
    return jnp.logaddexp2(one, other)


_logaddexp2.defjvps(
    lambda tangent, y, a, b: tangent * gates.sigmoid(math.log(2) * _difference(a, b)),
    lambda tangent, y, a, b: tangent * gates.sigmoid(math.log(2) * _difference(b, a)),
)


def _difference(a: Float[Array, "..."], b: Float[Array, "..."]) -> Float[Array, "..."]:
    """a - b, and 0 where both are one infinity: the weights there are 1/2 each."""
    return jnp.where(a == b, 0, a - b)
