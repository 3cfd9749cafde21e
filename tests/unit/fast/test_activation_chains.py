"""Every activation is a layer of a chain, in both interpreters: value and reverse derivative in the running bound."""

import pytest

from lenticulum.catalog import lookup, names
from lenticulum.check import random_data
from lenticulum.check.agreement import reference, traced
from lenticulum.check.draw import SeededDraw
from lenticulum.check.random_cases import Case
from lenticulum.terms import Compose, Dense, Mode, Tree, chain

NAMES = [name for name in names() if lookup(name).term.__module__ == "lenticulum.terms.activations"]
NAMES += ["tanh", "sigmoid", "erf", "sin"]


def drawn(name):
    draw = SeededDraw(5, 0)
    term = chain(first=Dense(3, 2), activation=lookup(name).example, second=Dense(2, 4))
    arrays = random_data.data(draw, 3, (2,)), random_data.parameters(draw, term.parameter_shapes())
    cotangent = random_data.data(draw, 4, (2,))
    return Case(Compose, term, *arrays, term.state_shapes(), Mode.TRAIN, (1, 2), cotangent, None, Tree())


@pytest.mark.parametrize("name", NAMES)
def test_a_chain_with_the_activation_agrees(name):
    case = drawn(name)
    exact = reference(case)
    assert exact.put is not None
    assert not exact.undecided
    assert not exact.violations(*traced(case).op_by_op())
    assert exact.relative_bound() < 2**10
