"""Dropout with inverted scaling; the mask comes from a key or from the seed stream."""

from fractions import Fraction
from math import ceil

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from lenticulum.fast.constants import constant
from lenticulum.fast.division import divide
from lenticulum.fast.keys import Key, MissingKey
from lenticulum.fast.meaning import meaning
from lenticulum.fast.seed_stream import random_words
from lenticulum.terms.exact import Number, exact
from lenticulum.terms.layers import Dropout
from lenticulum.terms.modes import Mode
from lenticulum.terms.tree import Tree


@meaning(Dropout)
def dropout(
    parameters: Tree, x: Float[Array, "..."], *, rate: Number, draws: str, state: Tree, mode: Mode, key: Key | None
) -> tuple[Float[Array, "..."], Tree]:
    """Return the input with some entries dropped and the others scaled, and the state after this draw.

    Training: y = x mask / (1 - rate); evaluation: y = x. Rate 0 is the identity and rate 1 is zero, both without a
    draw.

    States (`draws` "seed_stream"): seed [2] (high and low word) and count, which every training application raises by
    one, whether it draws or not. With `draws` "key" there is no state.
    Raises: MissingKey, a TypeError, if the mask needs a key and there is none.
    Source: Srivastava et al. 2014; the seed stream is that of TorchLean, arXiv:2602.22631.

    >>> state = Tree(seed=jnp.array([2025624189, 3979691357], jnp.uint32), count=jnp.uint32(0))
    >>> y, state = dropout(
    ...     Tree(), jnp.ones(4), rate="1/2", draws="seed_stream", state=state, mode=Mode.TRAIN, key=None
    ... )
    >>> y.tolist(), int(state.count)
    ([2.0, 0.0, 2.0, 0.0], 1)
    """
    if mode is Mode.EVAL:
        return x, state
    dropped, keep = exact(rate, "rate"), 1 - exact(rate, "rate")
    moved = state.with_entries(count=state.count + 1) if draws == "seed_stream" else state
    if dropped == 0:
        return x, moved
    if keep == 0:
        return jnp.zeros_like(x), moved
    kept = stream_mask(state, x.shape, keep) if draws == "seed_stream" else key_mask(key, x.shape, keep)
    return jnp.where(kept, divide(x, constant(keep, x.dtype, "1 - rate")), 0), moved


def key_mask(key: Key | None, shape: tuple[int, ...], keep: Fraction) -> Bool[Array, "..."]:
    """Return the mask of a key: an element is kept iff the upper 23 of its 32 bits are below keep * 2^23.

    >>> bool(key_mask(jax.random.key(0), (3,), Fraction(1, 2)).shape == (3,))
    True
    """
    if key is None:
        raise MissingKey(
            f"Dropout(rate={1 - keep}) draws in training but key = None; pass a key such as jax.random.key(0)"
        )
    return (jax.random.bits(key, shape, jnp.uint32) >> 9) <= last_kept(keep, 23)


def stream_mask(state: Tree, shape: tuple[int, ...], keep: Fraction) -> Bool[Array, "..."]:
    """Return the mask of the seed stream: element j is kept iff low32(sm(sm(seed + count) + j)) is below keep * 2^32.

    >>> state = Tree(seed=jnp.zeros(2, jnp.uint32), count=jnp.uint32(0))
    >>> stream_mask(state, (4,), Fraction(1, 2)).tolist()
    [True, False, True, True]
    """
    return random_words(state.seed, state.count, shape) <= last_kept(keep, 32)


def last_kept(keep: Fraction, bits: int) -> np.uint32:
    """Return the largest number of `bits` bits that is kept; it fits in 32 bits, where the bound 2^32 would not.

    >>> last_kept(Fraction(1, 2), 32), last_kept(1 - Fraction(1, 2**40), 32)
    (np.uint32(2147483647), np.uint32(4294967295))
    """
    return np.uint32(ceil(keep * 2**bits) - 1)
