"""Trees of named parameters as arguments of a function: names, sizes, saved states, and which uses are one location."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lenticulum.spec.draw import Draw

Shape = tuple[int, ...]

#: Names that neither their order of construction nor their alphabetical order gives away.
NAMES = ("embed", "mlp", "bias", "head", "attention")


def _owners(draw: Draw, shape: Shape, others: list[Any]) -> np.ndarray:
    """Return the location of each use; the last one shares that of an earlier use."""
    del others
    (uses,) = shape
    owners = [draw.integer(0, use) for use in range(uses - 1)]
    return np.array([*owners, draw.choice(owners) if owners else 0])


def gradients(draw: Draw, shape: Shape, others: list[Any]) -> np.ndarray:
    """Return one row for each use; every use of one location carries the gradient of that location."""
    owners = np.ravel(others[0])
    rows = np.array([[draw.integer(-64, 64) / 8 for _ in range(shape[1])] for _ in range(shape[0])])
    first = {owner: place for place, owner in reversed(list(enumerate(owners.tolist())))}
    return rows[[first[owner] for owner in owners.tolist()]].reshape(shape)


def _sizes(draw: Draw, shape: Shape, others: list[Any]) -> dict[str, int]:
    """Return a number of scalars for each name."""
    del shape, others
    return {name: draw.integer(1, 200) for name in NAMES[: draw.integer(2, len(NAMES))]}


def _aliases(draw: Draw, shape: Shape, others: list[Any]) -> dict[str, str]:
    """Return which of the names is another one: none, one or two of them, each of the same location."""
    del shape
    first, *rest = others[0]
    return {name: first for name in rest if draw.choice((True, False))}


def _states(draw: Draw, shape: Shape, others: list[Any]) -> dict[str, float]:
    """Return a state for each name, all of them different."""
    del shape, others
    start = draw.integer(-9, 9)
    return {name: (start + place) / 8 for place, name in enumerate(NAMES[: draw.integer(2, len(NAMES))])}


def _orders(draw: Draw, shape: Shape, others: list[Any]) -> list[str]:
    """Return the names of a tree in another order."""
    del shape
    names = list(others[0])
    shift = draw.integer(1, len(names) - 1)
    return names[shift:] + names[:shift]


#: Kinds of argument: the "owner" of each use; "sizes" and the "aliases" in them; "states" and a "new order" of them.
TREES: dict[str, Callable[[Draw, Shape, list[Any]], Any]] = {
    "owner": _owners,
    "sizes": _sizes,
    "aliases": _aliases,
    "states": _states,
    "new order": _orders,
}
