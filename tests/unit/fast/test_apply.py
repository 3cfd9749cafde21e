"""The plumbing of apply: data, states, modes and keys."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.terms import (
    UNIT,
    Add,
    BatchNorm,
    Bias,
    Compose,
    Copy,
    Dense,
    Dropout,
    GradientDescent,
    Identity,
    LearningRate,
    Mode,
    ParameterMap,
    Relu,
    Reparametrise,
    ShapeError,
    SquaredLoss,
    SupervisedStep,
    Swap,
    Tanh,
    Term,
    Tree,
    chain,
    freeze,
    tie,
    value,
)
from lenticulum.terms.names import salt

KEY = jax.random.key(1)


def run(term, x, mode=Mode.EVAL, key=None):
    parameters, state = fast.setup(KEY, term)
    return fast.apply(term, x, parameters, state, mode, key)


def shift(*entries):
    return Tree(bias=jnp.array(entries))


def test_composition_applies_the_first_part_first():
    term = Bias(1) >> Relu()
    parameters = Tree(layer_1=shift(-1.0), layer_2=Tree())
    state = Tree(layer_1=Tree(), layer_2=Tree())
    y, _ = fast.apply(term, jnp.array([0.5]), parameters, state, Mode.EVAL, None)
    assert y.tolist() == [0.0]  # in the other order it is -0.5


def test_structural_terms_move_data():
    x, y = jnp.array([1.0]), jnp.array([2.0, 3.0])
    assert run(Identity(), (x, y))[0] == (x, y)
    assert run(Copy(), x)[0] == (x, x)
    assert run(Swap(), (x, y))[0] == (y, x)
    assert run(Add(), (x, x))[0].tolist() == [2.0]
    assert [part.tolist() for part in run(Add(), ((x, y), (x, y)))[0]] == [[2.0], [4.0, 6.0]]
    assert [part.tolist() for part in run(Relu() @ Tanh(), (-x, 0 * y))[0]] == [[0.0], [0.0, 0.0]]
    assert run(Compose(()), x)[0] is x


def test_a_cap_ends_a_chain_in_the_unit():
    assert run(SquaredLoss() >> LearningRate(1), (jnp.ones(2), jnp.ones(2)))[0] == UNIT


def test_tied_parameters_are_read_twice():
    term = tie(Bias(1) >> Relu() >> Bias(1), ("layer_1.bias", "layer_3.bias"))
    parameters = Tree(layer_1=shift(2.0), layer_2=Tree(), layer_3=Tree())
    state = term.state_shapes()
    assert fast.apply(term, jnp.array([1.0]), parameters, state, Mode.EVAL, None)[0].tolist() == [5.0]


def test_whole_layers_can_be_tied_and_frozen():
    pair = chain(one=Dense(2, 2), two=Dense(2, 2))
    x = jnp.array([0.5, -2.0])
    full, state = fast.setup(KEY, pair)
    tied = tie(pair, ("one", "two"))
    twice, _ = fast.apply(tied, x, Tree(one=full.one), tied.state_shapes(), Mode.EVAL, None)
    expected, _ = fast.apply(pair, x, Tree(one=full.one, two=full.one), state, Mode.EVAL, None)
    assert np.array_equal(twice, expected)
    frozen = freeze(pair, "one")
    held = Tree(frozen=Tree(one=full.one), inner=state)
    y, after = fast.apply(frozen, x, Tree(two=full.two), held, Mode.TRAIN, None)
    assert np.array_equal(y, fast.apply(pair, x, full, state, Mode.EVAL, None)[0])
    assert after.frozen.one.weight is full.one.weight


def test_wrapping_changes_no_draw():
    term = Dropout("1/2") >> Bias(64)
    parameters, state = fast.setup(KEY, term)
    plain, _ = fast.apply(term, jnp.ones(64), parameters, state, Mode.TRAIN, KEY)
    frozen = freeze(term, "layer_2.bias")
    held = Tree(frozen=Tree(layer_2=parameters.layer_2), inner=state)
    wrapped, _ = fast.apply(frozen, jnp.ones(64), Tree(layer_1=Tree(), layer_2=Tree()), held, Mode.TRAIN, KEY)
    assert np.array_equal(plain, wrapped)


def test_a_part_draws_with_the_key_of_its_path():
    term = chain(inner=chain(drop=Dropout("1/2")))
    y, _ = run(term, jnp.ones(64), Mode.TRAIN, KEY)
    folded = jax.random.fold_in(jax.random.fold_in(KEY, salt("inner")), salt("drop"))
    alone, _ = run(Dropout("1/2"), jnp.ones(64), Mode.TRAIN, folded)
    assert np.array_equal(y, alone)


def test_the_halves_of_a_tensor_draw_differently():
    (left, right), _ = run(Dropout("1/2") @ Dropout("1/2"), (jnp.ones(64), jnp.ones(64)), Mode.TRAIN, KEY)
    assert not np.array_equal(left, right)


@pytest.mark.parametrize("key", [None, KEY])
def test_evaluation_draws_nothing_and_keeps_the_state(key):
    term = BatchNorm(3, start="corrected") >> Dropout("1/2") >> Dropout("1/2", draws="seed_stream")
    parameters, state = fast.setup(KEY, term)
    y, after = fast.apply(term, jnp.ones((2, 3)), parameters, state, Mode.EVAL, key)
    again, _ = fast.apply(term, jnp.ones((2, 3)), parameters, state, Mode.EVAL, jax.random.key(99))
    assert np.array_equal(y, again)
    assert jax.tree.structure(after) == jax.tree.structure(state)
    assert [leaf.tolist() for leaf in after.leaves()] == [leaf.tolist() for leaf in state.leaves()]


def test_erasing_evaluations_keeps_the_state():
    term = BatchNorm(2, start="cumulative") >> Dropout("1/2", draws="seed_stream")
    parameters, start = fast.setup(KEY, term)
    batches = jnp.arange(24.0).reshape(4, 3, 2)

    def final(word):
        state = start
        for index, letter in enumerate(word):
            _, state = fast.apply(term, batches[index], parameters, state, Mode[letter], None)
        return state

    training = [batches[0], batches[3]]
    state = start
    for x in training:
        _, state = fast.apply(term, x, parameters, state, Mode.TRAIN, None)
    left, right = final(["TRAIN", "EVAL", "EVAL", "TRAIN"]), state
    assert [leaf.tolist() for leaf in left.leaves()] == [leaf.tolist() for leaf in right.leaves()]


def test_a_missing_key_names_the_part():
    term = chain(inner=chain(drop=Dropout("1/4")))
    with pytest.raises(TypeError, match=r"^inner.drop: Dropout\(rate=1/4\) draws in training but key = None"):
        run(term, jnp.ones(3), Mode.TRAIN, None)


@pytest.mark.parametrize("mode", ["train", None, True])
def test_a_mode_must_be_a_mode(mode):
    with pytest.raises(Exception, match="mode|Mode"):
        run(Relu(), jnp.ones(1), mode)


def test_data_that_do_not_fit_are_refused_by_position_before_any_arithmetic():
    term = Dense(2, 4) >> Relu() >> Dense(4, 1)
    with pytest.raises(ShapeError, match=r"^layer_1 \(Dense\): expected \[2\], got \[3\]$"):
        run(term, jnp.ones(3))
    with pytest.raises(ShapeError, match=r"^Add: expected \[2, 1\], got \[1\]$"):
        run(Add(), (jnp.ones((2, 1)), jnp.ones(1)))


def test_trees_that_do_not_fit_are_refused_with_both_shapes():
    parameters, state = fast.setup(KEY, Dense(2, 1))
    with pytest.raises(ValueError, match=r"^parameters: expected weight \[1, 2\], bias \[1\], got bias \[1\]$"):
        fast.apply(Dense(2, 1), jnp.ones(2), Tree(bias=parameters.bias), state, Mode.EVAL, None)
    with pytest.raises(ValueError, match=r"^state: expected no leaves, in a tree of layer_1, layer_2, got an empty"):
        fast.apply(Relu() >> Tanh(), jnp.ones(2), Tree(layer_1=Tree(), layer_2=Tree()), Tree(), Mode.EVAL, None)


def test_a_subclass_does_not_inherit_a_meaning():
    @value
    class LeakyRelu(Relu):
        slope: float = 0.1

    with pytest.raises(TypeError, match="^LeakyRelu has no fast meaning; it does not inherit that of Relu"):
        run(LeakyRelu(), jnp.ones(1))

    @value
    class Chain(Compose):
        pass

    with pytest.raises(TypeError, match="^Chain has no fast meaning; it does not inherit that of Compose"):
        run(Chain((Relu(),)), jnp.ones(1))


def test_a_parameter_map_without_a_row_is_refused():
    @value
    class Double(ParameterMap):
        def parameter_shapes(self, shapes):
            return shapes

    with pytest.raises(TypeError, match="^Double has no fast parameter map; register one for Double itself$"):
        fast.apply(Reparametrise(Bias(1), Double()), jnp.ones(1), shift(1.0), Tree(), Mode.EVAL, None)


def test_a_new_kind_is_one_description_and_one_function():
    @value
    class Scale(Term):
        factor: int

        def parameter_shapes(self):
            return Tree(a=())

    @fast.meaning(Scale)
    def scale(parameters, x, *, factor):
        return factor * parameters.a * x

    y, _ = fast.apply(Scale(3), jnp.ones(2), Tree(a=jnp.array(2.0)), Tree(), Mode.EVAL, None)
    assert y.tolist() == [6.0, 6.0]
    with pytest.raises(TypeError, match="^Scale already has a fast meaning; a variant is a subclass with its own$"):
        fast.meaning(Scale)(scale)


def test_a_meaning_that_takes_the_mode_must_take_the_state():
    @value
    class Switch(Term):
        pass

    with pytest.raises(TypeError, match="^the meaning of Switch takes mode but not state; take state too"):
        fast.meaning(Switch)(lambda parameters, x, *, mode: x)


def test_a_supervised_step_is_not_applied():
    step = SupervisedStep(Bias(1), SquaredLoss(), LearningRate(1), GradientDescent())
    with pytest.raises(TypeError, match=r"use train_step\(step, data, label, ...\)$"):
        run(step, (jnp.ones(1), jnp.ones(1)))
