"""The condition of a definition at many inputs: enclosures of sum |x_i df/dx_i|, which K is scaled by.

The product x f'(x) is the derivative of f in the direction x, one evaluation over dual numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.certify.enclosure import Definitely, interval64_available, outward
from lenticulum.certify.rule import Rule
from lenticulum.numbers import DomainError, Undecided, ball, jvp, working_precision, zeros_like
from lenticulum.numbers.interval64 import interval64

Array = np.ndarray

#: A slope is narrow enough at a relative width of 2^-10; balls are tried at these precisions.
NARROW = 2.0**-10
PRECISIONS = (128, 512, 2048)


def slopes(function: Definitely, points: Sequence[Array]) -> tuple[Array, Array]:
    """Return the ends of sum |x_i df/dx_i| at float64 points, one array for each argument.

    Where the derivative does not exist or is infinite the term is 0, so that K is the error relative to f alone.
    """
    low, high = np.zeros(len(points[0])), np.zeros(len(points[0]))
    for argument in range(len(points)):
        part_low, part_high = _part(function, points, argument)
        low, high = low + part_low, high + part_high
    return low * (1 - 2.0**-50), high * (1 + 2.0**-50)


def _part(function: Definitely, points: Sequence[Array], argument: int) -> tuple[Array, Array]:
    """Return the ends of |x_i df/dx_i| for one argument."""
    n = len(points[0])
    low, high = np.full(n, np.nan), np.full(n, np.nan)
    if interval64_available():
        arrays = [interval64(point) for point in points]
        tangents = [array if i == argument else zeros_like(array) for i, array in enumerate(arrays)]
        try:
            _, moved = jvp(function, arrays, tangents)
            low, high = _magnitude(np.reshape(moved.lo, n), np.reshape(moved.hi, n))
        except (Undecided, DomainError):
            pass
    with np.errstate(invalid="ignore"):
        wide = ~(high - low <= NARROW * low)
    for index in np.flatnonzero(wide):
        low[index], high[index] = _by_ball(function, [float(point[index]) for point in points], argument)
    return low, high


def _magnitude(lo: Array, hi: Array) -> tuple[Array, Array]:
    return np.maximum(np.maximum(lo, -hi), 0.0), np.maximum(np.abs(lo), np.abs(hi))


def _by_ball(function: Definitely, point: Sequence[float], argument: int) -> tuple[float, float]:
    for precision in PRECISIONS:
        with working_precision(precision):
            arrays = [ball(x) for x in point]
            tangents = [array if i == argument else zeros_like(array) for i, array in enumerate(arrays)]
            try:
                _, moved = jvp(function, arrays, tangents)
            except DomainError:
                return 0.0, 0.0
            except Undecided:
                continue
            lo, hi, _ = outward(moved.elements[0])
            low, high = max(lo, -hi, 0.0), max(abs(lo), abs(hi))
            if high - low <= NARROW * low or high < 2.0**-1000:
                return float(low), float(high)
    return 0.0, float("inf")


def small_enough(function: Definitely, point: Sequence[float], y: float, rule: Rule, limit: int) -> bool | None:
    """Return whether K <= limit at one input, at rising precision; None where the highest does not decide.

    For the few inputs where the ends that float64 gives of K lie on both sides of the limit.
    """
    unit, eta = rule.format.unit_roundoff, rule.exact_eta
    for precision in PRECISIONS:
        with working_precision(precision):
            arrays = [ball(x) for x in point]
            try:
                f = function(*arrays)
                condition = _conditions(function, arrays)
            except (Undecided, DomainError):
                continue
            try:
                beyond = bool(np.ravel(f.absolute() >= rule.format.overflow_threshold)[0])
                if beyond and not bool(np.ravel(4 * unit * condition <= f.absolute())[0]):
                    condition = zeros_like(condition)
            except Undecided:
                continue
            # K <= limit iff |y - f| - limit (u (sum |x f'| + |f|) + eta) <= 0: one sign of one ball.
            try:
                side = 1 if bool(np.ravel(f >= Fraction(y))[0]) else -1
                # Numbers first: they may cancel, and f may be too small for a ball to say so beside them.
                excess = side * f - (side * Fraction(y) + limit * eta) - limit * unit * (condition + f.absolute())
                return bool(np.ravel(excess <= 0)[0])
            except Undecided:
                continue
    return None


def _conditions(function: Definitely, arrays: list[Any]) -> Any:
    """Return sum |x_i df/dx_i| on ball arrays; a term without a derivative counts as 0."""
    total = zeros_like(arrays[0])
    for argument in range(len(arrays)):
        tangents = [array if i == argument else zeros_like(array) for i, array in enumerate(arrays)]
        try:
            _, moved = jvp(function, arrays, tangents)
        except DomainError:
            continue
        total = total + moved.absolute()
    return total


def conditions(function: Definitely, arrays: list[Any]) -> list[Any]:
    """Return the FLINT balls of sum |x_i df/dx_i|, or None where it is undecided at the working precision."""
    try:
        return list(_conditions(function, arrays).elements)
    except Undecided:
        if arrays[0].size == 1:
            return [None]
    rows = range(arrays[0].size)
    return [conditions(function, [array.take(np.array([row])) for array in arrays])[0] for row in rows]
