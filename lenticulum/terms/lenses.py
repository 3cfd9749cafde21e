"""The terms that make programs out of programs: identity, composition, tensor, and the structural maps."""

from lenticulum.terms.exact import instance_of
from lenticulum.terms.spaces import ShapeError, Space, pair, unify
from lenticulum.terms.term import Term
from lenticulum.terms.tree import Tree
from lenticulum.terms.value import set_field, value


@value
class Identity(Term):
    """x -> x."""


@value
class Compose(Term):
    """First the first part, then the next: h(x) = f_n(... f_1(x)). Nothing composed is the identity.

    Parameters and states are keyed by the given names, else layer_1, layer_2, ...
    """

    parts: tuple[Term, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Name the parts and refuse parts that do not fit, before any arithmetic."""
        for part in self.parts:
            instance_of(part, "Compose: part", (Term,), "a term")
        if not self.names:
            set_field(self, "names", default_names(len(self.parts)))
        if len(self.names) != len(self.parts) or len(set(self.names)) != len(self.names):
            raise ValueError(f"Compose: {len(self.parts)} parts need as many different names, got {self.names}")
        self.target(None)

    def parameter_shapes(self) -> Tree:
        """Return one subtree for each part."""
        return Tree({name: part.parameter_shapes() for name, part in zip(self.names, self.parts, strict=True)})

    def state_shapes(self) -> Tree:
        """Return one subtree for each part."""
        return Tree({name: part.state_shapes() for name, part in zip(self.names, self.parts, strict=True)})

    def target(self, source: Space) -> Space:
        """Return the space after the last part; the error names the position, counted from 1."""
        space = source
        for position, part in enumerate(self.parts, start=1):
            try:
                space = part.target(space)
            except ShapeError as error:
                raise ShapeError(f"layer {position} ({error.part})", error.expected, error.got) from None
        return space


@value
class Tensor(Term):
    """(x, y) -> (f(x), g(y))."""

    left: Term
    right: Term

    def __post_init__(self) -> None:
        """Refuse what is not a term."""
        for part in (self.left, self.right):
            instance_of(part, "Tensor: part", (Term,), "a term")

    def parameter_shapes(self) -> Tree:
        """Return the subtrees `left` and `right`."""
        return Tree(left=self.left.parameter_shapes(), right=self.right.parameter_shapes())

    def state_shapes(self) -> Tree:
        """Return the subtrees `left` and `right`."""
        return Tree(left=self.left.state_shapes(), right=self.right.state_shapes())

    def target(self, source: Space) -> Space:
        """Return the pair of targets."""
        left, right = pair(source, "Tensor")
        return (self.left.target(left), self.right.target(right))


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


def default_names(number: int) -> tuple[str, ...]:
    """Return layer_1, layer_2, ...

    >>> default_names(2)
    ('layer_1', 'layer_2')
    """
    return tuple(f"layer_{position}" for position in range(1, number + 1))


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
