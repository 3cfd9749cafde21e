"""Worked values of lenses, losses, optimizers and the supervised step, each from a table derived by hand."""

from fractions import Fraction

import pytest

from lenticulum.numbers import ball, log, rational
from lenticulum.spec.apply import apply
from lenticulum.spec.lenses.polynomial import pairing, reverse, variables
from lenticulum.spec.optimizers import initial_update_state, planted, update_next, update_point
from lenticulum.spec.optimizers.cases import UPDATES, descend, follow, scalar, scalar_tree
from lenticulum.spec.put import put
from lenticulum.spec.step import train_step
from lenticulum.terms import (
    Adam,
    CrossEntropyLoss,
    Dense,
    GradientDescent,
    LearningRate,
    Mode,
    Momentum,
    Nesterov,
    SquaredLoss,
    SupervisedStep,
    Tree,
    map_leaves,
)

RATE, DECAY = Fraction(1, 10), Fraction(9, 10)


def fractions(*texts):
    return [Fraction(text) for text in texts]


def test_the_reverse_derivative_of_a_polynomial_map():
    # f = (x1^3 + 2 x1 x2, x2, x1 x2): R[f]((1, 2), (1, 1, 1)) = (9, 4).
    x, y = variables(2)
    f = pairing(x * x * x + x * y + x * y, y, x * y)
    assert reverse(f)(rational([1, 2, 1, 1, 1])) == rational([9, 4])


def test_the_cotangents_of_the_quadratic_loss():
    # At label 3, prediction 7, alpha 1: (-4, 4), in the order (label, prediction).
    _, pulled = put(SquaredLoss(), (rational([3]), rational([7])), Tree(), Tree(), Mode.TRAIN, None, rational(1))
    assert pulled == (rational([-4]), rational([4]))


@pytest.mark.parametrize(("label", "gradient"), [([0, 1, 0], ["1/6", "-2/3", "1/2"]), ([1, 1, 0], ["-2/3", "-1/3", 1])])
def test_the_gradient_of_the_cross_entropy(label, gradient):
    # At prediction (log 1, log 2, log 3) the softmax is (1/6, 1/3, 1/2); the gradient is (sum label) softmax - label.
    prediction = log(ball([1, 2, 3]))
    _, (_, pulled) = put(CrossEntropyLoss(), (ball(label), prediction), Tree(), Tree(), Mode.TRAIN, None, ball(1))
    assert pulled.contains(rational(gradient))
    # The printed function has the gradient (1/6, 1/3, 1/2) at the first label; the enclosure must tell them apart.
    assert all(high - low < Fraction(1, 2**40) for low, high in zip(pulled.lower(), pulled.upper(), strict=True))


def on_the_quadratic(of, update, steps=4):
    """The parameters and states on k p^2 / 2 with k = 2, from p = 1."""
    start = scalar_tree(Fraction(1))
    state = initial_update_state(update, start)
    return descend(of, update, state, start, lambda p: map_leaves(lambda leaf: leaf * 2, p), steps)


TRAJECTORIES = {
    "descent": (GradientDescent(RATE), UPDATES, fractions("4/5", "16/25", "64/125", "256/625")),
    "heavy ball": (Momentum(RATE, DECAY), UPDATES, fractions("4/5", "23/50", "31/500", "-1543/5000")),
    "printed momentum": (
        Momentum(RATE, DECAY),
        planted.momentum_with_the_sign_in_print,
        fractions("4/5", "41/50", "319/500", "3371/5000"),
    ),
    "nesterov": (Nesterov(RATE, DECAY), UPDATES, fractions("4/5", "62/125", "556/3125", "-6772/78125")),
}


@pytest.mark.parametrize("name", TRAJECTORIES)
def test_the_trajectories_on_a_quadratic(name):
    update, of, expected = TRAJECTORIES[name]
    assert [scalar(p) for _, p in on_the_quadratic(of, update)] == expected


def test_the_look_aheads_of_nesterov_on_a_quadratic():
    update = Nesterov(RATE, DECAY)
    points = [scalar(update_point(update, state, p)) for state, p in on_the_quadratic(UPDATES, update)]
    assert points == fractions("31/50", "139/625", "-1693/15625", "-126884/390625")


