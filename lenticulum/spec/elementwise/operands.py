"""The two arrays of a function of two arguments."""

from lenticulum.numbers import ExactArray
from lenticulum.spec.data import Data, array, both
from lenticulum.terms import ShapeError

#: What a function of two arguments takes: (x, y).
Pair = tuple[ExactArray, ExactArray]


def operands(x: Data, name: str) -> tuple[ExactArray, ExactArray]:
    """Return the two arrays of a pair, which have one shape: broadcasting would change the meaning.

    Raises: TypeError unless x is a pair of arrays; ShapeError, naming the function, for two shapes.

    >>> from lenticulum.numbers import rational
    >>> operands((rational([1, 2]), rational([3])), "Hypot")
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: Hypot: expected [2], got [1]
    """
    one, other = (array(half, name) for half in both(x, name))
    if one.shape != other.shape:
        expected, got = (f"[{', '.join(map(str, each.shape))}]" for each in (one, other))
        raise ShapeError(name, expected, got)
    return one, other
