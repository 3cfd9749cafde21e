"""Equality of what was computed: the same enclosures, not only the same numbers."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from lenticulum.numbers import Ball, ExactArray
from lenticulum.terms import Tree


def bitwise_equal(x: Any, y: Any) -> bool:
    """Whether two trees, tuples or leaves hold the same data: balls by both ends, so that it is always decided.

    >>> from lenticulum.numbers import ball
    >>> third = ball(1) / 3
    >>> bitwise_equal(Tree(a=third, count=np.uint32(1)), Tree(a=ball(1) / 3, count=np.uint32(1)))
    True
    """
    if isinstance(x, Tree):
        return isinstance(y, Tree) and x.paths() == y.paths() and bitwise_equal(tuple(x.leaves()), tuple(y.leaves()))
    if isinstance(x, tuple):
        parts, others = cast("tuple[Any, ...]", x), cast("tuple[Any, ...]", y)
        return isinstance(y, tuple) and len(parts) == len(others) and all(map(bitwise_equal, parts, others))
    if isinstance(x, Ball):
        return isinstance(y, Ball) and x.shape == y.shape and x.as_integers() == y.as_integers()
    if isinstance(x, ExactArray):
        return bool(type(x) is type(y) and x == y)
    return bool(np.array_equal(x, y))
