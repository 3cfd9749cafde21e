"""Embedding, rotary positions and sinusoidal positions."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Integer

from lenticulum.fast.meaning import meaning
from lenticulum.terms.exact import Number, exact
from lenticulum.terms.operations import Embedding, RotaryPositions, SinusoidalPositions


@meaning(Embedding)
def embedding(ids: Integer[Array, "..."], weight: Float[Array, "rows features"]) -> Float[Array, "... features"]:
    """Return the row of each id; a row of NaN for an id that is negative or not below the number of rows.

    y[..., :] = weight[ids[...], :].

    Arguments: `ids`: integers in [0, rows); `weight`: [rows, features].

    >>> embedding(jnp.array([1, 0, 7, -1]), jnp.array([[2.0], [3.0]])).ravel().tolist()
    [3.0, 2.0, nan, nan]
    """
    rows = weight.shape[0]
    # A negative index would count from the end; one past the end stays outside.
    return weight.at[jnp.where(ids < 0, rows, ids)].get(mode="fill", fill_value=jnp.nan)


@meaning(RotaryPositions)
def rotary_positions(
    x: Float[Array, "..."], positions: Integer[Array, "..."] | None = None, *, base: Number, layout: str
) -> Float[Array, "..."]:
    """Return x with each pair of coordinates rotated by its position times the rate of the pair.

    (a, b) -> (a cos t - b sin t, a sin t + b cos t), t = position / base^(2 i / width); an odd coordinate is kept.

    Arguments: `x`: [..., positions, width]; `positions`: integers that broadcast against x without its last axis;
    `layout`: "interleaved" or "half". Returns: an array of the shape of x. Source: Su et al. 2021, arXiv:2104.09864.

    >>> quarter = rotary_positions(jnp.array([[0.0, 0.0], [1.0, 0.0]]), base=10000, layout="half")[1]
    >>> [f"{each:.6f}" for each in quarter.tolist()]
    ['0.540302', '0.841471']
    """
    width, half = x.shape[-1], x.shape[-1] // 2
    where = jnp.arange(x.shape[-2]) if positions is None else positions
    angles = _angles(where.astype(x.dtype), half, width, base)
    pairs = x[..., : 2 * half]
    halves = (*x.shape[:-1], half)
    cosines, sines = jnp.broadcast_to(jnp.cos(angles), halves), jnp.broadcast_to(jnp.sin(angles), halves)
    if layout == "interleaved":
        a, b = jnp.moveaxis(pairs.reshape((*pairs.shape[:-1], half, 2)), -1, 0)
        rotated = jnp.stack([a * cosines - b * sines, a * sines + b * cosines], axis=-1).reshape(pairs.shape)
    else:
        a, b = jnp.split(pairs, 2, axis=-1)
        rotated = jnp.concatenate([a * cosines - b * sines, a * sines + b * cosines], axis=-1)
    return jnp.concatenate([rotated, x[..., 2 * half :]], axis=-1)


@meaning(SinusoidalPositions)
def sinusoidal_positions(
    x: Float[Array, "..."], *, features: int, base: Number, layout: str
) -> Float[Array, "... features"]:
    """Return sines and cosines of x at falling rates, side by side ("interleaved") or all sines first ("half").

    sin(x t_i) and cos(x t_i) with t_i = base^(-2 i / features).

    Arguments: `x`: real positions. Returns: [..., features]. Source: Vaswani et al. 2017, arXiv:1706.03762.

    >>> [f"{each:.6f}" for each in sinusoidal_positions(jnp.array(1.0), features=2, base=10000, layout="half").tolist()]
    ['0.841471', '0.540302']
    """
    angles = _angles(x, (features + 1) // 2, features, base)
    sines, cosines = jnp.sin(angles), jnp.cos(angles)
    if layout == "half":
        return jnp.concatenate([sines, cosines[..., : features // 2]], axis=-1)
    return jnp.stack([sines, cosines], axis=-1).reshape((*x.shape, -1))[..., :features]


def _angles(x: Float[Array, "..."], count: int, width: int, base: Number) -> Float[Array, "... count"]:
    """Return x base^(-2 i / width); the rates are computed in binary64 and rounded once: they do not depend on data."""
    rates = np.power(float(exact(base, "base")), -2 * np.arange(count) / width).astype(x.dtype)
    return x[..., None] * rates.reshape((1,) * x.ndim + (count,))
