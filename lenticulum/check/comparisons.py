"""One function computed in two ways, where no definition is given: what differs must be rounding."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.target import one_line

#: Unit roundoffs of the two formats in which every discrepancy is measured.
NARROW, WIDE = 2.0**-24, 2.0**-53

#: A discrepancy of rounding shrinks by NARROW / WIDE = 2^29 in the wider format, one of the formula does not shrink.
#: The limit is the geometric middle of the two, 2^-14.5.
SHRINKS = math.sqrt(WIDE / NARROW)

#: And what is left in binary64 must be larger, relative to the values compared, than the geometric middle of both unit
#: roundoffs: below that, half of the digits of binary64 agree.
VISIBLE = math.sqrt(WIDE * NARROW)

Arrays = Sequence[np.ndarray]
Way = Callable[..., Any]


@dataclass(frozen=True)
class Comparison:
    """Two ways to compute a function: `one(f, *arrays)` and `other(f, *arrays)`; `kind`: of a finding."""

    what: str
    kind: str
    one: Way
    other: Way

    def discrepancies(self, function: Way, arrays: Arrays) -> tuple[float, float]:
        """Return the relative discrepancy in binary32 and in binary64.

        Raises: what the function raises; ValueError if it differs and computes in no binary64, where rounding and
        formula look the same.
        """
        narrow, _ = self._discrepancy(function, arrays)
        with jax.enable_x64(True):
            wide, results = self._discrepancy(function, [widened(array) for array in arrays])
        formats = {each.dtype.name for each in results if each.dtype.kind in "fV"} - {"float64"}
        if wide > VISIBLE and formats:
            raise ValueError(f"it returns {formats.pop()} whatever it is given, and differs by {wide:.3g}")
        return narrow, wide

    def _discrepancy(self, function: Way, arrays: Arrays) -> tuple[float, list[np.ndarray]]:
        first = leaves(lambda *a: self.one(function, *a), *arrays)
        second = leaves(lambda *a: self.other(function, *a), *arrays)
        return max((relative(a, b) for a, b in zip(first, second, strict=True)), default=0.0), first

    def words(self, narrow: float, wide: float) -> str:
        """Say what was measured."""
        return f"{self.what}: relative discrepancy {narrow:.3g} in binary32, {wide:.3g} in binary64"


def differs(narrow: float, wide: float) -> bool:
    """Return whether a discrepancy is one of the formula."""
    return wide > VISIBLE and wide > SHRINKS * narrow


def widened(array: Any) -> Any:
    """Return floats in binary64, and anything else as it is."""
    return array.astype(np.float64) if array.dtype.kind in "fV" else array


def leaves(function: Way, *arrays: Any) -> list[np.ndarray]:
    """Return the leaves of a result, on the host."""
    return [np.asarray(leaf) for leaf in jax.tree.leaves(function(*map(jnp.asarray, arrays)))]


def relative(a: np.ndarray, b: np.ndarray) -> float:
    """Return max |a - b| relative to the largest size; 1 where one is a number and the other is not."""
    if a.dtype.kind not in "fV":
        return float(not np.array_equal(a, b))
    one, other = a.astype(np.float64), b.astype(np.float64)
    if one.shape != other.shape or not np.array_equal(np.isfinite(one), np.isfinite(other)):
        return 1.0
    finite = np.isfinite(one)
    size = float(np.max(np.maximum(np.abs(one), np.abs(other))[finite], initial=0.0))
    gap = float(np.max(np.abs(one - other)[finite], initial=0.0))
    return gap / size if size else 0.0


def _first(tree: Any) -> Any:
    return jax.tree.map(lambda leaf: leaf[0], tree)


def _plainly(function: Way, *arrays: Any) -> Any:
    return function(*arrays)


def _of_two(function: Way, *arrays: Any) -> Any:
    # Halves: another number of the same sign and kind, an index among indices.
    halved = [jnp.stack([array, (array * 0.5).astype(array.dtype)]) for array in arrays]
    return _first(jax.vmap(function)(*halved))


def _of_one(function: Way, *arrays: Any) -> Any:
    return _first(jax.vmap(function)(*(array[None] for array in arrays)))


#: The compiled function is the function.
COMPILED = Comparison("compiled against op by op", "formula", lambda f, *a: jax.jit(f)(*a), _plainly)

#: A mapped function is the function on each part.
MAPPED = (
    Comparison("vmap of two against one call", "shape-dependent", _of_two, _plainly),
    Comparison("a batch of one against one call", "shape-dependent", _of_one, _plainly),
)

#: Where a row of the result depends on its row of the arguments alone, the row by itself gives the same.
BY_ROW = Comparison(
    "a row in a batch against the row alone",
    "shape-dependent",
    lambda f, *a: jax.tree.map(lambda leaf: leaf[:1], f(*a)),
    lambda f, *a: f(*(x[:1] for x in a)),
)


def depends_by_row(function: Way, arrays: Arrays) -> bool | str:
    """Return whether the first row of every result depends on the first rows of the arguments alone; or why not known.

    Known by its bits when the other rows are negated.
    """
    lengths = {array.shape[:1] for array in arrays}
    if len(lengths) != 1 or () in lengths or arrays[0].shape[0] < 2:
        return False
    changed = [np.concatenate([array[:1], (array[1:] * -1.0).astype(array.dtype)]) for array in arrays]
    try:
        one, other = leaves(function, *arrays), leaves(function, *changed)
    except Exception as error:  # the negated rows may lie outside the domain
        return one_line(error)
    rows = arrays[0].shape[:1]
    return all(a.shape[:1] == rows and a[0].tobytes() == b[0].tobytes() for a, b in zip(one, other, strict=True))
