"""Lenses: a map forward and a map backward, and the two ways to combine them (arXiv:2103.01931, Definition 2.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from lenticulum.spec.data import Data, add, both


@dataclass(frozen=True)
class Lens:
    """A map (A, A') -> (B, B'): get : A -> B and put : A x B' -> A'.

    Nothing relates the two; no law beyond typing is assumed. There is no discard: the lenses into the unit are the maps
    L -> L', and there are many of them. Source: arXiv:2103.01931, Definition 2.4.

    >>> from lenticulum.numbers import rational
    >>> square = Lens(lambda x: x * x, lambda x, c: 2 * x * c)
    >>> compose(square, square).put(rational(3), rational(1)) == rational(4 * 3**3)
    True
    """

    get: Callable[[Data], Data]
    put: Callable[[Data, Data], Data]


def identity() -> Lens:
    """(1_A, pi1)."""
    return Lens(lambda a: a, lambda a, cotangent: cotangent)


def compose(first: Lens, second: Lens) -> Lens:
    """First f, then g: get(a) = g(f(a)), put(a, c') = f*(a, g*(f(a), c')).

    Laws: associativity, units, functoriality of R.
    """
    return Lens(lambda a: second.get(first.get(a)), partial(_compose_put, first, second))


def tensor(left: Lens, right: Lens) -> Lens:
    """f beside g, componentwise. Laws: interchange, naturality of swap and of the associator."""
    return Lens(partial(_tensor_get, left, right), partial(_tensor_put, left, right))


def isomorphism(there: Callable[[Data], Data], back: Callable[[Data], Data]) -> Lens:
    """A structural isomorphism puts by its inverse."""
    return Lens(there, lambda a, cotangent: back(cotangent))


def swap() -> Lens:
    """(x, y) -> (y, x)."""
    return isomorphism(_swap, _swap)


def associator() -> Lens:
    """((x, y), z) -> (x, (y, z))."""
    return isomorphism(_to_the_right, _to_the_left)


def inverse_associator() -> Lens:
    """(x, (y, z)) -> ((x, y), z)."""
    return isomorphism(_to_the_left, _to_the_right)


def left_unitor() -> Lens:
    """((), x) -> x."""
    return isomorphism(lambda pair: both(pair, "left unitor")[1], lambda x: ((), x))


def right_unitor() -> Lens:
    """(x, ()) -> x."""
    return isomorphism(lambda pair: both(pair, "right unitor")[0], lambda x: (x, ()))


def copy() -> Lens:
    """Delta : x -> (x, x) with put = +.

    Lenses have no canonical copy; the sum is the choice of cartesian reverse differential categories (Definition 2.6).
    """
    return Lens(lambda a: (a, a), lambda a, cotangent: add(*both(cotangent, "copy")))


def _compose_put(first: Lens, second: Lens, a: Data, cotangent: Data) -> Data:
    return first.put(a, second.put(first.get(a), cotangent))


def _tensor_get(left: Lens, right: Lens, pair: Data) -> Data:
    one, other = both(pair, "tensor")
    return left.get(one), right.get(other)


def _tensor_put(left: Lens, right: Lens, pair: Data, cotangent: Data) -> Data:
    (one, other), (c, d) = both(pair, "tensor"), both(cotangent, "tensor")
    return left.put(one, c), right.put(other, d)


def _swap(pair: Data) -> Data:
    x, y = both(pair, "swap")
    return y, x


def _to_the_right(nested: Data) -> Data:
    pair, z = both(nested, "associator")
    x, y = both(pair, "associator")
    return x, (y, z)


def _to_the_left(nested: Data) -> Data:
    x, pair = both(nested, "associator")
    y, z = both(pair, "associator")
    return (x, y), z
