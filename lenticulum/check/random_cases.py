"""Random cases: a term of any kind outermost, with everything that determines its value and its reverse derivative."""

from dataclasses import dataclass
from math import prod
from typing import Any

from lenticulum.check import random_data
from lenticulum.check.random_data import Arrays
from lenticulum.check.random_terms import SIZES, Sizes, TermGenerator, subterms, width
from lenticulum.spec.draw import Draw
from lenticulum.terms import (
    UNIT,
    Adagrad,
    Adam,
    BatchNorm,
    Bias,
    Compose,
    CrossEntropyLoss,
    DeepDreamStep,
    DotLoss,
    GradientDescent,
    Identity,
    Learner,
    LearningRate,
    Mode,
    Momentum,
    Nesterov,
    Space,
    SquaredLoss,
    SupervisedStep,
    Tensor,
    Term,
    Tree,
    Update,
    children,
)

UPDATES: tuple[type[Update], ...] = (GradientDescent, Momentum, Nesterov, Adagrad, Adam)
LOSSES: tuple[type[Term], ...] = (SquaredLoss, CrossEntropyLoss, DotLoss)
#: What may stand outermost; a plain model in half of the cases.
OUTERMOST: tuple[type[Term] | type[Update], ...] = (
    *[Compose] * 12,
    *[*LOSSES, LearningRate, Learner, DeepDreamStep] * 2,
    *[SupervisedStep] * 3,
    *UPDATES,
)


@dataclass(frozen=True)
class Case:
    """A term and the values at which it is evaluated: float32 arrays, unsigned integers, a mode and the words of a key.

    `outermost`: Compose for a plain model, or the kind of the loss, cap, step or optimizer that it ends in. With an
    optimizer, `update` acts on the cotangent that the model's parameters get; `update_state` is its state.
    """

    outermost: type[Term] | type[Update]
    term: Term
    x: Arrays
    parameters: Tree
    state: Tree
    mode: Mode
    key: Any
    cotangent: Arrays
    update: Update | None
    update_state: Tree


def case(draw: Draw, sizes: Sizes = SIZES) -> Case:
    """A random case, at most `sizes.nesting` deep; what it may have in common with all others is observed."""
    outermost = draw.choice(OUTERMOST)
    leading, features = draw.choice(sizes.palette)
    generator = TermGenerator(
        draw, features, ("population", "reject") if prod(leading) > 1 else ("population",), leading
    )
    term, source = ending_in(generator, outermost, sizes.nesting)
    mode = Mode.TRAIN if outermost is SupervisedStep else draw.choice((Mode.TRAIN, Mode.TRAIN, Mode.EVAL))
    rejects = any(isinstance(part, BatchNorm) and part.before_first_step == "reject" for part in subterms(term))
    update = generator.update(outermost) if issubclass(outermost, Update) else None
    shapes = term.parameter_shapes()
    drawn = Case(
        outermost=outermost,
        term=term,
        x=random_data.data(draw, source, leading),
        parameters=random_data.parameters(draw, shapes),
        state=random_data.state(draw, term.state_shapes(), least_count=int(rejects and mode is Mode.EVAL)),
        mode=mode,
        key=(draw.bits(32), draw.bits(32)),
        cotangent=random_data.data(draw, term.target(source), leading),
        update=update,
        update_state=random_data.state(draw, update.state_shapes(shapes)) if update else Tree(),
    )
    observe(draw, drawn)
    return drawn


def ending_in(generator: TermGenerator, outermost: type[Term] | type[Update], nesting: int) -> tuple[Term, Space]:
    """A term that ends in the kind asked for, nested at most `nesting` deep, and its source."""
    draw = generator.draw
    if outermost is Compose:
        source = generator.source()
        return generator.model(source, draw.integer(draw.choice((1, 3)), nesting)), source
    features = draw.choice(generator.features)
    model = generator.model(features, draw.integer(draw.choice((1, 3)), nesting - 2), closed=True)
    label = width(model.target(features))
    if issubclass(outermost, Update):
        return with_parameters(model, label), features
    kind = outermost if outermost in LOSSES else draw.choice(LOSSES)
    loss = generator.loss(kind)
    if outermost is SupervisedStep:
        update = generator.update(draw.choice(UPDATES))
        return SupervisedStep(with_parameters(model, label), loss, generator.cap(), update), (features, label)
    if outermost in (Learner, DeepDreamStep):
        learner = Learner(
            model, loss, draw.choice((generator.cap(), generator.sink())), features, generator.batch or ()
        )
        if outermost is Learner:
            return learner, UNIT
        return DeepDreamStep(learner, generator.update(draw.choice(UPDATES))), (features, label)
    end = (loss, generator.cap()) if outermost is LearningRate else (loss,)
    return Compose((Tensor(Identity(), model), *end)), (label, features)


def with_parameters(model: Term, target: int) -> Term:
    """The model, with a bias at the end if it has nothing to learn."""
    return model if model.parameter_shapes().leaves() else Compose((model, Bias(target)))


def observe(draw: Draw, case: Case) -> None:
    """Note what this case may have in common with all others of a run; what all share is not covered."""
    # The shapes of the layers: a leading axis of copies says nothing about them.
    layers = [part.parameter_shapes() for part in subterms(case.term) if not children(part)]
    shapes = [shape for tree in layers for shape in tree.leaves()] + [x.shape for x in random_data.flat(case.x)]
    matrices = [shape for shape in shapes if len(shape) > 1]
    draw.observe("all shapes square", all(len(set(shape)) == 1 for shape in matrices))
    draw.observe("one element in the batch", all(prod(shape[:-1]) == 1 for shape in matrices))
    draw.observe("evaluation only", case.mode is Mode.EVAL)
    draw.observe("training only", case.mode is Mode.TRAIN)
    draw.observe("no parameters", not case.parameters.leaves())
    draw.observe("no state", not case.state.leaves())
