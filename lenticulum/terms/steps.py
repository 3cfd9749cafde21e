"""The supervised step: model, loss, cap and update closed into one learning step (arXiv:2103.01931, Figure 5)."""

from lenticulum.terms.losses import LearningRate
from lenticulum.terms.optimizers import Update
from lenticulum.terms.spaces import SCALAR, UNIT, Space, pair, unify
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import value


@value
class SupervisedStep(Term):
    """(input, label) -> (), with put = the next state and parameters.

    pbar = U(s, p); b = f(pbar, a); (bt', b') = R[loss](bt, b, alpha(loss)); (p', a') = R[f](pbar, a, b');
    next = U*(s, p, p').
    """

    model: Term
    loss: Term
    cap: LearningRate
    update: Update

    def __post_init__(self) -> None:
        """Refuse a loss with parameters and parts that do not fit."""
        if self.loss.parameter_shapes().leaves():
            raise ValueError(f"SupervisedStep: the loss {self.loss!r} has parameters; learn them in the model")
        self.target((None, None))

    def parameter_shapes(self) -> Tree:
        """Return the parameters of the model: the wrapper is transparent."""
        return self.model.parameter_shapes()

    def state_shapes(self) -> Tree:
        """Return the states of the model and of the update."""
        return Tree(model=self.model.state_shapes(), update=self.update.state_shapes(self.model.parameter_shapes()))

    def target(self, source: Space) -> Space:
        """Return the unit; the source is (input, label)."""
        data, label = pair(source, "SupervisedStep")
        unify(SCALAR, self.loss.target((label, self.model.target(data))), "SupervisedStep")
        return UNIT
