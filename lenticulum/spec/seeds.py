"""The seed stream: SplitMix64 (Steele, Lea and Flood 2014) as exact integers, and the weights drawn from it.

The conventions are those of TorchLean (arXiv:2602.22631). A limit worth knowing: the layer seed depends on seed +
counter only, so models with seeds r and r + 1 share layer seeds shifted by one; consecutive seeds are not independent
replicates.
"""

from fractions import Fraction
from math import cos, log, pi, prod, sqrt

import numpy as np

_MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def splitmix64(x: int) -> int:
    """Return the SplitMix64 mix of x + gamma.

    >>> splitmix64(0)
    16294208416658607535
    """
    z = (x + GAMMA) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def next_seed(seed: int, counter: int) -> int:
    """Return the layer seed sm(seed + counter + gamma); gamma is added twice in total.

    >>> next_seed(2026, 0)
    8699989649721214301
    """
    return splitmix64(seed + counter + GAMMA)


def uniform(seed: int, position: int) -> Fraction:
    """Return u(s, j) = low32(sm(sm(s) + j)) / 2^32, exact in binary64; j is the row-major position.

    >>> 0 <= uniform(7, 0) < 1
    True
    """
    return Fraction(splitmix64(splitmix64(seed) + position) & 0xFFFFFFFF, 2**32)


def xavier_uniform(seed: int, shape: tuple[int, int]) -> np.ndarray:
    """Return weights in binary64: -L + u (2L) with L = sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010)."""
    fan_out, fan_in = shape
    return bounded_uniform(seed, shape, fan_in + fan_out)


def kaiming_uniform(seed: int, shape: tuple[int, int]) -> np.ndarray:
    """Return weights in binary64: -L + u (2L) with L = sqrt(6 / fan_in) (He et al. 2015)."""
    return bounded_uniform(seed, shape, shape[1])


def bounded_uniform(seed: int, shape: tuple[int, int], fan: int) -> np.ndarray:
    """Return -L + u (2L) with L = sqrt(6 / fan), row-major; a fan of 0 gives zeros."""
    bound = sqrt(6 / fan) if fan else 0.0
    draws = [-bound + float(uniform(seed, position)) * (2 * bound) for position in range(prod(shape))]
    return np.array(draws, dtype=np.float64).reshape(shape)


def standard_normal(seed: int, count: int) -> np.ndarray:
    """Return draws in binary64: sqrt(-2 ln u1) cos(2 pi u2) (Box and Muller 1958)."""
    mixed = splitmix64(seed)

    def draw(position: int) -> float:
        first = ((splitmix64(mixed + 2 * position) & 0xFFFFFFFF) + 1) / (2**32 + 1)
        return sqrt(-2 * log(first)) * cos(2 * pi * float(uniform(seed, 2 * position + 1)))

    return np.array([draw(position) for position in range(count)], dtype=np.float64)
