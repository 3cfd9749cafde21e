"""Closed learners and deep dreaming against formulations that share nothing with them: composites, central differences.

Every wire of a closed learner is a parameter. On a model of degree 1 in each wire the squared loss is a quadratic in
each of them, so that central differences are the exact gradient; the composite is built from terms for single wires.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import ExactArray, Rational, rational
from lenticulum.spec.apply import apply
from lenticulum.spec.data import Data, array
from lenticulum.spec.draw import Draw, positive_fraction
from lenticulum.spec.dream import DreamResult, dream_step
from lenticulum.spec.keys import Key
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses.planted_puts import Put
from lenticulum.spec.lenses.term_cases import branches, data, parameters
from lenticulum.spec.optimizers.cases import decay, rate
from lenticulum.spec.optimizers.step_laws import central_differences
from lenticulum.spec.optimizers.update import initial_update_state, update_next
from lenticulum.spec.put import put
from lenticulum.terms import (
    DeepDreamStep,
    Dense,
    DotLoss,
    GradientDescent,
    Input,
    Learner,
    LearningRate,
    Mode,
    Momentum,
    Nesterov,
    SquaredLoss,
    Tensor,
    Term,
    Tree,
    chain,
    map_leaves,
    replace,
)
from lenticulum.terms.lenses import Compose

DreamStep = Callable[[DeepDreamStep, Data, Data, Tree, Tree, Mode, Key | None], DreamResult]


def learner(draw: Draw, loss: Term) -> tuple[Learner, Tree]:
    """A learner on one or two dense layers side by side, with its wires: data, parameters, label."""
    source, batch = draw.integer(1, 3), draw.choice([(), (2,)])
    kind = draw.choice(["dense", "branches"])
    model, _ = branches(draw, source) if kind == "branches" else (Dense(source, draw.integer(1, 3)), None)
    closed = Learner(model, loss, LearningRate(rate(draw) * draw.choice([1, -1])), source, batch)
    draw.observe("all shapes square", closed.label() == source)
    return closed, parameters(draw, closed)


def put_of_a_learner_is_the_gradient_in_every_wire(of: Put, draw: Draw) -> None:
    """put = -rate * (central differences of the loss) in data, parameters and label."""
    closed, wires = learner(draw, SquaredLoss(positive_fraction(draw)))
    state = closed.state_shapes()

    def loss(moved: Tree) -> Fraction:
        return loss_of(closed, moved)

    alpha = -Fraction(closed.cap.rate)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    pulled, _ = of(closed, (), wires, state, Mode.TRAIN, None, ())
    expected = map_leaves(lambda g: g * alpha, central_differences(loss, wires, Fraction(1, 3)))
    require(pulled == expected, "the put of the learner is another", learner=closed, put=pulled, expected=expected)


def loss_of(closed: Learner, wires: Tree) -> Fraction:
    """The loss of a learner without state, as a function of all its wires."""
    prediction, _ = apply(closed.model, wires.data, wires.parameters, closed.state_shapes(), Mode.TRAIN, None)
    value, _ = apply(closed.loss, (wires.label, prediction), Tree(), Tree(), Mode.TRAIN, None)
    assert isinstance(value, Rational)
    return value.item()


def a_learner_is_the_composite_of_its_parts(of: Put, draw: Draw) -> None:
    """put(learner) = put((eta_B x (eta_A ; model)) ; loss ; cap), wire by wire."""
    closed, wires = learner(draw, draw.choice([SquaredLoss(), DotLoss()]))
    eta = chain(data=Input(closed.source, closed.batch), model=closed.model)
    label = Input(closed.label(), closed.batch)
    composite = Compose((Tensor(label, eta), closed.loss, closed.cap), ("wires", "loss", "cap"))
    inner = Tree(left=Tree(value=wires.label), right=Tree(data=Tree(value=wires.data), model=wires.parameters))
    both = Tree(wires=inner, loss=Tree(), cap=Tree())
    states = composite.state_shapes()
    expected, _ = put(composite, ((), ()), both, states, Mode.EVAL, None, ())
    pulled, _ = of(closed, (), wires, closed.state_shapes(), Mode.EVAL, None, ())
    found = Tree(
        data=expected.wires.right.data.value, parameters=expected.wires.right.model, label=expected.wires.left.value
    )
    require(pulled == found, "the learner is not its composite", learner=closed, put=pulled, composite=found)


def dreaming_follows_the_exact_gradient(of: DreamStep, draw: Draw) -> None:
    """The step is the recurrence on rate * (central differences in the data at the look-ahead); p stays as it is."""
    closed, wires = learner(draw, SquaredLoss(positive_fraction(draw)))
    update = draw.choice([GradientDescent(rate(draw)), Momentum(rate(draw), decay(draw)), _nesterov(draw)])
    moving = Tree(data=wires.data)
    start = initial_update_state(update, moving)
    if not isinstance(update, GradientDescent):
        start = start.with_entries(buffer=map_leaves(lambda leaf: data(draw, leaf.shape[-1], leaf.shape[:-1]), moving))
    state = Tree(model=closed.state_shapes(), update=start)

    def gradient(point: Tree) -> Tree:
        def loss(moved: Tree) -> Fraction:
            return loss_of(closed, wires.with_entries(data=moved.data))

        return central_differences(loss, point, Fraction(2, 3))

    point, expected = _recurrence(closed, update, start, moving, gradient)
    step = DeepDreamStep(closed, update)
    result = of(step, wires.data, wires.label, wires.parameters, state, Mode.TRAIN, None)
    at_point = loss_of(closed, wires.with_entries(data=point.data))
    require(result.loss == rational(at_point), "the loss is not that of the point", step=step)
    require(result.data == expected.data, "other data", step=step, next=result.data, expected=expected.data)
    require(result.parameters == wires.parameters, "the parameters moved", step=step, next=result.parameters)


def dreaming_with_the_dot_loss(of: DreamStep, draw: Draw) -> None:
    """a + alpha pi1 R[f](p, a, bt), where alpha = -rate: it depends on the label and not on the prediction."""
    closed, wires = learner(draw, DotLoss())
    step = DeepDreamStep(closed, GradientDescent())
    state = Tree(model=closed.state_shapes(), update=Tree())
    result = of(step, wires.data, wires.label, wires.parameters, state, Mode.TRAIN, None)
    _, slope = put(closed.model, wires.data, wires.parameters, closed.state_shapes(), Mode.TRAIN, None, wires.label)
    alpha = -Fraction(closed.cap.rate)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    expected = wires.data + array(slope, "law") * alpha
    require(result.data == expected, "other data", step=step, wires=wires, next=result.data, expected=expected)


def _nesterov(draw: Draw) -> Nesterov:
    return Nesterov(rate(draw), draw.choice([Fraction(7, 8), Fraction(1, 2), Fraction(3, 4)]))


def _recurrence(
    closed: Learner, update: Any, state: Tree, moving: Tree, gradient: Callable[[Tree], Tree]
) -> tuple[Tree, Tree]:
    """The point and the next data by the textbook: b' = decay b + g(point), a' = a - rate b'."""
    outside, alpha = Fraction(update.rate), Fraction(closed.cap.rate)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    if isinstance(update, GradientDescent):
        return moving, map_leaves(lambda a, g: a - g * (outside * alpha), moving, gradient(moving))
    gamma = Fraction(update.decay)
    ahead = outside * gamma if isinstance(update, Nesterov) else Fraction(0)
    point = map_leaves(lambda a, b: a - b * ahead, moving, state.buffer)
    buffer = map_leaves(lambda b, g: b * gamma + g * alpha, state.buffer, gradient(point))
    return point, map_leaves(lambda a, b: a - b * outside, moving, buffer)


