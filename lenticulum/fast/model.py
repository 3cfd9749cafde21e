"""The bound model: a term with its parameters, callable, and a pytree that Equinox's transforms take."""

from typing import Any

import equinox as eqx

from lenticulum.fast.apply import Wire, apply
from lenticulum.fast.keys import Key
from lenticulum.fast.meaning import MEANINGS
from lenticulum.fast.shapes import require_tree
from lenticulum.terms.container import children
from lenticulum.terms.modes import Mode
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree


class Model(eqx.Module):
    """A term bound to its parameters: model(x, state, mode, key) -> (y, state), and model(x) -> y for a plain term.

    The term is static and the parameters are the leaves, in order of construction. A term is plain if nothing in it has
    state or modes; a term with either refuses model(x), because a mode cannot be left out.

    Raises: ValueError for parameters that are not those of the term; TypeError for a call that leaves out what it
    needs.

    >>> import jax.numpy as jnp
    >>> from lenticulum.terms import Dense, Dropout
    >>> model = Model(Dense(1, 1), Tree(weight=jnp.array([[2.0]]), bias=jnp.array([0.5])))
    >>> float(model(jnp.array([3.0]))[0])
    6.5
    >>> Model(Dropout(), Tree())(jnp.array([3.0]))
    Traceback (most recent call last):
    TypeError: Model(x): this term has modes, so call model(x, state, mode, key)
    """

    term: Term = eqx.field(static=True)
    parameters: Tree

    def __check_init__(self) -> None:
        require_tree(self.parameters, self.term.parameter_shapes(), "parameters")

    def __call__(self, x: Wire, state: Tree | None = None, mode: Mode | None = None, key: Key | None = None) -> Any:
        """Return the output and the new state; the output alone for model(x)."""
        if state is None and mode is None and key is None:
            return self._plain(x)
        if state is None or mode is None:
            missing = "state" if state is None else "mode"
            raise TypeError(f"Model: {missing} is missing, so call model(x, state, mode, key)")
        return apply(self.term, x, self.parameters, state, mode, key)

    def _plain(self, x: Wire) -> Wire:
        has = [name for name, found in (("state", has_state(self.term)), ("modes", has_modes(self.term))) if found]
        if has:
            raise TypeError(f"Model(x): this term has {' and '.join(has)}, so call model(x, state, mode, key)")
        y, _ = apply(self.term, x, self.parameters, self.term.state_shapes(), Mode.EVAL, None)
        return y


def has_state(term: Term) -> bool:
    """Return whether a term has state.

    >>> from lenticulum.terms import BatchNorm, Dropout
    >>> has_state(BatchNorm(2)), has_state(Dropout())
    (True, False)
    """
    return bool(term.state_shapes().leaves())


def has_modes(term: Term) -> bool:
    """Return whether any part of a term behaves differently in training and in evaluation.

    >>> from lenticulum.terms import Dense, Dropout
    >>> has_modes(Dense(1, 1) >> Dropout()), has_modes(Dense(1, 1))
    (True, False)
    """
    if any(map(has_modes, children(term))):
        return True
    return type(term) in MEANINGS and "mode" in MEANINGS[type(term)].context
