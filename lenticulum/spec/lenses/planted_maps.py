"""Planted mistakes about parameter maps: `original` with one rule replaced by a wrong one, and wrong gauges."""

from __future__ import annotations

from collections.abc import Callable

from lenticulum.numbers import Rational
from lenticulum.spec.reparametrise import Original, original
from lenticulum.terms import ComposedMap, LowRank, ParameterMap, PartwiseMap, Tie, Tree, map_leaves, replace
from lenticulum.terms.reparametrisations import split

Originals = Callable[[ParameterMap, Tree, Tree, Tree], Original]
#: From factors and an invertible matrix with its inverse: the factors in another gauge.
Gauge = Callable[[Rational, Rational, Rational, Rational], tuple[Rational, Rational]]


def order_exchanged(by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    """First the last map, then the first, where the trees let it."""
    exchanged = ComposedMap(by.maps[::-1]) if isinstance(by, ComposedMap) else by
    return _where_it_fits(exchanged, by, shapes, parameters, state)


def pulled_at_the_new_parameters(by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    """(s;r) with r* taken at t instead of at s(t), where the trees let it."""
    right = original(by, shapes, parameters, state)
    if not (isinstance(by, ComposedMap) and len(by.maps) == 2):
        return right
    first, last = by.maps
    between = original(first, last.parameter_shapes(shapes), parameters, state)
    if _shapes(between.parameters) != _shapes(parameters):
        return right
    at_new = original(last, shapes, parameters, between.state)

    def pull(cotangent: Tree) -> Tree:
        return between.pull(at_new.pull(cotangent))

    return right._replace(pull=pull)


def maps_crossed(by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    """Each part is given the map of the other, where the trees let it: r x s for s x r."""
    crossed = PartwiseMap(by.names, by.maps[::-1]) if isinstance(by, PartwiseMap) else by
    return _where_it_fits(crossed, by, shapes, parameters, state)


def scale_forgotten_in_the_put(by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    """The cotangents of low-rank factors without the scale."""
    right = original(by, shapes, parameters, state)
    if isinstance(by, LowRank):
        return right._replace(pull=original(replace(by, scale=1), shapes, parameters, state).pull)
    return right


def first_use_only(by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    """The cotangent of a tied parameter is that of its first use."""
    right = original(by, shapes, parameters, state)

    def pull(cotangent: Tree) -> Tree:
        for follower in by.followers() if isinstance(by, Tie) else ():
            cotangent = cotangent.without(split(follower))
        return cotangent

    return right._replace(pull=pull) if isinstance(by, Tie) else right


def inverse_forgotten(left: Rational, right: Rational, gauge: Rational, inverse: Rational) -> tuple[Rational, Rational]:
    """(A G, G B)."""
    return left @ gauge, gauge @ right


def transposed_gauge(left: Rational, right: Rational, gauge: Rational, inverse: Rational) -> tuple[Rational, Rational]:
    """(A Gᵀ, G⁻¹ B): right for no gauge but a symmetric one."""
    return left @ gauge.T, inverse @ right


def as_the_factors(left: Rational, right: Rational, gauge: Rational, inverse: Rational) -> tuple[Rational, Rational]:
    """(A' G, G⁻¹ B'): cotangents moved as the factors are, right for no gauge but an orthogonal one."""
    return left @ gauge, inverse @ right


def _where_it_fits(wrong: ParameterMap, by: ParameterMap, shapes: Tree, parameters: Tree, state: Tree) -> Original:
    try:
        made = original(wrong, shapes, parameters, state)
        if _shapes(made.parameters) == shapes:
            return made
    except (AttributeError, KeyError, TypeError, ValueError):
        pass
    return original(by, shapes, parameters, state)


def _shapes(tree: Tree) -> Tree:
    return map_leaves(lambda leaf: leaf.shape, tree)
