"""Laws of learning rates as caps: a lens from the loss to the unit, the only place where descent enters.

Source: arXiv:2103.01931, Definition 3.8 and equations 3.9, 3.10.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from lenticulum.numbers import ExactArray, rational
from lenticulum.spec.apply import apply
from lenticulum.spec.caps import loss_cotangent
from lenticulum.spec.data import Data
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.keys import Key
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.spec.lenses.lens import Lens
from lenticulum.spec.lenses.term_cases import data, parameters, wiring
from lenticulum.spec.step import StepResult, train_step
from lenticulum.terms import (
    GradientDescent,
    LearningRate,
    Mode,
    SquaredLoss,
    SupervisedStep,
    Tree,
    map_leaves,
    replace,
)

TrainStep = Callable[[SupervisedStep, Data, Data, Tree, Tree, Key | None], StepResult]
Cap = Callable[[LearningRate, Data], ExactArray]
Case = tuple[SupervisedStep, Data, Data, Tree, Tree]


def case(draw: Draw) -> Case:
    """A random model under the quadratic loss, gradient descent at rate 1, and its data."""
    source, batch = draw.integer(1, 3), draw.choice([(), (2,)])
    model, target = wiring(draw, source)
    while not isinstance(target, int):
        model, target = wiring(draw, source)
    step = SupervisedStep(model, SquaredLoss(positive_fraction(draw)), LearningRate(0), GradientDescent())
    p, state = parameters(draw, model), Tree(model=model.state_shapes(), update=Tree())
    return step, data(draw, source, batch), data(draw, target, batch), p, state


def moved(of: TrainStep, given: Case, cap: LearningRate) -> tuple[StepResult, Tree]:
    """The result under a cap, and what it adds to the parameters: the cotangent after the cap."""
    step, x, label, p, state = given
    result = of(replace(step, cap=cap), x, label, p, state, None)
    return result, map_leaves(lambda new, old: new - old, result.parameters, p)


def cap_leaves_the_get(of: TrainStep, draw: Draw) -> None:
    """The loss and the state of the model are the same under every cap: it changes the put alone."""
    given = case(draw)
    step, x, label, p, state = given
    prediction, _ = apply(step.model, x, p, state.model, Mode.TRAIN, None)
    loss, _ = apply(step.loss, (label, prediction), Tree(), Tree(), Mode.TRAIN, None)
    for kind in ("constant", "scaled"):
        result, _ = moved(of, given, LearningRate(fraction(draw), kind))
        require(bool(result.loss == loss), "the cap shows in the get", step=step, loss=result.loss, expected=loss)
        require(result.state.model == state.model, "the cap shows in the state", step=step, state=result.state)


def cotangent_is_linear_in_the_cap(of: TrainStep, draw: Draw) -> None:
    """The cotangent emitted by model;loss;cap at a constant cap k a + b is k times that at a, plus that at b (RD.2)."""
    given, k, a, b = case(draw), fraction(draw), fraction(draw), fraction(draw)
    (_, at_a), (_, at_b), (_, at_both) = (moved(of, given, LearningRate(rate)) for rate in (a, b, k * a + b))
    expected = map_leaves(lambda x, y: x * k + y, at_a, at_b)
    require(at_both == expected, "the cotangent is not linear in the cap", rates=(a, b), k=k, step=given[0])


def descent_and_ascent_differ_in_sign(of: TrainStep, draw: Draw) -> None:
    """-eps and +eps: the parameters move by opposite amounts, and nothing else changes."""
    given, rate, kind = case(draw), positive_fraction(draw), draw.choice(["constant", "scaled"])
    (down, descent), (up, ascent) = (moved(of, given, LearningRate(each, kind)) for each in (rate, -rate))
    require(ascent == map_leaves(lambda leaf: -leaf, descent), "ascent is not minus descent", step=given[0])
    require(bool(down.loss == up.loss), "the sign shows in the loss", losses=(down.loss, up.loss))
    require(down.state == up.state, "the sign shows in the state", states=(down.state, up.state))


def two_caps_disagree(of: Cap, draw: Draw) -> None:
    """Lenses (L, L') -> (1, 1) are the maps L -> L': -eps and -eps l differ unless l = 1; no discard is canonical."""
    rate, loss = positive_fraction(draw), fraction(draw)
    if loss == 1:
        raise Inapplicable("at a loss of 1 the two caps agree")
    caps = [LearningRate(rate), LearningRate(rate, "scaled")]
    lenses = [Lens(lambda loss: (), lambda loss, _, cap=cap: of(cap, loss)) for cap in caps]
    at = rational(loss)
    require(lenses[0].get(at) == lenses[1].get(at) == (), "a cap has a value", loss=loss)
    found = [lens.put(at, ()) for lens in lenses]
    expected = [rational(-rate), rational(-rate * loss)]
    require(found == expected, "the caps are others", rate=rate, loss=loss, caps=found, expected=expected)
    require(found[0] != found[1], "the two caps agree", rate=rate, loss=loss, caps=found)


def _squared_rate(step: SupervisedStep, *arguments: Any) -> StepResult:
    twice = replace(step.cap, rate=Fraction(step.cap.rate) ** 2)
    return train_step(replace(step, cap=twice), *arguments)


def _scaled_loss(step: SupervisedStep, *arguments: Any) -> StepResult:
    result = train_step(step, *arguments)
    return StepResult(result.loss * Fraction(step.cap.rate), result.parameters, result.state)


def _always_down(step: SupervisedStep, *arguments: Any) -> StepResult:
    down = replace(step.cap, rate=abs(Fraction(step.cap.rate)))
    return train_step(replace(step, cap=down), *arguments)


SOURCE = "arXiv:2103.01931, Definition 3.8 and equations 3.9, 3.10"

LAWS: tuple[Law[TrainStep] | Law[Cap], ...] = (
    Law(
        "cap-leaves-the-get",
        "the loss and the state are the same under every cap",
        SOURCE,
        Grade.EXACT,
        train_step,
        cap_leaves_the_get,
        {"loss scaled by the rate": _scaled_loss},
    ),
    Law(
        "cap-linear",
        "the cotangent emitted by model;loss;cap is linear in a constant cap",
        SOURCE,
        Grade.EXACT,
        train_step,
        cotangent_is_linear_in_the_cap,
        {"rate applied twice": _squared_rate},
    ),
    Law(
        "cap-sign",
        "-eps and +eps differ in the sign of the move, and in nothing else",
        SOURCE,
        Grade.EXACT,
        train_step,
        descent_and_ascent_differ_in_sign,
        {"always down": _always_down},
    ),
    Law(
        "caps-disagree",
        "-eps and -eps l are two lenses (L, L') -> (1, 1): there is no canonical discard",
        SOURCE,
        Grade.EXACT,
        loss_cotangent,
        two_caps_disagree,
        {"one discard for all": lambda cap, loss: loss_cotangent(LearningRate(cap.rate), loss)},
    ),
)
