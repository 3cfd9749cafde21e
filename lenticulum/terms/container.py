"""Container: a term whose fields hold terms; its trees of parameters and states follow from the names of the fields."""

from typing import Any, NamedTuple

from lenticulum.terms.exact import instance_of
from lenticulum.terms.sealing import field_values
from lenticulum.terms.spaces import ShapeError, Space
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Path, Tree, map_leaves


class Part(NamedTuple):
    """A term inside a container.

    `field`: the field that holds it. `path`: the names under which its parameters, its state and its key are found, ()
    for a container that is transparent. `listed`: whether it has a place in the trees; a part without parameters and
    state need not. `copies`: None, or how many copies of the part there are, along a leading axis of every leaf.
    """

    field: str
    path: Path
    term: Term
    listed: bool = True
    copies: int | None = None

    @property
    def key_path(self) -> Path:
        """The names from which the key of the part is derived.

        The last name of an unlisted part gets parentheses, which no name in a tree has: so its draws are not those of a
        part of that name inside a transparent one.
        """
        return self.path if self.listed else (*self.path[:-1], f"{self.path[-1]}()")


class Container(Term):
    """The base of terms that hold terms. Parameters and states are derived: one subtree for each field, in their order.

    A field that holds a term has a subtree of its name; one that holds a tuple of terms has a subtree with the entries
    layer_1, layer_2, ..., or with those that a field `names` gives. A container with other names overrides `inside`.

    What a container computes is written once for each interpreter, as a function of x in which every field that holds
    terms is a map to be called (a tuple of maps for a tuple): the parameters, the state, the mode and the key of each
    part are passed on unseen. A part that is called n times has one tree of parameters, a state that goes through the
    calls in order, and another key in every call.

    >>> from lenticulum import spec
    >>> from lenticulum.numbers import rational
    >>> from lenticulum.terms import Bias, Mode, value
    >>> @value
    ... class Twice(Container):
    ...     body: Term
    >>> @spec.meaning(Twice)
    ... def twice(x, *, body):
    ...     return body(body(x))
    >>> term, parameters = Twice(Bias(1)), Tree(body=Tree(bias=rational([3])))
    >>> term.parameter_shapes()
    Tree(body=Tree(bias=(1,)))
    >>> spec.apply(term, rational([1]), parameters, term.state_shapes(), Mode.EVAL, None)[0].tolist()
    [Fraction(7, 1)]
    >>> spec.put(term, rational([1]), parameters, term.state_shapes(), Mode.EVAL, None, rational([1]))[0]
    Tree(body=Tree(bias=Rational([2])))

    Source: AbstractLuxContainerLayer of LuxCore (github.com/LuxDL/Lux.jl).
    """

    __slots__ = ()

    def inside(self) -> tuple[Part, ...]:
        """Return the parts in the order of their subtrees; those of one field in the order of the field."""
        return tuple(part for name, held in _held(self).items() for part in _named(self, name, held))

    def parameter_shapes(self) -> Tree:
        """Return one subtree for each listed part."""
        return _collected([(part, part.term.parameter_shapes()) for part in self.inside() if part.listed])

    def state_shapes(self) -> Tree:
        """Return one subtree for each listed part."""
        return _collected([(part, part.term.state_shapes()) for part in self.inside() if part.listed])


class Wrapper(Container):
    """The base of terms that hold exactly one term and are transparent: parameters and states are those of the term.

    >>> from lenticulum.terms import Bias, value
    >>> @value
    ... class Halved(Wrapper):
    ...     body: Term
    >>> Halved(Bias(2)).parameter_shapes()
    Tree(bias=(2,))

    Source: AbstractLuxWrapperLayer of LuxCore.
    """

    __slots__ = ()

    def inside(self) -> tuple[Part, ...]:
        """Return the one part, whose names are those of the whole."""
        held = _held(self)
        if len(held) != 1 or not all(isinstance(each, Term) for each in held.values()):
            fields = ", ".join(held) or "none"
            raise TypeError(f"{type(self).__name__}: a wrapper has exactly one field that holds a term; got {fields}")
        return tuple(Part(name, (), term) for name, term in held.items() if isinstance(term, Term))