CORRECTED = {
    "generic": ("1/2", "3/4", fractions("1", "5/3", "1/7"), fractions("1", "19/7", "73/37")),
    "usual": (
        "9/10",
        "999/1000",
        fractions("1", "29/19", "161/271"),
        fractions("1", "4999/1999", "5994001/2997001"),
    ),
}


@pytest.mark.parametrize("name", CORRECTED)
def test_the_corrected_moments_of_adam(name):
    b1, b2, first, second = CORRECTED[name]
    found_first, found_second = corrected_moments(UPDATES, b1, b2)
    assert all(x.contains(rational([y])) for x, y in zip(found_first, first, strict=True))
    assert all(x.contains(rational([y])) for x, y in zip(found_second, second, strict=True))


def test_the_moments_in_print_compound():
    # mh 1, 2, 4/7 and vh 1, 4, 208/37: the corrected moments stored as the next state.
    first, second = corrected_moments(planted.adam_storing_corrected_moments, "1/2", "3/4", stored=True)
    assert all(x.contains(rational([y])) for x, y in zip(first, fractions("1", "2", "4/7"), strict=True))
    assert all(x.contains(rational([y])) for x, y in zip(second, fractions("1", "4", "208/37"), strict=True))


def corrected_moments(of, b1, b2, stored=False):
    """m / (1 - b1^t) and v / (1 - b2^t) after the cotangents 1, 2, -1; `stored`: the moments as they are stored."""
    update = Adam(RATE, b1, b2)
    start = map_leaves(ball, scalar_tree(Fraction(0)))
    gradients = [map_leaves(ball, scalar_tree(-Fraction(c))) for c in (1, 2, -1)]
    states = [state for state, _ in follow(of, update, initial_update_state(update, start), start, gradients)]
    if stored:
        return [-state.first_moment.weight for state in states], [state.second_moment.weight for state in states]
    first = [-state.first_moment.weight / (1 - state.first_power) for state in states]
    return first, [state.second_moment.weight / (1 - state.second_power) for state in states]


def scheduled(rate_in, rates):
    """Momentum on x^2 from 1 under a schedule of rates; the gradient is 2 x."""
    p = scalar_tree(Fraction(1))
    state = initial_update_state(Momentum(), p)
    for rate in rates:
        update = Momentum(rate, DECAY, rate_in=rate_in)
        state, p = update_next(update, state, p, map_leaves(lambda leaf: leaf * -2, p))
    return scalar(p)


@pytest.mark.parametrize(
    ("rate_in", "second", "sixth"),
    [("step", "383/500", "-2450129/62500000"), ("buffer", "151/250", "-13882499/15625000")],
)
def test_the_places_of_a_scheduled_rate(rate_in, second, sixth):
    tenth, hundredth = Fraction(1, 10), Fraction(1, 100)
    assert scheduled(rate_in, [tenth]) == Fraction(4, 5)
    assert scheduled(rate_in, [tenth, hundredth]) == Fraction(second)
    assert scheduled(rate_in, [tenth] * 3 + [hundredth] * 3) == Fraction(sixth)


def worked_step(update, update_state):
    """f(p, a) = p a with a = 2, label 5, p = 1, the quadratic loss and the cap -1/10."""
    step = SupervisedStep(Dense(1, 1, use_bias=False), SquaredLoss(), LearningRate(RATE), update)
    p = Tree(weight=rational([[1]]))
    return train_step(step, rational([2]), rational([5]), p, Tree(model=Tree(), update=update_state), None)


def test_the_worked_step_of_gradient_descent():
    assert worked_step(GradientDescent(), Tree()).parameters.weight == rational([["8/5"]])


def test_the_worked_step_of_nesterov():
    # s = 1/2 is the last move, so the buffer, which points the other way at rate 1, is -1/2.
    result = worked_step(Nesterov(1, DECAY), Tree(buffer=Tree(weight=rational([["-1/2"]]))))
    assert result.parameters.weight == rational([["187/100"]])
    assert result.state.update.buffer.weight == rational([["-87/100"]])


def test_the_container_equations_in_order():
    # l1(x) = 2 x + 1 after itself three times is 8 x + 7.
    layer = Dense(1, 1)
    p = Tree(weight=rational([[2]]), bias=rational([1]))
    thrice = layer >> layer >> layer
    y, _ = apply(thrice, rational([3]), Tree(layer_1=p, layer_2=p, layer_3=p), thrice.state_shapes(), Mode.EVAL, None)
    assert y == rational([31])
