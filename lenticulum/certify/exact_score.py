"""Scoring of float64 outputs, one by one in exact arithmetic: float64 intervals are as wide as an ulp there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.certify.block import Block
from lenticulum.certify.condition import conditions
from lenticulum.certify.enclosure import balls
from lenticulum.certify.rule import K_LIMIT, Rule
from lenticulum.certify.score import (
    BY_K,
    BY_WITHIN,
    DOWN,
    OVERFLOW,
    REGULAR,
    REJECTED,
    SUBNORMAL_INPUT,
    SUBNORMAL_RESULT,
    UNDECIDED,
    UP,
    Scores,
)
from lenticulum.check.enclosures import BEYOND, Ends, ends
from lenticulum.numbers import Ball, ball, working_precision
from lenticulum.numbers.formats import Format, bits_to_float64, encode, ulp

Array = np.ndarray

#: Precisions at which a value is enclosed until its rounding is decided.
PRECISIONS = (160, 640, 2560)

#: Says nothing of a value: it is far outside every format on both sides.
UNBOUNDED = (-Fraction(1 << BEYOND), Fraction(1 << BEYOND))


def exact_scores(block: Block, points: Sequence[Array], y_bits: Array, rule: Rule) -> tuple[Scores, Array, Array]:
    """Return the scores of the ordinary inputs of a block, and the ends of K."""
    count = len(y_bits)
    scores = Scores(
        stratum=np.zeros(count, np.int8),
        ulp_least=np.zeros(count),
        ulp_most=np.zeros(count),
        k_most=np.zeros(count),
        accepted=np.zeros(count, int),
        rounding=np.zeros(count, np.int8),
        zero_sign=np.zeros(count, bool),
    )
    k_least, k_most = np.zeros(count), np.zeros(count)
    values = enclosed(block, points, rule.format)
    slopes = _slopes(block, points)
    for row, (f, slope) in enumerate(zip(values, slopes, strict=True)):
        _one(row, f, slope, int(y_bits[row]), bool(block.subnormal[row]), rule, scores, (k_least, k_most))
    return scores, k_least, k_most


def _one(
    row: int,
    f: Ends,
    slope: Ends,
    pattern: int,
    subnormal: bool,
    rule: Rule,
    scores: Scores,
    k: tuple[Array, Array],
) -> None:
    format = rule.format
    threshold = format.overflow_threshold
    small, large = max(f[0], -f[1], Fraction(0)), max(abs(f[0]), abs(f[1]))
    beyond, tiny = small >= threshold, small < format.smallest_normal and f != (0, 0)
    kind = OVERFLOW if beyond else SUBNORMAL_RESULT if tiny else REGULAR
    scores.stratum[row] = SUBNORMAL_INPUT if subnormal else kind
    y = float(bits_to_float64(np.array([pattern], np.uint64), format)[0])
    possible = roundings(f, format)
    scores.rounding[row] = int(pattern in possible) if len(possible) == 1 else -1
    scores.zero_sign[row] = y == 0 and (f[0] > 0 and math.copysign(1, y) < 0 or f[1] < 0 and math.copysign(1, y) > 0)
    if math.isnan(y):
        scores.ulp_least[row] = scores.ulp_most[row] = scores.k_most[row] = k[0][row] = k[1][row] = np.inf
        scores.accepted[row] = REJECTED
        return
    number = Fraction(y) if math.isfinite(y) else threshold if y > 0 else -threshold
    most, least = max(abs(number - f[0]), abs(f[1] - number)), max(f[0] - number, number - f[1], Fraction(0))
    if beyond and math.isinf(y) and (y > 0) == (f[0] > 0):
        most = least = Fraction(0)
    scores.ulp_most[row] = _float(most / ulp(small, format)) * UP
    scores.ulp_least[row] = _float(least / ulp(large, format)) * DOWN
    condition = (Fraction(0), Fraction(0)) if beyond else slope
    scale = [
        format.unit_roundoff * (condition[end] + min((small, large)[end], threshold)) + rule.exact_eta for end in (0, 1)
    ]
    k[0][row], k[1][row] = _float(least / scale[1]) * DOWN, _float(most / scale[0]) * UP
    scores.k_most[row] = k[1][row]
    if rule.within is None:
        scores.accepted[row] = BY_K if most <= K_LIMIT * scale[0] else REJECTED
    else:
        spacing = ulp(small, format), ulp(large, format)
        inside, outside = most <= rule.within * spacing[0], least > rule.within * spacing[1]
        scores.accepted[row] = BY_WITHIN if inside else REJECTED if outside else UNDECIDED


def _float(value: Fraction) -> float:
    """Return the nearest float64, but never 0 for what is not: both ends of a bound are widened afterwards."""
    try:
        return float(value) or (5e-324 if value else 0.0)
    except OverflowError:
        return math.inf


def enclosed(block: Block, points: Sequence[Array], format: Format) -> list[Ends]:
    """Return the ends of the value at each point, at a precision that decides its rounding if one of them does."""
    found: list[Ends] = [(Fraction(0), Fraction(0))] * len(points[0])
    left = list(range(len(points[0])))
    for precision in PRECISIONS:
        elements = balls(block.function, [point[left] for point in points], precision)
        undecided = []
        for row, element in zip(left, elements, strict=True):
            found[row] = _ends(element)
            if len(roundings(found[row], format)) > 1:
                undecided.append(row)
        left = undecided
        if not left:
            break
    return found


def roundings(f: Ends, format: Format) -> set[int]:
    """Return what the ends round to; an end that is 0 has the sign of the other, for the value lies between them.

    >>> from lenticulum.numbers.formats import BINARY64
    >>> [hex(each) for each in roundings((Fraction(-1, 2**1200), Fraction(0)), BINARY64)]
    ['0x8000000000000000']
    """
    negative = f[0] < 0 and f[1] <= 0
    return {encode(end if end else -0.0 if negative else 0.0, format) for end in f}


def _slopes(block: Block, points: Sequence[Array]) -> list[Ends]:
    """Return the ends of sum |x_i df/dx_i|; 0 where it is undecided, which can only make K larger."""
    with working_precision(PRECISIONS[0]):
        found = conditions(block.function, [ball(point) for point in points])
    parts = [(Fraction(0), Fraction(0)) if each is None else _ends(each) for each in found]
    return [(max(low, Fraction(0)), high) for low, high in parts]


def _ends(element: Any) -> Ends:
    """Return the ends of a FLINT ball, which may be unbounded or missing."""
    if element is None or not element.is_finite():
        return UNBOUNDED
    return ends(Ball((1,), [element]))[0]
