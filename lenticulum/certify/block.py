"""One block of inputs: which are special, and the enclosures of the others. Nothing here depends on a subject."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lenticulum.certify.enclosure import Definitely, Enclosures, at, constant, enclose
from lenticulum.numbers.formats import Format, bits_to_float64
from lenticulum.spec.elementwise.special import Expected, answers

Array = np.ndarray


@dataclass(frozen=True)
class Block:
    """Inputs of a definition, and what is known of them.

    `format`: of the arguments, `output` of the results. `patterns`, `points`: of all inputs, one array for each
    argument. `special`: positions of special inputs with what is due there (an array has an entry for every input).
    `ordinary`: positions of the inputs that are judged as numbers, `enclosures` theirs. `subnormal`: which of them have
    a subnormal argument. `plain`: neighbours in one binade of one argument, all ordinary and none subnormal.
    `constant`: in a plain block, whether one enclosure holds the values at all inputs.
    """

    function: Definitely
    format: Format
    output: Format
    patterns: tuple[Array, ...]
    points: tuple[Array, ...]
    special: list[tuple[Array, Expected | Array]]
    ordinary: Array
    enclosures: Enclosures
    subnormal: Array
    plain: bool
    constant: bool

    def first(self) -> Block:
        """Return the part of a plain block that is its first input alone."""
        row = slice(0, 1)
        return replace(
            self,
            patterns=(self.patterns[0][row],),
            points=(self.points[0][row],),
            ordinary=self.ordinary[row],
            enclosures=at(self.enclosures, row),
            subnormal=self.subnormal[row],
        )


def prepare(
    function: Definitely, patterns: tuple[Array, ...], format: Format, output: Format, *, intervals: bool = True
) -> Block:
    """Return a block: the enclosures of all its ordinary inputs, narrow for the output format."""
    points = tuple(bits_to_float64(each, format) for each in patterns)
    special = [(np.flatnonzero(where), due) for where, due in answers(function.term, *points)]
    ordinary, chosen = np.arange(len(points[0])), points
    if special:
        mask = np.ones(points[0].shape, bool)
        for rows, _ in special:
            mask[rows] = False
        ordinary = np.flatnonzero(mask)
        chosen = tuple(point[ordinary] for point in points)
    subnormal = _subnormal(chosen, format)
    plain = len(patterns) == 1 and not special and not subnormal.any() and _one_binade(patterns[0], format)
    enclosures = constant(function, points[0], output) if plain and intervals else None
    common = enclosures is not None
    if enclosures is None and ordinary.size:
        enclosures = enclose(function, chosen, output, intervals=intervals)
    elif enclosures is None:
        enclosures = Enclosures(np.zeros(0), np.zeros(0), subnormal, subnormal)
    return Block(function, format, output, patterns, points, special, ordinary, enclosures, subnormal, plain, common)


def _subnormal(points: tuple[Array, ...], format: Format) -> Array:
    """Return which inputs have a subnormal argument; zero is none."""
    smallest = float(format.smallest_normal)
    subnormal = np.zeros(points[0].shape, bool)
    for point in points:
        small = np.abs(point) < smallest
        if small.any():
            subnormal |= small & (point != 0)
    return subnormal


def _one_binade(patterns: Array, format: Format) -> bool:
    """Return whether patterns are consecutive numbers of one sign and exponent."""
    first, last = int(patterns[0]), int(patterns[-1])
    return last - first == len(patterns) - 1 and first >> format.fraction_bits == last >> format.fraction_bits
