"""Closed learners: model, loss and cap with no wire left open, and what turns an input wire into a parameter."""

from typing import Any

from lenticulum.terms.exact import count, instance_of
from lenticulum.terms.optimizers import Update
from lenticulum.terms.sinks import require_closed
from lenticulum.terms.spaces import UNIT, ShapeError, Space, describe, known, pair, unify
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import value
from lenticulum.terms.wires import wire_shapes


@value
class Input(Term):
    """eta : (1, 1) -> (A, A') with parameter A. get gives the parameter, put gives the cotangent to it.

    The parameter `value` is an array with the axes of the batch before its features; of a product it is a tree.

    >>> Input(3, (2,)).parameter_shapes()
    Tree(value=(2, 3))
    """

    space: Space
    batch: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a space of unknown shape."""
        require_known(self.space, self.batch, "Input")

    def parameter_shapes(self) -> Tree:
        """Return the shape of the wire."""
        return Tree(value=wire_shapes(self.space, self.batch))

    def target(self, source: Space) -> Space:
        """Return the space of the wire; the source is the unit."""
        unify(UNIT, source, "Input")
        return self.space


@value
class Learner(Term):
    """model ; loss ; cap, closed: a lens (A x P x B, A' x P' x B') -> (1, 1), whose parameters are all its wires.

    get = the unique map to the unit; put = (a', p', bt') where b = f(p, a); (bt', b') = R[loss](bt, b, alpha(loss));
    (p', a') = R[f](p, a, b'). The parameters are Tree(data=a, parameters=p, label=bt), in this order.
    Source: arXiv:2103.01931, Figure 5.

    >>> from lenticulum.terms import Dense, LearningRate, SquaredLoss
    >>> Learner(Dense(2, 1), SquaredLoss(), LearningRate("1/10"), 2).parameter_shapes()
    Tree(data=(2,), parameters=Tree(weight=(1, 2), bias=(1,)), label=(1,))
    """

    model: Term
    loss: Term
    cap: Term
    source: Space
    batch: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a loss or cap with parameters or state, a source of unknown shape, and parts that do not fit."""
        for name in ("model", "loss", "cap"):
            instance_of(getattr(self, name), name, (Term,), "a term")
        for part in (self.loss, self.cap):
            if part.parameter_shapes().leaves() or part.state_shapes().leaves():
                raise ValueError(f"Learner: {part!r} has parameters or state; put them in the model")
        require_known(self.source, self.batch, "Learner")
        loss = self.loss.target((self.label(), self.label()))
        require_closed(self.cap, loss)

    def label(self) -> Space:
        """Return the space B of labels and of predictions."""
        return self.model.target(self.source)

    def parameter_shapes(self) -> Tree:
        """Return the shapes of data, parameters and label."""
        data, label = (wire_shapes(space, self.batch) for space in (self.source, self.label()))
        return Tree(data=data, parameters=self.model.parameter_shapes(), label=label)

    def state_shapes(self) -> Tree:
        """Return the state of the model: the wrapper is transparent."""
        return self.model.state_shapes()

    def target(self, source: Space) -> Space:
        """Return the unit; the source is the unit, since every wire is a parameter."""
        return unify(UNIT, source, "Learner")


@value
class DeepDreamStep(Term):
    """(data, label) -> (), with the update on the input wires of a closed learner; the parameters stay as they are.

    abar = U(s, a); b = f(p, abar); (bt', b') = R[loss](bt, b, alpha(loss)); (p', a') = R[f](p, abar, b');
    next = U*(s, a, a'). Source: arXiv:2103.01931, equation 4.5.

    >>> from lenticulum.terms import Dense, DotLoss, GradientDescent, LearningRate
    >>> ascent = LearningRate("-1/2")
    >>> step = DeepDreamStep(Learner(Dense(2, 2, use_bias=False), DotLoss(), ascent, 2), GradientDescent())
    >>> step.parameter_shapes(), step.target((2, 2))
    (Tree(weight=(2, 2)), ())
    """

    learner: Learner
    update: Update

    def __post_init__(self) -> None:
        """Refuse what is no learner and no update."""
        instance_of(self.learner, "learner", (Learner,), "a Learner")
        instance_of(self.update, "update", (Update,), "an update such as GradientDescent")

    def data_shapes(self) -> Tree:
        """Return the shapes of what is updated: Tree(data=...)."""
        return Tree(data=self.learner.parameter_shapes().data)

    def parameter_shapes(self) -> Tree:
        """Return the parameters of the model."""
        return self.learner.model.parameter_shapes()

    def state_shapes(self) -> Tree:
        """Return the states of the model and of the update, which remembers data."""
        return Tree(model=self.learner.state_shapes(), update=self.update.state_shapes(self.data_shapes()))

    def target(self, source: Space) -> Space:
        """Return the unit; the source is (data, label)."""
        data, label = pair(source, "DeepDreamStep")
        unify(self.learner.source, data, "DeepDreamStep: data")
        unify(self.learner.label(), label, "DeepDreamStep: label")
        return UNIT


def require_known(space: Space, batch: tuple[int, ...], part: str) -> None:
    """Refuse a space that does not fix the shape of its data, and a batch that is none.

    >>> require_known((3, "scalar"), (2,), "Input")
    """
    if not known(space):
        raise ShapeError(part, "a space of known shape", space)
    instance_of(batch, "batch", (tuple,), "the leading axes, such as (2,)")
    sizes: tuple[Any, ...] = batch
    for size in sizes:
        count(size, "batch")
    try:
        wire_shapes(space, batch)
    except ValueError:
        raise ShapeError(part, "a space of known shape", describe(space)) from None
