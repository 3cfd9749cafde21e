"""Planted mistakes about pooling: wrong twins of `evaluate` and `reverse`, each of which a law must reject."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import DomainError, ExactArray, rational, where
from lenticulum.spec.operations.subject import Reverse, entries, evaluate, mistaken, reverse
from lenticulum.spec.operations.windows import gather, window_positions
from lenticulum.terms import AdaptiveAveragePool, AveragePool, MaxPool, Operation, replace


def _cells(term: Any, x: ExactArray) -> list[ExactArray]:
    positions = window_positions(x.shape, term.window, term.stride, term.padding, "planted")
    return [gather(x, positions[..., cell]) for cell in range(positions.shape[-1])]


def _padding_is_zero(term: MaxPool, x: ExactArray) -> Any:
    largest, *others = _cells(term, x)
    for cell in others:
        largest = where(cell > largest, cell, largest)
    return largest


def _strides_exchanged(term: Any, x: ExactArray) -> Any:
    return evaluate(replace(term, stride=tuple(reversed(term.stride))), x)


def _sides_exchanged(term: Any, x: ExactArray) -> Any:
    return evaluate(replace(term, padding=tuple((after, before) for before, after in term.padding)), x)


def _smaller_window(term: MaxPool, x: ExactArray) -> Any:
    """The last entry of the last axis of every window is left out."""
    if term.window[-1] == 1 or not isinstance(term.padding, tuple):
        return evaluate(term, x)
    before, after = term.padding[-1]
    if before == term.window[-1] - 1:
        return evaluate(term, x)
    padding = (*term.padding[:-1], (before, max(after - 1, 0)))
    return evaluate(replace(term, window=(*term.window[:-1], term.window[-1] - 1), padding=padding), x)


def zero_for_padding_alone(term: Operation, x: ExactArray) -> Any:
    """A window without an entry gives 0."""
    try:
        return evaluate(term, x)
    except DomainError:
        return x.lift(0)


def _divisors_exchanged(term: AveragePool, x: ExactArray) -> Any:
    return evaluate(replace(term, divisor="inside" if term.divisor == "window" else "window"), x)


def _bins_exchanged(term: AdaptiveAveragePool, x: ExactArray) -> Any:
    return evaluate(replace(term, bins="split" if term.bins == "overlapping" else "overlapping"), x)


def _bins_of_one_size(term: AdaptiveAveragePool, x: ExactArray) -> Any:
    """Stride N // M and window N - (M - 1) stride, as some guides recommend."""
    sizes = x.shape[x.ndim - len(term.outputs) :]
    stride = tuple(n // m for n, m in zip(sizes, term.outputs, strict=True))
    window = tuple(n - (m - 1) * s for n, m, s in zip(sizes, term.outputs, stride, strict=True))
    return evaluate(AveragePool(window, stride), x)


def _shares(share: Callable[[Any], Any]) -> Reverse:
    """The reverse of the maximum in which a window gives each cell `share` of its cotangent."""

    def wrong(term: Any, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
        (x,) = arrays
        positions = window_positions(x.shape, term.window, term.stride, term.padding, "planted")
        values = np.where(positions < 0, -np.inf, entries(x).ravel()[positions])
        shares = share(values == values.max(axis=-1, keepdims=True))
        slope = np.zeros(x.size, dtype=object)
        np.add.at(slope, positions, entries(cotangent)[..., None] * shares)
        return (rational(slope.tolist()).reshape(x.shape),)

    return wrong


def _everyone(is_largest: Any) -> Any:
    return np.where(is_largest, 1, 0)


def _last(is_largest: Any) -> Any:
    last: Any = is_largest.shape[-1] - 1 - np.flip(is_largest, -1).argmax(axis=-1)
    places = np.arange(int(is_largest.shape[-1]))
    return np.where(places == last[..., None], 1, 0)


def _equally(is_largest: Any) -> Any:
    one_each: Any = np.where(is_largest, 1, 0)
    return one_each * Fraction(1) / one_each.sum(axis=-1, keepdims=True)


def reverse_with_divisors_exchanged(term: Any, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The reverse derivative of the mean with the other divisor."""
    other = "inside" if term.divisor == "window" else "window"
    return reverse(replace(term, divisor=other), arrays, cotangent)


padding_is_zero = mistaken(MaxPool, _padding_is_zero)
max_with_strides_exchanged = mistaken(MaxPool, _strides_exchanged)
smaller_window = mistaken(MaxPool, _smaller_window)
divisors_exchanged = mistaken(AveragePool, _divisors_exchanged)
average_with_strides_exchanged = mistaken(AveragePool, _strides_exchanged)
average_with_sides_exchanged = mistaken(AveragePool, _sides_exchanged)
bins_exchanged = mistaken(AdaptiveAveragePool, _bins_exchanged)
bins_of_one_size = mistaken(AdaptiveAveragePool, _bins_of_one_size)
to_all_largest = _shares(_everyone)
to_the_last = _shares(_last)
shared_out = _shares(_equally)
