"""Constants are rounded once, from the exact number."""

from fractions import Fraction

import numpy as np
import pytest

from lenticulum.fast.constants import constant, decay_constant

ONE, STEP = Fraction(1), Fraction(1, 2**23)  # neighbours of 1 in binary32 are 1 + k * STEP


def test_a_number_beside_a_tie_is_rounded_once():
    # Half a step plus 2^-60 lies above the tie; binary64 rounds it to the tie, which would then go down, to even.
    number = ONE + STEP / 2 + Fraction(1, 2**60)
    assert constant(number, np.float32) == np.float32(1 + 2**-23)
    assert np.float32(float(number)) == np.float32(1)


@pytest.mark.parametrize(("steps", "even"), [(Fraction(1, 2), 0), (Fraction(3, 2), 2)])
def test_a_tie_goes_to_even(steps, even):
    assert Fraction(float(constant(ONE + steps * STEP, np.float32))) == ONE + even * STEP


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("spelling", ["0.1", Fraction(1, 3), "0.999", 7, -2.5])
def test_ordinary_constants_are_those_of_the_format(spelling, dtype):
    assert constant(spelling, dtype) == dtype(float(Fraction(spelling)))
    assert constant(spelling, dtype).dtype == dtype


@pytest.mark.parametrize(
    ("make", "number", "outcome"),
    [(constant, 1e300, "inf"), (constant, 1e-300, "0.0"), (decay_constant, "0.999999999", "1.0")],
)
def test_a_constant_that_changes_its_meaning_is_refused_in_binary32_and_fine_in_binary64(make, number, outcome):
    assert make(number, np.float64) == float(number)
    with pytest.raises(ValueError, match=rf"^rate = .* rounds to {outcome} in float32; use a .* number"):
        make(number, np.float32, "rate")


def test_a_number_beyond_every_format_is_refused_in_one_line():
    with pytest.raises(ValueError, match=r"^rate = about 1e400 rounds to inf in float64"):
        constant(Fraction(10) ** 400, np.float64, "rate")
