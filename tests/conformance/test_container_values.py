"""The containers at published values: l_1(x) = 2x + 1, l_2(x) = x^2, c(a, b) = a - b, in both interpreters.

The equations are those of the documentation of Lux.jl (Chain, Parallel, BranchLayer, SkipConnection, PairwiseFusion,
Maxout, RepeatedLayer). The connection is not commutative, so that exchanged arguments show. The slopes are worked out
by hand.
"""

import jax.numpy as jnp
import pytest

from lenticulum import fast, spec
from lenticulum.numbers import rational
from lenticulum.terms import (
    Branch,
    Compose,
    Identity,
    Maxout,
    Mode,
    Multiply,
    PairwiseFusion,
    Parallel,
    Repeat,
    Skip,
    Stack,
    Subtract,
    Swap,
    Term,
    value,
)


@value
class Odd(Term):
    """l_1(x) = 2x + 1."""


@value
class Square(Term):
    """l_2(x) = x^2."""


@value
class Fed(Term):
    """l(r, x) = 2r + x."""

    def target(self, source):
        return source[0]


def odd(parameters, x):
    return 2 * x + 1


def square(parameters, x):
    return x * x


def fed(parameters, x):
    return 2 * x[0] + x[1]


for interpreter in (spec, fast):
    interpreter.meaning(Odd)(odd)
    interpreter.meaning(Square)(square)
    interpreter.meaning(Fed)(fed)

LAYERS = (Odd(), Square())
#: The term, the point, the value, and the slope of the value (of the sum of the values) in each input.
ROWS = [
    pytest.param(Odd() >> Square(), 3, 49, 28, id="chain"),
    pytest.param(Square() >> Odd(), 3, 19, 12, id="chain in the other order"),
    pytest.param(Compose(()), 3, 3, 1, id="empty chain"),
    pytest.param(Parallel(Subtract(), LAYERS), 3, -2, -4, id="parallel of one array"),
    pytest.param(Parallel(Subtract(), LAYERS), (3, 5), -18, (2, -10), id="parallel of a tuple"),
    pytest.param(Parallel(None, LAYERS), (3, 5), (7, 25), (2, 10), id="parallel without a connection"),
    pytest.param(Branch(LAYERS), 3, (7, 9), 8, id="branch"),
    pytest.param(Branch(LAYERS, Subtract()), 3, -2, -4, id="branch with a fusion"),
    pytest.param(Skip(Odd(), Subtract()), 3, 4, 1, id="skip"),
    pytest.param(PairwiseFusion(Subtract(), LAYERS), (1, 10, 100), 51, (28, -14, 1), id="pairwise fusion"),
    pytest.param(PairwiseFusion(Subtract(), LAYERS), 3, -13, -7, id="pairwise fusion of one array"),
    pytest.param(Maxout(LAYERS), 3, 9, 6, id="maxout"),
    pytest.param(Maxout(LAYERS), 1, 3, 2, id="maxout where the other is larger"),
    pytest.param(Maxout((Identity(), Identity())), 3, 3, 1, id="maxout at a tie"),
    pytest.param(Repeat(Odd(), 3), 3, 31, 8, id="repeat"),
    pytest.param(Repeat(Fed(), 3, injection=True), 3, 45, 15, id="repeat with injection"),
    pytest.param(Stack(Odd(), 3), 3, 31, 8, id="stack"),
    pytest.param(Parallel(Multiply(), LAYERS), 3, 63, 60, id="multiply"),
]


def arrays(number, array):
    return tuple(arrays(each, array) for each in number) if isinstance(number, tuple) else array([number])


def numbers(x):
    return tuple(map(numbers, x)) if isinstance(x, tuple) else x.tolist()[0]


def ones(y, array):
    return tuple(ones(each, array) for each in y) if isinstance(y, tuple) else array([1])


@pytest.mark.parametrize(("interpreter", "array"), [(spec, rational), (fast, lambda x: jnp.array(x, jnp.float32))])
@pytest.mark.parametrize(("term", "at", "expected", "slope"), ROWS)
def test_a_container_has_its_published_value(interpreter, array, term, at, expected, slope):
    x, trees = arrays(at, array), (term.parameter_shapes(), term.state_shapes())
    y, state = interpreter.apply(term, x, *trees, Mode.EVAL, None)
    assert numbers(y) == expected
    assert state == trees[1]
    _, pulled = interpreter.put(term, x, *trees, Mode.EVAL, None, ones(y, array))
    assert numbers(pulled) == slope


def test_a_pairwise_fusion_with_exchanged_arguments_has_another_value():
    exchanged = PairwiseFusion(Swap() >> Subtract(), LAYERS)
    trees = exchanged.parameter_shapes(), exchanged.state_shapes()
    y, _ = spec.apply(exchanged, arrays((1, 10, 100), rational), *trees, Mode.EVAL, None)
    assert numbers(y) == -51
