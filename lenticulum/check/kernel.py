"""Checking a kernel: draw cases, call it plainly and compiled, judge each call, and explain what differs."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import jax
import numpy as np

from lenticulum.check.cases import Case, at_point, cases, draw_numbers, term_of
from lenticulum.check.definition import Definition, parse
from lenticulum.check.derivative import check_derivative, directions, has_rule
from lenticulum.check.draw import SeededDraw
from lenticulum.check.environment import Environment, probe
from lenticulum.check.errors import CallError
from lenticulum.check.judge import Finding, Tally, judge, k_at
from lenticulum.check.result import CheckResult
from lenticulum.check.subjects import Raised, Subject, adapt
from lenticulum.check.subjects.function import FunctionSubject, with_constants
from lenticulum.check.subjects.subject import WrongType
from lenticulum.check.target import load, source_of, source_of_target
from lenticulum.check.unspecified import check_laws
from lenticulum.check.witness import Witness, simplest, sliced
from lenticulum.terms import replace as replace_fields

#: What was passed to a subject, and what it returned.
Call = tuple[dict[str, Any], dict[str, Any]]

#: Findings about a call as a whole: there is no entry to shrink to.
STRUCTURAL = ("raises", "type", "state")


@dataclass(frozen=True)
class Failure:
    """A call that was rejected: its finding and everything needed to repeat it."""

    finding: Finding
    term: Any
    inputs: Mapping[str, Any]
    numbers: Mapping[str, Fraction]
    compiled: bool


def check(
    subject: Any,
    spec: str | Definition | None = None,
    *,
    seed: int = 0,
    roles: Mapping[str, str] | None = None,
    bind: Mapping[str, Any] | None = None,
    make: Mapping[str, Any] | None = None,
    at: Mapping[str, np.ndarray] | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    dtype: str = "float32",
    budget: float = 0.0,
    within: Fraction | None = None,
) -> CheckResult:
    """Return the verdict on a subject against a definition, with a small witness and what it matches instead.

    Arguments: `subject`: a callable, an Equinox module (class or instance), an optax transformation or its factory, or
    a target. `spec`: NAME or NAME:convention=value,...; without it, the laws that need no definition. `roles`: role ->
    argument or field. `bind`: fixed arguments. `make`: constructor arguments. `at`: role -> array, one point instead of
    drawn data. `shapes`: role -> shape instead of the palette. `budget`: seconds to go on drawing after the first round
    of cases. `within`: ulp, instead of the default verdict.
    Raises: CallError if the call is wrong.
    Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., chapters 1 and 3.

    >>> import jax
    >>> check(jax.nn.softmax, "softmax").verdict
    'conforms'
    """
    run = _Run(subject, spec, seed, roles, bind, make, at, shapes, dtype, budget, within)
    with run.context():
        return run.explained(run.examine())


def examine(subject: Any, spec: str | Definition, *, seed: int = 0, **options: Any) -> CheckResult:
    """Return the verdict of `check` without the search for the smallest witness and for other conventions."""
    run = _Run(subject, spec, seed, **options)
    with run.context():
        return run.examine()


class _Run:
    """One check: the subject, the definition, and what has been seen so far."""

    def __init__(
        self,
        subject: Any,
        spec: str | Definition | None,
        seed: int,
        roles: Mapping[str, str] | None = None,
        bind: Mapping[str, Any] | None = None,
        make: Mapping[str, Any] | None = None,
        at: Mapping[str, np.ndarray] | None = None,
        shapes: Mapping[str, tuple[int, ...]] | None = None,
        dtype: str = "float32",
        budget: float = 0.0,
        within: Fraction | None = None,
    ) -> None:
        self.source = source_of_target(subject) if isinstance(subject, str) else source_of(subject)
        self.object = load(subject) if isinstance(subject, str) else subject
        self.seed, self.at, self.budget, self.within, self.dtype = seed, at, budget, within, dtype
        self.roles, self.bind, self.make = dict(roles or {}), dict(bind or {}), dict(make or {})
        self.shapes = {**(shapes or {}), **{role: array.shape for role, array in (at or {}).items()}}
        self.definition = parse(spec) if isinstance(spec, str) else spec
        self.tally = Tally()
        self.failure: Failure | None = None
        self.seen: dict[bytes, dict[str, Any]] = {}
        self.notes: list[str] = []

    def context(self) -> Any:
        """Return the context in which binary64 means binary64."""
        return jax.enable_x64(True) if self.dtype == "float64" else nullcontext()

    def examine(self) -> CheckResult:
        """Return the verdict, with the first finding as it was met."""
        if self.definition is None:
            return check_laws(self.object, self.source, self.seed, self.bind, self.shapes, self.dtype)
        self.environment: Environment = probe(self.dtype)
        options = {"roles": self.roles, "bind": self.bind, "make": self.make}
        self.subject: Subject = adapt(self.object, self.source, self.definition, **options)
        self.shapes = {**self.subject.shapes, **self.shapes}
        draw = SeededDraw(self.seed)
        self.numbers = self._numbers(draw)
        self.judged = dataclasses.replace(self.definition, stated={**self.definition.stated, **self.received})
        deadline = time.monotonic() + self.budget
        self._round(draw)
        stream = 1
        while self.failure is None and time.monotonic() < deadline:
            self._round(SeededDraw(self.seed, stream))
            stream += 1
        degenerate = tuple(sorted(name for name, holds in draw.observations.items() if holds))
        return self._result(degenerate)

    def _numbers(self, draw: Any) -> dict[str, Fraction]:
        """Return what is passed to the subject, and let the definition know the values as received."""
        assert self.definition is not None
        stated = self.definition.stated
        drawn = draw_numbers(draw, [name for name in self.subject.numbers if name not in stated])
        passed = {**drawn, **{name: Fraction(stated[name]) for name in self.subject.numbers if name in stated}}
        # A kernel receives floats. Where the stated number is a decimal, the definition is taken at what was received.
        received = {name: Fraction(float(number)) for name, number in passed.items()}
        self.received = {**{n: v for n, v in self.subject.received.items() if n not in stated}, **received}
        self.inexact = {name: passed[name] for name, number in received.items() if number != passed[name]}
        return passed

    def _decimal_notes(self) -> list[str]:
        """Say what was received for a decimal hyper-parameter, and K against the decimal itself."""
        if not self.inexact or self.tally.worst is None:
            return []
        (_, term, inputs, output, flat, y, environment) = self.tally.worst[1]
        at_decimals = replace_fields(term, **self.inexact)
        k = k_at(self._stated(), at_decimals, inputs, output, flat, y, environment)
        given = ", ".join(f"{name} = {number} (received {float(number)!r})" for name, number in self.inexact.items())
        return [f"judged at the numbers received; {given}: against the decimals K = {_k_text(k)} at the same entry"]

    def _round(self, draw: Any) -> None:
        assert self.definition is not None
        found = cases(self.definition, draw, self.received, self.subject.absent, self.shapes, np.dtype(self.dtype))
        if self.at is not None:
            found = [at_point(found[0], self.at)]
        for number, case in enumerate(found):
            # Compiled in every case; plainly too in the second, which is the smallest of the regular ones.
            for compiled in (True, False) if number == 1 or len(found) == 1 else (True,):
                self._case(case, compiled)
                if self.failure is not None:
                    return
        self._derivative(found[0], draw)

    def _case(self, case: Case, compiled: bool) -> None:
        definition = self.judged
        term = term_of(definition, case)
        calls = self._called(definition, term, case, compiled)
        # A plain call with the bits of the compiled one says nothing new.
        calls = [call for call in calls if not _same_bits(call[1], self.seen.get(_bits_of(call[0])))]
        self.seen = {_bits_of(inputs): outputs for inputs, outputs in calls}
        for group in _groups(definition, calls):
            inputs, outputs = _stacked(group) if case.gradients else group[0]
            finding, tally = judge(definition, term, inputs, outputs, self.environment, self.within)
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
            outputs = self._outputs(definition, term, inputs, compiled)
            if isinstance(outputs, Finding):
                self.failure = Failure(outputs, term, inputs, self.numbers, compiled)
                break
            calls.append((inputs, outputs))
            if gradient is not None:
                kept = {role: outputs[role] for role in ("parameters", *definition.entry.state) if role in outputs}
                inputs = {**inputs, **kept, "count": inputs["count"] + 1}
        return calls

    def _stated(self) -> Definition:
        assert self.definition is not None
        return self.definition

    def _outputs(self, definition: Definition, term: Any, inputs: Mapping[str, Any], compiled: bool) -> Any:
        """Return the outputs of one call, or the finding that it raises or has the wrong structure."""
        try:
            outputs = self.subject.call(inputs, self.numbers, compiled=compiled)
        except (Raised, WrongType) as error:
            kind = "raises" if isinstance(error, Raised) else "type"
            return Finding(kind, "call", (), float("nan"), "", "regular", note=str(error))
        counted = outputs.pop("count", None)
        if counted is not None and int(counted) != int(inputs["count"]) + 1:
            note = f"count goes from {inputs['count']} to {int(counted)}; expected {int(inputs['count']) + 1}"
            return Finding("state", "count", (), float(counted), str(int(inputs["count"]) + 1), "regular", note=note)
        return self._structure(definition, term, inputs, outputs) or outputs

    def _structure(self, definition: Definition, term: Any, inputs: Any, outputs: Mapping[str, Any]) -> Finding | None:
        first = inputs[definition.entry.arrays[0]]
        expected = _shapes(definition, term, inputs)
        for name, array in outputs.items():
            if array.dtype != first.dtype or array.shape != expected[name]:
                note = f"{name} is {array.dtype}{list(array.shape)}; expected {first.dtype}{list(expected[name])}"
                return Finding("type", name, (), float("nan"), "", "regular", note=note)
        return None

    def _derivative(self, case: Case, draw: Any) -> None:
        """Check the custom rules of a function, if its program contains one."""
        definition = self.judged
        if not isinstance(self.subject, FunctionSubject) or definition.entry.kind == "update" or definition.entry.modes:
            return
        inputs = {role: array for role, array in case.arrays.items() if isinstance(array, np.ndarray)}
        function = _positional(self.subject, list(inputs), self.numbers)
        try:
            ruled = has_rule(function, *inputs.values())
        except Exception:  # a function that cannot be traced was judged by its values above
            self.notes.append("the function cannot be traced: its derivative was not checked")
            return
        if not ruled:
            return
        term = term_of(definition, case)
        point = {**inputs, **directions(function, inputs, draw)}
        finding, tally = check_derivative(definition, term, function, point, self.environment)
        # The largest relative error is that of a value; a saturated derivative may be far from its exact value.
        self.tally.merge(dataclasses.replace(tally, worst=None))
        self.notes.append("derivative rules were checked against the exact derivative")
        if finding is not None:
            self.failure = Failure(finding, term, point, self.numbers, compiled=False)

    def _result(self, degeneracies: tuple[str, ...]) -> CheckResult:
        judged = sum(self.tally.strata.values())
        failure = self.failure
        verdict = "differs" if failure else "undecided" if self.tally.undecided else "conforms"
        result = CheckResult(
            verdict=verdict,
            subject=self.source.name,
            spec=str(self.definition),
            seed=self.seed,
            grade=f"enclosed({judged})",
            strata=dict(self.tally.strata),
            carried=dict(self.tally.carried),
            undecided=self.tally.undecided,
            degeneracies=degeneracies,
            notes=tuple(dict.fromkeys([*self.notes, *self._environment_notes()])),
            not_covered=("other shapes, dtypes, devices and versions",),
        )
        return result if failure is None else self._with_failure(result, failure)

    def _environment_notes(self) -> list[str]:
        return (
            ["subnormal numbers are flushed to zero here; that was probed and excused"]
            if self.environment.flushes
            else []
        )

    def _with_failure(self, result: CheckResult, failure: Failure) -> CheckResult:
        failure = self._reduced(failure)
        if failure.finding.kind == "formula" and failure.finding.criterion != "ulp":
            kind = self._formula_or_rounding(failure)
            failure = dataclasses.replace(failure, finding=dataclasses.replace(failure.finding, kind=kind))
        self.failure = failure
        return dataclasses.replace(result, finding=failure.finding, witness=self._witness(failure), k=failure.finding.k)

    def _witness(self, failure: Failure) -> Witness:
        if failure.finding.kind == "derivative":
            return Witness(failure.inputs, tuple(_derivative_lines(self.subject, failure)))
        output = failure.finding.output
        lines = self.subject.snippet(failure.inputs, failure.numbers, output, compiled=failure.compiled)
        return Witness(failure.inputs, tuple(dict.fromkeys(lines)))

    def _again(self, failure: Failure, inputs: Mapping[str, Any]) -> Failure | None:
        """Return the failure at other inputs, if the same finding shows there."""
        definition = self.judged
        arrays = {r: a for r, a in inputs.items() if r != "gradient" and not r.startswith(("tangent ", "cotangent"))}
        gradients = (inputs["gradient"],) if "gradient" in inputs else ()
        term = term_of(definition, Case("again", arrays, {}, gradients))
        finding = self._finding_at(failure, definition, term, arrays, inputs)
        wanted = failure.finding
        if finding is None or finding.output != wanted.output:
            return None
        kind = wanted.kind if finding.kind == "formula" and wanted.kind == "rounding" else finding.kind
        if kind != wanted.kind:
            return None
        return dataclasses.replace(
            failure, finding=dataclasses.replace(finding, kind=kind), term=term, inputs=dict(inputs)
        )

    def _finding_at(
        self, failure: Failure, definition: Definition, term: Any, arrays: Any, inputs: Any
    ) -> Finding | None:
        if failure.finding.kind == "derivative":
            assert isinstance(self.subject, FunctionSubject)
            function = _positional(self.subject, list(arrays), self.numbers)
            return check_derivative(definition, term, function, inputs, self.environment)[0]
        try:
            outputs = self.subject.call(inputs, failure.numbers, compiled=failure.compiled)
        except (Raised, WrongType):
            return None
        outputs.pop("count", None)
        return judge(definition, term, inputs, outputs, self.environment, self.within)[0]

    def _reduced(self, failure: Failure) -> Failure:
        if failure.finding.kind in STRUCTURAL:
            return failure
        entry = self._stated().entry
        smaller = sliced(failure.inputs, entry.locality, entry.kind, failure.finding.position)
        found = None if smaller is None else self._again(failure, smaller)
        return found or failure

    def _formula_or_rounding(self, failure: Failure) -> str:
        """Tell a wrong formula from lost digits by running the same arguments in binary64.

        A wrong formula keeps its error, lost digits shrink it by about 2^29. The limit lies halfway, at 2^-14.5 of the
        error: half of the digits that a wider format brings.
        """
        wide = {r: a.astype(np.float64) if isinstance(a, np.ndarray) else a for r, a in failure.inputs.items()}
        if self.dtype == "float64" or failure.finding.k is None:
            return failure.finding.kind
        with jax.enable_x64(True):
            try:
                outputs = self.subject.call(wide, failure.numbers, compiled=False)
            except (Raised, WrongType):
                self.notes.append("the subject does not run in binary64, so formula and rounding were not told apart")
                return failure.finding.kind
        output, position = failure.finding.output, failure.finding.position
        if outputs[output].dtype != np.float64:
            return failure.finding.kind
        exact = float(failure.finding.exact)
        before, after = abs(failure.finding.got - exact), abs(float(outputs[output][position]) - exact)
        return "rounding" if after < before * 2**-14.5 else "formula"

    def explained(self, result: CheckResult) -> CheckResult:
        """Return the result with the smallest witness found, and the conventions that the subject follows instead."""
        failure = self.failure
        if failure is None:
            return self._measured(result)
        if failure.finding.kind in STRUCTURAL:
            return result
        shown: Callable[[Mapping[str, Any]], bool] = lambda inputs: self._again(failure, inputs) is not None  # noqa: E731
        smallest = self._again(failure, simplest(failure.inputs, shown)) or failure
        result = dataclasses.replace(
            result,
            finding=smallest.finding,
            witness=self._witness(smallest),
            k=smallest.finding.k,
            matches=self._matches(),
        )
        return result

    def _measured(self, result: CheckResult) -> CheckResult:
        """Return the result with K at the entry of the largest relative error."""
        if self.tally.worst is None:
            return result
        return dataclasses.replace(result, k=k_at(*self.tally.worst[1]), notes=(*result.notes, *self._decimal_notes()))

    def _matches(self) -> tuple[str, ...]:
        """Return the nearest other conventions under which the subject conforms in the whole round."""
        found: list[str] = []
        for variant in self._stated().variants():
            other = _Run(
                self.object, variant, self.seed, self.roles, self.bind, self.make, self.at, self.shapes, self.dtype
            )
            if other.examine().verdict == "conforms":
                worst = other.tally.worst
                found.append(str(variant) if worst is None else f"{variant} (K = {_k_text(k_at(*worst[1]))})")
                break
        return tuple(found)


def _bits_of(inputs: Mapping[str, Any]) -> bytes:
    return b"".join(array.tobytes() for array in inputs.values() if isinstance(array, np.ndarray))


def _same_bits(outputs: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray] | None) -> bool:
    return other is not None and all(array.tobytes() == other[name].tobytes() for name, array in outputs.items())


def _groups(definition: Definition, calls: list[Call]) -> list[list[Call]]:
    """Return the calls in groups that one evaluation serves: the first step of momentum is a function of its own."""
    if "count" not in definition.entry.state or definition.entry.kind != "update":
        return [calls] if calls else []
    first = [call for call in calls if call[0]["count"] == 0]
    later = [call for call in calls if call[0]["count"] > 0]
    return [group for group in (first, later) if group]


def _stacked(group: list[Call]) -> Call:
    """Return steps as one call with a leading axis; they are independent, for each starts from a given float state."""
    inputs, outputs = group[0]
    together = {
        r: np.stack([each[r] for each, _ in group]) for r, array in inputs.items() if isinstance(array, np.ndarray)
    }
    counts = {"count": tuple(each["count"] for each, _ in group)}
    return {**together, **counts}, {name: np.stack([each[name] for _, each in group]) for name in outputs}


def _k_text(k: float | None) -> str:
    return "undefined" if k is None else f"{k:.2g}"


def _shapes(definition: Definition, term: Any, inputs: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the expected shape of each output."""
    if definition.entry.kind == "update":
        shape = inputs["parameters"].shape
        return {
            "update": shape,
            **{role: () if role.endswith("_power") else shape for role in ("parameters", *definition.entry.state)},
        }
    if definition.entry.kind == "loss":
        return {"loss": ()}
    features = term.target(inputs["x"].shape[-1])
    y = (*inputs["x"].shape[:-1], features)
    return {"y": y, "running_mean": (features,), "running_variance": (features,)}


