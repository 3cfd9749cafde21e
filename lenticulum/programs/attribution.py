"""Which line loses the digits: the program is read exactly, with one equation at a time computed in floats.

The change of the result is the contribution of that equation. Beside it stands what the equation does by itself: by how
much it enlarges the roundings of its operands, and whether it cancels, overflows or underflows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lenticulum.numbers import ExactArray
from lenticulum.programs.interpreter import CONTAINERS
from lenticulum.programs.phenomenon import amplification_of, change, computed, disturbed, phenomenon_of
from lenticulum.programs.program import Program
from lenticulum.programs.rule import Step
from lenticulum.programs.source import Line, line_of
from lenticulum.programs.systems import Balls

#: Contributions within this factor of the largest are of one size: actual roundings are a matter of luck.
ONE_SIZE = 16.0


@dataclass(frozen=True)
class Contribution:
    """What one equation, computed in floats, does to the result of an otherwise exact program.

    `primitive`, `line`: the equation. `error`: the largest change of an entry of the result relative to it; inf where
    it becomes no number. `amplification`: how much larger than u the equation makes the roundings of its operands.
    `phenomenon`: cancellation, overflow, underflow, flush, ill-conditioned, or rounding.
    """

    primitive: str
    line: Line | None
    error: float
    amplification: float
    phenomenon: str


@dataclass
class _Seen:
    """One equation, with the operands and results of each time that it was read."""

    step: Step
    turns: list[tuple[list[Any], list[Any]]] = field(default_factory=list)


def contributions(program: Program, arguments: Sequence[Any], file: str | None = None) -> list[Contribution]:
    """Return the contribution of every equation with a floating-point result, the most harmful first.

    Of contributions of one size the one whose equation amplifies most comes first: the others reach the result through
    it. Arguments: `arguments`: the leaves, as NumPy arrays. `file`: its lines are named, where one led to an equation.
    Raises: Undecided where the exact program depends on an undecided comparison; UnknownPrimitive.
    """
    seen: dict[int, _Seen] = {}

    def watch(step: Step, operands: list[Any], results: list[Any]) -> list[Any]:
        if step.name not in CONTAINERS and any(isinstance(each, ExactArray) for each in results):
            seen.setdefault(id(step.equation), _Seen(step)).turns.append((operands, results))
        return results

    exact = program.read(Balls(), *arguments, observe=watch)
    return ranked([_contribution(program, arguments, exact, each, file) for each in seen.values()])


def _contribution(
    program: Program, arguments: Sequence[Any], exact: list[Any], seen: _Seen, file: str | None
) -> Contribution:
    step, results = seen.step, [found for _, found in seen.turns]
    floats, moved = ([each(step, *turn) for turn in seen.turns] for each in (computed, disturbed))
    changed = [_read(program, arguments, seen, *instead) for instead in ((computed, floats), (disturbed, moved))]
    error = max(change(exact, each) for each in changed)
    amplification = max(amplification_of(step, *pair) for pair in zip(results, moved, strict=True))
    phenomenon = phenomenon_of(step, zip(results, floats, strict=True), amplification)
    return Contribution(step.name, line_of(step.equation, file), error, amplification, phenomenon)


def _read(
    program: Program, arguments: Sequence[Any], seen: _Seen, instead: Callable[..., list[Any]], known: list[list[Any]]
) -> list[Any]:
    """Return the results of the program with one equation replaced, each time that it is read.

    An equation that is read once has the operands of the exact program, so that its results are `known`; in a loop
    they follow from those of the turn before.
    """

    def replace(step: Step, operands: list[Any], results: list[Any]) -> list[Any]:
        if step.equation is not seen.step.equation:
            return results
        return known[0] if len(known) == 1 else instead(step, operands, results)

    return program.read(Balls(), *arguments, observe=replace)


def ranked(found: list[Contribution]) -> list[Contribution]:
    """Return contributions, the most harmful first."""
    largest = max((each.error for each in found), default=0.0)

    def harm(each: Contribution) -> tuple[bool, float, float]:
        suspect = each.error >= largest / ONE_SIZE if math.isfinite(largest) else math.isinf(each.error)
        return suspect, each.amplification if suspect else 0.0, each.error

    return sorted(found, key=harm, reverse=True)
