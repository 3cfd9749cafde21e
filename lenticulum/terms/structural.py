"""Rearrangements of wires that have an inverse: one typed wire, associators, unitors. Each puts by its inverse."""

from lenticulum.terms.exact import one_of
from lenticulum.terms.spaces import UNIT, Space, pair, unify
from lenticulum.terms.term import Term
from lenticulum.terms.value import value


class Rearrangement(Term):
    """The base of the structural isomorphisms: get moves wires and put moves them back."""

    __slots__ = ()

    def inverse(self) -> "Rearrangement":
        """Return the rearrangement that undoes this one; it is the put of the lens."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it is undone")


@value
class Wire(Rearrangement):
    """x -> x on one space and no other: the identity of that space, which names an unnamed wire of its size.

    >>> from lenticulum.terms import Dense, Named
    >>> Wire(Named("pixels", 3)).target(3)
    Named(name='pixels', space=3)
    >>> (Wire(Named("pixels", 3)) >> Wire(Named("classes", 3)))
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: layer_2 (Wire): expected classes [3], got pixels [3]
    """

    space: Space

    def inverse(self) -> "Wire":
        """Return the same wire."""
        return self

    def target(self, source: Space) -> Space:
        """Return the space of the wire."""
        return unify(self.space, source, "Wire")


@value
class Associate(Rearrangement):
    """((x, y), z) -> (x, (y, z)), or back where `to` is "left".

    >>> Associate().target(((1, 2), 3)), Associate("left").target((1, (2, 3)))
    ((1, (2, 3)), ((1, 2), 3))
    """

    to: str = "right"

    def __post_init__(self) -> None:
        """Refuse another direction."""
        one_of(self.to, "to", ("right", "left"))

    def inverse(self) -> "Associate":
        """Return the associator in the other direction."""
        return Associate("left" if self.to == "right" else "right")

    def target(self, source: Space) -> Space:
        """Return the product bracketed the other way."""
        one, other = pair(source, "Associate")
        if self.to == "right":
            x, y = pair(one, "Associate")
            return (x, (y, other))
        y, z = pair(other, "Associate")
        return ((one, y), z)


@value
class RemoveUnit(Rearrangement):
    """((), x) -> x where the unit is on the left, (x, ()) -> x on the right.

    >>> RemoveUnit("right").target((3, ()))
    3
    """

    side: str

    def __post_init__(self) -> None:
        """Refuse another side."""
        one_of(self.side, "side", ("left", "right"))

    def inverse(self) -> "AddUnit":
        """Return the map that adds the unit on this side."""
        return AddUnit(self.side)

    def target(self, source: Space) -> Space:
        """Return the half that is not the unit."""
        left, right = pair(source, "RemoveUnit")
        unit, other = (left, right) if self.side == "left" else (right, left)
        unify(UNIT, unit, f"RemoveUnit: {self.side} half")
        return other


@value
class AddUnit(Rearrangement):
    """x -> ((), x) with the unit on the left, x -> (x, ()) on the right.

    >>> AddUnit("left").target(3)
    ((), 3)
    """

    side: str

    def __post_init__(self) -> None:
        """Refuse another side."""
        one_of(self.side, "side", ("left", "right"))

    def inverse(self) -> RemoveUnit:
        """Return the map that removes the unit on this side."""
        return RemoveUnit(self.side)

    def target(self, source: Space) -> Space:
        """Return the pair of the source and the unit."""
        return (UNIT, source) if self.side == "left" else (source, UNIT)
