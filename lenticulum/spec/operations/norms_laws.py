"""Laws of the normalisations, enclosed by balls, at data whose roots are rational: values, relations, derivatives."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import Ball, ball, working_precision
from lenticulum.spec.apply import apply
from lenticulum.spec.draw import Draw, fraction
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.layers import rational_roots
from lenticulum.spec.operations import planted_norms as planted
from lenticulum.spec.operations.subject import Evaluate, Reverse, evaluate, reverse
from lenticulum.terms import GroupNorm, InstanceNorm, L2Normalize, LayerNorm, Mode, RmsNorm, Tree
from lenticulum.terms.operations.norms import EPSILON_AT

BITS = 256
TOLERANCE = Fraction(1, 2**200)

#: Arrays of Fractions.
Exact = Any


def same(got: Ball, expected: Exact, message: str, **witness: object) -> None:
    """Require enclosures to lie within 2^-200 of rational numbers, relative to 1 and to their squares."""
    agree(got, balls(expected), message, **witness)


def agree(left: Any, right: Any, message: str, **witness: object) -> None:
    """Require the numbers in two arrays of enclosures to be as close."""
    require(left.shape == right.shape, f"{message}: the shape differs", left=left, right=right, **witness)
    difference, bound = left - right, TOLERANCE * (1 + right * right)
    near = (difference <= bound) & (-bound <= difference)
    require(bool(near.all()), message, left=left, right=right, **witness)


def balls(x: Exact) -> Ball:
    """Return an array of Fractions as balls."""
    return ball(np.asarray(x, object).tolist())


def rms_norm_values(of: Evaluate, draw: Draw) -> None:
    """y = weight x / s + bias where mean(x²) + epsilon = s²."""
    eps = rational_roots.epsilon(draw)
    axes, shape = _suffix(draw)
    x, s = _scaled_rows(draw, 2, shape, eps)
    weight, bias = _maybe(draw, shape), _maybe(draw, shape)
    expected = _affine(x / s, weight, bias)
    with working_precision(BITS):
        got = of(RmsNorm(axes, epsilon=eps), balls(x), _given(weight), _given(bias))
        same(got, expected, "rms_norm differs", x=x, weight=weight, bias=bias, epsilon=eps)


def rms_norm_is_homogeneous(of: Evaluate, draw: Draw) -> None:
    """With epsilon -> a² epsilon, x -> a x changes the sign alone; the mean is not subtracted."""
    eps, a = rational_roots.epsilon(draw), draw.choice((Fraction(-3), Fraction(2), Fraction(5, 2)))
    x, s = _scaled_rows(draw, 2, (3,), eps)
    with working_precision(BITS):
        got = of(RmsNorm(epsilon=a * a * eps), balls(a * x))
        same(got, x / s * (1 if a > 0 else -1), "rms_norm is not homogeneous", x=x, a=a, epsilon=eps)


def group_norm_values(of: Evaluate, draw: Draw) -> None:
    """y = weight (x - mean) / s + bias where var + epsilon = s² in each block of neighbouring channels."""
    eps = rational_roots.epsilon(draw)
    x, normalised, groups = _grouped(draw, eps)
    channels = x.shape[1]
    weight, bias = _maybe(draw, (channels,)), _maybe(draw, (channels,))
    last = _affine(np.moveaxis(normalised, 1, -1), weight, bias)
    expected = np.moveaxis(last, -1, 1)
    with working_precision(BITS):
        got = of(GroupNorm(groups, epsilon=eps), balls(x), _given(weight), _given(bias))
        same(got, expected, "group_norm differs", x=x, weight=weight, bias=bias, groups=groups, epsilon=eps)


def group_norm_at_its_ends(of: Evaluate, draw: Draw) -> None:
    """One group is layer norm of each example as a vector; as many groups as channels are instance norm."""
    eps = rational_roots.epsilon(draw)
    batch, channels, positions = draw.integer(1, 2), draw.integer(2, 3), draw.integer(2, 3)
    draw.observe("as many channels as positions", channels == positions)
    x: Exact = np.array([fraction(draw) for _ in range(batch * channels * positions)], object)
    with working_precision(BITS):
        data = balls(x.reshape(batch, channels, positions))
        vectors = data.reshape((batch, -1))
        term = LayerNorm(channels * positions, epsilon=eps, use_weight=False, use_bias=False)
        layer, _ = apply(term, vectors, Tree(), Tree(), Mode.EVAL, None)
        one = of(GroupNorm(1, epsilon=eps), data).reshape(vectors.shape)
        agree(one, layer, "one group is not layer norm", x=x)
        instance = of(InstanceNorm(epsilon=eps), data)
        many = of(GroupNorm(channels, epsilon=eps), data)
        agree(many, instance, "one channel in each group is not instance norm", x=x)


def l2_normalize_values(of: Evaluate, draw: Draw) -> None:
    """y = x / D with D = max(r, epsilon), sqrt(r² + epsilon), r + epsilon, sqrt(max(r², epsilon)) at the length r."""
    x, r, eps, axis = _spheres(draw)
    with working_precision(BITS):
        for choice in EPSILON_AT:
            got = of(L2Normalize(axis, eps, choice), balls(x))
            divisor, _ = _divisor(r, eps, choice)
            same(got, x / np.expand_dims(divisor, axis), f"l2_normalize differs at {choice}", x=x, epsilon=eps)


def rms_norm_reverse(of: Reverse, draw: Draw) -> None:
    """dx = (h - u mean(h u)) / s with h = weight c, u = x/s; dweight = sum c u, dbias = sum c over the rows."""
    eps = rational_roots.epsilon(draw)
    x, s = _scaled_rows(draw, 2, (3,), eps)
    weight, bias, c = _vector(draw, (3,)), _vector(draw, (3,)), _vector(draw, (2, 3))
    u, h = x / s, weight * c
    expected = (h - u * np.mean(h * u, axis=1, keepdims=True)) / s, np.sum(c * u, axis=0), np.sum(c, axis=0)
    with working_precision(BITS):
        pulled = of(RmsNorm(epsilon=eps), (balls(x), balls(weight), balls(bias)), balls(c))
        for role, got, value in zip(("x", "weight", "bias"), pulled, expected, strict=True):
            same(got, value, f"the cotangent of {role} differs", x=x, c=c, weight=weight, epsilon=eps)


def group_norm_reverse(of: Reverse, draw: Draw) -> None:
    """dx = (h - mean(h) - u mean(h u)) / s in each group, with h = weight c and u the normalised entries."""
    eps = rational_roots.epsilon(draw)
    x, u, groups = _grouped(draw, eps)
    weight, bias, c = _vector(draw, (x.shape[1],)), _vector(draw, (x.shape[1],)), _vector(draw, x.shape)
    spread = (1, x.shape[1]) + (1,) * (x.ndim - 2)
    blocks = (x.shape[0], groups, -1)
    grouped, normalised, h = x.reshape(blocks), u.reshape(blocks), (weight.reshape(spread) * c).reshape(blocks)
    centred = grouped - np.mean(grouped, axis=2, keepdims=True)
    # s is rational: the ratio of a deviation to its normalised entry, or the root of epsilon in a constant group.
    s = np.array([_ratio(d, n, eps) for d, n in _pairs(centred, normalised)], object).reshape((*blocks[:2], 1))
    mean, slope = (np.mean(each, axis=2, keepdims=True) for each in (h, h * normalised))
    by_x = ((h - mean - normalised * slope) / s).reshape(x.shape)
    others = tuple(a for a in range(x.ndim) if a != 1)
    expected = by_x, np.sum(c * u, axis=others), np.sum(c, axis=others)
    with working_precision(BITS):
        pulled = of(GroupNorm(groups, epsilon=eps), (balls(x), balls(weight), balls(bias)), balls(c))
        for role, got, value in zip(("x", "weight", "bias"), pulled, expected, strict=True):
            same(got, value, f"the cotangent of {role} differs", x=x, c=c, weight=weight, epsilon=eps)


def l2_normalize_reverse(of: Reverse, draw: Draw) -> None:
    """dx = c/D - (x·c) D' x/(r D²); where the maximum is the other argument, and at r = 0, it is c/D."""
    x, r, eps, axis = _spheres(draw)
    c = _vector(draw, x.shape)
    along = np.sum(x * c, axis=axis, keepdims=True)
    for choice in EPSILON_AT:
        divisor, slope = (np.expand_dims(each, axis) for each in _divisor(r, eps, choice))
        length = np.expand_dims(r + (r == 0), axis)
        expected = c / divisor - along * slope * x / (length * divisor * divisor)
        with working_precision(BITS):
            (got,) = of(L2Normalize(axis, eps, choice), (balls(x),), balls(c))
            same(got, expected, f"the cotangent differs at {choice}", x=x, c=c, epsilon=eps)


