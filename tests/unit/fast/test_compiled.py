"""Compiled steps and batched evaluation: donated buffers, no second compilation, and no axis by accident."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.fast import Axes, apply_batched, compiled_step, compiled_term
from lenticulum.fast import compiled as compiled_module
from lenticulum.terms import (
    Adam,
    BatchNorm,
    Dense,
    Dropout,
    LearningRate,
    LowRank,
    Mode,
    Momentum,
    Reparametrise,
    SquaredLoss,
    SupervisedStep,
    Tanh,
    Tree,
)

KEY = jax.random.key(4)
X, LABEL = jnp.array([[0.5, -1.0], [2.0, 1.5]]), jnp.array([[1.0], [0.0]])


def learner(rate="1/10"):
    model = Reparametrise(Dense(2, 3), LowRank(("weight",), 1)) >> Tanh() >> Dropout("1/4") >> Dense(3, 1)
    return SupervisedStep(model, SquaredLoss(), LearningRate(rate), Adam())


def bits(tree):
    return [np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(tree)]


def fresh(tree):
    return jax.tree.map(lambda leaf: jnp.array(leaf, copy=True), tree)


def test_a_donating_step_gives_what_a_step_without_donation_gives():
    parameters, state = fast.setup(KEY, learner())
    expected = jax.jit(fast.train_step, static_argnums=0)(learner(), X, LABEL, parameters, state, KEY)
    got = compiled_step(learner())(X, LABEL, fresh(parameters), fresh(state), KEY)
    assert bits(got) == bits(expected)


def test_the_old_trees_are_given_away():
    parameters, state = fast.setup(KEY, learner())
    compiled_step(learner())(X, LABEL, parameters, state, KEY)
    assert all(leaf.is_deleted() for leaf in parameters.leaves())
    assert not X.is_deleted()
    with pytest.raises(RuntimeError, match="deleted"):
        np.asarray(parameters.leaves()[0])


def test_the_compiled_program_aliases_every_donated_buffer_to_a_result():
    parameters, state = fast.setup(KEY, learner())
    lowered = compiled_module._step.lower(learner(), X, LABEL, parameters, state, KEY)
    donated = len(jax.tree.leaves((parameters, state)))
    assert lowered.compile().as_text().count("may-alias") + lowered.compile().as_text().count("must-alias") == donated


def test_an_array_that_occurs_twice_is_not_given_away_twice():
    step = SupervisedStep(Dense(1, 1) >> Dense(1, 1), SquaredLoss(), LearningRate("1/8"), Momentum(decay="1/2"))
    one, zero = jnp.ones((1, 1)), jnp.ones(1)
    parameters = Tree(layer_1=Tree(weight=one, bias=zero), layer_2=Tree(weight=one, bias=zero))
    state = Tree(model=step.model.state_shapes(), update=fast.initial_update_state(step.update, parameters))
    expected = fast.train_step(step, one, one, fresh(parameters), state, None)
    got = compiled_step(step)(one, one, parameters, fresh(state), None)
    # Small integers and powers of two: every operation is exact.
    assert bits(got) == bits(expected)
    assert not one.is_deleted()


def test_a_rebuilt_description_compiles_nothing():
    programs = []
    for _ in range(4):
        parameters, state = fast.setup(KEY, learner())
        compiled_step(learner())(X, LABEL, parameters, state, KEY)
        programs.append(compiled_module._step._cache_size())
    assert len(set(programs)) == 1
    parameters, state = fast.setup(KEY, learner())
    compiled_step(learner("1/20"))(X, LABEL, parameters, state, KEY)
    assert compiled_module._step._cache_size() == programs[0] + 1


def test_a_compiled_term_is_the_term_and_gives_nothing_away():
    term = Dense(2, 3) >> Tanh()
    parameters, state = fast.setup(KEY, term)
    arguments = X, parameters, state, Mode.EVAL, None
    assert bits(compiled_term(term)(*arguments)) == bits(jax.jit(fast.apply, static_argnums=(0, 4))(term, *arguments))
    size = compiled_module._apply._cache_size()
    compiled_term(Dense(2, 3) >> Tanh())(*arguments)
    assert compiled_module._apply._cache_size() == size
    assert not parameters.layer_1.weight.is_deleted()


SQUARE = Dense(2, 2, use_bias=False)
WEIGHTS = jnp.array([[[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]], [[2.0, 0.0], [0.0, -1.0]]])


def test_data_is_mapped_one_example_at_a_time():
    parameters, axes = Tree(weight=WEIGHTS[0]), Axes(x=0, parameters=None, state=None, key=None)
    y, _ = apply_batched(SQUARE, X, parameters, Tree(), Mode.EVAL, None, axes=axes)
    # X Wᵀ by hand.
    assert y.tolist() == [[-1.5, -2.5], [5.0, 12.0]]


def test_an_ensemble_is_a_map_over_parameters():
    x, axes = jnp.array([1.0, 10.0]), Axes(x=None, parameters=0, state=None, key=None)
    y, _ = apply_batched(SQUARE, x, Tree(weight=WEIGHTS), Tree(), Mode.EVAL, None, axes=axes)
    assert y.tolist() == [[21.0, 43.0], [10.0, 1.0], [2.0, -10.0]]


def test_data_and_parameters_are_mapped_along_axes_of_their_own():
    weights = jnp.moveaxis(WEIGHTS[:2], 0, 2)
    x, axes = X.T, Axes(x=1, parameters=2, state=None, key=None)
    y, _ = apply_batched(SQUARE, x, Tree(weight=weights), Tree(), Mode.EVAL, None, axes=axes)
    assert y.tolist() == [[-1.5, -2.5], [1.5, 2.0]]


def test_members_of_an_ensemble_draw_from_keys_of_their_own():
    x, keys = jnp.ones(64), jax.random.split(KEY, 2)
    axes = Axes(x=None, parameters=None, state=None, key=0)
    y, _ = apply_batched(Dropout("1/2"), x, Tree(), Tree(), Mode.TRAIN, keys, axes=axes)
    assert (y[0] != y[1]).any()
    alone, _ = fast.apply(Dropout("1/2"), x, Tree(), Tree(), Mode.TRAIN, keys[1])
    assert y[1].tolist() == alone.tolist()


def test_each_member_writes_its_own_state_or_none():
    norm = BatchNorm(1)
    parameters, state = fast.setup(KEY, norm)
    x = jnp.array([[[1.0], [3.0]], [[2.0], [6.0]]])
    shared, own = (Axes(x=0, parameters=None, state=axis, key=None) for axis in (None, 0))
    with pytest.raises(ValueError, match="share one state and would write different ones; give the state an axis"):
        apply_batched(norm, x, parameters, state, Mode.TRAIN, None, axes=shared)
    _, kept = apply_batched(norm, x, parameters, state, Mode.EVAL, None, axes=shared)
    assert bits(kept) == bits(state)
    states = jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), state)
    _, after = apply_batched(norm, x, parameters, states, Mode.TRAIN, None, axes=own)
    alone = [fast.apply(norm, each, parameters, state, Mode.TRAIN, None)[1] for each in x]
    assert after.running_mean.tolist() == [each.running_mean.tolist() for each in alone]


def test_no_axis_and_no_default_axes():
    with pytest.raises(ValueError, match="no axis is given"):
        apply_batched(SQUARE, X, Tree(weight=WEIGHTS[0]), Tree(), Mode.EVAL, None, axes=Axes(None, None, None, None))
    with pytest.raises(TypeError, match="missing"):
        Axes(x=0)


@pytest.mark.parametrize("mapped", [lambda call: jax.vmap(call), lambda call: eqx.filter_vmap(call)])
def test_a_square_weight_is_not_mapped_over_its_rows_by_accident(mapped):
    # Equinox's own Linear accepts this: two rows, two examples.
    model = fast.Model(SQUARE, Tree(weight=WEIGHTS[0]))
    with pytest.raises(ValueError, match="expected weight .2, 2., got weight .2."):
        mapped(lambda model, x: model(x))(model, X)


def test_a_compiled_step_nests_in_another_program_where_nothing_is_given_away():
    parameters, state = fast.setup(KEY, learner())
    step = compiled_step(learner())
    kept = jax.jit(lambda parameters, state: step(X, LABEL, parameters, state, KEY).loss)(parameters, state)
    assert not any(leaf.is_deleted() for leaf in parameters.leaves())
    assert np.isfinite(kept)
