"""Families of rows: entries that expose one mistake each, and their mixtures."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from lenticulum.spec.draw import Draw

Array = np.ndarray

#: A masked entry is raised by this: more than exp can take in float32 (88.7) and in the narrower formats.
HIDDEN = 128.0

#: The largest position: a phase beyond the integers that half precision has (2048).
POSITION = 4096


def real(draw: Draw, scale: float = 1.0) -> float:
    """Return a number in (-scale, scale) with a full significand, never zero."""
    return (draw.bits(24) - 2**23 + 0.5) / 2**23 * scale


def reals(draw: Draw, shape: tuple[int, ...], scale: float = 1.0) -> Array:
    """Return an array of such numbers."""
    return np.array([real(draw, scale) for _ in range(int(np.prod(shape)))]).reshape(shape)


def generic_row(draw: Draw, size: int) -> Array:
    """Entries of ordinary size and both signs."""
    return reals(draw, (size,), 4.0)


def shifted_row(draw: Draw, size: int) -> Array:
    """|mean| >> standard deviation: a one-pass variance cancels."""
    return draw.choice((1000.0, -1000.0)) + reals(draw, (size,), 2.0)


def far_row(draw: Draw, size: int) -> Array:
    """The same with a smaller spread, where cancellation leaves no digit."""
    return draw.choice((1000.0, -1000.0)) + reals(draw, (size,), 0.5)


def small_row(draw: Draw, size: int) -> Array:
    """A variance near the usual epsilons 1e-5 and 1e-6."""
    return reals(draw, (size,), draw.choice((2.0**-8, 2.0**-9)))


def medium_row(draw: Draw, size: int) -> Array:
    """A variance near a generic epsilon."""
    return reals(draw, (size,), 0.5)


def equal_row(draw: Draw, size: int) -> Array:
    """All entries equal: variance 0, uniform softmax."""
    return np.full(size, real(draw, 8.0))


def tied_row(draw: Draw, size: int) -> Array:
    """Exact ties and zeros of both signs."""
    return np.array([draw.choice((0.0, -0.0, 1.0, -1.0)) for _ in range(size)])


def dominated_row(draw: Draw, size: int) -> Array:
    """One term far larger than the others."""
    row = reals(draw, (size,))
    row[draw.integer(0, size - 1)] *= 300.0
    return row


def cancelling_row(draw: Draw, size: int) -> Array:
    """Pairs x, -x: sums cancel."""
    half = reals(draw, ((size + 1) // 2,), 16.0)
    return np.concatenate([half, -half])[:size]


ALWAYS: tuple[Callable[[Draw, int], Array], ...] = (generic_row, shifted_row, far_row, small_row, tied_row)
SOMETIMES: tuple[Callable[[Draw, int], Array], ...] = (medium_row, equal_row, dominated_row, cancelling_row)


def rows(draw: Draw, count: int, size: int) -> Array:
    """Return rows of mixed families: the first five families always, then others."""
    families = [ALWAYS[number] if number < len(ALWAYS) else draw.choice(SOMETIMES) for number in range(count)]
    return np.stack([family(draw, size) for family in families])


def edge_rows(draw: Draw, size: int, with_infinities: bool) -> Array:
    """Return rows with NaN, infinities, subnormal and zero entries among ordinary ones."""
    batch = reals(draw, (5, size), 4.0)
    place = draw.integer(0, size - 1)
    batch[0, place] = np.nan
    batch[1] *= 2.0**-128
    batch[1, place] = -0.0
    if with_infinities:
        batch[2, place] = -np.inf
        batch[3, place] = np.inf
        batch[4] = -np.inf
    return batch


def near_overflow_rows(draw: Draw, size: int, largest: float) -> Array:
    """Return five rows near the end of a format: where sums, squares and powers overflow, and one huge entry."""
    batch = reals(draw, (5, size))
    ends = np.array([largest, math.sqrt(largest), math.log(largest), largest, 1.0])
    batch *= ends[:, None]
    batch[2] = math.log(largest) + reals(draw, (size,), 4.0)
    batch[3] = np.copysign(largest, batch[3])
    batch[4, draw.integer(0, size - 1)] = largest / 2
    return batch
