"""Generators of the laws on lenses: polynomial maps, lenses that obey no law, rational points."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from lenticulum.numbers import Rational, rational
from lenticulum.spec.draw import Draw, fraction
from lenticulum.spec.lenses.lens import Lens
from lenticulum.spec.lenses.polynomial import Exponents, PolynomialMap, lens, parametric, polynomial_map


def size(draw: Draw) -> int:
    """The dimension of an object."""
    return draw.integer(1, 3)


def sizes(draw: Draw, count: int) -> tuple[int, ...]:
    """The dimensions of several objects; a mistake that only shows between unequal ones needs them unequal."""
    drawn = tuple(size(draw) for _ in range(count))
    draw.observe("all objects of one size", len(set(drawn)) == 1)
    return drawn


def vector(draw: Draw, length: int) -> Rational:
    """A rational vector."""
    return rational([fraction(draw) for _ in range(length)])


def polynomial(draw: Draw, source: int, target: int, modulus: int = 0, degree: int = 2) -> PolynomialMap:
    """A random polynomial map with at most three terms in each component; zero, constants and repeated variables occur.

    The coefficients are fractions over Q (denominators differ), residues over Z/p.
    """

    components = [
        {_exponents(draw, source, degree): _coefficient(draw, modulus) for _ in range(draw.integer(0, 3))}
        for _ in range(target)
    ]
    return polynomial_map(source, components, modulus)


def _exponents(draw: Draw, source: int, degree: int) -> Exponents:
    chosen = [draw.integer(0, source - 1) for _ in range(draw.integer(0, degree))] if source else []
    return tuple(chosen.count(variable) for variable in range(source))


def _coefficient(draw: Draw, modulus: int) -> int | Fraction:
    return draw.integer(1, modulus - 1) if modulus else fraction(draw)


def unlawful(draw: Draw, a: int, a_cotangent: int, b: int, b_cotangent: int) -> Lens:
    """A lens (A, A') -> (B, B') whose put is a random polynomial map, unrelated to its get and not linear in B'."""
    return lens(polynomial(draw, a, b), polynomial(draw, a + b_cotangent, a_cotangent))


def unlawful_parametric(draw: Draw, p: int, a: int, b: int) -> Lens:
    """A parametric lens A -> B with parameter P and an unrelated put; here A' = A, B' = B, P' = P."""
    return parametric(polynomial(draw, p + a, b), polynomial(draw, p + a + b, p + a))


def path(draw: Draw, objects: int) -> tuple[list[Lens], Callable[[], Rational], Callable[[], Rational]]:
    """Composable unlawful lenses through this many objects, and generators of a point and of a cotangent."""
    primal, dual = sizes(draw, objects), sizes(draw, objects)
    lenses = [unlawful(draw, primal[i], dual[i], primal[i + 1], dual[i + 1]) for i in range(objects - 1)]
    return lenses, lambda: vector(draw, primal[0]), lambda: vector(draw, dual[-1])
