"""The normalisations without state: by the root mean square, by groups of channels, by instance, by length."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.constants import constant
from lenticulum.fast.division import divide
from lenticulum.fast.layers.normalise import moments, standardise
from lenticulum.fast.meaning import meaning
from lenticulum.fast.operations.reductions import length
from lenticulum.fast.operations.reductions import mean as mean_over
from lenticulum.terms.exact import Number
from lenticulum.terms.operations import GroupNorm, InstanceNorm, L2Normalize, RmsNorm
from lenticulum.terms.operations.axes import Axes

Optional = Float[Array, "..."] | None


@meaning(RmsNorm)
def rms_norm(
    x: Float[Array, "..."], weight: Optional = None, bias: Optional = None, *, axes: int, epsilon: Number
) -> Float[Array, "..."]:
    """Return weight x / sqrt(mean(x²) + epsilon) + bias, the mean over the last `axes` axes.

    Source: Zhang and Sennrich 2019, arXiv:1910.07467.

    >>> rms_norm(jnp.array([3.0, -4.0]), axes=1, epsilon="12.5").tolist()
    [0.6000000238418579, -0.800000011920929]
    """
    square = mean_over(jnp.square(x), axis=tuple(range(-axes, 0)), keepdims=True)
    y = divide(x, jnp.sqrt(square + constant(epsilon, x.dtype, "epsilon")))
    return _affine(y, weight, bias, y.ndim - axes)


@meaning(GroupNorm)
def group_norm(
    x: Float[Array, "batch channels ..."],
    weight: Optional = None,
    bias: Optional = None,
    *,
    groups: int,
    epsilon: Number,
) -> Float[Array, "batch channels ..."]:
    """Return weight (x - mean) / sqrt(var + epsilon) + bias, mean and population variance of each group of channels.

    Raises: ValueError unless x is [batch, channels, ...] with channels a multiple of the groups.
    Source: Wu and He 2018, arXiv:1803.08494.

    >>> group_norm(jnp.array([[1.0, 3.0, 5.0, 5.0]]), groups=2, epsilon=3).tolist()
    [[-0.5, 0.5, 0.0, 0.0]]
    """
    if x.ndim < 2 or x.shape[1] % groups:
        raise ValueError(f"got shape {list(x.shape)}, expected [batch, channels, ...] and channels in {groups} groups")
    blocks = x.reshape((x.shape[0], groups, -1))
    _, deviation, variance = moments(blocks, 2)
    y = standardise(deviation, variance, epsilon).reshape(x.shape)
    return _affine(y, weight, bias, 1)


@meaning(InstanceNorm)
def instance_norm(
    x: Float[Array, "batch channels ..."], weight: Optional = None, bias: Optional = None, *, epsilon: Number
) -> Float[Array, "batch channels ..."]:
    """Return weight (x - mean) / sqrt(var + epsilon) + bias, mean and variance of each channel of each example.

    Raises: ValueError unless x has an axis after the channels.
    Source: Ulyanov, Vedaldi and Lempitsky 2016, arXiv:1607.08022.

    >>> instance_norm(jnp.array([[[1.0, 3.0], [5.0, 5.0]]]), epsilon=3).tolist()
    [[[-0.5, 0.5], [0.0, 0.0]]]
    """
    if x.ndim < 3:
        raise ValueError(f"got shape {list(x.shape)}, expected [batch, channels, ...] and one axis more")
    _, deviation, variance = moments(x, tuple(range(2, x.ndim)))
    y = standardise(deviation, variance, epsilon)
    return _affine(y, weight, bias, 1)


@meaning(L2Normalize)
def l2_normalize(x: Float[Array, "..."], *, axis: Axes, epsilon: Number, epsilon_at: str) -> Float[Array, "..."]:
    """Return x divided by max(||x||, epsilon), sqrt(||x||² + epsilon), ||x|| + epsilon or sqrt(max(||x||², epsilon)).

    >>> [l2_normalize(jnp.array([3.0, 4.0]), axis=0, epsilon=1, epsilon_at=at).shape for at in ("maximum", "outside")]
    [(2,), (2,)]
    """
    floor = constant(epsilon, x.dtype, "epsilon")
    square = jnp.sum(jnp.square(x), axis=axis, keepdims=True)
    if epsilon_at == "maximum":
        divisor = jnp.maximum(length(square), floor)
    elif epsilon_at == "outside":
        divisor = length(square) + floor
    else:
        divisor = jnp.sqrt(square + floor if epsilon_at == "inside" else jnp.maximum(square, floor))
    return divide(x, divisor)


def _affine(y: Array, weight: Optional, bias: Optional, place: int) -> Array:
    """Return weight * y + bias, as far as they are present; their first axis is the axis `place` of y."""

    def spread(parameter: Array) -> Array:
        after = y.ndim - place - parameter.ndim
        if parameter.shape != y.shape[place : y.ndim - after]:
            raise ValueError(f"got a parameter of shape {list(parameter.shape)} for x of shape {list(y.shape)}")
        return jnp.broadcast_to(parameter.reshape((1,) * place + parameter.shape + (1,) * after), y.shape)

    scaled = y if weight is None else y * spread(weight)
    return scaled if bias is None else scaled + spread(bias)
