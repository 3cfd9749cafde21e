"""Inputs of embedding, positions and attention: repeated ids, far positions, masks with holes and closed rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from lenticulum import terms
from lenticulum.check.case import Case
from lenticulum.check.operation_cases.registry import cases_of
from lenticulum.check.rows import POSITION, near_overflow_rows, reals, rows
from lenticulum.spec.draw import Draw

Array = np.ndarray


@cases_of(terms.Embedding)
def embedding(draw: Draw, term: terms.Embedding, largest: float) -> list[Case]:
    """First and last row, one row twice, no id, one row in all; a weight with NaN, infinities and huge entries."""
    del term
    weight = rows(draw, 6, 4)
    ids = np.array([0, 5, 3, 3, draw.integer(0, 5), 0])
    special = weight.copy()
    special[3, draw.integer(0, 3)], special[5, 0], special[0, 1] = np.nan, np.inf, -np.inf
    return [
        Case("regular", {"ids": ids, "weight": weight}, {}),
        Case("regular", {"ids": ids.reshape((2, 3)), "weight": weight}, {}),
        Case("regular", {"ids": np.array(2), "weight": weight}, {}),
        Case("regular", {"ids": np.zeros((3, 1), int), "weight": reals(draw, (1, 5), 4.0)}, {}),
        Case("edge", {"ids": ids, "weight": special}, {}),
        Case("near overflow", {"ids": ids, "weight": np.resize(near_overflow_rows(draw, 4, largest), (6, 4))}, {}),
    ]


@cases_of(terms.RotaryPositions)
def rotary_positions(draw: Draw, term: terms.RotaryPositions, largest: float) -> list[Case]:
    """Positions from 0, and given ones that are far, repeat and go back; one position; entries of every family."""
    del term
    x = rows(draw, 6, 6)
    given = np.array([4, 0, draw.integer(0, 300), 4, draw.integer(500, POSITION), 30])
    special = x.copy()
    special[2, draw.integer(0, 5)] = np.nan
    return [
        Case("regular", {"x": x}, {}),
        Case("regular", {"x": x, "positions": given}, {}),
        Case("regular", {"x": rows(draw, 1, 6)}, {}),
        Case("edge", {"x": special}, {}),
        Case("near overflow", {"x": np.resize(near_overflow_rows(draw, 6, largest), (6, 6))}, {}),
    ]


@cases_of(terms.SinusoidalPositions)
def sinusoidal_positions(draw: Draw, term: terms.SinusoidalPositions, largest: float) -> list[Case]:
    """Whole positions, positions in between, of both signs; none but one; zero, and NaN."""
    del term, largest
    whole = np.array([0.0, 1.0, 2.0, 5.0, draw.integer(6, 60)])
    return [
        Case("regular", {"x": whole}, {}),
        Case("regular", {"x": reals(draw, (2, 3), 32.0)}, {}),
        Case("regular", {"x": reals(draw, (1,), 2.0)}, {}),
        Case("edge", {"x": np.array([np.nan, 0.0, -0.0])}, {}),
    ]


@cases_of(terms.Attention)
def attention(draw: Draw, term: terms.Attention, largest: float) -> list[Case]:
    """More keys than queries, fewer and as many, masks with holes, a bias; queries that see no key; large scores.

    A mask of keys alone meets as many queries, so that it shows along which axis it is read.
    """
    square, keys = _arrays(draw, term, 3, 3), np.array([True, False, True])
    wide, tall = _arrays(draw, term, 3, 4), _arrays(draw, term, 4, 2)
    scores, single = (2, 2, 3, 4), _arrays(draw, term, 2, 1)
    bias, mask = reals(draw, scores, 4.0), _mask(draw, scores)
    large = {**wide, "query": wide["query"] * 64.0}
    nan = {**wide, "value": wide["value"].copy()}
    nan["value"][0, 0, 0, 0] = np.nan
    far = {**wide, "value": np.resize(near_overflow_rows(draw, 5, largest), wide["value"].shape)}
    found = [
        ("regular", wide),
        ("regular", {**wide, "bias": bias, "mask": mask}),
        ("regular", {**wide, "mask": mask[:1, :1]}),
        ("regular", {**square, "mask": np.broadcast_to(keys, (1, 1, 3, 3))}),
        ("regular", large),
        ("edge", nan),
        ("near overflow", far),
    ]
    if term.causal != "end":
        # Fewer keys than queries, aligned at the end, leave queries that see none.
        found += [("regular", tall), ("regular", single)]
    if term.blocked != "nan":
        closed = mask.copy()
        closed[0, 1, 1] = False
        found.append(("regular", {**wide, "mask": closed}))
    return [Case(label, arrays, {}) for label, arrays in found]


def _arrays(draw: Draw, term: terms.Attention, queries: int, keys: int) -> dict[str, Any]:
    """Return two examples with two heads; every array is 5 wide, as JAX asks."""
    arrays = {
        "query": reals(draw, (2, 2, queries, 5), 2.0),
        "key": reals(draw, (2, 2, keys, 5), 2.0),
        "value": reals(draw, (2, 2, keys, 5), 4.0),
    }
    return {role: np.swapaxes(x, 1, 2) if term.heads == "last" else x for role, x in arrays.items()}


def _mask(draw: Draw, shape: tuple[int, ...]) -> Array:
    """Return a mask with holes in which every query sees the first key."""
    free = np.array([draw.integer(0, 1) == 1 for _ in range(int(np.prod(shape)))]).reshape(shape)
    free[..., 0] = True
    return free
