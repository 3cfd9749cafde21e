"""The inputs of a run in a fixed order: every bit pattern, or a stratified sample; cut into shards and leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lenticulum.certify.subject import UNSIGNED
from lenticulum.numbers.formats import FORMATS, Format

Array = np.ndarray

#: How many outputs one leaf of the hash tree holds.
LEAF = {8: 256, 16: 4096, 32: 65_536, 64: 4096}

#: How many inputs one shard holds: some hundredths of a second of work, up to a few tenths.
SHARD = {8: 4096, 16: 8192, 32: 1 << 20, 64: 4096}


@dataclass(frozen=True)
class Domain:
    """A sequence of inputs: index -> bit patterns of the arguments.

    `sample`: None means every pattern, x * 2^width + y for two arguments, in increasing order; otherwise so many
    stratified inputs: equal shares of (sign, exponent) for each argument, with the ends of each binade.

    >>> Domain("float16", 1).count
    65536
    >>> [part.tolist() for part in Domain("float8_e5m2", 2).patterns(255, 2)]
    [[0, 1], [255, 0]]
    """

    dtype: str
    arguments: int
    sample: int | None = None
    seed: int = 0

    @property
    def format(self) -> Format:
        """The format of the arguments."""
        return FORMATS[self.dtype]

    @cached_property
    def count(self) -> int:
        """The number of inputs."""
        return self.total if self.sample is None else self.sample

    @cached_property
    def total(self) -> int:
        """The number of inputs there are."""
        return 1 << (self.format.width * self.arguments)

    @property
    def leaf(self) -> int:
        """Outputs in a leaf."""
        return LEAF[self.format.width]

    @property
    def shard(self) -> int:
        """Inputs in a shard: a multiple of a leaf."""
        return SHARD[self.format.width] if self.sample is None else max(SHARD[self.format.width], 1 << 16)

    def shards(self) -> Iterator[tuple[int, int]]:
        """Yield (first index, number of inputs) of each shard."""
        for first in range(0, self.count, self.shard):
            yield first, min(self.shard, self.count - first)

    def patterns(self, first: int, count: int) -> tuple[Array, ...]:
        """Return the bit patterns of so many inputs from an index on, one array for each argument."""
        index = np.arange(first, first + count, dtype=np.uint64)
        if self.sample is None:
            width, kind = self.format.width, UNSIGNED[self.format.width]
            if self.arguments == 1:
                return (index.astype(kind),)
            return (index >> np.uint64(width)).astype(kind), (index & np.uint64((1 << width) - 1)).astype(kind)
        return tuple(self._stratified(index, argument) for argument in range(self.arguments))

    def _stratified(self, index: Array, argument: int) -> Array:
        """Return patterns with every sign and exponent equally often, a quarter of them at the ends of a binade."""
        fmt, kind = self.format, UNSIGNED[self.format.width]
        counter = np.uint64(2) * (index * np.uint64(self.arguments) + np.uint64(argument))
        bits, more = scrambled(counter, self.seed), scrambled(counter + np.uint64(1), self.seed)
        mantissa_bits = fmt.precision - 1
        top = fmt.width - mantissa_bits
        mantissa = bits & np.uint64((1 << mantissa_bits) - 1)
        last = np.uint64((1 << mantissa_bits) - 1)
        # Of sixteen: 0 first, 1 second, 2 last, 3 last but one of the binade; else any.
        choice = more >> np.uint64(60)
        ends = (np.uint64(0), np.uint64(1), last, last - np.uint64(1))
        for number, value in enumerate(ends):
            mantissa = np.where(choice == number, value, mantissa)
        exponent = more & np.uint64((1 << top) - 1)
        return ((exponent << np.uint64(mantissa_bits)) | mantissa).astype(kind)


def scrambled(counter: Array, seed: int) -> Array:
    """Return 64 well-mixed bits for each counter: the output function of SplitMix64 (doi:10.1145/2660193.2660195).

    >>> hex(int(scrambled(np.array([0], np.uint64), 0)[0]))
    '0xe220a8397b1dcdaf'
    """
    with np.errstate(over="ignore"):
        z = (counter + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
