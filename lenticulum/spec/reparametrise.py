"""Reparametrisation, exactly: from new parameters to the old ones, and the reverse for cotangents."""

from collections.abc import Callable

from lenticulum.terms import Freeze, Reparametrise, Tie, Tree
from lenticulum.terms.reparametrisations import split

Rewrap = Callable[[Tree], Tree]


def original_parameters(term: Reparametrise, parameters: Tree, state: Tree) -> tuple[Tree, Tree, Rewrap]:
    """Return r(parameters), the state of the inner term, and how to put its new state back."""
    shapes = term.term.parameter_shapes()
    if isinstance(term.by, Tie):
        return tied(term.by, shapes, parameters), state, lambda new: new
    if isinstance(term.by, Freeze):
        whole = thawed(shapes, parameters, state.frozen)
        return whole, state.inner, lambda new: Tree(frozen=state.frozen, inner=new)
    raise TypeError(f"no exact meaning for the parameter map {type(term.by).__name__}")


def new_cotangent(term: Reparametrise, cotangent: Tree) -> Tree:
    """Return r*(cotangent): from the cotangent of the old parameters to that of the new ones.

    Tying adds the cotangents of all members; freezing leaves the frozen ones out.
    """
    if isinstance(term.by, Tie):
        return summed(term.by, cotangent)
    if isinstance(term.by, Freeze):
        for path in term.by.paths:
            cotangent = cotangent.without(split(path))
        return cotangent
    raise TypeError(f"no exact meaning for the parameter map {type(term.by).__name__}")


def tied(by: Tie, shapes: Tree, parameters: Tree) -> Tree:
    """Return Delta(parameters): every follower is the first of its group."""
    first = {follower: group[0] for group in by.groups for follower in group[1:]}
    return filled(shapes, lambda path: parameters.at(split(first.get(".".join(path), ".".join(path)))))


def thawed(shapes: Tree, parameters: Tree, frozen: Tree) -> Tree:
    """Return the whole parameter tree, the frozen leaves taken from the state."""
    where = set(frozen.paths())
    return filled(shapes, lambda path: frozen.at(path) if path in where else parameters.at(path))


def filled(shapes: Tree, leaf: Callable[[tuple[str, ...]], object]) -> Tree:
    """Return a tree of the structure of `shapes`, empty subtrees included, with each leaf given by its path."""

    def fill(tree: Tree, at: tuple[str, ...]) -> Tree:
        return Tree({name: entry(tree[name], (*at, name)) for name in tree})

    def entry(shape: object, at: tuple[str, ...]) -> object:
        return fill(shape, at) if isinstance(shape, Tree) else leaf(at)

    return fill(shapes, ())


def summed(by: Tie, cotangent: Tree) -> Tree:
    """Return Delta*(cotangent): the cotangent of a tied parameter is the sum over its uses."""
    for group in by.groups:
        total = cotangent.at(split(group[0]))
        for follower in group[1:]:
            total = total + cotangent.at(split(follower))
        cotangent = cotangent.with_leaf(split(group[0]), total)
    for follower in by.followers():
        cotangent = cotangent.without(split(follower))
    return cotangent
