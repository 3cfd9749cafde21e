"""Sums without a rounding in any order are points of the running bound; all others are not."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from lenticulum.numbers.formats import BFLOAT16, BINARY32, round_to
from lenticulum.numbers.unraising import total_magnitude

EXACT = [[1, 1, 1, 1], [0, 0], [0.5, -0.25, 3], [2**23, 2**22, 3], [2.0**-126, 2.0**-125], [255.0, 1.0], [-(2.0**24)]]
ROUNDED = [[2**24, 1, 1], [0.1, 0.2], [1, 2.0**-24], [2.0**100, 1.0], [3.0e38, 3.0e38], [2.0**-127, 1.0]]


def bound(terms, format=BINARY32):
    (element,) = total_magnitude(np.array(terms, np.float64), format).sum().reshape(1).elements
    return element


@pytest.mark.parametrize("terms", EXACT)
def test_a_sum_that_no_order_rounds_is_a_point(terms):
    assert bound(terms).is_exact()
    assert bound(terms) == sum(terms)


@pytest.mark.parametrize("terms", ROUNDED)
def test_a_sum_that_some_order_rounds_is_not(terms):
    assert not (bound(terms).is_exact() and bound(terms).is_finite())


def test_every_order_of_small_sums_lies_inside():
    """All orders of all triples of a few numbers of bfloat16, each addition rounded."""
    numbers = [Fraction(x) for x in (1, 3, -2, 255, 256, Fraction(1, 2), Fraction(257, 128) - Fraction(1, 128))]
    points = 0
    for triple in itertools.combinations_with_replacement(numbers, 3):
        element = bound([float(x) for x in triple], BFLOAT16)
        points += element.is_exact()
        for x, y, z in itertools.permutations(triple):
            got = round_to(round_to(x + y, BFLOAT16) + z, BFLOAT16)
            assert element.contains(float(got)), (triple, got, element)
    assert 10 < points < 80
