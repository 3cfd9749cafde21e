"""Inputs of pooling: channels of every family, negative ones under padding, ties, infinities."""

from __future__ import annotations

from itertools import cycle

import numpy as np

from lenticulum import terms
from lenticulum.check.case import Case
from lenticulum.check.operation_cases.registry import cases_of
from lenticulum.check.rows import near_overflow_rows, reals, rows, tied_row
from lenticulum.spec.draw import Draw

Array = np.ndarray


@cases_of(terms.MaxPool)
def max_pool(draw: Draw, term: terms.MaxPool, largest: float) -> list[Case]:
    """Two sizes; negative entries everywhere, which zeros of padding would exceed; ties of zeros; infinities."""
    found = _pooled(draw, term, largest)
    shape = found[0].arrays["x"].shape
    ties = np.stack([tied_row(draw, int(np.prod(shape[1:]))) for _ in range(shape[0])]).reshape(shape)
    holes = reals(draw, shape, 4.0)
    holes[..., draw.integer(0, shape[-1] - 1)] = -np.inf
    holes[0, ..., draw.integer(0, shape[-1] - 1)] = np.inf
    return [Case("regular", {"x": ties}, {}), *found, Case("edge", {"x": holes}, {})]


@cases_of(terms.AveragePool)
def average_pool(draw: Draw, term: terms.AveragePool, largest: float) -> list[Case]:
    """Two sizes, negative entries everywhere, NaN and an infinity."""
    found = _pooled(draw, term, largest)
    return [*found, _with_specials(draw, found[0].arrays["x"])]


@cases_of(terms.AdaptiveAveragePool)
def adaptive_average_pool(draw: Draw, term: terms.AdaptiveAveragePool, largest: float) -> list[Case]:
    """Sizes that the bins divide, and sizes that they do not; NaN and an infinity."""
    exact = tuple(2 * n for n in term.outputs)
    odd = tuple(2 * n + 1 + axis for axis, n in enumerate(term.outputs))
    found = [Case("regular", {"x": _channels(draw, 5, sizes)}, {}) for sizes in (odd, exact, term.outputs)]
    return [*found, _with_specials(draw, found[0].arrays["x"]), _near_overflow(draw, (5, *odd), largest)]


def _pooled(draw: Draw, term: terms.MaxPool | terms.AveragePool, largest: float) -> list[Case]:
    """Return cases of two windows along each axis and some more, and of one window."""
    padding = cycle(term.padding) if isinstance(term.padding, tuple) else cycle(((0, 0),))
    stride = cycle(term.stride) if isinstance(term.stride, tuple) else cycle((term.stride,))
    smallest = [max(k - sum(p), 1) for k, p in zip(term.window, padding, strict=False)]
    sizes = tuple(n + s + axis for axis, (n, s) in enumerate(zip(smallest, stride, strict=False)))
    shapes = ((5, *sizes), (2, *smallest))
    return [
        *(Case("regular", {"x": _channels(draw, *shape[:1], shape[1:])}, {}) for shape in shapes),
        Case("regular", {"x": -1 - np.abs(reals(draw, shapes[0], 4.0))}, {}),
        _near_overflow(draw, shapes[0], largest),
    ]


def _channels(draw: Draw, channels: int, sizes: tuple[int, ...]) -> Array:
    return rows(draw, channels, int(np.prod(sizes))).reshape((channels, *sizes))


def _with_specials(draw: Draw, x: Array) -> Case:
    flat = x.copy().reshape((x.shape[0], -1))
    flat[0, draw.integer(0, flat.shape[1] - 1)] = np.nan
    flat[1, draw.integer(0, flat.shape[1] - 1)] = draw.choice((np.inf, -np.inf))
    return Case("edge", {"x": flat.reshape(x.shape)}, {})


def _near_overflow(draw: Draw, shape: tuple[int, ...], largest: float) -> Case:
    flat = (shape[0], int(np.prod(shape[1:])))
    return Case("near overflow", {"x": np.resize(near_overflow_rows(draw, flat[1], largest), flat).reshape(shape)}, {})
