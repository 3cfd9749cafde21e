"""A rejected call made smaller: every axis of one size is halved together, as long as the call is still rejected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

Array = np.ndarray
Inputs = Mapping[str, Array]

#: How many smaller calls are tried; each new shape is compiled.
TRIALS = 40


def smaller(inputs: Inputs, rejected: Callable[[Inputs], bool], trials: int = TRIALS) -> Inputs:
    """Return the arrays with as few entries as the search finds at which `rejected` still holds.

    Axes of equal size are taken for one: those of the arrays of one call mostly are. An array that does not fit the
    others any more is not rejected.

    >>> found = smaller({"x": np.arange(8.0)}, lambda inputs: 5.0 in inputs["x"])
    >>> found["x"].tolist()
    [5.0]
    """
    left, found = trials, dict(inputs)
    again = True
    while again and left > 0:
        again = False
        for candidate in _halves(found):
            left -= 1
            if rejected(candidate):
                found, again = candidate, True
                break
            if left <= 0:
                break
    return found


def _halves(inputs: Inputs) -> Iterator[dict[str, Array]]:
    """Give the arrays with every axis of one size cut to its first half, or its second: the largest size first."""
    sizes = {size for array in inputs.values() for size in array.shape if size > 1}
    for size in sorted(sizes, reverse=True):
        half = size // 2
        for kept in (slice(0, size - half), slice(size - half, size)):
            yield {
                role: array[tuple(kept if each == size else slice(None) for each in array.shape)]
                for role, array in inputs.items()
            }
