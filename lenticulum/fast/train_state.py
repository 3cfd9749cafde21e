"""The state of a training run: everything that the next step depends on, in one tree."""

from functools import reduce
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, UInt32

from lenticulum.fast.apply import Wire
from lenticulum.fast.initial import setup
from lenticulum.fast.keys import Key, key_at
from lenticulum.fast.pytree import register_node
from lenticulum.fast.step import train_step
from lenticulum.terms.optimizers import Update
from lenticulum.terms.steps import SupervisedStep
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree


class TrainState:
    """What a run is at one moment: a learner, parameters, the states of model and update, a key, and a count of steps.

    Step n draws from fold_in(key, n), so a run that goes on from a saved state goes on as it would have. A pytree: the
    learner is the static part, by identity; the rest are leaves. Immutable.
    Source: `TrainState` of Lux.jl, without its hidden caches.
    """

    __slots__ = ("key", "learner", "parameters", "state", "step")
    learner: SupervisedStep
    parameters: Tree
    state: Tree
    key: Key
    step: UInt32[Array, ""]

    def __init__(self, learner: SupervisedStep, parameters: Tree, state: Tree, key: Key, step: Any) -> None:
        for name, given in (("learner", learner), ("parameters", parameters), ("state", state), ("key", key)):
            object.__setattr__(self, name, given)
        object.__setattr__(self, "step", step)

    def __setattr__(self, name: str, given: object) -> None:
        raise AttributeError(f"a TrainState is immutable: cannot set {name!r}; advance returns the next one")

    @property
    def model(self) -> Term:
        """The model of the learner."""
        return self.learner.model

    @property
    def update(self) -> Update:
        """The optimizer of the learner."""
        return self.learner.update

    @property
    def model_state(self) -> Tree:
        """The state of the model."""
        return self.state.model

    @property
    def update_state(self) -> Tree:
        """The state of the optimizer."""
        return self.state.update


register_node(TrainState, children=("parameters", "state", "key", "step"))


class Advanced(NamedTuple):
    """The next state of a run, and the loss before the step."""

    state: TrainState
    loss: Float[Array, ""]


def start_training(key: Key, learner: SupervisedStep) -> TrainState:
    """Return the state of a run before its first step.

    Parameters and states are those of setup(k("start"), learner), and steps draw from k("steps"), where
    k(name) = fold_in(key, salt(name)).

    >>> from lenticulum.terms import Bias, GradientDescent, LearningRate, SquaredLoss
    >>> learner = SupervisedStep(Bias(1), SquaredLoss(), LearningRate("1/2"), GradientDescent())
    >>> int(start_training(jax.random.key(0), learner).step)
    0
    """
    parameters, state = setup(key_at(key, ("start",)), learner)
    return TrainState(learner, parameters, state, key_at(key, ("steps",)), jnp.zeros((), jnp.uint32))


def advance(state: TrainState, data: Wire, label: Any) -> Advanced:
    """Take one step from one batch.

    (learner, p, s, key, n) -> (learner, p', s', key, n + 1), where (p', s') is the step at fold_in(key, n).

    Pure: under jax.jit it is one program for each learner. `advance_in_place` is that program, and overwrites the run.
    Returns: Advanced(state, loss). Raises: as `train_step`.
    Laws: n steps = fold; going on from a saved state gives the same bits.

    >>> from lenticulum.terms import Bias, GradientDescent, LearningRate, SquaredLoss
    >>> learner = SupervisedStep(Bias(1), SquaredLoss(), LearningRate("1/2"), GradientDescent())
    >>> run = start_training(jax.random.key(0), learner)
    >>> run, loss = advance(run, jnp.array([1.0]), jnp.array([3.0]))
    >>> float(loss), float(run.parameters.bias[0]), int(run.step)
    (2.0, 1.0, 1)
    """
    key = jax.random.fold_in(state.key, state.step)
    loss, parameters, after = train_step(state.learner, data, label, state.parameters, state.state, key)
    return Advanced(TrainState(state.learner, parameters, after, state.key, state.step + 1), loss)


def advance_all(state: TrainState, batches: list[tuple[Wire, Any]]) -> TrainState:
    """Take one step from each batch: n steps = fold.

    >>> from lenticulum.terms import Bias, GradientDescent, LearningRate, SquaredLoss
    >>> learner = SupervisedStep(Bias(1), SquaredLoss(), LearningRate("1/2"), GradientDescent())
    >>> batch = jnp.array([1.0]), jnp.array([3.0])
    >>> int(advance_all(start_training(jax.random.key(0), learner), [batch, batch]).step)
    2
    """
    return reduce(lambda run, batch: advance(run, *batch).state, batches, state)
