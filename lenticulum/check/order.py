"""Outputs that break an order which rounding keeps: below or above a number that is known without computation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.check.environment import Environment
from lenticulum.check.finding import Finding
from lenticulum.numbers import rational
from lenticulum.numbers.formats import round_to
from lenticulum.spec.elementwise.order import bounds_of, has_bounds

NOTE = "rounding keeps the order of numbers, so a result that is rounded once stays on its side"


def out_of_order(
    term: Any,
    x: Sequence[np.ndarray],
    y: np.ndarray,
    rows: Sequence[int],
    output: str,
    place: Callable[[int], tuple[int, ...]],
    env: Environment,
) -> list[Finding]:
    """Return a finding `rounding` for each ordinary output outside the bounds of its definition, rounded to the format.

    Arguments: `x`: one float64 array for each argument; `rows`: the positions to look at. A bound that may be flushed
    is left out.
    """
    kept = [row for row in rows if np.isfinite(y[row])]
    if not kept or not has_bounds(term):
        return []
    lower, upper = bounds_of(term, *(rational(each[kept]) for each in x))
    found = []
    for bound, above in ((lower, False), (upper, True)):
        for row, exact in zip(kept, [] if bound is None else bound.tolist(), strict=bound is not None):
            limit = round_to(Fraction(exact), env.format)
            if isinstance(limit, float) or abs(limit) < env.format.smallest_normal:
                continue
            value = Fraction(float(y[row]))
            if value > limit if above else value < limit:
                exact = f"{'<=' if above else '>='} {float(limit)!r}"
                found.append(Finding("rounding", output, place(row), float(y[row]), exact, "regular", note=NOTE))
    return found
