"""The supervised step: one update of the parameters from one batch."""

from typing import Any, NamedTuple

import jax
from jaxtyping import Array, Float

from lenticulum.fast.apply import Scope, Wire, apply, check, walk
from lenticulum.fast.keys import Key
from lenticulum.fast.losses.learning_rate import learning_rate
from lenticulum.fast.optimizers.update import update_by_gradient, update_point
from lenticulum.fast.shapes import require_tree
from lenticulum.terms.modes import Mode
from lenticulum.terms.steps import SupervisedStep
from lenticulum.terms.tree import Tree


class StepResult(NamedTuple):
    """The loss at the point of evaluation, the next parameters, and the next state (model and update)."""

    loss: Float[Array, ""]
    parameters: Tree
    state: Tree


def train_step(
    step: SupervisedStep, data: Wire, label: Any, parameters: Tree, state: Tree, key: Key | None
) -> StepResult:
    """Take one supervised step in training mode.

    pbar = U(s, p); b = f(pbar, data); (label', b') = R[loss](label, b, alpha(loss)); (p', data') = R[f](pbar, data,
    b'); next = U*(s, p, p'). The reverse pass through loss and model is one jax.vjp.

    Arguments: `data`, `label`: input and label of the model and the loss; `state`: Tree(model=..., update=...), as
    from setup.
    Returns: StepResult(loss, parameters, state). Raises: as `apply`; ValueError for a loss with state, MissingKey for
    a loss that draws.
    Laws: the step against exact central differences; n steps are a fold. Source: arXiv:2103.01931, Figure 5.

    >>> import jax.numpy as jnp
    >>> from lenticulum.terms import Dense, GradientDescent, LearningRate, SquaredLoss
    >>> step = SupervisedStep(Dense(1, 1, use_bias=False), SquaredLoss(), LearningRate("1/10"), GradientDescent())
    >>> parameters, state = Tree(weight=jnp.array([[1.0]])), Tree(model=Tree(), update=Tree())
    >>> result = train_step(step, jnp.array([2.0]), jnp.array([5.0]), parameters, state, None)
    >>> f"{result.loss:.1f} {result.parameters.weight[0, 0]:.1f}"
    '4.5 1.6'
    """
    if step.loss.state_shapes().leaves():
        raise ValueError(f"train_step: the loss {step.loss!r} has state; a loss is a function of label and prediction")
    require_tree(state, step.state_shapes(), "state")
    check(step.model, data, parameters, state.model, Mode.TRAIN)
    point = update_point(step.update, state.update, parameters)

    def objective(parameters: Tree) -> tuple[tuple[Array, list[Any]], tuple[list[Any], Tree]]:
        scope = Scope(Mode.TRAIN, key, [])
        prediction, model_state = walk(step.model, data, parameters, state.model, scope)
        # The trees of shapes of a loss have no leaves, so they are its data too. It gets no key: a loss does not draw.
        nothing = step.loss.parameter_shapes(), step.loss.state_shapes()
        loss, _ = apply(step.loss, (label, prediction), *nothing, Mode.TRAIN, None)
        return (loss, [wire for wire, _ in scope.caps]), ([seed for _, seed in scope.caps], model_state)

    (loss, _), pull, (seeds, model_state) = jax.vjp(objective, point, has_aux=True)
    # The update needs the gradient, the negated cotangent. The reverse pass is linear and negation is exact, so the
    # seeds are negated instead of every leaf: the program is then the one that is written by hand. Sinks inside the
    # model seed the reverse pass too.
    seed = learning_rate(loss, rate=step.cap.rate, kind=step.cap.kind)
    (gradient,) = pull(jax.tree.map(lambda each: -each, (seed, seeds)))
    update_state, parameters = update_by_gradient(step.update, state.update, parameters, gradient)
    return StepResult(loss, parameters, Tree(model=model_state, update=update_state))
