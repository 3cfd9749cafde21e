"""Inputs of convolutions: windows and sizes that differ from axis to axis, several groups, thin and signed data."""

from __future__ import annotations

import numpy as np

from lenticulum import terms
from lenticulum.check.case import Case
from lenticulum.check.operation_cases.registry import cases_of
from lenticulum.check.rows import near_overflow_rows, reals, rows
from lenticulum.spec.draw import Draw

Array = np.ndarray

#: The cells of a window along each axis; no two neighbours are equal, so that axes cannot be exchanged.
WINDOW = (3, 2, 1)


@cases_of(terms.Convolution)
def convolution(draw: Draw, term: terms.Convolution, largest: float) -> list[Case]:
    """A batch with unequal windows, one example with a window of one cell; NaN, an infinity, and huge entries."""
    axes = spatial_axes(term.stride, term.padding, term.dilation)
    inputs, outputs = 2 * term.groups, 3 * term.groups
    sizes = tuple(extent + 2 + axis for axis, extent in enumerate(_extents(term, axes)))
    weight = reals(draw, (outputs, 2, *WINDOW[:axes]), 2.0)
    one_cell = {"weight": reals(draw, (term.groups, 1, *(1,) * axes), 2.0), "bias": reals(draw, (term.groups,), 2.0)}
    found = [
        {"x": _channels(draw, 2, inputs, sizes), "weight": weight, "bias": reals(draw, (outputs,), 2.0)},
        {"x": _channels(draw, 2, inputs, sizes), "weight": weight},
        {"x": _channels(draw, 1, term.groups, (2,) + (1,) * (axes - 1)), **one_cell},
    ]
    return _labelled(draw, found, largest)


@cases_of(terms.TransposedConvolution)
def transposed_convolution(draw: Draw, term: terms.TransposedConvolution, largest: float) -> list[Case]:
    """As for the convolution: the weight is [inputs, outputs / groups, *window] or [outputs, inputs / groups, ...]."""
    axes = spatial_axes(term.stride, term.padding, term.dilation, term.extra)
    inputs, outputs = 2 * term.groups, 3 * term.groups
    channels = (outputs, 2) if term.kernel == "direct" else (inputs, 3)
    sizes = tuple(3 + axis for axis in range(axes))
    weight = reals(draw, (*channels, *WINDOW[:axes]), 2.0)
    given = {"weight": weight, "bias": reals(draw, (outputs,), 2.0)}
    found = [
        {"x": _channels(draw, 2, inputs, sizes), **given},
        {"x": _channels(draw, 2, inputs, sizes), "weight": weight},
        {"x": _channels(draw, 1, inputs, (2,) + (1,) * (axes - 1)), **given},
    ]
    return _labelled(draw, found, largest)


def spatial_axes(*fields: object) -> int:
    """Return the number of spatial axes: the most entries that a field has.

    >>> spatial_axes((2,), ((0, 0), (1, 1)))
    2
    """
    return max(len(field) for field in fields if isinstance(field, tuple))


def _extents(term: terms.Convolution, axes: int) -> list[int]:
    dilation = term.dilation if isinstance(term.dilation, tuple) else (term.dilation,)
    spread = dilation * axes if len(dilation) == 1 else dilation
    return [e * (k - 1) + 1 for k, e in zip(WINDOW, spread, strict=False)]


def _channels(draw: Draw, batch: int, channels: int, sizes: tuple[int, ...]) -> Array:
    """Return an array [batch, channels, *sizes] whose channels are rows of every family."""
    return rows(draw, batch * channels, int(np.prod(sizes))).reshape((batch, channels, *sizes))


def _labelled(draw: Draw, found: list[dict[str, Array]], largest: float) -> list[Case]:
    """Return regular cases, and of the first: NaN in one channel, infinity in another; channels near overflow."""
    x = found[0]["x"].copy()
    flat = x.reshape((x.shape[0] * x.shape[1], -1))
    flat[0, draw.integer(0, flat.shape[1] - 1)] = np.nan
    flat[1, draw.integer(0, flat.shape[1] - 1)] = draw.choice((np.inf, -np.inf))
    far = np.resize(near_overflow_rows(draw, flat.shape[1], largest), flat.shape).reshape(x.shape)
    return [
        *(Case("regular", arrays, {}) for arrays in found),
        Case("edge", {**found[0], "x": x}, {}),
        Case("near overflow", {**found[0], "x": far}, {}),
    ]
