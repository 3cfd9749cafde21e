"""Changes of inputs that are exact in their format: otherwise a law would not hold for the numbers as they are stored.

Shifts and sums first coarsen the inputs: a number n s with |n| <= 2^p is one of the format, if s is a power of two, so
on a coarse enough grid x, c and x + c are all stored exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lenticulum.numbers.formats import FORMATS

Floats = NDArray[np.float64]


def stored(wanted: Floats | np.float64, like: np.ndarray) -> np.ndarray | None:
    """Return numbers in the format of another array; None if one of them is rounded or overflows.

    >>> stored(np.array([0.5, 2.0]), np.zeros(1, np.float16)), stored(np.array([2049.0]), np.zeros(1, np.float16))
    (array([0.5, 2. ], dtype=float16), None)
    """
    found = np.asarray(wanted).astype(like.dtype)
    exact = np.isfinite(wanted).all() and np.array_equal(found.astype(np.float64), wanted)
    return found if exact else None


def all_stored(
    wanted: Mapping[str, Floats | np.float64], like: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray] | None:
    """Return several arrays in the formats of others; None if a number is not exact."""
    found = {role: stored(array, like[role]) for role, array in wanted.items()}
    exact = {role: array for role, array in found.items() if array is not None}
    return exact if len(exact) == len(found) else None


def coarsened(
    arrays: Mapping[str, np.ndarray], axes: Sequence[int] | None, spare: int
) -> tuple[dict[str, Floats], Floats] | None:
    """Return the arrays rounded to a grid, and its step, on which numbers 2^spare times as large can be added exactly.

    The step s is a power of two with 2^(spare + 1) max |x| + s <= 2^p s, for the maximum over `axes`, which are kept
    with size 1, or over all arrays (None); no step is subnormal. None if an input is not finite.

    >>> grid, step = coarsened({"x": np.array([1.0, 0.6, 0.001], np.float32)}, None, 0)
    >>> float(step) == 2.0**-21, (grid["x"] / step)[:1].tolist()
    (True, [2097152.0])
    """
    given = {role: array.astype(np.float64) for role, array in arrays.items()}
    if not all(np.isfinite(array).all() and array.size for array in given.values()):
        return None
    format = FORMATS[next(iter(arrays.values())).dtype.name]
    if axes is None:
        largest = np.asarray(max(np.abs(array).max() for array in given.values()))
    else:
        (array,) = given.values()
        largest = np.abs(array).max(axis=tuple(axes), keepdims=True)
    exponent = np.frexp(np.where(largest > 0, largest, 1.0))[1]
    step = np.maximum(np.ldexp(1.0, exponent + 2 + spare - format.precision), float(format.smallest_normal))
    return {role: np.asarray(np.rint(array / step) * step) for role, array in given.items()}, np.asarray(step)


def multiples(step: Floats, precision: int, spare: int, rng: np.random.Generator) -> Floats:
    """Return numbers of the grid of `coarsened`, of both signs, up to 2^spare times as large as its inputs.

    2^(p - 3) steps are at most 2^spare max |x|, as max |x| >= 2^(e - 1) where s = 2^(e + 2 + spare - p).
    """
    most = 2 ** (precision - 3)
    signs = rng.choice([-1, 1], size=step.shape)
    return np.asarray(signs * rng.integers(most // 2, most, size=step.shape, endpoint=True) * step)
