"""The derivatives of elementwise functions in one argument, to order 2, as something that is judged against.

A finite slope is due wherever the definition has one, special points included; at a kink it is what the convention of
the definition says (`at_kink`). At infinities, NaN, outside the domain and where the slope is infinite nothing is due.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from lenticulum.check.careful import refusing
from lenticulum.check.definition import Definition
from lenticulum.check.enclosures import ends, magnitude_ends
from lenticulum.check.finding import Form
from lenticulum.check.point_errors import by_parts
from lenticulum.numbers import (
    DomainError,
    ExactArray,
    Undecided,
    ball,
    jvp,
    ones_like,
    working_precision,
    zeros_like,
)
from lenticulum.spec.elementwise import Expected, in_domain

#: Bits at which it is asked whether a slope is infinite: 1/0 is so at any precision.
PRECISION = 96

#: The step to either side of a point, relative to it or to 1, that tells a kink; and the least height of a jump.
STEP, JUMP = 2.0**-60, 2.0**-30

#: Between these the squares of numbers, and their reciprocals, are normal in every format of eight exponent bits.
SQUARES = (2.0**-62, 2.0**62)

NOT_DUE = Expected(None, judged=False)


@dataclasses.dataclass(frozen=True)
class Slope:
    """The derivative of a definition in one of its arguments.

    `role`: the argument; `order`: 1 or 2; `output`: what the derivative is called among the outputs.
    """

    definition: Definition
    role: str
    order: int = 1
    output: str = "derivative"

    @property
    def entry(self) -> Any:
        """The row of the definition, without its laws."""
        return dataclasses.replace(self.definition.entry, laws=())

    def beside(self, term: Any, roles: Mapping[str, Any]) -> list[ExactArray]:
        """Return what a derivative of order n is computed from: f, ..., f^(n-1)."""
        lower = (dataclasses.replace(self, order=order) for order in range(1, self.order))
        value = self.definition.outputs(term, roles)[self.definition.output]
        return [value, *(each.outputs(term, roles)[self.output] for each in lower)]

    def kinks(self, term: Any, *arrays: np.ndarray) -> np.ndarray:
        """Return where the one-sided derivatives of this order, or of a lower one, differ by a jump."""
        found = np.zeros(arrays[0].shape, bool)
        for order in range(1, self.order + 1):
            each = dataclasses.replace(self, order=order)
            jumps = by_parts(lambda places, slope=each: slope._jumps(term, arrays, places), range(found.size))
            found |= np.array([jumps[place] is True for place in range(found.size)], bool)
        return found

    def _jumps(self, term: Any, arrays: tuple[np.ndarray, ...], places: Sequence[int]) -> list[bool]:
        names = self.definition.entry.arrays
        exact = {role: ball(array[list(places)]) for role, array in zip(names, arrays, strict=True)}
        steps = np.maximum(np.abs(arrays[names.index(self.role)][list(places)]), 1.0) * STEP
        left, right = (
            self.outputs(term, {**exact, self.role: exact[self.role] + ball(sign * steps)})[self.output]
            for sign in (-1, 1)
        )
        # Smooth slopes differ by the step times the next derivative, a jump by its height.
        return [magnitude_ends(each)[0] > JUMP for each in ends(left - right)]

    def outputs(self, term: Any, roles: Mapping[str, Any]) -> dict[str, ExactArray]:
        """Return the exact derivative."""
        return self._differentiated(lambda primals: self.definition.outputs(term, primals), roles)

    def forms(self, term: Any) -> tuple[Form, ...]:
        """Return the closed forms, each differentiated operation by operation, with amplified cancellation refused."""

        def careful(form: Form, roles: Mapping[str, Any]) -> dict[str, ExactArray]:
            missing: list[bool] = []
            return self._differentiated(form, {role: refusing(array, missing) for role, array in roles.items()})

        return tuple(partial(careful, form) for form in self.definition.forms(term))

    def special(self, term: Any, *arrays: np.ndarray) -> dict[int, Expected]:
        """Return the points where no slope is due.

        Rules of order 2 contain squares: outside the range in which x² neither overflows nor underflows in binary32,
        none is due.
        """
        wanted = in_domain(term, *arrays)
        if self.order > 1:
            for x in arrays:
                wanted &= (x == 0) | (abs(x) > SQUARES[0]) & (abs(x) < SQUARES[1])
        inside = np.flatnonzero(wanted).tolist()
        due = dict.fromkeys(np.flatnonzero(~wanted).tolist(), NOT_DUE)
        with working_precision(PRECISION):
            return due | dict.fromkeys(self._infinite(term, arrays, inside), NOT_DUE)

    def _infinite(self, term: Any, arrays: tuple[np.ndarray, ...], places: list[int]) -> list[int]:
        """Return the points whose slope has no finite value for certain."""
        if not places:
            return []
        roles = self.definition.entry.arrays
        try:
            self.outputs(term, {role: ball(array[places]) for role, array in zip(roles, arrays, strict=True)})
            return []
        except (DomainError, Undecided) as error:
            if len(places) == 1:
                return places if isinstance(error, DomainError) else []
        half = len(places) // 2
        return self._infinite(term, arrays, places[:half]) + self._infinite(term, arrays, places[half:])

    def _differentiated(self, form: Form, roles: Mapping[str, Any]) -> dict[str, ExactArray]:
        names = list(self.definition.entry.arrays)
        place = names.index(self.role)

        def value(*arrays: Any) -> Any:
            return form(dict(zip(names, arrays, strict=True)))[self.definition.output]

        def slope(function: Callable[..., Any], *arrays: Any) -> Any:
            tangents = [ones_like(each) if place == other else zeros_like(each) for other, each in enumerate(arrays)]
            return jvp(function, arrays, tangents)[1]

        function: Callable[..., Any] = value
        for _ in range(self.order):
            function = partial(slope, function)
        return {self.output: function(*(roles[name] for name in names))}
