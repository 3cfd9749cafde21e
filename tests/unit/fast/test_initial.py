"""Initial values: pure in the key, drawn by path."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.terms import (
    Adam,
    BatchNorm,
    Bias,
    Compose,
    Dense,
    Dropout,
    LayerNorm,
    LearningRate,
    Momentum,
    Relu,
    SquaredLoss,
    SupervisedStep,
    Tensor,
    Term,
    Tree,
    chain,
    freeze,
    map_leaves,
    tie,
    value,
)
from lenticulum.terms.names import salt

KEY = jax.random.key(2026)
MODEL = chain(
    dense=Dense(3, 4),
    norm=BatchNorm(4, start="corrected"),
    drop=Dropout(draws="seed_stream"),
    scale=LayerNorm(4),
    out=Dense(4, 2),
)


def same_bits(one: Tree, other: Tree) -> bool:
    pairs = zip(one.leaves(), other.leaves(), strict=True)
    return one.paths() == other.paths() and all(np.asarray(a).tobytes() == np.asarray(b).tobytes() for a, b in pairs)


@pytest.mark.parametrize(
    "term",
    [
        MODEL,
        Tensor(Dense(2, 2), Bias(3)),
        tie(Dense(2, 2) >> Dense(2, 2), ("layer_1.weight", "layer_2.weight")),
        freeze(MODEL, "dense.weight", "norm"),
        SupervisedStep(MODEL, SquaredLoss(), LearningRate(1), Adam()),
        SupervisedStep(Dense(2, 1), SquaredLoss(), LearningRate(1), Momentum()),
    ],
)
def test_setup_has_the_shapes_of_the_term_and_is_pure(term):
    parameters, states = fast.setup(KEY, term)
    assert map_leaves(np.shape, parameters) == term.parameter_shapes()
    assert map_leaves(np.shape, states) == term.state_shapes()
    again = fast.setup(KEY, term)
    assert same_bits(parameters, again[0])
    assert same_bits(states, again[1])


def test_initial_values_do_not_depend_on_siblings():
    alone = fast.initialparameters(KEY, chain(out=Dense(4, 2)))
    among = fast.initialparameters(KEY, chain(first=Dense(3, 4), middle=Relu(), out=Dense(4, 2)))
    renamed = fast.initialparameters(KEY, chain(other=Dense(4, 2)))
    assert same_bits(alone.out, among.out)
    assert not same_bits(alone.out, renamed.other)


def test_a_weight_is_drawn_from_the_key_of_its_path():
    folded = jax.random.fold_in(jax.random.fold_in(KEY, salt("out")), salt("weight"))
    limit = float(np.sqrt(6 / (4 + 2)))
    expected = jax.random.uniform(folded, (2, 4), jnp.float32, -limit, limit)
    weight = fast.initialparameters(KEY, chain(out=Dense(4, 2))).out.weight
    assert np.asarray(weight).tobytes() == np.asarray(expected).tobytes()


def test_parameter_and_state_keys_are_independent():
    frozen = freeze(Dense(3, 4), "weight")
    parameters, _ = fast.setup(KEY, Dense(3, 4))
    _, states = fast.setup(KEY, frozen)
    assert not np.array_equal(parameters.weight, states.frozen.weight)
    assert same_bits(
        fast.setup(KEY, MODEL)[0], fast.initialparameters(jax.random.fold_in(KEY, salt("parameters")), MODEL)
    )
    assert same_bits(fast.setup(KEY, MODEL)[1], fast.initialstates(jax.random.fold_in(KEY, salt("states")), MODEL))


def test_start_values_are_those_of_the_conventions():
    parameters, states = fast.setup(KEY, MODEL)
    assert parameters.dense.bias.tolist() == [0.0] * 4
    assert parameters.scale.weight.tolist() == [1.0] * 4
    assert states.norm.running_mean.tolist() == states.norm.running_variance.tolist() == [0.0] * 4
    assert fast.initialstates(KEY, BatchNorm(2)).running_variance.tolist() == [1.0, 1.0]
    assert states.drop.seed.dtype == states.drop.count.dtype == jnp.uint32
    assert int(states.norm.count) == int(states.drop.count) == 0


def test_a_tied_parameter_is_drawn_as_its_first_member():
    term = Dense(2, 2) >> Dense(2, 2)
    tied = fast.initialparameters(KEY, tie(term, ("layer_2.weight", "layer_1.weight")))
    assert same_bits(tied.layer_2, fast.initialparameters(KEY, term).layer_2)
    assert tied.layer_1.names() == ("bias",)


def test_frozen_values_are_drawn_by_the_same_path():
    states = fast.initialstates(KEY, freeze(MODEL, "out.weight"))
    assert np.array_equal(states.frozen.out.weight, fast.initialparameters(KEY, MODEL).out.weight)


def test_two_keys_give_two_models():
    other = jax.random.key(2027)
    assert not same_bits(fast.initialparameters(KEY, Dense(3, 4)), fast.initialparameters(other, Dense(3, 4)))


def test_a_kind_with_leaves_and_no_rule_is_refused():
    @value
    class Scale(Term):
        def parameter_shapes(self):
            return Tree(a=())

    with pytest.raises(TypeError, match="^Scale has no fast initial values; register one for Scale itself$"):
        fast.initialparameters(KEY, Compose((Scale(),)))
