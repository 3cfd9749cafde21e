"""The checks of rules reject wrong rules: in a value, in the width of a bound, and in a derivative alone."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from rule_checks import case, derivatives, exact, forward

from lenticulum.numbers import unraising
from lenticulum.programs import RULES
from lenticulum.programs.rules import linear, reductions
from lenticulum.programs.values import lifted, plain

ROW = np.array([0.3, -1.2, 2.5, 0.7])
GRID = np.array([[0.3, -1.2, 2.5], [1.1, 0.4, -0.6]])


def constant(step, x):
    """The right value, as a constant of every derivative."""
    return lifted(plain(x), x).tanh()


WRONG_VALUES = {
    "sub": (lambda step, x, y: y - x, case(lambda x: x - 2, ROW)),
    "exp2": (lambda step, x: x.exp(), case(lax.exp2, ROW)),
    "log1p": (lambda step, x: (x + 2).log(), case(lambda x: jnp.log1p(x + 1.5), ROW)),
    "rev": (lambda step, x: x, case(lambda x: lax.rev(x, (0,)), ROW)),
    "reduce_sum": (
        lambda step, x: x.sum(axis=1 - step.parameters["axes"][0]),
        case(lambda x: x[:, :2].sum(0), GRID),
    ),
    "cumsum": (lambda step, x: reductions.running_sum(step, x)[::-1], case(lambda x: lax.cumsum(x, 0), ROW)),
    "dot_general": (lambda step, x, y: linear.dot_general(step, x, x), case(lambda x: x[:, :2] @ x[:, 1:], GRID)),
    "floor": (lambda step, x: -(RULES["ceil"](step, -x)) + 1, case(lax.floor, ROW, differentiable=False)),
    "top_k": (lambda step, x: [x[:2], np.arange(2, dtype=np.int32)], case(lambda x: lax.top_k(x, 2), ROW)),
}


@pytest.mark.parametrize("name", WRONG_VALUES)
def test_a_wrong_value_is_outside(name, monkeypatch):
    wrong, example = WRONG_VALUES[name]
    with exact():
        forward(example, np.float32)
        monkeypatch.setitem(RULES, name, wrong)
        with pytest.raises(AssertionError):
            forward(example, np.float32)


def test_a_bound_without_rounding_is_too_narrow(monkeypatch):
    example = case(lambda x: jnp.exp(x) * x, np.linspace(-1.3, 2.7, 40))
    with exact():
        forward(example, np.float32)
        monkeypatch.setitem(unraising.CONSTANTS, "exp", 0)
        monkeypatch.setitem(unraising.CONSTANTS, "multiply", 0)
        with pytest.raises(AssertionError):
            forward(example, np.float32)


@pytest.mark.parametrize("function", [jnp.tanh, jax.jit(lambda x: x * jnp.tanh(x))])
def test_a_wrong_derivative_alone_is_found(function, monkeypatch):
    example = case(function, ROW)
    with exact():
        derivatives(example)
        monkeypatch.setitem(RULES, "tanh", constant)
        forward(example, np.float64)
        with pytest.raises(AssertionError):
            derivatives(example)
