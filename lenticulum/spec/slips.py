"""Slips in print: formulas of arXiv:2103.01931v2 that the laws reject, with the exact values that show it.

A later version may have corrected some of them. Each is a planted mistake of a law; here stand the printed form, the
right one, and one case of both in fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lenticulum.numbers import Ball, ExactArray, Rational, ball, rational
from lenticulum.spec import loss_laws
from lenticulum.spec.law import Law
from lenticulum.spec.optimizers import adagrad_laws, adam_laws, momentum_laws, planted
from lenticulum.spec.optimizers.cases import UPDATES, Updates, descend, follow, scalar, scalar_tree
from lenticulum.terms import Adagrad, Adam, Momentum, Nesterov, Update, map_leaves

Values = list[Fraction]


@dataclass(frozen=True)
class Slip:
    """A printed formula that a law rejects.

    `rejected_by`: the laws, each with the name under which the printed form is planted in it. `values`: the right and
    the printed values in the case that `at` states.
    """

    equation: str
    what: str
    printed: str
    right: str
    rejected_by: tuple[tuple[Law[Any], str], ...]
    at: str
    values: Callable[[], tuple[Values, Values]]


def quadratic() -> tuple[Values, Values]:
    """The cotangents of label 3 and prediction 7 at alpha 1."""
    label, prediction, alpha = rational([3]), rational([7]), rational(1)
    right = loss_laws.quadratic_reverse(label, prediction, alpha)
    printed = loss_laws.quadratic_reverse_in_print(label, prediction, alpha)
    return _items(*right), _items(*printed)


def cross_entropy() -> tuple[Values, Values]:
    """The gradient in the prediction (log 1, log 2, log 3) for the label (0, 1, 0), each found inside its enclosure."""
    label, weights = [Fraction(0), Fraction(1), Fraction(0)], [1, 2, 3]
    softmax = loss_laws.softmax_at_logarithms(weights)
    right = [p - y for p, y in zip(softmax, label, strict=True)]
    return (
        _inside(loss_laws.cross_entropy_gradient(loss_laws.cross_entropy, label, weights), right),
        _inside(loss_laws.cross_entropy_gradient(loss_laws.cross_entropy_in_print, label, weights), softmax),
    )


def heavy_ball() -> tuple[Values, Values]:
    """Four steps on p^2 from 1."""
    update = Momentum(Fraction(1, 10), Fraction(9, 10))
    return _on_the_quadratic(UPDATES, update), _on_the_quadratic(planted.momentum_with_the_sign_in_print, update)


def nesterov() -> tuple[Values, Values]:
    """Four steps on p^2 from 1, with the gradient at the look-ahead."""
    update = Nesterov(Fraction(1, 10), Fraction(9, 10))
    return _on_the_quadratic(UPDATES, update), _on_the_quadratic(planted.momentum_with_the_sign_in_print, update)


def adagrad() -> tuple[Values, Values]:
    """The first step for the gradient 3 at rate 1/2, delta 1: by the update alone, and with the rate in the cap too."""
    update, start = Adagrad(Fraction(1, 2), 0, 1), scalar_tree(Fraction(0))
    moves: list[Values] = []
    for of in (UPDATES, planted.rate_applied_twice):
        moves.append([scalar(of.next(update, of.initial(update, start), start, scalar_tree(Fraction(-3)))[1])])
    return moves[0], moves[1]


def adam() -> tuple[Values, Values]:
    """The first moments that the step divides, b1 = 1/2, for the cotangents 1, 2, -1; found inside their enclosures."""
    b1, cotangents = Fraction(1, 2), [Fraction(1), Fraction(2), Fraction(-1)]
    update = Adam(Fraction(1, 10), b1, Fraction(3, 4))
    raw = stored = Fraction(0)
    right: Values = []
    printed: Values = []
    for t, c in enumerate(cotangents, start=1):
        raw, stored = b1 * raw + (1 - b1) * c, (b1 * stored + (1 - b1) * c) / (1 - b1**t)
        right, printed = [*right, raw / (1 - b1**t)], [*printed, stored]
    start = map_leaves(ball, scalar_tree(Fraction(0)))
    gradients = [map_leaves(ball, scalar_tree(-c)) for c in cotangents]

    def moments(of: Updates, corrected: bool) -> list[ExactArray]:
        states = [state for state, _ in follow(of, update, of.initial(update, start), start, gradients)]
        return [-s.first_moment.weight / (1 - s.first_power if corrected else 1) for s in states]

    for found, expected in (
        (moments(UPDATES, corrected=True), right),
        (moments(planted.adam_storing_corrected_moments, corrected=False), printed),
    ):
        for moment, number in zip(found, expected, strict=True):
            _inside(moment, [number])
    return right, printed


def _on_the_quadratic(of: Updates, update: Update) -> Values:
    start = scalar_tree(Fraction(1))
    steps = descend(of, update, of.initial(update, start), start, lambda p: map_leaves(lambda x: x * 2, p), 4)
    return [scalar(p) for _, p in steps]


def _items(*arrays: Any) -> Values:
    assert all(isinstance(each, Rational) for each in arrays)
    return [each.item() for each in arrays]


def _inside(enclosure: ExactArray, numbers: Values) -> Values:
    """The numbers, if the enclosure contains them and is narrow."""
    assert isinstance(enclosure, Ball)
    ends = zip(enclosure.lower(), enclosure.upper(), strict=True)
    narrow = all(bool(high - low < Fraction(1, 2**40)) for low, high in ends)
    if not narrow or not enclosure.contains(rational(numbers)):
        raise AssertionError(f"{', '.join(map(str, numbers))} are not what {enclosure} encloses")
    return numbers


def _law(laws: tuple[Law[Any], ...], name: str) -> Law[Any]:
    return next(law for law in laws if law.id == name)


_SIGN = "momentum with the sign in print"

SLIPS = (
    Slip(
        "3.4",
        "the reverse derivative of the quadratic loss",
        "R[e](bt, bp, a) = a (bp - bt, bt - bp)",
        "R[e](bt, bp, a) = a (bt - bp, bp - bt)",
        ((_law(loss_laws.LAWS, "quadratic-loss-adjointness"), "components in print"),),
        "label 3, prediction 7, a = 1: the cotangents of label and prediction",
        quadratic,
    ),
    Slip(
        "3.6",
        "the cross-entropy",
        "e = sum bt_i (bp_i - log softmax(bp)_i), which is (sum bt) LSE(bp)",
        "e = sum bt_i (LSE(bp) - bp_i)",
        ((_law(loss_laws.LAWS, "cross-entropy-sees-its-label"), "cross-entropy in print"),),
        "label (0, 1, 0), prediction (log 1, log 2, log 3): the gradient in the prediction",
        cross_entropy,
    ),
    Slip(
        "3.15",
        "momentum",
        "s' = -gamma s + p'",
        "s' = +gamma s + p'",
        (
            (_law(momentum_laws.LAWS, "heavy-ball-closed-form"), _SIGN),
            (_law(momentum_laws.LAWS, "momentum-buffer-closed-form"), _SIGN),
        ),
        "loss p^2, rate 1/10, gamma 9/10, p = 1: four steps",
        heavy_ball,
    ),
    Slip(
        "3.16, 4.3",
        "Nesterov momentum",
        "s' = -gamma s + p', beside the look-ahead p + gamma s",
        "s' = +gamma s + p'",
        ((_law(momentum_laws.LAWS, "nesterov-closed-form"), _SIGN),),
        "loss p^2, rate 1/10, gamma 9/10, p = 1: four steps",
        nesterov,
    ),
    Slip(
        "3.17",
        "Adagrad under a cap of -rate, which its other updates take",
        "g' = g + p' p', p + rate / (delta + sqrt g') p', with p' = -rate grad",
        "the same with p' = -grad: the cap is -1",
        ((_law(adagrad_laws.LAWS, "adagrad-accumulator-closed-form"), "rate in the cap too"),),
        "gradient 3, rate 1/2, delta 1, g = 0, p = 0: one step (the printed one is that of delta / rate)",
        adagrad,
    ),
    Slip(
        "3.18",
        "Adam",
        "the next state holds m' / (1 - b1^t), v' / (1 - b2^t), and no t",
        "the next state holds t + 1, m', v'",
        (
            (_law(adam_laws.LAWS, "adam-corrected-moments-are-means"), "Adam storing corrected moments"),
            (_law(momentum_laws.LAWS, "optimizer-append"), "steps counted outside the state"),
        ),
        "b1 = 1/2, cotangents 1, 2, -1: the corrected first moments",
        adam,
    ),
)
