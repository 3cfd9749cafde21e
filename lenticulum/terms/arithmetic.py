"""The arithmetic of arrays as terms from a pair or a tuple: what connections and fusions are made of."""

from lenticulum.terms.spaces import Space, bare, pair, unify
from lenticulum.terms.term import Term
from lenticulum.terms.value import value


@value
class Subtract(Term):
    """(x, y) -> x - y. Its put is z' -> (z', -z').

    >>> Subtract().target((3, 3))
    3
    """

    def target(self, source: Space) -> Space:
        """Return the common space of both."""
        return unify(*pair(source, "Subtract"), "Subtract")


@value
class Multiply(Term):
    """(x, y) -> x y, entry by entry. Its put is ((x, y), z') -> (y z', x z').

    >>> Multiply().target((3, 2))
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: Multiply: expected [3], got [2]
    """

    def target(self, source: Space) -> Space:
        """Return the common space of both."""
        return unify(*pair(source, "Multiply"), "Multiply")


@value
class Maximum(Term):
    """(x_1, ..., x_n) -> max(x_1, ..., x_n), entry by entry, from left to right.

    Its put gives the cotangent to the larger of two; at a tie each gets half, so that max(x, x) has the slope 1.

    >>> Maximum().target((3, 3, 3))
    3
    """

    def target(self, source: Space) -> Space:
        """Return the common space of all."""
        if source is None:
            return None
        plain = bare(source)
        common, *others = plain if isinstance(plain, tuple) and plain else pair(source, "Maximum")
        for other in others:
            common = unify(common, other, "Maximum")
        return common
