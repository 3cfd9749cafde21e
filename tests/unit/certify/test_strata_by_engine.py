"""An input has one stratum, whichever engine encloses the value: with float64 intervals or with balls alone."""

import numpy as np
import pytest

from lenticulum.certify.block import prepare
from lenticulum.certify.enclosure import Definitely, interval64_available
from lenticulum.check.definition import parse
from lenticulum.numbers import BFLOAT16


def prepared(spec: str, patterns: list[int], intervals: bool):
    function = Definitely(parse(spec))
    return prepare(function, (np.array(patterns, np.uint16),), BFLOAT16, BFLOAT16, intervals=intervals)


WITH_INTERVALS = pytest.param(True, marks=pytest.mark.skipif(not interval64_available(), reason="needs crival"))


@pytest.mark.parametrize("intervals", [WITH_INTERVALS, False])
def test_balls_tell_on_which_side_of_the_smallest_normal_number_a_value_lies(intervals):
    # x Phi(x) = x/2 (1 + 2 x / sqrt(2 pi) - ...): at 2^-125 just above 2^-126, at -2^-125 just below it in size.
    found = prepared("gelu:approximate=none", [0x0100, 0x8100], intervals).enclosures
    assert found.lo[0] >= 2.0**-126
    assert -(2.0**-126) <= found.lo[1] < found.hi[1]
    assert found.hi[1] > -(2.0**-126)
