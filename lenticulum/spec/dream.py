"""One step of deep dreaming, exactly: the update sits on the input wires (arXiv:2103.01931, equation 4.5)."""

from dataclasses import dataclass

from lenticulum.numbers import ExactArray
from lenticulum.spec.apply import apply
from lenticulum.spec.data import Data, array
from lenticulum.spec.keys import Key
from lenticulum.spec.optimizers.update import update_next, update_point
from lenticulum.spec.put import nothing, put
from lenticulum.terms import DeepDreamStep, Mode, Tree, as_tree, as_wire


@dataclass(frozen=True)
class DreamResult:
    """What one step returns: the loss before it, the next data, the parameters as they were, and the next state."""

    loss: ExactArray
    data: Data
    parameters: Tree
    state: Tree


def dream_step(
    step: DeepDreamStep, data: Data, label: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> DreamResult:
    """Return U*(s, a, a'), the next state and data, for a closed learner whose parameters stay as they are.

    abar = U(s, a); (a', p', bt') = the put of the learner at (abar, p, bt); p' and bt' are dropped by projecting the
    result. Values that determine the result: data, label, parameters, state (of model and update), mode, key. Pure.
    Laws: the step against exact central differences; with the dot loss it does not depend on the prediction.
    """
    learner = step.learner
    wires = Tree(data=as_tree(data))
    point = update_point(step.update, state.update, wires)
    prediction, model_state = apply(learner.model, as_wire(point.data), parameters, state.model, mode, key)
    loss, _ = apply(learner.loss, (label, prediction), *nothing(learner.loss), mode, None)
    closed = Tree(data=point.data, parameters=parameters, label=as_tree(label))
    pulled, _ = put(learner, (), closed, state.model, mode, key, ())
    update_state, moved = update_next(step.update, state.update, wires, Tree(data=pulled.data))
    after = Tree(model=model_state, update=update_state)
    return DreamResult(array(loss, "DeepDreamStep"), as_wire(moved.data), parameters, after)
