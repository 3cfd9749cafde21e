"""Held models: the effect is in the type and the name, the state keeps its type, and nothing is hidden in a trace."""

import copy

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.fast import Effectful, EvaluationModel, HeldModel, TrainingModel
from lenticulum.fast.meaning import MEANINGS
from lenticulum.terms import BatchNorm, Dense, Dropout, Mode, Tree

KEY = jax.random.key(2)
TERM = Dense(2, 3) >> BatchNorm(3) >> Dropout("1/2")
X = jnp.array([[1.0, 2.0], [-1.0, 0.5], [3.0, 1.0]])


def training():
    return TrainingModel(TERM, *fast.setup(KEY, TERM), KEY)


def bits(tree):
    return [np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(tree)]


def test_only_the_effectful_type_writes_and_it_is_not_callable():
    assert issubclass(TrainingModel, Effectful)
    assert not issubclass(EvaluationModel, Effectful)
    assert not callable(training())
    assert not hasattr(EvaluationModel, "advance")
    with pytest.raises(AttributeError):
        training().state = Tree()


def test_training_is_the_fold_of_apply():
    model, (parameters, state) = training(), fast.setup(KEY, TERM)
    for call in range(3):
        y = model.advance(X)
        expected, state = fast.apply(TERM, X, parameters, state, Mode.TRAIN, jax.random.fold_in(KEY, call))
        assert bits((y, model.state)) == bits((expected, state))
    # The draws of two calls differ.
    assert model.advance(X).tolist() != y.tolist()


def test_evaluation_is_a_function():
    model = training().eval()
    before, first = bits(model.state), model(X)
    assert bits(model(X)) == bits(first)
    assert bits(model.state) == before


def test_a_change_of_mode_is_a_new_wrapper_of_the_same_values():
    model = training()
    model.advance(X)
    evaluation = model.eval()
    frozen = bits(evaluation.state)
    again = evaluation.train()
    # The two go on alike, and apart: neither writes into the other, nor into the wrapper between them.
    assert bits(again.advance(X)) == bits(model.advance(X))
    assert bits(evaluation.state) == frozen
    assert model.train() is not model
    shallow = copy.copy(model)
    shallow.advance(X)
    assert bits(shallow.state) != bits(model.state)


def test_other_parameters_give_another_wrapper():
    model = training()
    doubled = model.with_parameters(jax.tree.map(lambda leaf: 2 * leaf, model.parameters))
    assert type(doubled) is TrainingModel
    assert bits(doubled.parameters) != bits(model.parameters)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda state: state.with_entries(running_mean=state.running_mean.astype(jnp.float16)),
        lambda state: state.with_entries(running_mean=jnp.zeros(1)),
        lambda state: Tree(running_mean=state.running_mean),
        lambda state: Tree(running_variance=state.running_variance, running_mean=state.running_mean),
    ],
)
def test_a_state_of_another_type_is_refused_and_the_old_one_stays(monkeypatch, wrong):
    right = MEANINGS[BatchNorm]

    def mistaken(parameters, x, **context):
        y, state = right.function(parameters, x, **context)
        return y, wrong(state)

    monkeypatch.setitem(MEANINGS, BatchNorm, right._replace(function=mistaken))
    model = training()
    before = bits(model.state)
    with pytest.raises(TypeError, match="the state is declared layer_2.running_mean float32"):
        model.advance(X)
    assert bits(model.state) == before


TRACES = {
    "jit of its input": lambda call: jax.jit(call)(X),
    "jit of a constant": lambda call: jax.jit(lambda: call(X))(),
    "grad": lambda call: jax.grad(lambda x: call(x).sum())(X),
    "vmap": lambda call: jax.vmap(call)(X[None]),
    "scan": lambda call: jax.lax.scan(lambda carry, x: (carry, call(x)), 0, X[None]),
    "shapes": lambda call: jax.eval_shape(call, X),
}


@pytest.mark.parametrize("trace", TRACES)
@pytest.mark.parametrize("made", [training, lambda: training().eval()])
def test_inside_a_trace_it_says_what_to_do(trace, made):
    model = made()
    call = model.advance if isinstance(model, TrainingModel) else model
    before = bits(model.state)
    with pytest.raises(RuntimeError, match=r"inside a traced function .*apply the term: y, state = fast.apply"):
        TRACES[trace](call)
    assert bits(model.state) == before


def test_it_is_made_of_the_trees_of_its_term_and_is_no_argument_of_a_transformed_function():
    with pytest.raises(ValueError, match="state: expected layer_2.running_mean"):
        HeldModel(TERM, fast.initialparameters(KEY, TERM), Tree())
    with pytest.raises(TypeError, match="TrainingModel"):
        jax.jit(lambda model: model)(training())
