"""Where a cotangent is exactly 0, what flows on is 0: a branch that is not taken has no part in a derivative."""

from fractions import Fraction

import numpy as np
import pytest

from lenticulum.numbers import ball, dual, interval64, jvp, magnitude, power_real, rational, vjp, where
from lenticulum.numbers.formats import BINARY32
from lenticulum.numbers.magnitude64 import magnitude64
from lenticulum.numbers.unraising import total_ball, total_magnitude

SYSTEMS = [total_ball, lambda data: total_magnitude(data, BINARY32), interval64, magnitude64]

#: The functions, and a point where the slope (and for most the value) does not exist.
BRANCHES = [
    (lambda x: x.sqrt(), 0.0),
    (lambda x: x.log(), -1.0),
    (lambda x: x.log1p(), -2.0),
    (lambda x: x.rsqrt(), 0.0),
    (lambda x: x / x, 0.0),
    (lambda x: x**-2, 0.0),
    (lambda x: x.asin(), 1.0),
    (lambda x: x.cbrt(), 0.0),
    (lambda x: power_real(x, x), -1.0),
    (lambda x: x.atan2(x), 0.0),
    (lambda x: x.log() * x, -1.0),
    (lambda x: x.sqrt().exp(), -1.0),
]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(("branch", "hole"), BRANCHES)
def test_an_untaken_branch_without_a_slope_gives_nothing(system, branch, hole):
    x = system(np.array([hole, 0.5]))
    taken = np.array([False, True])
    value, pull = vjp(lambda x: where(taken, branch(x), x + x), x)
    (slope,) = pull(x.lift(1, (2,)))
    _, forward = jvp(lambda x: where(taken, branch(x), x + x), (x,), (x.lift(1, (2,)),))
    for derivative in (slope, forward):
        assert derivative.bounded().all()
        # A running bound of binary32 rounds 1 + 1, by at most 2 u.
        assert ((derivative[:1] - 2).absolute() <= Fraction(1, 2**20)).all()
    assert value.bounded().all()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_taken_branch_without_a_slope_stays_unbounded(system):
    x = system(np.array([0.0, 1.0]))
    _, pull = vjp(lambda x: x.sqrt(), x)
    assert pull(x.lift(1, (2,)))[0].bounded().tolist() == [False, True]


def test_only_the_point_zero_is_known_to_be_zero():
    assert ball([0, 1, -1]).exactly_zero().tolist() == [True, False, False]
    assert not (ball(Fraction(1, 3)) * 3 - 1).exactly_zero().any()
    assert not magnitude("1e-50").exactly_zero().any()
    # No system without missing values needs to know.
    assert not rational([0, 1]).exactly_zero().any()
    point, direction = ball([0, 0]), ball([0, 1])
    assert dual(point, direction).exactly_zero().tolist() == [True, False]


def test_a_cotangent_that_is_zero_keeps_its_second_derivative():
    """d²(w x²)/dw dx = 2x, also at w = 0."""
    x = ball(3)
    _, pull = vjp(lambda w: vjp(lambda x: w_on(x, w) * x**2, w.constant(x))[1](w.lift(1))[0], ball(0))
    assert pull(ball(1))[0] == ball(6)


def w_on(like, value):
    """A value of the outer derivative as a constant of the inner one."""
    return like.constant(value)
