"""Inputs of the cross-entropies on logits and their relatives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lenticulum import terms
from lenticulum.check.case import Case
from lenticulum.check.operation_cases.losses import SHAPES, Array, cases, separate, special_predictions
from lenticulum.check.operation_cases.registry import cases_of
from lenticulum.check.rows import near_overflow_rows, reals, rows
from lenticulum.spec.draw import Draw

#: A batch, a wider one with a further axis, a batch of one, one class.
LOGITS = ((6, 5), (2, 3, 4), (1, 4), (4, 1))


def _logits(draw: Draw, shape: tuple[int, ...]) -> Array:
    return rows(draw, int(np.prod(shape[:-1])), shape[-1]).reshape(shape)


def _weights(draw: Draw, classes: int) -> Array:
    """Weights of classes: positive, the last of several zero."""
    weight = 0.25 + np.abs(reals(draw, (classes,), 2.0))
    return np.where(np.arange(classes) == classes - 1, 0.0, weight) if classes > 1 else weight


@cases_of(terms.SoftmaxCrossEntropy)
def softmax_cross_entropy(draw: Draw, term: terms.SoftmaxCrossEntropy, largest: float) -> list[Case]:
    """Logits of every family; labels that are weights with zeros, normalised, or one class; weights of classes."""

    def moved(prediction: Array, label: Array) -> dict[str, Array]:
        return {"prediction": np.moveaxis(prediction, -1, term.axis), "label": np.moveaxis(label, -1, term.axis)}

    def labels(shape: tuple[int, ...]) -> Array:
        return np.maximum(reals(draw, shape, 2.0), 0)

    regular: list[Mapping[str, Any]] = [moved(_logits(draw, shape), labels(shape)) for shape in LOGITS]
    regular += [{**each, "weight": _weights(draw, each["prediction"].shape[term.axis])} for each in regular[:2]]
    one = np.eye(5)[[draw.integer(0, 4) for _ in range(6)]]
    edge = [moved(_logits(draw, (6, 5)), one), moved(np.zeros((2, 3)), labels((2, 3)))]
    edge += [moved(each, labels((2, 3))) for each in special_predictions(draw, reals(draw, (2, 3)))]
    end = near_overflow_rows(draw, 4, largest)
    near = [moved(each["prediction"], each["label"]) for each in _rows(term, end, labels(end.shape))]
    return cases({"regular": regular, "edge": edge, "near overflow": near})


@cases_of(terms.SoftmaxCrossEntropyInteger)
def softmax_cross_entropy_integer(draw: Draw, term: terms.SoftmaxCrossEntropyInteger, largest: float) -> list[Case]:
    """Logits of every family, labels of every class, and, where a number is ignored, ignored rows."""

    def labels(shape: tuple[int, ...]) -> Array:
        *batch, classes = shape
        # Rows that are all ignored, or of the class of weight 0 alone, would leave nothing to divide by.
        counted = [each for each in range(max(classes - 1, 1)) if each != term.ignore_index]
        drawn = [draw.choice(counted or [0])]
        drawn += [draw.integer(0, classes - 1) for _ in range(int(np.prod(batch)) - 1)]
        label = np.array(drawn).reshape(batch)
        if term.ignore_index is not None and label.size > 1:
            label.ravel()[1::3] = term.ignore_index
        return label

    def case(logits: Array) -> dict[str, Array]:
        return {"prediction": np.moveaxis(logits, -1, term.axis), "label": labels(logits.shape)}

    regular: list[Mapping[str, Any]] = [case(_logits(draw, shape)) for shape in LOGITS]
    regular += [{**each, "weight": _weights(draw, each["prediction"].shape[term.axis])} for each in regular[:2]]
    masked = case(_logits(draw, (5, 4)))
    hidden = (masked["label"] + 1) % 4
    np.put_along_axis(np.moveaxis(masked["prediction"], term.axis, -1), hidden[..., None], -np.inf, axis=-1)
    edge = [case(np.zeros((2, 3))), masked]
    edge += [case(each) for each in special_predictions(draw, reals(draw, (2, 3)))]
    near = [case(each["prediction"]) for each in _rows(term, near_overflow_rows(draw, 4, largest))]
    return cases({"regular": regular, "edge": edge, "near overflow": near})


def _rows(term: Any, prediction: Array, label: Array | None = None) -> list[Mapping[str, Any]]:
    return separate(term, {"prediction": prediction} | ({} if label is None else {"label": label}))


def _probabilities(draw: Draw, shape: tuple[int, ...]) -> Array:
    """Labels in [0, 1], both ends among them."""
    drawn = np.abs(reals(draw, shape))
    ends = np.array([draw.integer(0, 3) for _ in range(drawn.size)]).reshape(shape)
    return np.where(ends == 0, 0.0, np.where(ends == 1, 1.0, drawn))


@cases_of(terms.SigmoidCrossEntropy)
def sigmoid_cross_entropy(draw: Draw, term: terms.SigmoidCrossEntropy, largest: float) -> list[Case]:
    """Logits of every family at labels in [0, 1]."""
    return _binary(draw, term, largest)


@cases_of(terms.FocalLoss)
def focal_loss(draw: Draw, term: terms.FocalLoss, largest: float) -> list[Case]:
    """Logits of every family at labels in [0, 1]."""
    return _binary(draw, term, largest)


def _binary(draw: Draw, term: Any, largest: float) -> list[Case]:
    regular = [{"prediction": _logits(draw, shape), "label": _probabilities(draw, shape)} for shape in SHAPES]
    regular.append({"prediction": reals(draw, (4, 4), 80.0), "label": _probabilities(draw, (4, 4))})
    edge = [{"prediction": np.array([[0.0, -0.0, 0.0]]), "label": np.array([[0.0, 1.0, 0.5]])}]
    edge += [
        {"prediction": each, "label": np.full((2, 3), 0.25)} for each in special_predictions(draw, reals(draw, (2, 3)))
    ]
    end = near_overflow_rows(draw, 4, largest)
    near = separate(term, {"prediction": end, "label": _probabilities(draw, end.shape)})
    return cases({"regular": regular, "edge": edge, "near overflow": near})


@cases_of(terms.KlDivergence)
def kl_divergence(draw: Draw, term: terms.KlDivergence, largest: float) -> list[Case]:
    """Logarithms of normalised rows against labels with zeros, or logarithms of them, normalised or not."""

    def logarithms(shape: tuple[int, ...]) -> Array:
        x = _logits(draw, shape)
        return x - np.log(np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True)) - x.max(-1, keepdims=True)

    def labels(shape: tuple[int, ...]) -> Array:
        return logarithms(shape) if term.log_target else np.maximum(reals(draw, shape, 1.5), 0)

    # The first case is differentiated too, and the slope of y log y at 0 is infinite.
    positive = np.log(_probabilities(draw, (3, 4)) + 0.25)
    regular = [{"prediction": logarithms((3, 4)), "label": positive if term.log_target else np.exp(positive)}]
    regular += [{"prediction": logarithms(shape), "label": labels(shape)} for shape in SHAPES]
    same = logarithms((3, 4))
    edge = [{"prediction": same, "label": same if term.log_target else np.exp(same)}]
    wrong = logarithms((2, 3))
    wrong[0, 1] = np.nan
    edge.append({"prediction": wrong, "label": labels((2, 3))})
    end = near_overflow_rows(draw, 4, largest)
    near = separate(term, {"prediction": -np.abs(end), "label": labels(end.shape)})
    return cases({"regular": regular, "edge": edge, "near overflow": near})
