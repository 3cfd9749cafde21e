"""The recurrences against tables derived by hand, published values and a second formulation in Fractions."""

import json
from fractions import Fraction
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.terms import Adagrad, Adam, GradientDescent, Momentum, Nesterov, Tree, Update, value

DATA = Path(__file__).parents[2] / "conformance" / "data" / "torchlean.json"
VECTORS = {entry["id"]: entry for entry in json.loads(DATA.read_text(encoding="utf-8"))["vectors"]}
UNIT = 2.0**-24


def run(update, p, gradients):
    """The parameters and states after each of some fixed gradients."""
    parameters = Tree(p=jnp.asarray(p, jnp.float32))
    state = fast.initial_update_state(update, parameters)
    seen = []
    for g in gradients:
        state, parameters = fast.update_next(update, state, parameters, Tree(p=-jnp.asarray(g, jnp.float32)))
        seen.append((parameters.p, state))
    return seen


def quadratic(update, steps):
    """(p, look-ahead) after each step on the loss p^2, that is k = 2, from p = 1."""
    parameters = Tree(p=jnp.float32(1))
    state = fast.initial_update_state(update, parameters)
    seen = []
    for _ in range(steps):
        point = fast.update_point(update, state, parameters)
        state, parameters = fast.update_next(update, state, parameters, Tree(p=-2 * point.p))
        seen.append((parameters.p, fast.update_point(update, state, parameters).p))
    return seen


def assert_close(value, exact, roundings):
    # All quantities of these tables are at most 2 in absolute value, so each rounding moves the result by at most 2 u.
    assert abs(Fraction(float(value)) - Fraction(exact)) <= Fraction(2 * roundings * UNIT)


def test_published_momentum_in_binary32():
    entry = VECTORS["tl.basic.momentum.fp32"]
    seen = run(Momentum(rate="1/10", decay="9/10"), 2.0, [0.25, 0.25])
    assert [[float(p), float(state.buffer.p)] for p, state in seen] == entry["expected"]
    assert [int(state.count) for _, state in seen] == [1, 2]


def test_momentum_without_decay_is_gradient_descent():
    gradients = [0.3, -0.7, 0.11]
    plain = run(GradientDescent("0.1"), 1.0, gradients)
    heavy = run(Momentum(rate="0.1", decay=0), 1.0, gradients)
    assert [float(p) for p, _ in plain] == [float(p) for p, _ in heavy]


@pytest.mark.parametrize(
    ("update", "table"),
    [  # by hand on k p^2 / 2: k = 2, rate 1/10, decay 9/10
        (GradientDescent("1/10"), ["4/5", "16/25", "64/125", "256/625"]),
        (Momentum("1/10", "9/10"), ["4/5", "23/50", "31/500", "-1543/5000"]),
        (Momentum("1/10", "9/10", rate_in="buffer"), ["4/5", "23/50", "31/500", "-1543/5000"]),
        (Nesterov("1/10", "9/10"), ["4/5", "62/125", "556/3125", "-6772/78125"]),
        (Nesterov("1/10", "9/10", rate_in="buffer"), ["4/5", "62/125", "556/3125", "-6772/78125"]),
    ],
)
def test_iterates_on_the_quadratic(update, table):
    for (p, _), exact in zip(quadratic(update, 4), table, strict=True):
        assert_close(p, exact, 4 * 8)  # at most eight roundings of constants and operations in each of four steps


@pytest.mark.parametrize("rate_in", ["step", "buffer"])
def test_the_look_ahead_is_the_point_of_evaluation_in_both_forms(rate_in):
    table = ["31/50", "139/625", "-1693/15625", "-126884/390625"]
    parameter = quadratic(Nesterov("1/10", "9/10", rate_in=rate_in), 4)
    look_ahead = quadratic(Nesterov("1/10", "9/10", stores="look_ahead", rate_in=rate_in), 4)
    for (_, point), (q, same), exact in zip(parameter, look_ahead, table, strict=True):
        assert_close(point, exact, 4 * 10)
        assert_close(q, exact, 4 * 10)
        assert float(q) == float(same)


