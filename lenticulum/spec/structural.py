"""The rearrangements of wires, exactly: where each wire goes."""

from lenticulum.spec.data import Data, both, describe
from lenticulum.terms import AddUnit, Associate, Rearrangement, RemoveUnit, Wire


def rearrange(term: Rearrangement, x: Data) -> Data:
    """Return the data with the wires moved as the term says; the put is that of `term.inverse()`.

    Laws: naturality of the associator, pentagon, triangle; a rearrangement and its inverse are the identity.
    """
    kind = type(term)
    if kind is Wire:
        return x
    if isinstance(term, Associate) and kind is Associate:
        one, other = both(x, "Associate")
        if term.to == "right":
            left, middle = both(one, "Associate")
            return left, (middle, other)
        middle, right = both(other, "Associate")
        return (one, middle), right
    if isinstance(term, AddUnit) and kind is AddUnit:
        return ((), x) if term.side == "left" else (x, ())
    if isinstance(term, RemoveUnit) and kind is RemoveUnit:
        left, right = both(x, "RemoveUnit")
        unit, other = (left, right) if term.side == "left" else (right, left)
        if unit != ():
            raise TypeError(f"RemoveUnit: expected the unit () on the {term.side}, got {describe(unit)}")
        return other
    raise TypeError(f"no exact meaning for the rearrangement {kind.__name__}")
