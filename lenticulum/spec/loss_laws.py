"""Laws of the two losses of supervised learning: their reverse derivatives against formulations that share nothing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from lenticulum.numbers import Ball, ExactArray, Rational, ball, exp, log, rational, vjp
from lenticulum.spec.data import Data
from lenticulum.spec.draw import Draw, fraction, positive_fraction, rational_array
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.losses import cross_entropy_loss
from lenticulum.spec.put import put
from lenticulum.terms import Mode, SquaredLoss, Tree

#: From label, prediction and alpha, the cotangents of label and prediction.
LossReverse = Callable[[Rational, Rational, Rational], Data]
#: From label and prediction, the loss.
Loss = Callable[[ExactArray, ExactArray], ExactArray]


def quadratic_reverse(label: Rational, prediction: Rational, alpha: Rational) -> Data:
    """R[e](bt, bp, alpha) of e = 1/2 sum (bp - bt)^2."""
    return put(SquaredLoss(), (label, prediction), Tree(), Tree(), Mode.TRAIN, None, alpha)[1]


def quadratic_reverse_in_print(label: Rational, prediction: Rational, alpha: Rational) -> Data:
    """alpha (bp - bt, bt - bp), as arXiv:2103.01931, equation 3.4, prints it."""
    return alpha * (prediction - label), alpha * (label - prediction)


def cross_entropy(label: ExactArray, prediction: ExactArray) -> ExactArray:
    """sum_i bt_i (LSE(bp) - bp_i)."""
    return cross_entropy_loss(Tree(), (label, prediction))


def cross_entropy_in_print(label: ExactArray, prediction: ExactArray) -> ExactArray:
    """sum_i bt_i (bp_i - log softmax(bp)_i), as equation 3.6 prints it: every bracket is LSE(bp)."""
    log_softmax = prediction - log(exp(prediction).sum())
    return (label * (prediction - log_softmax)).sum()


def quadratic_is_adjoint_to_its_differences(of: LossReverse, draw: Draw) -> None:
    """<v, bt'> + <w, bp'> = alpha (e(bt + h v, bp + h w) - e(bt - h v, bp - h w)) / 2h, exact for a quadratic."""
    n, h = draw.integer(1, 3), positive_fraction(draw)
    label, prediction, v, w = (rational_array(draw, (n,)) for _ in range(4))
    alpha = fraction(draw)

    def loss(step: Fraction) -> Fraction:
        difference = (prediction + w * step) - (label + v * step)
        return (difference * difference).sum().item() / 2

    to_label, to_prediction = of(label, prediction, rational(alpha))
    assert isinstance(to_label, Rational)
    assert isinstance(to_prediction, Rational)
    pulled = ((v * to_label).sum() + (w * to_prediction).sum()).item()
    slope = alpha * (loss(h) - loss(-h)) / (2 * h)
    require(
        pulled == slope,
        "the cotangents are not those of the loss",
        label=label,
        prediction=prediction,
        alpha=alpha,
        cotangents=(to_label, to_prediction),
        along=(v, w),
        pulled=pulled,
        slope=slope,
    )


def softmax_at_logarithms(weights: list[int]) -> list[Fraction]:
    """The softmax of (log w_1, ..., log w_n) is w / sum w: a rational number without any logarithm."""
    return [Fraction(weight, sum(weights)) for weight in weights]


def cross_entropy_gradient(loss: Loss, label: list[Fraction], weights: list[int]) -> ExactArray:
    """The enclosed gradient in the prediction, at the prediction (log w_1, ..., log w_n)."""
    _, pull = vjp(loss, ball(label), log(ball(weights)))
    return pull(ball(1))[1]


def cross_entropy_sees_its_label(of: Loss, draw: Draw) -> None:
    """The gradient in the prediction is (sum bt) softmax(bp) - bt, at logarithms of integers: rational numbers."""
    n = draw.integer(2, 4)
    weights = [draw.integer(1, 6) for _ in range(n)]
    label = [Fraction(draw.integer(0, 4), draw.integer(1, 3)) for _ in range(n)]
    expected = [sum(label) * p - y for p, y in zip(softmax_at_logarithms(weights), label, strict=True)]
    found = cross_entropy_gradient(of, label, weights)
    assert isinstance(found, Ball)
    require(
        found.contains(rational(expected)),
        "the gradient is not (sum label) softmax - label",
        label=", ".join(map(str, label)),
        weights=weights,
        gradient=found,
        expected=", ".join(map(str, expected)),
    )


LAWS: tuple[Law[LossReverse] | Law[Loss], ...] = (
    Law(
        "quadratic-loss-adjointness",
        "<v, bt'> + <w, bp'> = alpha times the central difference of the loss along (v, w)",
        "derived by hand; central differences of a quadratic are its slopes",
        Grade.EXACT,
        quadratic_reverse,
        quadratic_is_adjoint_to_its_differences,
        {"components in print": quadratic_reverse_in_print},
    ),
    Law(
        "cross-entropy-sees-its-label",
        "the gradient of the cross-entropy in the prediction is (sum bt) softmax(bp) - bt",
        "derived by hand; arXiv:2103.01931, Example 4.2, uses it for a normalised label",
        Grade.ENCLOSED,
        cross_entropy,
        cross_entropy_sees_its_label,
        {"cross-entropy in print": cross_entropy_in_print},
    ),
)
