"""The cross-check of a run: float64 intervals, balls and mpmath on one sample of its inputs. One miss voids the run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

from lenticulum.certify.domain import Domain, scrambled
from lenticulum.certify.enclosure import Definitely, balls, interval64_available
from lenticulum.certify.third_opinion import CARRIED, DIGITS, value
from lenticulum.numbers.formats import bits_to_float64
from lenticulum.numbers.interval64 import interval64
from lenticulum.spec.elementwise.special import answers

Array = np.ndarray

#: Balls are at least this narrow where they are compared; mpmath's 40 digits are far beyond.
PRECISION = 128


@dataclass(frozen=True)
class CrossCheck:
    """How many inputs the engines agreed on, and where one missed another (the first few, as text).

    `silent`: inputs at which mpmath gave no value (it overflows far out), so that only the others were compared.
    """

    inputs: int
    engines: tuple[str, ...]
    misses: tuple[str, ...]
    silent: int = 0


def cross_check(function: Definitely, domain: Domain, sample: int, seed: int = 0) -> CrossCheck:
    """Return the comparison on `sample` ordinary inputs, if there are so many, and on both ends of every binade.

    The ends are those of one argument. Where many inputs are special, more are drawn.
    """
    drawn, points = sample, _ordinary(function, _chosen(domain, sample, seed))
    while len(points[0]) < sample and drawn < min(domain.count, 64 * sample):
        drawn *= 2
        points = _ordinary(function, _chosen(domain, drawn, seed))
    count = len(points[0])
    engines = ("ball", "mpmath")
    narrow = None
    if interval64_available() and count:
        engines = ("interval64", *engines)
        found = function(*(interval64(point) for point in points))
        narrow = np.reshape(found.lo, count), np.reshape(found.hi, count)
    misses, silent = [], 0
    for row, element in enumerate(balls(function, points, PRECISION) if count else []):
        point = tuple(float(each[row]) for each in points)
        interval = None if narrow is None else (float(narrow[0][row]), float(narrow[1][row]))
        third = _third(function, point)
        silent += third is None
        if not agree(element, interval, third):
            misses.append(f"{function.definition} at {', '.join(x.hex() for x in point)}")
    return CrossCheck(count, engines, tuple(misses[:8]) + (("...",) if len(misses) > 8 else ()), silent)


def _ordinary(function: Definitely, points: list[Array]) -> list[Array]:
    """Return the points at which the definition has a number as its value."""
    ordinary = np.ones(points[0].shape, bool)
    for where, _ in answers(function.term, *points):
        ordinary &= ~where
    return [point[ordinary] for point in points]


def _chosen(domain: Domain, sample: int, seed: int) -> list[Array]:
    """Return the sample as float64 points: mixed indices of the domain, then the ends of every binade."""
    mixed = scrambled(np.arange(sample, dtype=np.uint64), seed)
    indices = np.unique(mixed % np.uint64(domain.count)) if domain.count > sample else np.arange(domain.count)
    parts = [np.concatenate(each) for each in zip(*(domain.patterns(int(i), 1) for i in indices), strict=True)]
    if domain.arguments == 1:
        binade = 1 << domain.format.fraction_bits
        first = np.arange(0, 1 << domain.format.width, binade, dtype=np.uint64)
        ends = np.concatenate([first, first + np.uint64(binade - 1)]).astype(parts[0].dtype)
        parts = [np.concatenate([parts[0], ends])]
    return [bits_to_float64(each, domain.format) for each in parts]


def conventions(term: Any) -> dict[str, Fraction | str]:
    """Return the fields of a term."""
    return {each.name: getattr(term, each.name) for each in fields(term)}


def _third(function: Definitely, point: Sequence[float]) -> Any:
    try:
        return value(function.definition.entry.name, conventions(function.term), *point)
    except (OverflowError, ValueError, mp.NoConvergence):
        return None


def agree(element: Any, interval: tuple[float, float] | None, third: Any) -> bool:
    """Return whether three opinions of one value are compatible.

    The ball and the interval must overlap, and mpmath's value must lie in both, up to its own 40 digits.

    Arguments: `element`: a FLINT ball, or None where it is undecided; `interval`: None or NaN ends where there is none;
    `third`: None where there is no value.
    """
    with mp.workdps(CARRIED):
        slack = 0 if third is None else abs(third) * mpmath.mpf(10) ** -DIGITS
        enclosures = []
        if element is not None and element.is_finite():
            # Not `lower()` and `upper()`: those round to the precision at hand.
            middle, radius = _exact(element.mid()), _exact(element.rad())
            enclosures.append((middle - radius, middle + radius))
        if interval is not None and not math.isnan(interval[0]):
            enclosures.append((mpmath.mpf(interval[0]), mpmath.mpf(interval[1])))
        if third is not None and any(third < low - slack or third > high + slack for low, high in enclosures):
            return False
        return len(enclosures) < 2 or (enclosures[0][0] <= enclosures[1][1] and enclosures[1][0] <= enclosures[0][1])


def _exact(value: Any) -> Any:
    mantissa, exponent = (int(part) for part in value.man_exp())
    return mpmath.ldexp(mpmath.mpf(mantissa), exponent)
