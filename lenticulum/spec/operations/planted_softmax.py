"""Planted mistakes about log-sum-exp and its relatives: wrong twins of `evaluate` and `reverse`."""

from __future__ import annotations

from typing import Any

from lenticulum.numbers import ExactArray, exp, log, sqrt, tanh, where
from lenticulum.spec.maximum import largest
from lenticulum.spec.operations.subject import evaluate, mistaken, reverse
from lenticulum.terms import Glu, LogSoftmax, LogSumExp, Operation, Standardize, exact, replace


def _next(term: Any, x: ExactArray) -> Any:
    """The term along the axis after its own."""
    if not isinstance(term.axis, int):
        return term
    return replace(term, axis=(term.axis + 1) % x.ndim)


def _another_axis(term: Any, x: ExactArray, *others: Any) -> Any:
    return evaluate(_next(term, x), x, *others)


def _mask_as_zeros(term: LogSumExp, x: ExactArray, b: Any = None, allowed: Any = None) -> Any:
    return evaluate(term, x if allowed is None else where(allowed, x, 0), b)


def _weights_in_the_exponent(term: LogSumExp, x: ExactArray, b: Any = None, allowed: Any = None) -> Any:
    return evaluate(term, x if b is None else b * x, None, allowed)


def _mean_for_sum(term: LogSumExp, x: ExactArray, b: Any = None, allowed: Any = None) -> Any:
    y = evaluate(term, x, b, allowed)
    return y - log(y.lift(x.size // y.size))


def _axes_dropped(term: LogSumExp, x: ExactArray, b: Any = None, allowed: Any = None) -> Any:
    return evaluate(replace(term, keepdims=False), x, b, allowed)


def _shift_not_added_back(term: LogSumExp, x: ExactArray) -> Any:
    return evaluate(term, x - largest(x, term.axis))


def _doubled_exponents(term: LogSumExp, x: ExactArray) -> Any:
    return evaluate(term, 2 * x)


def _over_all(term: LogSoftmax, x: ExactArray) -> Any:
    return x - log(exp(x).sum())


def _without_logarithm(term: LogSoftmax, x: ExactArray) -> Any:
    return exp(evaluate(term, x))


def _binary_logarithm(term: LogSoftmax, x: ExactArray) -> Any:
    return evaluate(term, x) / log(x.lift(2))


def _only_shifted(term: LogSoftmax, x: ExactArray) -> Any:
    return x - largest(x, term.axis)


def _sample_variance(term: Standardize, x: ExactArray) -> Any:
    deviation = x - x.mean(axis=term.axis, keepdims=True)
    square = deviation * deviation
    total = square.sum(axis=term.axis, keepdims=True)
    return deviation / sqrt(total / (x.size // total.size - 1) + exact(term.epsilon))


def _epsilon_outside(term: Standardize, x: ExactArray) -> Any:
    deviation = x - x.mean(axis=term.axis, keepdims=True)
    return deviation / (sqrt((deviation * deviation).mean(axis=term.axis, keepdims=True)) + exact(term.epsilon))


def _not_centred(term: Standardize, x: ExactArray) -> Any:
    deviation = x - x.mean(axis=term.axis, keepdims=True)
    return x / sqrt((deviation * deviation).mean(axis=term.axis, keepdims=True) + exact(term.epsilon))


def _halves_exchanged(term: Glu, x: ExactArray) -> Any:
    return evaluate(term, _exchanged(term, x))


def _exchanged(term: Glu, x: ExactArray) -> ExactArray:
    place, half = term.axis % x.ndim, x.shape[term.axis] // 2
    order = [*range(half, 2 * half), *range(half)]
    return x[(slice(None),) * place + (order,)]


def _gate_by_tanh(term: Glu, x: ExactArray) -> Any:
    place, half = term.axis % x.ndim, x.shape[term.axis] // 2
    before = (slice(None),) * place
    return x[(*before, slice(None, half))] * tanh(x[(*before, slice(half, None))])


def _alternating_halves(term: Glu, x: ExactArray) -> Any:
    place, size = term.axis % x.ndim, x.shape[term.axis]
    order = [*range(0, size, 2), *range(1, size, 2)]
    return evaluate(term, x[(slice(None),) * place + (order,)])


def uniform_weights(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Give each entry of a logsumexp one share of the cotangent."""
    return (
        reverse(term, tuple(0 * x for x in arrays), cotangent)
        if isinstance(term, LogSumExp)
        else reverse(term, arrays, cotangent)
    )


def cotangent_not_summed(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Take c - s c for c - s sum(c)."""
    if not isinstance(term, LogSoftmax):
        return reverse(term, arrays, cotangent)
    return (cotangent - exp(evaluate(term, arrays[0])) * cotangent,)


another_axis = mistaken(LogSumExp, _another_axis)
mask_as_zeros = mistaken(LogSumExp, _mask_as_zeros)
weights_in_the_exponent = mistaken(LogSumExp, _weights_in_the_exponent)
mean_for_sum = mistaken(LogSumExp, _mean_for_sum)
axes_dropped = mistaken(LogSumExp, _axes_dropped)
shift_not_added_back = mistaken(LogSumExp, _shift_not_added_back)
doubled_exponents = mistaken(LogSumExp, _doubled_exponents)
log_softmax_of_another_axis = mistaken(LogSoftmax, _another_axis)
log_softmax_over_all = mistaken(LogSoftmax, _over_all)
softmax_without_logarithm = mistaken(LogSoftmax, _without_logarithm)
binary_logarithm = mistaken(LogSoftmax, _binary_logarithm)
only_shifted = mistaken(LogSoftmax, _only_shifted)
sample_variance = mistaken(Standardize, _sample_variance)
epsilon_outside_the_root = mistaken(Standardize, _epsilon_outside)
standardized_along_another_axis = mistaken(Standardize, _another_axis)
not_centred = mistaken(Standardize, _not_centred)
halves_exchanged = mistaken(Glu, _halves_exchanged)
gate_by_tanh = mistaken(Glu, _gate_by_tanh)
alternating_halves = mistaken(Glu, _alternating_halves)
