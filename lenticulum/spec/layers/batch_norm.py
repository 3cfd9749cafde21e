"""Batch normalisation (Ioffe and Szegedy 2015), with its conventions as a record."""

from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from lenticulum import terms
from lenticulum.numbers import DomainError, ExactArray, ones_like, sqrt
from lenticulum.spec.layers.layer_norm import affine
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Mode, Tree


@meaning(terms.BatchNorm)
def batch_norm(
    parameters: Tree,
    x: ExactArray,
    *,
    state: Tree,
    mode: Mode,
    epsilon: Fraction,
    new_weight: Fraction,
    running_variance: str,
    normaliser: str,
    start: str,
    single: str,
    before_first_step: str,
    track: bool,
    use_weight: bool,
    use_bias: bool,
) -> tuple[ExactArray, Tree]:
    """Return weight (x - m) / sqrt(s + epsilon) + bias, and the running pair after this batch.

    Train: (m, s) is the batch mean and population variance over all leading axes, or the new running pair; then
    r' = (1 - w) r + w b for both statistics. Eval: (m, s) is the running pair and the state is unchanged.
    Values that determine the result: x [..., features], parameters, state, mode and every field. Pure: the state after
    the call is returned.
    Laws: evaluation preserves the state; r_k = (1-w)^k r_0 + sum_i w (1-w)^(k-i) b_i.
    """
    training = mode is Mode.TRAIN
    batch = batch_statistics(x) if training or not track else None
    if training and track:
        assert batch is not None
        elements = prod(x.shape[:-1])
        averaged = averaged_variance(batch[1], elements, running_variance, single)
        state = updated(state, batch[0], averaged, new_weight, start)
    if batch is not None and normaliser == "batch":
        mean, variance = batch
    else:
        mean, variance = used_statistics(state, new_weight, start, before_first_step)
    y = (x - mean) / sqrt(variance + epsilon)
    return affine(parameters, y, use_weight=use_weight, use_bias=use_bias), state


def batch_statistics(x: ExactArray) -> tuple[ExactArray, ExactArray]:
    """Return the mean and the population variance of each feature over all leading axes."""
    if x.ndim < 2:
        raise DomainError(f"BatchNorm: expected shape (batch, features), got {list(x.shape)}; add a batch axis")
    rows = x.reshape((prod(x.shape[:-1]), x.shape[-1]))
    mean = rows.mean(axis=0)
    deviation = rows - mean
    return mean, (deviation * deviation).mean(axis=0)


def averaged_variance(population: ExactArray, elements: int, estimate: str, single: str) -> ExactArray:
    """Return the estimate that is averaged: the population variance, or n/(n-1) times it."""
    if estimate == "population":
        return population
    if elements > 1:
        return population * Fraction(elements, elements - 1)
    if single == "reject":
        raise DomainError("BatchNorm: the sample variance of a batch of one element is 0/0, and single = 'reject'")
    return population


def updated(state: Tree, mean: ExactArray, variance: ExactArray, new_weight: Fraction, start: str) -> Tree:
    """Return the running pair after one more batch: r' = (1 - w) r + w b."""
    steps = int(state.count) if "count" in state else 0
    old_mean, old_variance = state.running_mean, state.running_variance
    if start == "first_batch" and steps == 0:
        new_mean, new_variance = mean, variance
    else:
        weight = mean.lift(Fraction(1, steps + 1) if start == "cumulative" else new_weight)
        new_mean = (1 - weight) * old_mean + weight * mean
        new_variance = (1 - weight) * old_variance + weight * variance
    running: dict[str, Any] = {"running_mean": new_mean, "running_variance": new_variance}
    if "count" in state:
        running["count"] = np.uint32(steps + 1)
    return Tree(running)


def used_statistics(
    state: Tree, new_weight: Fraction, start: str, before_first_step: str
) -> tuple[ExactArray, ExactArray]:
    """Return the running pair as it is used: corrected by 1 - (1-w)^k where it starts hidden from (0, 0)."""
    steps = int(state.count) if "count" in state else 0
    if before_first_step == "reject" and steps == 0:
        raise DomainError("BatchNorm: evaluated before any training step, and before_first_step = 'reject'")
    if start != "corrected":
        return state.running_mean, state.running_variance
    if steps == 0:
        return state.running_mean, ones_like(state.running_variance)
    correction = 1 - state.running_mean.lift(1 - new_weight) ** steps
    return state.running_mean / correction, state.running_variance / correction
