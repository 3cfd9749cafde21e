"""Laws that the program of a JAX function states itself: floats near its meaning, derivatives its own, none stopped."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lenticulum.check.derivative import modes_of
from lenticulum.check.draw import SeededDraw
from lenticulum.check.finding import Finding
from lenticulum.check.gradients import check_derivatives
from lenticulum.check.rows import reals
from lenticulum.numbers import ExactArray, jvp, working_precision
from lenticulum.programs import Balls, Bounds, trace
from lenticulum.programs.source import location

#: Bits of the exact values.
PRECISION = 128

#: The drawn data is also taken larger and smaller by this factor.
SCALE = 16.0

#: Derivatives are checked to this order.
ORDER = 2

Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class Outcome:
    """What a law found: the first violation with the arguments that show it, or a sentence about what held.

    `judged`: how many entries it rests on; where there are none, nothing was shown.
    """

    finding: Finding | None
    arrays: Arrays
    note: str
    judged: int = 1


def exact_meaning(function: Callable[..., Any], arrays: Arrays) -> Outcome:
    """Check that every float that JAX computes op by op lies in the running bound around the program's exact value.

    Raises: UnknownPrimitive, Undecided, and what the function raises when it is traced.
    """
    inside = unbounded = 0
    program = trace(function, *arrays)
    for factor in (1.0, SCALE, 1 / SCALE):
        given = [_scaled(array, factor) for array in arrays]
        got = program.run(*given)
        with working_precision(PRECISION):
            exact, bounds = (program.read(system, *given) for system in (Balls(), Bounds()))
        for number, (floats, values, bound) in enumerate(zip(got, exact, bounds, strict=True)):
            name = "result" if len(got) == 1 else f"result {number}"
            if not hasattr(values, "elements"):
                wrong = np.argwhere(np.asarray(floats) != np.asarray(values))
                if wrong.size:
                    place = tuple(int(each) for each in wrong[0])
                    return Outcome(_other(name, place, floats[place], values[place]), given, "")
                inside += floats.size
                continue
            for flat, (y, value, around) in enumerate(
                zip(floats.ravel(), values.elements, bound.elements, strict=True)
            ):
                if not around.is_finite():
                    unbounded += 1
                elif not (math.isfinite(y) and around.contains(type(around)(float(y)))):
                    place = tuple(int(each) for each in np.unravel_index(flat, floats.shape))
                    ends = float(around.lower().mid()), float(around.upper().mid())
                    exactly = value.str(12, radius=False)
                    return Outcome(
                        Finding("rounding", name, place, float(y), exactly, "regular", bound=ends), given, ""
                    )
                else:
                    inside += 1
    left = f"; {unbounded} may overflow on the way, or have no value" if unbounded else ""
    note = f"exact meaning: {inside} entries inside the running bound of the program{left}"
    return Outcome(None, arrays, note, inside)


def _scaled(array: np.ndarray, factor: float) -> np.ndarray:
    return (array * factor).astype(array.dtype) if array.dtype.kind in "fV" else array


def _other(name: str, place: tuple[int, ...], got: Any, exact: Any) -> Finding:
    return Finding("formula", name, place, float(got), str(exact), "regular", criterion="equality")


def own_derivatives(function: Callable[..., Any], arrays: Arrays, seed: int) -> Outcome:
    """Check that what JAX derives, custom rules included, is the derivative of the program, to order 2.

    Raises: UnknownPrimitive, Undecided, CallError where there is nothing to differentiate.
    """
    found = check_derivatives(function, arrays, ORDER, modes_of(function, *arrays), seed)
    if found.wrong is not None:
        wrong = found.wrong
        output = wrong.chain if wrong.note else f"{wrong.chain} derivative, result {wrong.output}"
        note = wrong.note or f"the derivative rule itself means {wrong.rule}"
        finding = Finding("derivative", output, wrong.position, wrong.got, wrong.exact, "regular", note=note)
        return Outcome(finding, arrays, "")
    nothing = f"; {found.no_value} have no finite value" if found.no_value else ""
    note = f"derivatives: {found.judged} entries to order 2 are those of the program{nothing}"
    return Outcome(None, arrays, note, found.judged)


def stopped_gradients(function: Callable[..., Any], arrays: Arrays, seed: int) -> Outcome:
    """Check that no `stop_gradient` changes the derivative: along generic directions, with every stop read as nothing.

    A stop at what has derivative 0, such as the shift of a softmax, changes nothing.
    Raises: UnknownPrimitive, Undecided.
    """
    program = trace(function, *arrays)
    places = program.floats()
    directions = [reals(SeededDraw(seed, 2), arrays[place].shape, 2.0) for place in places]
    stops: list[str] = []

    def through(step: Any, operands: list[Any], results: list[Any]) -> list[Any]:
        if step.name != "stop_gradient":
            return results
        stops.append(str(location(step.equation)))
        return operands

    def slope(observe: Any) -> Sequence[Any]:
        def values(*given: Any) -> Any:
            whole = {**dict(enumerate(arrays)), **dict(zip(places, given, strict=True))}
            found = program.read(Balls(), *whole.values(), observe=observe)
            return tuple(each for each in found if isinstance(each, ExactArray))

        floats = [Balls().data(arrays[place], arrays[place].dtype) for place in places]
        tangents = [Balls().data(each, each.dtype) for each in directions]
        return jvp(values, floats, tangents)[1]

    with working_precision(PRECISION):
        whole = slope(through)
        if not stops:
            return Outcome(None, arrays, "no gradient is stopped")
        for number, (cut, full) in enumerate(zip(slope(None), whole, strict=True)):
            for flat, (one, other) in enumerate(zip(cut.elements, full.elements, strict=True)):
                if one.is_finite() and other.is_finite() and not one.overlaps(other):
                    name = "fwd derivative" if len(whole) == 1 else f"fwd derivative, result {number}"
                    place = tuple(int(each) for each in np.unravel_index(flat, cut.shape))
                    note = f"stop_gradient at {stops[0]} cuts a path by which the result depends on its arguments"
                    exact = other.str(12, radius=False)
                    return Outcome(
                        Finding("derivative", name, place, float(one.mid()), exact, "regular", note=note), arrays, ""
                    )
    return Outcome(None, arrays, f"{len(stops)} stopped gradients change no derivative")
