"""The normal form of a term: one nesting of compositions, and where each parameter goes."""

from collections.abc import Iterator
from typing import Any

from lenticulum.terms.container import default_names
from lenticulum.terms.lenses import Compose, Identity, Tensor
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Path, Tree
from lenticulum.terms.value import Value, value


@value
class NormalForm(Value):
    """A term in normal form, the term it is that of, and where each part went: (path before, path after).

    Parameters and states are carried both ways by paths; a path of the moves is that of a part, and the names inside
    the part stay.
    """

    original: Term
    term: Term
    moves: tuple[tuple[Path, Path], ...]

    def parameters(self, tree: Tree) -> Tree:
        """Return parameters of the original as those of the normal form.

        >>> from lenticulum.terms import Bias, Compose, Relu
        >>> nested = normal_form(Compose((Compose((Relu(), Bias(2))), Identity())))
        >>> nested.parameters(Tree(layer_1=Tree(layer_1=Tree(), layer_2=Tree(bias=7)), layer_2=Tree()))
        Tree(layer_1=Tree(), layer_2=Tree(bias=7))
        """
        return _carried(tree, self.term.parameter_shapes(), {after: before for before, after in self.moves})

    def original_parameters(self, tree: Tree) -> Tree:
        """Return parameters of the normal form as those of the original: the inverse of `parameters`."""
        return _carried(tree, self.original.parameter_shapes(), dict(self.moves))

    def states(self, tree: Tree) -> Tree:
        """Return a state of the original as that of the normal form."""
        return _carried(tree, self.term.state_shapes(), {after: before for before, after in self.moves})

    def original_states(self, tree: Tree) -> Tree:
        """Return a state of the normal form as that of the original: the inverse of `states`."""
        return _carried(tree, self.original.state_shapes(), dict(self.moves))


def normalise(term: Term) -> Term:
    """Return the term in normal form.

    An unnamed composition inside another is replaced by its parts, in the order in which they are applied; identities
    are dropped, with their names; of one part that is left unnamed remains the part, of none the identity. Names that
    were given are kept, and a composition with given names is one part of what holds it. Inside other containers
    nothing changes: their equations and their parameter maps speak of the names there.

    normalise((f >> g) >> h) = normalise(f >> (g >> h)), and normalise is idempotent. The meaning is that of the term,
    with parameters and state carried along (`normal_form`), except that a part that draws from the key of its path
    draws from that of its new path.

    Source: the canonical representative of Para's associativity, which holds up to the associator on parameters
    (arXiv:2103.01931, Definition 2.1).

    >>> from lenticulum.terms import Bias, Compose, Relu
    >>> left, right = Compose((Compose((Bias(2), Relu())), Bias(2))), Compose((Bias(2), Compose((Relu(), Bias(2)))))
    >>> left == right, normalise(left) == normalise(right)
    (False, True)
    """
    return normal_form(term).term


def normal_form(term: Term) -> NormalForm:
    """Return the normal form of a term with the map of its parameters and states."""
    normal, moves = _normal(term)
    return NormalForm(term, normal, tuple(moves))


_Moves = list[tuple[Path, Path]]


def _normal(term: Term) -> tuple[Term, _Moves]:
    if type(term) is Tensor:
        left, right = _normal(term.left), _normal(term.right)
        return Tensor(left[0], right[0]), [*_under("left", left[1]), *_under("right", right[1])]
    if type(term) is not Compose:
        return term, [((), ())]
    if is_named(term):
        return _normal_named(term)
    parts = list(_flat(term, ()))
    if len(parts) == 1:
        before, part, moves = parts[0]
        return part, [((*before, *inside), after) for inside, after in moves]
    if not parts:
        return Identity(), []
    names = default_names(len(parts))
    moved = [
        ((*before, *inside), (name, *after))
        for name, (before, _, moves) in zip(names, parts, strict=True)
        for inside, after in moves
    ]
    return Compose(tuple(part for _, part, _ in parts)), moved


def _normal_named(term: Compose) -> tuple[Term, _Moves]:
    """The parts stay where they are, under their names; the identities among them go."""
    normal = {name: _normal(part) for name, part in zip(term.names, term.parts, strict=True)}
    kept = {name: each for name, each in normal.items() if type(each[0]) is not Identity}
    moves = [move for name, (_, inside) in kept.items() for move in _under(name, inside)]
    if not kept:
        return Identity(), []
    rest = Compose(tuple(part for part, _ in kept.values()), tuple(kept))
    if is_named(rest):
        return rest, moves
    # What is left bears the names of an unnamed composition, and is one.
    normal, then = _normal(rest)
    onward = dict(then)
    return normal, [(before, onward[between]) for before, between in moves]


def _flat(term: Compose, at: Path) -> Iterator[tuple[Path, Term, _Moves]]:
    """The parts of an unnamed composition in normal form, each with its path before and its own moves."""
    for name, part in zip(term.names, term.parts, strict=True):
        normal, moves = _normal(part)
        if type(normal) is Identity:
            continue
        if isinstance(normal, Compose) and type(normal) is Compose and not is_named(normal):
            # Its parts are flat already; each takes the moves that led to it.
            for inner_name, inner in zip(normal.names, normal.parts, strict=True):
                inside = [(before, after[1:]) for before, after in moves if after[:1] == (inner_name,)]
                yield (*at, name), inner, inside
        else:
            yield (*at, name), normal, moves


def is_named(term: Compose) -> bool:
    """Return whether the parts have names of their own, not layer_1, layer_2, ...

    >>> from lenticulum.terms import Relu
    >>> is_named(Compose((Relu(),), ("head",))), is_named(Compose((Relu(),)))
    (True, False)
    """
    return term.names != default_names(len(term.parts))


def _under(name: str, moves: _Moves) -> _Moves:
    return [((name, *before), (name, *after)) for before, after in moves]


def _carried(tree: Tree, shapes: Tree, origin: dict[Path, Path]) -> Tree:
    """The tree of the structure of `shapes`; a leaf under a path of `origin` is taken from under its origin."""

    def leaf(path: Path) -> Any:
        for length in range(len(path) + 1):
            if path[:length] in origin:
                return tree.at((*origin[path[:length]], *path[length:]))
        raise KeyError(f"no part holds {'.'.join(path)}")

    def fill(at: Tree, path: Path) -> Tree:
        return Tree(
            {
                name: fill(entry, (*path, name)) if isinstance(entry, Tree) else leaf((*path, name))
                for name, entry in ((name, at[name]) for name in at)
            }
        )

    return fill(shapes, ())