def _at_the_stored_data(step: DeepDreamStep, x: Data, label: Data, p: Tree, state: Tree, *rest: Any) -> DreamResult:
    """Nesterov evaluated at a instead of the look-ahead is the heavy ball."""
    update = step.update
    if not isinstance(update, Nesterov):
        return dream_step(step, x, label, p, state, *rest)
    counted = state.with_entries(update=state.update.with_entries(count=np.uint32(1)))
    return dream_step(replace(step, update=Momentum(update.rate, update.decay)), x, label, p, counted, *rest)


def _parameters_moved(
    step: DeepDreamStep, x: Data, label: Data, p: Tree, state: Tree, mode: Mode, key: Key | None
) -> DreamResult:
    """The update on the parameter wires too, by plain descent."""
    result = dream_step(step, x, label, p, state, mode, key)
    wires = Tree(data=x, parameters=p, label=label)
    pulled, _ = put(step.learner, (), wires, state.model, mode, key, ())
    _, moved = update_next(GradientDescent(), Tree(), p, pulled.parameters)
    return DreamResult(result.loss, result.data, moved, result.state)


def _label_cotangent_kept(
    step: DeepDreamStep, x: Data, label: Data, p: Tree, state: Tree, mode: Mode, key: Key | None
) -> DreamResult:
    """The cotangent of the label added to the data, where the shapes let it."""
    result = dream_step(step, x, label, p, state, mode, key)
    pulled, _ = put(step.learner, (), Tree(data=x, parameters=p, label=label), state.model, mode, key, ())
    kept, moved = pulled.label, array(result.data, "mistake")
    return DreamResult(result.loss, moved + kept, p, result.state) if kept.shape == moved.shape else result


