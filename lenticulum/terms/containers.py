"""The containers: terms that wire other terms together, each by one equation (those of github.com/LuxDL/Lux.jl).

A connection or a fusion is a term from a pair, or from a tuple. Where it has parameters or state, the trees of the
whole have two entries, `layers` and `connection` (or `fusion`); else they are those of the layers alone. A part that
is called several times draws with another key in each call.
"""

from lenticulum.terms.container import Container, Part, has_leaves, part_names, target_at
from lenticulum.terms.exact import instance_of
from lenticulum.terms.spaces import ShapeError, Space, bare, unify
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
        return connected(self, inputs(source, len(self.parts), "Parallel"))


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
        *layers, connection = self.inside()
        fused, *others = inputs(source, len(self.parts) + 1, "PairwiseFusion")
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


def inputs(source: Space, number: int, what: str) -> tuple[Space, ...]:
    """Return the spaces of x_1, ..., x_n: the entries of a product, or one space n times.

    >>> inputs((2, 3), 2, "Parallel"), inputs(2, 2, "Parallel")
    ((2, 3), (2, 2))
    """
    plain = bare(source)
    if not isinstance(plain, tuple):
        return (source,) * number
    if len(plain) != number:
        raise ShapeError(what, (None,) * number, source)
    return plain
