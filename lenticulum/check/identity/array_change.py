"""Other arrays in the place of one: entries at several places, shapes, formats with the same bits or values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np

Pairs = Iterator[tuple[str, Any]]

#: The formats of one byte that print the same `dtype.str`.
_BYTES = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e4m3b11fnuz")


def with_entry(old: np.ndarray, place: int, new: Any) -> np.ndarray:
    """Return a copy with one entry, counted in C order, replaced.

    >>> with_entry(np.zeros((2, 2)), 3, 5.0).tolist()
    [[0.0, 0.0], [0.0, 5.0]]
    """
    changed = np.array(old, copy=True, order="C")
    changed.reshape(-1)[place] = new
    return changed


def array_changes(old: np.ndarray) -> Pairs:
    """Yield arrays that are not equal to `old`."""
    flat = np.asarray(old).reshape(-1)
    for place in dict.fromkeys((0, flat.size // 2, flat.size - 1)) if flat.size else ():
        for new in _entries(flat[place]):
            yield f"with_entry(old, {place}, {new!r})", with_entry(old, place, new)
    if flat.size > 1:
        yield "old.reshape(-1)[::-1].reshape(old.shape)", flat[::-1].reshape(old.shape).copy()
    if old.ndim <= 1 and flat.size:
        yield "np.concatenate([old.reshape(-1)] * 2)", np.concatenate([flat, flat])


def _entries(entry: Any) -> list[Any]:
    if entry.dtype.kind == "b":
        return [not entry]
    if entry.dtype.kind in "iu":
        return [int(entry) + 1 if int(entry) < 100 else int(entry) - 1]
    if entry.dtype.kind in "fc":
        return [complex(entry) * 2 + 100 if entry.dtype.kind == "c" else float(entry) * 2 + 100]
    try:
        return [float(entry) + 1]
    except (TypeError, ValueError):
        return []


def array_twins(old: np.ndarray) -> Pairs:
    """Yield arrays that text, bytes or `np.array_equal` confuse with `old`."""
    if isinstance(old, np.ma.MaskedArray):
        yield "np.ma.masked_array(old.filled(), False)", np.ma.masked_array(old.filled(), False)
    if old.dtype.hasobject:
        return
    other = (-1,) if old.ndim > 1 else (1, -1)
    yield f"old.reshape{other!r}", old.reshape(other).copy()
    if type(old) is np.ndarray and old.dtype.kind in "fc" and (old == 0).any():
        yield "np.where(old == 0, -old, old)", np.where(old == 0, -old, old)
    for other in _same_bits(old.dtype):
        yield f"old.view(jnp.dtype({other.name!r}))", np.ascontiguousarray(old).view(other).reshape(old.shape)
    for name in ("bool", "int8", "int32", "int64", "float32", "float64"):
        if name != old.dtype.name and old.dtype.kind in "biuf":
            with np.errstate(all="ignore"):
                new = old.astype(name)
            if np.array_equal(new, old):
                yield f"old.astype({name!r})", new


def _same_bits(dtype: np.dtype) -> list[np.dtype]:
    """Formats of the same size in which the same bits mean something else."""
    if dtype.name in _BYTES:
        return [np.dtype(getattr(ml_dtypes, name)) for name in _BYTES if name != dtype.name]
    if dtype.name in ("int4", "uint4"):
        return [np.dtype(ml_dtypes.uint4 if dtype.name == "int4" else ml_dtypes.int4)]
    names = {1: ("int8", "uint8"), 2: ("int16", "float16"), 4: ("int32", "float32"), 8: ("int64", "float64")}
    if dtype.kind not in "biufc":
        return []
    return [np.dtype(name) for name in names.get(dtype.itemsize, ()) if name != dtype.name]
