"""Laws of lengths: vectors divided by their length, angles, rotations."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.certify.arrays.invariance import Inputs, Invariance, Relation, points
from lenticulum.certify.arrays.ranges import of_value, total_of_squares
from lenticulum.numbers import Interval64
from lenticulum.spec.operations.rows import places


def longer_than_epsilon(term: Any, inputs: Inputs, factor: Fraction = Fraction(1)) -> bool:
    """Whether epsilon, which stands in a maximum, has no influence, also on vectors that are multiplied by a factor.

    Twice the least length, so that the rounding of the lengths here decides nothing.
    """
    if term.epsilon_at in ("inside", "outside"):
        return False
    least = 2 * float(term.epsilon) if term.epsilon_at in ("maximum", "each") else 2 * float(term.epsilon) ** 0.5
    vectors = [inputs[role].astype(np.float64) for role in ("x", "y") if role in inputs]
    lengths = [np.sqrt((x * x).sum(axis=places(x.ndim, term.axis))) for x in vectors]
    return all(bool((min(float(factor), 1.0) * each > least).all()) for each in lengths)


def kept_direction(term: Any, factor: Fraction, inputs: Inputs) -> Fraction | None:
    """Multiply the value by 1: a longer vector has the same direction."""
    return Fraction(1) if longer_than_epsilon(term, inputs, factor) else None


UNIT_LENGTH = of_value(
    "normalisation",
    "sum {f}(x)² = 1",
    lambda term, y: (y * y).sum(axis=places(y.ndim, term.axis)),
    lambda term, inputs: 1.0,
    applies=longer_than_epsilon,
)


def _with_itself(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    x = inputs["x"]
    if not longer_than_epsilon(term, {"x": x}):
        return None
    return Relation(({"x": x, "y": x},), lambda y: (y, y.lift(1)))


WITH_ITSELF = Invariance("normalisation", "{f}(x, x) = 1", _with_itself)


def _rotated(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation:
    x = points(inputs["x"])
    return Relation((inputs,), lambda y: (total_of_squares(term, y), total_of_squares(term, x)))


ROTATED = Invariance("normalisation", "sum {f}(x)² = sum x²: rotations keep the length", _rotated)


def _circles(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Every pair of a sine and a cosine lies on the circle; of an odd width one sine has no partner."""
    half = term.features // 2

    def squares(y: Interval64) -> tuple[Interval64, Interval64]:
        first, second = (
            (y[..., 0 : 2 * half : 2], y[..., 1::2])
            if term.layout == "interleaved"
            else (y[..., :half], y[..., term.features - half :])
        )
        return first**2 + second**2, y.lift(1)

    return Relation((inputs,), squares) if half else None


CIRCLES = Invariance("normalisation", "sin² + cos² = 1 in each pair of {f}(x)", _circles)
