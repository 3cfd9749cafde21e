"""A rejected call, reduced: the entries it depends on, formula or rounding, and the smallest witness that shows it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import jax
import numpy as np

from lenticulum.check.case import Case
from lenticulum.check.cases import term_of
from lenticulum.check.definition import Definition
from lenticulum.check.derivative import check_derivative, fewer_digits_lost
from lenticulum.check.derivative_witness import derivative_lines, positional
from lenticulum.check.environment import Environment
from lenticulum.check.finding import Finding, Meaning, float_roles
from lenticulum.check.judge import judge
from lenticulum.check.slope_check import Slopes
from lenticulum.check.subjects import Raised, Subject
from lenticulum.check.subjects.function import FunctionSubject
from lenticulum.check.subjects.subject import WrongType
from lenticulum.check.witness import Witness, simplest, sliced
from lenticulum.numbers import DomainError

#: Findings about a call as a whole: there is no entry to shrink to.
STRUCTURAL = ("raises", "type", "state", "mutates")

#: How many equal entries a witness of an elementwise function may need.
BLOCKS = (1, 2, 8, 32)


@dataclass(frozen=True)
class Failure:
    """A call that was rejected: its finding and everything needed to repeat it.

    `rule`: it is JAX's derivative of the subject that was rejected, not what the subject returns.
    """

    finding: Finding
    term: Any
    inputs: Mapping[str, Any]
    numbers: Mapping[str, Fraction]
    compiled: bool
    rule: bool = False


@dataclass(frozen=True)
class Repeater:
    """What it takes to call a subject again at other inputs and to judge the result."""

    subject: Subject
    definition: Definition
    meaning: Meaning
    environment: Environment
    within: Fraction | None
    slopes: Slopes | None

    def again(self, failure: Failure, inputs: Mapping[str, Any]) -> Failure | None:
        """Return the failure at other inputs, if the same finding shows there."""
        arrays = {r: a for r, a in inputs.items() if r != "gradient" and not r.startswith(("tangent ", "cotangent"))}
        gradients = (inputs["gradient"],) if "gradient" in inputs else ()
        term = term_of(self.definition, Case("again", arrays, {}, gradients))
        try:
            finding = self._finding_at(failure, term, arrays, inputs)
        except DomainError:
            return None
        wanted = failure.finding
        if finding is None or finding.output != wanted.output:
            return None
        kind = wanted.kind if finding.kind == "formula" and wanted.kind == "rounding" else finding.kind
        if kind != wanted.kind:
            return None
        return dataclasses.replace(
            failure, finding=dataclasses.replace(finding, kind=kind), term=term, inputs=dict(inputs)
        )

    def _finding_at(self, failure: Failure, term: Any, arrays: Any, inputs: Any) -> Finding | None:
        if failure.rule:
            assert isinstance(self.subject, FunctionSubject)
            if self.slopes is not None:
                return self.slopes.check(self.definition, term, arrays, self.environment, failure.compiled)[0]
            fixed = {role: array for role, array in arrays.items() if role not in float_roles(arrays)}
            function = positional(self.subject, float_roles(arrays), failure.numbers, fixed)
            return check_derivative(self.definition, term, function, inputs, self.environment)[0]
        try:
            outputs = self.subject.call(inputs, failure.numbers, compiled=failure.compiled)
        except (Raised, WrongType):
            return None
        outputs.pop("count", None)
        return judged(self.meaning, term, inputs, outputs, self.environment, self.within)[0]

    def reduced(self, failure: Failure) -> Failure:
        """Return the failure at the row or entry that the rejected entry depends on, if it shows there.

        A derivative is taken plainly, as a user would repeat it, if the finding shows so too. Of an elementwise
        function several equal entries may be needed: compiled loops treat blocks of them and the rest differently.
        """
        if failure.finding.kind in STRUCTURAL:
            return failure
        entry = self.definition.entry
        smaller = sliced(failure.inputs, entry.locality, entry.kind, failure.finding.position)
        if smaller is None:
            return failure
        plain = [dataclasses.replace(failure, compiled=False)] if failure.rule and failure.compiled else []
        sizes = BLOCKS if entry.kind == "elementwise" else (1,)
        repeated = ({role: np.repeat(a, n, axis=0) if n > 1 else a for role, a in smaller.items()} for n in sizes)
        tries = ((each, inputs) for inputs in repeated for each in (*plain, failure))
        return next(filter(None, (self.again(each, inputs) for each, inputs in tries)), failure)

    def smallest(self, failure: Failure) -> Failure:
        """Return the failure at the simplest inputs found that show it."""
        shown: Callable[[Mapping[str, Any]], bool] = lambda inputs: self.again(failure, inputs) is not None  # noqa: E731
        return self.again(failure, simplest(failure.inputs, shown)) or failure

    def witness(self, failure: Failure) -> Witness:
        """Return the program that shows a failure."""
        output = failure.finding.output
        if failure.rule:
            assert isinstance(self.subject, FunctionSubject)
            lines = derivative_lines(self.subject, output, failure.inputs, failure.numbers, failure.compiled)
            return Witness(failure.inputs, tuple(lines))
        lines = self.subject.snippet(failure.inputs, failure.numbers, output, compiled=failure.compiled)
        return Witness(failure.inputs, tuple(dict.fromkeys(lines)))

    def formula_or_rounding(self, failure: Failure) -> tuple[str, str | None]:
        """Tell a wrong formula from lost digits by running the same arguments in binary64; say why where it cannot."""
        finding = failure.finding
        floats = {role: failure.inputs[role].astype(np.float64) for role in float_roles(failure.inputs)}
        wide = {**failure.inputs, **floats}
        if self.environment.format.width == 64 or finding.k is None:
            return finding.kind, None
        with jax.enable_x64(True):
            try:
                outputs = self.subject.call(wide, failure.numbers, compiled=False)
            except (Raised, WrongType):
                note = "the subject does not run in binary64, so formula and rounding were not told apart"
                return finding.kind, note
        if outputs[finding.output].dtype != np.float64:
            return finding.kind, None
        again = float(outputs[finding.output][finding.position])
        return ("rounding" if fewer_digits_lost(finding, again) else "formula"), None


def judged(meaning: Meaning, term: Any, inputs: Any, outputs: Any, env: Environment, within: Fraction | None) -> Any:
    """Return the verdict of `judge`; of a meaning that is a derivative, the kind of a finding is `derivative`."""
    finding, tally = judge(meaning, term, inputs, outputs, env, within)
    if finding is not None and not isinstance(meaning, Definition):
        finding = dataclasses.replace(finding, kind="derivative")
    return finding, tally
