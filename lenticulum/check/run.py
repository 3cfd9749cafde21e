"""One check as it runs: cases are drawn, the subject is called on them plainly and compiled, each call is judged."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from contextlib import nullcontext
from fractions import Fraction
from functools import cached_property
from typing import Any

import jax
import numpy as np

from lenticulum.check.calls import Call, bits_of, groups, same_bits, stacked, wrong_structure
from lenticulum.check.case import Case
from lenticulum.check.cases import at_point, cases, draw_numbers, term_of
from lenticulum.check.definition import Definition, parse
from lenticulum.check.derivative import check_derivative, directions, has_rule, refusal, shrinks
from lenticulum.check.derivative_witness import positional
from lenticulum.check.draw import SeededDraw
from lenticulum.check.environment import Environment, format_of
from lenticulum.check.errors import CallError
from lenticulum.check.failure import Failure, Repeater, judged
from lenticulum.check.finding import Finding, Meaning, Tally, float_roles
from lenticulum.check.given import point_of
from lenticulum.check.held import held
from lenticulum.check.slope_check import Slopes
from lenticulum.check.slopes import Slope
from lenticulum.check.subjects import Raised, Subject, adapt
from lenticulum.check.subjects.adapt import DERIVATIVE
from lenticulum.check.subjects.function import FunctionSubject
from lenticulum.check.subjects.host import HostSubject
from lenticulum.check.subjects.subject import WrongType
from lenticulum.check.target import load, source_of, source_of_target


class Run:
    """One check: the subject, the definition, and what has been seen so far."""

    def __init__(
        self,
        subject: Any,
        spec: str | Definition | None,
        seed: int,
        roles: Mapping[str, str] | None = None,
        bind: Mapping[str, Any] | None = None,
        make: Mapping[str, Any] | None = None,
        at: Mapping[str, Any] | None = None,
        shapes: Mapping[str, tuple[int, ...]] | None = None,
        dtype: str = "float32",
        budget: float = 0.0,
        within: Fraction | None = None,
    ) -> None:
        self.source = source_of_target(subject) if isinstance(subject, str) else source_of(subject)
        self.object = load(subject) if isinstance(subject, str) else subject
        self.seed, self.budget, self.within, self.dtype = seed, budget, within, dtype
        self.roles, self.bind, self.make = dict(roles or {}), dict(bind or {}), dict(make or {})
        self.definition = parse(spec) if isinstance(spec, str) else spec
        self.at = None if at is None else self._point(at)
        self.shapes = {**(shapes or {}), **_shapes(self.at or {})}
        self.tally = Tally()
        self.failure: Failure | None = None
        self.seen: dict[bytes, dict[str, Any]] = {}
        self.notes: list[str] = []

    def _point(self, at: Mapping[str, Any]) -> dict[str, Any]:
        if self.definition is None:
            raise CallError("a point by role needs a definition; without one give the list of the arguments")
        return point_of(self.definition, at, self.dtype)

    def context(self) -> Any:
        """Return the context in which binary64 means binary64."""
        return jax.enable_x64(True) if self.dtype == "float64" else nullcontext()

    def prepare(self) -> SeededDraw:
        """Adapt the subject and draw its hyper-parameters; return the draw that the first cases come from."""
        assert self.definition is not None
        options = {"roles": self.roles, "bind": self.bind, "make": self.make, "dtype": self.dtype}
        format_of(self.dtype)
        self.subject: Subject = adapt(self.object, self.source, self.definition, **options)
        self.notes += self.subject.notes
        self.environment: Environment = self.subject.environment(self.dtype)
        self.shapes = {**self.subject.shapes, **self.shapes}
        draw = SeededDraw(self.seed)
        self.numbers = self._numbers(draw)
        self.judged = dataclasses.replace(self.definition, stated={**self.definition.stated, **self.received})
        self.meaning = self.meant(self.judged)
        return draw

    def go(self) -> None:
        """Draw, call and judge until something is rejected or the time is spent."""
        draw = self.prepare()
        deadline = time.monotonic() + self.budget
        self._round(draw)
        stream = 1
        while self.failure is None and time.monotonic() < deadline:
            self._round(SeededDraw(self.seed, stream))
            stream += 1
        self.degeneracies = tuple(sorted(name for name, holds in draw.observations.items() if holds))

    def meant(self, definition: Definition) -> Meaning:
        """Return what the output of the subject is: the value of a definition, or its derivative."""
        return Slope(definition, definition.entry.arrays[0]) if self.roles.get("output") == DERIVATIVE else definition

    def _numbers(self, draw: Any) -> dict[str, Fraction]:
        """Return what is passed to the subject, and let the definition know the values as received."""
        assert self.definition is not None
        stated = self.definition.stated
        drawn = draw_numbers(draw, [name for name in self.subject.numbers if name not in stated])
        passed = {**drawn, **{name: Fraction(stated[name]) for name in self.subject.numbers if name in stated}}
        # A kernel receives floats. Where the stated number is a decimal, the definition is taken at what was received.
        received = {name: Fraction(held(name, number, "float64").item()) for name, number in passed.items()}
        self.received = {**{n: v for n, v in self.subject.received.items() if n not in stated}, **received}
        for name, number in {**stated, **self.received}.items():
            if isinstance(number, Fraction) and abs(number) > (largest := format_of(self.dtype).largest):
                ends = f"from {-float(largest):.9g} to {float(largest):.9g}"
                raise CallError(f"{name} is beyond {self.dtype}: expected a number {ends}")
        self.inexact = {name: passed[name] for name, number in received.items() if number != passed[name]}
        return passed

    def _round(self, draw: Any) -> None:
        assert self.definition is not None
        found = self.drawn(draw)
        if self.at is not None:
            found = [at_point(found[0], self.at)]
        if self.shapes and self.definition.entry.kind == "array":
            self.definition.require_fit(term_of(self.judged, found[0]), found[0].arrays)
        for number, case in enumerate(found):
            for compiled in self._modes(number, len(found)):
                self._case(case, compiled)
                if self.failure is not None:
                    return
        self._derivative(found, draw)

    def fits(self, arrays: Mapping[str, Any]) -> bool:
        """Return whether the subject takes these arrays: those that it needs, with the axes that it needs."""
        subject = self.subject
        return set(subject.required) <= set(arrays) and all(arrays[r].ndim == n for r, n in subject.ranks.items())

    def drawn(self, draw: Any) -> list[Case]:
        """Return the cases of one round that the subject can be called on."""
        assert self.definition is not None
        drawn = cases(self.definition, draw, self.received, self.subject.absent, self.shapes, np.dtype(self.dtype))
        found = [case for case in drawn if self.fits(case.arrays)]
        if not found:
            needed = ", ".join(self.subject.required)
            raise CallError(f"{self.source.name} cannot be called without {needed}: state the shapes of all arrays")
        return found

    def _modes(self, number: int, count: int) -> tuple[bool, ...]:
        """Compiled in every case; plainly too in the second, the smallest of the regular ones (elementwise: in all)."""
        plainly = number == 1 or count == 1 or count == 2 and self.judged.entry.kind == "elementwise"
        return self.subject.modes if plainly else self.subject.modes[:1]

    def _case(self, case: Case, compiled: bool) -> None:
        definition = self.judged
        term = term_of(definition, case)
        calls = self._called(definition, term, case, compiled)
        # A plain call with the bits of the compiled one says nothing new.
        calls = [call for call in calls if not same_bits(call[1], self.seen.get(bits_of(call[0])))]
        self.seen = {bits_of(inputs): outputs for inputs, outputs in calls}
        for group in groups(definition, calls):
            inputs, outputs = stacked(group) if case.gradients else group[0]
            finding, tally = judged(self.meaning, term, inputs, outputs, self.environment, self.within)
            self.tally.merge(tally)
            if finding is not None:
                if case.gradients:
                    step, *position = finding.position
                    inputs, finding = group[step][0], dataclasses.replace(finding, position=tuple(position))
                self.failure = self.failure or Failure(finding, term, dict(inputs), self.numbers, compiled)
                return

    def _called(self, definition: Definition, term: Any, case: Case, compiled: bool) -> list[Call]:
        """Return the calls of a case, each from the float state that the kernel itself made; stop where one fails."""
        inputs = dict(case.arrays)
        calls: list[Call] = []
        for gradient in case.gradients or (None,):
            if gradient is not None:
                inputs = {**inputs, "gradient": gradient}
            try:
                outputs = self.outputs(definition, term, inputs, compiled)
            except Raised as error:
                raised = Finding("raises", "call", (), float("nan"), "", "regular", note=str(error))
                self.failure = Failure(raised, term, error.inputs or inputs, self.numbers, compiled)
                break
            if isinstance(outputs, Finding):
                self.failure = Failure(outputs, term, inputs, self.numbers, compiled)
                break
            calls.append((inputs, outputs))
            if gradient is not None:
                kept = {role: outputs[role] for role in ("parameters", *definition.entry.state) if role in outputs}
                inputs = {**inputs, **kept, "count": inputs["count"] + 1}
        return calls

    def outputs(self, definition: Definition, term: Any, inputs: Mapping[str, Any], compiled: bool) -> Any:
        """Return the outputs of one call, or the finding that they have the wrong structure. Raises: Raised."""
        try:
            outputs = self.subject.call(inputs, self.numbers, compiled=compiled)
        except WrongType as error:
            return Finding(error.kind, "call", (), float("nan"), "", "regular", note=str(error))
        counted = outputs.pop("count", None)
        if counted is not None and int(counted) != int(inputs["count"]) + 1:
            note = f"count goes from {inputs['count']} to {int(counted)}; expected {int(inputs['count']) + 1}"
            return Finding("state", "count", (), float(counted), str(int(inputs["count"]) + 1), "regular", note=note)
        return wrong_structure(definition, term, inputs, outputs) or outputs

    def _derivative(self, found: list[Case], draw: Any) -> None:
        """Check the derivative: of elementwise functions and operations always, else where the program has a rule."""
        definition = self.judged
        if not isinstance(self.subject, FunctionSubject) or definition.entry.kind == "update" or definition.entry.modes:
            return
        if definition.entry.kind == "elementwise":
            return self._slopes(found)
        if isinstance(self.subject, HostSubject):
            self.notes.append("JAX cannot trace the function: its derivative was not checked")
            return
        # An operation has one derivative for each choice of its optional arrays.
        several = {frozenset(case.arrays): case for case in reversed(found) if case.label == found[0].label}
        for case in several.values() if definition.entry.kind == "array" else found[:1]:
            self._rules(definition, case, draw)
            if self.failure is not None:
                return

    def _rules(self, definition: Definition, case: Case, draw: Any) -> None:
        assert isinstance(self.subject, FunctionSubject)
        inputs = {role: case.arrays[role] for role in float_roles(case.arrays)}
        fixed = {role: array for role, array in case.arrays.items() if role not in inputs}
        function = positional(self.subject, list(inputs), self.numbers, fixed)
        try:
            ruled = has_rule(function, *inputs.values())
        except Exception:  # a function that cannot be traced was judged by its values above
            self.notes.append("the function cannot be traced: its derivative was not checked")
            return
        if not ruled and definition.entry.kind != "array":
            return
        refused = None if ruled else refusal(function, *inputs.values())
        if refused is not None:
            self.notes.append(f"JAX does not derive the function ({refused}): its derivative was not checked")
            return
        term = term_of(definition, case)
        point = {**case.arrays, **directions(function, inputs, draw)}
        finding, tally = check_derivative(definition, term, function, point, self.environment)
        # A program without rules is differentiated operation by operation: only a wrong formula is its own.
        if finding is not None and not ruled and shrinks(finding, function, point):
            finding, tally = None, Tally()
            self.notes.append("its derivative loses digits that are there in binary64; that was not judged")
        self._rule(term, point, (finding, tally))
        which = "derivative rules were" if ruled else "its derivative was"
        self.notes.append(f"{which} checked against the exact derivative")

    def _slopes(self, found: list[Case]) -> None:
        if isinstance(self.subject, HostSubject):
            self.notes.append("JAX cannot trace the function: its derivative was not checked")
            return
        if self.meaning is not self.judged:
            return
        for case in found:
            term = term_of(self.judged, case)
            verdict = self.slopes.check(self.judged, term, case.arrays, self.environment)
            structural = verdict[0] is not None and not verdict[0].exact
            few = {role: array.ravel()[:1] if structural else array for role, array in case.arrays.items()}
            self._rule(term, few, verdict)
            if self.failure is not None:
                return
        self.notes.append("its derivatives were checked against the exact ones, to order 2")

    @cached_property
    def slopes(self) -> Slopes:
        """The derivatives of an elementwise function, compiled once."""
        assert isinstance(self.subject, FunctionSubject)
        roles = list(self.judged.entry.arrays)
        return Slopes(positional(self.subject, roles, self.numbers), roles)

    def _rule(self, term: Any, point: Mapping[str, Any], verdict: tuple[Finding | None, Tally]) -> None:
        finding, tally = verdict
        # The largest relative error is that of a value; a saturated derivative may be far from its exact value.
        self.tally.merge(dataclasses.replace(tally, worst=None))
        if finding is not None:
            compiled = self.judged.entry.kind == "elementwise"
            self.failure = Failure(finding, term, point, self.numbers, compiled, rule=True)

    @property
    def repeater(self) -> Repeater:
        """What calls the subject again."""
        elementwise = self.judged.entry.kind == "elementwise" and isinstance(self.subject, FunctionSubject)
        slopes = self.slopes if elementwise else None
        return Repeater(self.subject, self.judged, self.meaning, self.environment, self.within, slopes)


def _shapes(point: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return {role: array.shape for role, array in point.items() if isinstance(array, np.ndarray)}
