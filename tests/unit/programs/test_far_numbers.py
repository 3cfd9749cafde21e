"""Numbers far beyond every format, which a program meets on its way: read soundly, and never written out."""

from fractions import Fraction

import jax.numpy as jnp
import numpy as np
import pytest
from flint import arb

from lenticulum.check import check
from lenticulum.numbers import Undecided, working_precision
from lenticulum.numbers.ends import BEYOND
from lenticulum.numbers.unraising import TotalBall
from lenticulum.programs import Balls, trace
from lenticulum.programs.ends import ends_of, far
from lenticulum.programs.phenomenon import nearest_floats

#: exp(exp(80)) = 2^(8e34): an integer of as many bits would fill any memory.
HUGE = 80.0

FAR = arb((3, BEYOND))
"""3 * 2^BEYOND, exactly."""


def row(*elements: arb) -> TotalBall:
    return TotalBall((len(elements),), list(elements))


def read(function, *points: float):
    x = np.array(points, np.float32)
    with working_precision(128):
        return trace(function, x).read(Balls(), x)[0]


def test_the_ends_of_a_far_number_are_not_written_out():
    x = row(arb((1, 10**40)), FAR, arb(3) / 4, arb.pos_inf(), arb.nan(), arb((1, -(10**40))))
    assert far(x).tolist() == [True, True, False, False, False, False]
    assert ends_of(x)[:5] == [None, None, (Fraction(3, 4), Fraction(3, 4)), None, None]
    low, high = ends_of(x)[5]  # type: ignore[misc]
    assert 0 <= low < high <= Fraction(1, 2**BEYOND)


def test_the_nearest_float_of_a_far_number_is_infinite_or_zero():
    x = row(arb((1, 10**40)), arb((-1, 10**40)), arb((1, -(10**40))), arb.neg_inf(), arb.nan(), arb((3, -1)))
    assert repr(nearest_floats(x, np.float32).tolist()) == "[inf, -inf, 0.0, -inf, nan, 1.5]"


@pytest.mark.parametrize("function", [jnp.floor, jnp.ceil, jnp.round, jnp.trunc])
def test_a_step_of_a_far_number_stays_within_1(function):
    # The ball is a quarter to either side of an integer: the floor of a part of it is the integer before.
    with working_precision(BEYOND + 64):
        x = row(arb(FAR, arb(1) / 4))
        found = trace(function, np.zeros(1, np.float32)).read(Balls(), x)[0].elements[0]
        around = [found.contains(FAR + k) for k in (-3, -1, 0, 1, 3)]
    assert around == [False, True, True, True, False]


def test_programs_pass_through_far_numbers():
    towers = read(lambda x: jnp.floor(jnp.exp(jnp.exp(x))), HUGE)
    assert towers.elements[0] > FAR
    untaken = read(lambda x: jnp.where(x > 90, jnp.floor(jnp.exp(jnp.exp(x))), x), HUGE)
    assert untaken.elements[0] == HUGE
    result = check(lambda x: jnp.exp(jnp.exp(x)), at=[np.float32(HUGE)])
    assert (result.kind, result.lines[0].primitive, result.lines[0].phenomenon) == ("overflow", "exp", "overflow")


def test_what_far_numbers_leave_open_is_said():
    with pytest.raises(Undecided, match="order"):
        read(lambda x: jnp.sort(jnp.exp(jnp.exp(x))), 1.0, HUGE)
    # IEEE 754-2019, section 5.8: a conversion beyond the integers is invalid; XLA leaves its result to the backend.
    for point in (2.0**31, -(2.0**31) - 256, 1e20):
        with pytest.raises(Undecided, match="beyond int32"):
            read(lambda x: x.astype(jnp.int32) * 1.0, point)
    assert read(lambda x: x.astype(jnp.int32) * 1.0, -(2.0**31)).elements[0] == -(2**31)
