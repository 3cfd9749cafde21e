"""Laws of the containers with a connection: closed forms for affine layers and a connection that has an order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any

from lenticulum.numbers import rational
from lenticulum.spec import containers
from lenticulum.spec.draw import Draw, fraction
from lenticulum.spec.law import Grade, Inapplicable, Law, require


@dataclass(frozen=True)
class Connected:
    """The containers that connect, as records, so that a planted mistake replaces one of them."""

    parallel: Callable[..., Any] = containers.parallel
    skip: Callable[..., Any] = containers.skip
    pairwise_fusion: Callable[..., Any] = containers.pairwise_fusion


CONTAINERS = Connected()


def minus(pair: Any) -> Any:
    """c(a, b) = a - b: not commutative, on purpose."""
    return pair[0] - pair[1]


def affine(slope: Fraction, offset: Fraction) -> Callable[[Any], Any]:
    """y -> slope y + offset."""
    return lambda y: y * slope + offset


def connection_has_an_order(of: Connected, draw: Draw) -> None:
    """With c(a, b) = a - b and l_i(y) = s_i y + t_i: Skip s x + t - x, Parallel l_1(x_1) - l_2(x_2), and for
    PairwiseFusion x_1 prod(-s_i) + sum_i (x_(i+1) - t_i) prod_(j > i) (-s_j)."""
    count = draw.integer(1, 3)
    slopes, offsets = [fraction(draw) for _ in range(count)], [fraction(draw) for _ in range(count)]
    xs = [fraction(draw) for _ in range(count + 1)]
    layers = tuple(map(affine, slopes, offsets))
    s, t, x = slopes[0], offsets[0], xs[0]
    _require("Skip", of.skip(rational(x), term=layers[0], connection=minus), s * x + t - x)
    values = [s * x + t for s, t, x in zip(slopes, offsets, xs, strict=False)]
    if count == 2:
        two = tuple(rational(x) for x in xs[:2])
        _require("Parallel", of.parallel(two, connection=minus, parts=layers), values[0] - values[1])
    fused = xs[0] * prod(-s for s in slopes) + sum(
        (xs[i + 1] - offsets[i]) * prod((-s for s in slopes[i + 1 :]), start=Fraction(1)) for i in range(count)
    )
    found = of.pairwise_fusion(tuple(rational(x) for x in xs), connection=minus, parts=layers)
    _require("PairwiseFusion", found, fused)
    if s * x + t == x:
        raise Inapplicable("at a fixed point a difference has no order")


def _require(name: str, found: Any, expected: Fraction) -> None:
    require(bool(found == rational(expected)), f"{name} is another", found=found, expected=expected)


def _swapped(connection: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda pair: connection(pair[::-1])


def _skip(x: Any, *, term: Any, connection: Any) -> Any:
    return containers.skip(x, term=term, connection=_swapped(connection))


def _fusion(x: Any, *, connection: Any, parts: Any) -> Any:
    return containers.pairwise_fusion(x, connection=_swapped(connection), parts=parts)


def _parallel(x: Any, *, connection: Any, parts: Any) -> Any:
    return containers.parallel(x, connection=_swapped(connection), parts=parts)


LAWS: tuple[Law[Connected], ...] = (
    Law(
        "connection-order",
        "c(l(x), x), c(l_1(x_1), l_2(x_2)) and y_i = c(x_(i+1), l_i(y_(i-1))), for a c that is not commutative",
        "the documentation of Lux.jl: SkipConnection, Parallel, PairwiseFusion",
        Grade.EXACT,
        CONTAINERS,
        connection_has_an_order,
        {
            "skip connection swapped": replace(CONTAINERS, skip=_skip),
            "parallel connection swapped": replace(CONTAINERS, parallel=_parallel),
            "fusion connection swapped": replace(CONTAINERS, pairwise_fusion=_fusion),
        },
    ),
)
