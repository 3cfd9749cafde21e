"""Laws of the cross-entropies and their relatives, at logits that are logarithms of rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import DomainError, concatenate
from lenticulum.spec.draw import Draw, positive_fraction
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.operations import planted_cross_entropy as planted
from lenticulum.spec.operations.enclosed import Fractions, exact, logarithms, positives, same, shares, signed
from lenticulum.spec.operations.subject import Evaluate, Reverse, evaluate, reverse
from lenticulum.terms import (
    FocalLoss,
    KlDivergence,
    SigmoidCrossEntropy,
    SoftmaxCrossEntropy,
    SoftmaxCrossEntropyInteger,
)
from lenticulum.terms.operations.losses import ENTRY_REDUCTIONS, REDUCTIONS

#: Rows and classes, never as many of one as of the other.
SHAPES = ((2, 3), (1, 2), (3, 1), (2, 2, 3))


def _reduced(loss: Any, reduction: str) -> Any:
    """The entries, their sum or mean, those of rows, or the sum divided by the number of rows."""
    if reduction == "none":
        return loss
    if reduction.startswith("row"):
        return loss.sum(axis=-1) / (loss.shape[-1] if reduction == "row_mean" else 1)
    divisor = {"sum": 1, "mean": loss.size, "batch_mean": loss.shape[0] if loss.ndim else 1}[reduction]
    return loss.sum() / divisor


def _smoothing(draw: Draw) -> Fraction:
    smoothing = draw.choice((Fraction(0), Fraction(1, 4), Fraction(2, 7)))
    draw.observe("no smoothing", smoothing == 0)
    return smoothing


def _weight(draw: Draw, classes: int) -> Fractions | None:
    weight = draw.choice((None, positives(draw, (classes,))))
    draw.observe("no weights", weight is None)
    return weight


def _one_hot(numbers: Any, classes: int) -> Fractions:
    return np.array([[Fraction(int(n) == c) for c in range(classes)] for n in numbers.ravel()], dtype=object).reshape(
        (*numbers.shape, classes)
    )


def _expected(q: Fractions, label: Fractions, weight: Fractions | None, smoothing: Fraction) -> Any:
    """sum_c weight_c label'_c log(sum q / q_c), row by row: an enclosure."""
    classes = q.shape[-1]
    smoothed = (1 - smoothing) * label + smoothing * Fraction(1, classes)
    factors = smoothed if weight is None else smoothed * weight
    return (exact(factors) * logarithms(np.sum(q, axis=-1, keepdims=True) / q)).sum(axis=-1)


def dense_values(of: Evaluate, draw: Draw) -> None:
    """At logits log q it is sum_c weight_c label'_c log(sum q / q_c), and the mean is over rows."""
    shape, reduction, smoothing = draw.choice(SHAPES), draw.choice(REDUCTIONS), _smoothing(draw)
    axis = draw.integer(-len(shape), len(shape) - 1)
    q, label, weight = positives(draw, shape), abs(signed(draw, shape)), _weight(draw, shape[-1])
    same(
        lambda: of(
            SoftmaxCrossEntropy(axis, smoothing, reduction),
            logarithms(np.moveaxis(q, -1, axis)),
            exact(np.moveaxis(label, -1, axis)),
            None if weight is None else exact(weight),
        ),
        lambda: _reduced(_expected(q, label, weight, smoothing), reduction),
        "the cross-entropy differs",
        q=q,
        label=label,
        weight=weight,
        axis=axis,
        smoothing=smoothing,
        reduction=reduction,
    )


def dense_shift(of: Evaluate, draw: Draw) -> None:
    """prediction -> prediction + c changes nothing, and a loss is linear in the label."""
    shape = draw.choice(SHAPES)
    x, c = signed(draw, shape), 100 * positive_fraction(draw)
    one, other, a = abs(signed(draw, shape)), abs(signed(draw, shape)), positive_fraction(draw)
    term = SoftmaxCrossEntropy()
    same(lambda: of(term, exact(x + c), exact(one)), lambda: of(term, exact(x), exact(one)), "a shift changes it", x=x)
    same(
        lambda: of(term, exact(x), exact(a * one + other)),
        lambda: exact(a) * of(term, exact(x), exact(one)) + of(term, exact(x), exact(other)),
        "it is not linear in the label",
        x=x,
        a=a,
    )


