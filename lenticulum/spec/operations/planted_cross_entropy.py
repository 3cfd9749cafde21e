"""Planted mistakes about the cross-entropies: wrong twins of `evaluate` and `reverse`, which laws must reject."""

from __future__ import annotations

from typing import Any

import numpy as np

from lenticulum.numbers import DomainError, ExactArray, exp, maximum, sigmoid, softplus
from lenticulum.spec.operations.loss_reduction import reduced
from lenticulum.spec.operations.subject import evaluate, mistaken, reverse
from lenticulum.terms import (
    FocalLoss,
    KlDivergence,
    Operation,
    SigmoidCrossEntropy,
    SoftmaxCrossEntropy,
    SoftmaxCrossEntropyInteger,
    exact,
    replace,
)


def _smoothed(term: Any, prediction: ExactArray, label: ExactArray, weight: Any, kept: Any, added: Any) -> Any:
    return evaluate(replace(term, label_smoothing=0), prediction, kept * label + added, weight)


def _over_the_others(term: SoftmaxCrossEntropy, prediction: ExactArray, label: ExactArray, weight: Any = None) -> Any:
    s, classes = exact(term.label_smoothing), prediction.shape[term.axis]
    return _smoothed(term, prediction, label, weight, 1 - s, s / max(classes - 1, 1))


def _without_shrinking(term: SoftmaxCrossEntropy, prediction: ExactArray, label: ExactArray, weight: Any = None) -> Any:
    return _smoothed(term, prediction, label, weight, 1, exact(term.label_smoothing) / prediction.shape[term.axis])


def _mean_over_entries(term: SoftmaxCrossEntropy, prediction: ExactArray, label: ExactArray, weight: Any = None) -> Any:
    loss = evaluate(term, prediction, label, weight)
    return loss / prediction.shape[term.axis] if term.reduction == "mean" else loss


def _weights_left_out(term: SoftmaxCrossEntropy, prediction: ExactArray, label: ExactArray, weight: Any = None) -> Any:
    return evaluate(term, prediction, label)


def _last_axis_always(term: SoftmaxCrossEntropy, prediction: ExactArray, label: ExactArray, weight: Any = None) -> Any:
    fits = weight is None or weight.shape == prediction.shape[-1:]
    return evaluate(replace(term, axis=-1) if fits else term, prediction, label, weight)


def _as_probability(term: SoftmaxCrossEntropy, prediction: ExactArray, label: ExactArray, weight: Any = None) -> Any:
    return reduced(-(label * prediction).sum(axis=term.axis), term.reduction)


def _label_normalised(term: SoftmaxCrossEntropy, prediction: ExactArray, label: ExactArray, weight: Any = None) -> Any:
    size = label.sum(axis=term.axis, keepdims=True) + 1
    return evaluate(term, prediction, label / size, weight)


def _ignored_counted(term: SoftmaxCrossEntropyInteger, prediction: ExactArray, label: Any, weight: Any = None) -> Any:
    if term.reduction != "mean":
        return evaluate(term, prediction, label, weight)
    return evaluate(replace(term, reduction="sum"), prediction, label, weight) / label.size


def _ignored_as_zero(term: SoftmaxCrossEntropyInteger, prediction: ExactArray, label: Any, weight: Any = None) -> Any:
    if term.ignore_index is None:
        return evaluate(term, prediction, label, weight)
    chosen = np.where(label == term.ignore_index, 0, label)
    return evaluate(replace(term, ignore_index=None), prediction, chosen, weight)


def _by_count(term: SoftmaxCrossEntropyInteger, prediction: ExactArray, label: Any, weight: Any = None) -> Any:
    mean = replace(term, reduction="mean") if term.reduction == "weighted_mean" else term
    return evaluate(mean, prediction, label, weight)


def _by_weights(term: SoftmaxCrossEntropyInteger, prediction: ExactArray, label: Any, weight: Any = None) -> Any:
    mean = replace(term, reduction="weighted_mean") if term.reduction == "mean" else term
    return evaluate(mean, prediction, label, weight)


