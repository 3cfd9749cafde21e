"""The supervised step against exact central differences, on models of degree 1 in their parameters.

There the squared loss is a quadratic in the parameters, whose central differences are its gradient, exactly and for
every width: a formulation that shares nothing with the reverse derivative.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import Rational, rational
from lenticulum.spec.apply import apply
from lenticulum.spec.data import Data
from lenticulum.spec.draw import Draw, positive_fraction
from lenticulum.spec.keys import Key
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses.term_cases import branches, data, parameters, tied_branches
from lenticulum.spec.optimizers.cases import decay, rate
from lenticulum.spec.optimizers.update import initial_update_state
from lenticulum.spec.step import StepResult, train_step
from lenticulum.terms import (
    Bias,
    Dense,
    GradientDescent,
    LearningRate,
    Mode,
    Momentum,
    Nesterov,
    SquaredLoss,
    SupervisedStep,
    Term,
    Tree,
    chain,
    freeze,
    map_leaves,
    replace,
)

TrainStep = Callable[[SupervisedStep, Data, Data, Tree, Tree, Key | None], StepResult]
Updatable = GradientDescent | Momentum | Nesterov


def step_descends_the_exact_gradient(of: TrainStep, draw: Draw) -> None:
    """The step is the recurrence of its update on rate_of_the_cap * (central differences at the look-ahead)."""
    source, batch = draw.integer(1, 3), draw.choice([(), (2,), (3,)])
    model, target = _linear_model(draw, source)
    update = _update(draw)
    step = SupervisedStep(model, SquaredLoss(positive_fraction(draw)), LearningRate(rate(draw)), update)
    x, label, p = data(draw, source, batch), data(draw, target, batch), parameters(draw, model)
    state = Tree(model=_frozen(draw, model), update=_started(draw, update, p))

    def loss(q: Tree) -> Fraction:
        prediction, _ = apply(model, x, q, state.model, Mode.TRAIN, None)
        value, _ = apply(step.loss, (label, prediction), Tree(), Tree(), Mode.TRAIN, None)
        assert isinstance(value, Rational)
        return value.item()

    point, expected, buffer = _recurrence(step, state.update, p, lambda q: central_differences(loss, q, Fraction(2, 3)))
    result = of(step, x, label, p, state, None)
    require(result.loss == rational(loss(point)), "the loss is not that of the point", step=step, loss=result.loss)
    require(
        result.parameters == expected, "the step is another", step=step, p=p, next=result.parameters, expected=expected
    )
    if buffer is not None:
        after = result.state.update.buffer
        require(after == buffer, "the next buffer is another", step=step, buffer=after, expected=buffer)


def central_differences(loss: Callable[[Tree], Fraction], p: Tree, width: Fraction) -> Tree:
    """(loss(p + h e) - loss(p - h e)) / 2h for every entry e: the gradient of a quadratic, and of nothing steeper.

    >>> central_differences(lambda p: p.w.item() ** 3, Tree(w=rational(2)), Fraction(1, 10)).w.item() - 12
    Fraction(1, 100)
    """

    def moved(path: tuple[str, ...], leaf: Rational, position: int, by: Fraction) -> Fraction:
        unit = np.zeros(leaf.size, dtype=np.int64)
        unit[position] = 1
        return loss(p.with_leaf(path, leaf + rational(unit.reshape(leaf.shape)) * by))

    gradient = p
    for path in p.paths():
        leaf: Any = p.at(path)
        slopes = [(moved(path, leaf, i, width) - moved(path, leaf, i, -width)) / (2 * width) for i in range(leaf.size)]
        gradient = gradient.with_leaf(path, rational(slopes).reshape(leaf.shape))
    return gradient


def _recurrence(
    step: SupervisedStep, state: Tree, p: Tree, gradient: Callable[[Tree], Tree]
) -> tuple[Tree, Tree, Tree | None]:
    """The point, the next parameters and the next buffer by the textbook: b' = decay b + g(q), p' = p - rate b'."""
    update: Any = step.update
    outside, alpha = Fraction(update.rate), Fraction(step.cap.rate)
    if isinstance(update, GradientDescent):
        return p, map_leaves(lambda x, g: x - g * (outside * alpha), p, gradient(p)), None
    gamma = Fraction(update.decay)
    ahead = outside * gamma if isinstance(update, Nesterov) else Fraction(0)
    point = map_leaves(lambda x, b: x - b * ahead, p, state.buffer)
    buffer = map_leaves(lambda b, g: b * gamma + g * alpha, state.buffer, gradient(point))
    return point, map_leaves(lambda x, b: x - b * outside, p, buffer), buffer


