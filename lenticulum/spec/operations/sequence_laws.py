"""Laws of embedding, rotary positions and sinusoidal positions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lenticulum.numbers import DomainError, Rational, ball, cos, exp, log, rational, sin, stack
from lenticulum.numbers.array import Positions
from lenticulum.spec.draw import Draw, rational_array
from lenticulum.spec.law import Grade, Law, Violation, require
from lenticulum.spec.operations import planted_sequence as planted
from lenticulum.spec.operations.enclosed import same
from lenticulum.spec.operations.planted_sequence import Rotate, reverse_in_weight
from lenticulum.spec.operations.sequence import rotate
from lenticulum.spec.operations.subject import Evaluate, Reverse, entries, equal, evaluate
from lenticulum.terms import Embedding, RotaryPositions, SinusoidalPositions


def embedding_case(draw: Draw) -> tuple[Positions, Rational]:
    """Ids of any shape, some of them equal, and a weight that is not square."""
    rows, features = draw.integer(1, 4), draw.integer(1, 3)
    shape = draw.choice(((), (3,), (2, 2), (0,)))
    draw.observe("square weight", rows == features)
    draw.observe("no axes", shape == ())
    ids = np.array([draw.integer(0, rows - 1) for _ in range(int(np.prod(shape)))], dtype=np.int64).reshape(shape)
    return ids, rational_array(draw, (rows, features))


def one_hot_product(of: Evaluate, draw: Draw) -> None:
    """y = onehot(ids) weight."""
    ids, weight = embedding_case(draw)
    onehot = (ids[..., None] == np.arange(weight.shape[0])).astype(int)
    got, expected = of(Embedding(), ids, weight), np.tensordot(onehot, entries(weight), 1)
    require(
        equal(got, expected + Fraction(0)), "not the product with the one-hot rows", ids=ids, weight=weight, got=got
    )


def ids_outside_are_rejected(of: Evaluate, draw: Draw) -> None:
    """An id that is negative or not below the number of rows is outside the domain."""
    ids, weight = embedding_case(draw)
    for wrong in (weight.shape[0], -1, -weight.shape[0]):
        changed = np.append(ids.ravel(), wrong)
        try:
            got = of(Embedding(), changed, weight)
        except DomainError:
            continue
        raise Violation("an id outside has a row", {"ids": changed, "weight": weight, "got": got})


def embedding_reverse(of: Reverse, draw: Draw) -> None:
    """dweight = onehot(ids)ᵀ c: the cotangents of one row add."""
    ids, weight = embedding_case(draw)
    c = rational_array(draw, (*ids.shape, weight.shape[1]))
    (got,) = of(Embedding(), (ids, weight), c)
    expected = np.zeros(weight.shape, dtype=object)
    for place in product(*map(range, ids.shape)):
        expected[ids[place]] += entries(c)[place]
    require(equal(got, expected + Fraction(0)), "dweight differs", ids=ids, weight=weight, c=c, got=got)


def rotation_of_pairs(of: Rotate, draw: Draw) -> None:
    """(a + b i) (cos + i sin) for each pair, at rational points of the circle; an odd width keeps its last entry."""
    width, layout = draw.integer(2, 7), draw.choice(("interleaved", "half"))
    draw.observe("even width", width % 2 == 0)
    half = width // 2
    x = rational_array(draw, (2, width))
    t = rational_array(draw, (half,), 3, 3)
    cosines, sines = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    got = of(x, cosines, sines, layout)
    expected = entries(x).copy()
    for i, (c, s) in enumerate(zip(cosines.tolist(), sines.tolist(), strict=True)):
        first, second = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + half)
        a, b = expected[:, first].copy(), expected[:, second].copy()
        expected[:, first], expected[:, second] = a * c - b * s, a * s + b * c
    require(equal(got, expected), "the pairs differ", x=x, cosines=cosines, sines=sines, layout=layout, got=got)
    require((got * got).sum() == (x * x).sum(), "the norm is not kept", x=x, got=got)


def rotary_angles(of: Evaluate, draw: Draw) -> None:
    """y = the rotation by position exp(-2 i / width log base); positions count from 0 unless they are given."""
    width, layout, base = (
        draw.integer(2, 5),
        draw.choice(("interleaved", "half")),
        draw.choice((10_000, Fraction(7, 2))),
    )
    count = draw.integer(1, 4)
    draw.observe("even width", width % 2 == 0)
    positions = draw.choice((None, np.array([draw.integer(-9, 500) for _ in range(count)])))
    x = rational_array(draw, (2, count, width))
    where = rational(list(range(count)) if positions is None else positions.tolist())

    def expected() -> Any:
        rates = exp(-ball([Fraction(2 * i, width) for i in range(width // 2)]) * log(ball(base)))
        angles = ball(where)[:, None] * rates
        return rotate(ball(x), cos(angles), sin(angles), layout)

    same(
        lambda: of(RotaryPositions(base, layout), ball(x), positions),
        expected,
        "the rotation differs",
        x=x,
        positions=positions,
        base=base,
        layout=layout,
    )


def scores_depend_on_differences(of: Evaluate, draw: Draw) -> None:
    """<R_m x, R_n y> = <R_(m + s) x, R_(n + s) y>."""
    width, layout = draw.integer(2, 5), draw.choice(("interleaved", "half"))
    x, y = rational_array(draw, (1, width)), rational_array(draw, (1, width))
    m, n, shift = draw.integer(0, 9), draw.integer(0, 9), draw.integer(1, 100)
    term = RotaryPositions(layout=layout)

    def score(by: int) -> Any:
        left, right = of(term, ball(x), np.array([m + by])), of(term, ball(y), np.array([n + by]))
        return (left * right).sum(axis=-1)

    same(lambda: score(0), lambda: score(shift), "the score depends on the position", x=x, y=y, at=(m, n, shift))


def waves(of: Evaluate, draw: Draw) -> None:
    """Entries sin(x r_i), cos(x r_i) with r_i = exp(-2 i / features log base), side by side or all sines first."""
    features, layout, base = draw.integer(1, 5), draw.choice(("interleaved", "half")), draw.choice((10_000, 2))
    draw.observe("even width", features % 2 == 0)
    x = rational_array(draw, draw.choice(((), (3,))))

    def expected() -> Any:
        sines: list[Any] = []
        cosines: list[Any] = []
        for i in range((features + 1) // 2):
            angle = ball(x) * exp(-ball(Fraction(2 * i, features)) * log(ball(base)))
            sines.append(sin(angle))
            cosines.append(cos(angle))
        pairs = [wave for pair in zip(sines, cosines, strict=True) for wave in pair]
        return stack(pairs[:features] if layout == "interleaved" else (sines + cosines)[:features], axis=-1)

    term = SinusoidalPositions(features, base, layout)
    same(lambda: of(term, ball(x)), expected, "the waves differ", x=x, term=term)


ROFORMER = "Su et al. 2021, arXiv:2104.09864"

LAWS: tuple[Law[Any], ...] = (
    Law(
        "embedding-is-a-one-hot-product",
        "y = onehot(ids) weight",
        "definition",
        Grade.EXACT,
        evaluate,
        one_hot_product,
        {"ids counted from 1": planted.from_one, "columns for rows": planted.columns},
    ),
    Law(
        "embedding-rejects-ids-outside",
        "an id that is negative or not below the number of rows is outside the domain",
        "PyTorch, torch.nn.functional.embedding (raises); JAX clamps or fills, jax.numpy.ndarray.at",
        Grade.EXACT,
        evaluate,
        ids_outside_are_rejected,
        {"clamped": planted.clamped, "wrapped": planted.wrapped, "a row of zeros": planted.zeros_outside},
    ),
    Law(
        "embedding-reverse",
        "dweight = onehot(ids)ᵀ c",
        "derived by hand: the map is linear in the weight",
        Grade.EXACT,
        reverse_in_weight,
        embedding_reverse,
        {"the last cotangent of a row alone": planted.last_cotangent},
    ),
    Law(
        "rotary-pairs",
        "(a + b i)(cos + i sin) for each pair; the odd coordinate and the norm are kept",
        ROFORMER,
        Grade.EXACT,
        rotate,
        rotation_of_pairs,
        {
            "the layouts exchanged": planted.layouts_exchanged,
            "the other direction": planted.turned_back,
            "odd coordinate scaled by cos + sin": planted.odd_coordinate_scaled,
        },
    ),
    Law(
        "rotary-angles",
        "the angle of pair i is position base^(-2 i / width)",
        ROFORMER + ", equation 15",
        Grade.ENCLOSED,
        evaluate,
        rotary_angles,
        {
            "positions counted from 1": planted.positions_from_one,
            "exponent 4 i / width": planted.twice_the_exponent,
            "given positions not read": planted.positions_not_read,
            "base of another table": planted.base_of_the_first_call,
        },
    ),
    Law(
        "rotary-scores",
        "<R_m x, R_n y> depends on m - n only",
        ROFORMER + ", equation 16",
        Grade.ENCLOSED,
        evaluate,
        scores_depend_on_differences,
        {"positions added for rotated": planted.positions_added},
    ),
    Law(
        "sinusoidal-waves",
        "sin and cos of x base^(-2 i / features), side by side or all sines first",
        "Vaswani et al. 2017, arXiv:1706.03762, section 3.5",
        Grade.ENCLOSED,
        evaluate,
        waves,
        {
            "the layouts exchanged": planted.waves_in_the_other_layout,
            "cosines first": planted.cosines_first,
            "exponent 2 i / (features - 1)": planted.exponent_of_another_width,
        },
    ),
)
