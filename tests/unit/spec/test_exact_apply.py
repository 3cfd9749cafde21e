"""The plumbing of the exact interpreter: modes, names, states, keys, shapes, and meaning by exact type."""

import pytest

from lenticulum import spec
from lenticulum.numbers import ball, rational
from lenticulum.terms import (
    Add,
    BatchNorm,
    Bias,
    Copy,
    Dense,
    Dropout,
    Identity,
    Mode,
    Relu,
    ShapeError,
    Swap,
    Tanh,
    Term,
    Tree,
    chain,
    freeze,
    tie,
    value,
)

EMPTY = Tree()


def test_a_mode_that_is_not_a_mode_is_refused():
    with pytest.raises(TypeError, match="Mode"):
        spec.apply(Relu(), rational([1]), EMPTY, EMPTY, "train", None)


def test_parameters_with_other_names_are_refused_before_any_arithmetic():
    with pytest.raises(TypeError, match=r"Bias: expected parameters bias; got none"):
        spec.apply(Bias(1), rational([1]), EMPTY, EMPTY, Mode.EVAL, None)
    parameters = Tree(weight=rational([1]), bias=rational([0]))
    with pytest.raises(TypeError, match=r"expected state running_mean, running_variance; got none"):
        spec.apply(BatchNorm(1), rational([[1]]), parameters, EMPTY, Mode.EVAL, None)


def test_data_of_another_shape_are_refused_naming_the_part():
    with pytest.raises(ShapeError, match=r"Bias: expected \[2\], got \[3\]"):
        spec.apply(Bias(2), rational([1, 2, 3]), Tree(bias=rational([1, 1])), EMPTY, Mode.EVAL, None)


def test_a_subclass_does_not_inherit_a_meaning():
    @value
    class Loud(Relu):
        pass

    with pytest.raises(TypeError, match="no exact meaning for Loud; it is a subclass of Relu"):
        spec.apply(Loud(), rational([1]), EMPTY, EMPTY, Mode.EVAL, None)


def test_a_new_kind_is_a_description_and_a_plain_function():
    @value
    class Scale(Term):
        features: int

        def parameter_shapes(self):
            return Tree(a=(self.features,))

    @spec.meaning(Scale)
    def scale(parameters, x):
        return parameters.a * x

    model = Scale(2) >> Bias(2)
    parameters = Tree(layer_1=Tree(a=rational([2, 3])), layer_2=Tree(bias=rational([1, 1])))
    state = Tree(layer_1=EMPTY, layer_2=EMPTY)
    y, _ = spec.apply(model, rational([5, 7]), parameters, state, Mode.EVAL, None)
    assert y == rational([11, 22])
    pulled, x = spec.put(model, rational([5, 7]), parameters, state, Mode.EVAL, None, rational([1, 10]))
    assert (pulled.layer_1.a, x) == (rational([5, 70]), rational([2, 30]))


def test_a_meaning_that_asks_for_an_unknown_field_is_refused():
    with pytest.raises(TypeError, match="asks for slope, which Relu does not have"):

        @spec.meaning(Relu)
        def leaky(parameters, x, *, slope):
            return x


def test_structural_terms_move_data():
    x, y = rational([1]), rational([2])
    for term, source, expected in (
        (Identity(), x, x),
        (Copy(), x, (x, x)),
        (Swap(), (x, y), (y, x)),
        (Add(), (x, y), rational([3])),
    ):
        assert spec.apply(term, source, EMPTY, EMPTY, Mode.EVAL, None)[0] == expected


def test_a_layer_used_twice_threads_its_parts_states_in_order():
    term = chain(first=BatchNorm(1, new_weight="1/2", use_weight=False, use_bias=False), second=Bias(1))
    state = Tree(first=Tree(running_mean=ball([0]), running_variance=ball([1])), second=EMPTY)
    parameters = Tree(first=EMPTY, second=Tree(bias=ball([0])))
    _, after = spec.apply(term, ball([[2], [2]]), parameters, state, Mode.TRAIN, None)
    assert after.first.running_mean == ball([1])
    assert state.first.running_mean == ball([0])


def test_tied_parameters_are_one_and_their_cotangent_is_the_sum():
    model = tie(Bias(1) >> Bias(1), ("layer_1.bias", "layer_2.bias"))
    parameters, state = Tree(layer_1=Tree(bias=rational([3])), layer_2=EMPTY), Tree(layer_1=EMPTY, layer_2=EMPTY)
    assert spec.apply(model, rational([1]), parameters, state, Mode.EVAL, None)[0] == rational([7])
    pulled, _ = spec.put(model, rational([1]), parameters, state, Mode.EVAL, None, rational([5]))
    assert pulled == Tree(layer_1=Tree(bias=rational([10])), layer_2=EMPTY)


def test_frozen_parameters_live_in_the_state_and_get_no_cotangent():
    model = freeze(Dense(1, 1), "weight")
    state = Tree(frozen=Tree(weight=rational([[2]])), inner=EMPTY)
    y, after = spec.apply(model, rational([3]), Tree(bias=rational([1])), state, Mode.TRAIN, None)
    assert (y, after) == (rational([7]), state)
    pulled, x = spec.put(model, rational([3]), Tree(bias=rational([1])), state, Mode.TRAIN, None, rational([1]))
    assert (pulled, x) == (Tree(bias=rational([1])), rational([2]))


def test_dropout_that_draws_needs_a_key_and_names_itself():
    with pytest.raises(TypeError, match="Dropout: training with 0 < rate < 1 draws a mask and needs a key"):
        spec.apply(Dropout("1/2"), rational([1]), EMPTY, EMPTY, Mode.TRAIN, None)
    assert spec.apply(Dropout("1/2"), rational([1]), EMPTY, EMPTY, Mode.EVAL, None)[0] == rational([1])


def test_a_transcendental_layer_refuses_rationals():
    with pytest.raises(TypeError, match="tanh"):
        spec.apply(Tanh(), rational([1]), EMPTY, EMPTY, Mode.EVAL, None)
