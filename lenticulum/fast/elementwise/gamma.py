"""The logarithm of the gamma function and its derivative."""

import math

import jax
import jax.numpy as jnp
from jax.scipy import special
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.elementwise import Digamma, Lgamma
from lenticulum.terms.tree import Tree

#: Steps of the recurrence that bring the asymptotic series of trigamma to arguments from 6 on.
STEPS = 6

#: B_2, B_4, ..., B_10: the series is 1/z + 1/(2 z²) + sum B_2k / z^(2k + 1), https://dlmf.nist.gov/5.15.E8. From 6 on
#: the first term left out is less than 2^-31 of the sum.
BERNOULLI = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66]


@meaning(Lgamma)
def lgamma(parameters: Tree, x: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return log |Gamma(x)|, entry by entry; exactly 0 at 1 and 2, where `jax.scipy.special.gammaln` has 2^-21.

    >>> float(lgamma(Tree(), jnp.array(1.0)))
    0.0
    """
    return _lgamma(x)


@meaning(Digamma)
def digamma(parameters: Tree, x: Float[Array, "..."], *, at_zero: str) -> Float[Array, "..."]:
    """Return Gamma'(x) / Gamma(x), entry by entry.

    >>> float(digamma(Tree(), jnp.array(0.0), at_zero="infinity"))
    -inf
    """
    y = _digamma(x)
    return jnp.where(x == 0, jnp.copysign(jnp.inf, -x), y) if at_zero == "infinity" else y


@jax.custom_jvp
def _lgamma(x: Float[Array, "..."]) -> Float[Array, "..."]:
    return jnp.where((x == 1) | (x == 2), 0, special.gammaln(x))


_lgamma.defjvps(lambda tangent, y, x: tangent * _digamma(x))


@jax.custom_jvp
def _digamma(x: Float[Array, "..."]) -> Float[Array, "..."]:
    return special.digamma(x)


_digamma.defjvps(lambda tangent, y, x: tangent * _trigamma(x))


def _trigamma(x: Float[Array, "..."]) -> Float[Array, "..."]:
    """The derivative of digamma; left of 1/2 by reflection (dlmf.nist.gov/5.15.E6), where `polygamma` is wrong."""
    left = x < 0.5
    sine = jnp.sin(math.pi * (x - jnp.round(x)))
    right = _trigamma_right(jnp.where(left, 1 - x, x))
    return jnp.where(left, jnp.square(math.pi / jnp.where(left, sine, 1)) - right, right)


def _trigamma_right(x: Float[Array, "..."]) -> Float[Array, "..."]:
    z = x + STEPS
    recurrence = sum(1 / jnp.square(x + step) for step in range(STEPS))
    series = jnp.polyval(jnp.asarray([0, *BERNOULLI][::-1], x.dtype), 1 / (z * z))
    return recurrence + (1 + 0.5 / z + series) / z
