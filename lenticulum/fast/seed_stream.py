"""The SplitMix64 seed stream in 32-bit words: the same with and without 64-bit JAX, compiled or not, mapped or not."""

from math import prod
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, UInt32

GAMMA = 0x9E3779B97F4A7C15
FIRST_MULTIPLIER = 0xBF58476D1CE4E5B9
SECOND_MULTIPLIER = 0x94D049BB133111EB


class Word(NamedTuple):
    """A 64-bit word, or an array of such, as its high and low halves: high * 2^32 + low."""

    high: UInt32[Array, "..."]
    low: UInt32[Array, "..."]


def random_words(seed: UInt32[Array, "2"], count: UInt32[Array, ""], shape: tuple[int, ...]) -> UInt32[Array, "..."]:
    """Return the random words of one draw of the seed stream.

    word_j = low32(sm(k + j)) with k = sm(seed + count) and j the row-major position.

    Arguments: `seed`: high and low half of the 64-bit layer seed; `count`: how many draws came before; `shape`: of the
    result.
    Source: TorchLean, arXiv:2602.22631; the mixer is SplitMix64 (Steele, Lea and Flood 2014).

    >>> random_words(jnp.zeros(2, jnp.uint32), jnp.uint32(0), (2,)).tolist()
    [1293516399, 2939677055]
    """
    key = splitmix64(add(Word(seed[0], seed[1]), _widen(count)))
    positions = jnp.arange(prod(shape), dtype=jnp.uint32).reshape(shape)
    return splitmix64(add(key, _widen(positions))).low


def splitmix64(word: Word) -> Word:
    """Return the SplitMix64 finaliser sm of a word.

    z = x + gamma; z = (z ^ (z >> 30)) c1; z = (z ^ (z >> 27)) c2; sm(x) = z ^ (z >> 31), modulo 2^64.

    >>> high, low = splitmix64(Word(jnp.uint32(0), jnp.uint32(0)))
    >>> (int(high) << 32) + int(low)
    16294208416658607535
    """
    z = add(word, split(GAMMA))
    z = multiply(_xor_shifted(z, 30), split(FIRST_MULTIPLIER))
    z = multiply(_xor_shifted(z, 27), split(SECOND_MULTIPLIER))
    return _xor_shifted(z, 31)


def split(number: int) -> Word:
    """Return a Python integer in [0, 2^64) as a word.

    >>> [hex(half) for half in split(GAMMA)]
    ['0x9e3779b9', '0x7f4a7c15']
    """
    return Word(jnp.uint32(number >> 32), jnp.uint32(number & 0xFFFFFFFF))


def add(a: Word, b: Word) -> Word:
    """Return a + b modulo 2^64.

    >>> [int(half) for half in add(split(2**32 - 1), split(1))]
    [1, 0]
    """
    low = a.low + b.low
    carry = (low < a.low).astype(jnp.uint32)
    return Word(a.high + b.high + carry, low)


def multiply(a: Word, b: Word) -> Word:
    """Return a * b modulo 2^64.

    >>> [int(half) for half in multiply(split(2**32 - 1), split(2**32 - 1))]
    [4294967294, 1]
    """
    return Word(_high_product(a.low, b.low) + a.high * b.low + a.low * b.high, a.low * b.low)


def _widen(low: Array) -> Word:
    return Word(jnp.zeros_like(low), low)


def _xor_shifted(z: Word, shift: int) -> Word:
    return Word(z.high ^ (z.high >> shift), z.low ^ ((z.low >> shift) | (z.high << (32 - shift))))


def _high_product(a: Array, b: Array) -> Array:
    # The upper half of a 32-bit product, from 16-bit digits: no partial sum below reaches 2^32.
    digit = np.uint32(0xFFFF)
    a0, a1, b0, b1 = a & digit, a >> 16, b & digit, b >> 16
    middle = a1 * b0 + ((a0 * b0) >> 16)
    return a1 * b1 + (middle >> 16) + ((a0 * b1 + (middle & digit)) >> 16)