def integer_values(of: Evaluate, draw: Draw) -> None:
    """A number of a class means its one-hot label; a mean is over the rows that are not ignored, or their weights."""
    shape, smoothing = draw.choice(SHAPES), _smoothing(draw)
    reduction = draw.choice((*REDUCTIONS, "weighted_mean"))
    *batch, classes = shape
    axis, ignored = draw.integer(-len(shape), len(shape) - 1), draw.choice((None, -100, 1))
    label = np.array([draw.integer(0, classes - 1) for _ in range(int(np.prod(batch)))]).reshape(batch)
    if ignored is not None and label.size > 1:
        label.ravel()[0] = ignored
    # One row is kept: the mean of none does not exist.
    label.ravel()[-1] = 0
    kept = np.ones(label.shape, bool) if ignored is None else label != ignored
    draw.observe("no row is ignored", bool(kept.all()))
    q, weight = positives(draw, shape), _weight(draw, classes)
    chosen = np.where(kept, label, 0)

    def expected() -> Any:
        loss = _expected(q, _one_hot(chosen, classes), weight, smoothing) * exact(kept.astype(int) + Fraction(0))
        if reduction == "none":
            return loss
        own = np.ones(int(kept.sum())) if weight is None else weight[chosen[kept]]
        divisors = {"sum": Fraction(1), "mean": Fraction(int(kept.sum())), "weighted_mean": sum(map(Fraction, own))}
        return loss.sum() / divisors[reduction]

    same(
        lambda: of(
            SoftmaxCrossEntropyInteger(axis, smoothing, ignored, reduction),
            logarithms(np.moveaxis(q, -1, axis)),
            label,
            None if weight is None else exact(weight),
        ),
        expected,
        "the loss differs",
        q=q,
        label=label,
        weight=weight,
        ignored=ignored,
        axis=axis,
        smoothing=smoothing,
        reduction=reduction,
    )


def no_class(of: Evaluate, draw: Draw) -> None:
    """A label outside 0 <= label < classes is refused, whatever else is ignored."""
    classes = draw.integer(1, 4)
    wrong = draw.choice((-1, classes, classes + 3, -100))
    ignored = draw.choice((None, -7))
    label = np.array([0, wrong])
    try:
        got = of(SoftmaxCrossEntropyInteger(-1, 0, ignored), logarithms(positives(draw, (2, classes))), label)
    except DomainError:
        return
    require(False, "a label that is no class is accepted", label=label, classes=classes, got=got)


def binary_values(of: Evaluate, draw: Draw) -> None:
    """The sigmoid cross-entropy is the softmax cross-entropy of the logits x and 0 with the labels y and 1 - y."""
    shape, reduction = draw.choice(SHAPES), draw.choice(ENTRY_REDUCTIONS)
    x, y = signed(draw, shape), shares(draw, shape)
    draw.observe("every label is 0 or 1", all(each in (0, 1) for each in y.ravel()))
    pair = np.stack([y, 1 - y], axis=-1)

    def logits() -> Any:
        first = exact(x)[..., None]
        return concatenate([first, 0 * first], axis=first.ndim - 1)

    same(
        lambda: of(SigmoidCrossEntropy(reduction), exact(x), exact(y)),
        lambda: _reduced(evaluate(SoftmaxCrossEntropy(), logits(), exact(pair)), reduction),
        "it is not that of two classes",
        x=x,
        label=y,
        reduction=reduction,
    )


def focal_values(of: Evaluate, draw: Draw) -> None:
    """At x = log r: q^gamma times -y log p - (1 - y) log(1 - p), p = r/(1 + r), q = y (1 - p) + (1 - y) p."""
    shape, reduction = draw.choice(SHAPES), draw.choice(ENTRY_REDUCTIONS)
    r, y = positives(draw, shape), shares(draw, shape)
    gamma, alpha = draw.integer(0, 3), draw.choice((None, Fraction(1, 4), Fraction(1)))
    draw.observe("no balance", alpha is None)
    p = r / (1 + r)
    factor = (y * (1 - p) + (1 - y) * p) ** gamma
    balanced = factor if alpha is None else factor * (alpha * y + (1 - alpha) * (1 - y))
    same(
        lambda: of(FocalLoss(gamma, alpha, reduction), logarithms(r), exact(y)),
        lambda: _reduced(-exact(balanced) * (exact(y) * logarithms(p) + exact(1 - y) * logarithms(1 - p)), reduction),
        "the focal loss differs",
        r=r,
        label=y,
        gamma=gamma,
        alpha=alpha,
    )


