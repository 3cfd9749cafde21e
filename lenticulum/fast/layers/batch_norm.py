"""Batch normalisation, with the conventions of its description.

Source: Ioffe and Szegedy 2015, arXiv:1502.03167.
"""

from math import prod

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.core import Tracer
from jaxtyping import Array, Float

from lenticulum.fast.constants import constant, times
from lenticulum.fast.division import divide
from lenticulum.fast.layers.normalise import affine, moments, standardise
from lenticulum.fast.meaning import meaning
from lenticulum.terms.exact import Number, exact
from lenticulum.terms.layers import BatchNorm
from lenticulum.terms.modes import Mode
from lenticulum.terms.tree import Tree


@meaning(BatchNorm)
def batch_norm(
    parameters: Tree,
    x: Float[Array, "*batch features"],
    *,
    epsilon: Number,
    new_weight: Number,
    running_variance: str,
    normaliser: str,
    start: str,
    single: str,
    before_first_step: str,
    track: bool,
    use_weight: bool,
    use_bias: bool,
    state: Tree,
    mode: Mode,
) -> tuple[Float[Array, "*batch features"], Tree]:
    """Return the batch with every feature normalised, and the running statistics.

    y = weight (x - m) / sqrt(s + epsilon) + bias. Training: (m, s) is the mean and the population variance of the
    batch, or (`normaliser` "running") the running pair including this batch. Evaluation: the running pair; the batch's
    own without `track`. The statistics reduce over all leading axes.

    Parameters: weight [features], bias [features], as used. States: running_mean [features], running_variance
    [features], and count where the start value or the first step needs it; all are constants of the reverse derivative.
    Raises: ValueError without a leading axis, for an empty batch, for a batch of one where `single` rejects it, and
    for an evaluation before any training where `before_first_step` rejects that (in compiled code when it runs, as an
    equinox.EquinoxRuntimeError, because the count is not known earlier).

    >>> state = Tree(running_mean=jnp.zeros(1), running_variance=jnp.ones(1))
    >>> conventions = dict(new_weight="1/10", running_variance="sample", normaliser="batch", start="plain", track=True)
    >>> rest = dict(single="population", before_first_step="plain", use_weight=False, use_bias=False)
    >>> batch = jnp.array([[1.0], [3.0], [5.0]])
    >>> y, state = batch_norm(Tree(), batch, epsilon="4/3", **conventions, **rest, state=state, mode=Mode.TRAIN)
    >>> y[:, 0].tolist(), f"{state.running_mean[0]:.2f} {state.running_variance[0]:.2f}"
    ([-1.0, 0.0, 1.0], '0.30 1.30')
    """
    number = prod(x.shape[:-1])
    if x.ndim < 2 or number == 0:
        raise ValueError(
            f"BatchNorm: expected a batch of shape [..., features] with at least one row, got {list(x.shape)}"
        )
    state = jax.tree.map(lax.stop_gradient, state)
    training = mode is Mode.TRAIN
    if training or not track:
        mean, deviation, variance = moments(x, tuple(range(x.ndim - 1)))
    if training and track:
        estimate = averaged_variance(variance, number, running_variance=running_variance, single=single)
        moved = advance(state, mean.reshape(-1), estimate.reshape(-1), new_weight=new_weight, start=start)
        state = jax.tree.map(lax.stop_gradient, moved)
    if track and not (training and normaliser == "batch"):
        if not training and before_first_step == "reject":
            x = reject_first(x, state.count)
        # The path through this batch is kept where training normalises with the running pair.
        running = running_pair(moved if training else state, new_weight=new_weight, start=start)
        mean, variance = (jnp.broadcast_to(each, x.shape) for each in running)
        deviation = x - mean
    y = standardise(deviation, variance, epsilon)
    return affine(parameters, y, use_weight=use_weight, use_bias=use_bias), state


def averaged_variance(
    variance: Float[Array, "..."], number: int, *, running_variance: str, single: str
) -> Float[Array, "..."]:
    """Return the estimate that is averaged: v, or v n / (n - 1); the sample variance of one element is 0 / 0.

    >>> float(averaged_variance(jnp.array(2.0), 5, running_variance="sample", single="population"))
    2.5
    """
    if running_variance == "population":
        return variance
    if number == 1:
        if single == "reject":
            raise ValueError("BatchNorm: a batch of one element has no sample variance; expected at least two elements")
        return variance
    return times(exact(number) / (number - 1), variance, "n / (n - 1)")


def advance(
    state: Tree, mean: Float[Array, " features"], variance: Float[Array, " features"], *, new_weight: Number, start: str
) -> Tree:
    """Return the state after one more batch: r' = (1 - w) r + w b, for the mean and the variance alike.

    w = new_weight; w = 1 at the first step under "first_batch"; w = 1 / k at step k under "cumulative".

    >>> old = Tree(running_mean=jnp.array([1.0]), running_variance=jnp.array([2.0]))
    >>> new = advance(old, jnp.array([3.0]), jnp.array([4.0]), new_weight="1/2", start="plain")
    >>> new.running_mean.tolist(), new.running_variance.tolist()
    ([2.0], [3.0])
    """
    weight = constant(new_weight, mean.dtype, "new_weight")
    if start == "first_batch":
        weight = jnp.where(state.count == 0, np.ones_like(weight), weight)
    elif start == "cumulative":
        weight = 1 / (state.count + 1).astype(mean.dtype)

    def average(old: Array, new: Array) -> Array:
        return (1 - weight) * old + weight * new

    moved = state.with_entries(
        running_mean=average(state.running_mean, mean), running_variance=average(state.running_variance, variance)
    )
    return moved.with_entries(count=state.count + 1) if "count" in state else moved


def running_pair(
    state: Tree, *, new_weight: Number, start: str
) -> tuple[Float[Array, " features"], Float[Array, " features"]]:
    """Return the running pair as it is used: h / (1 - (1-w)^k) under "corrected"; (0, 1) before any step.

    >>> hidden = Tree(running_mean=jnp.array([0.3]), running_variance=jnp.array([0.5]), count=jnp.uint32(1))
    >>> [f"{each[0]:.6f}" for each in running_pair(hidden, new_weight="1/10", start="corrected")]
    ['3.000000', '5.000000']
    """
    mean, variance = state.running_mean, state.running_variance
    if start != "corrected":
        return mean, variance
    # 1 - (1-w)^k, written without the cancellation at small w k.
    log_keep = np.log1p(-float(exact(new_weight))).astype(mean.dtype)
    total = -jnp.expm1(state.count.astype(mean.dtype) * log_keep)
    fresh = state.count == 0
    total = jnp.where(fresh, np.ones_like(log_keep), total)
    return divide(mean, total), jnp.where(fresh, np.ones_like(log_keep), divide(variance, total))


def reject_first(x: Array, count: Array) -> Array:
    """Return x, or raise where no batch has been seen: at once if the count is known, else when the program runs.

    >>> reject_first(jnp.ones(1), jnp.uint32(0))
    Traceback (most recent call last):
    ValueError: BatchNorm: evaluated before any training step, so there are no running statistics; train first
    """
    message = "BatchNorm: evaluated before any training step, so there are no running statistics; train first"
    if isinstance(count, Tracer):
        return eqx.error_if(x, count == 0, message)
    if count == 0:
        raise ValueError(message)
    return x
