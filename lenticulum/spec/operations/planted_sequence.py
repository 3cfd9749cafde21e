"""Planted mistakes about embedding and positions: wrong twins, each of which a law must reject."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import ExactArray, concatenate, rational, vjp, where
from lenticulum.numbers.array import Positions
from lenticulum.spec.operations.integers import integers
from lenticulum.spec.operations.sequence import rotate
from lenticulum.spec.operations.subject import entries, evaluate
from lenticulum.terms import Embedding, RotaryPositions, SinusoidalPositions, replace

#: (x, cosines, sines, layout) -> the rotated pairs.
Rotate = Callable[[Any, Any, Any, str], Any]


def reverse_in_weight(term: Embedding, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Return the cotangent of the weight by the tape; ids have none."""
    ids, weight = arrays

    def function(traced: Any) -> Any:
        return evaluate(term, ids, traced)

    return vjp(function, weight)[1](cotangent)


def from_one(term: Embedding, ids: Positions, weight: ExactArray) -> Any:
    """Id 1 is the first row."""
    return evaluate(term, np.maximum(ids - 1, 0), weight)


def columns(term: Embedding, ids: Positions, weight: ExactArray) -> Any:
    """The columns of a weight [features, rows]; of a weight with one row, that row."""
    return evaluate(term, ids, weight.T) if weight.shape[1] >= weight.shape[0] else evaluate(term, ids, weight)


def clamped(term: Embedding, ids: Positions, weight: ExactArray) -> Any:
    """An id outside is moved to the nearest row."""
    return evaluate(term, np.clip(ids, 0, weight.shape[0] - 1), weight)


def wrapped(term: Embedding, ids: Positions, weight: ExactArray) -> Any:
    """A negative id counts from the end."""
    return evaluate(term, np.where(ids < 0, ids + weight.shape[0], ids), weight)


def zeros_outside(term: Embedding, ids: Positions, weight: ExactArray) -> Any:
    """An id outside gives a row of zeros."""
    inside = np.asarray((ids >= 0) & (ids < weight.shape[0]))
    return where(inside[..., None], evaluate(term, np.where(inside, ids, 0), weight), 0)


def last_cotangent(term: Embedding, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """A row keeps the last cotangent that it gets."""
    ids, weight = arrays
    slope = np.zeros(weight.shape, dtype=object)
    for place, each in enumerate(ids.ravel().tolist()):
        slope[each] = entries(cotangent).reshape((-1, weight.shape[1]))[place]
    return (rational(slope.tolist()).reshape(weight.shape),)


def layouts_exchanged(x: Any, cosines: Any, sines: Any, layout: str) -> Any:
    """Neighbours for halves, and the other way round."""
    return rotate(x, cosines, sines, "half" if layout == "interleaved" else "interleaved")


def turned_back(x: Any, cosines: Any, sines: Any, layout: str) -> Any:
    """The rotation by the opposite angle."""
    return rotate(x, cosines, -sines, layout)


def odd_coordinate_scaled(x: Any, cosines: Any, sines: Any, layout: str) -> Any:
    """x cos + rot(x) sin with rot the identity on the coordinate without a partner, at the last angle."""
    y = rotate(x, cosines, sines, layout)
    if x.shape[-1] % 2 == 0:
        return y
    return concatenate([y[..., :-1], y[..., -1:] * (cosines + sines)[-1:]], axis=-1)


def _given(x: Any, positions: Any) -> Any:
    return np.arange(int(x.shape[-2])) if positions is None else positions


def positions_from_one(term: RotaryPositions, x: Any, positions: Any) -> Any:
    """The first position is 1."""
    return evaluate(term, x, _given(x, positions) + 1)


def twice_the_exponent(term: RotaryPositions, x: Any, positions: Any) -> Any:
    """The rates base^(-4 i / width)."""
    return evaluate(replace(term, base=Fraction(term.base) ** 2), x, positions)


def positions_not_read(term: RotaryPositions, x: Any, positions: Any) -> Any:
    """Positions count from 0 whatever is given."""
    return evaluate(term, x, None)


def base_of_the_first_call(term: RotaryPositions, x: Any, positions: Any) -> Any:
    """A table that is kept for a width, whatever the base."""
    return evaluate(replace(term, base=10_000), x, positions)


def positions_added(term: RotaryPositions, x: Any, positions: Any) -> Any:
    """Positions enter as an addend."""
    return x + integers(x, _given(x, positions))[..., None]


def waves_in_the_other_layout(term: SinusoidalPositions, x: Any) -> Any:
    """Side by side for all sines first, and the other way round."""
    return evaluate(replace(term, layout="half" if term.layout == "interleaved" else "interleaved"), x)


def cosines_first(term: SinusoidalPositions, x: Any) -> Any:
    """Each cosine in the place of its sine, and the other way round."""
    pairs, order = np.arange(term.features // 2), np.arange(term.features)
    sines = 2 * pairs if term.layout == "interleaved" else pairs
    cosines = sines + 1 if term.layout == "interleaved" else pairs + (term.features + 1) // 2
    order[sines], order[cosines] = cosines, sines
    return evaluate(term, x)[..., order]


def exponent_of_another_width(term: SinusoidalPositions, x: Any) -> Any:
    """The rates of a width that is smaller by one, as if the last wave were to have the rate 1 / base."""
    if term.features < 3:
        return evaluate(term, x)
    other = evaluate(replace(term, features=term.features - 1), x)
    return concatenate([other, other[..., -1:]], axis=-1)
