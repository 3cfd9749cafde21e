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


def inside_running_bound(
    function: Definitely, points: Sequence[Array], y: Array, format: Format
) -> tuple[Array, Array]:
    """Return where y lies inside the running bound of some closed form, and where all may overflow on the way.

    An overflow of the result itself is none: an infinity stands for the overflow threshold, and K judges it.

    Arguments: `points`: float64 numbers, one array for each argument; `y`: outputs [n] of the format.
    """
    inside, overflows = np.zeros(y.shape, bool), np.ones(y.shape, bool)
    for number, form in enumerate(forms_of(function.term)):
        found = None
        if interval64_available() and format.precision < 53 and has_intervals(function.term, number):
            found = _by_intervals(form, points, y, format)
        within, passed = found or _by_balls(form, points, y, format)
        inside |= within
        overflows &= passed
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


def _by_intervals(form: Form, points: Sequence[Array], y: Array, format: Format) -> tuple[Array, Array] | None:
    """Return where y lies inside the bound, and where an intermediate may overflow; None where a sign is undecided.

    Outward rounding makes the bound wider by some 2^-50 of it, far less than a spacing of y.
    """
    from lenticulum.numbers.magnitude64 import magnitude64

    try:
        bound = form(_given([magnitude64(point, format) for point in points]))
    except (Undecided, DomainError):
        return None
    with np.errstate(invalid="ignore"):
        return (bound.range.lo <= y) & (y <= bound.range.hi), bound.overflowed()


def _by_balls(form: Form, points: Sequence[Array], y: Array, format: Format) -> tuple[Array, Array]:
    """Return the same by balls, for functions that float64 intervals lack.

    Balls do not say why a bound is missing. The forms of narrow formats that come here are single functions, without
    an intermediate; for float64 every missing bound counts as an overflow.
    """
    inside, overflows = np.zeros(y.shape, bool), np.zeros(y.shape, bool)
    try:
        bound = form(_given([magnitude(point, format) for point in points]))
    except (Undecided, DomainError):
        for row in range(y.size if y.size > 1 else 0):
            one = _by_balls(form, [p[row : row + 1] for p in points], y[row : row + 1], format)
            inside[row], overflows[row] = one[0][0], one[1][0]
        return inside, overflows
    bounded = np.ravel(bound.bounded())
    rows = np.flatnonzero(bounded & np.isfinite(y))
    if rows.size:
        chosen, value = bound.reshape((-1,)).take(rows), rational(y[rows])
        inside[rows] = np.ravel((chosen.lower() <= value) & (value <= chosen.upper()))
    return inside, ~bounded & (format.precision >= 53)


def _given(arrays: list[Any]) -> Any:
    """Return what a closed form takes: one array, or the pair."""
    return arrays[0] if len(arrays) == 1 else tuple(arrays)