@pytest.mark.parametrize(
    ("first", "buffers"), [("undamped", [4.0, 2.0 + 2.0, 2.0 + 6.0]), ("damped", [2.0, 1.0 + 2.0, 1.5 + 6.0])]
)
def test_dampening_spares_the_first_gradient_or_not(first, buffers):
    # decay 1/2, dampening 1/2, gradients 4, 4, 12: every operation is exact.
    seen = run(Momentum(1, "1/2", dampening="1/2", first=first), 0.0, [4.0, 4.0, 12.0])
    assert [float(state.buffer.p) for _, state in seen] == buffers


def test_published_adam_step():
    entry = VECTORS["tl.opt.adam.1"]
    ((p, _),) = run(Adam(rate="0.1"), entry["inputs"]["theta"], [entry["inputs"]["g"]])
    # The move is 0.1 up to 14 relative roundings, of which 1 - fl(b2) and 1 - fl(b2^1) cancel exactly; then p, at most
    # 2.1, is rounded once.
    bound = 14 * UNIT * 0.1 + 2.1 * UNIT
    assert np.abs(np.asarray(p, np.float64) - entry["expected"]).max() <= bound


def test_adam_stores_raw_moments():
    # By hand from Kingma and Ba 2015, Algorithm 1: b1 = 1/2, b2 = 3/4, gradients 1, 2, -1.
    seen = run(Adam(first_decay="1/2", second_decay="3/4"), 0.0, [1.0, 2.0, -1.0])
    first, second = ["1", "5/3", "1/7"], ["1", "19/7", "73/37"]
    for (_, state), m_hat, v_hat in zip(seen, first, second, strict=True):
        one = 1 - Fraction(float(state.first_power))
        two = 1 - Fraction(float(state.second_power))
        assert Fraction(float(state.first_moment.p)) / one == Fraction(m_hat)  # dyadic: every operation is exact
        assert Fraction(float(state.second_moment.p)) / two == Fraction(v_hat)


def numpy_adam(p, gradients, *, rate, b1, b2, eps, root, raw):
    """The recurrence in binary64, in the textbook order with a counter: a second formulation."""
    m = v = 0.0
    for t, g in enumerate(gradients, start=1):
        m, v = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g**2
        if raw:
            p -= rate * np.sqrt(1 - b2**t) / (1 - b1**t) * m / (np.sqrt(v + root) + eps)
        else:
            p -= rate * (m / (1 - b1**t)) / (np.sqrt(v / (1 - b2**t) + root) + eps)
    return p


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("root", ["0", "1/16"])
def test_adam_follows_each_convention(raw, root):
    gradients = [1.0, -0.5, 0.25, 2.0]
    conventions = dict(epsilon="1/8", epsilon_root=root, epsilon_at="raw" if raw else "corrected")
    update = Adam("1/8", first_decay="7/8", second_decay="3/4", **conventions)
    numbers = dict(rate=1 / 8, b1=7 / 8, b2=3 / 4, eps=1 / 8, root=float(Fraction(root)), raw=raw)
    expected = numpy_adam(1.0, gradients, **numbers)
    (*_, (p, _)) = run(update, 1.0, gradients)
    # Moments and running products are dyadic with at most 14 fractional bits, so binary32 holds them exactly. The last
    # line rounds ten times and moves p by at most 1/8 * 2 / (3/8 + 1/8) = 1/2, since m^ <= 2 and sqrt v^ >= 3/8 (the
    # first gradient alone gives that); then p, at most 2, is rounded once. Four steps. Binary64 adds nothing visible.
    assert abs(float(p) - expected) <= 4 * (10 / 2 + 2) * UNIT
    other = numpy_adam(1.0, gradients, **{**numbers, "raw": not raw})
    assert abs(float(p) - other) > 1e-3  # the other convention is far away


@pytest.mark.parametrize(
    ("update", "accumulators", "moves"),
    [  # by hand: gradients 3, then -4, and 12; every root is that of a square
        (Adagrad(1, 16, 3), [25, 41, 185], ["3/8"]),
        (Adagrad("1/2", 0, 1), [9, 25, 169], ["3/8", "-4/12", "12/28"]),
        (Adagrad("1/2", 11, 5, "inside"), [20, 36, 180], ["3/10"]),
    ],
)
def test_adagrad_follows_each_convention(update, accumulators, moves):
    p = 0.0
    for (moved, state), a, move in zip(run(update, 0.0, [3.0, -4.0, 12.0]), accumulators, moves, strict=False):
        assert float(state.accumulator.p) == a
        assert_close(p - moved, move, 4)
        p = moved


