"""The deep-dreaming step: one update of the data, the parameters as they are."""

from typing import Any, NamedTuple

import jax
from jaxtyping import Array, Float

from lenticulum.fast.apply import Scope, Wire, check, walk
from lenticulum.fast.keys import Key
from lenticulum.fast.optimizers.update import update_next, update_point
from lenticulum.fast.shapes import require_tree
from lenticulum.terms.learners import DeepDreamStep
from lenticulum.terms.modes import Mode
from lenticulum.terms.tree import Tree
from lenticulum.terms.wires import as_tree, as_wire


class DreamResult(NamedTuple):
    """The loss at the point of evaluation, the next data, the parameters as they were, and the next state."""

    loss: Float[Array, ""]
    data: Wire
    parameters: Tree
    state: Tree


def dream_step(
    step: DeepDreamStep, data: Wire, label: Any, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> DreamResult:
    """Take one step of deep dreaming.

    abar = U(s, a); b = f(p, abar); (label', b') = R[loss](label, b, alpha(loss)); (p', a') = R[f](p, abar, b');
    next = U*(s, a, a'). The reverse pass is one jax.vjp in the data alone.

    Arguments: `data`, `label`: of the shapes of the learner; `state`: Tree(model=..., update=...); `mode`: how the
    model is evaluated, Mode.EVAL for a trained one.
    Returns: DreamResult(loss, data, parameters, state). Raises: as `apply`; ValueError for data of another shape.
    Laws: the step against exact central differences. Source: arXiv:2103.01931, equation 4.5.

    >>> import jax.numpy as jnp
    >>> from lenticulum.terms import Dense, DotLoss, GradientDescent, Learner, LearningRate
    >>> learner = Learner(Dense(2, 2, use_bias=False), DotLoss(), LearningRate("-1/2"), 2)
    >>> step = DeepDreamStep(learner, GradientDescent())
    >>> parameters = Tree(weight=jnp.array([[1.0, 2.0], [3.0, 4.0]]))
    >>> state = Tree(model=Tree(), update=Tree())
    >>> dreamt = dream_step(step, jnp.ones(2), jnp.array([0.0, 1.0]), parameters, state, Mode.EVAL, None)
    >>> dreamt.data.tolist()
    [2.5, 3.0]
    """
    learner = step.learner
    wires = Tree(data=as_tree(data))
    given, expected = Tree(data=wires.data, label=as_tree(label)), learner.parameter_shapes()
    require_tree(given, Tree(data=expected.data, label=expected.label), "data and label")
    require_tree(state, step.state_shapes(), "state")
    point = update_point(step.update, state.update, wires)
    check(learner.model, as_wire(point.data), parameters, state.model, mode)

    def objective(moving: Tree) -> tuple[list[Wire], tuple[list[Wire], Tree]]:
        scope = Scope(mode, key, [])
        closed = Tree(data=moving.data, parameters=parameters, label=given.label)
        _, model_state = walk(learner, (), closed, state.model, scope)
        return [loss for loss, _ in scope.caps], ([seed for _, seed in scope.caps], model_state)

    losses, pull, (seeds, model_state) = jax.vjp(objective, point, has_aux=True)
    (cotangent,) = pull(seeds)
    update_state, moved = update_next(step.update, state.update, wires, cotangent)
    after = Tree(model=model_state, update=update_state)
    return DreamResult(losses[-1], as_wire(moved.data), parameters, after)
