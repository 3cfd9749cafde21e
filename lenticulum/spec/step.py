"""One supervised learning step, exactly: model, loss, cap and update closed (arXiv:2103.01931, Figure 5)."""

from dataclasses import dataclass

from lenticulum.numbers import ExactArray
from lenticulum.spec.apply import apply
from lenticulum.spec.caps import loss_cotangent
from lenticulum.spec.data import Data, array, both
from lenticulum.spec.keys import Key
from lenticulum.spec.optimizers.update import update_next, update_point
from lenticulum.spec.put import put
from lenticulum.terms import Mode, SupervisedStep, Tree


@dataclass(frozen=True)
class StepResult:
    """What one step returns: the loss before it, and the parameters and the state after it."""

    loss: ExactArray
    parameters: Tree
    state: Tree


def train_step(
    step: SupervisedStep, data: Data, label: Data, parameters: Tree, state: Tree, key: Key | None
) -> StepResult:
    """Return U*(s, p, p'), the next state and parameters.

    pbar = U(s, p); b = f(pbar, a); (bt', b') = R[loss](bt, b, alpha(loss)); (p', a') = R[f](pbar, a, b').
    The model is evaluated in train mode, once; a' and bt' are dropped by projecting the result. Evaluating at p instead
    of pbar is the classical mistake, visible only for an update with a look-ahead.
    Values that determine the result: data, label, parameters, state (of model and update), key. Pure.
    """
    point = update_point(step.update, state.update, parameters)
    prediction, model_state = apply(step.model, data, point, state.model, Mode.TRAIN, key)
    value, _ = apply(step.loss, (label, prediction), Tree(), Tree(), Mode.TRAIN, None)
    alpha = loss_cotangent(step.cap, value)
    _, labelled = put(step.loss, (label, prediction), Tree(), Tree(), Mode.TRAIN, None, alpha)
    _, prediction_cotangent = both(labelled, "SupervisedStep")
    cotangent, _ = put(step.model, data, point, state.model, Mode.TRAIN, key, prediction_cotangent)
    update_state, moved = update_next(step.update, state.update, parameters, cotangent)
    return StepResult(array(value, "SupervisedStep"), moved, Tree(model=model_state, update=update_state))