def test_constants_are_those_of_the_format_of_the_parameters():
    with pytest.raises(ValueError, match=r"^rate = 1e\+300 rounds to inf in float32"):
        run(GradientDescent(1e300), 1.0, [1.0])
    with pytest.raises(ValueError, match="^first_decay = 0.999999999 rounds to 1.0 in float32"):
        run(Adam(first_decay="0.999999999"), 1.0, [1.0])
    with pytest.raises(ValueError, match="^epsilon = 1e-300 rounds to 0.0 in float32"):
        run(Adam(epsilon=1e-300), 1.0, [1.0])


def test_states_have_the_format_of_the_parameters():
    with jax.enable_x64(True):
        parameters = Tree(p=jnp.zeros(2, jnp.float64))
        state = fast.initial_update_state(Adam(), parameters)
        state, moved = fast.update_next(Adam(), state, parameters, Tree(p=jnp.ones(2, jnp.float64)))
        assert {leaf.dtype for leaf in (*state.leaves(), *moved.leaves())} == {np.dtype(np.float64)}


def test_parameters_of_two_formats_are_refused():
    parameters = Tree(a=jnp.zeros(1), b=jnp.zeros(1, jnp.bfloat16))
    with pytest.raises(TypeError, match="expected one floating-point format, got bfloat16, float32"):
        fast.update_next(Momentum(), fast.initial_update_state(Momentum(), parameters), parameters, parameters)


def test_trees_that_do_not_fit_are_refused():
    p = Tree(p=jnp.zeros(2))
    with pytest.raises(ValueError, match=r"^gradient: expected p \[2\], got p \[\]$"):
        fast.update_next(GradientDescent(), Tree(), p, Tree(p=jnp.float32(1)))
    with pytest.raises(ValueError, match=r"^state of the update: expected buffer.p \[2\], got an empty tree$"):
        fast.update_next(Nesterov(), Tree(), p, p)


def test_a_subclass_does_not_inherit_a_recurrence():
    @value
    class Signed(GradientDescent):
        pass

    with pytest.raises(TypeError, match="^Signed has no fast recurrence; it does not inherit that of GradientDescent"):
        run(Signed(), 1.0, [1.0])


def test_a_new_update_is_one_description_and_one_function():
    @value
    class Ascent(Update):
        rate: int = 2

    @fast.recurrence(Ascent)
    def ascent(state, parameters, gradient, *, rate):
        return state, Tree(p=parameters.p + rate * gradient.p)

    assert float(run(Ascent(), 1.0, [3.0])[0][0]) == 7.0


@pytest.mark.parametrize("update", [GradientDescent("0.1"), Momentum("0.1"), Nesterov("0.1"), Adagrad(), Adam()])
def test_an_update_keeps_the_structure_and_formats(update):
    parameters = Tree(p=jnp.zeros(2))
    state = fast.initial_update_state(update, parameters)
    after, moved = jax.eval_shape(lambda s, p, c: fast.update_next(update, s, p, c), state, parameters, parameters)
    assert jax.tree.structure(after) == jax.tree.structure(state)
    assert [leaf.dtype for leaf in after.leaves()] == [leaf.dtype for leaf in state.leaves()]
    assert jax.tree.structure(moved) == jax.tree.structure(parameters)


@pytest.mark.parametrize(
    "update",
    [
        GradientDescent(1),
        Momentum(1),
        Momentum(1, rate_in="buffer"),
        Nesterov(1),
        Nesterov(1, stores="look_ahead"),
        Adagrad(1),
    ],
)
def test_a_rate_of_one_is_no_multiplication(update):
    parameters = Tree(p=jnp.zeros(2))
    state = fast.initial_update_state(update, parameters)
    with_rate = type(update)(**{name: getattr(update, name) for name in type(update).__match_args__} | {"rate": 2})

    def products(update):
        text = str(jax.make_jaxpr(lambda s, p, c: fast.update_next(update, s, p, c))(state, parameters, parameters))
        return text.count(" mul ")

    assert products(update) == products(with_rate) - 1