def _squared_loss_instead(step: DeepDreamStep, *arguments: Any) -> DreamResult:
    """The gradient of the squared loss, which depends on the prediction."""
    return dream_step(replace(step, learner=replace(step.learner, loss=SquaredLoss())), *arguments)


def _descent_for_ascent(step: DeepDreamStep, *arguments: Any) -> DreamResult:
    cap: Any = step.learner.cap
    return dream_step(replace(step, learner=replace(step.learner, cap=replace(cap, rate=-cap.rate))), *arguments)


def _exchanged(term: Term, *arguments: Any) -> tuple[Tree, Data]:
    """The cotangents of label and prediction exchanged: the slip in print of the quadratic loss."""
    pulled, x = put(term, *arguments)
    return map_leaves(lambda leaf: -leaf, pulled), x


def _label_dropped(term: Term, *arguments: Any) -> tuple[Tree, Data]:
    """The label cotangent replaced by zero, as if there were a discard."""

    def zero(leaf: ExactArray) -> ExactArray:
        return leaf * 0

    pulled, x = put(term, *arguments)
    return pulled.with_entries(label=zero(pulled.label)), x


PUT_LAWS: tuple[Law[Put], ...] = (
    Law(
        "learner-put-is-the-gradient",
        "the put of a closed learner is -rate times the gradient of the loss in data, parameters and label",
        "arXiv:2103.01931, Figure 5; central differences of a quadratic are its gradient",
        Grade.EXACT,
        put,
        put_of_a_learner_is_the_gradient_in_every_wire,
        {"components of the loss exchanged": _exchanged, "label cotangent dropped": _label_dropped},
    ),
    Law(
        "learner-is-a-composite",
        "a closed learner is (eta_B x (eta_A ; model)) ; loss ; cap",
        "arXiv:2103.01931, Figure 5",
        Grade.EXACT,
        put,
        a_learner_is_the_composite_of_its_parts,
        {"components of the loss exchanged": _exchanged, "label cotangent dropped": _label_dropped},
    ),
)
DREAM_LAWS: tuple[Law[DreamStep], ...] = (
    Law(
        "dream-follows-the-exact-gradient",
        "a' = U*(s, a, -rate grad) with grad the central differences in the data at U(s, a); the parameters stay",
        "arXiv:2103.01931, section 4.2; central differences of a quadratic are its gradient",
        Grade.EXACT,
        dream_step,
        dreaming_follows_the_exact_gradient,
        {
            "stored data instead of the look-ahead": _at_the_stored_data,
            "update on the parameter wires": _parameters_moved,
            "label cotangent kept": _label_cotangent_kept,
        },
    ),
    Law(
        "dream-with-the-dot-loss",
        "a + alpha pi1 R[f](p, a, bt): the label is the covector, and the prediction does not matter",
        "arXiv:2103.01931, equation 4.5",
        Grade.EXACT,
        dream_step,
        dreaming_with_the_dot_loss,
        {"squared loss": _squared_loss_instead, "descent for ascent": _descent_for_ascent},
    ),
)
LAWS = (*PUT_LAWS, *DREAM_LAWS)
