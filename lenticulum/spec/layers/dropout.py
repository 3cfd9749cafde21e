"""Dropout with inverted scaling (Srivastava et al. 2014); the mask from a key or from the seed stream."""

from fractions import Fraction
from math import ceil, prod

import numpy as np

from lenticulum import terms
from lenticulum.numbers import ExactArray, where, zeros_like
from lenticulum.spec.keys import Key, random_bits
from lenticulum.spec.meaning import meaning
from lenticulum.spec.seeds import splitmix64
from lenticulum.terms import Mode, Tree


@meaning(terms.Dropout)
def dropout(
    parameters: Tree,
    x: ExactArray,
    *,
    state: Tree,
    mode: Mode,
    key: Key | None,
    rate: Fraction,
    draws: str,
) -> tuple[ExactArray, Tree]:
    """Return x mask / (1 - rate) in train mode and x in eval mode.

    Values that determine the result: x, rate, mode, and the key (draws = "key") or seed and count of the state (draws =
    "seed_stream"). Pure given the key; the count after the call is in the returned state: one more for every training
    application, none for an evaluation.
    Laws: E[y] = x; every y_i is 0 or x_i/(1-rate); eval is the identity. Source: Srivastava et al. 2014.
    """
    if mode is Mode.EVAL:
        return x, state
    after = state.with_entries(count=np.uint32(int(state.count) + 1)) if draws == "seed_stream" else state
    if rate == 0:
        return x, after
    if rate == 1:
        return zeros_like(x), after
    mask = seed_stream_mask(state, rate, x.shape) if draws == "seed_stream" else key_mask(key, rate, x.shape)
    return where(mask, x / (1 - x.lift(rate)), zeros_like(x)), after


def seed_stream_mask(state: Tree, rate: Fraction, shape: tuple[int, ...]) -> np.ndarray:
    """Return which elements are kept: 1 - rate > low32(sm(key + j)) / 2^32 with key = sm(seed + count)."""
    seed = (int(state.seed[0]) << 32) | int(state.seed[1])
    key = splitmix64(seed + int(state.count))
    threshold = ceil((1 - rate) * 2**32)
    kept = [splitmix64(key + position) & 0xFFFFFFFF < threshold for position in range(prod(shape))]
    return np.array(kept, dtype=bool).reshape(shape)


def key_mask(key: Key | None, rate: Fraction, shape: tuple[int, ...]) -> np.ndarray:
    """Return which elements are kept: a uniform draw of 23 bits, k / 2^23 < 1 - rate."""
    if key is None:
        raise TypeError("Dropout: training with 0 < rate < 1 draws a mask and needs a key, got None")
    threshold = ceil((1 - rate) * 2**23)
    kept = [random_bits(key, position) >> 9 < threshold for position in range(prod(shape))]
    return np.array(kept, dtype=bool).reshape(shape)
