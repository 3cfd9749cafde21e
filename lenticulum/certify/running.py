"""The running bound at many inputs: is an output one that the textbook evaluation could have computed?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from lenticulum.certify.enclosure import Definitely, interval64_available
from lenticulum.numbers import DomainError, Undecided, magnitude, rational
from lenticulum.numbers.formats import BINARY32, Format
from lenticulum.spec.elementwise.textbook import forms_of
from lenticulum.terms.elementwise import UnaryElementwise

Array = np.ndarray
Form = Callable[[Any], Any]

#: How far float64 intervals may be wider than the bound itself: some hundred roundings of 2^-53 each.
SLACK = 2.0**-44


def inside_running_bound(
    function: Definitely, points: Sequence[Array], y: Array, format: Format
) -> tuple[Array, Array]:
    """Return where y lies inside the running bound of some closed form, and where every closed form may overflow.

    Arguments: `points`: float64 numbers, one array for each argument; `y`: outputs [n] of the format.
    """
    inside, overflows = np.zeros(y.shape, bool), np.ones(y.shape, bool)
    for number, form in enumerate(forms_of(function.term)):
        left = np.arange(y.size)
        if interval64_available() and format.precision < 53 and has_intervals(function.term, number):
            sure, bounded = _by_intervals(form, points, y, format)
            inside |= sure == 1
            overflows &= ~bounded
            left = np.flatnonzero(sure < 0)
        if left.size:
            also, bounded = _by_balls(form, [point[left] for point in points], y[left], format)
            inside[left] |= also
            overflows[left] &= ~bounded
    return inside, overflows & ~inside


@lru_cache(maxsize=256)
def has_intervals(term: Any, number: int) -> bool:
    """Return whether a closed form can be evaluated on float64 intervals: they lack a few functions."""
    from lenticulum.numbers.magnitude64 import magnitude64

    probes = np.array([-1.5, -0.5, 0.25, 0.5, 1.5, 2.5])
    arguments = [probes] * (1 if isinstance(term, UnaryElementwise) else 2)
    try:
        bound: Any = forms_of(term)[number](_given([magnitude64(each, BINARY32) for each in arguments]))
    except (Undecided, DomainError):
        return False
    return bool(bound.bounded().any())


def _by_intervals(form: Form, points: Sequence[Array], y: Array, format: Format) -> tuple[Array, Array]:
    """Return 1 inside, 0 outside, -1 for what only an exact bound decides; and which bounds are finite."""
    from lenticulum.numbers.magnitude64 import magnitude64

    try:
        bound = form(_given([magnitude64(point, format) for point in points]))
    except (Undecided, DomainError):
        return np.full(y.shape, -1), np.zeros(y.shape, bool)
    lo, hi, bounded = bound.range.lo, bound.range.hi, bound.bounded()
    with np.errstate(all="ignore"):
        slack = SLACK * np.maximum(np.abs(lo), np.abs(hi))
        sure_in = (lo + slack <= y) & (y <= hi - slack)
        sure_out = (y < lo) | (y > hi)
    sure = np.where(sure_in, 1, np.where(sure_out | ~np.isfinite(y), 0, -1))
    return np.where(bounded, sure, 0), bounded


def _by_balls(form: Form, points: Sequence[Array], y: Array, format: Format) -> tuple[Array, Array]:
    inside, bounded = np.zeros(y.shape, bool), np.zeros(y.shape, bool)
    try:
        bound = form(_given([magnitude(point, format) for point in points]))
    except (Undecided, DomainError):
        if y.size == 1:
            return inside, np.ones(1, bool)
        for row in range(y.size):
            inside[row], bounded[row] = (
                each[0] for each in _by_balls(form, [p[row : row + 1] for p in points], y[row : row + 1], format)
            )
        return inside, bounded
    bounded = np.ravel(bound.bounded())
    rows = np.flatnonzero(bounded & np.isfinite(y))
    if rows.size:
        chosen, value = bound.reshape((-1,)).take(rows), rational(y[rows])
        inside[rows] = np.ravel((chosen.lower() <= value) & (value <= chosen.upper()))
    return inside, bounded


def _given(arrays: list[Any]) -> Any:
    """Return what a closed form takes: one array, or the pair."""
    return arrays[0] if len(arrays) == 1 else tuple(arrays)
