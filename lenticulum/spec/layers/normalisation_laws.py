"""The reverse derivatives of batch norm and layer norm in closed form, exactly, at rational roots."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lenticulum.numbers import rational
from lenticulum.spec.draw import Draw, fraction
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.layers import planted, rational_roots
from lenticulum.spec.layers.rational_roots import Column
from lenticulum.spec.lenses.planted_puts import Put
from lenticulum.spec.put import put
from lenticulum.terms import BatchNorm, LayerNorm, Mode, Tree

Vector = list[Fraction]


def batch_norm_reverse(of: Put, draw: Draw) -> None:
    """dx = (weight/s) (dy - mean(dy) - xh mean(dy xh)), dweight = sum dy xh, dbias = sum dy; sum dx = 0."""
    eps, n, features = rational_roots.epsilon(draw), draw.integer(2, 4), draw.integer(1, 2)
    draw.observe("as many rows as features", n == features)
    term = BatchNorm(features, epsilon=eps, new_weight=Fraction(1, 3))
    columns = [rational_roots.column(draw, n, eps) for _ in range(features)]
    weight, bias, cotangents = _vector(draw, features), _vector(draw, features), [_vector(draw, n) for _ in columns]
    state = Tree(running_mean=rational(_vector(draw, features)), running_variance=rational([1] * features))
    p = Tree(weight=rational(weight), bias=rational(bias))
    x, dy = _transposed([c.entries for c in columns]), _transposed(cotangents)
    pulled, to_x = of(term, rational(x), p, state, Mode.TRAIN, None, rational(dy))
    by_column = _transposed(_rows(to_x))
    for j, (c, g) in enumerate(zip(columns, cotangents, strict=True)):
        _require_reverse(by_column[j], c, [weight[j] * d for d in g], eps)
        slope, total = _dot(g, _normalised(c)), sum(g)
        require(pulled.weight.tolist()[j] == slope, "dweight differs", put=pulled.weight, expected=slope)
        require(pulled.bias.tolist()[j] == total, "dbias differs", put=pulled.bias, expected=total)


def layer_norm_reverse(of: Put, draw: Draw) -> None:
    """Row by row, dx = (h - mean(h) - xh mean(h xh)) / s with h = weight dy; sum dx = 0."""
    eps, rows, features = rational_roots.epsilon(draw), draw.integer(1, 3), draw.integer(2, 4)
    draw.observe("as many rows as features", rows == features)
    term = LayerNorm(features, epsilon=eps)
    columns = [rational_roots.column(draw, features, eps) for _ in range(rows)]
    weight, cotangents = _vector(draw, features), [_vector(draw, features) for _ in columns]
    p = Tree(weight=rational(weight), bias=rational(_vector(draw, features)))
    x = rational([c.entries for c in columns])
    pulled, to_x = of(term, x, p, Tree(), Mode.TRAIN, None, rational(cotangents))
    for c, g, row in zip(columns, cotangents, _rows(to_x), strict=True):
        _require_reverse(row, c, [a * d for a, d in zip(weight, g, strict=True)], eps)
    slopes = [
        sum((g[j] * _normalised(c)[j] for c, g in zip(columns, cotangents, strict=True)), Fraction(0))
        for j in range(features)
    ]
    require(pulled.weight.tolist() == slopes, "dweight differs", put=pulled.weight, expected=slopes)


def _require_reverse(dx: Vector, c: Column, h: Vector, eps: Fraction) -> None:
    """dx = (h - mean(h) - xh mean(h xh)) / s; so its sum is 0, and <dx, xh> vanishes with epsilon only."""
    normalised, n = _normalised(c), len(h)
    mean, slope = _mean(h), _dot(h, normalised) / n
    expected = [(d - mean - xh * slope) / c.root for d, xh in zip(h, normalised, strict=True)]
    require(dx == expected, "dx differs", point=c, scaled_cotangent=h, put=dx, expected=expected)
    require(_mean(dx) == 0, "dx does not sum to 0", point=c, scaled_cotangent=h, put=dx)
    along = eps / c.root**2 * _dot(h, normalised) / c.root
    require(_dot(dx, normalised) == along, "<dx, xh> differs from (epsilon / s^2) <h, xh> / s", point=c, put=dx)


def _mean(x: Vector) -> Fraction:
    return sum(x, Fraction(0)) / len(x)


def _normalised(c: Column) -> Vector:
    return [(entry - c.mean) / c.root for entry in c.entries]


def _dot(left: Vector, right: Vector) -> Fraction:
    return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))


def _vector(draw: Draw, length: int) -> Vector:
    return [fraction(draw) for _ in range(length)]


def _transposed(rows: list[Vector]) -> list[Vector]:
    return [list(column) for column in zip(*rows, strict=True)]


def _rows(x: Any) -> list[Vector]:
    return x.tolist()


LAWS: tuple[Law[Put], ...] = (
    Law(
        "batch-norm-reverse",
        "dx = (weight/s) (dy - mean(dy) - xh mean(dy xh)), sum dx = 0",
        "derived by hand from the normalisation of Ioffe and Szegedy 2015, arXiv:1502.03167",
        Grade.EXACT,
        put,
        batch_norm_reverse,
        {"statistics held constant": planted.statistics_held_constant},
    ),
    Law(
        "layer-norm-reverse",
        "dx = (h - mean(h) - xh mean(h xh)) / s with h = weight dy, sum dx = 0",
        "derived by hand from the normalisation of Ba, Kiros and Hinton 2016, arXiv:1607.06450",
        Grade.EXACT,
        put,
        layer_norm_reverse,
        {"statistics held constant": planted.statistics_held_constant},
    ),
)
