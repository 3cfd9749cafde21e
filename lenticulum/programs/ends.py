"""The ends of the elements of an array as rationals, whatever its system."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lenticulum.numbers import Interval64, Rational
from lenticulum.numbers.arb_array import ArbArray, Integers
from lenticulum.numbers.ends import Ends, is_far, rational_ends
from lenticulum.numbers.magnitude64 import Magnitude64


def ends_of(x: Any) -> list[Ends | None]:
    """Return (lower, upper) of each element in row-major order; None where it is unbounded, infinite or `far`."""
    if isinstance(x, Rational):
        return [(each, each) for each in x.reshape(-1).tolist()]
    if isinstance(x, Magnitude64):
        return ends_of(x.range)
    if isinstance(x, Interval64):
        pairs = zip(x.lo.ravel().tolist(), x.hi.ravel().tolist(), strict=True)
        return [(Fraction(lo), Fraction(hi)) if np.isfinite(lo) and np.isfinite(hi) else None for lo, hi in pairs]
    return [_ends(each) for each in x.as_integers()]


def far(x: Any) -> NDArray[np.bool_]:
    """Return which elements are numbers, but beyond 2^BEYOND, so that their ends are no rationals here."""
    if not isinstance(x, ArbArray):
        return np.zeros(x.shape, np.bool_)
    return np.array([_is_far(each) for each in x.as_integers()], np.bool_).reshape(x.shape)


def _is_far(integers: Integers) -> bool:
    return integers[2] >= 0 and is_far(integers)


def _ends(integers: Integers) -> Ends | None:
    return None if integers[2] < 0 or is_far(integers) else rational_ends(integers)
