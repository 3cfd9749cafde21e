"""mpmath's values keep their digits far out, where a formula loses many."""

import numpy as np
import pytest

from lenticulum.certify.cross_check import PRECISION, agree, conventions
from lenticulum.certify.enclosure import Definitely, balls
from lenticulum.certify.third_opinion import value
from lenticulum.check.definition import parse


@pytest.mark.parametrize(
    ("spec", "x"),
    [
        ("gelu:approximate=none", -(2.0**100)),
        ("gelu:approximate=none", -(2.0**127)),
        ("gelu:approximate=tanh", -1e8),
        ("silu", -1e16),
        ("squareplus", -(2.0**100)),
        ("squareplus", 3e-38),
    ],
)
def test_mpmath_and_balls_agree_where_a_formula_loses_digits(spec, x):
    function = Definitely(parse(spec))
    (element,) = balls(function, [np.array([x])], PRECISION)
    assert element is not None
    third = value(function.definition.entry.name, conventions(function.term), x)
    assert agree(element, None, third)
    # The comparison is sharp: a value that is off in the twelfth digit is not in the ball.
    assert not agree(element, None, third * (1 + 1e-12))