def _positional(subject: FunctionSubject, roles: list[str], numbers: Mapping[str, Fraction]) -> Callable[..., Any]:
    """Return the function of the arrays of some roles, in order."""

    def function(*arrays: Any) -> Any:
        values = {**dict(zip(roles, arrays, strict=True)), **{name: float(number) for name, number in numbers.items()}}
        named = {name: values[role] for name, role in subject.order.items() if role in values}
        positional = [named.pop(name) for name in subject.positional]
        return with_constants(subject.function, tuple(subject.bound.items()), False)(*positional, **named)

    return function


def _derivative_lines(subject: Subject, failure: Failure) -> list[str]:
    from lenticulum.check.text import jax_array

    assert isinstance(subject, FunctionSubject)
    roles = [role for role in failure.inputs if not role.startswith(("tangent", "cotangent"))]
    constants = {
        **subject.bound,
        **{name: float(failure.numbers[role]) for name, role in subject.order.items() if role in failure.numbers},
    }
    by_role = {role: name for name, role in subject.order.items()}
    names = [by_role[role] for role in roles]
    fixed = "".join(f", {name}={value!r}" for name, value in constants.items())
    passed = ", ".join(name if name in subject.positional else f"{name}={name}" for name in names)
    lines = [*subject.source.imports, "import jax", "import jax.numpy as jnp"]
    lines.append(f"function = lambda {', '.join(names)}: {subject.source.expression}({passed}{fixed})")
    points = ", ".join(jax_array(failure.inputs[role]) for role in roles)
    output = failure.finding.output
    if output == "tangent":
        tangents = ", ".join(jax_array(failure.inputs[f"tangent {role}"]) for role in roles)
        return [*lines, f"got = jax.jvp(function, ({points},), ({tangents},))[1]"]
    if "cotangent" not in failure.inputs:
        return [*lines, f"got = jax.vjp(function, {points})"]
    place = roles.index(output.removeprefix("cotangent ")) if output.startswith("cotangent ") else None
    pick = "" if place is None else f"[{place}]"
    return [*lines, f"got = jax.vjp(function, {points})[1]({jax_array(failure.inputs['cotangent'])}){pick}"]


__all__ = ["CallError", "check", "examine"]
