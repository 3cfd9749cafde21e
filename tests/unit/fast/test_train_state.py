"""A training run: steps are a fold, and a run that goes on from a file goes on with the same bits."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.fast import (
    TrainState,
    advance,
    advance_all,
    advance_in_place,
    from_bytes,
    load_run,
    save_run,
    start_training,
    to_bytes,
)
from lenticulum.fast import compiled as compiled_module
from lenticulum.terms import (
    Adam,
    BatchNorm,
    Dense,
    Dropout,
    LearningRate,
    LowRank,
    Momentum,
    Reparametrise,
    SquaredLoss,
    SupervisedStep,
    Tanh,
    Tree,
    Update,
)


def learner():
    model = Reparametrise(Dense(2, 3), LowRank(("weight",), 1)) >> BatchNorm(3) >> Tanh() >> Dropout("1/4")
    return SupervisedStep(model >> Dense(3, 1), SquaredLoss(), LearningRate("1/16"), Adam())


BATCHES = [
    (jax.random.normal(jax.random.key(n), (4, 2)), jax.random.normal(jax.random.key(100 + n), (4, 1))) for n in range(6)
]


def start():
    return start_training(jax.random.key(7), learner())


def bits(run):
    leaves = jax.tree.leaves((run.parameters, run.state, jax.random.key_data(run.key), run.step))
    return [(leaf.dtype, leaf.shape, np.asarray(leaf).tobytes()) for leaf in leaves]


def test_steps_are_a_fold_of_train_step():
    # A small learner: op by op, each primitive is compiled by itself.
    small = SupervisedStep(Dropout("1/4") >> Dense(2, 1), SquaredLoss(), LearningRate("1/16"), Momentum())
    run = start_training(jax.random.key(7), small)
    parameters, state = run.parameters, run.state
    for number, (x, label) in enumerate(BATCHES[:3]):
        key = jax.random.fold_in(run.key, number)
        _, parameters, state = fast.train_step(small, x, label, parameters, state, key)
    folded = advance_all(run, BATCHES[:3])
    assert bits(folded) == bits(TrainState(small, parameters, state, run.key, jnp.asarray(3, jnp.uint32)))


def through_bytes(run):
    return from_bytes(to_bytes(run), learner())


def from_step_zero(run):
    return TrainState(run.learner, run.parameters, run.state, run.key, jnp.zeros((), jnp.uint32))


def with_a_new_update(run):
    state = run.state.with_entries(update=fast.initial_update_state(run.update, run.parameters))
    return TrainState(run.learner, run.parameters, state, run.key, run.step)


def with_a_new_model_state(run):
    state = run.state.with_entries(model=start().model_state)
    return TrainState(run.learner, run.parameters, state, run.key, run.step)


def with_another_key(run):
    return TrainState(run.learner, run.parameters, run.state, jax.random.key(0), run.step)


def through_decimals(run):
    shortened = jax.tree.map(lambda leaf: jnp.array([float(f"{each:.7g}") for each in leaf.ravel()]), run.parameters)
    reshaped = jax.tree.map(lambda leaf, like: leaf.reshape(like.shape), shortened, run.parameters)
    return TrainState(run.learner, reshaped, run.state, run.key, run.step)


def goes_on_alike(saved):
    """The law of resuming: stop after three steps, save, read, go on, and compare every bit after six."""
    step = jax.jit(advance)
    whole, stopped = start(), start()
    for batch in BATCHES:
        whole = step(whole, *batch).state
    for batch in BATCHES[:3]:
        stopped = step(stopped, *batch).state
    stopped = saved(stopped)
    for batch in BATCHES[3:]:
        stopped = step(stopped, *batch).state
    return bits(stopped) == bits(whole)


def test_a_run_that_goes_on_from_a_file_goes_on_with_the_same_bits(tmp_path):
    def through_a_file(run):
        save_run(tmp_path / "run", run)
        return load_run(tmp_path / "run", learner())

    assert goes_on_alike(through_a_file)
    assert [each.name for each in tmp_path.iterdir()] == ["run"]


@pytest.mark.parametrize(
    "mistake", [from_step_zero, with_a_new_update, with_a_new_model_state, with_another_key, through_decimals]
)
def test_a_run_that_forgets_something_does_not(mistake):
    assert not goes_on_alike(mistake)


def test_the_run_is_a_tree_whose_learner_is_static():
    leaves, treedef = jax.tree.flatten(start())
    assert len(leaves) == len(jax.tree.leaves((start().parameters, start().state))) + 2
    assert jax.tree.structure(start()) == treedef
    assert isinstance(start().update, Update)
    assert start().model == learner().model
    with pytest.raises(AttributeError, match="a TrainState is immutable: cannot set 'step'"):
        start().step = 3


def test_a_rebuilt_learner_compiles_nothing_and_the_old_run_is_given_away():
    programs, run = [], start()
    expected = bits(jax.jit(advance)(start(), *BATCHES[0]).state)
    assert bits(advance_in_place(start(), *BATCHES[0]).state) == expected
    for _ in range(3):
        run = TrainState(learner(), run.parameters, run.state, run.key, run.step)
        old, run = run, advance_in_place(run, *BATCHES[0]).state
        programs.append(compiled_module._advance._cache_size())
        assert old.parameters.leaves()[0].is_deleted()
    assert len(set(programs)) == 1


def test_counts_that_share_a_buffer_are_given_away_once():
    # JAX keeps the constant 0: the counts of steps, of Adam and of a seed stream are one buffer at the start.
    term = Dense(2, 1) >> Dropout("1/4", draws="seed_stream")
    run = start_training(jax.random.key(1), SupervisedStep(term, SquaredLoss(), LearningRate("1/8"), Adam()))
    after = advance_in_place(run, *BATCHES[0]).state
    assert bits(after) == bits(jax.jit(advance)(start_training(jax.random.key(1), run.learner), *BATCHES[0]).state)


def test_a_step_writes_nothing_into_the_run_before_it():
    run = start()
    before = bits(run)
    jax.jit(advance)(run, *BATCHES[0])
    assert bits(run) == before
    assert isinstance(run.parameters, Tree)
