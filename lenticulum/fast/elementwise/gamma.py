"""The logarithm of the gamma function and its derivative: `gammaln` of JAX 0.10 loses hundreds of u near 1.5.

From 1 to 3 both are summed as power series about 2, from 8 on as asymptotic series; elsewhere they are brought there by
the recurrence, and left of -1/2 by reflection. Source: NIST Digital Library of Mathematical Functions,
https://dlmf.nist.gov/5.7, 5.11, 5.5.
"""

import math
from functools import lru_cache

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from lenticulum.fast.elementwise.pieces import widened
from lenticulum.fast.meaning import meaning
from lenticulum.terms.elementwise import Digamma, Lgamma
from lenticulum.terms.tree import Tree

Entries = Float[Array, "..."]

#: Terms of the series about 2: the first one left out of digamma is less than 2^-30 at the distance 1.
TERMS = 30

#: From here on the asymptotic series, whose first term left out is less than 2^-30 of the sum.
FAR = 8

#: B_2, B_4, ..., B_10.
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66)


@meaning(Lgamma)
def lgamma(parameters: Tree, x: Entries) -> Entries:
    """Return log |Gamma(x)|, entry by entry.

    >>> float(lgamma(Tree(), jnp.array(1.0)))
    0.0
    """
    return widened(_lgamma, x)


@meaning(Digamma)
def digamma(parameters: Tree, x: Entries, *, at_zero: str) -> Entries:
    """Return Gamma'(x) / Gamma(x), entry by entry.

    >>> float(digamma(Tree(), jnp.array(0.0), at_zero="infinity"))
    -inf
    """
    y = widened(_digamma, x)
    return jnp.where(x == 0, jnp.copysign(jnp.inf, -x) if at_zero == "infinity" else jnp.nan, y)


@jax.custom_jvp
def _lgamma(x: Entries) -> Entries:
    right = _lgamma_right(jnp.abs(x))
    # Gamma(x) Gamma(-x) = -pi / (x sin(pi x)).
    left = jnp.log(math.pi / jnp.abs(x * _sine(x))) - right
    near = _series(_about_two(), jnp.where(jnp.abs(x) < 1, x, 0)) - jnp.log(jnp.abs(x)) - jnp.log1p(x)
    y = jnp.where(x >= 0.5, right, jnp.where(x > -0.5, near, left))
    y = jnp.where((x == 1) | (x == 2), 0, y)
    return jnp.where(jnp.isinf(x) | ((x <= 0) & (x == jnp.floor(x))), jnp.inf, y)


def _lgamma_right(x: Entries) -> Entries:
    """log Gamma(x), x >= 1/2."""
    low, product = x - 2, jnp.ones_like(x)
    for step in range(1, FAR - 2):
        product = jnp.where(x - step >= 2, product * (x - step), product)
        low = jnp.where(x - step >= 2, x - step - 2, low)
    low = jnp.where(x < 1, x - 1, jnp.where(x < FAR, low, 0))
    middle = _series(_about_two(), low) + jnp.log(jnp.where(x < 1, 1 / x, product))
    z = jnp.maximum(x, FAR)
    stirling = [b / (2 * k * (2 * k - 1)) for k, b in enumerate(BERNOULLI, 1)]
    far = z * (jnp.log(z) - 1) - jnp.log(z) / 2 + (math.log(2 * math.pi) / 2 + _series(stirling, 1 / (z * z)) / z)
    return jnp.where(x < FAR, middle, far)


@jax.custom_jvp
def _digamma(x: Entries) -> Entries:
    right = _digamma_right(jnp.abs(x))
    left = right - 1 / x - math.pi * jnp.cos(math.pi * _remainder(x)) / _sine(x)
    near = _series(_slope_about_two(), jnp.where(jnp.abs(x) < 1, x, 0)) - 1 / x - 1 / (1 + x)
    y = jnp.where(x >= 0.5, right, jnp.where(x > -0.5, near, left))
    return jnp.where((x <= 0) & (x == jnp.floor(x)), jnp.nan, y)


def _digamma_right(x: Entries) -> Entries:
    """Gamma'(x) / Gamma(x), x >= 1/2."""
    low, total = x - 2, jnp.zeros_like(x)
    for step in range(1, FAR - 2):
        total = jnp.where(x - step >= 2, total + 1 / jnp.where(x == step, 1, x - step), total)
        low = jnp.where(x - step >= 2, x - step - 2, low)
    low = jnp.where(x < 1, x - 1, jnp.where(x < FAR, low, 0))
    middle = _series(_slope_about_two(), low) + jnp.where(x < 1, -1 / x, total)
    z = jnp.maximum(x, FAR)
    asymptotic = [b / (2 * k) for k, b in enumerate(BERNOULLI, 1)]
    far = jnp.log(z) - (0.5 + _series(asymptotic, 1 / (z * z)) / z) / z
    return jnp.where(x < FAR, middle, far)


def _trigamma(x: Entries) -> Entries:
    """The derivative of digamma; left of 1/2 by reflection, where `jax.scipy.special.polygamma` is wrong."""
    left = x < 0.5
    right = _trigamma_right(jnp.where(left, 1 - x, x))
    return jnp.where(left, jnp.square(math.pi / jnp.where(left, _sine(x), 1)) - right, right)


def _trigamma_right(x: Entries) -> Entries:
    z = x + FAR
    recurrence = sum(1 / jnp.square(x + step) for step in range(FAR))
    return recurrence + (1 + 0.5 / z + _series(BERNOULLI, 1 / (z * z)) / (z * z)) / z


_lgamma.defjvps(lambda tangent, y, x: tangent * _digamma(x))
_digamma.defjvps(lambda tangent, y, x: tangent * _trigamma(x))


def _remainder(x: Entries) -> Entries:
    """x without whole numbers; exact, in [-1/2, 1/2]."""
    return x - jnp.round(x)


def _sine(x: Entries) -> Entries:
    """sin(pi x), up to a sign."""
    return jnp.sin(math.pi * _remainder(x))


def _series(coefficients: object, x: Entries) -> Entries:
    return jnp.polyval(jnp.asarray(np.asarray(coefficients)[::-1], x.dtype), x)


@lru_cache
def _slope_about_two() -> tuple[float, ...]:
    """digamma(2 + w) = 1 - gamma + sum_{k >= 2} (-1)^k (zeta(k) - 1) w^(k - 1), https://dlmf.nist.gov/5.7.E4."""
    return (1 - float(np.euler_gamma), *((-1) ** k * _zeta_minus_one(k) for k in range(2, TERMS)))


@lru_cache
def _about_two() -> tuple[float, ...]:
    """log Gamma(2 + w) is the integral of that from 0 to w, https://dlmf.nist.gov/5.7.E3."""
    return (0.0, *(c / k for k, c in enumerate(_slope_about_two(), 1)))


def _zeta_minus_one(k: int, n: int = 20) -> float:
    """sum_{j >= 2} j^-k, from n on by the formula of Euler and Maclaurin (https://dlmf.nist.gov/25.2.E9)."""
    tail = n ** (1 - k) / (k - 1) + n**-k / 2 + k * n ** (-k - 1) / 12 - k * (k + 1) * (k + 2) * n ** (-k - 3) / 720
    return math.fsum([*(j**-k for j in range(2, n)), tail])
