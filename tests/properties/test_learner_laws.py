"""Closed learners and deep dreaming obey their laws, and each law rejects its planted mistakes; worked values."""

from fractions import Fraction

import jax.numpy as jnp
import numpy as np
import pytest
from law_tests import every_law, every_planted_mistake, rejects

from lenticulum import fast, spec
from lenticulum.check.engine import run_law
from lenticulum.numbers import rational
from lenticulum.spec.optimizers.learner_laws import LAWS
from lenticulum.terms import (
    BatchNorm,
    CrossEntropyLoss,
    DeepDreamStep,
    Dense,
    DotLoss,
    GradientDescent,
    Identity,
    Learner,
    LearningRate,
    Mode,
    Nesterov,
    ShapeError,
    Sink,
    SquaredLoss,
    SupervisedStep,
    Tree,
)

TIMES = Dense(1, 1, use_bias=False)
NOTHING = Tree(model=Tree(), update=Tree())


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=21, cases=12)
    assert result.violation is None, str(result)
    assert result.checked == 12
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=22, cases=60)


# f(p, a) = p a at a = 2, bt = 5, p = 1 with alpha = -1/10, by hand: b = 2, b' = 3/10, p' = 3/5 and a' = 3/10.
def test_the_worked_learner():
    learner = Learner(TIMES, SquaredLoss(), LearningRate("1/10"), 1)
    wires = Tree(data=rational([2]), parameters=Tree(weight=rational([[1]])), label=rational([5]))
    pulled, x = spec.put(learner, (), wires, Tree(), Mode.EVAL, None, ())
    assert x == ()
    assert pulled.data == rational(["3/10"])
    assert pulled.parameters.weight == rational([["3/5"]])
    assert pulled.label == rational(["-3/10"])
    assert spec.apply(learner, (), wires, Tree(), Mode.EVAL, None) == ((), Tree())


def test_the_worked_supervised_steps():
    cap = LearningRate("1/10")
    descent = SupervisedStep(TIMES, SquaredLoss(), cap, GradientDescent())
    p, a, label = Tree(weight=rational([[1]])), rational([2]), rational([5])
    assert spec.train_step(descent, a, label, p, NOTHING, None).parameters.weight == rational([["8/5"]])
    # s = 1/2 is the move in the convention of the paper; the buffer here is -s.
    nesterov = SupervisedStep(TIMES, SquaredLoss(), cap, Nesterov(decay="9/10"))
    state = Tree(model=Tree(), update=Tree(buffer=Tree(weight=rational([["-1/2"]]))))
    result = spec.train_step(nesterov, a, label, p, state, None)
    assert result.parameters.weight == rational([["187/100"]])
    assert result.state.update.buffer.weight == rational([["-87/100"]])


def dreaming(cap):
    return DeepDreamStep(Learner(Dense(2, 2, use_bias=False), DotLoss(), cap, 2), GradientDescent())


# Both caps that ascend with alpha = 1/2: the learning rate -1/2, and the constant sink 1/2.
@pytest.mark.parametrize("cap", [LearningRate("-1/2"), Sink("1/2", "constant")])
def test_the_worked_dream(cap):
    p = Tree(weight=rational([[1, 2], [3, 4]]))
    result = spec.dream_step(dreaming(cap), rational([1, 1]), rational([0, 1]), p, NOTHING, Mode.EVAL, None)
    assert result.data.tolist() == [Fraction(5, 2), 3]
    assert result.parameters is p
    assert result.loss.tolist() == 7  # bt . P a = 3 + 4
    weight = jnp.array([[1.0, 2.0], [3.0, 4.0]])
    bits = np.asarray(weight).tobytes()
    given = dreaming(cap), jnp.ones(2), jnp.array([0.0, 1.0]), Tree(weight=weight), NOTHING, Mode.EVAL, None
    dreamt = fast.dream_step(*given)
    assert dreamt.data.tolist() == [2.5, 3.0]
    assert dreamt.loss == 7
    assert np.asarray(dreamt.parameters.weight).tobytes() == bits


def test_dreaming_on_a_trained_network_keeps_its_state_in_evaluation_and_moves_it_in_training():
    learner = Learner(BatchNorm(2, epsilon="1/4"), DotLoss(), LearningRate(-1), 2, (3,))
    step = DeepDreamStep(learner, GradientDescent())
    parameters = Tree(weight=jnp.ones(2), bias=jnp.zeros(2))
    model = Tree(running_mean=jnp.array([1.0, -1.0]), running_variance=jnp.array([3.75, 15.75]))
    state, data = Tree(model=model, update=Tree()), jnp.arange(6.0).reshape(3, 2)
    still = fast.dream_step(step, data, jnp.ones((3, 2)), parameters, state, Mode.EVAL, None)
    moved = fast.dream_step(step, data, jnp.ones((3, 2)), parameters, state, Mode.TRAIN, None)
    assert still.state.model.running_mean.tolist() == [1.0, -1.0]
    assert moved.state.model.running_mean.tolist() != [1.0, -1.0]
    # In evaluation the map is affine: the step is label * weight / sqrt(running variance + epsilon), 1/2 and 1/4.
    assert (still.data - data).tolist() == [[0.5, 0.25]] * 3


def test_a_learner_refuses_what_is_not_closed():
    with pytest.raises(ShapeError, match=r"the end of Identity: expected \(\), got \[\]; .* choose a Sink for it"):
        Learner(TIMES, SquaredLoss(), Identity(), 1)
    with pytest.raises(ValueError, match="Learner: Dense.* has parameters or state; put them in the model"):
        Learner(TIMES, CrossEntropyLoss(), Dense(1, 1), 1)
    with pytest.raises(ShapeError, match="Learner: expected a space of known shape, got any space"):
        Learner(Identity(), SquaredLoss(), LearningRate(1), None)


def test_data_of_another_shape_are_refused_before_the_step():
    step = dreaming(LearningRate(-1))
    parameters = Tree(weight=jnp.eye(2))
    with pytest.raises(
        ValueError, match=r"data and label: expected data \[2\], label \[2\], got data \[3\], label \[2\]"
    ):
        fast.dream_step(step, jnp.ones(3), jnp.ones(2), parameters, NOTHING, Mode.EVAL, None)
