"""The parts of a container, exactly: maps that carry parameters, state, mode and key unseen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lenticulum.numbers import ExactArray, stack
from lenticulum.spec.data import Data
from lenticulum.spec.keys import Key, call_key, part_key
from lenticulum.spec.meaning import fields_for, meaning_of
from lenticulum.terms import Mode, Term, Tree, map_leaves
from lenticulum.terms.container import Container, Part, own_trees, placed

#: What a container sees of its data: one array, or a tuple; it may take tuples apart and build them, and nothing else.
Wires = Any
Map = Callable[[Wires], Wires]
#: (term, x, parameters, state, mode, key) -> (y, state')
Apply = Callable[..., tuple[Any, Tree]]


@dataclass
class Copied:
    """One copy of a part: its parameters, its state, which goes through the calls in order, and its key."""

    term: Term
    parameters: Tree
    state: Tree
    key: Key | None
    calls: int = 0

    def called(self, of: Apply, x: Data, mode: Mode) -> Data:
        """Return the value of the next call, and keep the state after it."""
        y, self.state = of(self.term, x, self.parameters, self.state, mode, call_key(self.key, self.calls))
        self.calls += 1
        return y


@dataclass
class Bound:
    """A part with its copies: one, or as many as the leading axis of its leaves says."""

    part: Part
    copies: list[Copied]

    def state(self) -> Tree:
        """Return the state after the calls so far."""
        return self.gathered([copy.state for copy in self.copies])

    def gathered(self, trees: list[Tree]) -> Tree:
        """Return one tree for the part from those of its copies."""
        return trees[0] if self.part.copies is None else stacked(trees)


def apply_container(
    of: Apply, term: Container, x: Data, parameters: Tree, state: Tree, mode: Mode, key: Key | None
) -> tuple[Data, Tree]:
    """Return (y, state'): the equation of the container, evaluated on its parts; `of` applies a part."""
    parts = bound(term, parameters, state, key)

    def as_map(copy: Copied) -> Map:
        return lambda x: copy.called(of, x, mode)

    y = equation(term, x, parts, as_map)
    for each in parts:
        if each.part.listed:
            state = placed(state, each.part.path, each.state())
    return y, state


def equation(term: Container, x: Wires, parts: list[Bound], as_map: Callable[[Copied], Map]) -> Wires:
    """Evaluate the meaning of a container, with maps for the fields that hold terms."""
    function = meaning_of(term)
    fields = fields_for(function, term)
    maps: dict[str, list[Map]] = {}
    for each in parts:
        maps.setdefault(each.part.field, []).extend(as_map(copy) for copy in each.copies)
    copied = {each.part.field for each in parts if each.part.copies is not None}
    for name, found in maps.items():
        if name in fields:
            fields[name] = tuple(found) if isinstance(fields[name], tuple) or name in copied else found[0]
    return function(x, **fields)


def bound(term: Container, parameters: Tree, state: Tree, key: Key | None) -> list[Bound]:
    """Return the parts of a container with their parameters, states and keys."""
    found: list[Bound] = []
    for part in term.inside():
        p, s = own_trees(part, parameters, state)
        own = key
        for name in part.key_path:
            own = part_key(own, name)
        if part.copies is None:
            copies = [Copied(part.term, p, s, own)]
        else:
            copies = [Copied(part.term, nth(p, n), nth(s, n), call_key(own, n)) for n in range(part.copies)]
        found.append(Bound(part, copies))
    return found


def nth(tree: Tree, number: int) -> Tree:
    """Return the leaves of one copy.

    >>> nth(Tree(count=np.arange(3)), 2)
    Tree(count=np.int64(2))
    """

    def leaf(array: Any) -> Any:
        return array[number]

    return map_leaves(leaf, tree)


def stacked(trees: list[Tree]) -> Tree:
    """Return the leaves of all copies along a leading axis.

    >>> stacked([Tree(count=np.uint32(1)), Tree(count=np.uint32(2))])
    Tree(count=array([1, 2], dtype=uint32))
    """

    def leaves(*arrays: Any) -> Any:
        return stack(arrays) if isinstance(arrays[0], ExactArray) else np.stack(arrays)

    first = trees[0]
    for path in first.paths():
        first = first.with_leaf(path, leaves(*(tree.at(path) for tree in trees)))
    return first
