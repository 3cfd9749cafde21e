"""Convolution and transposed convolution, channels first."""

import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.operations import Convolution, TransposedConvolution
from lenticulum.terms.operations.windows import per_axis

Pairs = tuple[tuple[int, int], ...]


@meaning(Convolution)
def convolution(
    x: Float[Array, "..."],
    weight: Float[Array, "..."],
    bias: Float[Array, " outputs"] | None = None,
    *,
    stride: tuple[int, ...],
    padding: Pairs,
    dilation: tuple[int, ...],
    groups: int,
) -> Float[Array, "..."]:
    """Return the correlation of x with the weight, group by group.

    y[o, i] = bias[o] + sum_{c, k} weight[o, c, k] x[c, stride i + dilation k - before].

    Arguments: `x`: [..., inputs, *spatial]; `weight`: [outputs, inputs / groups, *window]; `bias`: [outputs].
    Returns: [..., outputs, *spatial]. Raises: ValueError or TypeError of JAX if the channels do not fit.
    Source: Dumoulin and Visin 2016, arXiv:1603.07285.

    >>> x, w = jnp.array([[1.0, 2.0, 4.0]]), jnp.array([[[1.0, 10.0]]])
    >>> convolution(x, w, stride=(1,), padding=((0, 0),), dilation=(1,), groups=1).tolist()
    [[21.0, 42.0]]
    """
    axes = weight.ndim - 2
    return _convolved(
        x,
        weight,
        bias,
        window_strides=per_axis(stride, axes, "stride"),
        padding=per_axis(padding, axes, "padding"),
        rhs_dilation=per_axis(dilation, axes, "dilation"),
        feature_group_count=groups,
    )


@meaning(TransposedConvolution)
def transposed_convolution(
    x: Float[Array, "..."],
    weight: Float[Array, "..."],
    bias: Float[Array, " outputs"] | None = None,
    *,
    stride: tuple[int, ...],
    padding: Pairs,
    extra: tuple[int, ...],
    dilation: tuple[int, ...],
    groups: int,
    kernel: str,
) -> Float[Array, "..."]:
    """Return x, spread out by the stride, correlated with the reversed kernel ("adjoint") or the kernel ("direct").

    y[o, j] = bias[o] + sum of weight[c, o, k] x[c, i] over the i, k with stride i + dilation k - before = j.

    Arguments: `x`: [..., inputs, *spatial]; `weight`: [inputs, outputs / groups, *window] ("adjoint") or [outputs,
    inputs / groups, *window] ("direct"); `bias`: [outputs].
    Returns: [..., outputs, *spatial]. Raises: ValueError or TypeError of JAX if the channels do not fit.
    Source: Dumoulin and Visin 2016, arXiv:1603.07285, section 4.

    >>> x, w = jnp.array([[1.0, 2.0]]), jnp.array([[[1.0, 10.0]]])
    >>> fields = dict(stride=(1,), padding=((0, 0),), extra=(0,), dilation=(1,), groups=1)
    >>> transposed_convolution(x, w, **fields, kernel="adjoint").tolist()
    [[1.0, 12.0, 20.0]]
    >>> transposed_convolution(x, w, **fields, kernel="direct").tolist()
    [[10.0, 21.0, 2.0]]
    """
    axes = weight.ndim - 2
    dilations = per_axis(dilation, axes, "dilation")
    sides = zip(
        per_axis(padding, axes, "padding"), per_axis(extra, axes, "extra"), dilations, weight.shape[2:], strict=True
    )
    return _convolved(
        x,
        weight if kernel == "direct" else _outputs_first(weight, groups),
        bias,
        window_strides=(1,) * axes,
        padding=tuple((e * (k - 1) - before, e * (k - 1) - after + more) for (before, after), more, e, k in sides),
        lhs_dilation=per_axis(stride, axes, "stride"),
        rhs_dilation=dilations,
        feature_group_count=groups,
    )


def _convolved(
    x: Float[Array, "..."],
    weight: Float[Array, "..."],
    bias: Float[Array, " outputs"] | None,
    *,
    window_strides: tuple[int, ...],
    padding: Pairs,
    rhs_dilation: tuple[int, ...],
    feature_group_count: int,
    lhs_dilation: tuple[int, ...] | None = None,
) -> Float[Array, "..."]:
    axes = len(window_strides)
    leading = x.shape[: x.ndim - axes - 1]
    y = lax.conv_general_dilated(
        x.reshape((-1, *x.shape[x.ndim - axes - 1 :])),
        weight,
        window_strides,
        padding,
        lhs_dilation=lhs_dilation,
        rhs_dilation=rhs_dilation,
        feature_group_count=feature_group_count,
        precision=lax.Precision.HIGHEST,
    )
    y = y.reshape((*leading, *y.shape[1:]))
    return y if bias is None else y + jnp.broadcast_to(bias.reshape((-1,) + (1,) * axes), y.shape)


def _outputs_first(weight: Float[Array, "..."], groups: int) -> Float[Array, "..."]:
    """Return [outputs, inputs / groups, *window], reversed, from [inputs, outputs / groups, *window]."""
    inputs, outputs, *window = weight.shape
    split = jnp.flip(weight, tuple(range(2, weight.ndim))).reshape((groups, inputs // groups, outputs, *window))
    return jnp.swapaxes(split, 1, 2).reshape((groups * outputs, inputs // groups, *window))
