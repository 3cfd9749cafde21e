"""Inputs of the normalisations without state."""

from __future__ import annotations

from math import prod

import numpy as np

from lenticulum import terms
from lenticulum.check.case import Case
from lenticulum.check.operation_cases.reductions import flat, placed, reduction
from lenticulum.check.operation_cases.registry import cases_of
from lenticulum.check.rows import edge_rows, near_overflow_rows, reals, rows
from lenticulum.spec.draw import Draw

Array = np.ndarray

#: Entries of a row as the last axes of an array.
SUFFIXES = {1: ((5,), (1,)), 2: ((3, 2), (1, 4)), 3: ((2, 1, 3), (1, 1, 2))}


@cases_of(terms.RmsNorm)
def rms_norm(draw: Draw, term: terms.RmsNorm, largest: float) -> list[Case]:
    """Rows of every family as the last axes, with and without weight and bias, and edges."""
    suffix, thin = SUFFIXES.get(term.axes, ((2,) * term.axes, (1,) * term.axes))
    size = prod(suffix)
    batches = [
        rows(draw, 6, size).reshape(6, *suffix),
        rows(draw, 3, prod(thin)).reshape(3, *thin),
        rows(draw, 6, size).reshape(2, 3, *suffix),
    ]
    edges = [edge_rows(draw, size, True), near_overflow_rows(draw, size, largest)]
    return _with_parameters(draw, [*batches, *(each.reshape(5, *suffix) for each in edges)], slice(-term.axes, None))


@cases_of(terms.GroupNorm)
def group_norm(draw: Draw, term: terms.GroupNorm, largest: float) -> list[Case]:
    """Groups of channels of every family: none, one or two axes of positions, of as many as channels too,
    one channel in each group, and edges."""
    groups = term.groups
    shapes = [
        (3, groups * 2, 3),
        (2, groups, 2, 2),
        (4, groups * 3),
        (1, groups * 2, 1, 3),
        (2, groups * 2, groups * 2),
    ]
    found = [rows(draw, shape[0] * groups, prod(shape[1:]) // groups).reshape(shape) for shape in shapes]
    # Enough examples of `groups` channels to hold the five rows.
    edges = (edge_rows(draw, 5, True), near_overflow_rows(draw, 5, largest))
    found += [np.resize(each, (-(-5 // groups), groups, 5)) for each in edges]
    return _with_parameters(draw, found, slice(1, 2))


@cases_of(terms.InstanceNorm)
def instance_norm(draw: Draw, term: terms.InstanceNorm, largest: float) -> list[Case]:
    """Channels of every family with one and two axes of positions, one channel, and edges.

    There are two positions at least: of one, y is the bias, and PyTorch refuses it.
    """
    del term
    shapes = [(2, 3, 5), (2, 4, 2, 2), (1, 1, 2)]
    found = [rows(draw, shape[0] * shape[1], prod(shape[2:])).reshape(shape) for shape in shapes]
    found += [each.reshape(1, 5, 5) for each in (edge_rows(draw, 5, True), near_overflow_rows(draw, 5, largest))]
    return _with_parameters(draw, found, slice(1, 2))


@cases_of(terms.L2Normalize)
def l2_normalize(draw: Draw, term: terms.L2Normalize, largest: float) -> list[Case]:
    """The rows of a reduction, a row of zeros, and rows whose length is below and above epsilon or its root."""
    scales = np.array([0.0, *(float(term.epsilon) ** power * each for power in (0.5, 1) for each in (0.125, 8.0))])
    short = placed(reals(draw, (5, 3)) * scales[:, None], term.axis, *flat(term.axis, 5, 3))
    return [*reduction(draw, term, largest), Case("regular", {"x": short}, {})]


def _with_parameters(draw: Draw, batches: list[Array], place: slice) -> list[Case]:
    """Return cases of which the first ones lack the parameters; the last two are edges."""
    found: list[Case] = []
    for number, x in enumerate(batches):
        label = ("regular", "edge", "near overflow")[max(0, number - len(batches) + 3)]
        shape = x.shape[place]
        weight, bias = reals(draw, shape, 2.0), reals(draw, shape, 2.0)
        found.append(Case(label, {"x": x, "weight": weight, "bias": bias}, {}))
        if not number:
            found += [Case(label, {"x": x, "weight": weight}, {}), Case(label, {"x": x}, {})]
    return found
