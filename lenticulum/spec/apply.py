"""Applying a term to data, exactly: the plumbing, the same for every kind."""

from typing import Any

from lenticulum.spec.containers import rewritten
from lenticulum.spec.data import Data, add, both
from lenticulum.spec.keys import Key, part_key
from lenticulum.spec.meaning import SPECIAL, fields_for, keywords, meaning_of
from lenticulum.spec.parts import apply_container
from lenticulum.spec.reparametrise import original
from lenticulum.spec.structural import rearrange
from lenticulum.terms import (
    Add,
    Compose,
    Container,
    Copy,
    Identity,
    Input,
    Learner,
    LearningRate,
    Mode,
    Rearrangement,
    Reparametrise,
    ShapeError,
    Sink,
    Swap,
    Tensor,
    Term,
    Tree,
    as_wire,
)
from lenticulum.terms.exact import instance_of


def apply(term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None) -> tuple[Data, Tree]:
    """Return (y, state'): the value of the term at x, and the state after it.

    Composition threads the state in order; each part sees its own sub-state and a key derived from its name.

    Args:
        term: what to compute.
        x: an exact array of shape (..., features), or nested pairs of them.
        parameters: the tree named by `term.parameter_shapes()`.
        state: the tree named by `term.state_shapes()`.
        mode: train or eval; it cannot be left out.
        key: a pair of 32-bit words, or None where nothing is drawn.
    Raises:
        TypeError: for a mode that is not a Mode, a term without a meaning, missing parameters.
        ShapeError: if the data do not fit the term.
    Laws: functoriality, frame, evaluation preserves state.
    """
    instance_of(mode, "mode", (Mode,), "Mode.TRAIN or Mode.EVAL")
    check_names(term, parameters, state)
    term.target(space_of(x))
    return _apply(term, x, parameters, state, mode, key)


def _apply(term: Term, x: Any, parameters: Tree, state: Tree, mode: Mode, key: Key | None) -> tuple[Any, Tree]:
    kind = type(term)
    if kind is Identity:
        return x, state
    if kind is Copy:
        return (x, x), state
    if kind is Add:
        return add(*both(x, "Add")), state
    if kind is Swap:
        left, right = both(x, "Swap")
        return (right, left), state
    if kind is LearningRate or kind is Sink:
        check_features(term, x)
        return (), state
    if isinstance(term, Rearrangement):
        check_features(term, x)
        return rearrange(term, x), state
    if kind is Input:
        check_features(term, x)
        return as_wire(parameters.value), state
    if isinstance(term, Learner):
        # get is the unique map to the unit; the model is evaluated for its state.
        check_features(term, x)
        return (), _apply(term.model, as_wire(parameters.data), parameters.parameters, state, mode, key)[1]
    if isinstance(term, Compose):
        states: dict[str, Tree] = {}
        for name, part in zip(term.names, term.parts, strict=True):
            x, states[name] = _apply(part, x, parameters[name], state[name], mode, part_key(key, name))
        return x, Tree(states)
    if isinstance(term, Tensor):
        one, other = both(x, "Tensor")
        left, left_state = _apply(term.left, one, parameters.left, state.left, mode, part_key(key, "left"))
        right, right_state = _apply(term.right, other, parameters.right, state.right, mode, part_key(key, "right"))
        return (left, right), Tree(left=left_state, right=right_state)
    if isinstance(term, Reparametrise):
        inner = original(term.by, term.term.parameter_shapes(), parameters, state)
        y, new_state = _apply(term.term, x, inner.parameters, inner.state, mode, key)
        return y, inner.rewrap(new_state)
    if isinstance(term, Container):
        return apply_container(_apply, rewritten(term), x, parameters, state, mode, key)
    return apply_primitive(term, x, parameters, state, mode, key)


def apply_primitive(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """Return (y, state') for a kind with a meaning of its own."""
    function = meaning_of(term)
    check_features(term, x)
    special = dict(zip(SPECIAL, (state, mode, key), strict=True))
    asked = {name: special[name] for name in keywords(function) if name in special}
    result = function(parameters, x, **fields_for(function, term), **asked)
    return result if asked else (result, state)


def check_features(term: Term, x: Data) -> None:
    """Refuse data whose last axis is not what the description expects, naming both."""
    try:
        term.target(space_of(x))
    except ShapeError as error:
        raise ShapeError(type(term).__name__, error.expected, error.got) from None


def space_of(x: Data) -> Any:
    """Return the space that data lie in: the last axis, "scalar" for one number, a tuple for a tuple."""
    if isinstance(x, tuple):
        return tuple(space_of(part) for part in x)
    return x.shape[-1] if x.shape else "scalar"


def check_names(term: Term, parameters: Tree, state: Tree) -> None:
    """Refuse trees whose names are not those of the description, before any arithmetic."""
    for what, expected, got in (
        ("parameters", term.parameter_shapes(), parameters),
        ("state", term.state_shapes(), state),
    ):
        if expected.paths() != got.paths():
            want, have = (", ".join(".".join(path) for path in tree.paths()) or "none" for tree in (expected, got))
            raise TypeError(f"{type(term).__name__}: expected {what} {want}; got {have}")