def _scaled_rows(draw: Draw, batch: int, shape: tuple[int, ...], eps: Fraction) -> tuple[Exact, Exact]:
    """Rows with mean(x²) + epsilon = s², and s: x = a d, where the conic a² mean(d²) + e² = s² has the point (0, e)."""
    e, size = rational_roots.square_root(eps), int(np.prod(shape))
    found: list[tuple[list[Fraction], Fraction]] = []
    for _ in range(batch):
        d = [draw.integer(-3, 3) for _ in range(size)]
        t = Fraction(draw.choice([-1, 1]), draw.choice([5, 7, 11]))
        a = 2 * e * t / (Fraction(sum(each * each for each in d), size) - t * t)
        found.append(([a * each for each in d], abs(e + a * t)))
    x: Exact = np.array([row for row, _ in found], object).reshape((batch, *shape))
    return x, np.array([s for _, s in found], object).reshape((batch,) + (1,) * len(shape))


def _grouped(draw: Draw, eps: Fraction) -> tuple[Exact, Exact, int]:
    """x [batch, channels, ...] whose groups have rational roots, the normalised x, and the number of groups."""
    batch, groups, members = draw.integer(1, 2), draw.integer(1, 3), draw.integer(1, 3)
    positions = draw.choice(((), (1,), (2,), (2, 2)))
    draw.observe("one channel in each group", members == 1)
    draw.observe("as many groups as members", groups == members)
    size = members * int(np.prod(positions))
    columns = [rational_roots.column(draw, size, eps) for _ in range(batch * groups)]
    shape = (batch, groups * members, *positions)
    x: Exact = np.array([each.entries for each in columns], object).reshape(shape)
    normalised = [[(entry - each.mean) / each.root for entry in each.entries] for each in columns]
    return x, np.array(normalised, object).reshape(shape), groups


