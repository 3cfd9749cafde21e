"""Static and traced: a raw tree split into the leaves of a program and a skeleton that is part of the program's key."""

from collections.abc import Iterable, Iterator
from typing import Any

import jax
import numpy as np

from lenticulum.terms.key import is_named_tuple, key
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import Value, value


class Skeleton(Value):
    """What is left of a tree when its traced leaves are taken out: hashable, and equal only to the same."""

    __slots__ = ()


@value
class Hole(Skeleton):
    """The place of a traced leaf."""


@value
class Static(Skeleton):
    """A leaf that is part of the key."""

    content: object


@value
class Sequence(Skeleton):
    """A list or a tuple: `kind` says which."""

    kind: str
    entries: tuple[Skeleton, ...]


@value
class Named(Skeleton):
    """A named tuple, with skeletons in the place of its elements."""

    entries: object


@value
class Record(Skeleton):
    """A dict or a Tree, in its order: `kind` says which."""

    kind: str
    names: tuple[object, ...]
    entries: tuple[Skeleton, ...]


def partition_static(tree: Any) -> tuple[tuple[Any, ...], Skeleton]:
    """Split a raw tree into its traced leaves and a skeleton.

    combine_static(*partition_static(t)) = t, with every type and order.

    What decides is the type, never a value:

    - static, part of the key by type and bits: None, bool, int, str, bytes, Fraction, Enum members, dtypes, frozensets,
      value types (terms), NumPy scalars of integers and booleans (the entries of a shape), and NumPy arrays of
      booleans: masks on the host;
    - traced: jax arrays, masks among them, NumPy arrays and scalars of every other format, float and complex.

    So a mask is static where it is a NumPy array, and another mask is another program; it is traced where it is a jax
    array, and every mask of that shape runs one program.

    Arguments: `tree`: None, leaves, lists, tuples, named tuples, dicts and Trees of these.
    Returns: (leaves, skeleton); the skeleton is a value type, so jax.jit takes it as a static argument.
    Raises: TypeError naming the path of anything else.
    Laws: exact round trip; one skeleton for equal trees, another for each different one (1, 1.0 and True differ).
    Source: `partition_static` of T3Toolbox (github.com/NickAlger/T3Toolbox), where shape entries of the type int64
    became tracers.

    >>> leaves, skeleton = partition_static({"shape": [np.int64(3), 4], "x": 0.5, "mask": np.array([True, False])})
    >>> leaves
    (0.5,)
    >>> combine_static(("other",), skeleton)
    {'shape': [np.int64(3), 4], 'x': 'other', 'mask': array([ True, False])}
    """
    leaves: list[Any] = []
    skeleton = _split(tree, "", leaves)
    return tuple(leaves), skeleton


def combine_static(leaves: Iterable[Any], skeleton: Skeleton) -> Any:
    """Put leaves into the holes of a skeleton, in order.

    Raises: ValueError for another number of leaves than the skeleton has holes.

    >>> combine_static((), Static(1)), combine_static(("leaf",), Hole())
    (1, 'leaf')
    """
    remaining = iter(leaves)
    try:
        tree = _join(skeleton, remaining)
    except StopIteration:
        raise ValueError("combine_static: fewer leaves than the skeleton has holes") from None
    if next(remaining, skeleton) is not skeleton:
        raise ValueError("combine_static: more leaves than the skeleton has holes")
    return tree


def _split(entry: Any, path: str, leaves: list[Any]) -> Skeleton:
    kind = type(entry)
    if kind in (list, tuple):
        inside = tuple(_split(each, f"{path}[{position}]", leaves) for position, each in enumerate(entry))
        return Sequence(kind.__name__, inside)
    if kind is dict:
        inside = tuple(_split(each, f"{path}[{name!r}]", leaves) for name, each in entry.items())
        names = tuple(_plain(name, f"the key {name!r} of {path or 'the tree'}") for name in entry)
        return Record("dict", names, inside)
    if kind is Tree:
        return Record("Tree", entry.names(), tuple(_split(entry[name], f"{path}.{name}", leaves) for name in entry))
    if is_named_tuple(kind):
        elements = [
            _split(each, f"{path}.{name}", leaves)
            for name, each in zip(kind._fields, tuple.__iter__(entry), strict=True)
        ]
        return Named(tuple.__new__(kind, elements))
    if _is_traced(entry):
        leaves.append(entry)
        return Hole()
    return Static(_plain(entry, path or "the tree"))


def _is_traced(entry: Any) -> bool:
    """Whether a leaf is an array or an inexact number; a mask on the host and a NumPy integer are not."""
    kind = type(entry)
    if kind is np.ndarray:
        return entry.dtype != np.bool_ and entry.dtype.kind != "O"
    if isinstance(entry, np.generic):
        return not isinstance(entry, np.integer | np.bool_ | np.str_ | np.bytes_)
    return kind in (float, complex) or isinstance(entry, jax.Array | jax.ShapeDtypeStruct)


def _plain(entry: Any, where: str) -> Any:
    try:
        key(entry)
    except TypeError as error:
        raise TypeError(f"partition_static: {where}: {error}") from None
    return entry


def _join(skeleton: Skeleton, leaves: Iterator[Any]) -> Any:
    if isinstance(skeleton, Hole):
        return next(leaves)
    if isinstance(skeleton, Sequence):
        entries = [_join(each, leaves) for each in skeleton.entries]
        return entries if skeleton.kind == "list" else tuple(entries)
    if isinstance(skeleton, Record):
        entries = [_join(each, leaves) for each in skeleton.entries]
        named: dict[Any, Any] = dict(zip(skeleton.names, entries, strict=True))
        return named if skeleton.kind == "dict" else Tree(named)
    if isinstance(skeleton, Named):
        elements: Any = skeleton.entries
        return tuple.__new__(type(elements), [_join(each, leaves) for each in tuple.__iter__(elements)])
    assert isinstance(skeleton, Static)
    return skeleton.content
