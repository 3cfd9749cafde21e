"""The cross-entropies on logits and their relatives."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from lenticulum.fast.constants import constant, times
from lenticulum.fast.meaning import meaning
from lenticulum.fast.operations.loss_reduction import reduced
from lenticulum.fast.operations.softmax import log_softmax
from lenticulum.fast.shapes import require_same_shape
from lenticulum.terms.exact import Number, exact
from lenticulum.terms.operations import (
    FocalLoss,
    KlDivergence,
    SigmoidCrossEntropy,
    SoftmaxCrossEntropy,
    SoftmaxCrossEntropyInteger,
)


@meaning(SoftmaxCrossEntropy)
def softmax_cross_entropy(
    prediction: Float[Array, "..."],
    label: Float[Array, "..."],
    weight: Float[Array, " classes"] | None = None,
    *,
    axis: int,
    label_smoothing: Number,
    reduction: str,
) -> Float[Array, "..."]:
    """Return the cross-entropy of labels against the softmax of logits, row by row.

    -sum_c weight_c label'_c log softmax(prediction)_c, label' = (1 - label_smoothing) label + label_smoothing/classes.

    Arguments: `prediction`, `label`: of one shape, classes along `axis`; `weight`: one number for each class.
    Raises: ShapeError for two shapes. Source: Szegedy et al. 2016, arXiv:1512.00567, section 7.

    >>> options = {"axis": -1, "label_smoothing": 0, "reduction": "sum"}
    >>> f"{softmax_cross_entropy(jnp.zeros(4), jnp.array([0.0, 1.0, 0.0, 0.0]), **options):.6f}"
    '1.386294'
    """
    require_same_shape("SoftmaxCrossEntropy", prediction, label)
    logits, target = jnp.moveaxis(prediction, axis, -1), jnp.moveaxis(label, axis, -1)
    smoothing = exact(label_smoothing)
    if smoothing:
        share = constant(smoothing / logits.shape[-1], target.dtype, "label_smoothing")
        target = times(1 - smoothing, target, "1 - label_smoothing") + share
    target = target if weight is None else jnp.broadcast_to(weight, target.shape) * target
    return reduced(-jnp.sum(target * log_softmax(logits, axis=-1), axis=-1), reduction)


@meaning(SoftmaxCrossEntropyInteger)
def softmax_cross_entropy_integer(
    prediction: Float[Array, "..."],
    label: Int[Array, "..."],
    weight: Float[Array, " classes"] | None = None,
    *,
    axis: int,
    label_smoothing: Number,
    ignore_index: int | None,
    reduction: str,
) -> Float[Array, "..."]:
    """Return the cross-entropy of class numbers against the softmax of logits, and 0 in the rows that are ignored.

    Arguments: `label`: of the shape of the prediction without `axis`; `weight`: one number for each class.
    `reduction`: "mean" over the rows that are kept, "weighted_mean" by the weights of their labels.
    Returns: NaN where a label is no class, since a compiled function cannot raise.

    >>> options = {"axis": -1, "label_smoothing": 0, "ignore_index": -1, "reduction": "mean"}
    >>> f"{softmax_cross_entropy_integer(jnp.zeros((2, 4)), jnp.array([3, -1]), **options):.6f}"
    '1.386294'
    """
    logits = jnp.moveaxis(prediction, axis, -1)
    classes, smoothing = logits.shape[-1], exact(label_smoothing)
    kept = jnp.ones(label.shape, bool) if ignore_index is None else label != ignore_index
    costs = -log_softmax(logits, axis=-1)
    weights = None if weight is None else jnp.broadcast_to(weight, costs.shape)
    costs = costs if weights is None else weights * costs
    chosen = jax.nn.one_hot(label, classes, dtype=bool)
    # A sum over one class is exact, and infinite costs of other classes stay out of it.
    own = jnp.sum(costs, axis=-1, where=chosen)
    if smoothing:
        share = constant(smoothing / classes, costs.dtype, "label_smoothing")
        own = times(1 - smoothing, own, "1 - label_smoothing") + share * jnp.sum(costs, axis=-1)
    loss = jnp.where(kept, jnp.where((label >= 0) & (label < classes), own, jnp.nan), 0)
    if reduction == "weighted_mean" and weights is not None:
        return jnp.sum(loss) / jnp.sum(weights, where=chosen & kept[..., None])
    if reduction in ("mean", "weighted_mean"):
        return jnp.sum(loss) / jnp.sum(kept, dtype=loss.dtype)
    return reduced(loss, reduction)


@meaning(SigmoidCrossEntropy)
def sigmoid_cross_entropy(
    prediction: Float[Array, "..."], label: Float[Array, "..."], *, reduction: str
) -> Float[Array, "..."]:
    """Return the cross-entropy of labels in [0, 1] against the sigmoid of logits, entry by entry.

    label log(1 + exp(-prediction)) + (1 - label) log(1 + exp prediction).

    >>> f"{sigmoid_cross_entropy(jnp.array(0.0), jnp.array(0.25), reduction='sum'):.6f}"
    '0.693147'
    """
    return reduced(label * jax.nn.softplus(-prediction) + (1 - label) * jax.nn.softplus(prediction), reduction)


@meaning(FocalLoss)
def focal_loss(
    prediction: Float[Array, "..."],
    label: Float[Array, "..."],
    *,
    gamma: Number,
    alpha: Number | None,
    reduction: str,
) -> Float[Array, "..."]:
    """Return the sigmoid cross-entropy times the probability of the wrong class to the power gamma.

    q^gamma (label log(1 + exp(-x)) + (1 - label) log(1 + exp x)), q = label sigmoid(-x) + (1 - label) sigmoid(x), x the
    prediction; with alpha, times alpha label + (1 - alpha)(1 - label).
    Source: Lin et al. 2017, arXiv:1708.02002, equations 4 and 5.

    >>> f"{focal_loss(jnp.array(0.0), jnp.array(1.0), gamma=2, alpha=None, reduction='sum'):.6f}"
    '0.173287'
    """
    wrong = label * jax.nn.sigmoid(-prediction) + (1 - label) * jax.nn.sigmoid(prediction)
    power, exponent = exact(gamma), constant(gamma, wrong.dtype, "gamma")
    loss = wrong ** (int(power) if power.denominator == 1 else exponent)
    loss = loss * sigmoid_cross_entropy(prediction, label, reduction="none")
    if alpha is not None:
        loss = (times(alpha, label, "alpha") + times(1 - exact(alpha), 1 - label, "1 - alpha")) * loss
    return reduced(loss, reduction)


@meaning(KlDivergence)
def kl_divergence(
    prediction: Float[Array, "..."], label: Float[Array, "..."], *, log_target: bool, reduction: str
) -> Float[Array, "..."]:
    """Return the terms of the divergence of labels from predictions, which are logarithms.

    label (log label - prediction), and 0 where the label is 0; of a logarithm, exp(label) (label - prediction).
    Source: Kullback and Leibler 1951, On information and sufficiency.

    >>> kl_divergence(jnp.array([0.0, -1.0]), jnp.array([1.0, 0.0]), log_target=False, reduction="none").tolist()
    [0.0, 0.0]
    """
    if log_target:
        return reduced(jnp.exp(label) * (label - prediction), reduction)
    logarithm = jnp.log(jnp.where(label == 0, 1, label))
    # A probability of 0, and so a prediction of -inf, costs nothing where the label is 0.
    prediction = jnp.where((label == 0) & (prediction == -jnp.inf), 0, prediction)
    return reduced(label * (logarithm - prediction), reduction)
