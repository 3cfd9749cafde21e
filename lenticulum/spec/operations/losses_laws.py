"""Laws of the losses entry by entry: exactly over the rationals, or at logarithms of rationals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import log, pi, rational
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.operations import planted_losses as planted
from lenticulum.spec.operations.enclosed import Fractions, exact, logarithms, positives, same, signed
from lenticulum.spec.operations.subject import Evaluate, Reverse, equal, evaluate, reverse
from lenticulum.terms import (
    AbsoluteLoss,
    CosineSimilarity,
    GaussianNll,
    HingeLoss,
    HuberLoss,
    LogCoshLoss,
    PoissonNll,
    SmoothL1Loss,
)
from lenticulum.terms.operations.losses import ENTRY_REDUCTIONS

#: Not square, with axes of size one.
SHAPES = ((3,), (2, 3), (3, 1), (2, 3, 2))


def reduced(loss: Fractions, reduction: str) -> Fractions:
    """Return the entries, their sum, their mean, or the mean of each row."""
    total: Any = np.sum(loss)
    rows: Any = np.sum(loss, axis=-1)
    means = {"mean": total / Fraction(loss.size), "row_mean": rows / Fraction(loss.shape[-1])}
    return {"none": loss, "sum": total, **means}[reduction]


def _reduction(draw: Draw) -> str:
    reduction = draw.choice(ENTRY_REDUCTIONS)
    draw.observe("every entry is kept", reduction == "none")
    return reduction


def _each(formula: Callable[[Fraction], Fraction], entries: Fractions) -> Fractions:
    return np.array([formula(each) for each in entries.ravel()], dtype=object).reshape(entries.shape)


def _pair(draw: Draw) -> tuple[Fractions, Fractions]:
    """A prediction and a label of one shape, or one label for each of the last axis."""
    shape = draw.choice(SHAPES)
    return signed(draw, shape), signed(draw, shape[-1:] if draw.integer(0, 3) == 0 else shape)


def distances(of: Evaluate, draw: Draw) -> None:
    """The absolute, Huber and smooth L1 losses by cases, on both sides of the width and at it."""
    prediction, label = _pair(draw)
    width, reduction = draw.choice((positive_fraction(draw), Fraction(2))), _reduction(draw)
    difference = prediction - label
    draw.observe("all within the width", all(abs(each) <= width for each in difference.ravel()))
    draw.observe("all beyond the width", all(abs(each) > width for each in difference.ravel()))

    def huber(r: Fraction) -> Fraction:
        return r * r / 2 if abs(r) <= width else width * abs(r) - width * width / 2

    quadratic = _each(huber, difference)
    for term, loss in (
        (AbsoluteLoss(reduction), abs(difference)),
        (HuberLoss(width, reduction), quadratic),
        (SmoothL1Loss(width, reduction), quadratic / width),
    ):
        got, expected = of(term, rational(prediction.tolist()), rational(label.tolist())), reduced(loss, reduction)
        require(equal(got, expected), f"{term} differs", prediction=prediction, label=label, got=got, expected=expected)


def hinges(of: Evaluate, draw: Draw) -> None:
    """max(0, 1 - label prediction) by cases, at labels -1 and 1."""
    shape, reduction = draw.choice(SHAPES), _reduction(draw)
    prediction = signed(draw, shape)
    label = np.array([draw.choice((Fraction(1), Fraction(-1))) for _ in range(prediction.size)]).reshape(shape)
    margin = prediction * label
    expected = reduced(_each(lambda m: Fraction(0) if m >= 1 else 1 - m, margin), reduction)
    got = of(HingeLoss(reduction), rational(prediction.tolist()), rational(label.tolist()))
    require(equal(got, expected), "the hinge differs", prediction=prediction, label=label, got=got, expected=expected)


def log_cosh_values(of: Evaluate, draw: Draw) -> None:
    """At a difference log r it is log((r + 1/r)/2)."""
    shape, reduction = draw.choice(SHAPES), _reduction(draw)
    r, shift = positives(draw, shape), signed(draw, shape)
    same(
        lambda: of(LogCoshLoss(reduction), logarithms(r) + exact(shift), exact(shift)),
        lambda: _of_logarithms(logarithms((r + 1 / r) / 2), reduction),
        "log cosh differs",
        r=r,
        reduction=reduction,
    )


def _of_logarithms(loss: Any, reduction: str) -> Any:
    if reduction == "row_mean":
        return loss.sum(axis=-1) / loss.shape[-1]
    return {"none": lambda: loss, "sum": loss.sum, "mean": lambda: loss.sum() / loss.size}[reduction]()


def poisson_values(of: Evaluate, draw: Draw) -> None:
    """q - y log q of the logarithm of a rate q, and q - y log(q + epsilon) of the rate itself."""
    shape, reduction = draw.choice(SHAPES), _reduction(draw)
    q, y, epsilon = positives(draw, shape), signed(draw, shape), positive_fraction(draw)
    same(
        lambda: of(PoissonNll(True, epsilon, reduction), logarithms(q), exact(y)),
        lambda: _of_logarithms(exact(q) - exact(y) * logarithms(q), reduction),
        "the loss of a logarithm differs",
        q=q,
        label=y,
        reduction=reduction,
    )
    same(
        lambda: of(PoissonNll(False, epsilon, reduction), exact(q), exact(y)),
        lambda: _of_logarithms(exact(q) - exact(y) * logarithms(q + epsilon), reduction),
        "the loss of a rate differs",
        q=q,
        label=y,
        epsilon=epsilon,
        reduction=reduction,
    )


def gaussian_values(of: Evaluate, draw: Draw) -> None:
    """(log s + d²/s)/2 with s = max(variance, epsilon), and log(2 pi)/2 more with `full`."""
    shape, reduction, full = draw.choice(SHAPES), _reduction(draw), draw.choice((False, True))
    # No variance has the denominator 7, so that enclosures decide which is larger.
    prediction, label, epsilon = signed(draw, shape), signed(draw, shape), Fraction(draw.integer(1, 30), 7)
    variance = abs(signed(draw, shape))
    scale = _each(lambda v: max(v, epsilon), variance)
    draw.observe("every variance below epsilon", all(scale.ravel() == epsilon))
    draw.observe("every variance above epsilon", not any(scale.ravel() == epsilon))

    def expected() -> Any:
        loss = (logarithms(scale) + exact((prediction - label) ** 2 / scale)) / 2
        return _of_logarithms(loss + log(2 * pi(loss)) / 2 if full else loss, reduction)

    same(
        lambda: of(GaussianNll(epsilon, full, reduction), exact(prediction), exact(label), exact(variance)),
        expected,
        "the loss differs",
        prediction=prediction,
        label=label,
        variance=variance,
        epsilon=epsilon,
        full=full,
    )


def _vectors(draw: Draw, count: int) -> tuple[Fractions, Fractions]:
    """Vectors of three entries with rational lengths, zero among them, and the lengths."""
    u = [Fraction(draw.integer(-3, 3), draw.integer(1, 2)) for _ in range(2 * count)]
    length = [draw.choice((Fraction(0), positive_fraction(draw), Fraction(1))) for _ in range(count)]
    rows: list[list[Fraction]] = []
    for a, b, r in zip(u[::2], u[1::2], length, strict=True):
        square = a * a + b * b
        rows.append([2 * a * r / (square + 1), 2 * b * r / (square + 1), r * (square - 1) / (square + 1)])
    return np.array(rows, dtype=object), np.array(length, dtype=object)


def cosines(of: Evaluate, draw: Draw) -> None:
    """At vectors of rational lengths, each convention of epsilon, along either axis."""
    count, axis = draw.choice((1, 2, 4)), draw.choice((0, -1))
    (x, first), (y, second) = _vectors(draw, count), _vectors(draw, count)
    epsilon = draw.choice((Fraction(1, 4), Fraction(4), Fraction(1, 100)))
    inner: Any = np.sum(x * y, axis=1)
    at = draw.choice(("each", "product", "square"))
    root = {Fraction(1, 4): Fraction(1, 2), Fraction(4): Fraction(2), Fraction(1, 100): Fraction(1, 10)}[epsilon]
    pairs = list(zip(first, second, strict=True))
    divisors = {
        "each": [max(a, epsilon) * max(b, epsilon) for a, b in pairs],
        "product": [max(a * b, epsilon) for a, b in pairs],
        "square": [max(a, root) * max(b, root) for a, b in pairs],
    }
    expected = inner / np.array(divisors[at], dtype=object)
    x, y = (x.T, y.T) if axis == 0 else (x, y)
    same(
        lambda: of(CosineSimilarity(axis, epsilon, at), exact(x), exact(y)),
        lambda: exact(expected),
        f"the cosine differs (epsilon_at = {at})",
        x=x,
        y=y,
        axis=axis,
        epsilon=epsilon,
    )


def slopes(of: Reverse, draw: Draw) -> None:
    """Cotangents of Huber and smooth L1 losses: the difference clipped to the width, and its negative for the label."""
    shape = draw.choice(SHAPES)
    prediction, label, c = signed(draw, shape), signed(draw, shape), signed(draw, shape)
    width = draw.choice((positive_fraction(draw), Fraction(2)))
    clipped = _each(lambda r: min(max(r, -width), width), prediction - label)
    for term, slope in ((HuberLoss(width), clipped), (SmoothL1Loss(width), clipped / width)):
        to_prediction, to_label = of(
            term, (rational(prediction.tolist()), rational(label.tolist())), rational(c.tolist())
        )
        require(equal(to_prediction, c * slope), f"the slope of {term} differs", prediction=prediction, label=label)
        require(equal(to_label, -c * slope), "the cotangents do not cancel", prediction=prediction, label=label)


def means_share(of: Reverse, draw: Draw) -> None:
    """The cotangent of a mean is that of the sum divided by the number of entries."""
    shape, c = draw.choice(SHAPES), fraction(draw)
    arrays = rational(signed(draw, shape).tolist()), rational(signed(draw, shape).tolist())
    for kind in (AbsoluteLoss, HingeLoss):
        (of_sum, _), (of_mean, _) = (of(kind(how), arrays, rational(c)) for how in ("sum", "mean"))
        require(of_mean * arrays[0].size == of_sum, f"the mean of {kind.__name__} does not share", arrays=arrays, c=c)


def _all(*names: str) -> dict[str, Any]:
    return {name.replace("_", " "): getattr(planted, name) for name in names}


HUBER = "Huber 1964, Robust estimation of a location parameter"

LAWS: tuple[Law[Any], ...] = (
    Law(
        "losses-of-distances",
        "|r|; r²/2 within delta, delta |r| - delta²/2 beyond; the same divided by beta",
        f"{HUBER}; Girshick 2015, arXiv:1504.08083, equation 3",
        Grade.EXACT,
        evaluate,
        distances,
        _all(
            "mean_of_the_last_axis",
            "sum_for_mean",
            "huber_not_halved",
            "huber_with_a_jump",
            "huber_of_width_one",
            "smooth_l1_not_divided",
            "signed_difference",
        ),
    ),
    Law(
        "hinge-values",
        "1 - m where the margin m = label prediction < 1, else 0",
        "Cortes and Vapnik 1995, Support-vector networks",
        Grade.EXACT,
        evaluate,
        hinges,
        _all("hinge_not_cut", "squared_hinge", "perceptron", "label_left_out"),
    ),
    Law(
        "log-cosh-values",
        "log cosh(log r) = log((r + 1/r)/2)",
        "NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov/4.28",
        Grade.ENCLOSED,
        evaluate,
        log_cosh_values,
        _all("log_two_missing", "log_sinh", "log_cosh_of_the_label"),
    ),
    Law(
        "poisson-values",
        "q - y log q of a logarithm, q - y log(q + epsilon) of a rate",
        "PyTorch, https://docs.pytorch.org/docs/stable/generated/torch.nn.PoissonNLLLoss.html",
        Grade.ENCLOSED,
        evaluate,
        poisson_values,
        _all("input_conventions_exchanged", "epsilon_left_out", "poisson_roles_exchanged"),
    ),
    Law(
        "gaussian-values",
        "(log s + d²/s)/2 with s = max(variance, epsilon); full adds log(2 pi)/2",
        "Nix and Weigend 1994, Estimating the mean and variance of the target probability distribution",
        Grade.ENCLOSED,
        evaluate,
        gaussian_values,
        _all("variance_as_deviation", "epsilon_added", "gaussian_not_halved", "constant_always", "constant_never"),
    ),
    Law(
        "cosine-values",
        "<x, y> / (|x| |y|) with epsilon in each length, in their product, or in each square",
        "PyTorch, https://docs.pytorch.org/docs/stable/generated/torch.nn.CosineSimilarity.html",
        Grade.ENCLOSED,
        evaluate,
        cosines,
        _all("epsilon_in_the_product", "epsilon_in_each", "cosine_of_another_axis", "cosine_epsilon_added", "distance"),
    ),
    Law(
        "slopes-of-distances",
        "cotangents c clip(r, -delta, delta) and its negative; divided by beta",
        HUBER,
        Grade.EXACT,
        reverse,
        slopes,
        _all("slope_not_clipped", "slope_doubled", "label_held_constant"),
    ),
    Law(
        "mean-shares-the-cotangent",
        "the cotangent of a mean of n entries is that of the sum divided by n",
        "derived by hand",
        Grade.EXACT,
        reverse,
        means_share,
        _all("cotangent_not_shared"),
    ),
)
