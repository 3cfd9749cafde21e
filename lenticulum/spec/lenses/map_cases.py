"""Generators of the laws of parameter maps: random rational maps for the parameters of a term, and their points."""

from __future__ import annotations

from fractions import Fraction
from math import prod

from lenticulum.numbers import Rational, rational
from lenticulum.spec.draw import Draw, rational_array
from lenticulum.spec.parameter_maps import replaced
from lenticulum.spec.reparametrise import parameter_map
from lenticulum.terms import (
    ComposedMap,
    Dense,
    Freeze,
    Hypernetwork,
    IdentityMap,
    LowRank,
    ParameterMap,
    Symmetric,
    Tie,
    Tree,
    chain,
    map_leaves,
    value,
)


@value
class Squared(ParameterMap):
    """Every entry of the named parameters is squared: a map of a user's own, not linear, from a tree to itself."""

    paths: tuple[str, ...]

    def parameter_shapes(self, shapes: Tree) -> Tree:
        """Return the shapes as they are."""
        return shapes


@parameter_map(Squared)
def squared_at(parameters: Tree, *, paths: tuple[str, ...]) -> Tree:
    """Return the parameters with the named ones squared."""
    return replaced(parameters, paths, lambda leaf: leaf * leaf)


def random_map(draw: Draw, shapes: Tree) -> ParameterMap:
    """A random map into parameters of these shapes."""
    named = {".".join(path): shape for path, shape in zip(shapes.paths(), shapes.leaves(), strict=True)}
    if not named:
        return IdentityMap()
    path = draw.choice(list(named))
    shape = named[path]
    kinds = ["squared", "squared", "freeze", "generator"]
    kinds += ["low rank", "low rank"] if len(shape) == 2 else []
    kinds += ["symmetric", "symmetric"] if len(shape) == 2 and shape[0] == shape[1] else []
    twins = [other for other in named if named[other] == shape and other != path]
    kinds += ["tie", "tie"] if twins else []
    kind = draw.choice(kinds)
    draw.observe("every map is of the user's kind", kind == "squared")
    if kind == "freeze":
        return Freeze((path,))
    if kind == "generator":
        return Hypernetwork(path, chain(Dense(2, 1), Dense(1, prod(shape))), 2)
    if kind == "low rank":
        scale = draw.choice(["1/2", "3", "-2/3"])
        return LowRank((path,), draw.integer(1, 2), scale, draw.choice(["frozen", "parameter"]))
    if kind == "symmetric":
        return Symmetric((path,))
    return Tie(((path, draw.choice(twins)),)) if kind == "tie" else Squared((path,))


def random_maps(draw: Draw, shapes: Tree) -> ComposedMap:
    """Two random maps, one after the other."""
    last = random_map(draw, shapes)
    return ComposedMap((random_map(draw, last.parameter_shapes(shapes)), last))


def point(draw: Draw, shapes: Tree) -> Tree:
    """Rational data of these shapes."""
    return map_leaves(lambda shape: rational_array(draw, shape), shapes)


def invertible(draw: Draw, size: int) -> tuple[Rational, Rational]:
    """A rational matrix L D U and its inverse, in general neither orthogonal nor symmetric."""
    lower, upper = _unit_triangle(draw, size), _unit_triangle(draw, size).T
    scales = [Fraction(draw.choice([-2, 1, 3])) for _ in range(size)]
    inverse = _inverse(upper.T).T @ diagonal([1 / scale for scale in scales]) @ _inverse(lower)
    return lower @ diagonal(scales) @ upper, inverse


def diagonal(entries: list[Fraction]) -> Rational:
    """The matrix with these entries on its diagonal."""
    size = range(len(entries))
    return rational([[entries[i] if i == j else 0 for j in size] for i in size])


def _unit_triangle(draw: Draw, size: int) -> Rational:
    return rational([[draw.integer(-2, 2) if j < i else int(i == j) for j in range(size)] for i in range(size)])


def _inverse(lower: Rational) -> Rational:
    """The inverse of a lower triangle 1 - N: the sum of the powers of N, which is nilpotent."""
    one = diagonal([Fraction(1)] * lower.shape[0])
    result = power = one
    for _ in range(lower.shape[0]):
        power = power @ (one - lower)
        result = result + power
    return result
