"""Planted mistakes about layers: wrong twins of `apply` and `put`, each of which a law must reject."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import ExactArray, sqrt
from lenticulum.spec.apply import apply
from lenticulum.spec.data import Data, array
from lenticulum.spec.keys import Key
from lenticulum.spec.layers.batch_norm import batch_statistics
from lenticulum.spec.put import put
from lenticulum.terms import BatchNorm, Dropout, LayerNorm, Mode, Term, Tree, replace


def evaluation_that_updates_state(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """Evaluation returns the right output, and the state after training on its batch."""
    y, after = apply(term, x, parameters, state, mode, key)
    return (y, after) if mode is Mode.TRAIN else (y, apply(term, x, parameters, state, Mode.TRAIN, key or (1, 2))[1])


def two_updates(term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None) -> tuple[Data, Tree]:
    """One training application updates the state twice, as rematerialised code that mutates does."""
    y, after = apply(term, x, parameters, state, mode, key)
    return (y, after) if mode is Mode.EVAL else (y, apply(term, x, parameters, after, mode, key)[1])


def redrawn_seed(term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None) -> tuple[Data, Tree]:
    """Training replaces the seeds of the dropout streams."""
    y, after = apply(term, x, parameters, state, mode, key)
    for path in after.paths():
        if path[-1] == "seed":
            after = after.with_leaf(path, after.at(path) + np.uint32(1))
    return y, after


def output_halved_in_training(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """A layer that scales its output in training and calls itself mode-free."""
    y, after = apply(term, x, parameters, state, mode, key)
    return (array(y, "planted") / 2 if mode is Mode.TRAIN else y), after


def wrong_estimate(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """The running variance is fed the population variance for the sample variance, and the other way round."""
    assert isinstance(term, BatchNorm)
    other = "population" if term.running_variance == "sample" else "sample"
    return apply(replace(term, running_variance=other), x, parameters, state, mode, key)


def weights_exchanged(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """The weight of the new statistics is taken for the weight of the old."""
    assert isinstance(term, BatchNorm)
    return apply(replace(term, new_weight=1 - Fraction(term.new_weight)), x, parameters, state, mode, key)


def statistics_held_constant(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None, cotangent: Data
) -> tuple[Tree, Data]:
    """No gradient through the mean and the variance: dx = weight dy / s."""
    assert isinstance(term, BatchNorm | LayerNorm)
    pulled, _ = put(term, x, parameters, state, mode, key, cotangent)
    point = array(x, "planted")
    if isinstance(term, BatchNorm):
        _, variance = batch_statistics(point)
    else:
        deviation = point - point.mean(axis=-1, keepdims=True)
        variance = (deviation * deviation).mean(axis=-1, keepdims=True)
    root = sqrt(variance + Fraction(term.epsilon))
    weight: ExactArray = parameters.weight
    return pulled, weight * array(cotangent, "planted") / root


def not_inverted(term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None) -> tuple[Data, Tree]:
    """Dropout without the scaling: y = m x."""
    assert isinstance(term, Dropout)
    y, after = apply(term, x, parameters, state, mode, key)
    return (array(y, "planted") * (1 - Fraction(term.rate)) if mode is Mode.TRAIN else y), after


def mask_redrawn(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Any, cotangent: Data
) -> tuple[Tree, Data]:
    """The backward pass draws a mask of its own."""
    return put(term, x, parameters, state, mode, (key[0] ^ 1, key[1]), cotangent)
