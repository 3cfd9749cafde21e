"""Planted mistakes about the losses entry by entry: wrong twins of `evaluate` and `reverse`."""

from __future__ import annotations

from typing import Any

from lenticulum.numbers import ExactArray, absolute, log, maximum, sinh, sqrt
from lenticulum.spec.operations.loss_reduction import reduced
from lenticulum.spec.operations.subject import evaluate, mistaken, reverse
from lenticulum.terms import (
    AbsoluteLoss,
    CosineSimilarity,
    GaussianNll,
    HingeLoss,
    HuberLoss,
    LogCoshLoss,
    Operation,
    PoissonNll,
    SmoothL1Loss,
    exact,
    replace,
)


def _entries(term: Any, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, reduction="none"), *arrays)


def _mean_of_the_last_axis(term: AbsoluteLoss, *arrays: ExactArray) -> Any:
    loss = _entries(term, *arrays)
    return loss.mean(axis=-1) if term.reduction == "mean" else reduced(loss, term.reduction)


def _sum_for_mean(term: AbsoluteLoss, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, reduction="sum") if term.reduction == "mean" else term, *arrays)


def _signed_difference(term: AbsoluteLoss, prediction: ExactArray, label: ExactArray) -> Any:
    return reduced(prediction - label, term.reduction)


def _huber_not_halved(term: HuberLoss, *arrays: ExactArray) -> Any:
    return 2 * evaluate(term, *arrays)


def _huber_with_a_jump(term: HuberLoss, prediction: ExactArray, label: ExactArray) -> Any:
    distance, delta = absolute(prediction - label), exact(term.delta)
    inside = evaluate(replace(term, reduction="none"), prediction, label)
    return reduced(inside.select(distance <= delta, delta * distance), term.reduction)


def _huber_of_width_one(term: HuberLoss, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, delta=1), *arrays)


def _smooth_l1_not_divided(term: SmoothL1Loss, *arrays: ExactArray) -> Any:
    return exact(term.beta) * evaluate(term, *arrays)


def _hinge_not_cut(term: HingeLoss, prediction: ExactArray, label: ExactArray) -> Any:
    return reduced(1 - prediction * label, term.reduction)


def _squared_hinge(term: HingeLoss, *arrays: ExactArray) -> Any:
    loss = _entries(term, *arrays)
    return reduced(loss * loss, term.reduction)


def _perceptron(term: HingeLoss, prediction: ExactArray, label: ExactArray) -> Any:
    return reduced(maximum(-prediction * label, 0), term.reduction)


def _label_left_out(term: HingeLoss, prediction: ExactArray, label: ExactArray) -> Any:
    return reduced(maximum(1 - prediction, 0), term.reduction)


def _log_two_missing(term: LogCoshLoss, *arrays: ExactArray) -> Any:
    loss = _entries(term, *arrays)
    return reduced(loss + log(loss.lift(2)), term.reduction)


def _log_sinh(term: LogCoshLoss, prediction: ExactArray, label: ExactArray) -> Any:
    return reduced(log(1 + absolute(sinh(prediction - label))), term.reduction)


def _log_cosh_of_the_label(term: LogCoshLoss, prediction: ExactArray, label: ExactArray) -> Any:
    return evaluate(term, prediction, 0 * label)


def _input_conventions_exchanged(term: PoissonNll, prediction: ExactArray, label: ExactArray) -> Any:
    return evaluate(replace(term, log_input=not term.log_input), absolute(prediction), label)


def _epsilon_left_out(term: PoissonNll, prediction: ExactArray, label: ExactArray) -> Any:
    return evaluate(term if term.log_input else replace(term, epsilon="1e-30"), prediction, label)


def _poisson_roles_exchanged(term: PoissonNll, prediction: ExactArray, label: ExactArray) -> Any:
    return evaluate(term, label, prediction) if term.log_input else evaluate(term, prediction, label)


def _variance_as_deviation(term: GaussianNll, prediction: ExactArray, label: ExactArray, variance: ExactArray) -> Any:
    return evaluate(term, prediction, label, variance * variance)


