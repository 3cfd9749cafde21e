"""Products of matrices, and convolutions."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import jax.numpy as jnp
import numpy as np

from lenticulum.numbers import ExactArray, concatenate, stack
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.rules.control import expanded
from lenticulum.programs.rules.conversion import to_format
from lenticulum.programs.values import decided, promoted


@rule("dot_general")
def dot_general(step: Step, x: Any, y: Any) -> Any:
    """Sums of products over the contracted axes, for each index of the batch axes."""
    (x_sum, y_sum), (x_batch, y_batch) = step.parameters["dimension_numbers"]
    # Products of narrow numbers are exact in the format of the result, where that is the wider one.
    x, y = promoted([_in_format(step, x), _in_format(step, y)])
    x_free = [axis for axis in range(x.ndim) if axis not in (*x_sum, *x_batch)]
    y_free = [axis for axis in range(y.ndim) if axis not in (*y_sum, *y_batch)]
    batch = math.prod(x.shape[axis] for axis in x_batch)
    rows, columns = (math.prod(a.shape[axis] for axis in free) for a, free in ((x, x_free), (y, y_free)))
    inner = math.prod(x.shape[axis] for axis in x_sum)
    left = x.transpose([*x_batch, *x_free, *x_sum]).reshape((batch, rows, inner))
    right = y.transpose([*y_batch, *y_sum, *y_free]).reshape((batch, inner, columns))
    if not batch * rows * columns:
        return x.lift(0, step.shape)
    return stack([left[place] @ right[place] for place in range(batch)]).reshape(step.shape)


def _in_format(step: Step, x: Any) -> Any:
    """Return an operand in the format of the result; one of integers or booleans is converted to it."""
    if isinstance(x, ExactArray):
        return to_format(step, x, step.dtype)
    return step.interpreter.system.data(np.asarray(decided(x, step.name)), step.dtype)


@rule("ragged_dot_general")
def ragged_dot_general(step: Step, x: Any, y: Any, sizes: Any) -> Any:
    """A product of matrices for each group of consecutive rows; rows of no group give 0."""
    return expanded(step, partial(_ragged, **step.parameters), [x, y, decided(sizes, step.name)])[0]


def _ragged(*operands: Any, **parameters: Any) -> Any:
    """The sum over the groups of products with all other rows zero, as JAX computes it where it has no kernel."""
    from jax._src.lax.lax import _ragged_dot_general_impl  # pyright: ignore[reportPrivateUsage]

    return _ragged_dot_general_impl(*operands, **parameters)


@rule("scaled_dot")
def scaled_dot(step: Step, x: Any, y: Any, x_scale: Any, y_scale: Any) -> Any:
    """A product of matrices whose blocks along the contracted axes have a scale each, in bfloat16."""
    (x_sum, y_sum), _ = step.parameters["dimension_numbers"]
    x, y = (
        to_format(step, each, jnp.bfloat16) * _repeated(to_format(step, scale, jnp.bfloat16), each.shape, axes)
        for each, scale, axes in ((x, x_scale, x_sum), (y, y_scale, y_sum))
    )
    return dot_general(step, x, y)


def _repeated(scale: Any, shape: tuple[int, ...], axes: Any) -> Any:
    """Return the scale of each element from those of its blocks along some axes."""
    places = np.arange(scale.size).reshape(scale.shape)
    for axis in axes:
        places = np.repeat(places, shape[axis] // scale.shape[axis], axis=axis)
    return scale.take(places)


@rule("conv_general_dilated")
def convolution(step: Step, x: Any, kernel: Any) -> Any:
    """Sums of products of a kernel with the windows of an array, padded with zeros and dilated, in groups."""
    numbers = step.parameters["dimension_numbers"]
    x = to_format(step, x, step.dtype).transpose(numbers.lhs_spec)
    kernel = to_format(step, kernel, step.dtype).transpose(numbers.rhs_spec)
    groups, batches = step.parameters["feature_group_count"], step.parameters["batch_group_count"]
    outputs = kernel.shape[0]
    parts: list[Any] = []
    for group in range(groups * batches):
        size, width = x.shape[1] // groups, x.shape[0] // batches
        # One of the two numbers of groups is 1.
        rows = slice(group * width, (group + 1) * width) if batches > 1 else slice(None)
        channels = slice(group * size, (group + 1) * size) if groups > 1 else slice(None)
        share = outputs // (groups * batches)
        parts.append(_convolved(step, x[rows, channels], kernel[group * share : (group + 1) * share]))
    found = concatenate(parts, axis=1)
    return found.transpose([numbers.out_spec.index(axis) for axis in range(found.ndim)])


def _convolved(step: Step, x: Any, kernel: Any) -> Any:
    """One group: x [batch, channels, ...], kernel [outputs, channels, ...] to [batch, outputs, ...]."""
    parameters = step.parameters
    places = window_places(
        x.shape[2:],
        kernel.shape[2:],
        parameters["window_strides"],
        parameters["padding"],
        parameters["lhs_dilation"],
        parameters["rhs_dilation"],
    )
    out, size = places.shape[: x.ndim - 2], math.prod(kernel.shape[2:])
    places = places.reshape(math.prod(out), size)
    flat = x.reshape((x.shape[0] * x.shape[1], math.prod(x.shape[2:])))
    padded = concatenate([flat, flat.lift(0, (flat.shape[0], 1))], axis=1)
    windows = padded[:, np.where(places < 0, flat.shape[1], places)]
    windows = windows.reshape((x.shape[0], x.shape[1], math.prod(out), size)).transpose((0, 2, 1, 3))
    rows = windows.reshape((x.shape[0] * math.prod(out), x.shape[1] * size))
    found = rows @ kernel.reshape((kernel.shape[0], x.shape[1] * size)).T
    return found.reshape((x.shape[0], *out, kernel.shape[0])).transpose((0, x.ndim - 1, *range(1, x.ndim - 1)))


def window_places(
    sizes: tuple[int, ...],
    window: tuple[int, ...],
    strides: tuple[int, ...],
    padding: Any,
    base_dilation: tuple[int, ...],
    window_dilation: tuple[int, ...],
) -> Any:
    """Return for each output place and each place of the window the flat position in the array, -1 in the padding.

    Shape: [outputs along each axis..., window along each axis...].
    """
    per_axis = []
    for n, k, stride, (low, high), base, dilation in zip(
        sizes, window, strides, padding, base_dilation, window_dilation, strict=True
    ):
        dilated = (n - 1) * base + 1 if n else 0
        span = (k - 1) * dilation + 1
        count = max(0, (dilated + low + high - span) // stride + 1) if dilated + low + high >= span else 0
        at = np.arange(count)[:, None] * stride + np.arange(k)[None, :] * dilation - low
        inside = (at >= 0) & (at < dilated) & (at % base == 0)
        per_axis.append(np.where(inside, at // base, -1))
    axes = len(sizes)
    found, outside = np.zeros((1,) * (2 * axes), np.int64), np.zeros((1,) * (2 * axes), np.bool_)
    for axis, at in enumerate(per_axis):
        shape = [1] * (2 * axes)
        shape[axis], shape[axes + axis] = at.shape
        found = found * sizes[axis] + at.reshape(shape)
        outside = outside | (at.reshape(shape) < 0)
    return np.where(outside, -1, found)
