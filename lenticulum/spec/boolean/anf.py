"""Algebraic normal form: Boolean functions as sums modulo 2 of products of different variables, where x^2 = x.

Three things are kept apart: formal polynomials over Z/2 (`spec.lenses.polynomial`), whose exponents are not reduced and
which alone have a reverse derivative; `Anf`; and truth tables (`spec.boolean.table`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from lenticulum.spec.lenses.polynomial import Exponents, PolynomialMap, Terms, polynomial_map

Monomial = frozenset[int]
Monomials = frozenset[Monomial]


@dataclass(frozen=True)
class Anf:
    """A map (Z/2)^source -> (Z/2)^target: for each component, which products of variables are added.

    The empty product is 1, and the empty sum is 0. One form for each function: equal maps are equal functions.

    >>> x, y = (Anf.projection(2, [i]) for i in range(2))
    >>> x * x == x, x + x == Anf.constant(2, [0])
    (True, True)
    >>> (x * y + x)((1, 0))
    (1,)
    """

    source: int
    components: tuple[Monomials, ...]

    @staticmethod
    def projection(source: int, positions: Iterable[int]) -> Anf:
        """The map that keeps these variables."""
        return Anf(source, tuple(frozenset([frozenset([i])]) for i in positions))

    @staticmethod
    def constant(source: int, bits: Iterable[int]) -> Anf:
        """The map with these values everywhere."""
        one: Monomials = frozenset([frozenset()])
        return Anf(source, tuple(one if bit % 2 else frozenset() for bit in bits))

    @property
    def target(self) -> int:
        """The number of components."""
        return len(self.components)

    def __add__(self, other: Anf) -> Anf:
        pairs = zip(self.components, other.components, strict=True)
        return Anf(self.source, tuple(one ^ another for one, another in pairs))

    def __mul__(self, other: Anf) -> Anf:
        """The componentwise product."""
        pairs = zip(self.components, other.components, strict=True)
        return Anf(self.source, tuple(_product(one, another) for one, another in pairs))

    def then(self, other: Anf) -> Anf:
        """First this map, then the other, by substitution.

        >>> x, y = (Anf.projection(2, [i]) for i in range(2))
        >>> doubled = Anf(1, Anf.projection(1, [0]).components * 2)
        >>> doubled.then(x * y) == Anf.projection(1, [0])
        True
        """
        if other.source != self.target:
            raise ValueError(f"got a map from {other.source} variables after one to {self.target}")
        return Anf(self.source, tuple(self._substituted(monomials) for monomials in other.components))

    def __call__(self, x: tuple[int, ...]) -> tuple[int, ...]:
        """The value at a point of bits."""
        if len(x) != self.source:
            raise ValueError(f"got {len(x)} bits, expected {self.source}")
        return tuple(sum(all(x[i] for i in product) for product in monomials) % 2 for monomials in self.components)

    def _substituted(self, monomials: Monomials) -> Monomials:
        total: Monomials = frozenset()
        for monomial in monomials:
            product: Monomials = frozenset([frozenset()])
            for variable in monomial:
                product = _product(product, self.components[variable])
            total ^= product
        return total


def reduce(f: PolynomialMap) -> Anf:
    """The Boolean function of a formal polynomial map over Z/2: every exponent above 1 becomes 1.

    A ring map, and onto; not compatible with the reverse derivative, since x and x^2 have one image.
    Raises: ValueError for a map over another ring.

    >>> from lenticulum.spec.lenses.polynomial import variables
    >>> (x,) = variables(1, 2)
    >>> reduce(x * x) == reduce(x)
    True
    """
    if f.modulus != 2:
        raise ValueError(f"got a polynomial map modulo {f.modulus}, expected one modulo 2")
    return Anf(f.source, tuple(_reduced(terms) for terms in f.components))


def lifted(f: Anf) -> PolynomialMap:
    """The multilinear polynomial map over Z/2 that represents a Boolean function: reduce(lifted(f)) = f.

    Not a ring map: lifted(x) * lifted(x) = x^2, and lifted(x * x) = x.
    """
    components = ({_exponents(f.source, product): 1 for product in monomials} for monomials in f.components)
    return polynomial_map(f.source, components, 2)


def _reduced(terms: Terms) -> Monomials:
    total: Monomials = frozenset()
    for exponents, coefficient in terms.items():
        if coefficient % 2 == Fraction(1):
            total ^= frozenset([frozenset(i for i, exponent in enumerate(exponents) if exponent)])
    return total


def _exponents(source: int, product: Monomial) -> Exponents:
    return tuple(int(i in product) for i in range(source))


def _product(left: Monomials, right: Monomials) -> Monomials:
    total: Monomials = frozenset()
    for one in left:
        for other in right:
            total ^= frozenset([one | other])
    return total
