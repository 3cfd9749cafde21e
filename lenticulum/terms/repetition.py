"""Repetition: one term applied again and again, with one set of parameters (Repeat) or one for each copy (Stack)."""

from collections.abc import Callable

from lenticulum.terms.container import Container, Part, target_at
from lenticulum.terms.exact import count, instance_of
from lenticulum.terms.spaces import Space, unify
from lenticulum.terms.term import Term
from lenticulum.terms.value import value


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
        return fixed(source, lambda space: target_at(body, (space, source) if self.injection else space), "Repeat")


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
        return fixed(source, lambda space: target_at(body, space), "Stack")


def fixed(source: Space, body: Callable[[Space], Space], what: str) -> Space:
    """Return the space that goes through a body again and again: the source, with what the body makes of it.

    >>> fixed(None, lambda space: unify(3, space, "Bias"), "Repeat")
    3
    """
    space = unify(source, body(source), what)
    # What the first call has made of the source may not fit the second.
    return space if space == source else unify(space, body(space), what)