def children(term: Term) -> tuple[Term, ...]:
    """Return the terms that a term holds in its fields, in order.

    >>> from lenticulum.terms import Add, Copy
    >>> children(Copy() >> Add()), children(Add())
    ((Copy(), Add()), ())
    """
    return tuple(part for held in _held(term).values() for part in (held if isinstance(held, tuple) else (held,)))


def has_leaves(term: Term) -> bool:
    """Return whether a term has any parameter or state.

    >>> from lenticulum.terms import Add, Bias
    >>> has_leaves(Bias(1) >> Bias(1)), has_leaves(Add())
    (True, False)
    """
    return bool(term.parameter_shapes().leaves() or term.state_shapes().leaves())


def own_trees(part: Part, parameters: Tree, state: Tree) -> tuple[Tree, Tree]:
    """Return the parameters and the state of a part, from those of the container.

    >>> from lenticulum.terms import Add, Bias
    >>> own_trees(Part("body", ("body",), Bias(1)), Tree(body=Tree(bias=1)), Tree(body=Tree()))
    (Tree(bias=1), Tree())
    >>> own_trees(Part("connection", ("connection",), Add(), listed=False), Tree(bias=1), Tree())
    (Tree(), Tree())
    """
    if part.listed:
        return parameters.at(part.path), state.at(part.path)
    return part.term.parameter_shapes(), part.term.state_shapes()


def target_at(part: Part, source: Space) -> Space:
    """Return the space that a part reaches; an error names the path of the part.

    >>> from lenticulum.terms import Dense
    >>> target_at(Part("body", ("body",), Dense(2, 3)), 4)
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: body (Dense): expected [2], got [4]
    """
    try:
        return part.term.target(source)
    except ShapeError as error:
        raise error.under(part.path) from None


def _held(term: Term) -> dict[str, Term | tuple[Term, ...]]:
    return {name: held for name, held in field_values(term).items() if isinstance(held, Term) or _are_terms(held)}


def _are_terms(held: object) -> bool:
    return isinstance(held, tuple) and len(held) > 0 and all(isinstance(each, Term) for each in held)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _named(term: Term, field: str, held: Term | tuple[Term, ...]) -> list[Part]:
    if isinstance(held, Term):
        return [Part(field, (field,), held)]
    names: Any = getattr(term, "names", ()) or default_names(len(held))
    return [Part(field, (field, name), each) for name, each in zip(names, held, strict=True)]


def _collected(subtrees: list[tuple[Part, Tree]]) -> Tree:
    collected = Tree()
    for part, subtree in subtrees:
        collected = placed(collected, part.path, _stacked(part, subtree))
    return collected


def _stacked(part: Part, shapes: Tree) -> Tree:
    return shapes if part.copies is None else map_leaves(lambda shape: (part.copies, *shape), shapes)


def placed(tree: Tree, path: Path, entry: Tree) -> Tree:
    """Return the tree with the subtree of a part in its place; () is the place of the whole.

    >>> placed(Tree(a=1), (), Tree(b=2)), placed(Tree(a=1), ("b",), Tree())
    (Tree(b=2), Tree(a=1, b=Tree()))
    """
    return tree.with_leaf(path, entry) if path else entry


def default_names(number: int) -> tuple[str, ...]:
    """Return layer_1, layer_2, ...

    >>> default_names(2)
    ('layer_1', 'layer_2')
    """
    return tuple(f"layer_{position}" for position in range(1, number + 1))


def part_names(parts: tuple[Term, ...], names: tuple[str, ...], what: str) -> tuple[str, ...]:
    """Return the names of the parts: the given ones, as many and all different, else layer_1, layer_2, ...

    >>> from lenticulum.terms import Relu
    >>> part_names((Relu(),), (), "Compose"), part_names((Relu(),), ("embed",), "Compose")
    (('layer_1',), ('embed',))
    """
    for part in parts:
        instance_of(part, f"{what}: part", (Term,), "a term")
    chosen = names or default_names(len(parts))
    if len(chosen) != len(parts) or len(set(chosen)) != len(chosen):
        raise ValueError(f"{what}: {len(parts)} parts need as many different names, got {chosen}")
    return chosen
