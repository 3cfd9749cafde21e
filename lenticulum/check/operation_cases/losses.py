"""Inputs of the losses of a prediction against a label, entry by entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lenticulum import terms
from lenticulum.check.case import Case
from lenticulum.check.operation_cases.registry import cases_of
from lenticulum.check.rows import near_overflow_rows, reals, rows
from lenticulum.spec.draw import Draw

Array = np.ndarray

#: A batch, a batch of one, entries of size one.
SHAPES = ((6, 5), (1, 4), (4, 1))


def cases(kinds: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Case]:
    """Return the cases of each label."""
    return [Case(label, arrays, {}) for label, several in kinds.items() for arrays in several]


def separate(term: Any, arrays: Mapping[str, Array]) -> list[Mapping[str, Any]]:
    """Return each row as a case of its own where a reduction would hide all but the worst."""
    if term.reduction == "none":
        return [arrays]
    count = len(next(iter(arrays.values())))
    return [{role: array[row : row + 1] for role, array in arrays.items()} for row in range(count)]


def special_predictions(draw: Draw, prediction: Array) -> list[Array]:
    """Return copies with a NaN, and with an infinity of each sign, in one place."""
    place = tuple(draw.integer(0, size - 1) for size in prediction.shape)
    found = [prediction.copy() for _ in range(3)]
    for copy, special in zip(found, (np.nan, np.inf, -np.inf), strict=True):
        copy[place] = special
    return found


def _distances(draw: Draw, term: Any, width: float, largest: float) -> list[Case]:
    """Differences of every size around `width`, exact ties, the kink itself, zeros of both signs."""
    # The first case is differentiated too: no ties, in any format.
    regular = [{"prediction": reals(draw, (3, 4), 4 * width), "label": reals(draw, (3, 4), 4 * width)}]
    for shape in SHAPES:
        prediction = rows(draw, *shape)
        far = reals(draw, shape, 4 * width)
        regular.append({"prediction": prediction, "label": prediction + far})
    small = reals(draw, (3, 4), 2.0**-6)
    regular.append({"prediction": small, "label": np.zeros((3, 4))})
    corner = np.array([[0.0, -0.0, width, -width, width / 2, 2 * width]])
    prediction = rows(draw, 6, 6)
    edge = [{"prediction": corner, "label": np.zeros((1, 6))}, {"prediction": prediction, "label": prediction}]
    edge += [{"prediction": each, "label": np.zeros((6, 6))} for each in special_predictions(draw, prediction)]
    end = near_overflow_rows(draw, 4, largest)
    near = separate(term, {"prediction": end, "label": reals(draw, end.shape)})
    return cases({"regular": regular, "edge": edge, "near overflow": near})


@cases_of(terms.AbsoluteLoss)
def absolute_loss(draw: Draw, term: terms.AbsoluteLoss, largest: float) -> list[Case]:
    """Differences of every size."""
    return _distances(draw, term, 1.0, largest)


@cases_of(terms.HuberLoss)
def huber_loss(draw: Draw, term: terms.HuberLoss, largest: float) -> list[Case]:
    """Differences within delta, beyond, and delta itself."""
    return _distances(draw, term, float(term.delta), largest)


@cases_of(terms.SmoothL1Loss)
def smooth_l1_loss(draw: Draw, term: terms.SmoothL1Loss, largest: float) -> list[Case]:
    """Differences within beta, beyond, and beta itself."""
    return _distances(draw, term, float(term.beta), largest)


@cases_of(terms.LogCoshLoss)
def log_cosh_loss(draw: Draw, term: terms.LogCoshLoss, largest: float) -> list[Case]:
    """Differences where the function is a square, and where it is a line."""
    return _distances(draw, term, 1.0, largest)


@cases_of(terms.HingeLoss)
def hinge_loss(draw: Draw, term: terms.HingeLoss, largest: float) -> list[Case]:
    """Margins on both sides of 1, and 1 itself; labels -1 and 1."""

    def signs(shape: tuple[int, ...]) -> Array:
        return np.array([draw.choice((1.0, -1.0)) for _ in range(int(np.prod(shape)))]).reshape(shape)

    regular = [{"prediction": reals(draw, shape, 3.0), "label": signs(shape)} for shape in SHAPES]
    regular.append({"prediction": rows(draw, 6, 5), "label": signs((6, 5))})
    edge = [{"prediction": np.array([[1.0, -1.0, 0.0, -0.0]]), "label": np.array([[1.0, -1.0, 1.0, -1.0]])}]
    edge += [{"prediction": each, "label": signs((2, 3))} for each in special_predictions(draw, reals(draw, (2, 3)))]
    end = near_overflow_rows(draw, 4, largest)
    return cases(
        {
            "regular": regular,
            "edge": edge,
            "near overflow": separate(term, {"prediction": end, "label": signs(end.shape)}),
        }
    )


@cases_of(terms.PoissonNll)
def poisson_nll(draw: Draw, term: terms.PoissonNll, largest: float) -> list[Case]:
    """Counts, zero among them, at logarithms of rates of both signs, or at positive rates of every size."""

    def counts(shape: tuple[int, ...]) -> Array:
        return np.array([float(draw.integer(0, 9)) for _ in range(int(np.prod(shape)))]).reshape(shape)

    def predictions(shape: tuple[int, ...]) -> Array:
        drawn = reals(draw, shape, 8.0)
        return drawn if term.log_input else np.exp2(drawn)

    regular = [{"prediction": predictions(shape), "label": counts(shape)} for shape in SHAPES]
    edge = [{"prediction": np.zeros((1, 3)), "label": counts((1, 3))}]
    wrong = predictions((2, 3))
    wrong[1, 2] = np.nan
    edge += [{"prediction": wrong, "label": counts((2, 3))}] if term.log_input else []
    end = np.abs(near_overflow_rows(draw, 4, largest))
    near = separate(term, {"prediction": end, "label": counts(end.shape)})
    return cases({"regular": regular, "edge": edge, "near overflow": near})


@cases_of(terms.GaussianNll)
def gaussian_nll(draw: Draw, term: terms.GaussianNll, largest: float) -> list[Case]:
    """Variances from far below epsilon to far above, epsilon itself, and differences of every size."""

    def variances(shape: tuple[int, ...]) -> Array:
        return np.exp2(reals(draw, shape, 6.0))

    regular = []
    for shape in SHAPES:
        prediction = rows(draw, *shape)
        regular.append(
            {"prediction": prediction, "label": prediction + reals(draw, shape, 2.0), "variance": variances(shape)}
        )
    prediction, epsilon = reals(draw, (2, 3)), float(term.epsilon)
    low = np.array([[0.0, epsilon, 2 * epsilon], [epsilon / 2, 1.0, epsilon]])
    edge = [{"prediction": prediction, "label": prediction, "variance": low}]
    edge += [
        {"prediction": each, "label": np.zeros((2, 3)), "variance": variances((2, 3))}
        for each in special_predictions(draw, prediction)
    ]
    end = near_overflow_rows(draw, 4, largest)
    near = separate(term, {"prediction": end, "label": reals(draw, end.shape), "variance": variances(end.shape)})
    return cases({"regular": regular, "edge": edge, "near overflow": near})


@cases_of(terms.CosineSimilarity)
def cosine_similarity(draw: Draw, term: terms.CosineSimilarity, largest: float) -> list[Case]:
    """Vectors at every angle, near parallel ones, lengths near epsilon, and zero where epsilon allows it."""

    def along(x: Array) -> Array:
        return np.moveaxis(x, -1, term.axis)

    x = rows(draw, 6, 5)
    pairs = [(x, rows(draw, 6, 5)), (x, x * 2), (x, -x), (x, x + reals(draw, x.shape, 2.0**-6))]
    pairs += [(rows(draw, 4, 1), reals(draw, (4, 1))), (reals(draw, (1, 4)), reals(draw, (1, 4)))]
    scale = max(float(term.epsilon), 2.0**-20)
    short = [(reals(draw, (3, 4), 2 * scale), reals(draw, (3, 4), 2.0))]
    if term.epsilon:
        short += [(np.zeros((2, 3)), reals(draw, (2, 3))), (np.zeros((2, 3)), np.zeros((2, 3)))]
    wrong = reals(draw, (3, 4))
    wrong[1, 2] = np.nan
    short.append((wrong, reals(draw, (3, 4))))
    end = near_overflow_rows(draw, 4, largest)
    kinds = {"regular": pairs, "edge": short, "near overflow": [(end, reals(draw, end.shape))]}
    return cases(
        {label: [{"x": along(a), "y": along(b)} for a, b in several] for label, several in kinds.items()},
    )
