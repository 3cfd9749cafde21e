"""Planted mistakes about normalisations: wrong twins of `evaluate` and `reverse`, each of which a law must reject."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lenticulum.numbers import ExactArray, absolute, maximum, root_of_squares, sqrt, vjp
from lenticulum.spec.operations.norms import affine, channelwise, group_statistics
from lenticulum.spec.operations.subject import evaluate, mistaken, reverse
from lenticulum.terms import GroupNorm, InstanceNorm, L2Normalize, Operation, RmsNorm, replace

Parameter = ExactArray | None


def _epsilon(term: RmsNorm | GroupNorm | L2Normalize) -> Fraction:
    return Fraction(term.epsilon)


def _mean_subtracted(term: RmsNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    return evaluate(term, x - x.mean(tuple(range(-term.axes, 0)), keepdims=True), weight, bias)


def _rms_epsilon_outside(term: RmsNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    square = (x * x).mean(tuple(range(-term.axes, 0)), keepdims=True)
    return affine(x / (root_of_squares(square) + _epsilon(term)), weight, bias, x.shape[-term.axes :])


def _sum_for_mean(term: RmsNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    square = (x * x).sum(tuple(range(-term.axes, 0)), keepdims=True)
    return affine(x / sqrt(square + _epsilon(term)), weight, bias, x.shape[-term.axes :])


def _last_axis_alone(term: RmsNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    return affine(evaluate(replace(term, axes=1), x), weight, bias, x.shape[-term.axes :])


def _bias_scaled_too(term: RmsNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    shifted = evaluate(term, x, None, bias)
    return shifted if weight is None else shifted * weight


def _sign_lost(term: RmsNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    return evaluate(term, absolute(x), weight, bias)


def _interleaved(term: GroupNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    """Channel c belongs to group c mod groups."""
    channels = x.shape[1]
    order = [c for start in range(term.groups) for c in range(start, channels, term.groups)]
    back = [order.index(c) for c in range(channels)]
    return channelwise(evaluate(term, x[:, order])[:, back], weight, bias)


def _sample_variance(term: GroupNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    deviation, variance = group_statistics(x, term.groups)
    n = deviation.shape[2]
    y = deviation / sqrt(variance * n / max(n - 1, 1) + _epsilon(term))
    return channelwise(y.reshape(x.shape), weight, bias)


def _group_epsilon_outside(term: GroupNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    deviation, variance = group_statistics(x, term.groups)
    return channelwise((deviation / (root_of_squares(variance) + _epsilon(term))).reshape(x.shape), weight, bias)


def _positions_apart(term: GroupNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    """The statistics of each position are its own: channels alone are averaged."""
    last = (0, *range(2, x.ndim), 1)
    rows = x.transpose(last)
    y = evaluate(term, rows.reshape((-1, x.shape[1]))).reshape(rows.shape)
    return channelwise(y.transpose((0, x.ndim - 1, *range(1, x.ndim - 1))), weight, bias)


def _weight_last(term: GroupNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    """The parameters broadcast along the last axis, where it has their size."""
    if x.shape[-1] != x.shape[1]:
        return evaluate(term, x, weight, bias)
    return affine(evaluate(term, x), weight, bias, x.shape[-1:])


def _group_not_centred(term: GroupNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    _, variance = group_statistics(x, term.groups)
    blocks = x.reshape((x.shape[0], term.groups, -1))
    return channelwise((blocks / sqrt(variance + _epsilon(term))).reshape(x.shape), weight, bias)


def _over_the_batch(term: InstanceNorm, x: ExactArray, weight: Parameter = None, bias: Parameter = None) -> Any:
    """Statistics of each channel over the batch too: batch norm."""
    first = (1, 0, *range(2, x.ndim))
    channels = x.transpose(first).reshape((1, x.shape[1], -1))
    y = evaluate(term, channels).reshape((x.shape[1], x.shape[0], *x.shape[2:])).transpose(first)
    return channelwise(y, weight, bias)


def _inside_for_outside(term: L2Normalize, x: ExactArray) -> Any:
    return evaluate(replace(term, epsilon_at="inside") if term.epsilon_at == "outside" else term, x)


def _squares_for_maximum(term: L2Normalize, x: ExactArray) -> Any:
    return evaluate(replace(term, epsilon_at="maximum_square") if term.epsilon_at == "maximum" else term, x)


def _length_over_all(term: L2Normalize, x: ExactArray) -> Any:
    return evaluate(replace(term, axis=None), x)


def _clamped_always(term: L2Normalize, x: ExactArray) -> Any:
    return x / _epsilon(term) if term.epsilon_at == "maximum" else evaluate(term, x)


mean_subtracted = mistaken(RmsNorm, _mean_subtracted)
rms_epsilon_outside = mistaken(RmsNorm, _rms_epsilon_outside)
sum_for_mean = mistaken(RmsNorm, _sum_for_mean)
last_axis_alone = mistaken(RmsNorm, _last_axis_alone)
bias_scaled_too = mistaken(RmsNorm, _bias_scaled_too)
sign_lost = mistaken(RmsNorm, _sign_lost)
interleaved_groups = mistaken(GroupNorm, _interleaved)
sample_variance = mistaken(GroupNorm, _sample_variance)
group_epsilon_outside = mistaken(GroupNorm, _group_epsilon_outside)
positions_apart = mistaken(GroupNorm, _positions_apart)
weight_last = mistaken(GroupNorm, _weight_last)
group_not_centred = mistaken(GroupNorm, _group_not_centred)
over_the_batch = mistaken(InstanceNorm, _over_the_batch)
inside_for_outside = mistaken(L2Normalize, _inside_for_outside)
squares_for_maximum = mistaken(L2Normalize, _squares_for_maximum)
length_over_all = mistaken(L2Normalize, _length_over_all)
clamped_always = mistaken(L2Normalize, _clamped_always)


def rms_root_constant(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """No gradient through the root: dx = weight c / s."""
    assert isinstance(term, RmsNorm)
    x, weight, _ = arrays
    square = (x * x).mean(tuple(range(-term.axes, 0)), keepdims=True)
    return (weight * cotangent / sqrt(square + _epsilon(term)), *reverse(term, arrays, cotangent)[1:])


def weight_gets_the_cotangent(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """dweight = sum c, without the normalised entries."""
    by_x, _, by_bias = reverse(term, arrays, cotangent)
    return by_x, by_bias, by_bias


def group_statistics_constant(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """No gradient through mean and variance: dx = weight c / s."""
    assert isinstance(term, GroupNorm)
    x, weight, _ = arrays
    _, variance = group_statistics(x, term.groups)
    h = channelwise(cotangent, weight, None).reshape((x.shape[0], term.groups, -1))
    return ((h / sqrt(variance + _epsilon(term))).reshape(x.shape), *reverse(term, arrays, cotangent)[1:])


def group_mean_constant(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """No gradient through the mean: dx does not sum to 0."""
    assert isinstance(term, GroupNorm)
    x, weight, bias = arrays
    groups, epsilon = term.groups, _epsilon(term)
    mean = x.reshape((x.shape[0], groups, -1)).mean(axis=2, keepdims=True)

    def normalised(point: Any, held: Any) -> Any:
        deviation = point.reshape((x.shape[0], groups, -1)) - held
        return (deviation / sqrt((deviation * deviation).mean(axis=2, keepdims=True) + epsilon)).reshape(x.shape)

    _, pull = vjp(normalised, x, mean)
    return (pull(channelwise(cotangent, weight, None))[0], *reverse(term, (x, weight, bias), cotangent)[1:])


def length_constant(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """No gradient through the length: dx = c / D."""
    assert isinstance(term, L2Normalize)
    (x,) = arrays
    square = (x * x).sum(term.axis, keepdims=True)
    epsilon = _epsilon(term)
    if term.epsilon_at == "outside":
        return (cotangent / (root_of_squares(square) + epsilon),)
    if term.epsilon_at == "inside":
        return (cotangent / sqrt(square + epsilon),)
    floor = epsilon if term.epsilon_at == "maximum_square" else epsilon * epsilon
    return (cotangent / sqrt(maximum(square, floor)),)


def slope_when_clamped(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The slope of x/|x| also where epsilon is larger than |x| > 0."""
    assert isinstance(term, L2Normalize)
    (x,) = arrays
    square = (x * x).sum(term.axis, keepdims=True)
    if term.epsilon_at != "maximum" or not bool((square > 0).all()):
        return reverse(term, arrays, cotangent)
    along = (x * cotangent).sum(term.axis, keepdims=True)
    return ((cotangent - x * along / square) / sqrt(square),)
