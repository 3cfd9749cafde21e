"""Trees of named leaves: parameters, states, gradients. Plain immutable data, in order of construction."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, overload

Leaf = Any  # an array of whichever interpreter: the tree never looks at it
Path = tuple[str, ...]


class Tree:
    """An immutable record of named leaves and subtrees; flatten order is order of construction.

    Read by attribute or by item; equality is structural and then by the leaves' own `==`.

    >>> tree = Tree(weight=1, inner=Tree(bias=2))
    >>> tree.inner.bias, tree["weight"], [".".join(path) for path in tree.paths()]
    (2, 1, ['weight', 'inner.bias'])
    """

    __slots__ = ("_entries",)
    _entries: dict[str, Any]

    def __init__(self, entries: Mapping[str, Any] | None = None, /, **named: Any) -> None:
        """Build from a mapping or from keywords, not both; names are identifiers."""
        if entries is not None and named:
            raise TypeError("Tree: give a mapping or keywords, not both")
        items = dict(entries) if entries is not None else named
        for name in items:
            if not name.isidentifier():
                raise ValueError(f"Tree: {name!r} is not a name; expected an identifier such as layer_1")
        object.__setattr__(self, "_entries", items)

    def __getattr__(self, name: str) -> Any:
        try:
            return self._entries[name]
        except KeyError:
            raise AttributeError(f"no entry {name!r}; this tree has {', '.join(self._entries) or 'none'}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Tree is immutable: cannot set {name!r}; use with_entries({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Tree is immutable: cannot delete {name!r}")

    def __getitem__(self, name: str) -> Any:
        return self._entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return list(self) == list(other) and all(bool(self[name] == other[name]) for name in self)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type["Tree"], tuple[dict[str, Any]]]:
        return Tree, (dict(self._entries),)

    def __copy__(self) -> "Tree":
        return self

    def __repr__(self) -> str:
        return "Tree(" + ", ".join(f"{name}={entry!r}" for name, entry in self._entries.items()) + ")"

    def names(self) -> tuple[str, ...]:
        """Return the names at the top, in order.

        >>> Tree(a=1, b=2).names()
        ('a', 'b')
        """
        return tuple(self._entries)

    def paths(self) -> list[Path]:
        """Return the path of every leaf, in flatten order.

        >>> Tree(a=1, b=Tree(c=2)).paths()
        [('a',), ('b', 'c')]
        """
        found: list[Path] = []
        for name, entry in self._entries.items():
            found += [(name, *path) for path in entry.paths()] if isinstance(entry, Tree) else [(name,)]
        return found

    def leaves(self) -> list[Leaf]:
        """Return every leaf, in flatten order.

        >>> Tree(a=1, b=Tree(c=2)).leaves()
        [1, 2]
        """
        found: list[Leaf] = []
        for entry in self._entries.values():
            found += entry.leaves() if isinstance(entry, Tree) else [entry]
        return found

    def at(self, path: Path) -> Any:
        """Return the entry at a path, or raise KeyError naming the known paths.

        >>> Tree(b=Tree(c=2)).at(("b", "c"))
        2
        """
        entry: Any = self
        for name in path:
            if not isinstance(entry, Tree) or name not in entry:
                known = ", ".join(".".join(each) for each in self.paths()) or "none"
                raise KeyError(f"no entry {'.'.join(path)!r}; this tree has {known}")
            entry = entry[name]
        return entry

    def with_entries(self, **changes: Any) -> "Tree":
        """Return the tree with some top entries replaced or appended.

        >>> Tree(a=1).with_entries(a=2, b=3)
        Tree(a=2, b=3)
        """
        return Tree({**self._entries, **changes})

    def with_leaf(self, path: Path, leaf: Any) -> "Tree":
        """Return the tree with the entry at `path` set, appended where the path is new.

        >>> Tree(a=Tree(b=1)).with_leaf(("a", "b"), 2)
        Tree(a=Tree(b=2))
        """
        name, *rest = path
        if not rest:
            return self.with_entries(**{name: leaf})
        inner = self._entries.get(name, Tree())
        return self.with_entries(**{name: inner.with_leaf(tuple(rest), leaf)})

    def without(self, path: Path) -> "Tree":
        """Return the tree without the entry at `path`; a subtree that becomes empty stays, as an empty tree.

        >>> Tree(a=Tree(b=1, c=2)).without(("a", "b"))
        Tree(a=Tree(c=2))
        """
        self.at(path)
        name, *rest = path
        if not rest:
            return Tree({key: entry for key, entry in self._entries.items() if key != name})
        return self.with_entries(**{name: self._entries[name].without(tuple(rest))})


@overload
def map_leaves(function: Callable[[Any], Leaf], tree: Tree, /) -> Tree: ...
@overload
def map_leaves(function: Callable[[Any, Any], Leaf], tree: Tree, other: Tree, /) -> Tree: ...
@overload
def map_leaves(function: Callable[[Any, Any, Any], Leaf], tree: Tree, other: Tree, third: Tree, /) -> Tree: ...
def map_leaves(function: Callable[..., Leaf], tree: Tree, *others: Tree) -> Tree:
    """Apply a function leaf by leaf to trees of one structure.

    >>> map_leaves(lambda a, b: a + b, Tree(x=1), Tree(x=2))
    Tree(x=3)
    """
    for other in others:
        if tree.paths() != other.paths():
            raise ValueError(f"trees differ: {tree.paths()} against {other.paths()}")
    return _map(function, tree, *others)


def _map(function: Callable[..., Leaf], tree: Any, *others: Any) -> Any:
    if not isinstance(tree, Tree):
        return function(tree, *others)
    return Tree({name: _map(function, tree[name], *(other[name] for other in others)) for name in tree})
