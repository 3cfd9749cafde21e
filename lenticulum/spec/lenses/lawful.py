"""Lawful lenses on trees: accessors, editing at several paths, partition and combine, freezing, substates.

A monomorphic lens gets a part and puts a part: get : S -> A, put : S x A -> S. Those here obey GetPut, PutGet and
PutPut exactly. Their `Lens` type is that of reverse derivatives, which obey none of the three in general.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lenticulum.terms import Tree
from lenticulum.terms.tree import Path


@dataclass(frozen=True)
class Accessor:
    """get : S -> A and put : S x A -> S on trees and their parts.

    Laws: GetPut put(s, get s) = s; PutGet get(put(s, a)) = a; PutPut put(put(s, a), b) = put(s, b).
    """

    get: Callable[[Tree], Any]
    put: Callable[[Tree, Any], Tree]


def field(path: Path) -> Accessor:
    """The entry at a path, a leaf or a subtree.

    Raises: KeyError, in both directions, for a path that the tree does not have.

    >>> weight = field(("layer", "weight"))
    >>> weight.put(Tree(layer=Tree(weight=1, bias=2)), 5)
    Tree(layer=Tree(weight=5, bias=2))
    """

    def put(tree: Tree, value: Any) -> Tree:
        tree.at(path)
        return tree.with_leaf(path, value)

    return Accessor(lambda tree: tree.at(path), put)


def editing(*paths: Path) -> Accessor:
    """The entries at several paths, as `tree_at` edits them: gets a tuple, puts a tuple.

    Raises: ValueError if one path lies inside another or equals it: two selectors of one node obey no PutGet.

    >>> editing(("a",), ("b",)).put(Tree(a=1, b=2, c=3), (5, 6))
    Tree(a=5, b=6, c=3)
    >>> editing(("a",), ("a", "b"))
    Traceback (most recent call last):
    ValueError: editing: the paths a and a.b address one node
    """
    for i, one in enumerate(paths):
        for other in paths[i + 1 :]:
            if one[: len(other)] == other[: len(one)]:
                raise ValueError(f"editing: the paths {'.'.join(one)} and {'.'.join(other)} address one node")
    return aliased_editing(*paths)


def aliased_editing(*paths: Path) -> Accessor:
    """`editing` without its condition: where two paths meet, the last value wins."""

    def put(tree: Tree, values: Sequence[Any]) -> Tree:
        for path, value in zip(paths, values, strict=True):
            tree = field(path).put(tree, value)
        return tree

    return Accessor(lambda tree: tuple(tree.at(path) for path in paths), put)


def partition(tree: Tree, selected: Callable[[Path], bool]) -> tuple[Tree, Tree]:
    """The selected leaves and the others: two trees of one structure, with None where the other has the leaf.

    >>> partition(Tree(a=1, b=Tree(c=2)), lambda path: path == ("a",))
    (Tree(a=1, b=Tree(c=None)), Tree(a=None, b=Tree(c=2)))
    """
    inside = outside = tree
    for path in tree.paths():
        if selected(path):
            outside = outside.with_leaf(path, None)
        else:
            inside = inside.with_leaf(path, None)
    return inside, outside


def combine(first: Tree, second: Tree) -> Tree:
    """The first leaf that is not None, place by place. Where both have one, the first wins.

    Raises: ValueError for trees of two structures.

    >>> combine(Tree(a=1, b=None), Tree(a=None, b=2))
    Tree(a=1, b=2)
    """
    if first.paths() != second.paths():
        raise ValueError(f"combine: expected trees of one structure, got {first.paths()} and {second.paths()}")
    for path in first.paths():
        if first.at(path) is None:
            first = first.with_leaf(path, second.at(path))
    return first


def selection(selected: Callable[[Path], bool]) -> Accessor:
    """The selected half as a lens: get is the first half of `partition`, put combines it with the second.

    The half that is put has None where the other half lies, and only there.
    """
    return Accessor(
        lambda tree: partition(tree, selected)[0], lambda tree, half: combine(half, partition(tree, selected)[1])
    )


def freezing(*paths: Path) -> tuple[Callable[[Tree], tuple[Tree, Tree]], Callable[[Tree, Tree], Tree]]:
    """Freeze and unfreeze: the named leaves are moved to a tree of their own, and back to their places.

    Raises: KeyError, when used, for a path that the tree does not have.

    >>> freeze, unfreeze = freezing(("b", "c"))
    >>> freeze(Tree(a=1, b=Tree(c=2)))
    (Tree(a=1, b=Tree()), Tree(b=Tree(c=2)))
    """

    def freeze(tree: Tree) -> tuple[Tree, Tree]:
        frozen = Tree()
        for path in paths:
            frozen, tree = frozen.with_leaf(path, tree.at(path)), tree.without(path)
        return tree, frozen

    def unfreeze(rest: Tree, frozen: Tree) -> Tree:
        for path in paths:
            rest = rest.with_leaf(path, frozen.at(path))
        return rest

    return freeze, unfreeze


def substate(*names: str) -> Accessor:
    """Some entries at the top as a tree of their own, in the order of the names; put updates exactly these.

    Raises: ValueError if the keys of an update are not the names; KeyError for a name that the state does not have.

    >>> substate("b").put(Tree(a=1, b=2), Tree(b=5))
    Tree(a=1, b=5)
    """

    def get(state: Tree) -> Tree:
        return Tree({name: state.at((name,)) for name in names})

    def put(state: Tree, part: Tree) -> Tree:
        if part.names() != names:
            raise ValueError(f"substate: expected the entries {', '.join(names)}; got {', '.join(part) or 'none'}")
        get(state)
        return state.with_entries(**{name: part[name] for name in names})

    return Accessor(get, put)


def set_mode(tree: Tree, value: Any, name: str = "inference") -> Tree:
    """Every leaf of this name set to a value, wherever it lies: no lens, since what it overwrites is several leaves.

    >>> set_mode(Tree(a=Tree(inference=True), inference=False), True)
    Tree(a=Tree(inference=True), inference=True)
    """
    for path in tree.paths():
        if path[-1] == name:
            tree = tree.with_leaf(path, value)
    return tree