def _linear_model(draw: Draw, source: int) -> tuple[Term, Any]:
    """A model of degree 1 in its parameters: one layer, two side by side, two tied, or two of which one is frozen."""
    kind = draw.choice(["dense", "bias", "branches", "tied", "frozen"])
    if kind == "branches":
        return branches(draw, source)
    if kind == "bias":
        return Bias(source), source
    target = draw.integer(1, 3)
    draw.observe("all shapes square", target == source)
    if kind == "frozen":
        first, second = ("layer_1.weight", "layer_1.bias"), ("layer_2.weight", "layer_2.bias")
        return freeze(chain(Dense(source, 2), Dense(2, target)), *draw.choice([first, second])), target
    return tied_branches(draw, source) if kind == "tied" else (Dense(source, target), target)


def _update(draw: Draw) -> Updatable:
    kind = draw.choice(["descent", "momentum", "nesterov", "nesterov"])
    if kind == "descent":
        return GradientDescent(rate(draw))
    return Momentum(rate(draw), decay(draw)) if kind == "momentum" else Nesterov(rate(draw), decay(draw))


def _frozen(draw: Draw, model: Term) -> Tree:
    """Values for the frozen parameters, which are the only state of these models."""
    shapes = model.state_shapes()
    return map_leaves(lambda shape: data(draw, shape[-1], shape[:-1]), shapes)


def _started(draw: Draw, update: Updatable, p: Tree) -> Tree:
    """A state in the middle of training: the buffer is not zero, where there is one."""
    state = initial_update_state(update, p)
    if isinstance(update, GradientDescent):
        return state
    return state.with_entries(buffer=map_leaves(lambda leaf: data(draw, leaf.shape[-1], leaf.shape[:-1]), p))


def _rate_twice(step: SupervisedStep, *arguments: Any) -> StepResult:
    twice = replace(step.cap, rate=Fraction(step.cap.rate) ** 2)
    return train_step(replace(step, cap=twice), *arguments)


def _at_the_stored_parameters(
    step: SupervisedStep, x: Data, label: Data, p: Tree, state: Tree, key: Key | None
) -> StepResult:
    """Nesterov evaluated at p instead of the look-ahead is the heavy ball."""
    update = step.update
    if not isinstance(update, Nesterov):
        return train_step(step, x, label, p, state, key)
    stale = replace(step, update=Momentum(update.rate, update.decay))
    counted = state.with_entries(update=state.update.with_entries(count=np.uint32(1)))
    return train_step(stale, x, label, p, counted, key)


def _ascent(step: SupervisedStep, *arguments: Any) -> StepResult:
    return train_step(replace(step, cap=replace(step.cap, rate=-Fraction(step.cap.rate))), *arguments)


LAWS: tuple[Law[TrainStep], ...] = (
    Law(
        "step-descends-the-exact-gradient",
        "p' = U*(s, p, -rate grad) with grad the central differences of the loss at U(s, p)",
        "arXiv:2103.01931, Figure 5; central differences of a quadratic are its gradient",
        Grade.EXACT,
        train_step,
        step_descends_the_exact_gradient,
        {
            "rate applied twice": _rate_twice,
            "stale parameters in the look-ahead": _at_the_stored_parameters,
            "components of the loss exchanged": _ascent,
        },
    ),
)
