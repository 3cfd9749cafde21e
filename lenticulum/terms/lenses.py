"""The terms that make programs out of programs: identity, composition, tensor, and the structural maps."""

from lenticulum.terms.container import Container, Part, default_names, part_names, target_at
from lenticulum.terms.exact import instance_of
from lenticulum.terms.spaces import Space, pair, unify
from lenticulum.terms.term import Term
from lenticulum.terms.value import set_field, value


@value
class Identity(Term):
    """x -> x."""


@value
class Compose(Container):
    """First the first part, then the next: h(x) = f_n(... f_1(x)). Nothing composed is the identity.

    Parameters and states are keyed by the given names, else layer_1, layer_2, ...
    """

    parts: tuple[Term, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Name the parts and refuse parts that do not fit, before any arithmetic."""
        set_field(self, "names", part_names(self.parts, self.names, "Compose"))
        self.target(None)

    def inside(self) -> tuple[Part, ...]:
        """Return the parts, one subtree each."""
        return tuple(Part("parts", (name,), part) for name, part in zip(self.names, self.parts, strict=True))

    def target(self, source: Space) -> Space:
        """Return the space after the last part; the error names the part."""
        for part in self.inside():
            source = target_at(part, source)
        return source


@value
class Tensor(Container):
    """(x, y) -> (f(x), g(y)). Parameters and states are the subtrees `left` and `right`."""

    left: Term
    right: Term

    def __post_init__(self) -> None:
        """Refuse what is not a term."""
        for part in (self.left, self.right):
            instance_of(part, "Tensor: part", (Term,), "a term")

    def target(self, source: Space) -> Space:
        """Return the pair of targets."""
        return tuple(target_at(part, half) for part, half in zip(self.inside(), pair(source, "Tensor"), strict=True))


@value
class Copy(Term):
    """x -> (x, x). Its reverse derivative adds."""

    def target(self, source: Space) -> Space:
        """Return the source twice."""
        return (source, source)


@value
class Add(Term):
    """(x, y) -> x + y. Its reverse derivative copies."""

    def target(self, source: Space) -> Space:
        """Return the common space of both summands."""
        left, right = pair(source, "Add")
        return unify(left, right, "Add")


@value
class Swap(Term):
    """(x, y) -> (y, x)."""

    def target(self, source: Space) -> Space:
        """Return the halves in the other order."""
        left, right = pair(source, "Swap")
        return (right, left)


def chain(*terms: Term, **named: Term) -> Compose:
    """Compose terms in order. Chains with default names are flattened, so that chaining is associative.

    >>> chain(Copy(), Swap()) >> Add() == chain(Copy(), Swap(), Add())
    True
    """
    if terms and named:
        raise TypeError("chain: give terms or named terms, not both")
    if named:
        return Compose(tuple(named.values()), tuple(named))
    parts: list[Term] = []
    for term in terms:
        unnamed = type(term) is Compose and term.names == default_names(len(term.parts))
        parts += term.parts if unnamed and isinstance(term, Compose) else [term]
    return Compose(tuple(parts))
