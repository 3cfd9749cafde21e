"""The parts of a container: maps that carry parameters, state, mode and key unseen."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax

from lenticulum.fast.meaning import Meaning
from lenticulum.terms.container import Container, Part, own_trees, placed
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree

if TYPE_CHECKING:
    from lenticulum.fast.apply import Scope

Map = Callable[[Any], Any]
#: (term, x, parameters, state, scope) -> (y, state')
Walk = Callable[..., tuple[Any, Tree]]


class Copied:
    """One copy of a part: a map whose state goes through the calls in order, and whose key is another in each."""

    def __init__(self, walk: Walk, term: Term, parameters: Tree, state: Tree, scope: "Scope") -> None:
        self.walk, self.term, self.parameters, self.state, self.scope = walk, term, parameters, state, scope
        self.calls = 0

    def __call__(self, x: Any) -> Any:
        """Return the value of the next call, and keep the state after it."""
        scope = self.scope if self.calls == 0 else self.scope.call(self.calls)
        y, self.state = self.walk(self.term, x, self.parameters, self.state, scope)
        self.calls += 1
        return y


def apply_container(
    walk: Walk, row: Meaning, term: Container, x: Any, parameters: Tree, state: Tree, scope: "Scope"
) -> tuple[Any, Tree]:
    """Return the output and the new state of a container: its equation, evaluated on its parts."""
    parts = [(part, _copies(walk, part, parameters, state, scope)) for part in term.inside()]
    maps: dict[str, list[Map]] = {}
    for part, copies in parts:
        maps.setdefault(part.field, []).extend(copies)
    fields = {name: getattr(term, name) for name in row.fields}
    copied = {part.field for part, _ in parts if part.copies is not None}
    for name in fields.keys() & maps.keys():
        several = isinstance(fields[name], tuple) or name in copied
        fields[name] = tuple(maps[name]) if several else maps[name][0]
    y = row.function(x, **fields)
    for part, copies in parts:
        if part.listed:
            new = [copy.state for copy in copies]
            state = placed(state, part.path, new[0] if part.copies is None else _stacked(new))
    return y, state


def _copies(walk: Walk, part: Part, parameters: Tree, state: Tree, scope: "Scope") -> list[Copied]:
    p, s = own_trees(part, parameters, state)
    inner = scope.under(part)
    if part.copies is None:
        return [Copied(walk, part.term, p, s, inner)]
    return [Copied(walk, part.term, _nth(p, n), _nth(s, n), inner.call(n)) for n in range(part.copies)]


def _nth(tree: Tree, number: int) -> Tree:
    return jax.tree.map(lambda leaf: leaf[number], tree)


def _stacked(trees: list[Tree]) -> Tree:
    return jax.tree.map(lambda *leaves: jax.numpy.stack(leaves), *trees)
