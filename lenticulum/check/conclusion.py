"""The end of a check: the result, the smallest witness, and the conventions that the subject follows instead."""

from __future__ import annotations

import dataclasses

from lenticulum.check.definition import Definition
from lenticulum.check.errors import CallError
from lenticulum.check.failure import STRUCTURAL, Failure
from lenticulum.check.judge import k_at
from lenticulum.check.modules import is_module
from lenticulum.check.modules.check_module import check_module
from lenticulum.check.result import CheckResult
from lenticulum.check.run import Run
from lenticulum.check.unspecified import check_laws
from lenticulum.terms import replace as replace_fields

#: What excuses an entry, and why; each is counted and named in the result.
EXCUSES = {
    "textbook overflow": "every closed form of the definition overflows on the way there",
    "undefined at infinity": "NaN, where a closed form of the definition, as printed, has no value at that infinity",
}


def concluded(run: Run) -> CheckResult:
    """Return the verdict of a check, with the first finding as it was met."""
    if run.definition is None:
        if is_module(run.object):
            return check_module(run.object, run.source, run.seed, run.make, run.bind, run.shapes, run.dtype)
        if run.make:
            raise CallError(f"--make constructs a module; {run.source.name} is none")
        return check_laws(run.object, run.source, run.seed, run.bind, run.shapes, run.dtype)
    run.go()
    result = CheckResult(
        verdict="differs" if run.failure else "undecided" if run.tally.undecided else "conforms",
        subject=run.source.name,
        spec=f"{'' if run.meaning is run.judged else 'the derivative of '}{run.definition}",
        seed=run.seed,
        grade=f"enclosed({sum(run.tally.strata.values())})",
        strata=dict(run.tally.strata),
        carried=dict(run.tally.carried),
        undecided=run.tally.undecided,
        degeneracies=run.degeneracies,
        notes=tuple(dict.fromkeys([*run.notes, *_notes(run)])),
        not_covered=("other shapes, dtypes, devices and versions",),
    )
    return result if run.failure is None else with_failure(run, result, run.failure)


def _notes(run: Run) -> list[str]:
    notes: list[str] = []
    if run.environment.flushes:
        notes.append("subnormal numbers are flushed to zero here; that was probed and excused")
    for excuse, why in EXCUSES.items():
        if run.tally.carried[excuse]:
            notes.append(f"{run.tally.carried[excuse]} entries are excused: {why}")
    if run.tally.rejected.total() > 1:
        told = ", ".join(f"{count} {kind}" for kind, count in sorted(run.tally.rejected.items()))
        notes.append(f"rejected in the same call: {told} of {run.tally.strata.total()} entries judged")
    return notes


def with_failure(run: Run, result: CheckResult, failure: Failure) -> CheckResult:
    """Return the result with a failure, reduced to what its finding depends on, and a witness."""
    failure = run.repeater.reduced(failure)
    notes = result.notes
    if failure.finding.kind == "formula" and failure.finding.criterion != "ulp":
        kind, note = run.repeater.formula_or_rounding(failure)
        notes += () if note is None else (note,)
        failure = dataclasses.replace(failure, finding=dataclasses.replace(failure.finding, kind=kind))
    run.failure = failure
    witness = run.repeater.witness(failure)
    return dataclasses.replace(result, finding=failure.finding, witness=witness, k=failure.finding.k, notes=notes)


def explained(run: Run, result: CheckResult) -> CheckResult:
    """Return the result with the smallest witness found, and the conventions that the subject follows instead."""
    if run.failure is None:
        return _measured(run, result)
    if run.failure.finding.kind in STRUCTURAL:
        return result
    smallest = run.repeater.smallest(run.failure)
    return dataclasses.replace(
        result,
        finding=smallest.finding,
        witness=run.repeater.witness(smallest),
        k=smallest.finding.k,
        matches=_matches(run),
    )


def _measured(run: Run, result: CheckResult) -> CheckResult:
    """Return the result with K at the entry of the largest relative error."""
    if run.tally.worst is None:
        return result
    return dataclasses.replace(result, k=k_at(*run.tally.worst[1]), notes=(*result.notes, *_decimal_notes(run)))


def _decimal_notes(run: Run) -> list[str]:
    """Say what was received for a decimal hyper-parameter, and K against the decimal itself."""
    if not run.inexact or run.tally.worst is None:
        return []
    (_, term, inputs, output, flat, y, environment) = run.tally.worst[1]
    at_decimals = replace_fields(term, **run.inexact)
    k = k_at(run.meant(_stated(run)), at_decimals, inputs, output, flat, y, environment)
    given = ", ".join(f"{name} = {number} (received {float(number)!r})" for name, number in run.inexact.items())
    return [f"judged at the numbers received; {given}: against the decimals K = {_k_text(k)} at the same entry"]


def _matches(run: Run) -> tuple[str, ...]:
    """Return the nearest other conventions under which the subject conforms in the whole round."""
    for variant in _stated(run).variants():
        other = Run(run.object, variant, run.seed, run.roles, run.bind, run.make, run.at, run.shapes, run.dtype)
        if conforms(other):
            worst = other.tally.worst
            return (str(variant) if worst is None else f"{variant} (K = {_k_text(k_at(*worst[1]))})",)
    return ()


def conforms(other: Run) -> bool:
    """Return whether a whole round conforms; the given shapes may not fit another convention."""
    try:
        return concluded(other).verdict == "conforms"
    except CallError:
        return False


def _stated(run: Run) -> Definition:
    assert run.definition is not None
    return run.definition


def _k_text(k: float | None) -> str:
    return "undefined" if k is None else f"{k:.2g}"
