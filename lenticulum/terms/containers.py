"""The containers: terms that wire other terms together, each by one equation (those of github.com/LuxDL/Lux.jl).

A connection or a fusion is a term from a pair, or from a tuple. Where it has parameters or state, the trees of the
whole have two entries, `layers` and `connection` (or `fusion`); else they are those of the layers alone. A part that
is called several times draws with another key in each call.
"""

from lenticulum.terms.container import Container, Part, has_leaves, part_names, target_at
from lenticulum.terms.exact import count, instance_of
from lenticulum.terms.spaces import ShapeError, Space, unify
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Path
from lenticulum.terms.value import set_field, value


@value
class Parallel(Container):
    """c(l_1(x_1), ..., l_n(x_n)) of a tuple; c(l_1(x), ..., l_n(x)) of one array. No connection returns the tuple.

    >>> from lenticulum.terms import Dense, Subtract
    >>> Parallel(Subtract(), (Dense(2, 3), Dense(4, 3))).target((2, 4))
    3
    >>> Parallel(None, (Dense(2, 3), Dense(4, 3))).target((2, 4, 4))
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: Parallel: expected (any space, any space), got ([2], [4], [4])
    """

    connection: Term | None
    parts: tuple[Term, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Name the parts."""
        set_field(self, "names", checked_names(self.parts, self.names, "Parallel"))
        checked_optional(self.connection, "Parallel: connection")

    def inside(self) -> tuple[Part, ...]:
        """Return the layers, then the connection."""
        return beside(named_layers(self.parts, self.names), "connection", self.connection)

    def target(self, source: Space) -> Space:
        """Return what the connection makes of the targets of the parts."""
        several = isinstance(source, tuple)
        sources = source if isinstance(source, tuple) else (source,) * len(self.parts)
        if several and len(sources) != len(self.parts):
            raise ShapeError("Parallel", (None,) * len(self.parts), source)
        return connected(self, sources)


@value
class Branch(Container):
    """(l_1(x), ..., l_n(x)), then the fusion of the tuple; no fusion returns the tuple. x may be a tuple itself.

    >>> from lenticulum.terms import Dense
    >>> Branch((Dense(2, 3), Dense(2, 4))).target(2)
    (3, 4)
    """

    parts: tuple[Term, ...]
    fusion: Term | None = None
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Name the parts."""
        set_field(self, "names", checked_names(self.parts, self.names, "Branch"))
        checked_optional(self.fusion, "Branch: fusion")

    def inside(self) -> tuple[Part, ...]:
        """Return the layers, then the fusion."""
        return beside(named_layers(self.parts, self.names), "fusion", self.fusion)

    def target(self, source: Space) -> Space:
        """Return what the fusion makes of the targets of the parts."""
        return connected(self, (source,) * len(self.parts))


@value
class Skip(Container):
    """c(l(x), x). The layer is transparent: its parameters are those of the whole, or the entry `layers`.

    >>> from lenticulum.terms import Add, Dense
    >>> Skip(Dense(2, 2), Add()).parameter_shapes().paths()
    [('weight',), ('bias',)]
    >>> Skip(Dense(2, 3), Add()).target(2)
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: connection (Add): expected [3], got [2]
    """

    term: Term
    connection: Term

    def __post_init__(self) -> None:
        """Refuse what is not a term."""
        instance_of(self.term, "Skip: term", (Term,), "a term")
        instance_of(self.connection, "Skip: connection", (Term,), "a term from a pair, such as Add()")

    def inside(self) -> tuple[Part, ...]:
        """Return the layer, then the connection."""
        return beside((Part("term", (), self.term),), "connection", self.connection)

    def target(self, source: Space) -> Space:
        """Return what the connection makes of (target, source)."""
        layer, connection = self.inside()
        return target_at(connection, (target_at(layer, source), source))


@value
class PairwiseFusion(Container):
    """y_0 = x_1; y_i = c(x_(i+1), l_i(y_(i-1))) for i = 1, ..., n. If x is one array, every x_i is x.

    The new input is the first argument of the connection, which is one term with one state threaded through its calls.

    >>> from lenticulum.terms import Bias, Subtract
    >>> PairwiseFusion(Subtract(), (Bias(2), Bias(2))).target((2, 2, 2))
    2
    """

    connection: Term
    parts: tuple[Term, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Name the parts."""
        set_field(self, "names", checked_names(self.parts, self.names, "PairwiseFusion"))
        instance_of(self.connection, "PairwiseFusion: connection", (Term,), "a term from a pair, such as Add()")

    def inside(self) -> tuple[Part, ...]:
        """Return the layers, then the connection."""
        return beside(named_layers(self.parts, self.names), "connection", self.connection)

    def target(self, source: Space) -> Space:
        """Return the space after the last fusion."""
        sources = source if isinstance(source, tuple) else (source,) * (len(self.parts) + 1)
        if len(sources) != len(self.parts) + 1:
            raise ShapeError("PairwiseFusion", (None,) * (len(self.parts) + 1), source)
        *layers, connection = self.inside()
        fused, *others = sources
        for layer, other in zip(layers, others, strict=True):
            fused = target_at(connection, (other, target_at(layer, fused)))
        return fused


@value
class Maxout(Container):
    """max(l_1(x), ..., l_n(x)), entry by entry. At a tie each of the two largest gets half of the cotangent.

    Source: Goodfellow et al. 2013, arXiv:1302.4389.

    >>> from lenticulum.terms import Dense
    >>> Maxout((Dense(2, 3), Dense(2, 3))).target(2)
    3
    """

    parts: tuple[Term, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Name the parts."""
        set_field(self, "names", checked_names(self.parts, self.names, "Maxout"))

    def inside(self) -> tuple[Part, ...]:
        """Return the layers."""
        return named_layers(self.parts, self.names)

    def target(self, source: Space) -> Space:
        """Return the common target of the parts."""
        common: Space = None
        for part in self.inside():
            common = unify(common, target_at(part, source), f"Maxout: {'.'.join(part.path)}")
        return common


@value
class Repeat(Container):
    """y_0 = x; y_i = l(y_(i-1)) for i = 1, ..., count: one set of parameters, one state threaded through.

    With `injection`, y_i = l((y_(i-1), x)). The term is transparent.

    >>> from lenticulum.terms import Dense
    >>> Repeat(Dense(2, 2), 3).parameter_shapes()
    Tree(weight=(2, 2), bias=(2,))
    >>> Repeat(Dense(2, 3), 3).target(2)
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: Repeat: expected [2], got [3]
    """

    term: Term
    count: int
    injection: bool = False

    def __post_init__(self) -> None:
        """Refuse a count below 1."""
        instance_of(self.term, "Repeat: term", (Term,), "a term")
        count(self.count, "count")
        instance_of(self.injection, "Repeat: injection", (bool,), "True or False")

    def inside(self) -> tuple[Part, ...]:
        """Return the term, whose names are those of the whole."""
        return (Part("term", (), self.term),)

    def target(self, source: Space) -> Space:
        """Return the source, which is the target of the term too."""
        (body,) = self.inside()
        return unify(source, target_at(body, (source, source) if self.injection else source), "Repeat")


@value
class Stack(Container):
    """y = l_n(... l_1(x)): copies of one description, each with parameters and state of its own, applied in order.

    Every leaf has a leading axis `count`, so that a program has one body, whatever the count.

    >>> from lenticulum.terms import BatchNorm
    >>> stack = Stack(BatchNorm(3), 2)
    >>> stack.parameter_shapes(), stack.state_shapes()
    (Tree(weight=(2, 3), bias=(2, 3)), Tree(running_mean=(2, 3), running_variance=(2, 3)))
    """

    term: Term
    count: int

    def __post_init__(self) -> None:
        """Refuse a count below 1."""
        instance_of(self.term, "Stack: term", (Term,), "a term")
        count(self.count, "count")

    def inside(self) -> tuple[Part, ...]:
        """Return the copies, along a leading axis of every leaf."""
        return (Part("term", (), self.term, copies=self.count),)

    def target(self, source: Space) -> Space:
        """Return the source, which is the target of the term too."""
        (body,) = self.inside()
        return unify(source, target_at(body, source), "Stack")


def checked_names(parts: tuple[Term, ...], names: tuple[str, ...], what: str) -> tuple[str, ...]:
    """Return the names of one or more parts.

    >>> checked_names((), (), "Maxout")
    Traceback (most recent call last):
    ValueError: Maxout: expected at least one part
    """
    if not parts:
        raise ValueError(f"{what}: expected at least one part")
    return part_names(parts, names, what)


def checked_optional(term: Term | None, name: str) -> None:
    """Refuse what is neither a term nor None.

    >>> checked_optional(None, "Parallel: connection")
    """
    if term is not None:
        instance_of(term, name, (Term,), "a term from a tuple, or None for the tuple itself")


def named_layers(parts: tuple[Term, ...], names: tuple[str, ...]) -> tuple[Part, ...]:
    """Return the parts of the field `parts`, each with its name as path.

    >>> from lenticulum.terms import Relu
    >>> named_layers((Relu(),), ("layer_1",))[0].path
    ('layer_1',)
    """
    return tuple(Part("parts", (name,), part) for name, part in zip(names, parts, strict=True))


def beside(layers: tuple[Part, ...], field: str, connection: Term | None) -> tuple[Part, ...]:
    """Return the layers and the connection: under `layers` and its field if it has leaves, else the layers as they are.

    >>> from lenticulum.terms import Add, Dense, Relu
    >>> layers = named_layers((Relu(),), ("layer_1",))
    >>> [(part.path, part.listed) for part in beside(layers, "connection", Add())]
    [(('layer_1',), True), (('connection',), False)]
    >>> [(part.path, part.listed) for part in beside(layers, "connection", Dense(1, 1))]
    [(('layers', 'layer_1'), True), (('connection',), True)]
    """
    if connection is None:
        return layers
    listed = has_leaves(connection)
    prefix: Path = ("layers",) if listed else ()
    moved = tuple(layer._replace(path=(*prefix, *layer.path)) for layer in layers)
    return (*moved, Part(field, (field,), connection, listed))


def connected(container: Parallel | Branch, sources: tuple[Space, ...]) -> Space:
    """Return what the connection makes of the targets of the layers, each from its own source."""
    parts = container.inside()
    targets = tuple(target_at(part, source) for part, source in zip(parts, sources, strict=False))
    last = parts[-1]
    return targets if last.field == "parts" else target_at(last, targets)
