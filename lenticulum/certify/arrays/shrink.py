"""A rejected call made smaller: its axes are halved one after the other, as long as the call is still rejected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

Array = np.ndarray
Inputs = Mapping[str, Array]

#: How many smaller calls are tried; each new shape is compiled.
TRIALS = 40


def smaller(inputs: Inputs, rejected: Callable[[Inputs], bool], trials: int = TRIALS) -> Inputs:
    """Return the arrays with as few entries as the search finds at which `rejected` still holds.

    Axes of equal size are cut together first, since in one call they mostly are one axis; then each alone. An array
    that does not fit the others any more is not rejected.

    >>> found = smaller({"x": np.arange(8.0)}, lambda inputs: 5.0 in inputs["x"])
    >>> found["x"].tolist()
    [5.0]
    """
    axes = [(role, axis) for role, array in inputs.items() for axis in range(array.ndim)]
    sizes = sorted({inputs[role].shape[axis] for role, axis in axes}, reverse=True)
    groups = [[(role, axis) for role, axis in axes if inputs[role].shape[axis] == size] for size in sizes]
    groups += [[each] for group in groups if len(group) > 1 for each in group]
    found, left = inputs, trials
    for group in groups:
        cut = True
        while cut:
            cut = False
            for candidate in _halves(found, group) if left > 0 else ():
                left -= 1
                if rejected(candidate):
                    found, cut = candidate, True
                    break
    return found


def _halves(inputs: Inputs, group: list[tuple[str, int]]) -> Iterator[dict[str, Array]]:
    """Give the arrays with the axes of a group cut to the first half, and to the second."""
    size = min(inputs[role].shape[axis] for role, axis in group)
    half = size // 2
    for kept in (slice(0, size - half), slice(size - half, size)) if size > 1 else ():
        yield {
            role: array[tuple(kept if (role, axis) in group else slice(None) for axis in range(array.ndim))]
            for role, array in inputs.items()
        }
