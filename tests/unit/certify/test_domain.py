"""The inputs of a run: every pattern once and in order, or a stratified sample that any machine draws alike."""

from collections import Counter

import numpy as np
import pytest

from lenticulum.certify.domain import Domain, scrambled
from lenticulum.numbers.formats import FORMATS

# The first outputs of SplitMix64 from seed 1234567, as published by Rosetta Code (Pseudo-random numbers/Splitmix64).
PUBLISHED = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def split_mix(seed: int, count: int) -> list[int]:
    """The generator in Python's integers, by its definition."""
    mask, state, found = (1 << 64) - 1, seed, []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        found.append(z ^ (z >> 31))
    return found


def test_scrambled_bits_are_those_of_splitmix64():
    assert split_mix(1234567, 5) == PUBLISHED
    for seed in (1234567, 0, 2**63 + 5):
        assert scrambled(np.arange(1000, dtype=np.uint64), seed).tolist() == split_mix(seed, 1000)


@pytest.mark.parametrize("dtype", ["float8_e5m2", "float8_e4m3fn", "float16", "bfloat16"])
def test_every_pattern_of_one_argument_comes_once_and_in_order(dtype):
    domain = Domain(dtype, 1)
    parts = [domain.patterns(first, count)[0] for first, count in domain.shards()]
    assert np.array_equal(np.concatenate(parts), np.arange(domain.total))
    assert domain.total == domain.count == 2 ** FORMATS[dtype].width


@pytest.mark.parametrize("dtype", ["float8_e5m2", "float8_e4m3fn"])
def test_every_pair_comes_once_and_in_order(dtype):
    domain = Domain(dtype, 2)
    parts = [domain.patterns(first, count) for first, count in domain.shards()]
    x, y = (np.concatenate(column).tolist() for column in zip(*parts, strict=True))
    assert list(zip(x, y, strict=True)) == [(a, b) for a in range(256) for b in range(256)]


def test_float32_is_covered_without_a_gap():
    domain = Domain("float32", 1)
    shards = list(domain.shards())
    assert [first for first, _ in shards] == list(range(0, 2**32, 2**20))
    assert sum(count for _, count in shards) == 2**32
    first, count = shards[-1]
    (last,) = domain.patterns(first + count - 2, 2)
    assert last.tolist() == [0xFFFFFFFE, 0xFFFFFFFF]


@pytest.mark.parametrize("dtype", list(FORMATS))
@pytest.mark.parametrize("sample", [None, 1, 100_000, 1 << 17])
def test_a_shard_is_whole_leaves_and_the_last_may_be_short(dtype, sample):
    domain = Domain(dtype, 1, sample)
    assert domain.shard % domain.leaf == 0
    if domain.count > 2**24:
        return
    shards = list(domain.shards())
    ends = [first + count for first, count in shards]
    assert [first for first, _ in shards] == [0, *ends[:-1]]
    assert ends[-1] == domain.count
    assert all(count == domain.shard for _, count in shards[:-1])


@pytest.mark.parametrize(("dtype", "arguments"), [("float32", 1), ("bfloat16", 2), ("float64", 1)])
def test_a_sample_has_every_sign_and_exponent_equally_often_and_the_ends_of_binades(dtype, arguments):
    fmt, size = FORMATS[dtype], 1 << 16
    domain = Domain(dtype, arguments, size)
    columns = domain.patterns(0, size)
    for column in columns:
        fields = Counter((column >> np.array(fmt.precision - 1, column.dtype)).tolist())
        classes = 2 ** (fmt.width - fmt.precision + 1)
        assert len(fields) == classes
        # Counts are binomial: no share is six deviations off.
        mean = size / classes
        assert all(abs(count - mean) < 6 * mean**0.5 for count in fields.values())
        significands = Counter((column & np.array(2 ** (fmt.precision - 1) - 1, column.dtype)).tolist())
        last = 2 ** (fmt.precision - 1) - 1
        for end in (0, 1, last - 1, last):
            assert significands[end] > size / 16 - 6 * (size / 16) ** 0.5
    assert len(set(zip(*(column.tolist() for column in columns), strict=True))) > size / 2


def test_a_sample_is_the_same_however_it_is_cut():
    domain = Domain("float32", 2, 5000, seed=3)
    whole = domain.patterns(0, 5000)
    for cuts in ([0, 1, 17, 4000, 5000], [0, 2500, 5000]):
        parts = [domain.patterns(a, b - a) for a, b in zip(cuts, cuts[1:], strict=False)]
        for column, pieces in zip(whole, zip(*parts, strict=True), strict=True):
            assert np.array_equal(column, np.concatenate(pieces))


def test_a_seed_draws_another_sample_and_arguments_are_drawn_apart():
    first, other = (Domain("float32", 2, 1000, seed).patterns(0, 1000) for seed in (0, 1))
    assert (first[0] == other[0]).mean() < 0.05
    assert (first[0] == first[1]).mean() < 0.05
