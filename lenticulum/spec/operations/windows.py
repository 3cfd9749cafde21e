"""Windows along the last axes of an array: which element each cell of a window reads, and which cells are padding."""

from math import prod
from typing import TypeVar

import numpy as np

from lenticulum.numbers import ExactArray
from lenticulum.numbers.array import Positions
from lenticulum.terms.operations.windows import per_axis

Array = TypeVar("Array", bound=ExactArray)

#: (before, after) for each spatial axis.
Padding = tuple[tuple[int, int], ...]


def output_size(size: int, window: int, stride: int, padding: tuple[int, int], dilation: int) -> int:
    """Return floor((size + padding - extent) / stride) + 1 with extent = dilation (window - 1) + 1; 0 if none fits.

    Source: Dumoulin and Visin 2016, arXiv:1603.07285, relationship 15.

    >>> output_size(7, 3, 2, (1, 0), 1), output_size(2, 3, 1, (0, 0), 1)
    (3, 0)
    """
    room = size + sum(padding) - dilation * (window - 1) - 1
    return room // stride + 1 if room >= 0 else 0


def axis_cells(size: int, window: int, stride: int, padding: tuple[int, int], dilation: int) -> Positions:
    """Return the entry that cell k of window i reads along one axis, stride i + dilation k - before; -1 is padding.

    >>> axis_cells(3, 2, 2, (1, 0), 1).tolist()
    [[-1, 0], [1, 2]]
    """
    outputs = output_size(size, window, stride, padding, dilation)
    cells = stride * np.arange(outputs)[:, None] + dilation * np.arange(window) - padding[0]
    return np.where((cells >= 0) & (cells < size), cells, -1)


def transposed_cells(
    size: int, window: int, stride: int, padding: tuple[int, int], dilation: int, extra: int
) -> Positions:
    """Return the entry i with stride i + dilation k - before = j, for output j and cell k; -1 where there is none.

    >>> transposed_cells(2, 2, 2, (0, 0), 1, 1).tolist()
    [[0, -1], [-1, 0], [1, -1], [-1, 1], [-1, -1]]
    """
    outputs = max(stride * (size - 1) + dilation * (window - 1) + 1 - sum(padding) + extra, 0)
    reached = np.arange(outputs)[:, None] + padding[0] - dilation * np.arange(window)
    entry = reached // stride
    return np.where((reached % stride == 0) & (entry >= 0) & (entry < size), entry, -1)


def combined(cells: tuple[Positions, ...], sizes: tuple[int, ...]) -> Positions:
    """Return flat positions [*outputs, *windows] in an array of the spatial sizes; -1 where any axis is padding."""
    axes = len(cells)
    flat = np.zeros((1,) * (2 * axes), dtype=np.int64)
    outside = np.zeros((1,) * (2 * axes), dtype=np.bool_)
    for axis, (each, size) in enumerate(zip(cells, sizes, strict=True)):
        shape = [1] * (2 * axes)
        shape[axis], shape[axes + axis] = each.shape
        flat = flat * size + each.reshape(shape)
        outside = outside | (each.reshape(shape) < 0)
    return np.where(outside, -1, flat)


def under_leading(cells: Positions, leading: int, size: int) -> Positions:
    """Return positions [leading, *cells] in an array of `leading` blocks of `size` elements; -1 stays."""
    offsets = size * np.arange(leading).reshape((leading,) + (1,) * cells.ndim)
    return np.where(cells < 0, -1, cells + offsets)


def gather(x: Array, positions: Positions) -> Array:
    """Return the elements at flat positions, and exact zeros at -1.

    >>> from lenticulum.numbers import rational
    >>> gather(rational([5, 7]), np.array([1, -1, 0])).tolist()
    [Fraction(7, 1), Fraction(0, 1), Fraction(5, 1)]
    """
    return x.join([x.lift(0)]).take(np.where(positions < 0, x.size, positions))


def spatial(shape: tuple[int, ...], axes: int, name: str) -> tuple[int, ...]:
    """Return the last `axes` sizes of a shape.

    Raises: ValueError if there are fewer.
    """
    if len(shape) < axes:
        raise ValueError(f"{name}: expected at least {axes} axes, got shape {list(shape)}")
    return shape[len(shape) - axes :]


def window_positions(
    shape: tuple[int, ...], window: tuple[int, ...], stride: tuple[int, ...], padding: Padding, name: str
) -> Positions:
    """Return flat positions [*leading, *outputs, cells of a window in row-major order] in an array; -1 is padding."""
    axes = len(window)
    sizes = spatial(shape, axes, name)
    strides, sides = per_axis(stride, axes, "stride"), per_axis(padding, axes, "padding")
    along = tuple(
        axis_cells(n, k, step, side, 1) for n, k, step, side in zip(sizes, window, strides, sides, strict=True)
    )
    leading, outputs = shape[: len(shape) - axes], tuple(each.shape[0] for each in along)
    positions = under_leading(combined(along, sizes), prod(leading), prod(sizes))
    return positions.reshape((*leading, *outputs, prod(window)))
