"""Trees of named leaves, and what a term's shapes determine without drawing."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lenticulum.terms import (
    BatchNorm,
    Bias,
    Dense,
    Dropout,
    Relu,
    Tanh,
    Tree,
    chain,
    display_name,
    freeze,
    map_leaves,
    parameterlength,
    statelength,
    tie,
)

names = st.sampled_from(["a", "b", "c", "weight", "bias"])
trees = st.recursive(
    st.dictionaries(names, st.integers(), max_size=3).map(Tree),
    lambda inner: st.dictionaries(names, inner, max_size=3).map(Tree),
    max_leaves=8,
)


@given(trees)
def test_leaves_follow_paths_in_order_of_construction(tree):
    assert [tree.at(path) for path in tree.paths()] == tree.leaves()


@given(trees)
def test_mapping_the_identity_changes_nothing(tree):
    assert map_leaves(lambda leaf: leaf, tree) == tree


@given(trees)
def test_a_tree_survives_pickling(tree):
    assert pickle.loads(pickle.dumps(tree)) == tree


def test_order_is_part_of_a_tree():
    assert Tree(a=1, b=2) != Tree(b=2, a=1)


def test_setting_a_leaf_leaves_the_rest_and_the_original_alone():
    tree = Tree(a=Tree(b=1, c=2), d=3)
    assert tree.with_leaf(("a", "c"), 5) == Tree(a=Tree(b=1, c=5), d=3)
    assert tree == Tree(a=Tree(b=1, c=2), d=3)


def test_a_tree_is_immutable():
    tree = Tree(a=1)
    with pytest.raises(AttributeError, match="immutable"):
        tree.a = 2
    with pytest.raises(AttributeError, match="immutable"):
        del tree.a
    with pytest.raises(TypeError, match="unhashable"):
        hash(tree)


def test_an_unknown_name_is_an_error_that_lists_the_known_ones():
    with pytest.raises(AttributeError, match=r"no entry 'wieght'; this tree has weight, bias"):
        _ = Tree(weight=1, bias=2).wieght
    with pytest.raises(KeyError, match=r"no entry 'a.x'; this tree has a.b"):
        Tree(a=Tree(b=1)).at(("a", "x"))


def test_mapping_over_trees_of_different_structure_is_refused():
    with pytest.raises(ValueError, match="trees differ"):
        map_leaves(lambda a, b: a, Tree(a=1), Tree(b=1))


def test_lengths_are_additive_and_follow_from_the_shapes():
    model = Dense(2, 4) >> BatchNorm(4) >> Dropout("1/4", draws="seed_stream") >> Dense(4, 1)
    assert parameterlength(model) == (2 * 4 + 4) + (4 + 4) + 0 + (4 + 1)
    assert statelength(model) == 0 + (4 + 4) + (2 + 1) + 0
    assert statelength(BatchNorm(3)) == 3 + 3


def test_the_structure_does_not_depend_on_numeric_hyperparameters():
    assert Dropout(0).state_shapes() == Dropout("1/2").state_shapes()
    assert Dropout(1, draws="seed_stream").state_shapes() == Dropout("1/2", draws="seed_stream").state_shapes()


def test_keys_are_given_names_or_positions():
    assert chain(encoder=Dense(2, 3), head=Dense(3, 1)).parameter_shapes().names() == ("encoder", "head")
    assert (Dense(2, 3) >> Relu() >> Dense(3, 1)).parameter_shapes().names() == ("layer_1", "layer_2", "layer_3")
    assert (Bias(2) @ Bias(3)).parameter_shapes() == Tree(left=Tree(bias=(2,)), right=Tree(bias=(3,)))


def test_chaining_is_associative_and_keeps_named_chains_whole():
    assert (Bias(2) >> Tanh()) >> Relu() == Bias(2) >> (Tanh() >> Relu())
    named = chain(inner=Bias(2))
    assert (named >> Tanh()).parameter_shapes() == Tree(layer_1=Tree(inner=Tree(bias=(2,))), layer_2=Tree())


def test_a_reparametrisation_is_transparent():
    model = Bias(2) >> Bias(2)
    tied = tie(model, ("layer_1.bias", "layer_2.bias"))
    assert tied.parameter_shapes() == Tree(layer_1=Tree(bias=(2,)), layer_2=Tree())
    frozen = freeze(model, "layer_2.bias")
    assert frozen.parameter_shapes().paths() == [("layer_1", "bias")]
    assert frozen.state_shapes().frozen == Tree(layer_2=Tree(bias=(2,)))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda model: freeze(model, "layer_3.bias"), "no entry 'layer_3.bias'"),
        (lambda model: tie(model, ("layer_1.bias", "layer_1.bias")), "must be disjoint"),
        (lambda model: tie(model, ("layer_1.bias",)), "at least two members"),
        (lambda model: tie(model >> Bias(3), ("layer_1.bias", "layer_3.bias")), "expected"),
    ],
)
def test_a_reparametrisation_of_unknown_or_unequal_parameters_is_refused(build, message):
    with pytest.raises(ValueError, match=message):
        build(Bias(2) >> Bias(2))


def test_the_display_name_is_the_name_of_the_type_without_a_name_field():
    assert display_name(Relu()) == "Relu"
