"""Pooling: the maximum and the mean over windows of the last axes."""

from math import prod

import numpy as np

from lenticulum import terms
from lenticulum.numbers import DomainError, ExactArray, maximum, where
from lenticulum.numbers.array import Booleans, Positions
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.meaning import meaning
from lenticulum.spec.operations.integers import integers
from lenticulum.spec.operations.windows import Padding, combined, gather, spatial, under_leading, window_positions


@meaning(terms.MaxPool)
def max_pool(x: ExactArray, *, window: tuple[int, ...], stride: tuple[int, ...], padding: Padding) -> ExactArray:
    """Return the largest entry of each window; padding is left out.

    Values that determine the result: x [..., *spatial] and every field. Pure; no state.
    Kink: where the largest entry occurs twice, the derivative flows to the first in row-major order.
    Laws: monotone; y + c is that of x + c; a window of one cell is the identity.
    Raises: DomainError if a window holds padding alone: the largest entry of none does not exist.
    """
    largest, others = _cells(x, window, stride, padding)
    for cell, new in others:
        # A cell that is no other one is compared as a smaller number: no enclosure is compared with itself.
        largest = where(where(new, cell, largest - 1) > largest, cell, largest)
    return largest


@textbook(terms.MaxPool)
def max_pool_by_maximum(
    x: ExactArray, *, window: tuple[int, ...], stride: tuple[int, ...], padding: Padding
) -> ExactArray:
    """Return the same value by max(a, b), which needs no decision between two entries that may be equal."""
    largest, others = _cells(x, window, stride, padding)
    for cell, new in others:
        largest = where(new, maximum(largest, cell), largest)
    return largest


def _cells(
    x: ExactArray, window: tuple[int, ...], stride: tuple[int, ...], padding: Padding
) -> tuple[ExactArray, list[tuple[ExactArray, Booleans]]]:
    """Return the first real cell of every window, and cell after cell of all windows with where it is another one.

    For padding stands the first real cell.
    """
    positions = window_positions(x.shape, window, stride, padding, "max_pool")
    real = positions >= 0
    if not real.any(axis=-1).all():
        raise DomainError("a window holds padding alone, and the largest of no entries does not exist")
    first = np.take_along_axis(positions, real.argmax(axis=-1)[..., None], axis=-1)
    filled = np.where(real, positions, first)
    new = np.asarray(filled != first)
    return x.take(first[..., 0]), [(x.take(filled[..., k]), new[..., k]) for k in range(filled.shape[-1])]


@meaning(terms.AveragePool)
def average_pool(
    x: ExactArray, *, window: tuple[int, ...], stride: tuple[int, ...], padding: Padding, divisor: str
) -> ExactArray:
    """Return the sum of each window, with 0 for padding, divided by the number of its cells ("window"), or of its real
    cells ("inside").

    Values that determine the result: x [..., *spatial] and every field. Pure; no state.
    Laws: linear; of constant x it is that constant where no window meets padding, and everywhere for "inside".
    Raises: DomainError if the divisor is "inside" and a window holds padding alone.
    """
    positions = window_positions(x.shape, window, stride, padding, "average_pool")
    if divisor == "window":
        return gather(x, positions).sum(axis=-1) / prod(window)
    return _mean_inside(x, positions)


@meaning(terms.AdaptiveAveragePool)
def adaptive_average_pool(x: ExactArray, *, outputs: tuple[int, ...], bins: str) -> ExactArray:
    """Return the mean of each bin of the last axes.

    Values that determine the result: x [..., *spatial], outputs and bins. Pure; no state.
    Laws: linear; of constant x it is that constant; as many bins as entries are the identity, one bin is the mean.
    Raises: DomainError if a bin is empty (`bins` "split", more bins than entries).
    """
    sizes = spatial(x.shape, len(outputs), "adaptive_average_pool")
    along = tuple(_bins(n, m, bins) for n, m in zip(sizes, outputs, strict=True))
    leading = x.shape[: x.ndim - len(outputs)]
    positions = under_leading(combined(along, sizes), prod(leading), prod(sizes))
    return _mean_inside(x, positions.reshape((*leading, *outputs, prod(each.shape[1] for each in along))))


def _bins(size: int, count: int, bins: str) -> Positions:
    """Return the entries of each bin along one axis, filled up with -1."""
    if bins == "overlapping":
        ends = [(size * i // count, -(-size * (i + 1) // count)) for i in range(count)]
    else:
        first, rest = divmod(size, count)
        starts = [first * i + min(i, rest) for i in range(count + 1)]
        ends = list(zip(starts[:-1], starts[1:], strict=True))
    width = max(stop - start for start, stop in ends)
    cells = np.full((count, width), -1)
    for i, (start, stop) in enumerate(ends):
        cells[i, : stop - start] = np.arange(start, stop)
    return cells


def _mean_inside(x: ExactArray, positions: Positions) -> ExactArray:
    """Return the mean over the last axis of the elements at real positions."""
    count = (positions >= 0).sum(axis=-1)
    if not count.all():
        raise DomainError("a window holds no entry, and the mean of no entries does not exist")
    total = gather(x, positions).sum(axis=-1)
    return total / integers(x, count)
