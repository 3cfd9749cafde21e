"""The seed stream in 32-bit words against plain Python integers and published values."""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum import fast
from lenticulum.fast.seed_stream import GAMMA, Word, add, multiply, random_words, split, splitmix64
from lenticulum.terms import Dropout, Mode, Tree

DATA = Path(__file__).parents[2] / "conformance" / "data" / "torchlean.json"
VECTORS = {entry["id"]: entry for entry in json.loads(DATA.read_text(encoding="utf-8"))["vectors"]}
WORDS = st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1])


def integer(word: Word) -> int:
    return (int(word.high) << 32) + int(word.low)


def sm(x: int) -> int:
    """The mixer in Python integers, from the constants of SplitMix64 (Steele, Lea and Flood 2014)."""
    z = (x + 0x9E3779B97F4A7C15) % 2**64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % 2**64
    return z ^ (z >> 31)


def state(seed: int, count: int = 0) -> Tree:
    return Tree(seed=jnp.array([seed >> 32, seed % 2**32], jnp.uint32), count=jnp.uint32(count))


def test_published_words():
    entry = VECTORS["tl.rng.splitmix64.zero"]
    assert [integer(splitmix64(split(x))) for x in entry["inputs"]["x"]] == entry["expected"]


@pytest.mark.parametrize("name", ["tl.rng.next_seed.2026", "tl.rng.next_seed.7"])
def test_published_layer_seeds(name):
    seed = VECTORS[name]["inputs"]["seed"]
    assert integer(splitmix64(add(split(seed), split(GAMMA)))) == VECTORS[name]["expected"]


@given(WORDS, WORDS)
def test_words_add_and_multiply_modulo_two_to_the_64(a, b):
    assert integer(add(split(a), split(b))) == (a + b) % 2**64
    assert integer(multiply(split(a), split(b))) == (a * b) % 2**64


@given(WORDS)
def test_the_mixer_is_that_of_python_integers(x):
    assert integer(splitmix64(split(x))) == sm(x)


@given(WORDS, st.integers(0, 2**32 - 1))
def test_random_words_are_those_of_python_integers(seed, count):
    words = random_words(state(seed).seed, jnp.uint32(count), (2, 3))
    key = sm((seed + count) % 2**64)
    assert words.ravel().tolist() == [sm((key + j) % 2**64) % 2**32 for j in range(6)]


def test_compiled_and_mapped_words_are_the_same():
    seeds = jnp.array([[1, 2], [2**32 - 1, 2**32 - 1], [0, 0]], jnp.uint32)
    counts = jnp.array([0, 1, 2**32 - 1], jnp.uint32)
    one_by_one = np.stack([random_words(seed, count, (5,)) for seed, count in zip(seeds, counts, strict=True)])
    mapped = jax.jit(jax.vmap(lambda seed, count: random_words(seed, count, (5,))))(seeds, counts)
    assert np.array_equal(one_by_one, mapped)


def test_published_dropout_of_ones():
    entry = VECTORS["tl.dropout.ones4.2026"]
    layer, seed = Dropout("1/2", draws="seed_stream"), VECTORS["tl.rng.next_seed.2026"]["expected"]
    x = jnp.array(entry["inputs"]["x"], jnp.float32)
    for mode in Mode:
        y, _ = fast.apply(layer, x, Tree(), state(seed), mode, None)
        assert y.tolist() == entry["expected"][mode.value]


def test_the_count_moves_in_training_only_and_the_mask_follows_it():
    layer, x, seed = Dropout("1/2", draws="seed_stream"), jnp.ones(64), 12345
    first, after_first = fast.apply(layer, x, Tree(), state(seed), Mode.TRAIN, None)
    _, after_evaluation = fast.apply(layer, x, Tree(), after_first, Mode.EVAL, None)
    second, after_second = fast.apply(layer, x, Tree(), after_evaluation, Mode.TRAIN, None)
    assert [int(each.count) for each in (after_first, after_evaluation, after_second)] == [1, 1, 2]
    for y, t in ((first, 0), (second, 1)):
        kept = [sm((sm(seed + t) + j) % 2**64) % 2**32 < 2**31 for j in range(64)]
        assert y.tolist() == [2.0 if keep else 0.0 for keep in kept]


@pytest.mark.parametrize(("rate", "expected"), [(0, [1.0, 2.0, 3.0]), (1, [0.0, 0.0, 0.0])])
@pytest.mark.parametrize("draws", ["key", "seed_stream"])
def test_rates_zero_and_one_need_no_draw_and_still_count(rate, expected, draws):
    before = state(5) if draws == "seed_stream" else Tree()
    y, after = fast.apply(Dropout(rate, draws=draws), jnp.array([1.0, 2.0, 3.0]), Tree(), before, Mode.TRAIN, None)
    assert y.tolist() == expected
    assert [int(after.count)] == [1] if draws == "seed_stream" else len(after) == 0
