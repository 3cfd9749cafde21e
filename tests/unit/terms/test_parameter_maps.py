"""Parameter maps, freezing and sharing: what is refused, and what the trees are called."""

import pytest

from lenticulum.terms import (
    Bias,
    ComposedMap,
    Dense,
    Dropout,
    Freeze,
    Hypernetwork,
    LowRank,
    PartwiseMap,
    Reparametrise,
    Symmetric,
    Tanh,
    Tie,
    Tree,
    WeightNorm,
    freeze,
    freeze_values,
    share_parameters,
    unfreeze,
)

MODEL = Dense(2, 3) >> Dense(3, 3)

REFUSED = {
    "no paths": (lambda: Symmetric(()), "expected one or more different paths"),
    "unknown path": (lambda: Reparametrise(MODEL, LowRank(("layer_3.weight",), 1)), "no entry 'layer_3.weight'"),
    "not a matrix": (lambda: Reparametrise(MODEL, WeightNorm(("layer_1.bias",))), "expected a matrix at layer_1.bias"),
    "a subtree": (lambda: Reparametrise(MODEL, WeightNorm(("layer_1",))), "got the tree of weight, bias"),
    "not square": (
        lambda: Reparametrise(MODEL, Symmetric(("layer_1.weight",))),
        "expected a square .*3, 2",
    ),
    "rank zero": (lambda: LowRank(("weight",), 0), "LowRank: rank = 0"),
    "base elsewhere": (lambda: LowRank(("weight",), 1, base="buffer"), "expected one of frozen, parameter"),
    "generator of another size": (
        lambda: Reparametrise(MODEL, Hypernetwork("layer_1.bias", Dense(2, 4), 2)),
        "the generator makes 4 numbers, layer_1.bias .3,. has 3",
    ),
    "generator with state": (lambda: Hypernetwork("bias", freeze(Dense(2, 3), "bias"), 2), "has state"),
    "maps without names": (lambda: PartwiseMap((), (Tie(()),)), "1 maps need as many different names"),
    "unknown part": (lambda: Reparametrise(MODEL, PartwiseMap(("layer_9",), (Tie(()),))), "no entry 'layer_9'"),
    "frozen twice": (lambda: Reparametrise(MODEL, Freeze(("layer_1", "layer_1.bias"))), "no entry 'layer_1.bias'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_wrong_is_said(case):
    make, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        make()


def test_what_is_no_map_is_refused():
    with pytest.raises(TypeError, match="ComposedMap"):
        ComposedMap((Tanh(),))


def test_composed_maps_have_the_trees_of_nested_reparametrisations():
    low, thaw = LowRank(("layer_1.weight",), 1), Freeze(("layer_1.weight.left", "layer_2"))
    once = Reparametrise(MODEL, ComposedMap((thaw, low)))
    nested = Reparametrise(Reparametrise(MODEL, low), thaw)
    assert (
        once.parameter_shapes() == nested.parameter_shapes() == Tree(layer_1=Tree(weight=Tree(right=(1, 2)), bias=(3,)))
    )
    assert once.state_shapes() == nested.state_shapes()


def test_a_low_rank_base_is_a_constant_or_a_parameter():
    frozen = Reparametrise(Dense(2, 3), LowRank(("weight",), 1))
    learned = Reparametrise(Dense(2, 3), LowRank(("weight",), 1, base="parameter"))
    assert frozen.parameter_shapes().weight == Tree(left=(3, 1), right=(1, 2))
    assert frozen.state_shapes() == Tree(frozen=Tree(weight=(3, 2)), inner=Tree())
    assert learned.parameter_shapes().weight == Tree(base=(3, 2), left=(3, 1), right=(1, 2))
    assert learned.state_shapes() == Tree()


def test_unknown_names_are_errors_where_lux_ignores_them():
    parameters = Tree(bias="b")
    with pytest.raises(ValueError, match="no entry 'weight'; this tree has bias"):
        freeze_values(Bias(2), parameters, Tree(), "weight")
    with pytest.raises(ValueError, match="no entry 'weight'; this tree has bias"):
        share_parameters(Bias(2), parameters, ("bias", "weight"))
    with pytest.raises(TypeError, match="expected a term made by freeze, got Bias"):
        unfreeze(Bias(2), parameters, Tree())


def test_groups_are_disjoint_of_one_shape_and_have_as_many_values():
    parameters = Tree(layer_1=Tree(weight=1, bias=2), layer_2=Tree(weight=3, bias=4))
    pair = ("layer_1.bias", "layer_2.bias")
    with pytest.raises(ValueError, match="groups must be disjoint"):
        share_parameters(MODEL, parameters, pair, pair)
    with pytest.raises(ValueError, match=r"got layer_1.weight \(3, 2\) and layer_2.weight \(3, 3\)"):
        share_parameters(MODEL, parameters, ("layer_1.weight", "layer_2.weight"))
    with pytest.raises(ValueError, match="1 groups need as many values, got 2"):
        share_parameters(MODEL, parameters, pair, values=(1, 2))


def test_a_whole_layer_is_frozen_and_tied():
    twins = Dense(2, 2) >> Tanh() >> Dense(2, 2) >> Dropout()
    tied, shared = share_parameters(
        twins,
        Tree(layer_1=Tree(weight=1, bias=2), layer_2=Tree(), layer_3=Tree(weight=3, bias=4), layer_4=Tree()),
        ("layer_1", "layer_3"),
    )
    assert shared == Tree(layer_1=Tree(weight=1, bias=2), layer_2=Tree(), layer_4=Tree())
    assert tied.parameter_shapes().names() == shared.names()
