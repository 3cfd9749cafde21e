"""What the losses of a prediction against a label mean, exactly, entry by entry."""

from __future__ import annotations

from fractions import Fraction

from lenticulum import terms
from lenticulum.numbers import ExactArray, absolute, cosh, exp, log, log1p, maximum, minimum, pi, sqrt
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.meaning import meaning
from lenticulum.spec.operations.loss_reduction import reduced, require_not_negative


@meaning(terms.AbsoluteLoss)
def absolute_loss(prediction: ExactArray, label: ExactArray, *, reduction: str) -> ExactArray:
    """Return |prediction - label|. The derivative at a tie is 0.

    Values that determine the result: prediction and label, which broadcast, and reduction. Pure; no state.
    """
    return reduced(absolute(prediction - label), reduction)


@meaning(terms.HuberLoss)
def huber_loss(prediction: ExactArray, label: ExactArray, *, delta: Fraction, reduction: str) -> ExactArray:
    """Return m (d - m/2) with d = |prediction - label| and m = min(d, delta).

    It is d²/2 where d <= delta and delta (d - delta/2) beyond.
    Values that determine the result: prediction and label, which broadcast, delta, reduction. Pure; no state.
    Source: Huber 1964, Robust estimation of a location parameter.
    """
    distance = absolute(prediction - label)
    near = minimum(distance, delta)
    return reduced(near * (distance - near / 2), reduction)


@meaning(terms.SmoothL1Loss)
def smooth_l1_loss(prediction: ExactArray, label: ExactArray, *, beta: Fraction, reduction: str) -> ExactArray:
    """Return m (d - m/2) / beta with d = |prediction - label| and m = min(d, beta).

    It is d²/(2 beta) where d <= beta and d - beta/2 beyond.
    Values that determine the result: prediction and label, which broadcast, beta, reduction. Pure; no state.
    Source: Girshick 2015, arXiv:1504.08083, equation 3.
    """
    distance = absolute(prediction - label)
    near = minimum(distance, beta)
    return reduced(near * (distance - near / 2) / beta, reduction)


@textbook(terms.SmoothL1Loss)
def smooth_l1_by_parts(prediction: ExactArray, label: ExactArray, *, beta: Fraction, reduction: str) -> ExactArray:
    """Return m²/(2 beta) + (d - m): the part within beta, and what is beyond it."""
    distance = absolute(prediction - label)
    near = minimum(distance, beta)
    return reduced(near * near / 2 / beta + (distance - near), reduction)


@textbook(terms.HuberLoss)
def huber_by_parts(prediction: ExactArray, label: ExactArray, *, delta: Fraction, reduction: str) -> ExactArray:
    """Return m²/2 + delta (d - m): the part within delta, and what is beyond it."""
    distance = absolute(prediction - label)
    near = minimum(distance, delta)
    return reduced(near * near / 2 + delta * (distance - near), reduction)


textbook(terms.HuberLoss)(huber_loss)
textbook(terms.SmoothL1Loss)(smooth_l1_loss)


@textbook(terms.LogCoshLoss)
@meaning(terms.LogCoshLoss)
def log_cosh_loss(prediction: ExactArray, label: ExactArray, *, reduction: str) -> ExactArray:
    """Return log cosh(prediction - label).

    Values that determine the result: prediction and label, which broadcast, and reduction. Pure; no state.
    """
    return reduced(log(cosh(prediction - label)), reduction)


@textbook(terms.LogCoshLoss)
def log_cosh_shifted(prediction: ExactArray, label: ExactArray, *, reduction: str) -> ExactArray:
    """Return d + log(1 + exp(-2 d)) - log 2 with d = |prediction - label|: no power overflows."""
    distance = absolute(prediction - label)
    return reduced(distance + log1p(exp(-2 * distance)) - log(distance.lift(2)), reduction)


@meaning(terms.HingeLoss)
def hinge_loss(prediction: ExactArray, label: ExactArray, *, reduction: str) -> ExactArray:
    """Return max(0, 1 - label prediction). The derivative at the kink is 0.

    Values that determine the result: prediction and label, which broadcast, and reduction. Pure; no state.
    Source: Cortes and Vapnik 1995, Support-vector networks.
    """
    return reduced(maximum(1 - label * prediction, 0), reduction)


@meaning(terms.PoissonNll)
def poisson_nll(
    prediction: ExactArray, label: ExactArray, *, log_input: bool, epsilon: Fraction, reduction: str
) -> ExactArray:
    """Return exp(prediction) - label prediction, or prediction - label log(prediction + epsilon).

    Values that determine the result: prediction and label, which broadcast, the conventions; epsilon without
    log_input. Pure; no state. DomainError where prediction + epsilon <= 0.
    """
    if log_input:
        return reduced(exp(prediction) - label * prediction, reduction)
    return reduced(prediction - label * log(prediction + epsilon), reduction)


@meaning(terms.GaussianNll)
def gaussian_nll(
    prediction: ExactArray, label: ExactArray, variance: ExactArray, *, epsilon: Fraction, full: bool, reduction: str
) -> ExactArray:
    """Return (log s + (prediction - label)² / s) / 2 with s = max(variance, epsilon); `full` adds log(2 pi) / 2.

    Values that determine the result: prediction, label and variance, which broadcast, epsilon, full, reduction. Pure;
    no state. DomainError for a negative variance.
    Source: Nix and Weigend 1994, Estimating the mean and variance of the target probability distribution.
    """
    require_not_negative(variance, "variance")
    scale, difference = maximum(variance, epsilon), prediction - label
    loss = (log(scale) + difference * difference / scale) / 2
    return reduced(loss + log(2 * pi(loss)) / 2 if full else loss, reduction)


@textbook(terms.CosineSimilarity)
@meaning(terms.CosineSimilarity)
def cosine_similarity(x: ExactArray, y: ExactArray, *, axis: int, epsilon: Fraction, epsilon_at: str) -> ExactArray:
    """Return <x, y> / (|x| |y|) along an axis, with the lengths kept from zero as `epsilon_at` says.

    Values that determine the result: x and y, which broadcast, axis, epsilon, epsilon_at. Pure; no state. DomainError
    for a vector of length 0 with epsilon = 0. Where a length is below epsilon it is locally constant.
    """
    inner, x_square, y_square = ((a * b).sum(axis=axis) for a, b in ((x, y), (x, x), (y, y)))
    if not epsilon:
        return inner / (sqrt(x_square) * sqrt(y_square))
    if epsilon_at == "square":
        return inner / sqrt(maximum(x_square, epsilon) * maximum(y_square, epsilon))
    x_length, y_length = sqrt(x_square), sqrt(y_square)
    if epsilon_at == "product":
        return inner / maximum(x_length * y_length, epsilon)
    return inner / (maximum(x_length, epsilon) * maximum(y_length, epsilon))


@textbook(terms.CosineSimilarity, epsilon_at="each")
@textbook(terms.CosineSimilarity, epsilon_at="square")
def cosine_of_units(x: ExactArray, y: ExactArray, *, axis: int, epsilon: Fraction, epsilon_at: str) -> ExactArray:
    """Return the inner product of x and y, each divided by its length first."""

    def unit(each: ExactArray) -> ExactArray:
        square = (each * each).sum(axis=axis, keepdims=True)
        if epsilon_at == "square":
            return each / sqrt(maximum(square, epsilon))
        return each / maximum(sqrt(square), epsilon)

    return (unit(x) * unit(y)).sum(axis=axis)
