"""Keys of the exact interpreter against JAX's own generator, and against published test vectors."""

import jax
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lenticulum.spec.keys import fold_in, part_key, random_bits, threefry
from lenticulum.terms.names import salt

words = st.integers(0, 2**32 - 1)


def test_threefry_gives_the_published_words():
    # Known answers of the Random123 distribution for threefry2x32 with 20 rounds.
    ones = 0xFFFFFFFF
    assert threefry((0, 0), (0, 0)) == (0x6B200159, 0x99BA4EFE)
    assert threefry((ones, ones), (ones, ones)) == (0x1CB996FC, 0xBB002BE7)
    assert threefry((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3)) == (0xC4923A9C, 0x483DF7A0)


@given(words, words)
def test_folding_in_a_number_is_jaxs(seed, number):
    key = jax.random.key(np.uint32(seed))
    folded = jax.random.key_data(jax.random.fold_in(key, np.uint32(number)))
    assert fold_in((0, seed), number) == tuple(int(word) for word in folded)


@given(words, st.sampled_from([(1,), (5,), (2, 3), (2, 2, 2)]))
def test_random_bits_are_jaxs_in_row_major_order(seed, shape):
    drawn = np.asarray(jax.random.bits(jax.random.key(np.uint32(seed)), shape, np.uint32)).ravel()
    assert [random_bits((0, seed), position) for position in range(drawn.size)] == drawn.tolist()


def test_the_key_of_a_part_depends_on_its_name_only():
    assert part_key((0, 1), "left") == fold_in((0, 1), salt("left"))
    assert part_key((0, 1), "left") != part_key((0, 1), "right")
    assert part_key(None, "left") is None
