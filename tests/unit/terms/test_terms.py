"""Descriptions refuse what they do not mean, before any arithmetic, and say what was given and what was expected."""

from fractions import Fraction

import pytest

from lenticulum.terms import (
    Adagrad,
    Adam,
    Add,
    BatchNorm,
    Compose,
    Copy,
    CrossEntropyLoss,
    Dense,
    Dropout,
    GradientDescent,
    Identity,
    LayerNorm,
    LearningRate,
    Momentum,
    Relu,
    ShapeError,
    SquaredLoss,
    SupervisedStep,
    Swap,
    Tanh,
)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Dense(0, 3), "inputs = 0: expected at least 1"),
        (lambda: Dense(True, 3), "inputs = True: expected an int"),
        (lambda: LayerNorm(3, epsilon=0), "epsilon = 0: expected a positive number"),
        (lambda: LayerNorm(3, epsilon="tiny"), "epsilon = 'tiny': expected a finite number"),
        (lambda: BatchNorm(3, new_weight=1), r"new_weight = 1: expected a number in \(0, 1\)"),
        (lambda: BatchNorm(3, start="debiased"), "expected one of plain, corrected, first_batch, cumulative"),
        (lambda: BatchNorm(3, normaliser="running", track=False), "needs track = True"),
        (lambda: Dropout(float("inf")), "rate = inf"),
        (lambda: Dropout(1, at_one="reject"), r"expected a number in \[0, 1\)"),
        (lambda: Momentum(decay=1), r"decay = 1: expected a number in \[0, 1\)"),
        (lambda: Adam(epsilon=0), "epsilon = 0: expected a positive number"),
        (lambda: Adagrad(start=-1), "start = -1: expected a number >= 0"),
        (lambda: Adagrad(epsilon=0), "start = 0 and epsilon = 0: expected one of them positive"),
        (lambda: Adam(epsilon_root=-1), "epsilon_root = -1: expected a number >= 0"),
        (lambda: Compose((Relu(),), ("a", "b")), "as many different names"),
        (lambda: SquaredLoss(True), "factor = True"),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_range(build, message):
    with pytest.raises((TypeError, ValueError), match=message):
        build()


@pytest.mark.parametrize(
    ("build", "path", "part"),
    [
        (lambda: Dense(2, 6) >> Dense(4, 1), "layer_2", "Dense"),
        (lambda: Copy() >> Dense(2, 2), "layer_2", "Dense"),
        (lambda: Dense(2, 3) >> (Relu() >> Dense(4, 1)), "layer_3", "Dense"),
        (lambda: (Dense(2, 3) @ Dense(2, 4)) >> Add(), "layer_2", "Add"),
        (lambda: Dense(2, 3) >> Swap(), "layer_2", "Swap"),
        (lambda: Copy() >> Tanh(), "layer_2", "Tanh"),
        (lambda: Dense(2, 3) >> LearningRate(1), "layer_2", "LearningRate"),
        (lambda: SquaredLoss() >> LearningRate(1) >> Relu(), "layer_3", "Relu"),
    ],
)
def test_parts_that_do_not_fit_are_refused_and_named(build, path, part):
    with pytest.raises(ShapeError) as caught:
        build()
    assert (caught.value.path, caught.value.part) == ((path,), part)


def test_spaces_are_inferred_through_polymorphic_parts():
    model = Copy() >> (Tanh() @ Dense(3, 3)) >> Swap() >> Add()
    assert model.target(3) == 3
    with pytest.raises(ShapeError):
        model.target(2)
    assert ((Identity() @ model) >> CrossEntropyLoss() >> LearningRate(1)).target((3, 3)) == ()


def test_hyperparameters_are_exact_and_have_one_spelling():
    assert Adam(rate="0.10") == Adam(rate="1/10") == Adam(rate=Fraction(1, 10))
    assert Adam(rate=0.1) != Adam(rate="0.1")
    assert Adam(rate=0.1).rate == Fraction(0.1)


def test_a_supervised_step_refuses_a_model_that_its_loss_does_not_fit():
    with pytest.raises(ShapeError):
        SupervisedStep(Copy(), SquaredLoss(), LearningRate(1), GradientDescent())
    with pytest.raises(ValueError, match="has parameters"):
        SupervisedStep(Relu(), (Dense(2, 2) @ Identity()) >> SquaredLoss(), LearningRate(1), GradientDescent())
