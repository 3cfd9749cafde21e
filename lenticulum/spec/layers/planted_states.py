"""Planted mistakes about state: wrong twins of `apply` that thread the state of a composite in a wrong way."""

from __future__ import annotations

from lenticulum.spec.apply import apply
from lenticulum.spec.data import Data
from lenticulum.spec.keys import Key, call_key
from lenticulum.spec.parts import nth, stacked
from lenticulum.terms import Compose, Mode, Repeat, Stack, Term, Tree


def sub_states_exchanged(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """Two parts of a chain see each other's state."""
    if not isinstance(term, Compose) or len(term.parts) != 2:
        return apply(term, x, parameters, state, mode, key)
    y, after = apply(term, x, parameters, _exchanged(state), mode, key)
    return y, _exchanged(after)


def state_not_threaded(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """Every iteration reads the state before the first one; that of the last is returned."""
    if not isinstance(term, Repeat):
        return apply(term, x, parameters, state, mode, key)
    after = state
    for n in range(term.count):
        x, after = apply(term.term, x, parameters, state, mode, call_key(key, n))
    return x, after


def one_state_for_all_copies(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """The copies of a stack thread one state, that of the first, as iterations do."""
    if not isinstance(term, Stack):
        return apply(term, x, parameters, state, mode, key)
    shared, after = nth(state, 0), list[Tree]()
    for n in range(term.count):
        x, shared = apply(term.term, x, nth(parameters, n), shared, mode, call_key(key, n))
        after.append(shared)
    return x, stacked(after)


def states_in_reverse(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """The first copy of a stack sees the state of the last."""
    if not isinstance(term, Stack):
        return apply(term, x, parameters, state, mode, key)
    y, after = apply(term, x, parameters, _reversed(state, term.count), mode, key)
    return y, _reversed(after, term.count)


def one_key_for_all_calls(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """Every iteration draws the mask of the first."""
    if not isinstance(term, Repeat):
        return apply(term, x, parameters, state, mode, key)
    for _ in range(term.count):
        x, state = apply(term.term, x, parameters, state, mode, key)
    return x, state


def state_of_the_last_part_only(
    term: Term, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """A chain keeps only what its last part has written."""
    y, after = apply(term, x, parameters, state, mode, key)
    if not isinstance(term, Compose):
        return y, after
    return y, after.with_entries(**{name: state[name] for name in term.names[:-1]})


def _exchanged(state: Tree) -> Tree:
    one, other = state
    return Tree({one: state[other], other: state[one]})


def _reversed(state: Tree, count: int) -> Tree:
    return stacked([nth(state, n) for n in reversed(range(count))])
