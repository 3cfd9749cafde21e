"""Which elements of an exact array are integers, and which of those are odd: the sign of (-1)^n depends on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers.array import Booleans, ExactArray
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.dual import Dual
from lenticulum.numbers.errors import Undecided
from lenticulum.numbers.rational import Rational
from lenticulum.numbers.tape import Tape


def parity(x: ExactArray) -> tuple[Booleans, Booleans]:
    """Where the elements are integers, and where they are odd integers; an element without a value is neither.

    Raises Undecided where an enclosure that is not one number contains an integer.

    >>> from lenticulum.numbers import ball
    >>> [mask.tolist() for mask in parity(ball([2, -3, "1/2"]))]
    [[True, True, False], [False, True, False]]
    """
    lower, upper = _ends(x)
    residues = np.array([_residue(low, high) for low, high in zip(lower, upper, strict=True)], np.int8).reshape(x.shape)
    return residues >= 0, residues == 1


def _residue(low: Fraction | float, high: Fraction | float) -> int:
    """The number modulo 2, or -1 if it is no integer."""
    if math.isnan(low):
        return -1
    if low == high:
        return int(low) % 2 if math.isfinite(low) and low == math.floor(low) else -1
    if math.isinf(low) or math.isinf(high) or math.ceil(low) <= math.floor(high):
        raise Undecided(f"a number between {float(low)} and {float(high)} may be an integer; give it exactly")
    return -1


@no_type_check
def _ends(x: Any) -> tuple[Sequence[Fraction | float], Sequence[Fraction | float]]:
    if isinstance(x, Dual):
        return _ends(x.primal)
    if isinstance(x, Tape):
        return _ends(x.value)
    if x.dtype == "magnitude64":
        return _ends(x.range)
    if x.dtype == "rounded":
        return x.elements, x.elements
    if x.dtype == "interval64":
        return x.lo.ravel().tolist(), x.hi.ravel().tolist()
    lower, upper = (x, x) if isinstance(x, Rational) else (x.lower(), x.upper())
    return lower.reshape((-1,)).tolist(), upper.reshape((-1,)).tolist()
