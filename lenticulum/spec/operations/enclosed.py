"""How the laws of operations compare enclosures: two arrays are equal as closely as balls can show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lenticulum.numbers import decide
from lenticulum.spec.elementwise.subject import TOLERANCE
from lenticulum.spec.law import require


def same_arrays(left: Callable[[], Any], right: Callable[[], Any], message: str, **witness: object) -> None:
    """Require two arrays to be equal, |a - b|² <= TOLERANCE² (1 + |a|² + |b|²), at a precision that decides it."""

    def close() -> bool:
        a, b = left(), right()
        if a.shape != b.shape:
            return False
        distance = ((a - b) * (a - b)).sum()
        return bool(distance <= TOLERANCE**2 * (1 + (a * a).sum() + (b * b).sum()))

    require(decide(close, start=384), message, **witness)
