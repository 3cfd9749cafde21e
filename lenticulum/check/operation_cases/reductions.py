"""Inputs of the reductions, and of the sums of products."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from lenticulum import terms
from lenticulum.check.case import Case
from lenticulum.check.operation_cases.registry import cases_of
from lenticulum.check.rows import edge_rows, near_overflow_rows, reals, rows
from lenticulum.spec.draw import Draw
from lenticulum.terms.operations.axes import Axes
from lenticulum.terms.operations.equation import parse

Array = np.ndarray

#: Sizes of the axes that are reduced and of those that stay, in order: generic, and not all equal.
REDUCED, KEPT = (5, 2, 3, 2), (6, 2, 1, 2)

#: Long enough that an accumulator of few bits is seen.
LONG = 96


@cases_of(terms.Sum)
@cases_of(terms.Mean)
@cases_of(terms.Norm)
def reduction(draw: Draw, term: Any, largest: float) -> list[Case]:
    """Rows of every family along the axes, among others that stay; long rows, axes of size one, and edges."""
    return _cases(draw, term.axis, largest)


@cases_of(terms.Variance)
def variance(draw: Draw, term: terms.Variance, largest: float) -> list[Case]:
    """The same; a sample has two entries at least."""
    return _cases(draw, term.axis, largest, least=2 if term.estimate == "sample" else 1)


@cases_of(terms.CumulativeSum)
def cumsum(draw: Draw, term: terms.CumulativeSum, largest: float) -> list[Case]:
    """The same along one axis."""
    return _cases(draw, term.axis, largest)


@cases_of(terms.Product)
def product(draw: Draw, term: terms.Product, largest: float) -> list[Case]:
    """Factors of ordinary size and both signs, zeros among them: no product of some of them overflows, in any order."""
    del largest
    shapes = _shapes(term.axis)
    found = [_regular(placed(reals(draw, (k, n), 4.0), term.axis, kept, taken)) for k, n, kept, taken in shapes]
    zero = placed(np.array([[3.0, -0.0, -2.0], [1.5, -1.0, 0.5]]), term.axis, *flat(term.axis, 2, 3))
    nan = placed(np.array([[3.0, np.nan, -2.0], [np.inf, 1.5, -4.0]]), term.axis, *flat(term.axis, 2, 3))
    return [*found, _regular(zero), Case("edge", {"x": nan}, {})]


@cases_of(terms.Dot)
def dot(draw: Draw, term: terms.Dot, largest: float) -> list[Case]:
    """Two vectors: rows of every family with generic ones, products that cancel, long ones, one entry, and edges."""
    del term
    families = rows(draw, 9, 5)
    found = [(x, reals(draw, (5,), 2.0)) for x in families]
    x, orthogonal = reals(draw, (6,), 4.0), reals(draw, (6,))
    found += [(x, np.concatenate([x[3:], -x[:3]])), (x, orthogonal - x * (x @ orthogonal) / (x @ x))]
    found += [(reals(draw, (1,)), reals(draw, (1,))), (reals(draw, (LONG,)), reals(draw, (LONG,)))]
    weights = reals(draw, (5,), 2.0)
    return [
        *(Case("regular", {"x": left, "y": right}, {}) for left, right in found),
        *(Case("edge", {"x": row, "y": weights}, {}) for row in edge_rows(draw, 5, True)),
        *(Case("near overflow", {"x": row, "y": weights}, {}) for row in near_overflow_rows(draw, 5, largest)),
    ]


@cases_of(terms.Matmul)
def matmul(draw: Draw, term: terms.Matmul, largest: float) -> list[Case]:
    """Matrices with rows of every family, axes before them that broadcast, vectors, axes of size one, and edges."""
    del term
    x, weights = rows(draw, 6, 5), reals(draw, (5, 3), 2.0)
    regular = [
        (x, weights),
        (reals(draw, (1, 4)), reals(draw, (4, 1))),
        (rows(draw, 6, 3).reshape(2, 1, 3, 3), reals(draw, (4, 3, 2), 2.0)),
        (reals(draw, (2, 3, 4)), reals(draw, (2, 4, 2))),
        (reals(draw, (3, 3)), reals(draw, (3, 3), 2.0)),
        (x, weights[:, 0]),
        (weights[:, 0], x.T),
        (reals(draw, (2, LONG)), reals(draw, (LONG, 2))),
    ]
    return [
        *(Case("regular", {"x": left, "y": right}, {}) for left, right in regular),
        Case("edge", {"x": edge_rows(draw, 5, True), "y": weights}, {}),
        Case("near overflow", {"x": near_overflow_rows(draw, 5, largest), "y": weights}, {}),
    ]


@cases_of(terms.Einsum)
def einsum(draw: Draw, term: terms.Einsum, largest: float) -> list[Case]:
    """Operands with a size of its own for each letter, one size for all, sizes one, and edges in the first."""
    read = parse(term.equation)
    letters = list(dict.fromkeys("".join(read.operands)))
    generic = {letter: (3, 5, 2, 4)[place % 4] for place, letter in enumerate(letters)}
    equal, single = dict.fromkeys(letters, 3), dict.fromkeys(letters, 1)
    thin = {**generic, **dict.fromkeys(letters[:1], 1)}

    def operands(sizes: dict[str, int]) -> dict[str, Array]:
        shapes = [tuple(sizes[letter] for letter in names) for names in read.operands]
        first = rows(draw, prod(shapes[0][:-1]), shapes[0][-1]).reshape(shapes[0]) if shapes[0] else reals(draw, ())
        return dict(zip(("x", "y", "z"), [first, *(reals(draw, shape, 2.0) for shape in shapes[1:])], strict=False))

    found = [Case("regular", operands(sizes), {}) for sizes in (generic, equal, thin, single)]
    base = operands(generic)
    shape = base["x"].shape
    size = shape[-1] if shape else 1
    edge = np.resize(edge_rows(draw, size, True), shape)
    far = np.resize(near_overflow_rows(draw, size, largest), shape)
    return [*found, Case("edge", {**base, "x": edge}, {}), Case("near overflow", {**base, "x": far}, {})]


def _cases(draw: Draw, axis: Axes, largest: float, least: int = 1) -> list[Case]:
    found = [_regular(placed(rows(draw, k, n), axis, kept, taken)) for k, n, kept, taken in _shapes(axis)]
    if axis is None:
        # All entries are one row, and each family needs a case of its own.
        found += [_regular(row) for row in rows(draw, 9, 5)]
    found.append(_regular(placed(reals(draw, (2, LONG)), axis, *flat(axis, 2, LONG))))
    found.append(_regular(placed(reals(draw, (3, least), 4.0), axis, *flat(axis, 3, least))))
    return found + [
        Case(label, {"x": x}, {})
        for label, batch in (
            ("edge", edge_rows(draw, 5, True)),
            ("near overflow", near_overflow_rows(draw, 5, largest)),
        )
        for x in ([placed(batch, axis, *flat(axis, 5, 5))] if axis is not None else batch)
    ]


def _regular(x: Array) -> Case:
    return Case("regular", {"x": x}, {})


def _axes(axis: Axes) -> tuple[int, ...]:
    return axis if isinstance(axis, tuple) else () if axis is None else (axis,)


def _needed(axis: Axes) -> int:
    """Return how many axes an array has at least."""
    return max([1, len(_axes(axis)), *(each + 1 if each >= 0 else -each for each in _axes(axis))])


def _shapes(axis: Axes) -> list[tuple[int, int, tuple[int, ...], tuple[int, ...]]]:
    """Return shapes with as few axes as possible, with one and with two more, as `flat` does."""
    if axis is None:
        return [(prod(taken[:-1]), taken[-1], (), taken) for taken in ((5,), (3, 4), (2, 1, 3))]
    found = []
    for ndim in range(_needed(axis), _needed(axis) + 3):
        kept, taken = KEPT[: ndim - len(_axes(axis))], REDUCED[: len(_axes(axis))]
        found.append((prod(kept), prod(taken), kept, taken))
    return found


def flat(axis: Axes, count: int, size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the sizes of the axes that stay and of those that are reduced: `count` rows of `size` entries."""
    if axis is None:
        return (), (count, size)
    others = _needed(axis) + 1 - len(_axes(axis))
    return (count, *(1,) * (others - 1)), (*(1,) * (len(_axes(axis)) - 1), size)


def placed(batch: Array, axis: Axes, kept: tuple[int, ...], taken: tuple[int, ...]) -> Array:
    """Return an array whose reduction over `axis` takes the rows of the batch."""
    whole = batch.reshape(kept + taken)
    if axis is None:
        return whole
    ndim = len(kept) + len(taken)
    return np.moveaxis(whole, range(len(kept), ndim), [each % ndim for each in _axes(axis)])
