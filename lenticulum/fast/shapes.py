"""What is checked before any arithmetic: trees have the term's names and shapes, inputs lie in a space it accepts."""

from typing import Any

import numpy as np

from lenticulum.terms.spaces import SCALAR, Cotangent, ShapeError, Space
from lenticulum.terms.tree import Tree


def space_of(wire: Any) -> Space:
    """Return the space that a value lies in: its number of features, or the product of its parts.

    >>> space_of((np.zeros((5, 3)), np.zeros(())))
    (3, 'scalar')
    """
    if isinstance(wire, tuple):
        return tuple(space_of(part) for part in wire)
    return int(np.shape(wire)[-1]) if np.ndim(wire) else SCALAR


def require_tree(tree: Tree, shapes: Tree, what: str) -> None:
    """Raise ValueError unless a tree has exactly the names, order and shapes of a tree of shapes.

    >>> require_tree(Tree(bias=np.zeros(3)), Tree(bias=(2,)), "parameters")
    Traceback (most recent call last):
    ValueError: parameters: expected bias [2], got bias [3]
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"{what}: expected a Tree, got {type(tree).__name__}; setup(key, term) makes one")
    if not _matches(tree, shapes):
        raise ValueError(f"{what}: expected {_listing(shapes, tuple)}, got {_listing(tree, np.shape)}")


def require_same_shape(part: str, first: Any, second: Any) -> None:
    """Raise ShapeError unless two arrays have one shape: broadcasting one over the other would change the meaning.

    >>> require_same_shape("Add", np.zeros((2, 1)), np.zeros(2))
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: Add: expected [2, 1], got [2]
    """
    if np.shape(first) != np.shape(second):
        raise ShapeError(part, _axes(np.shape(first)), _axes(np.shape(second)))


def require_cotangent(part: str, output: Any, cotangent: Any) -> None:
    """Raise ShapeError unless a cotangent has the structure and the shapes of the output it is to be pulled back from.

    >>> require_cotangent("cotangent of Bias", np.zeros((4, 2)), (np.zeros(2), np.zeros(2)))
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: cotangent of Bias: expected [4, 2]', got ([2]', [2]')
    """
    expected, got = _wire_axes(output), _wire_axes(cotangent)
    if expected != got:
        raise ShapeError(part, expected, got)


def _wire_axes(wire: Any) -> Space:
    if isinstance(wire, tuple):
        return tuple(_wire_axes(part) for part in wire)
    return Cotangent(_axes(np.shape(wire)))


def _matches(tree: Any, shapes: Any) -> bool:
    if not isinstance(shapes, Tree):
        return not isinstance(tree, Tree) and np.shape(tree) == tuple(shapes)
    same_names = isinstance(tree, Tree) and tree.names() == shapes.names()
    return same_names and all(_matches(tree[name], shapes[name]) for name in shapes)


def _axes(shape: tuple[int, ...]) -> str:
    return "[" + ", ".join(map(str, shape)) + "]"


def _listing(tree: Tree, shape_of: Any) -> str:
    leaves = [
        f"{'.'.join(path)} {_axes(shape_of(leaf))}" for path, leaf in zip(tree.paths(), tree.leaves(), strict=True)
    ]
    empty = f"no leaves, in a tree of {', '.join(tree.names())}" if tree.names() else "an empty tree"
    return ", ".join(leaves) or empty
