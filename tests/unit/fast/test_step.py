"""The supervised step against worked numbers and against its own parts."""

from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.terms import (
    Adagrad,
    Adam,
    BatchNorm,
    Copy,
    Dense,
    Dropout,
    GradientDescent,
    Identity,
    LearningRate,
    Mode,
    Momentum,
    Nesterov,
    RemoveUnit,
    Sink,
    SquaredLoss,
    SupervisedStep,
    Tanh,
    Tree,
    chain,
    freeze,
)

KEY = jax.random.key(4)
LINE = Dense(1, 1, use_bias=False)  # f(p, a) = p a
A, LABEL = jnp.array([2.0]), jnp.array([5.0])


def worked(cap, update, buffer=None):
    step = SupervisedStep(LINE, SquaredLoss(), cap, update)
    parameters = Tree(weight=jnp.array([[1.0]]))
    state = Tree(model=Tree(), update=fast.initial_update_state(update, parameters))
    if buffer is not None:
        state = state.with_leaf(("update", "buffer", "weight"), jnp.array([[buffer]], jnp.float32))
    return fast.train_step(step, A, LABEL, parameters, state, None)


def test_worked_step_with_the_rate_in_the_cap():
    # By hand: a = 2, label = 5, p = 1, with alpha = -1/8, which is exact: p' = 3/4, p = 7/4, loss 9/2.
    result = worked(LearningRate("1/8"), GradientDescent())
    assert (float(result.loss), result.parameters.weight.tolist()) == (4.5, [[1.75]])


def test_worked_step_with_the_rate_in_the_update():
    result = worked(LearningRate(1), GradientDescent("1/8"))
    assert (float(result.loss), result.parameters.weight.tolist()) == (4.5, [[1.75]])


def test_worked_step_with_a_cap_that_scales_by_the_loss():
    # alpha = -loss / 8 = -9/16; the slope of the loss is 2 (2 - 5) = -6; new p = 1 + 27/8.
    assert worked(LearningRate("1/8", kind="scaled"), GradientDescent()).parameters.weight.tolist() == [[4.375]]


def test_worked_nesterov_step_evaluates_at_the_look_ahead():
    # By hand, with gamma = 1/2, s = 1/2 (b = -1/2 under the cap): pbar = 5/4, prediction 5/2, loss 25/8,
    # p' = (1/8) 2 (5/2) = 5/8, s' = 7/8, new p = 15/8. At the stale p = 1 it would be p' = 3/4.
    result = worked(LearningRate("1/8"), Nesterov(1, "1/2"), buffer=-0.5)
    assert float(result.loss) == 3.125
    assert result.parameters.weight.tolist() == [[1.875]]
    assert result.state.update.buffer.weight.tolist() == [[-0.875]]


def test_the_sum_over_a_batch_is_the_gradient():
    step = SupervisedStep(LINE, SquaredLoss(), LearningRate("1/8"), GradientDescent())
    state = Tree(model=Tree(), update=Tree())
    data, labels = jnp.array([[2.0], [4.0]]), jnp.array([[5.0], [3.0]])
    result = fast.train_step(step, data, labels, Tree(weight=jnp.array([[1.0]])), state, None)
    assert result.parameters.weight.tolist() == [[1.0 + (6 - 4) / 8]]


@pytest.mark.parametrize(
    "update", [GradientDescent("1/8"), Momentum("1/8"), Nesterov("1/8"), Adagrad("1/8"), Adam("1/8")]
)
@pytest.mark.parametrize("kind", ["constant", "scaled"])
def test_a_step_is_put_of_the_capped_chain_then_the_update(update, kind):
    model = chain(one=Dense(2, 3), norm=BatchNorm(3), drop=Dropout("1/4"), act=Tanh(), two=Dense(3, 2))
    step = SupervisedStep(model, SquaredLoss(), LearningRate("1/4", kind=kind), update)
    parameters, state = fast.setup(KEY, step)
    data, label = jnp.arange(8.0).reshape(4, 2) / 8, jnp.ones((4, 2))
    point = fast.update_point(update, state.update, parameters)
    prediction, model_state = fast.apply(model, data, point, state.model, Mode.TRAIN, KEY)
    capped = step.loss >> step.cap
    nothing = capped.parameter_shapes(), capped.state_shapes()
    _, (_, slope) = fast.put(capped, (label, prediction), *nothing, Mode.TRAIN, None, ())
    cotangent, _ = fast.put(model, data, point, state.model, Mode.TRAIN, KEY, slope)
    update_state, moved = fast.update_next(update, state.update, parameters, cotangent)
    result = fast.train_step(step, data, label, parameters, state, KEY)
    # One reverse pass instead of two and the sign at the seed instead of at the leaves: the same operations, op by op.
    for one, other in zip(result.parameters.leaves(), moved.leaves(), strict=True):
        assert np.array_equal(one, other)
    for one, other in zip(result.state.leaves(), Tree(model=model_state, update=update_state).leaves(), strict=True):
        assert np.array_equal(one, other)


