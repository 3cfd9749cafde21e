"""Generators of the laws of state: parts that write state on the forward pass, and states in which they can be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import ball
from lenticulum.spec.data import Data
from lenticulum.spec.draw import Draw, positive_fraction, rational_array
from lenticulum.terms import BatchNorm, Compose, Dense, Dropout, Mode, Term, Tree, map_leaves

Shape = tuple[int, ...]


def stateful(draw: Draw) -> Compose:
    """One to three layers on two features, one of which is a batch norm that counts its steps."""
    kinds = [draw.choice(["dense", "key", "stream"]) for _ in range(draw.integer(0, 2))]
    kinds.insert(draw.integer(0, len(kinds)), "batch")
    return Compose(tuple(_layer(draw, kind) for kind in kinds))


def _layer(draw: Draw, kind: str) -> Term:
    if kind == "dense":
        return Dense(2, 2)
    if kind in ("key", "stream"):
        return Dropout(draw.choice([Fraction(1, 4), Fraction(2, 3)]), "key" if kind == "key" else "seed_stream")
    return BatchNorm(
        2,
        epsilon=Fraction(1, 8),
        new_weight=draw.choice([Fraction(1, 10), Fraction(1, 4)]),
        normaliser=draw.choice(["batch", "running"]),
        start=draw.choice(["corrected", "first_batch", "cumulative"]),
    )


def parameters(draw: Draw, term: Term) -> Tree:
    """Enclosures of random rationals."""
    return map_leaves(lambda shape: ball(rational_array(draw, shape)), term.parameter_shapes())


def state(draw: Draw, term: Term) -> Tree:
    """A state after at least one step, no two leaves alike: what is read in the wrong place shows."""
    shapes = term.state_shapes()
    drawn = shapes
    for path in shapes.paths():
        drawn = drawn.with_leaf(path, _leaf(draw, path[-1], shapes.at(path)))
    return drawn


def _leaf(draw: Draw, name: str, shape: Shape) -> Any:
    size = int(np.prod(shape))
    if name == "count":
        return np.array([draw.integer(1, 4) for _ in range(size)], np.uint32).reshape(shape)
    if name == "seed":
        return np.array([draw.bits(32) for _ in range(size)], np.uint32).reshape(shape)
    if name == "running_variance":
        return ball([positive_fraction(draw) for _ in range(size)]).reshape(shape)
    return ball(rational_array(draw, shape))


def batch(draw: Draw) -> Data:
    """Two or three rows of two features."""
    return ball(rational_array(draw, (draw.integer(2, 3), 2)))


def mode(draw: Draw) -> Mode:
    """Mostly training: evaluation writes nothing."""
    return draw.choice([Mode.TRAIN, Mode.TRAIN, Mode.TRAIN, Mode.EVAL])
