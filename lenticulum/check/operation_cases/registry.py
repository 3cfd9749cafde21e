"""The table of generators: which function draws the inputs of an operation, looked up by its exact type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lenticulum.check.case import Case
from lenticulum.spec.draw import Draw
from lenticulum.terms import Operation

#: (draw, term, largest number of the format) -> cases with role -> array, floats in binary64.
Generator = Callable[[Draw, Any, float], list[Case]]

_GENERATORS: dict[type[Operation], Generator] = {}


def cases_of(operation: type[Operation]) -> Callable[[Generator], Generator]:
    """Register a function as the generator of the inputs of an operation; it is returned unchanged."""

    def register(generator: Generator) -> Generator:
        _GENERATORS[operation] = generator
        return generator

    return register


def operation_cases(draw: Draw, term: Operation, largest: float) -> list[Case]:
    """Return the cases of an operation. `largest`: the largest number of the format of the subject."""
    return _GENERATORS[type(term)](draw, term, largest)