def focal_powers(of: Evaluate, draw: Draw) -> None:
    """The losses of gamma and of 2 gamma have the ratio q^gamma, so loss(2 gamma) loss(0) = loss(gamma)²."""
    shape, gamma = draw.choice(SHAPES), positive_fraction(draw)
    x, y = signed(draw, shape), shares(draw, shape)

    def loss(exponent: Fraction) -> Any:
        return of(FocalLoss(exponent), exact(x), exact(y))

    same(
        lambda: loss(2 * gamma) * loss(Fraction(0)),
        lambda: loss(gamma) ** 2,
        "the powers do not multiply",
        x=x,
        label=y,
        gamma=gamma,
    )


def divergence_values(of: Evaluate, draw: Draw) -> None:
    """At log q and a label p it is p log(p/q), and 0 where p = 0; of the label log p it is the same."""
    shape = draw.choice(SHAPES)
    reduction = draw.choice((*REDUCTIONS, "row", "batch_mean"))
    q, p = positives(draw, shape), positives(draw, shape)
    zero = np.array([draw.integer(0, 2) == 0 for _ in range(p.size)]).reshape(shape)
    some = p * (1 - zero.astype(int))
    draw.observe("no label is 0", not zero.any())
    same(
        lambda: of(KlDivergence(False, reduction), logarithms(q), exact(some)),
        lambda: _reduced(exact(some) * logarithms(p / q), reduction),
        "the divergence differs",
        q=q,
        label=some,
        reduction=reduction,
    )
    same(
        lambda: of(KlDivergence(True, reduction), logarithms(q), logarithms(p)),
        lambda: _reduced(exact(p) * logarithms(p / q), reduction),
        "the divergence of a logarithm differs",
        q=q,
        label=p,
        reduction=reduction,
    )


def divergence_sign(of: Evaluate, draw: Draw) -> None:
    """Of normalised rows the sum is positive, and 0 exactly where the rows are equal."""
    rows, classes = draw.integer(1, 3), draw.integer(2, 4)
    q, p = (_normalised(positives(draw, (rows, classes))) for _ in range(2))
    same(
        lambda: of(KlDivergence(False, "row"), logarithms(q), exact(q)),
        lambda: 0 * exact(q[:, 0]),
        "the divergence of equal rows is not 0",
        q=q,
    )
    different = (p != q).any(axis=1)
    draw.observe("all rows equal", not different.any())
    if different.any():
        divergence = of(KlDivergence(False, "row"), logarithms(q[different]), exact(p[different]))
        require(bool((divergence > 0).all()), "a divergence is not positive", q=q, p=p, got=divergence)


def _normalised(p: Fractions) -> Fractions:
    return p / np.sum(p, axis=-1, keepdims=True)


def cross_entropy_reverse(of: Reverse, draw: Draw) -> None:
    """Cotangents at log q, with s = q / sum q: c (s sum(y) - y) of the prediction, -c log s of the label."""
    rows, classes = draw.choice(((2, 3), (3, 2), (1, 4)))
    q, y, c = positives(draw, (rows, classes)), abs(signed(draw, (rows, classes))), signed(draw, (rows,))
    s = _normalised(q)
    draw.observe("every label is normalised", bool((np.sum(y, axis=-1) == 1).all()))
    same(
        lambda: of(SoftmaxCrossEntropy(), (logarithms(q), exact(y)), exact(c))[0],
        lambda: exact(c[:, None] * (s * np.sum(y, axis=-1, keepdims=True) - y)),
        "the cotangent of the prediction differs",
        q=q,
        label=y,
        c=c,
    )
    same(
        lambda: of(SoftmaxCrossEntropy(), (logarithms(q), exact(y)), exact(c))[1],
        lambda: -exact(c)[:, None] * logarithms(s),
        "the cotangent of the label differs",
        q=q,
        label=y,
        c=c,
    )


def binary_reverse(of: Reverse, draw: Draw) -> None:
    """The cotangent of a logit log r is c (r/(1 + r) - y)."""
    shape = draw.choice(SHAPES)
    r, y, c = positives(draw, shape), shares(draw, shape), signed(draw, shape)
    same(
        lambda: of(SigmoidCrossEntropy(), (logarithms(r), exact(y)), exact(c))[0],
        lambda: exact(c * (r / (1 + r) - y)),
        "the cotangent of the logit differs",
        r=r,
        label=y,
        c=c,
    )