def _spheres(draw: Draw) -> tuple[Exact, Exact, Fraction, int]:
    """Vectors along an axis, their lengths r >= 0, an epsilon, a square with r² + epsilon square too, and the axis."""
    eps = rational_roots.epsilon(draw)
    e, size, vectors = rational_roots.square_root(eps), draw.integer(2, 3), draw.integer(1, 4)
    draw.observe("as many vectors as entries", size == vectors)
    # The conic r² + e² = s² through (0, e); t = 0 is the vector 0, t = 1/3 gives r = 3/4 e, t = 2 gives r = 4/3 e.
    slopes = [
        draw.choice((Fraction(0), Fraction(1, 3), Fraction(2), Fraction(1, 5), Fraction(7, 6))) for _ in range(vectors)
    ]
    r: Exact = np.array([abs(2 * e * t / (1 - t * t)) for t in slopes], object)
    free: Exact = np.array([[fraction(draw, 3, 2) for _ in range(size - 1)] for _ in range(vectors)], object)
    square = np.sum(free * free, axis=1)
    unit = np.concatenate([2 * free, (square - 1)[:, None]], axis=1) / (square + 1)[:, None]
    axis = draw.choice((0, 1))
    x = r[:, None] * unit
    return (x if axis else x.T), r, eps, axis


def _divisor(r: Exact, eps: Fraction, choice: str) -> tuple[Exact, Exact]:
    """Return D and dD/dr at the lengths r; at a tie of the maximum, and at r = 0, the slope is 0."""
    e = rational_roots.square_root(eps)
    some: Exact = (r != 0).astype(int)
    if choice == "outside":
        return r + eps, some
    if choice == "inside":
        root: Exact = np.array([rational_roots.square_root(each) for each in r * r + eps], object)
        return root, r / root
    floor = eps if choice == "maximum" else e
    above: Exact = (r > floor).astype(int)
    return above * r + (1 - above) * floor, above


def _ratio(deviations: Exact, normalised: Exact, eps: Fraction) -> Fraction:
    for deviation, entry in zip(deviations, normalised, strict=True):
        if entry:
            return deviation / entry
    return rational_roots.square_root(eps)


def _pairs(left: Exact, right: Exact) -> list[tuple[Exact, Exact]]:
    size = left.shape[-1]
    return list(zip(left.reshape(-1, size), right.reshape(-1, size), strict=True))


def _suffix(draw: Draw) -> tuple[int, tuple[int, ...]]:
    shape = draw.choice(((3,), (1,), (2, 3), (3, 1)))
    return len(shape), shape


