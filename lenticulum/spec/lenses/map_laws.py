"""Laws of parameter maps on terms: the action, the exchange with composition, the put, and the gauge of low rank."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lenticulum.numbers import Rational
from lenticulum.spec.apply import apply
from lenticulum.spec.data import Data
from lenticulum.spec.draw import Draw, rational_array
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.lenses import planted_maps
from lenticulum.spec.lenses.map_cases import invertible, point, random_map, random_maps
from lenticulum.spec.lenses.planted_maps import Gauge, Originals
from lenticulum.spec.lenses.term_cases import data
from lenticulum.spec.lenses.term_laws import whole_put
from lenticulum.spec.put import put
from lenticulum.spec.reparametrise import original
from lenticulum.terms import (
    Compose,
    Dense,
    IdentityMap,
    LowRank,
    Mode,
    ParameterMap,
    PartwiseMap,
    Reparametrise,
    Term,
    Tree,
)


def in_another_gauge(left: Rational, right: Rational, gauge: Rational, inverse: Rational) -> tuple[Rational, Rational]:
    """(A G, G⁻¹ B)."""
    return left @ gauge, inverse @ right


def cotangents_in_another_gauge(
    left: Rational, right: Rational, gauge: Rational, inverse: Rational
) -> tuple[Rational, Rational]:
    """(A' G⁻ᵀ, Gᵀ B')."""
    return left @ inverse.T, gauge.T @ right


@dataclass(frozen=True)
class Maps:
    """The operations that the laws are about."""

    original: Originals = original
    gauge: Gauge = in_another_gauge
    cotangent_gauge: Gauge = cotangents_in_another_gauge


MAPS = Maps()


def get_and_put(of: Maps, term: Term, by: list[ParameterMap], *at: Any) -> tuple[Data, Tree, Data]:
    """The value of a term under maps, outermost first, and its put, with `of.original` for each map."""
    x, parameters, state, cotangent = at
    stages: list[Any] = []
    for position, each in enumerate(by):
        below: Term = term
        for inner in reversed(by[position + 1 :]):
            below = Reparametrise(below, inner)
        stages.append(of.original(each, below.parameter_shapes(), parameters, state))
        parameters, state = stages[-1].parameters, stages[-1].state
    y, _ = apply(term, x, parameters, state, Mode.EVAL, None)
    pulled, to_x = put(term, x, parameters, state, Mode.EVAL, None, cotangent)
    for stage in reversed(stages):
        pulled = stage.pull(pulled)
    return y, pulled, to_x


def case(draw: Draw, term: Term, by: ParameterMap, source: int, target: int) -> tuple[Data, Tree, Tree, Data]:
    """A rational point of a reparametrised term, and a cotangent."""
    batch = draw.choice([(), (2,)])
    whole = Reparametrise(term, by)
    x, cotangent = data(draw, source, batch), data(draw, target, batch)
    return x, point(draw, whole.parameter_shapes()), point(draw, whole.state_shapes()), cotangent


def layers(draw: Draw) -> tuple[Term, int, int]:
    """Two dense layers, often square, and their source and target."""
    source, middle, target = (draw.choice([1, 2, 2]) for _ in range(3))
    draw.observe("all shapes square", source == middle == target)
    return Compose((Dense(source, middle), Dense(middle, target, use_bias=False))), source, target


def maps_act(of: Maps, draw: Draw) -> None:
    """1* f = f, and (s;r)* f = s*(r* f), value and put."""
    term, source, target = layers(draw)
    x, p, state, cotangent = case(draw, term, IdentityMap(), source, target)
    unchanged = get_and_put(of, term, [IdentityMap()], x, p, state, cotangent)
    require(unchanged == get_and_put(of, term, [], x, p, state, cotangent), "1* f differs from f", term=term)
    by = random_maps(draw, term.parameter_shapes())
    at = case(draw, term, by, source, target)
    once, one_by_one = get_and_put(of, term, [by], *at), get_and_put(MAPS, term, list(by.maps), *at)
    require(
        once == one_by_one, "(s;r)* f differs from s*(r* f)", term=term, by=by, at=at, got=once, expected=one_by_one
    )


def maps_exchange_with_composition(of: Maps, draw: Draw) -> None:
    """(r* f);(s* g) = (s x r)*(f;g), on the nose: the trees have one structure, because parts are named."""
    source, middle, target = (draw.choice([1, 2, 2]) for _ in range(3))
    draw.observe("all shapes square", source == middle == target)
    f, g = Dense(source, middle), Dense(middle, target)
    r, s = random_map(draw, f.parameter_shapes()), random_map(draw, g.parameter_shapes())
    parts, by = Compose((Reparametrise(f, r), Reparametrise(g, s))), PartwiseMap(("layer_1", "layer_2"), (r, s))
    whole = Reparametrise(Compose((f, g)), by)
    trees = parts.parameter_shapes(), parts.state_shapes()
    require(trees == (whole.parameter_shapes(), whole.state_shapes()), "the trees differ", parts=parts, by=by)
    at = case(draw, Compose((f, g)), by, source, target)
    x, p, state, cotangent = at
    y, _ = apply(parts, x, p, state, Mode.EVAL, None)
    expected = (y, *put(parts, x, p, state, Mode.EVAL, None, cotangent))
    got = get_and_put(of, Compose((f, g)), [by], *at)
    require(got == expected, "(s x r)*(f;g) differs from (r* f);(s* g)", r=r, s=s, at=at, got=got, expected=expected)


def reverse_of_a_reparametrised_term(of: Maps, draw: Draw) -> None:
    """R[r* f] = R[r]* R[f]: the put through the map = the tape of the whole `apply`."""
    term, source, target = layers(draw)
    by = random_map(draw, term.parameter_shapes())
    x, p, state, cotangent = case(draw, term, by, source, target)
    _, *composed = get_and_put(of, term, [by], x, p, state, cotangent)
    whole = list(whole_put(Reparametrise(term, by), x, p, state, cotangent))
    require(composed == whole, "R[r]* R[f] differs from R[r* f]", term=term, by=by, put=composed, expected=whole)


def low_rank_is_invariant_under_gauge(of: Maps, draw: Draw) -> None:
    """(A G, G⁻¹ B) gives the same matrix and the same function as (A, B), for every invertible G."""
    by, (left, right), (base, x), (gauge, inverse) = low_rank_case(draw)
    term = Dense(right.shape[1], left.shape[0], use_bias=False)
    moved_left, moved_right = of.gauge(left, right, gauge, inverse)
    state = Tree(frozen=Tree(weight=base), inner=Tree())

    def made(one: Rational, other: Rational) -> tuple[Tree, Data]:
        r = of.original(by, term.parameter_shapes(), Tree(weight=Tree(left=one, right=other)), state)
        return r.parameters, apply(term, x, r.parameters, r.state, Mode.EVAL, None)[0]

    here, there = made(left, right), made(moved_left, moved_right)
    require(here == there, "the gauge changes the function", left=left, right=right, gauge=gauge, got=there)


def low_rank_cotangents_move_against_the_gauge(of: Maps, draw: Draw) -> None:
    """At (A G, G⁻¹ B) the cotangents are (A' G⁻ᵀ, Gᵀ B'): so a step of descent is equivariant only where G⁻ᵀ = G."""
    by, (left, right), (base, _), (gauge, inverse) = low_rank_case(draw)
    shapes, state = Tree(weight=base.shape), Tree(frozen=Tree(weight=base), inner=Tree())
    cotangent = Tree(weight=rational_array(draw, base.shape))

    def pulled(one: Rational, other: Rational) -> tuple[Rational, Rational]:
        factors = of.original(by, shapes, Tree(weight=Tree(left=one, right=other)), state).pull(cotangent).weight
        return factors.left, factors.right

    here, there = pulled(left, right), pulled(*in_another_gauge(left, right, gauge, inverse))
    expected = of.cotangent_gauge(*here, gauge, inverse)
    require(there == expected, "the cotangents move otherwise", gauge=gauge, got=there, expected=expected)


def low_rank_case(draw: Draw) -> tuple[LowRank, tuple[Rational, ...], tuple[Rational, ...], tuple[Rational, Rational]]:
    """A low-rank map of one weight, its factors, base and input, and an invertible matrix with its inverse."""
    rows, columns, rank = draw.integer(1, 3), draw.integer(1, 3), draw.integer(1, 2)
    draw.observe("all shapes square", rows == columns == rank)
    draw.observe("rank one", rank == 1)
    by = LowRank(("weight",), rank, draw.choice(["1/2", "3"]))
    factors = rational_array(draw, (rows, rank)), rational_array(draw, (rank, columns))
    others = rational_array(draw, (rows, columns)), rational_array(draw, (2, columns))
    return by, factors, others, invertible(draw, rank)


PARA_SOURCE = "arXiv:2103.01931, Definitions 2.3 and 2.5"
GAUGE_SOURCE = "derived by hand: (A G)(G⁻¹ B) = A B, and the chain rule"

LAWS: tuple[Law[Maps], ...] = (
    Law(
        "map-action",
        "1*f = f, (s;r)*f = s*(r*f), for terms under parameter maps",
        PARA_SOURCE,
        Grade.EXACT,
        MAPS,
        maps_act,
        {
            "order of the maps exchanged": Maps(planted_maps.order_exchanged),
            "put of the map at the wrong point": Maps(planted_maps.pulled_at_the_new_parameters),
        },
    ),
    Law(
        "map-exchange",
        "(r*f);(s*g) = (s x r)*(f;g), for terms, with one structure of the trees",
        "derived by hand from arXiv:2103.01931, Definitions 2.1 and 2.3, with named parts",
        Grade.EXACT,
        MAPS,
        maps_exchange_with_composition,
        {"maps crossed": Maps(planted_maps.maps_crossed)},
    ),
    Law(
        "map-reverse",
        "R[r*f] = R[r]*R[f], for terms under parameter maps",
        "derived by hand from arXiv:2103.01931, Definition 2.3 and Proposition 2.7",
        Grade.EXACT,
        MAPS,
        reverse_of_a_reparametrised_term,
        {
            "scale forgotten in the put": Maps(planted_maps.scale_forgotten_in_the_put),
            "tied cotangent taken once": Maps(planted_maps.first_use_only),
        },
    ),
    Law(
        "low-rank-gauge",
        "(A G, G⁻¹ B) gives the matrix and the function of (A, B)",
        GAUGE_SOURCE,
        Grade.EXACT,
        MAPS,
        low_rank_is_invariant_under_gauge,
        {
            "inverse forgotten": replace(MAPS, gauge=planted_maps.inverse_forgotten),
            "transposed gauge": replace(MAPS, gauge=planted_maps.transposed_gauge),
        },
    ),
    Law(
        "low-rank-gauge-cotangents",
        "at (A G, G⁻¹ B) the cotangents are (A' G⁻ᵀ, Gᵀ B')",
        GAUGE_SOURCE,
        Grade.EXACT,
        MAPS,
        low_rank_cotangents_move_against_the_gauge,
        {
            "moved as the factors": replace(MAPS, cotangent_gauge=planted_maps.as_the_factors),
        },
    ),
)
