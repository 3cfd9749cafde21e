"""Inputs of log-sum-exp and its relatives."""

from __future__ import annotations

import numpy as np

from lenticulum import terms
from lenticulum.check.case import Case
from lenticulum.check.operation_cases.registry import cases_of
from lenticulum.check.rows import HIDDEN, edge_rows, near_overflow_rows, reals, rows
from lenticulum.spec.draw import Draw


@cases_of(terms.LogSumExp)
def logsumexp(draw: Draw, term: terms.LogSumExp, largest: float) -> list[Case]:
    """Rows of every family, with weights of both signs whose sum is positive, and masks that leave an entry.

    Masked entries are also far larger than the others: more than exp can take.
    """
    x, thin = rows(draw, 6, 5), rows(draw, 4, 1)
    mask = _mask(draw, x.shape)
    far = near_overflow_rows(draw, 4, largest)
    masked = np.where(_mask(draw, x.shape), x, -np.inf)
    found = [
        {"x": x},
        {"x": thin.T},
        {"x": thin},
        {"x": x, "where": mask},
        {"x": x + HIDDEN * ~mask, "where": mask},
        {"x": rows(draw, 5, 5), "b": np.abs(reals(draw, (5, 5), 2.0))},
        {"x": reals(draw, (3, 5)), "b": _weights(draw, (3, 5)), "where": np.ones((3, 5), bool)},
    ]
    edges = [{"x": masked}, {"x": np.where(mask, x, -np.inf), "where": mask}]
    return [
        *(Case("regular", arrays, {}) for arrays in found),
        *(Case("edge", arrays, {}) for arrays in edges),
        Case("near overflow", {"x": far}, {}),
    ]


def _mask(draw: Draw, shape: tuple[int, ...]) -> np.ndarray:
    """A mask with holes that allows at least one entry along every axis: its diagonal."""
    free = np.array([draw.integer(0, 1) == 1 for _ in range(int(np.prod(shape)))]).reshape(shape)
    rows_, columns = np.indices(shape)
    size = min(shape)
    return free | (rows_ % size == columns % size)


def _weights(draw: Draw, shape: tuple[int, ...]) -> np.ndarray:
    """Weights of which every fourth is negative, small, and every fourth zero."""
    scale = np.resize(np.array([1.0, 1.0, -1 / 64, 0.0]), int(np.prod(shape))).reshape(shape)
    return (1 + np.abs(reals(draw, shape))) * scale


def _arrays(draw: Draw, size: int, axis: int) -> list[np.ndarray]:
    """Rows of every family along an axis: a batch, a batch of one, three axes."""
    several = (rows(draw, 6, size), rows(draw, 1, size), rows(draw, 6, size).reshape((2, 3, size)))
    return [np.moveaxis(x, -1, axis) for x in several]


@cases_of(terms.LogSoftmax)
def log_softmax(draw: Draw, term: terms.LogSoftmax, largest: float) -> list[Case]:
    """Rows of every family along the axis, of one entry too, and rows with special entries."""
    regular = [*_arrays(draw, 5, term.axis), np.moveaxis(rows(draw, 4, 1), -1, term.axis)]
    edge = np.moveaxis(edge_rows(draw, 4, with_infinities=True), -1, term.axis)
    return _single(regular, [edge], np.moveaxis(near_overflow_rows(draw, 4, largest), -1, term.axis))


@cases_of(terms.Standardize)
def standardize(draw: Draw, term: terms.Standardize, largest: float) -> list[Case]:
    """Rows of every family along the axis; with several axes, or all, the array as it is."""
    axis = term.axis if isinstance(term.axis, int) else -1
    regular = [*_arrays(draw, 5, axis), np.moveaxis(rows(draw, 4, 1), -1, axis)]
    regular = [x for x in regular if not isinstance(term.axis, tuple) or x.ndim >= len(term.axis)]
    edge = np.moveaxis(edge_rows(draw, 4, with_infinities=True), -1, axis)
    return _single(regular, [edge], np.moveaxis(near_overflow_rows(draw, 4, largest), -1, axis))


@cases_of(terms.Glu)
def glu(draw: Draw, term: terms.Glu, largest: float) -> list[Case]:
    """Gates of both signs, small and saturated."""
    regular = [*_arrays(draw, 6, term.axis), np.moveaxis(reals(draw, (3, 4), 30.0), -1, term.axis)]
    edge = np.moveaxis(edge_rows(draw, 4, with_infinities=True), -1, term.axis)
    return _single(regular, [edge], np.moveaxis(near_overflow_rows(draw, 4, largest), -1, term.axis))


def _single(regular: list[np.ndarray], edge: list[np.ndarray], near: np.ndarray) -> list[Case]:
    labelled = [("regular", x) for x in regular] + [("edge", x) for x in edge] + [("near overflow", near)]
    return [Case(label, {"x": x}, {}) for label, x in labelled]
