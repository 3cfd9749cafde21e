"""Reparametrisation: a term whose parameters pass through a map first. Tying and freezing are two such maps."""

from collections.abc import Callable
from typing import Any

from lenticulum.terms.exact import instance_of
from lenticulum.terms.spaces import Space
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Path, Tree
from lenticulum.terms.value import Value, value


class ParameterMap(Value):
    """A map r from new parameters to old ones. (r* f)(q, a) = f(r(q), a).

    A map of one's own is a value type with `parameter_shapes`; what it computes is a plain function that each
    interpreter is told (`spec.parameter_map`, `fast.parameter_map`), looked up by exact type.
    """

    __slots__ = ()

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes of the new parameters, from those of the old."""
        raise NotImplementedError(f"{type(self).__name__} does not say which parameters it leaves")

    def frozen_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes of the constants that the map plugs in; an empty tree for a map that has none."""
        return Tree()

    def state_shapes(self, parameters: Tree, states: Tree) -> Tree:
        """Return the shapes of the new state, from those of the old parameters and the old state.

        A map with constants wraps the state of the term: Tree(frozen=the constants, inner=the state of the term).
        """
        frozen = self.frozen_shapes(parameters)
        return Tree(frozen=frozen, inner=states) if len(frozen) else states


@value
class Tie(ParameterMap):
    """All members of a group are its first member: r = Delta. The cotangent of the tied parameter is the sum.

    Members are dotted paths, such as "layer_1.weight".
    """

    groups: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        """Groups are disjoint and have at least two members."""
        members = [member for group in self.groups for member in group]
        if len(set(members)) != len(members):
            raise ValueError(f"Tie: groups must be disjoint, got {self.groups}")
        if any(len(group) < 2 for group in self.groups):
            raise ValueError(f"Tie: a group needs at least two members, got {self.groups}")

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes without the followers; members of unequal shape are refused."""
        for first, *rest in self.groups:
            for follower in rest:
                one, other = shapes.at(split(first)), shapes.at(split(follower))
                if one != other:
                    raise ValueError(f"Tie: expected members of one shape, got {first} {one} and {follower} {other}")
        for follower in self.followers():
            shapes = shapes.without(split(follower))
        return shapes

    def followers(self) -> tuple[str, ...]:
        """Return the members that are not the first of their group."""
        return tuple(follower for _, *rest in self.groups for follower in rest)


@value
class Freeze(ParameterMap):
    """The named parameters are no longer parameters: r plugs in a point, which lives in the state as `frozen`.

    The state becomes Tree(frozen=..., inner=the state of the term).
    """

    paths: tuple[str, ...]

    def __post_init__(self) -> None:
        """Paths are different."""
        if len(set(self.paths)) != len(self.paths) or not self.paths:
            raise ValueError(f"Freeze: expected one or more different paths, got {self.paths}")

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes without the frozen ones."""
        for path in self.paths:
            shapes = shapes.without(split(path))
        return shapes

    def frozen_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes of the frozen parameters."""
        return picked(shapes, self.paths)


@value
class Reparametrise(Term):
    """r* f: the term f with its parameters given by the map r."""

    term: Term
    by: ParameterMap

    def __post_init__(self) -> None:
        """Refuse paths that the term does not have."""
        instance_of(self.term, "Reparametrise: term", (Term,), "a term")
        instance_of(self.by, "Reparametrise: by", (ParameterMap,), "a parameter map such as Tie or LowRank")
        try:
            self.parameter_shapes()
            self.state_shapes()
        except KeyError as error:
            raise ValueError(f"{type(self.by).__name__}: {error.args[0]}") from None

    def parameter_shapes(self) -> Tree:
        """Return the shapes of the new parameters; the wrapper is transparent."""
        return self.by.parameter_shapes(self.term.parameter_shapes())

    def state_shapes(self) -> Tree:
        """Return the state of the term, with what the map adds."""
        return self.by.state_shapes(self.term.parameter_shapes(), self.term.state_shapes())

    def target(self, source: Space) -> Space:
        """Return the target of the term."""
        return self.term.target(source)


def tie(term: Term, *groups: tuple[str, ...]) -> Reparametrise:
    """Return the term with the members of each group made one parameter.

    >>> from lenticulum.terms.layers import Bias
    >>> tie(Bias(2) >> Bias(2), ("layer_1.bias", "layer_2.bias")).parameter_shapes().paths()
    [('layer_1', 'bias')]
    """
    return Reparametrise(term, Tie(groups))


def freeze(term: Term, *paths: str) -> Reparametrise:
    """Return the term with the named parameters moved into its state.

    >>> from lenticulum.terms.layers import Bias
    >>> freeze(Bias(2), "bias").state_shapes()
    Tree(frozen=Tree(bias=(2,)), inner=Tree())
    """
    return Reparametrise(term, Freeze(paths))


def split(path: str) -> Path:
    """Return a dotted path as a tuple.

    >>> split("layer_1.weight")
    ('layer_1', 'weight')
    """
    return tuple(path.split("."))


def picked(tree: Tree, paths: tuple[str, ...]) -> Tree:
    """Return the tree of the entries at some dotted paths, in the order of the paths.

    >>> picked(Tree(a=Tree(b=1, c=2), d=3), ("a.c",))
    Tree(a=Tree(c=2))
    """
    chosen = Tree()
    for path in paths:
        chosen = chosen.with_leaf(split(path), tree.at(split(path)))
    return chosen


def filled(shapes: Tree, leaf: Callable[[Path], Any], at: Path = ()) -> Tree:
    """Return a tree of the structure of `shapes`, empty subtrees included, with each leaf given by its path.

    >>> filled(Tree(a=Tree(b=(2,)), c=(), d=Tree()), ".".join)
    Tree(a=Tree(b='a.b'), c='c', d=Tree())
    """
    entries: dict[str, Any] = {}
    for name in shapes:
        here, entry = (*at, name), shapes[name]
        entries[name] = filled(entry, leaf, here) if isinstance(entry, Tree) else leaf(here)
    return Tree(entries)
