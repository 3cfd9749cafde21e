"""Planted mistakes about convolution: wrong twins of `evaluate` and `reverse`, each of which a law must reject."""

from __future__ import annotations

from typing import Any

import numpy as np

from lenticulum.numbers import ExactArray
from lenticulum.spec.operations.subject import evaluate, mistaken, reverse
from lenticulum.terms import Convolution, Operation, TransposedConvolution, replace


def flipped(weight: ExactArray) -> ExactArray:
    """The kernel with its spatial axes reversed."""
    return weight.take(np.flip(np.arange(weight.size).reshape(weight.shape), tuple(range(2, weight.ndim))))


def _reversed_kernel(term: Any, x: ExactArray, weight: ExactArray, *bias: ExactArray) -> Any:
    return evaluate(term, x, flipped(weight), *bias)


def _strides_exchanged(term: Any, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, stride=tuple(reversed(term.stride))), *arrays)


def _stride_for_dilation(term: Any, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, stride=term.dilation, dilation=term.stride), *arrays)


def _sides_exchanged(term: Any, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, padding=tuple((after, before) for before, after in term.padding)), *arrays)


def _channels_interleaved(term: Convolution, x: ExactArray, weight: ExactArray, *bias: ExactArray) -> Any:
    """Channel c goes to group c mod groups."""
    axis = x.ndim - weight.ndim + 1
    channels = x.shape[axis]
    order = np.arange(channels).reshape((channels // term.groups, term.groups)).T.ravel()
    return evaluate(term, x[(slice(None),) * axis + (order,)], weight, *bias)


def _without_bias(term: Convolution, x: ExactArray, weight: ExactArray, *bias: ExactArray) -> Any:
    return evaluate(term, x, weight)


def _extra_in_front(term: Any, *arrays: ExactArray) -> Any:
    """Outputs appended before the first: the padding in front is smaller by as much."""
    moved = zip(term.padding, term.extra, strict=True)
    padding = tuple((before - more, after + more) for (before, after), more in moved)
    if any(before < 0 for before, _ in padding):
        return evaluate(term, *arrays)
    return evaluate(replace(term, padding=padding), *arrays)


def _without_dilation(term: Any, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, dilation=1), *arrays)


def _direct_as_adjoint(term: TransposedConvolution, x: ExactArray, weight: ExactArray, *bias: ExactArray) -> Any:
    """The direct kernel with its channels in the right places, but not reversed."""
    return evaluate(term, x, flipped(weight) if term.kernel == "direct" else weight, *bias)


def reverse_with_the_kernel_as_it_is(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The cotangent of x through the kernel that is not reversed."""
    x, weight, *bias = arrays
    return (reverse(term, (x, flipped(weight), *bias), cotangent)[0], *reverse(term, arrays, cotangent)[1:])


def mean_to_the_bias(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The bias gets the mean of the cotangents over all places."""
    to_x, to_weight, to_bias = reverse(term, arrays, cotangent)
    return to_x, to_weight, to_bias * to_bias.size / cotangent.size


def weight_slope_reversed(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The cotangent of the weight with its spatial axes reversed."""
    to_x, to_weight, to_bias = reverse(term, arrays, cotangent)
    return to_x, flipped(to_weight), to_bias


reversed_kernel = mistaken(Convolution, _reversed_kernel)
strides_exchanged = mistaken(Convolution, _strides_exchanged)
stride_for_dilation = mistaken(Convolution, _stride_for_dilation)
sides_exchanged = mistaken(Convolution, _sides_exchanged)
channels_interleaved = mistaken(Convolution, _channels_interleaved)
without_bias = mistaken(Convolution, _without_bias)
transposed_with_reversed_kernel = mistaken(TransposedConvolution, _reversed_kernel)
transposed_with_sides_exchanged = mistaken(TransposedConvolution, _sides_exchanged)
transposed_without_dilation = mistaken(TransposedConvolution, _without_dilation)
extra_in_front = mistaken(TransposedConvolution, _extra_in_front)
direct_not_reversed = mistaken(TransposedConvolution, _direct_as_adjoint)
