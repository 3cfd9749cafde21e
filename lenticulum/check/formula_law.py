"""Law: a kernel computes a formula that is written in the named functions of the exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lenticulum.check.finding import Form, float_roles
from lenticulum.check.judge import judge
from lenticulum.check.kernel_law import Kernel
from lenticulum.numbers import Undecided
from lenticulum.spec.draw import Draw
from lenticulum.spec.elementwise import Expected
from lenticulum.spec.law import Grade, Law

VALUE = "value"


@dataclass(frozen=True)
class FormulaEntry:
    """What a judge asks of a row of the catalogue: nothing is known of a formula but the formula."""

    name: str
    kind: str = "array"
    locality: str = "batch"
    reduction: bool = False
    laws: tuple[str, ...] = ()
    arrays: tuple[str, ...] = ()


class Formula:
    """A function of exact arrays by name, as a meaning with one value and one closed form."""

    output = VALUE

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.entry = FormulaEntry(function.__name__)

    def outputs(self, term: Any, roles: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value. A formula has no fields, so that there is no term."""
        del term
        return {VALUE: self.function(**roles)}

    def forms(self, term: Any) -> tuple[Form, ...]:
        """Return the formula."""
        return (lambda roles: self.outputs(term, roles),)

    def special(self, term: Any, *arrays: np.ndarray) -> dict[int, Expected]:
        """Refuse: only an elementwise function has a table of special inputs."""
        raise TypeError(f"{self.entry.name} is no elementwise function")


def computes(formula: Callable[..., Any], right: Kernel, planted: Mapping[str, Kernel]) -> Law[Kernel]:
    """Return the law that a kernel computes a formula of its arguments, whose floats are exact arrays."""
    meaning = Formula(formula)

    def check(kernel: Kernel, draw: Draw) -> None:
        given = kernel.drawn(draw)
        got = kernel.call(given)
        if len(got) != 1:
            kernel.reject("type", f"the call returns {len(got)} arrays, expected 1", given)
        floats = float_roles(given)
        inputs = {name: each if name in floats else _whole(each) for name, each in given.items()}
        finding, tally = judge(meaning, None, inputs, {VALUE: got[0]}, kernel.environment)
        if finding is not None:
            facts = {"position": list(finding.position), "got": finding.got, "exact": finding.exact}
            kernel.reject(finding.kind, f"the value is not that of {meaning.entry.name}", given, **facts)
        if tally.undecided:
            raise Undecided(f"{tally.undecided} entries were not decided")

    return Law("formula.value", "the kernel computes the formula", "the formula", Grade.ENCLOSED, right, check, planted)


def _whole(each: Any) -> Any:
    return each.tolist() if isinstance(each, np.ndarray) else each
