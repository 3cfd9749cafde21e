"""Functions that are constant between jumps: rounding to integers, the sign, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from lenticulum.numbers import where
from lenticulum.programs.ends import ends_of, far
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.systems import format_of
from lenticulum.programs.values import hull, lifted, plain

Steps: TypeAlias = Callable[[Fraction], int]
"""A nondecreasing function from the rationals to the integers, within 1 of its argument."""


def constant_pieces(x: Any, function: Steps) -> Any:
    """Return a step function of an array, an enclosure of the values at both ends; its derivative is 0."""
    return lifted(_enclosed(plain(x), function), x)


def _enclosed(x: Any, function: Steps) -> Any:
    pairs = ends_of(x)
    low, high = ([None if pair is None else function(pair[end]) for pair in pairs] for end in (0, 1))
    open_ = np.array([a != b for a, b in zip(low, high, strict=True)], np.bool_).reshape(x.shape)
    return where(np.ma.array(np.ones(x.shape, np.bool_), mask=open_), _array(x, low), _array(x, high))


def _array(x: Any, values: list[int | None]) -> Any:
    """Return these integers in the system of x; where there is none, x itself if it is no number, else around it."""
    distinct = sorted({0, *(each for each in values if each is not None)})
    first, *others = (x.lift(each, (1,)) for each in distinct)
    place = {each: number for number, each in enumerate(distinct)}
    found = first.join(others).take(np.array([place[each or 0] for each in values], np.int64).reshape(x.shape))
    unknown = np.array([each is None for each in values], np.bool_).reshape(x.shape)
    if not unknown.any():
        return found
    return where(unknown, where(far(x), hull(x - 1, x + 1), x), found)


@rule("floor")
def floor(step: Step, x: Any) -> Any:
    """The largest integer that is not above x."""
    return constant_pieces(x, Fraction.__floor__)


@rule("ceil")
def ceil(step: Step, x: Any) -> Any:
    """The smallest integer that is not below x."""
    return constant_pieces(x, Fraction.__ceil__)


@rule("round")
def round_to_integer(step: Step, x: Any) -> Any:
    """The nearest integer; at a tie the even one, or the one away from zero."""
    to_even = int(step.parameters["rounding_method"]) == 1
    return constant_pieces(x, round if to_even else _half_away)


def _half_away(value: Fraction) -> int:
    size = (abs(value) + Fraction(1, 2)).__floor__()
    return size if value >= 0 else -size


@rule("sign")
def sign(step: Step, x: Any) -> Any:
    """The sign, 0 at 0."""
    base = plain(x)
    zero, one = base.lift(0, base.shape), base.lift(1, base.shape)
    known = np.asarray(base.bounded())
    return lifted(where(known, where(base > 0, one, where(base < 0, -one, zero)), base), x)


@rule("rem")
def remainder(step: Step, x: Any, y: Any) -> Any:
    """x - y trunc(x / y), of the sign of x."""
    return x - y * constant_pieces(x / y, Fraction.__trunc__)


@rule("nextafter")
def next_after(step: Step, x: Any, y: Any) -> Any:
    """The neighbour of a float in its format: no function of reals, so all within one spacing of x."""
    format, x = format_of(step.dtype), x.broadcast_to(step.shape)
    size = lifted(plain(x).absolute(), x)
    spacing = 2 * format.unit_roundoff * size + format.smallest_subnormal
    return hull(x - spacing, x + spacing)
