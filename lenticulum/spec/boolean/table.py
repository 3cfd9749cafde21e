"""Plain Boolean functions as truth tables, and the maps to them from the two kinds of formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

from lenticulum.spec.boolean.anf import Anf, Monomial
from lenticulum.spec.lenses.polynomial import PolynomialMap

Bits = tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """A map (Z/2)^source -> (Z/2)^target by its values at all points, in the order of `points`.

    >>> AND = Table.of(2, lambda x: (x[0] & x[1],))
    >>> AND.values
    ((0,), (0,), (0,), (1,))
    """

    source: int
    target: int
    values: tuple[Bits, ...]

    @staticmethod
    def of(source: int, function: Callable[[Bits], Bits]) -> Table:
        """The table of a function of bits."""
        values = tuple(function(x) for x in points(source))
        return Table(source, len(values[0]), values)

    def __call__(self, x: Bits) -> Bits:
        """The value at a point."""
        if len(x) != self.source:
            raise ValueError(f"got {len(x)} bits, expected {self.source}")
        return self.values[position(x)]

    def then(self, other: Table) -> Table:
        """First this map, then the other."""
        if other.source != self.target:
            raise ValueError(f"got a map from {other.source} bits after one to {self.target}")
        return Table.of(self.source, lambda x: other(self(x)))


def points(count: int) -> Iterable[Bits]:
    """All points of (Z/2)^count, the last bit fastest.

    >>> list(points(2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    return product((0, 1), repeat=count)


def position(x: Bits) -> int:
    """The place of a point among `points`."""
    return sum(bit << i for i, bit in enumerate(reversed(x)))


def table(f: Anf) -> Table:
    """The truth table of an algebraic normal form; one to one and onto (`interpolate` is its inverse)."""
    return Table.of(f.source, f)


def evaluate(f: PolynomialMap) -> Table:
    """The truth table of a formal polynomial map over Z/2: evaluate(f) = table(reduce(f))."""

    def value(x: Bits) -> Bits:
        return tuple(
            int(sum(c * all(x[i] for i, n in enumerate(exponents) if n) for exponents, c in terms.items())) % 2
            for terms in f.components
        )

    if f.modulus != 2:
        raise ValueError(f"got a polynomial map modulo {f.modulus}, expected one modulo 2")
    return Table.of(f.source, value)


def interpolate(f: Table) -> Anf:
    """The algebraic normal form of a truth table: the coefficient of a product is the sum of f below it (Moebius).

    >>> OR = Table.of(2, lambda x: (x[0] | x[1],))
    >>> x, y = (Anf.projection(2, [i]) for i in range(2))
    >>> interpolate(OR) == x + y + x * y
    True
    """
    return Anf(f.source, tuple(frozenset(_products(f, j)) for j in range(f.target)))


def difference(f: Table, variable: int) -> Table:
    """The Boolean difference f(x + e_i) + f(x): well defined on functions, unlike a formal partial derivative.

    >>> AND = Table.of(2, lambda x: (x[0] & x[1],))
    >>> difference(AND, 0).values == Table.of(2, lambda x: (x[1],)).values
    True
    """
    return Table.of(f.source, lambda x: _sum(f(_flipped(x, variable)), f(x)))


def reverse_difference(f: Table) -> Table:
    """The reverse derivative by brute force: (x, y) -> (sum_j (Delta_i f_j)(x) y_j)_i. It violates the chain rule."""
    differences = [difference(f, i) for i in range(f.source)]

    def pulled(xy: Bits) -> Bits:
        x, y = xy[: f.source], xy[f.source :]
        return tuple(sum(d * bit for d, bit in zip(each(x), y, strict=True)) % 2 for each in differences)

    return Table.of(f.source + f.target, pulled)


def composed_reverse(f: Table, g: Table, reverse_f: Table, reverse_g: Table) -> Table:
    """The reverse derivative that RD.5 asks of f;g: (x, z) -> R[f](x, R[g](f(x), z))."""

    def pulled(xz: Bits) -> Bits:
        x, z = xz[: f.source], xz[f.source :]
        return reverse_f((*x, *reverse_g((*f(x), *z))))

    return Table.of(f.source + g.target, pulled)


def _products(f: Table, component: int) -> Iterable[Monomial]:
    for x in points(f.source):
        below = (y for y in points(f.source) if all(a <= b for a, b in zip(y, x, strict=True)))
        if sum(f(y)[component] for y in below) % 2:
            yield frozenset(i for i, bit in enumerate(x) if bit)


def _flipped(x: Bits, variable: int) -> Bits:
    return (*x[:variable], 1 - x[variable], *x[variable + 1 :])


def _sum(x: Bits, y: Bits) -> Bits:
    return tuple((a + b) % 2 for a, b in zip(x, y, strict=True))
