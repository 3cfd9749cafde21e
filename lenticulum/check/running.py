"""Running bounds: what the closed forms of a definition may give, evaluated in floating point as they are printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.check.careful import careful
from lenticulum.check.enclosures import Ends, flattened
from lenticulum.check.finding import Form, Meaning
from lenticulum.numbers import DomainError, Undecided, magnitude
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.formats import Format


@no_type_check
class RunningBounds:
    """The running bounds of every closed form of a meaning at one set of inputs, each evaluated when it is asked for.

    An output inside the bound of any form is what a conforming evaluation may give. Where every form overflows in an
    intermediate, the definition as printed gives no number there: `overflows` says so.
    """

    def __init__(self, definition: Meaning, term: Any, inputs: Mapping[str, Any], floats: list[str], fmt: Format):
        self.forms = definition.forms(term)
        self.inputs, self.floats, self.format = inputs, floats, fmt
        self._evaluated: dict[int, dict[str, Any]] = {}
        self._missing: dict[int, list[bool]] = {}

    def of(self, number: int) -> dict[str, Any]:
        """Return the bounds of one form by output; empty where a comparison in it is undecided."""
        if number not in self._evaluated:
            lift: Callable[[Any], Any] = lambda array: magnitude(array, self.format)  # noqa: E731
            self._evaluated[number] = self._evaluate(self.forms[number], lift)
        return self._evaluated[number]

    def _evaluate(self, form: Form, lift: Callable[[Any], Any]) -> dict[str, Any]:
        try:
            return dict(form({**self.inputs, **{role: lift(self.inputs[role]) for role in self.floats}}))
        except (Undecided, DomainError):
            return {}

    def bound(self, output: str, flat: int) -> Ends | None:
        """Return the bound of an entry by the first form that has one, or None."""
        for number in range(len(self.forms)):
            found = self._entry(self.of(number), output, flat)
            if found is not None:
                return found
        return None

    def inside(self, output: str, flat: int, y: Fraction, f: Ends) -> bool:
        """Return whether a value lies inside the bound of a form.

        A bound counts only where it encloses the exact value f: that of a derivative does not at a tie, where a form
        has max or |x| and the function is smooth.
        """
        for number in range(len(self.forms)):
            found = self._entry(self.of(number), output, flat)
            if found is not None and found[0] <= min(y, f[1]) and max(y, f[0]) <= found[1]:
                return True
        return False

    def overflows(self, output: str, flat: int) -> bool:
        """Return whether every form overflows: the entry has no bound, and overflow was the first thing to go wrong."""
        return all(self._form_overflows(number, output, flat) for number in range(len(self.forms)))

    def _form_overflows(self, number: int, output: str, flat: int) -> bool:
        if self._entry(self.of(number), output, flat) is not None:
            return False
        if number not in self._missing:
            # Arrays of one evaluation share the record, those of all roles too.
            missing: list[bool] = []
            lift: Callable[[Any], Any] = lambda array: careful(magnitude(array, self.format), missing)  # noqa: E731
            self._evaluate(self.forms[number], lift)
            self._missing[number] = missing
        return bool(self._missing[number]) and self._missing[number][0]

    @staticmethod
    def _entry(bounds: Mapping[str, Any], output: str, flat: int) -> Ends | None:
        if output not in bounds:
            return None
        entry = bounds[output].reshape((-1,)).take(np.array([flat]))
        if not entry.bounded().all():
            return None
        return next(zip(flattened(entry.lower()), flattened(entry.upper()), strict=True))
