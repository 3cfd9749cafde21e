"""Families of inputs are what they say: mean, signs, exponents, cancelling halves, ties, special entries."""

import numpy as np
import pytest

from lenticulum.certify.arrays.family import FAMILIES, LATTICE, OUTLIER, SPECIAL, Family
from lenticulum.numbers.formats import FORMATS

FORMAT = FORMATS["float32"]


def drawn(family, shape=(64, 64), seed=0):
    return family.draw(np.random.default_rng(seed), shape, FORMAT)


@pytest.mark.parametrize("mean", [10.0, 1000.0])
def test_a_shifted_family_has_its_mean_and_the_standard_deviation_1(mean):
    x = drawn(Family(shift=mean))
    # Of 4096 independent normal numbers the mean is off by 1/64 and the deviation by 1/90, each one sigma: 6 are taken.
    assert abs(x.mean() - mean) < 6 / 64
    assert abs(x.std() - 1) < 6 / 90


def test_a_positive_family_has_no_negative_number_and_a_scale_multiplies():
    assert drawn(Family(signed=False)).min() >= 0
    assert (drawn(Family(scale=64.0)) == 64 * drawn(Family())).all()


def test_a_spread_reaches_every_exponent_and_no_other():
    exponents = np.frexp(np.abs(drawn(Family(spread=12))))[1] - 1
    assert set(exponents.ravel().tolist()) == set(range(-12, 13))


@pytest.mark.parametrize("size", [2, 5, 64])
def test_halves_of_a_cancelling_family_are_opposite(size):
    x = drawn(Family(cancelling=True), (3, size))
    half = size // 2
    assert (x[:, :half] == -x[:, size - half :]).all()


def test_one_entry_of_each_row_is_large():
    with_one, plain = drawn(Family(outlier=True)), drawn(Family())
    larger = with_one != plain
    assert (larger.sum(axis=1) == 1).all()
    assert np.allclose(with_one[larger], OUTLIER * plain[larger], rtol=0, atol=0)


def test_ties_come_from_the_lattice_with_zeros_of_both_signs():
    x = drawn(Family(lattice=True))
    assert set(x.ravel().tolist()) <= set(LATTICE)
    zeros = x[x == 0]
    assert np.signbit(zeros).any()
    assert not np.signbit(zeros).all()


def test_special_entries_are_a_sixteenth_and_of_every_kind():
    x = drawn(SPECIAL, (256, 256))
    special = ~np.isfinite(x) | (np.abs(x) < float(FORMAT.smallest_normal))
    # A count of 65 536 coins of 1/16 has the standard deviation 62.
    assert abs(special.sum() - 4096) < 6 * 62
    assert np.isnan(x).any()
    assert np.isposinf(x).any()
    assert np.isneginf(x).any()
    assert ((x != 0) & (np.abs(x) < float(FORMAT.smallest_normal))).any()


def test_no_two_families_have_one_name():
    assert len({str(family) for family in FAMILIES}) == len(FAMILIES)


@pytest.mark.parametrize("family", FAMILIES, ids=str)
@pytest.mark.parametrize("shape", [(), (1,), (3, 1), (2, 0)])
def test_every_family_fills_small_and_empty_shapes(family, shape):
    assert drawn(family, shape).shape == shape
