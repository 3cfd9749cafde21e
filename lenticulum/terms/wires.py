"""Wires as trees: data that are parameters. A product of wires is the tree of its parts, the unit an empty tree."""

from typing import Any, cast

from lenticulum.terms.spaces import SCALAR, Space, bare, describe
from lenticulum.terms.tree import Tree


def wire_shapes(space: Space, batch: tuple[int, ...]) -> Any:
    """Return the shape of the data in a space, a tree of shapes for a product.

    One array has the axes of the batch and then its features; one number has none.

    >>> wire_shapes((3, "scalar"), (2,))
    Tree(part_1=(2, 3), part_2=())
    """
    plain = bare(space)
    if isinstance(plain, tuple):
        return Tree({name: wire_shapes(part, batch) for name, part in _parts(plain).items()})
    if isinstance(plain, int):
        return (*batch, plain)
    if plain == SCALAR:
        return ()
    raise ValueError(f"expected a space of known shape, got {describe(space)}")


def as_tree(wire: Any) -> Any:
    """Return data as a tree: a tuple as the tree of its parts, one array as it is.

    >>> as_tree((1.0, (2.0, 3.0)))
    Tree(part_1=1.0, part_2=Tree(part_1=2.0, part_2=3.0))
    """
    if isinstance(wire, tuple):
        return Tree({name: as_tree(part) for name, part in _parts(cast("tuple[Any, ...]", wire)).items()})
    return wire


def as_wire(entry: Any) -> Any:
    """Return a tree as data: the inverse of `as_tree`.

    >>> as_wire(as_tree((1.0, (2.0, ()))))
    (1.0, (2.0, ()))
    """
    return tuple(as_wire(entry[name]) for name in entry) if isinstance(entry, Tree) else entry


def _parts(product: tuple[Any, ...]) -> dict[str, Any]:
    return {f"part_{position}": part for position, part in enumerate(product, start=1)}