def _epsilon_added(term: GaussianNll, prediction: ExactArray, label: ExactArray, variance: ExactArray) -> Any:
    return evaluate(term, prediction, label, variance + exact(term.epsilon))


def _gaussian_not_halved(term: GaussianNll, *arrays: ExactArray) -> Any:
    return 2 * evaluate(term, *arrays)


def _constant_always(term: GaussianNll, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, full=True), *arrays)


def _constant_never(term: GaussianNll, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, full=False), *arrays)


def _epsilon_in_the_product(term: CosineSimilarity, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, epsilon_at="product"), *arrays)


def _epsilon_in_each(term: CosineSimilarity, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, epsilon_at="each"), *arrays)


def _cosine_of_another_axis(term: CosineSimilarity, *arrays: ExactArray) -> Any:
    return evaluate(replace(term, axis=0 if term.axis else -1), *arrays)


def _cosine_epsilon_added(term: CosineSimilarity, x: ExactArray, y: ExactArray) -> Any:
    lengths = [sqrt((each * each).sum(axis=term.axis)) for each in (x, y)]
    return (x * y).sum(axis=term.axis) / (lengths[0] * lengths[1] + exact(term.epsilon))


def _distance(term: CosineSimilarity, *arrays: ExactArray) -> Any:
    return 1 - evaluate(term, *arrays)


def slope_not_clipped(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Give the difference itself as the slope of a Huber loss."""
    if not isinstance(term, HuberLoss):
        return reverse(term, arrays, cotangent)
    slope = cotangent * (arrays[0] - arrays[1])
    return slope, -slope


def slope_doubled(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Differentiate r² for r²/2."""
    return tuple(2 * each for each in reverse(term, arrays, cotangent))


def label_held_constant(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Give no cotangent to the label."""
    to_prediction, to_label = reverse(term, arrays, cotangent)
    return to_prediction, 0 * to_label


def cotangent_not_shared(term: Any, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Give each entry of a mean the whole cotangent."""
    return reverse(replace(term, reduction="sum"), arrays, cotangent)


mean_of_the_last_axis = mistaken(AbsoluteLoss, _mean_of_the_last_axis)
sum_for_mean = mistaken(AbsoluteLoss, _sum_for_mean)
signed_difference = mistaken(AbsoluteLoss, _signed_difference)
huber_not_halved = mistaken(HuberLoss, _huber_not_halved)
huber_with_a_jump = mistaken(HuberLoss, _huber_with_a_jump)
huber_of_width_one = mistaken(HuberLoss, _huber_of_width_one)
smooth_l1_not_divided = mistaken(SmoothL1Loss, _smooth_l1_not_divided)
hinge_not_cut = mistaken(HingeLoss, _hinge_not_cut)
squared_hinge = mistaken(HingeLoss, _squared_hinge)
perceptron = mistaken(HingeLoss, _perceptron)
label_left_out = mistaken(HingeLoss, _label_left_out)
log_two_missing = mistaken(LogCoshLoss, _log_two_missing)
log_sinh = mistaken(LogCoshLoss, _log_sinh)
log_cosh_of_the_label = mistaken(LogCoshLoss, _log_cosh_of_the_label)
input_conventions_exchanged = mistaken(PoissonNll, _input_conventions_exchanged)
epsilon_left_out = mistaken(PoissonNll, _epsilon_left_out)
poisson_roles_exchanged = mistaken(PoissonNll, _poisson_roles_exchanged)
variance_as_deviation = mistaken(GaussianNll, _variance_as_deviation)
epsilon_added = mistaken(GaussianNll, _epsilon_added)
gaussian_not_halved = mistaken(GaussianNll, _gaussian_not_halved)
constant_always = mistaken(GaussianNll, _constant_always)
constant_never = mistaken(GaussianNll, _constant_never)
epsilon_in_the_product = mistaken(CosineSimilarity, _epsilon_in_the_product)
epsilon_in_each = mistaken(CosineSimilarity, _epsilon_in_each)
cosine_of_another_axis = mistaken(CosineSimilarity, _cosine_of_another_axis)
cosine_epsilon_added = mistaken(CosineSimilarity, _cosine_epsilon_added)
distance = mistaken(CosineSimilarity, _distance)
