"""The losses of a prediction against a label, entry by entry."""

import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.constants import constant, times
from lenticulum.fast.meaning import meaning
from lenticulum.fast.operations.loss_reduction import reduced
from lenticulum.terms.exact import Number, exact
from lenticulum.terms.operations import (
    AbsoluteLoss,
    CosineSimilarity,
    GaussianNll,
    HingeLoss,
    HuberLoss,
    LogCoshLoss,
    PoissonNll,
    SmoothL1Loss,
)


@meaning(AbsoluteLoss)
def absolute_loss(
    prediction: Float[Array, "..."], label: Float[Array, "..."], *, reduction: str
) -> Float[Array, "..."]:
    """Return the distances of predictions from their labels: |prediction - label|.

    >>> absolute_loss(jnp.array([1.0, 4.0]), jnp.array([3.0, 3.0]), reduction="none").tolist()
    [2.0, 1.0]
    """
    return reduced(jnp.abs(prediction - label), reduction)


@meaning(HuberLoss)
def huber_loss(
    prediction: Float[Array, "..."], label: Float[Array, "..."], *, delta: Number, reduction: str
) -> Float[Array, "..."]:
    """Return the Huber loss: quadratic within delta, linear beyond.

    m²/2 + delta (d - m) with d = |prediction - label| and m = min(d, delta).
    Source: Huber 1964, Robust estimation of a location parameter.

    >>> huber_loss(jnp.array([1.0, 4.0]), jnp.zeros(2), delta=2, reduction="none").tolist()
    [0.5, 6.0]
    """
    distance = jnp.abs(prediction - label)
    near = jnp.minimum(distance, constant(delta, distance.dtype, "delta"))
    return reduced(jnp.square(near) / 2 + times(delta, distance - near, "delta"), reduction)


@meaning(SmoothL1Loss)
def smooth_l1_loss(
    prediction: Float[Array, "..."], label: Float[Array, "..."], *, beta: Number, reduction: str
) -> Float[Array, "..."]:
    """Return the Huber loss divided by beta.

    m²/(2 beta) + (d - m) with d = |prediction - label| and m = min(d, beta).
    Source: Girshick 2015, arXiv:1504.08083, equation 3.

    >>> smooth_l1_loss(jnp.array([1.0, 4.0]), jnp.zeros(2), beta=2, reduction="none").tolist()
    [0.25, 3.0]
    """
    distance = jnp.abs(prediction - label)
    width = constant(beta, distance.dtype, "beta")
    near = jnp.minimum(distance, width)
    return reduced(jnp.square(near) / 2 / width + (distance - near), reduction)


@meaning(LogCoshLoss)
def log_cosh_loss(
    prediction: Float[Array, "..."], label: Float[Array, "..."], *, reduction: str
) -> Float[Array, "..."]:
    """Return log cosh(prediction - label), without overflow and without loss of digits near 0.

    Beyond 1: d + log1p(exp(-2 d)) - log 2 with d = |prediction - label|. Within: log1p(2 sinh²(d/2)), for
    cosh d - 1 = 2 sinh²(d/2).

    >>> f"{log_cosh_loss(jnp.array([100.0]), jnp.array([0.0]), reduction='sum'):.4f}"
    '99.3069'
    """
    distance = jnp.abs(prediction - label)
    half = jnp.sinh(jnp.minimum(distance, 1) / 2)
    far = distance + jnp.log1p(jnp.exp(-2 * distance)) - jnp.asarray(math.log(2), distance.dtype)
    return reduced(jnp.where(distance < 1, jnp.log1p(2 * jnp.square(half)), far), reduction)


@meaning(HingeLoss)
def hinge_loss(prediction: Float[Array, "..."], label: Float[Array, "..."], *, reduction: str) -> Float[Array, "..."]:
    """Return how far predictions fall short of margin 1: max(0, 1 - label prediction); a label is -1 or 1.

    Source: Cortes and Vapnik 1995, Support-vector networks.

    >>> hinge_loss(jnp.array([0.5, 3.0]), jnp.array([1.0, -1.0]), reduction="none").tolist()
    [0.5, 4.0]
    """
    return reduced(jax.nn.relu(1 - label * prediction), reduction)


@meaning(PoissonNll)
def poisson_nll(
    prediction: Float[Array, "..."],
    label: Float[Array, "..."],
    *,
    log_input: bool,
    epsilon: Number,
    reduction: str,
) -> Float[Array, "..."]:
    """Return the negative log-likelihood of Poisson counts, without the term of the label alone.

    exp(prediction) - label prediction, or of a rate prediction - label log(prediction + epsilon).

    >>> options = {"epsilon": "1e-8", "reduction": "none"}
    >>> poisson_nll(jnp.array([0.0]), jnp.array([3.0]), log_input=True, **options).tolist()
    [1.0]
    """
    if log_input:
        return reduced(jnp.exp(prediction) - label * prediction, reduction)
    rate = prediction + constant(epsilon, prediction.dtype, "epsilon")
    return reduced(prediction - label * jnp.log(rate), reduction)


@meaning(GaussianNll)
def gaussian_nll(
    prediction: Float[Array, "..."],
    label: Float[Array, "..."],
    variance: Float[Array, "..."],
    *,
    epsilon: Number,
    full: bool,
    reduction: str,
) -> Float[Array, "..."]:
    """Return the negative log-likelihood of a normal distribution with the given mean and variance.

    (log s + (prediction - label)² / s) / 2 with s = max(variance, epsilon); `full` adds log(2 pi) / 2.
    Source: Nix and Weigend 1994, Estimating the mean and variance of the target probability distribution.

    >>> one = jnp.array([1.0])
    >>> gaussian_nll(3 * one, one, one, epsilon="1e-6", full=False, reduction="none").tolist()
    [2.0]
    """
    scale = jnp.maximum(variance, constant(epsilon, variance.dtype, "epsilon"))
    loss = (jnp.log(scale) + jnp.square(prediction - label) / scale) / 2
    return reduced(loss + jnp.asarray(math.log(2 * math.pi) / 2, loss.dtype) if full else loss, reduction)


@meaning(CosineSimilarity)
def cosine_similarity(
    x: Float[Array, "..."], y: Float[Array, "..."], *, axis: int, epsilon: Number, epsilon_at: str
) -> Float[Array, "..."]:
    """Return the cosine of the angle between vectors along an axis, with the lengths kept from zero.

    <x, y> / (max(|x|, epsilon) max(|y|, epsilon)) for `epsilon_at` "each"; "product" takes one maximum of |x| |y|,
    "square" one of each squared length. Each vector is divided by its length first, so that no product of lengths
    overflows; with "product", the inner product is.

    >>> options = {"axis": -1, "epsilon": "1e-8", "epsilon_at": "each"}
    >>> cosine_similarity(jnp.array([3.0, 4.0]), jnp.array([3.0, 4.0]), **options).tolist()
    1.0
    """
    x_square, y_square = (jnp.sum(each * each, axis=axis, keepdims=True) for each in (x, y))
    least = constant(exact(epsilon), x_square.dtype, "epsilon")
    if epsilon_at == "product":
        product = jnp.sqrt(x_square) * jnp.sqrt(y_square)
        return jnp.sum(x * y, axis=axis) / jnp.squeeze(jnp.maximum(product, least), axis)
    if epsilon_at == "square":
        x_length, y_length = (jnp.sqrt(jnp.maximum(square, least)) for square in (x_square, y_square))
    else:
        x_length, y_length = (jnp.maximum(jnp.sqrt(square), least) for square in (x_square, y_square))
    return jnp.sum((x / x_length) * (y / y_length), axis=axis)