def _labels_from_one(term: SoftmaxCrossEntropyInteger, prediction: ExactArray, label: Any, weight: Any = None) -> Any:
    if term.ignore_index is not None:
        return evaluate(term, prediction, label, weight)
    return evaluate(term, prediction, (label + 1) % prediction.shape[term.axis], weight)


def _weight_of_all(term: SoftmaxCrossEntropyInteger, prediction: ExactArray, label: Any, weight: Any = None) -> Any:
    return evaluate(term, prediction, label, None if weight is None else 0 * weight + weight.mean())


def _integer_others(term: SoftmaxCrossEntropyInteger, prediction: ExactArray, label: Any, weight: Any = None) -> Any:
    classes = prediction.shape[term.axis]
    smoothing = exact(term.label_smoothing) * classes / max(classes - 1, 1)
    return evaluate(replace(term, label_smoothing=min(smoothing, 1)), prediction, label, weight)


def _labels_clamped(term: SoftmaxCrossEntropyInteger, prediction: ExactArray, label: Any, weight: Any = None) -> Any:
    return evaluate(term, prediction, np.clip(label, 0, prediction.shape[term.axis] - 1), weight)


def _labels_wrapped(term: SoftmaxCrossEntropyInteger, prediction: ExactArray, label: Any, weight: Any = None) -> Any:
    return evaluate(term, prediction, label % prediction.shape[term.axis], weight)


def _zero_for_no_class(term: SoftmaxCrossEntropyInteger, prediction: ExactArray, label: Any, weight: Any = None) -> Any:
    try:
        return evaluate(term, prediction, label, weight)
    except DomainError:
        return reduced(0 * prediction.sum(axis=term.axis), term.reduction)


def _labels_exchanged(term: SigmoidCrossEntropy, prediction: ExactArray, label: ExactArray) -> Any:
    return evaluate(term, prediction, 1 - label)


def _softplus_of_a_softplus(term: SigmoidCrossEntropy, prediction: ExactArray, label: ExactArray) -> Any:
    return reduced(label * softplus(-prediction) + (1 - label) * softplus(softplus(prediction)), term.reduction)


def _positive_part_only(term: SigmoidCrossEntropy, prediction: ExactArray, label: ExactArray) -> Any:
    return reduced(maximum(prediction, 0) - label * prediction, term.reduction)


def _right_class_damped(term: FocalLoss, prediction: ExactArray, label: ExactArray) -> Any:
    right = label * sigmoid(prediction) + (1 - label) * sigmoid(-prediction)
    plain = replace(term, gamma=0, reduction="none")
    return reduced(right ** int(exact(term.gamma)) * evaluate(plain, prediction, label), term.reduction)


def _alpha_exchanged(term: FocalLoss, prediction: ExactArray, label: ExactArray) -> Any:
    return evaluate(term if term.alpha is None else replace(term, alpha=1 - exact(term.alpha)), prediction, label)


def _alpha_of_both(term: FocalLoss, prediction: ExactArray, label: ExactArray) -> Any:
    loss = evaluate(replace(term, alpha=None), prediction, label)
    return loss if term.alpha is None else exact(term.alpha) * loss


def _gamma_as_factor(term: FocalLoss, prediction: ExactArray, label: ExactArray) -> Any:
    return (1 + exact(term.gamma)) * evaluate(replace(term, gamma=0), prediction, label)


def _gamma_squared(term: FocalLoss, prediction: ExactArray, label: ExactArray) -> Any:
    return evaluate(replace(term, gamma=exact(term.gamma) ** 2), prediction, label)


def _directions_exchanged(term: KlDivergence, prediction: ExactArray, label: ExactArray) -> Any:
    if not term.log_target:
        return evaluate(term, prediction, label)
    return evaluate(term, label, prediction)


def _batch_mean_over_entries(term: KlDivergence, prediction: ExactArray, label: ExactArray) -> Any:
    mean = replace(term, reduction="mean") if term.reduction == "batch_mean" else term
    return evaluate(mean, prediction, label)


def _log_target_plain(term: KlDivergence, prediction: ExactArray, label: ExactArray) -> Any:
    return (
        reduced(label * (label - prediction), term.reduction) if term.log_target else evaluate(term, prediction, label)
    )


