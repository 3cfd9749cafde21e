"""Law: a kernel computes what a definition says, or an entry of it, at arguments that describe its arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lenticulum.check.definition import Definition, parse
from lenticulum.check.derivative import Derivative
from lenticulum.check.finding import Finding, Form, Meaning, float_roles
from lenticulum.check.judge import judge
from lenticulum.check.kernel_law import Kernel
from lenticulum.numbers import Undecided, ball, working_precision
from lenticulum.programs import Balls, UnknownPrimitive, trace
from lenticulum.spec.draw import Draw
from lenticulum.spec.elementwise import Expected
from lenticulum.spec.law import Grade, Law

#: Bits of the exact values.
PRECISION = 128

#: Drawn arguments by name -> arrays and hyper-parameters of the definition by role.
Roles = Callable[..., Mapping[str, Any]]


@dataclass(frozen=True)
class Claim:
    """What a kernel says it is.

    `definition`: its name in the catalogue. `roles`: from the arguments to the arrays and fields of the definition.
    `entry`: from the arguments to the index of the entries of the value that the kernel returns, if not all. `of`: the
    kernel is a backward pass and returns the cotangents of these arrays, in order; where `roles` name no cotangent, it
    is that of the sum of the value.
    """

    definition: str
    roles: Roles
    entry: Callable[..., Any] | None = None
    of: tuple[str, ...] = ()


class Part:
    """Some entries of a meaning as a meaning of its own."""

    def __init__(self, whole: Meaning, index: Any) -> None:
        self.whole, self.index = whole, index
        self.entry, self.output = whole.entry, whole.output

    def outputs(self, term: Any, roles: Mapping[str, Any]) -> dict[str, Any]:
        """Return these entries."""
        return {name: array[self.index] for name, array in self.whole.outputs(term, roles).items()}

    def forms(self, term: Any) -> tuple[Form, ...]:
        """Return the closed forms of these entries."""

        def picked(form: Form) -> Form:
            return lambda roles: {name: array[self.index] for name, array in form(roles).items()}

        return tuple(map(picked, self.whole.forms(term)))

    def special(self, term: Any, *arrays: np.ndarray) -> dict[int, Expected]:
        """Refuse: an elementwise function is judged as a whole."""
        raise TypeError(f"{self.entry.name}: a part has no table of special inputs")


def meets(claim: Claim, right: Kernel, planted: Mapping[str, Kernel]) -> Law[Kernel]:
    """Return the law that a kernel is what it claims to be, with a right kernel and planted mistakes."""
    definition = parse(claim.definition)
    what = f"the cotangents of {', '.join(claim.of)} of " if claim.of else ""

    def check(kernel: Kernel, draw: Draw) -> None:
        given = kernel.drawn(draw)
        _judged(kernel, claim, definition, given)

    statement = f"the kernel is {what}{claim.definition}"
    return Law(
        f"meaning.{definition.entry.name}", statement, definition.entry.source, Grade.ENCLOSED, right, check, planted
    )


def _judged(kernel: Kernel, claim: Claim, definition: Definition, given: Mapping[str, Any]) -> None:
    roles = dict(claim.roles(**given))
    fields = {*definition.entry.hyperparameters(), *definition.entry.settings()}
    numbers = {role: roles.pop(role) for role in list(roles) if role in fields}
    # A float is its exact value.
    numbers = {r: each.item() if isinstance(each, np.ndarray) else each for r, each in numbers.items()}
    inputs = {role: np.asarray(each) for role, each in roles.items()}
    term = definition.term({role: array.shape for role, array in inputs.items()}, numbers)
    meaning: Meaning = definition
    got = kernel.call(given)
    if claim.of:
        if "cotangent" not in inputs:
            shape = _value(definition, term, inputs).shape
            inputs["cotangent"] = np.ones(shape, kernel.dtype)
        wrt = tuple(role for role in float_roles(inputs) if role != "cotangent")
        meaning = Derivative(definition, wrt, definition.output, reverse=True)
        names = [f"cotangent {role}" for role in claim.of]
    else:
        names = [definition.output]
    if claim.entry is not None:
        meaning = Part(meaning, claim.entry(**given))
    if len(got) != len(names):
        kernel.reject("type", f"the call returns {len(got)} arrays, expected {len(names)}", given)
    outputs = dict(zip(names, got, strict=True))
    finding, tally = judge(meaning, term, inputs, outputs, kernel.environment)
    if finding is not None:
        kind = "derivative" if claim.of else _kind(kernel, given, finding)
        facts = {"position": list(finding.position), "got": finding.got, "exact": finding.exact}
        if finding.note:
            facts["note"] = finding.note
        kernel.reject(kind, f"{finding.output} is not that of {claim.definition}", given, **facts)
    if tally.undecided:
        raise Undecided(f"{tally.undecided} entries were not decided")


def _value(definition: Definition, term: Any, inputs: Mapping[str, Any]) -> Any:
    arrays = {role: ball(array) if role in float_roles(inputs) else array for role, array in inputs.items()}
    return definition.outputs(term, arrays)[definition.output]


def _kind(kernel: Kernel, given: Mapping[str, Any], finding: Finding) -> str:
    """Tell a wrong formula from lost digits: there the exact meaning of the program may be that of the definition."""
    if finding.kind != "formula" or finding.bound is None:
        return finding.kind
    floats = {name: given[name] for name in float_roles(given)}
    # A position is data too; the other integers are sizes and places, which a program has as constants.
    whole = {name: np.int32(each) for name, each in given.items() if kernel.arguments[name].kind == "position"}
    traced = {**floats, **whole}
    fixed = {name: each for name, each in given.items() if name not in traced}

    def function(*arrays: Any) -> Any:
        return kernel.function(**fixed, **dict(zip(traced, arrays, strict=True)))

    try:
        program = trace(function, *traced.values())
        with working_precision(PRECISION):
            meant = program.read(Balls(), *traced.values())[0]
    except (UnknownPrimitive, TypeError, ValueError):
        return finding.kind
    element = meant[finding.position].elements[0]
    low, high = finding.bound
    overlaps = element.is_finite() and float(element.lower()) <= high and low <= float(element.upper())
    return "rounding" if overlaps else finding.kind
