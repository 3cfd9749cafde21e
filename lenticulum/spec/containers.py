"""The containers, exactly: the equation of each, in which the fields that hold terms are maps to be called."""

from lenticulum import terms
from lenticulum.spec.meaning import meaning
from lenticulum.spec.parts import Map, Wires
from lenticulum.terms import Branch, Container, Maximum, Maxout

Maps = tuple[Map, ...]


@meaning(terms.Parallel)
def parallel(x: Wires, *, connection: Map | None, parts: Maps) -> Wires:
    """Return c(l_1(x_1), ..., l_n(x_n)); if x is one array, every x_i is x."""
    outputs = tuple(layer(each) for layer, each in zip(parts, inputs(x, len(parts)), strict=True))
    return outputs if connection is None else connection(outputs)


@meaning(terms.Branch)
def branch(x: Wires, *, parts: Maps, fusion: Map | None) -> Wires:
    """Return c(l_1(x), ..., l_n(x))."""
    outputs = tuple(layer(x) for layer in parts)
    return outputs if fusion is None else fusion(outputs)


@meaning(terms.Skip)
def skip(x: Wires, *, term: Map, connection: Map) -> Wires:
    """Return c(l(x), x)."""
    return connection((term(x), x))


@meaning(terms.PairwiseFusion)
def pairwise_fusion(x: Wires, *, connection: Map, parts: Maps) -> Wires:
    """Return y_n, where y_0 = x_1 and y_i = c(x_(i+1), l_i(y_(i-1))); if x is one array, every x_i is x."""
    y, *others = inputs(x, len(parts) + 1)
    for layer, other in zip(parts, others, strict=True):
        y = connection((other, layer(y)))
    return y


@meaning(terms.Repeat)
def repeat(x: Wires, *, term: Map, count: int, injection: bool) -> Wires:
    """Return y_n, where y_0 = x and y_i = l(y_(i-1)), or l((y_(i-1), x)) with injection."""
    y = x
    for _ in range(count):
        y = term((y, x) if injection else y)
    return y


@meaning(terms.Stack)
def stack(x: Wires, *, term: Maps) -> Wires:
    """Return l_n(... l_1(x)), where `term` are the copies."""
    for copy in term:
        x = copy(x)
    return x


def inputs(x: Wires, number: int) -> tuple[Wires, ...]:
    """Return x_1, ..., x_n: the entries of a tuple, or one array n times.

    >>> inputs(("a", "b"), 2), inputs("a", 2)
    (('a', 'b'), ('a', 'a'))
    """
    return x if isinstance(x, tuple) else (x,) * number  # pyright: ignore[reportUnknownVariableType]


def rewritten(term: Container) -> Container:
    """Return a term with the same trees that is one more elementary, or the term itself.

    Maxout(l_1, ..., l_n) is Branch(l_1, ..., l_n; Maximum).
    """
    return Branch(term.parts, Maximum(), term.names) if type(term) is Maxout else term
