"""Inputs of log-sum-exp and its relatives."""

from __future__ import annotations

import numpy as np

from lenticulum import terms
from lenticulum.check.case import Case
from lenticulum.check.operation_cases.registry import cases_of
from lenticulum.check.rows import near_overflow_rows, reals, rows
from lenticulum.spec.draw import Draw


@cases_of(terms.LogSumExp)
def logsumexp(draw: Draw, term: terms.LogSumExp, largest: float) -> list[Case]:
    """Rows of every family, with weights of both signs whose sum is positive, and masks that leave an entry."""
    x, thin = rows(draw, 6, 5), rows(draw, 4, 1)
    mask = _mask(draw, x.shape)
    far = near_overflow_rows(draw, 4, largest)
    masked = np.where(_mask(draw, x.shape), x, -np.inf)
    found = [
        {"x": x},
        {"x": thin.T},
        {"x": thin},
        {"x": x, "where": mask},
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
