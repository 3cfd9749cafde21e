"""What the cross-entropies on logits and their relatives mean, exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from lenticulum import terms
from lenticulum.numbers import DomainError, ExactArray, exp, log, log1p, maximum, power_real, sigmoid, softplus, where
from lenticulum.numbers.array import Positions
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.meaning import meaning
from lenticulum.spec.operations.loss_reduction import reduced, require_not_negative
from lenticulum.spec.operations.softmax import class_costs, class_costs_shifted, last

#: -log softmax along the last axis, in one of its closed forms.
Costs = Callable[[ExactArray], ExactArray]


@meaning(terms.SoftmaxCrossEntropy)
def softmax_cross_entropy(
    prediction: ExactArray,
    label: ExactArray,
    weight: ExactArray | None = None,
    *,
    axis: int,
    label_smoothing: Fraction,
    reduction: str,
) -> ExactArray:
    """Return sum_c weight_c label'_c log sum_j exp(prediction_j - prediction_c), label' the smoothed label.

    Values that determine the result: prediction and label of one shape, weight [classes], axis, label_smoothing,
    reduction. Pure; no state. Laws: linear in the label; prediction -> prediction + c changes nothing.
    Source: Szegedy et al. 2016, arXiv:1512.00567, section 7 (label smoothing).
    """
    return _dense(class_costs, prediction, label, weight, axis, label_smoothing, reduction)


@textbook(terms.SoftmaxCrossEntropy)
def softmax_cross_entropy_shifted(
    prediction: ExactArray,
    label: ExactArray,
    weight: ExactArray | None = None,
    *,
    axis: int,
    label_smoothing: Fraction,
    reduction: str,
) -> ExactArray:
    """Return the same by log sum_j exp(prediction_j - m) - (prediction_c - m), m the largest: no power overflows."""
    return _dense(class_costs_shifted, prediction, label, weight, axis, label_smoothing, reduction)


def _dense(
    costs: Costs,
    prediction: ExactArray,
    label: ExactArray,
    weight: ExactArray | None,
    axis: int,
    smoothing: Fraction,
    reduction: str,
) -> ExactArray:
    if prediction.shape != label.shape:
        raise ValueError(f"prediction {list(prediction.shape)} and label {list(label.shape)} have not one shape")
    each, target = costs(last(prediction, axis)), last(label, axis)
    _require_classes(weight, each.shape[-1])
    if smoothing:
        target = (1 - smoothing) * target + smoothing / each.shape[-1]
    products = target * each if weight is None else weight * target * each
    return reduced(products.sum(axis=-1), reduction)


@meaning(terms.SoftmaxCrossEntropyInteger)
def softmax_cross_entropy_integer(
    prediction: ExactArray,
    label: Positions,
    weight: ExactArray | None = None,
    *,
    axis: int,
    label_smoothing: Fraction,
    ignore_index: int | None,
    reduction: str,
) -> ExactArray:
    """Return weight_label log sum_j exp(prediction_j - prediction_label), smoothed, and 0 in ignored rows.

    Values that determine the result: prediction, label of the shape without `axis`, weight [classes], the conventions.
    Pure; no state. DomainError for a label that is no class and not ignored, and for the mean of no rows.
    """
    return _by_number(class_costs, prediction, label, weight, axis, label_smoothing, ignore_index, reduction)


@textbook(terms.SoftmaxCrossEntropyInteger)
def softmax_cross_entropy_integer_shifted(
    prediction: ExactArray,
    label: Positions,
    weight: ExactArray | None = None,
    *,
    axis: int,
    label_smoothing: Fraction,
    ignore_index: int | None,
    reduction: str,
) -> ExactArray:
    """Return the same by log sum_j exp(prediction_j - m) - (prediction_label - m): no power overflows."""
    return _by_number(class_costs_shifted, prediction, label, weight, axis, label_smoothing, ignore_index, reduction)


def _by_number(
    costs: Costs,
    prediction: ExactArray,
    label: Positions,
    weight: ExactArray | None,
    axis: int,
    smoothing: Fraction,
    ignore_index: int | None,
    reduction: str,
) -> ExactArray:
    each = costs(last(prediction, axis))
    *batch, classes = each.shape
    if label.shape != tuple(batch):
        raise ValueError(f"label {list(label.shape)}: expected the shape {batch} of the rows of the prediction")
    _require_classes(weight, classes)
    kept = np.asarray(label != ignore_index) if ignore_index is not None else np.ones(label.shape, np.bool_)
    chosen = np.where(kept, label, 0)
    if ((chosen < 0) | (chosen >= classes)).any():
        raise DomainError(f"a label is no class: expected numbers from 0 to {classes - 1}")
    weighted = each if weight is None else weight * each
    own = weighted.reshape((-1,)).take(np.arange(chosen.size).reshape(chosen.shape) * classes + chosen)
    loss = (1 - smoothing) * own + smoothing / classes * weighted.sum(axis=-1) if smoothing else own
    loss = where(kept, loss, 0)
    if reduction not in ("mean", "weighted_mean"):
        return reduced(loss, reduction)
    if not kept.any():
        raise DomainError("every row is ignored: the mean of no rows does not exist")
    if reduction == "mean" or weight is None:
        return loss.sum() / int(kept.sum())
    return loss.sum() / weight.take(chosen[kept]).sum()


def _require_classes(weight: ExactArray | None, classes: int) -> None:
    if weight is not None and weight.shape != (classes,):
        raise ValueError(f"weight {list(weight.shape)}: expected one number for each of {classes} classes")


@textbook(terms.SigmoidCrossEntropy)
@meaning(terms.SigmoidCrossEntropy)
def sigmoid_cross_entropy(prediction: ExactArray, label: ExactArray, *, reduction: str) -> ExactArray:
    """Return label log(1 + exp(-prediction)) + (1 - label) log(1 + exp prediction).

    Values that determine the result: prediction and label, which broadcast, and reduction. Pure; no state.
    """
    return reduced(label * softplus(-prediction) + (1 - label) * softplus(prediction), reduction)


@textbook(terms.SigmoidCrossEntropy)
def sigmoid_cross_entropy_shifted(prediction: ExactArray, label: ExactArray, *, reduction: str) -> ExactArray:
    """Return max(x, 0) - x label + log(1 + exp(-|x|)) with x the prediction."""
    positive = maximum(prediction, 0)
    size = positive + maximum(-prediction, 0)
    return reduced(positive - prediction * label + log1p(exp(-size)), reduction)


@textbook(terms.FocalLoss)
@meaning(terms.FocalLoss)
def focal_loss(
    prediction: ExactArray, label: ExactArray, *, gamma: Fraction, alpha: Fraction | None, reduction: str
) -> ExactArray:
    """Return (alpha label + (1 - alpha)(1 - label)) q^gamma times the sigmoid cross-entropy; without alpha, no factor.

    q = label sigmoid(-prediction) + (1 - label) sigmoid(prediction), the probability of the wrong class.
    Values that determine the result: prediction and label in [0, 1], which broadcast, gamma, alpha, reduction. Pure;
    no state.
    Source: Lin et al. 2017, arXiv:1708.02002, equations 4 and 5.
    """
    wrong = _wrong(prediction, label)
    power = wrong ** int(gamma) if gamma.denominator == 1 else power_real(wrong, gamma)
    return _focal(prediction, label, power, alpha, reduction)


@textbook(terms.FocalLoss)
def focal_loss_by_logarithm(
    prediction: ExactArray, label: ExactArray, *, gamma: Fraction, alpha: Fraction | None, reduction: str
) -> ExactArray:
    """Return the same with q^gamma as exp(gamma log q)."""
    return _focal(prediction, label, exp(gamma * log(_wrong(prediction, label))), alpha, reduction)


def _wrong(prediction: ExactArray, label: ExactArray) -> ExactArray:
    require_not_negative(label, "label")
    require_not_negative(1 - label, "1 - label")
    return label * sigmoid(-prediction) + (1 - label) * sigmoid(prediction)


def _focal(
    prediction: ExactArray, label: ExactArray, power: ExactArray, alpha: Fraction | None, reduction: str
) -> ExactArray:
    loss = power * sigmoid_cross_entropy(prediction, label, reduction="none")
    return reduced(loss if alpha is None else (alpha * label + (1 - alpha) * (1 - label)) * loss, reduction)


@textbook(terms.KlDivergence)
@meaning(terms.KlDivergence)
def kl_divergence(prediction: ExactArray, label: ExactArray, *, log_target: bool, reduction: str) -> ExactArray:
    """Return label (log label - prediction), or exp(label) (label - prediction); 0 where the label is 0.

    Values that determine the result: prediction and label, which broadcast, and the conventions. Pure; no state.
    DomainError for a negative label. Neither has to be normalised.
    Source: Kullback and Leibler 1951, On information and sufficiency.
    """
    if log_target:
        return reduced(exp(label) * (label - prediction), reduction)
    return reduced(label * (_logarithm(label) - prediction), reduction)


@textbook(terms.KlDivergence, log_target=False)
def kl_divergence_expanded(
    prediction: ExactArray, label: ExactArray, *, log_target: bool, reduction: str
) -> ExactArray:
    """Return label log label - label prediction."""
    return reduced(label * _logarithm(label) - label * prediction, reduction)


def _logarithm(label: ExactArray) -> ExactArray:
    """Return log label, and 0 where the label is 0, for a product that vanishes there."""
    require_not_negative(label, "label")
    return log(where(label > 0, label, 1))
