"""Models for notebooks: what is written is in the name and the type, and nothing is written inside a trace."""

from typing import Any, TypeVar

import jax
import jax.numpy as jnp
from jax.core import Tracer

from lenticulum.fast.apply import Wire, apply
from lenticulum.fast.keys import Key
from lenticulum.fast.shapes import require_tree
from lenticulum.terms.modes import Mode
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree

Held = TypeVar("Held", bound="HeldModel")


class HeldModel:
    """A term with its parameters, its state and a key: `train()` and `eval()` give new holders of the same values.

    No pytree: it cannot be an argument of a transformed function. Inside one, apply the term itself.
    """

    __slots__ = ("__weakref__", "_calls", "_key", "_parameters", "_state", "_term")

    def __init__(self, term: Term, parameters: Tree, state: Tree, key: Key | None = None, *, calls: int = 0) -> None:
        require_tree(parameters, term.parameter_shapes(), "parameters")
        require_tree(state, term.state_shapes(), "state")
        _outside_a_trace(parameters, state, key)
        self._term, self._parameters, self._state, self._key, self._calls = term, parameters, state, key, calls

    @property
    def term(self) -> Term:
        """The description."""
        return self._term

    @property
    def parameters(self) -> Tree:
        """The parameters; no call writes them."""
        return self._parameters

    @property
    def state(self) -> Tree:
        """The state now."""
        return self._state

    def train(self) -> "TrainingModel":
        """Return a new holder in training mode, whose calls write its own state."""
        return TrainingModel(self._term, self._parameters, self._state, self._key, calls=self._calls)

    def eval(self) -> "EvaluationModel":
        """Return a new holder in evaluation mode, which nothing writes."""
        return EvaluationModel(self._term, self._parameters, self._state, self._key, calls=self._calls)

    def with_parameters(self: Held, parameters: Tree) -> Held:
        """Return a new holder of the same kind with other parameters."""
        return type(self)(self._term, parameters, self._state, self._key, calls=self._calls)


class Effectful(HeldModel):
    """The type of a holder with calls that write it: they are called `advance`, and it has no `__call__`."""

    __slots__ = ()


class EvaluationModel(HeldModel):
    """A model in evaluation mode: model(x) is a function of x.

    >>> from lenticulum.terms import BatchNorm
    >>> from lenticulum.fast.initial import setup
    >>> model = EvaluationModel(BatchNorm(1, epsilon=1), *setup(jax.random.key(0), BatchNorm(1, epsilon=1)))
    >>> x = jnp.array([[1.0], [3.0]])
    >>> before = model(x)
    >>> training = model.train()
    >>> _ = training.advance(x)
    >>> bool((model(x) == before).all()), bool((training.eval()(x) == before).all())
    (True, False)
    """

    __slots__ = ()

    def __call__(self, x: Wire) -> Wire:
        """Return the output; nothing is written.

        Raises: RuntimeError inside a traced function; otherwise as `apply`.
        """
        _outside_a_trace(x, self._parameters)
        return apply(self._term, x, self._parameters, self._state, Mode.EVAL, None)[0]


class TrainingModel(Effectful):
    """A model in training mode: `advance(x)` writes the held state, and draws from another key in every call."""

    __slots__ = ()

    def advance(self, x: Wire) -> Wire:
        """Return the output, and replace the held state by the next one.

        The n-th call draws from fold_in(key, n). The type of the state is fixed: a state of other names, shapes or
        formats is refused, and the old one stays.

        Raises: RuntimeError inside a traced function, where the write would happen once and not in every run;
        TypeError for a state of another type; otherwise as `apply`.
        """
        _outside_a_trace(x, self._parameters)
        key = None if self._key is None else jax.random.fold_in(self._key, self._calls)
        y, state = apply(self._term, x, self._parameters, self._state, Mode.TRAIN, key)
        declared, got = _type_of(self._state), _type_of(state)
        if declared != got:
            raise TypeError(f"advance: the state is declared {declared}, {type(self._term).__name__} returned {got}")
        self._state, self._calls = state, self._calls + 1
        return y


def _type_of(state: Tree) -> str:
    leaves = zip(state.paths(), state.leaves(), strict=True)
    types = [f"{'.'.join(path)} {jnp.result_type(leaf)}{list(jnp.shape(leaf))}" for path, leaf in leaves]
    return ", ".join(types) or "empty"


def _outside_a_trace(*values: Any) -> None:
    # Inside jit every new array is traced; inside grad and vmap alone only what depends on their arguments is.
    if any(isinstance(leaf, Tracer) for leaf in (jnp.zeros(()), *jax.tree.leaves(values))):
        raise RuntimeError(
            "a held model is used inside a traced function (jit, grad, vmap or scan), where its state can be neither "
            "seen nor written; apply the term: y, state = fast.apply(term, x, parameters, state, mode, key)"
        )
