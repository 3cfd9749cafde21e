"""What the normalisations without state mean, exactly."""

from __future__ import annotations

from fractions import Fraction

from lenticulum import terms
from lenticulum.numbers import ExactArray, maximum, root_of_squares, rsqrt, sqrt
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.meaning import meaning
from lenticulum.terms.operations.axes import Axes


@textbook(terms.RmsNorm)
@meaning(terms.RmsNorm)
def rms_norm(
    x: ExactArray, weight: ExactArray | None = None, bias: ExactArray | None = None, *, axes: int, epsilon: Fraction
) -> ExactArray:
    """Return weight x / sqrt(mean(x²) + epsilon) + bias, the mean over the last `axes` axes.

    Values that determine the result: x, weight and bias of the shape of these axes if present, axes, epsilon. Pure; no
    state.
    Laws: x -> a x with epsilon -> a² epsilon changes nothing for a > 0; not invariant under x -> x + c.
    Source: Zhang and Sennrich 2019, arXiv:1910.07467.
    """
    return affine(x / sqrt(_mean_square(x, axes) + epsilon), weight, bias, x.shape[-axes:])


@textbook(terms.RmsNorm)
def rms_norm_by_reciprocal(
    x: ExactArray, weight: ExactArray | None = None, bias: ExactArray | None = None, *, axes: int, epsilon: Fraction
) -> ExactArray:
    """Return the same with a multiplication by the reciprocal root."""
    return affine(x * rsqrt(_mean_square(x, axes) + epsilon), weight, bias, x.shape[-axes:])


@textbook(terms.GroupNorm)
@meaning(terms.GroupNorm)
def group_norm(
    x: ExactArray, weight: ExactArray | None = None, bias: ExactArray | None = None, *, groups: int, epsilon: Fraction
) -> ExactArray:
    """Return weight (x - mean) / sqrt(var + epsilon) + bias; mean and population variance of each group of channels.

    Values that determine the result: x [batch, channels, ...], weight and bias [channels] if present, groups, which
    divides the channels, and epsilon. Pure; no state.
    Laws: one group is layer norm of each example; as many groups as channels are instance norm; invariant under
    x -> x + c.
    Source: Wu and He 2018, arXiv:1803.08494.
    """
    deviation, variance = group_statistics(x, groups)
    return channelwise((deviation / sqrt(variance + epsilon)).reshape(x.shape), weight, bias)


@textbook(terms.GroupNorm)
def group_norm_by_reciprocal(
    x: ExactArray, weight: ExactArray | None = None, bias: ExactArray | None = None, *, groups: int, epsilon: Fraction
) -> ExactArray:
    """Return the same with a multiplication by the reciprocal root."""
    deviation, variance = group_statistics(x, groups)
    return channelwise((deviation * rsqrt(variance + epsilon)).reshape(x.shape), weight, bias)


@textbook(terms.InstanceNorm)
@meaning(terms.InstanceNorm)
def instance_norm(
    x: ExactArray, weight: ExactArray | None = None, bias: ExactArray | None = None, *, epsilon: Fraction
) -> ExactArray:
    """Return weight (x - mean) / sqrt(var + epsilon) + bias; mean and population variance of each channel by example.

    Values that determine the result: x [batch, channels, ...] with an axis after the channels, weight and bias
    [channels] if present, and epsilon. Pure; no state.
    Source: Ulyanov, Vedaldi and Lempitsky 2016, arXiv:1607.08022.
    """
    _require_positions(x)
    return group_norm(x, weight, bias, groups=x.shape[1], epsilon=epsilon)


@textbook(terms.InstanceNorm)
def instance_norm_by_reciprocal(
    x: ExactArray, weight: ExactArray | None = None, bias: ExactArray | None = None, *, epsilon: Fraction
) -> ExactArray:
    """Return the same with a multiplication by the reciprocal root."""
    _require_positions(x)
    return group_norm_by_reciprocal(x, weight, bias, groups=x.shape[1], epsilon=epsilon)


@textbook(terms.L2Normalize)
@meaning(terms.L2Normalize)
def l2_normalize(x: ExactArray, *, axis: Axes, epsilon: Fraction, epsilon_at: str) -> ExactArray:
    """Return x divided by its length over `axis`, which epsilon keeps from 0.

    The divisor is max(||x||, epsilon), sqrt(||x||² + epsilon), ||x|| + epsilon or sqrt(max(||x||², epsilon)).
    The derivative at x = 0 is that of x over the constant divisor there.
    Values that determine the result: x, axis, epsilon, epsilon_at. Pure; no state.
    Laws: ||y|| <= 1; homogeneous of degree 0 where ||x|| is above the maximum's other argument.
    Source: PyTorch, https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.normalize.html
    """
    square = (x * x).sum(axis, keepdims=True)
    if epsilon_at == "outside":
        return x / (root_of_squares(square) + epsilon)
    if epsilon_at == "inside":
        return x / sqrt(square + epsilon)
    # The larger of two lengths is the root of the larger square, which has a derivative at x = 0.
    return x / sqrt(maximum(square, epsilon if epsilon_at == "maximum_square" else epsilon * epsilon))


@textbook(terms.L2Normalize, epsilon_at="maximum_square")
def l2_normalize_by_reciprocal(x: ExactArray, *, axis: Axes, epsilon: Fraction) -> ExactArray:
    """Return x rsqrt(max(||x||², epsilon)).

    Source: TensorFlow, https://www.tensorflow.org/api_docs/python/tf/math/l2_normalize
    """
    return x * rsqrt(maximum((x * x).sum(axis, keepdims=True), epsilon))


def group_statistics(x: ExactArray, groups: int) -> tuple[ExactArray, ExactArray]:
    """Return the deviations from the mean of each group, [batch, groups, entries], and the population variances."""
    if x.ndim < 2 or x.shape[1] % groups:
        expected = f"[batch, channels, ...] with channels a multiple of {groups}"
        raise ValueError(f"got shape {list(x.shape)}, expected {expected}")
    blocks = x.reshape((x.shape[0], groups, -1))
    deviation = blocks - blocks.mean(axis=2, keepdims=True)
    return deviation, (deviation * deviation).mean(axis=2, keepdims=True)


def affine(y: ExactArray, weight: ExactArray | None, bias: ExactArray | None, shape: tuple[int, ...]) -> ExactArray:
    """Return weight * y + bias along the last axes, as far as they are present; both have this shape."""
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and each.shape != shape:
            raise ValueError(f"got {name} of shape {list(each.shape)}, expected {list(shape)}")
    scaled = y if weight is None else y * weight
    return scaled if bias is None else scaled + bias


def channelwise(y: ExactArray, weight: ExactArray | None, bias: ExactArray | None) -> ExactArray:
    """Return weight * y + bias for y [batch, channels, ...], as far as they are present."""
    last = (0, *range(2, y.ndim), 1)
    scaled = affine(y.transpose(last), weight, bias, y.shape[1:2])
    return scaled.transpose((0, y.ndim - 1, *range(1, y.ndim - 1)))


def _mean_square(x: ExactArray, axes: int) -> ExactArray:
    if x.ndim < axes:
        raise ValueError(f"got shape {list(x.shape)}, expected at least {axes} axes")
    return (x * x).mean(tuple(range(-axes, 0)), keepdims=True)


def _require_positions(x: ExactArray) -> None:
    if x.ndim < 3:
        raise ValueError(f"got shape {list(x.shape)}, expected [batch, channels, ...] and one axis more")
