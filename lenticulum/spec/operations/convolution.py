"""Convolution and transposed convolution, channels first: gathered cells times the weights."""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from lenticulum import terms
from lenticulum.numbers import ExactArray, concatenate
from lenticulum.numbers.array import Positions
from lenticulum.spec.meaning import meaning
from lenticulum.spec.operations.windows import (
    Padding,
    axis_cells,
    combined,
    gather,
    spatial,
    transposed_cells,
    under_leading,
)
from lenticulum.terms.operations.windows import per_axis


@meaning(terms.Convolution)
def convolution(
    x: ExactArray,
    weight: ExactArray,
    bias: ExactArray | None = None,
    *,
    stride: tuple[int, ...],
    padding: Padding,
    dilation: tuple[int, ...],
    groups: int,
) -> ExactArray:
    """Return y[o, i] = bias[o] + sum_{c, k} weight[o, c, k] x[c, stride i + dilation k - before].

    Values that determine the result: x [..., inputs, *spatial], weight [outputs, inputs / groups, *window], bias
    [outputs] if given, and every field. Entries of x outside are 0. Pure; no state.
    Laws: linear in x and in weight; equivariant under shifts by the stride; the transposed convolution is its adjoint.
    Raises: ValueError if the channels do not fit. Source: Dumoulin and Visin 2016, arXiv:1603.07285.
    """
    along = _along(axis_cells, x, weight, stride=stride, padding=padding, dilation=dilation)
    return _product(x, weight, bias, along, groups)


@meaning(terms.TransposedConvolution)
def transposed_convolution(
    x: ExactArray,
    weight: ExactArray,
    bias: ExactArray | None = None,
    *,
    stride: tuple[int, ...],
    padding: Padding,
    extra: tuple[int, ...],
    dilation: tuple[int, ...],
    groups: int,
    kernel: str,
) -> ExactArray:
    """Return y[o, j] = bias[o] + sum of weight[c, o, k] x[c, i] over the i, k with stride i + dilation k - before = j.

    Values that determine the result: x [..., inputs, *spatial], weight [inputs, outputs / groups, *window] (`kernel`
    "adjoint") or [outputs, inputs / groups, *window] ("direct": the kernel reversed), bias [outputs] if given, and
    every field. Pure; no state.
    Laws: the adjoint of `convolution` with the same weight, stride, padding, dilation and groups.
    Raises: ValueError if the channels do not fit. Source: Dumoulin and Visin 2016, arXiv:1603.07285, section 4.
    """
    along = _along(transposed_cells, x, weight, stride=stride, padding=padding, dilation=dilation, extra=extra)
    rows = _reversed(weight) if kernel == "direct" else _outputs_first(weight, groups)
    return _product(x, rows, bias, along, groups)


def _along(
    cells: Callable[..., Positions], x: ExactArray, weight: ExactArray, **fields: tuple[Any, ...]
) -> tuple[Positions, ...]:
    """Return the cells along each spatial axis, from its size, its window and its entry of every field."""
    axes = weight.ndim - 2
    entries = (per_axis(field, axes, name) for name, field in fields.items())
    rows = zip(spatial(x.shape, axes + 1, "x")[1:], weight.shape[2:], *entries, strict=True)
    return tuple(cells(*each) for each in rows)


def _product(
    x: ExactArray, weight: ExactArray, bias: ExactArray | None, along: tuple[Positions, ...], groups: int
) -> ExactArray:
    """Return sum_{c, k} weight[o, c, k] x[c, cell(i, k)], group by group, plus the bias."""
    axes, outputs, reads = len(along), weight.shape[0], weight.shape[1]
    leading, channels, sizes = x.shape[: x.ndim - axes - 1], x.shape[x.ndim - axes - 1], x.shape[x.ndim - axes :]
    _require_groups(channels, outputs, reads, groups)
    places = tuple(each.shape[0] for each in along)
    if not prod(places):
        return x.lift(0, (*leading, outputs, *places))
    cells = under_leading(combined(along, sizes), prod(leading) * channels, prod(sizes))
    # [leading, groups, channels of a group, places, window] -> [groups, leading, places, channels of a group, window]
    cells = cells.reshape((prod(leading), groups, reads, prod(places), -1)).transpose((1, 0, 3, 2, 4))
    matrices = weight.reshape((groups, outputs // groups, reads * prod(weight.shape[2:])))
    parts = [
        gather(x, cells[group]).reshape((prod(leading) * prod(places), -1)) @ matrices[group].T
        for group in range(groups)
    ]
    y = concatenate(parts, axis=1).reshape((prod(leading), prod(places), outputs)).transpose((0, 2, 1))
    y = y.reshape((*leading, outputs, *places))
    return y if bias is None else y + bias.reshape((outputs,) + (1,) * axes)


def _require_groups(channels: int, outputs: int, reads: int, groups: int) -> None:
    if channels != reads * groups or outputs % groups:
        raise ValueError(
            f"got {channels} channels and a weight for {reads} of them in {groups} groups, with {outputs} outputs; "
            f"expected {reads * groups} channels, and outputs that the groups divide"
        )


def _outputs_first(weight: ExactArray, groups: int) -> ExactArray:
    """Return [outputs, inputs / groups, *window] from [inputs, outputs / groups, *window]."""
    inputs, outputs, window = weight.shape[0], weight.shape[1], weight.shape[2:]
    if inputs % groups:
        raise ValueError(f"got {inputs} input channels in {groups} groups; expected a number that the groups divide")
    split = weight.reshape((groups, inputs // groups, outputs, prod(window)))
    return split.transpose((0, 2, 1, 3)).reshape((groups * outputs, inputs // groups, *window))


def _reversed(weight: ExactArray) -> ExactArray:
    """Return the kernel with every spatial axis reversed."""
    positions = np.arange(weight.size).reshape(weight.shape)
    return weight.take(np.flip(positions, axis=tuple(range(2, weight.ndim))))
