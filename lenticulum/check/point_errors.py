"""Errors at points of an elementwise function, relative to what is excused: K, and ulp; and how near a kink is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.check.enclosures import Ends, ends, error_ends, magnitude_ends
from lenticulum.check.environment import Environment
from lenticulum.check.metrics import K_LIMIT
from lenticulum.numbers import Ball, DomainError, Undecided, ball, jvp, ones_like, zeros_like
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.formats import ulp

#: Distance from a kink, relative to it, at which the one-sided slopes are taken.
BESIDE = Fraction(1, 2**64)


@no_type_check
class PointErrors:
    """The points of one output, at the working precision; `x` has one array of binary64 numbers for each role."""

    def __init__(self, definition: Any, term: Any, output: str, x: list[np.ndarray], env: Environment) -> None:
        self.definition, self.term, self.output, self.x, self.env = definition, term, output, x, env
        self.roles = list(definition.entry.arrays)
        self.unit, self.eta = env.format.unit_roundoff, env.eta
        self.has_kink = "at_kink" in definition.entry.conventions

    def lifted(self, places: Sequence[int], scale: Fraction = Fraction(1)) -> dict[str, Any]:
        """Return the arguments at some places, times a factor, as balls by role."""
        return {role: ball(x[list(places)]) * scale for role, x in zip(self.roles, self.x, strict=True)}

    def values(self, places: Sequence[int]) -> list[Ball]:
        """Return the exact values at some places."""
        exact: Any = self.definition.outputs(self.term, self.lifted(places))[self.output]
        return [Ball((1,), [element]) for element in exact.elements]

    def k(self, flat: int, error: Ends, f: Ends, stratum: str) -> Ends:
        """Return the ends of K. The derivative is left out where K is within the limit without it."""
        size = magnitude_ends(f)
        without = self.quotient(error, size)
        if without[1] <= K_LIMIT:
            return without
        condition = self.condition(flat)
        if stratum == "overflow" and not 4 * self.unit * condition[1] <= size[0]:
            return without
        return self.quotient(error, size, condition)

    def quotient(self, error: Ends, size: Ends, condition: Ends = (Fraction(0), Fraction(0))) -> Ends:
        """Return the ends of error / (u (condition + |f|) + eta)."""
        low, high = (self.unit * (condition[end] + size[end]) + self.eta for end in (0, 1))
        return error[0] / high, error[1] / low

    def condition(self, flat: int) -> Ends:
        """Return the ends of sum |x_i df/dx_i|: 0 where a derivative is infinite, the larger of two at a kink.

        Of a first derivative min(|f|, 1) is added: a rule is a formula in the value, such as f' = 1 - f²,
        f' = f (1 - f) or f' = f + 1, in whose cancellation |f| <= 1. Of a second one |f| + |f'| is added: x itself may
        be a factor of the rule, as in (x f)'' = 2 f' + x f''.
        """
        scales = (Fraction(1), 1 - BESIDE, 1 + BESIDE) if self.has_kink else (Fraction(1),)
        found = [each for scale in scales if (each := self._condition_at(flat, scale)) is not None]
        low, high = (max((each[end] for each in found), default=Fraction(0)) for end in (0, 1))
        if not self.definition.order:
            return low, high
        sizes = [magnitude_ends(ends(each)[0]) for each in self.definition.beside(self.term, self.lifted([flat]))]
        below, above = (sum((each[end] for each in sizes), Fraction(0)) for end in (0, 1))
        if self.definition.order == 1:
            below, above = min(below, Fraction(1)), min(above, Fraction(1))
        return low + below, high + above

    def _condition_at(self, flat: int, scale: Fraction) -> Ends | None:
        point = self.lifted([flat], scale)
        arrays = [point[role] for role in self.roles]

        def function(*traced: Any) -> Any:
            return self.definition.outputs(self.term, dict(zip(self.roles, traced, strict=True)))[self.output]

        low = high = Fraction(0)
        for place, x in enumerate(arrays):
            tangents = [ones_like(each) if place == other else zeros_like(each) for other, each in enumerate(arrays)]
            try:
                _, slope = jvp(function, arrays, tangents)
                part = magnitude_ends(ends(x * slope)[0])
            except DomainError:
                return None
            low, high = low + part[0], high + part[1]
        return low, high

    def ulps(self, error: Ends, f: Ends, within: Fraction) -> Fraction | None:
        """Return a lower bound of the error in ulp where it is more than the stated number, and None where not."""
        low, high = (ulp(end, self.env.format) for end in magnitude_ends(f))
        excused = self.eta if self.env.flushes else Fraction(0)
        if error[1] <= within * low + excused:
            return None
        if error[0] <= within * high + excused:
            raise Undecided("the error straddles the stated number of ulp")
        return error[0] / high

    def near(self, y: float, f: Ends) -> bool:
        """Return whether a number is within K of a value that no argument changes."""
        k = self.quotient(error_ends(Fraction(y), f), magnitude_ends(f))
        if k[0] <= K_LIMIT < k[1]:
            raise Undecided("K straddles its limit")
        return k[1] <= K_LIMIT

    def beside_a_kink(self, flat: int, y: float) -> bool:
        """Return whether a slope is that of the other side of a kink that lies within 4 u of x, but not at x."""
        if not self.has_kink:
            return False
        low, high = (
            ends(self.definition.outputs(self.term, self.lifted([flat], scale))[self.output])[0]
            for scale in (1 - K_LIMIT * self.unit, 1 + K_LIMIT * self.unit)
        )
        at = self.definition.kinks(self.term, *(x[[flat]] for x in self.x))[0]
        return not at and (self.near(y, low) or self.near(y, high))


@no_type_check
def by_parts(evaluate: Callable[[Sequence[int]], list[Any]], places: Sequence[int]) -> dict[int, Any]:
    """Return the results at some places; None where one cannot be had. One place does not spoil the others."""
    try:
        return dict(zip(places, evaluate(places), strict=True))
    except (Undecided, DomainError):
        if len(places) == 1:
            return {places[0]: None}
        half = len(places) // 2
        return {**by_parts(evaluate, places[:half]), **by_parts(evaluate, places[half:])}
