"""The root of a sum of squares: values, the derivative at 0 by convention, and running bounds of flushed squares."""

import numpy as np
import pytest

from lenticulum.numbers import (
    DomainError,
    ball,
    interval64,
    jvp,
    magnitude,
    rational,
    root_of_squares,
    sqrt,
    vjp,
)


def test_the_value_is_the_square_root():
    assert root_of_squares(rational([0, 4, "9/25"])) == rational([0, 2, "3/5"])
    assert bool((root_of_squares(ball([2])) ** 2 - 2 < ball(2) ** -40).all())
    assert root_of_squares(interval64([0.0, 4.0])) == interval64([0.0, 2.0])


def test_the_derivative_at_zero_is_zero_and_elsewhere_that_of_the_root():
    x, t = rational([0, 4]), rational([1, 1])
    assert jvp(root_of_squares, (x,), (t,))[1] == rational([0, "1/4"])
    assert vjp(root_of_squares, x)[1](t)[0] == rational([0, "1/4"])
    with pytest.raises(DomainError):
        jvp(sqrt, (x,), (t,))


def test_flushed_squares_leave_a_bound():
    # 2^-70 has a square below the normal numbers: it may be flushed, and the root of what is left is 2^-70 or 0.
    tiny = magnitude([2.0**-70])
    assert not sqrt((tiny * tiny).sum()).bounded()
    bound = root_of_squares((tiny * tiny).sum())
    assert bound.bounded()
    assert bound.lower() <= 0
    assert bound.upper() >= rational(2.0**-70)


def test_floats_lie_inside_the_bound():
    words = np.random.PCG64(5).random_raw(40).astype(np.float64) / 2.0**64
    x = np.float32(words.reshape(8, 5) * np.exp2(np.arange(-32.0, 32.0, 8.0))[:, None])
    bound = root_of_squares((magnitude(x.astype(np.float64)) ** 2).sum(axis=1))
    computed = rational(np.sqrt(np.sum(x * x, axis=1, dtype=np.float32)).astype(np.float64))
    assert bool(((bound.lower() <= computed) & (computed <= bound.upper())).all())