def _entropy_left_out(term: KlDivergence, prediction: ExactArray, label: ExactArray) -> Any:
    return reduced(-(exp(label) if term.log_target else label) * prediction, term.reduction)


def _negated_divergence(term: KlDivergence, prediction: ExactArray, label: ExactArray) -> Any:
    return -evaluate(term, prediction, label)


def labels_taken_as_normalised(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Take s - y for s sum(y) - y."""
    prediction, label = arrays
    softmax = exp(prediction) / exp(prediction).sum(axis=-1, keepdims=True)
    return cotangent[..., None] * (softmax - label), reverse(term, arrays, cotangent)[1]


def no_cotangent_for_labels(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Hold the label constant."""
    to_prediction, to_label = reverse(term, arrays, cotangent)
    return to_prediction, 0 * to_label


def slope_of_the_sigmoid(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Multiply by the slope of the sigmoid once more."""
    to_prediction, to_label = reverse(term, arrays, cotangent)
    return to_prediction * sigmoid(arrays[0]) * sigmoid(-arrays[0]), to_label


def label_left_out_of_the_slope(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Take the sigmoid alone."""
    return cotangent * sigmoid(arrays[0]), reverse(term, arrays, cotangent)[1]


smoothing_over_the_other_classes = mistaken(SoftmaxCrossEntropy, _over_the_others)
smoothing_without_shrinking = mistaken(SoftmaxCrossEntropy, _without_shrinking)
mean_over_entries = mistaken(SoftmaxCrossEntropy, _mean_over_entries)
weights_left_out = mistaken(SoftmaxCrossEntropy, _weights_left_out)
last_axis_always = mistaken(SoftmaxCrossEntropy, _last_axis_always)
prediction_as_probability = mistaken(SoftmaxCrossEntropy, _as_probability)
label_normalised = mistaken(SoftmaxCrossEntropy, _label_normalised)
ignored_rows_counted = mistaken(SoftmaxCrossEntropyInteger, _ignored_counted)
ignored_rows_as_class_zero = mistaken(SoftmaxCrossEntropyInteger, _ignored_as_zero)
weighted_mean_by_count = mistaken(SoftmaxCrossEntropyInteger, _by_count)
mean_by_weights = mistaken(SoftmaxCrossEntropyInteger, _by_weights)
labels_from_one = mistaken(SoftmaxCrossEntropyInteger, _labels_from_one)
weight_of_every_class = mistaken(SoftmaxCrossEntropyInteger, _weight_of_all)
integer_smoothing_over_the_others = mistaken(SoftmaxCrossEntropyInteger, _integer_others)
labels_clamped = mistaken(SoftmaxCrossEntropyInteger, _labels_clamped)
labels_wrapped = mistaken(SoftmaxCrossEntropyInteger, _labels_wrapped)
loss_zero_for_no_class = mistaken(SoftmaxCrossEntropyInteger, _zero_for_no_class)
labels_exchanged = mistaken(SigmoidCrossEntropy, _labels_exchanged)
softplus_of_a_softplus = mistaken(SigmoidCrossEntropy, _softplus_of_a_softplus)
positive_part_only = mistaken(SigmoidCrossEntropy, _positive_part_only)
right_class_damped = mistaken(FocalLoss, _right_class_damped)
alpha_exchanged = mistaken(FocalLoss, _alpha_exchanged)
alpha_of_both_classes = mistaken(FocalLoss, _alpha_of_both)
gamma_as_factor = mistaken(FocalLoss, _gamma_as_factor)
gamma_squared = mistaken(FocalLoss, _gamma_squared)
directions_exchanged = mistaken(KlDivergence, _directions_exchanged)
batch_mean_over_entries = mistaken(KlDivergence, _batch_mean_over_entries)
log_target_not_exponentiated = mistaken(KlDivergence, _log_target_plain)
entropy_left_out = mistaken(KlDivergence, _entropy_left_out)
negated_divergence = mistaken(KlDivergence, _negated_divergence)
