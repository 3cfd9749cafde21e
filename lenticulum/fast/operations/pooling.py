"""Pooling over windows of the last axes, and over bins that adapt to a size."""

from math import prod

import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxtyping import Array, Float

from lenticulum.fast.division import divide
from lenticulum.fast.meaning import meaning
from lenticulum.fast.operations.windows import over_leading
from lenticulum.terms.operations import AdaptiveAveragePool, AveragePool, MaxPool
from lenticulum.terms.operations.windows import per_axis

Pairs = tuple[tuple[int, int], ...]


@meaning(MaxPool)
def max_pool(
    x: Float[Array, "..."], *, window: tuple[int, ...], stride: tuple[int, ...], padding: Pairs
) -> Float[Array, "..."]:
    """Return the largest entry of each window; padding is left out, and the gradient flows to the first of equals.

    y[i] = max over the window of x[stride i + k - before].

    Arguments: `x`: [..., *spatial]. Returns: [..., *windows]; -inf for a window that holds padding alone.

    >>> max_pool(jnp.array([-1.0, -2.0, -3.0]), window=(2,), stride=(2,), padding=((1, 0),)).tolist()
    [-1.0, -2.0]
    """
    return _reduced(x, -np.inf, lax.max, window, stride, padding)


@meaning(AveragePool)
def average_pool(
    x: Float[Array, "..."], *, window: tuple[int, ...], stride: tuple[int, ...], padding: Pairs, divisor: str
) -> Float[Array, "..."]:
    """Return the sum of each window, with 0 for padding, divided by the number of its cells.

    y[i] = sum over the window of x[stride i + k - before] / n, n all cells ("window") or the real ones ("inside").

    Arguments: `x`: [..., *spatial]. Returns: [..., *windows].

    >>> average_pool(jnp.array([2.0, 4.0, 6.0]), window=(2,), stride=(2,), padding=((1, 0),), divisor="window").tolist()
    [1.0, 5.0]
    >>> average_pool(jnp.array([2.0, 4.0, 6.0]), window=(2,), stride=(2,), padding=((1, 0),), divisor="inside").tolist()
    [2.0, 5.0]
    """
    total = _reduced(x, 0.0, lax.add, window, stride, padding)
    if divisor == "window":
        return divide(total, jnp.asarray(prod(window), x.dtype))
    ones = jnp.ones(x.shape[x.ndim - len(window) :], x.dtype)
    return divide(total, jnp.broadcast_to(_reduced(ones, 0.0, lax.add, window, stride, padding), total.shape))


@meaning(AdaptiveAveragePool)
def adaptive_average_pool(x: Float[Array, "..."], *, outputs: tuple[int, ...], bins: str) -> Float[Array, "..."]:
    """Return the mean of each bin of the last axes: one matrix of zeros and ones for each axis, then one division.

    Arguments: `x`: [..., *spatial]; `outputs`: the number of bins of each axis; `bins`: "overlapping" or "split".
    Returns: [..., *outputs].

    >>> adaptive_average_pool(jnp.array([1.0, 2.0, 6.0]), outputs=(2,), bins="overlapping").tolist()
    [1.5, 4.0]
    >>> adaptive_average_pool(jnp.array([1.0, 2.0, 6.0]), outputs=(2,), bins="split").tolist()
    [1.5, 6.0]
    """
    count = np.ones(())
    for axis, bins_of_axis in enumerate(outputs, start=x.ndim - len(outputs)):
        member = _members(x.shape[axis], bins_of_axis, bins)
        # A selection of entries and their sum; where an entry is infinite, 0 times it must not enter.
        picked = jnp.where(jnp.asarray(member), jnp.moveaxis(x, axis, -1)[..., None, :], 0)
        x = jnp.moveaxis(jnp.sum(picked, axis=-1), -1, axis)
        count = count[..., None] * member.sum(axis=1)
    return divide(x, jnp.broadcast_to(jnp.asarray(count, x.dtype), x.shape))


def _reduced(
    x: Float[Array, "..."],
    start: float,
    combine: object,
    window: tuple[int, ...],
    stride: tuple[int, ...],
    padding: Pairs,
) -> Float[Array, "..."]:
    axes = len(window)
    return lax.reduce_window(
        x,
        np.asarray(start, x.dtype),
        combine,  # type: ignore[arg-type]
        over_leading(window, 1, x.ndim),
        over_leading(per_axis(stride, axes, "stride"), 1, x.ndim),
        over_leading(per_axis(padding, axes, "padding"), (0, 0), x.ndim),
    )


def _members(size: int, count: int, bins: str) -> np.ndarray:
    """Return whether bin i holds entry j, [bins, entries]."""
    entry, i = np.arange(size), np.arange(count)[:, None]
    if bins == "overlapping":
        return (entry >= size * i // count) & (entry * count < size * (i + 1))
    return np.stack([np.isin(entry, part) for part in np.array_split(entry, count)])