def _vector(draw: Draw, shape: tuple[int, ...]) -> Exact:
    return np.array([fraction(draw) for _ in range(int(np.prod(shape)))], object).reshape(shape)


def _maybe(draw: Draw, shape: tuple[int, ...]) -> Exact | None:
    return _vector(draw, shape) if draw.choice((True, False)) else None


def _given(parameter: Exact | None) -> Ball | None:
    return None if parameter is None else balls(parameter)


def _affine(y: Exact, weight: Exact | None, bias: Exact | None) -> Exact:
    scaled = y if weight is None else y * weight
    return scaled if bias is None else scaled + bias


LAWS: tuple[Law[Any], ...] = (
    Law(
        "rms-norm-values",
        "y = weight x / s + bias where mean(x²) + epsilon = s²",
        "Zhang and Sennrich 2019, arXiv:1910.07467, equation 4",
        Grade.ENCLOSED,
        evaluate,
        rms_norm_values,
        {
            "mean subtracted": planted.mean_subtracted,
            "epsilon outside the root": planted.rms_epsilon_outside,
            "sum for mean": planted.sum_for_mean,
            "last axis alone": planted.last_axis_alone,
            "bias scaled too": planted.bias_scaled_too,
        },
    ),
    Law(
        "rms-norm-is-homogeneous",
        "x -> a x with epsilon -> a² epsilon changes the sign alone",
        "Zhang and Sennrich 2019, arXiv:1910.07467, section 4",
        Grade.ENCLOSED,
        evaluate,
        rms_norm_is_homogeneous,
        {"epsilon outside the root": planted.rms_epsilon_outside, "absolute values": planted.sign_lost},
    ),
    Law(
        "group-norm-values",
        "y = weight (x - mean) / s + bias where var + epsilon = s² in each block of neighbouring channels",
        "Wu and He 2018, arXiv:1803.08494, equations 1 to 7",
        Grade.ENCLOSED,
        evaluate,
        group_norm_values,
        {
            "every groups-th channel together": planted.interleaved_groups,
            "divided by n - 1": planted.sample_variance,
            "epsilon outside the root": planted.group_epsilon_outside,
            "positions apart": planted.positions_apart,
            "weight along the last axis": planted.weight_last,
            "not centred": planted.group_not_centred,
        },
    ),
    Law(
        "group-norm-at-its-ends",
        "one group is layer norm of each example; as many groups as channels are instance norm",
        "Wu and He 2018, arXiv:1803.08494, section 3.1",
        Grade.ENCLOSED,
        evaluate,
        group_norm_at_its_ends,
        {"positions apart": planted.positions_apart, "statistics over the batch": planted.over_the_batch},
    ),
    Law(
        "l2-normalize-values",
        "y = x / D, D = max(r, epsilon), sqrt(r² + epsilon), r + epsilon or sqrt(max(r², epsilon)), r = |x|",
        "PyTorch, https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.normalize.html",
        Grade.ENCLOSED,
        evaluate,
        l2_normalize_values,
        {
            "inside for outside": planted.inside_for_outside,
            "maximum of squares for maximum": planted.squares_for_maximum,
            "length over all axes": planted.length_over_all,
            "clamped on every branch": planted.clamped_always,
        },
    ),
    Law(
        "rms-norm-reverse",
        "dx = (h - u mean(h u)) / s, dweight = sum c u, dbias = sum c",
        "derived by hand",
        Grade.ENCLOSED,
        reverse,
        rms_norm_reverse,
        {"root held constant": planted.rms_root_constant, "weight gets c": planted.weight_gets_the_cotangent},
    ),
    Law(
        "group-norm-reverse",
        "dx = (h - mean(h) - u mean(h u)) / s in each group, dweight = sum c u, dbias = sum c",
        "derived by hand",
        Grade.ENCLOSED,
        reverse,
        group_norm_reverse,
        {
            "statistics held constant": planted.group_statistics_constant,
            "mean held constant": planted.group_mean_constant,
        },
    ),
    Law(
        "l2-normalize-reverse",
        "dx = c/D - (x·c) D' x/(r D²)",
        "derived by hand",
        Grade.ENCLOSED,
        reverse,
        l2_normalize_reverse,
        {"length held constant": planted.length_constant, "slope on the clamped branch": planted.slope_when_clamped},
    ),
)