def test_a_step_updates_the_running_statistics_once_and_a_compiled_step_too():
    model = chain(norm=BatchNorm(1, new_weight="1/2", start="cumulative"), line=LINE)
    step = SupervisedStep(model, SquaredLoss(), LearningRate("1/8"), GradientDescent())
    parameters, state = fast.setup(KEY, step)
    data, label = jnp.array([[1.0], [5.0]]), jnp.zeros((2, 1))
    eager = fast.train_step(step, data, label, parameters, state, None)
    compiled = jax.jit(fast.train_step, static_argnums=0)(step, data, label, parameters, state, None)
    for result in (eager, compiled):
        assert int(result.state.model.norm.count) == 1
        assert result.state.model.norm.running_mean.tolist() == [3.0]


def test_frozen_parameters_keep_their_bits_and_have_no_buffer():
    step = SupervisedStep(
        freeze(chain(one=Dense(2, 2), two=Dense(2, 1)), "one"), SquaredLoss(), LearningRate("1/8"), Momentum()
    )
    parameters, state = fast.setup(KEY, step)
    result = fast.train_step(step, jnp.ones(2), jnp.ones(1), parameters, state, None)
    assert np.array_equal(result.state.model.frozen.one.weight, state.model.frozen.one.weight)
    assert result.state.update.buffer.paths() == [("two", "weight"), ("two", "bias")]
    assert not np.array_equal(result.parameters.two.weight, parameters.two.weight)


def test_rebuilding_a_step_compiles_once():
    traces = []

    def counted(step, *arguments):
        traces.append(step)
        return fast.train_step(step, *arguments)

    compiled = jax.jit(counted, static_argnums=0)
    for _ in range(5):
        step = SupervisedStep(Dense(1, 1, use_bias=False), SquaredLoss(), LearningRate("1/8"), GradientDescent())
        compiled(step, A, LABEL, Tree(weight=jnp.array([[1.0]])), Tree(model=Tree(), update=Tree()), None)
    assert len(traces) == 1


def test_a_loss_does_not_draw():
    step = SupervisedStep(
        LINE, chain(noise=Dropout("1/2") @ Dropout(0), loss=SquaredLoss()), LearningRate(1), GradientDescent()
    )
    parameters, state = fast.setup(KEY, step)
    with pytest.raises(TypeError, match="^noise.left: Dropout.* draws in training but key = None"):
        fast.train_step(step, A, LABEL, parameters, state, KEY)


def test_a_loss_has_no_state():
    noisy = chain(noise=Dropout(0, draws="seed_stream") @ Dropout(0), loss=SquaredLoss())
    step = SupervisedStep(LINE, noisy, LearningRate(1), GradientDescent())
    parameters, state = fast.setup(KEY, step)
    with pytest.raises(ValueError, match="^train_step: the loss .* has state"):
        fast.train_step(step, A, LABEL, parameters, state, KEY)


def test_a_sink_inside_the_model_seeds_the_step_too():
    # By hand: y = w x + b with x = 2, w = 1, b = 0, label 2: the loss is 0, and only the sink, -1/4, reaches w and b.
    model = Dense(1, 1) >> Copy() >> (Sink(Fraction(-1, 4), "constant") @ Identity()) >> RemoveUnit("left")
    step = SupervisedStep(model, SquaredLoss(), LearningRate("1/10"), GradientDescent())
    parameters, state = fast.setup(jax.random.key(0), step)
    parameters = parameters.with_leaf(("layer_1", "weight"), jnp.array([[1.0]]))
    result = fast.train_step(step, jnp.array([2.0]), jnp.array([2.0]), parameters, state, None)
    assert (float(result.loss), result.parameters.layer_1.weight.tolist()) == (0.0, [[0.5]])
    assert result.parameters.layer_1.bias.tolist() == [-0.25]