def _all(*names: str) -> dict[str, Any]:
    return {name.replace("_", " "): getattr(planted, name) for name in names}


SZEGEDY = "Szegedy et al. 2016, arXiv:1512.00567, section 7"
PYTORCH = "PyTorch, https://docs.pytorch.org/docs/stable/generated/torch.nn.CrossEntropyLoss.html"
LIN = "Lin et al. 2017, arXiv:1708.02002, equations 4 and 5"
KULLBACK = "Kullback and Leibler 1951, On information and sufficiency"

LAWS: tuple[Law[Any], ...] = (
    Law(
        "softmax-cross-entropy-values",
        "at logits log q: sum_c weight_c label'_c log(sum q / q_c), label' = (1 - s) label + s/classes",
        SZEGEDY,
        Grade.ENCLOSED,
        evaluate,
        dense_values,
        _all(
            "smoothing_over_the_other_classes",
            "smoothing_without_shrinking",
            "mean_over_entries",
            "weights_left_out",
            "last_axis_always",
            "prediction_as_probability",
        ),
    ),
    Law(
        "softmax-cross-entropy-invariance",
        "prediction -> prediction + c changes nothing; linear in the label",
        SZEGEDY,
        Grade.ENCLOSED,
        evaluate,
        dense_shift,
        _all("prediction_as_probability", "label_normalised"),
    ),
    Law(
        "softmax-cross-entropy-integer-values",
        "that of the one-hot label; 0 in ignored rows; the mean is over the other rows, or over their weights",
        PYTORCH,
        Grade.ENCLOSED,
        evaluate,
        integer_values,
        _all(
            "ignored_rows_counted",
            "ignored_rows_as_class_zero",
            "weighted_mean_by_count",
            "mean_by_weights",
            "labels_from_one",
            "weight_of_every_class",
            "integer_smoothing_over_the_others",
        ),
    ),
    Law(
        "labels-are-classes",
        "a label outside 0 <= label < classes is an error",
        PYTORCH,
        Grade.EXACT,
        evaluate,
        no_class,
        _all("labels_clamped", "labels_wrapped", "loss_zero_for_no_class"),
    ),
    Law(
        "sigmoid-cross-entropy-values",
        "the softmax cross-entropy of logits x, 0 and labels y, 1 - y",
        "derived by hand",
        Grade.ENCLOSED,
        evaluate,
        binary_values,
        _all("labels_exchanged", "softplus_of_a_softplus", "positive_part_only"),
    ),
    Law(
        "focal-values",
        "q^gamma times the cross-entropy, q the probability of the wrong class; alpha y + (1 - alpha)(1 - y)",
        LIN,
        Grade.ENCLOSED,
        evaluate,
        focal_values,
        _all("right_class_damped", "alpha_exchanged", "alpha_of_both_classes", "gamma_as_factor"),
    ),
    Law(
        "focal-powers",
        "loss(2 gamma) loss(0) = loss(gamma)²",
        LIN,
        Grade.ENCLOSED,
        evaluate,
        focal_powers,
        _all("gamma_as_factor", "gamma_squared"),
    ),
    Law(
        "kl-divergence-values",
        "p log(p/q), 0 where p = 0; the label may be given as log p",
        KULLBACK,
        Grade.ENCLOSED,
        evaluate,
        divergence_values,
        _all("directions_exchanged", "batch_mean_over_entries", "log_target_not_exponentiated", "entropy_left_out"),
    ),
    Law(
        "kl-divergence-sign",
        "of normalised rows the sum is positive, and 0 where they are equal",
        KULLBACK,
        Grade.ENCLOSED,
        evaluate,
        divergence_sign,
        _all("entropy_left_out", "negated_divergence"),
    ),
    Law(
        "softmax-cross-entropy-reverse",
        "cotangents c (s sum(y) - y) and -c log s, s = softmax(prediction)",
        "derived by hand",
        Grade.ENCLOSED,
        reverse,
        cross_entropy_reverse,
        _all("labels_taken_as_normalised", "no_cotangent_for_labels"),
    ),
    Law(
        "sigmoid-cross-entropy-reverse",
        "the cotangent of the logit is c (sigmoid(x) - y)",
        "derived by hand",
        Grade.ENCLOSED,
        reverse,
        binary_reverse,
        _all("slope_of_the_sigmoid", "label_left_out_of_the_slope"),
    ),
)
