"""No derivative of a correct function is rejected, to second order, in any draw."""

import numpy as np
import pytest

from lenticulum.check.gradients import check_derivatives
from tests.conformance.right_functions import RIGHT


def alarms(name: str, seeds: range) -> list[str]:
    """Return what was rejected."""
    right = RIGHT[name]
    found = [check_derivatives(right.function, right.draw(np.random.default_rng(seed)), 2, seed=seed) for seed in seeds]
    assert sum(each.judged for each in found) > 0
    return [str(each.wrong) for each in found if each.wrong is not None]


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_derivative_is_accepted(name):
    assert alarms(name, range(2)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_derivative_is_accepted_in_200_draws(name):
    assert alarms(name, range(2, 200)) == []


def test_there_are_forty_of_them():
    assert len(RIGHT) >= 40
