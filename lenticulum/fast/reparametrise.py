"""Reparametrisation: rebuild the parameters of the inner term, in their original order, from the new ones."""

from collections.abc import Callable
from typing import Any

from jax import lax

from lenticulum.fast.meaning import exact_row
from lenticulum.terms.reparametrisations import Freeze, ParameterMap, Tie, split
from lenticulum.terms.tree import Path, Tree


def original_parameters(by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> tuple[Tree, Tree]:
    """Return r(q), the full parameters of the inner term, and the state of the inner term.

    Arguments: `by`: the map r; `shapes`: the parameter shapes of the inner term; `parameters`: q; `state`: of the
    whole.
    Raises: TypeError for a map without a row of its own.
    """
    return exact_row(_ORIGINAL, type(by), "parameter map")(by, shapes, parameters, state)


def outer_state(by: ParameterMap, state: Tree, inner: Tree) -> Tree:
    """Return the state of the whole, with the state of the inner term replaced."""
    return state.with_entries(inner=inner) if type(by) is Freeze else inner


def _tied(by: Tie, shapes: Tree, parameters: Tree, state: Tree) -> tuple[Tree, Tree]:
    # The reverse derivative of reading one leaf twice is the sum, which jax.vjp supplies.
    first_of = {split(follower): split(first) for first, *rest in by.groups for follower in rest}

    def leaf(path: Path) -> Any:
        for follower, first in first_of.items():
            if path[: len(follower)] == follower:
                return parameters.at((*first, *path[len(follower) :]))
        return parameters.at(path)

    return rebuild(shapes, leaf), state


def _unfrozen(by: Freeze, shapes: Tree, parameters: Tree, state: Tree) -> tuple[Tree, Tree]:
    frozen = [split(path) for path in by.paths]

    def leaf(path: Path) -> Any:
        if any(path[: len(prefix)] == prefix for prefix in frozen):
            # State is a constant of the reverse derivative.
            return lax.stop_gradient(state.frozen.at(path))
        return parameters.at(path)

    return rebuild(shapes, leaf), state.inner


def rebuild(shapes: Tree, leaf: Callable[[Path], Any], path: Path = ()) -> Tree:
    """Return the tree of the given names, with the leaf at every path.

    >>> rebuild(Tree(a=Tree(b=(2,)), c=()), ".".join)
    Tree(a=Tree(b='a.b'), c='c')
    """
    entries: dict[str, Any] = {}
    for name in shapes:
        inner = (*path, name)
        entries[name] = rebuild(shapes[name], leaf, inner) if isinstance(shapes[name], Tree) else leaf(inner)
    return Tree(entries)


_ORIGINAL: dict[type[ParameterMap], Callable[..., tuple[Tree, Tree]]] = {Tie: _tied, Freeze: _unfrozen}
