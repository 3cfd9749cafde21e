"""Reports: a result or a definition as text for people, and as one JSON object for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from lenticulum.catalog import Entry, lookup, names
from lenticulum.check.definition import written
from lenticulum.check.finding import Finding
from lenticulum.check.result import CheckResult


def text(result: CheckResult) -> str:
    """Write a result: the verdict first, then the witness, what it matches instead, and what it rests on."""
    lines = _verdict(result)
    if result.finding is not None:
        lines += _finding(result)
    else:
        lines += _support(result)
    lines += [f"  {note}" for note in result.notes]
    lines += blamed(result.lines)
    lines += [f"  in every case: {name}; what lies outside was not covered" for name in result.degeneracies]
    if result.undecided:
        lines.append(f"  undecided entries: {result.undecided}; they count neither for nor against it")
    if result.finding is None:
        lines += [f"  not covered: {what}" for what in result.not_covered]
    return "\n".join(lines)


def _verdict(result: CheckResult) -> list[str]:
    if result.lines and result.verdict in ("differs", "conforms"):
        return _verdict_at(result)
    if result.verdict == "differs":
        what = f"is not {result.spec}" if result.spec else "breaks a law that needs no definition"
        return [f"DIFFERS ({result.kind})  {result.subject} {what}"]
    if result.verdict == "conforms" and result.spec is None:
        return [f"CONFORMS  {result.subject} keeps every law that needs no definition, as far as it was tried"]
    if result.verdict == "conforms":
        return [f"CONFORMS  {result.subject} is {result.spec}, as far as it was tried"]
    if result.verdict == "undecided":
        against = f"against {result.spec}" if result.spec else "at this point"
        return [f"UNDECIDED  {result.subject} {against}"]
    return [f"NOT COVERED  {result.subject}: no difference found, but not all could be tried"]


def _verdict_at(result: CheckResult) -> list[str]:
    if result.verdict == "differs":
        return [f"DIFFERS ({result.kind})  {result.subject} is not what its own program means at this point"]
    return [f"CONFORMS  {result.subject} is what its own program means at this point"]


#: So many equations are shown; --json has all of them.
SHOWN = 5


def blamed(lines: Sequence[Any]) -> list[str]:
    """Write which lines lose the digits, the first most; nothing for a result that is of no single point."""
    if not lines:
        return []
    written = [
        "  which line loses the digits (its relative change of the result; how much it enlarges earlier roundings):"
    ]
    for each in lines[:SHOWN]:
        place = "a line that JAX did not keep" if each.line is None else str(each.line)
        size = "no number" if math.isinf(each.error) else f"{each.error:.2g}"
        written.append(f"    {place}  {each.primitive}: {each.phenomenon}, {size}; {each.amplification:.2g} times")
    return written + ([f"    and {len(lines) - SHOWN} other equations"] if len(lines) > SHOWN else [])


def _finding(result: CheckResult) -> list[str]:
    finding, witness = result.finding, result.witness
    assert finding is not None
    lines = []
    if witness is not None and finding.exact:
        lines += [f"  at {witness.call}"] if "(" in witness.call else []
        place = f"[{', '.join(map(str, finding.position))}]" if finding.position else ""
        measured = "" if finding.k is None else f"  {finding.criterion} = {finding.k:.3g}"
        lines.append(f"  {finding.output}{place}: got {finding.got!r}  exact {finding.exact}{measured}")
        if finding.bound is not None:
            lines.append(
                f"  the running bound of the textbook evaluation allows {finding.bound[0]!r} to {finding.bound[1]!r}"
            )
        lines.append(f"  stratum: {finding.stratum}")
    if finding.note:
        lines.append(f"  {finding.note}")
    lines += [f"  it matches {match}" for match in result.matches]
    if witness is not None:
        lines += ["  to see it, run:", *(f"    {line}" for line in witness.lines)]
    return lines


def _support(result: CheckResult) -> list[str]:
    if not result.carried and not result.strata:
        return []
    criteria = {
        "running bound": "inside the running bound",
        "K": "with K <= 4",
        "T": "with T within its limit",
        "ulp": "within",
        "overflow": "that overflow as the exact value does",
        "flushed": "flushed to zero as everywhere here",
        "at a kink": "at a jump of a derivative, where no second derivative is due",
        "beside a kink": "with the slope of the other side of a kink within 4 u",
        "undefined at infinity": "excused, because a printed closed form has no value at that infinity",
        "textbook overflow": "excused, because every closed form overflows there",
    }
    carried = [f"{count} {criteria[name]}" for name, count in result.carried.items()]
    strata = ", ".join(f"{count} {name}" for name, count in sorted(result.strata.items()))
    k = "; K = " + ("undefined" if result.k is None else f"{result.k:.3g}") + " at the largest relative error"
    return [
        f"  {result.grade}: {', '.join(carried) or 'special values equal'}{k}",
        f"  entries: {strata}; seed {result.seed}",
    ]


def as_json(result: CheckResult) -> str:
    """Write a result as one JSON object; NaN and infinities are strings."""
    return json.dumps(
        {
            "verdict": result.verdict,
            "exit_code": result.exit_code,
            "subject": result.subject,
            "spec": result.spec,
            "seed": result.seed,
            "finding": finding_as_data(result.finding),
            "witness": result.witness and result.witness.code,
            "matches": list(result.matches),
            "k": number_as_data(result.k),
            "grade": result.grade,
            "strata": dict(sorted(result.strata.items())),
            "carried": dict(sorted(result.carried.items())),
            "undecided": result.undecided,
            "degeneracies": list(result.degeneracies),
            "notes": list(result.notes),
            "not_covered": list(result.not_covered),
            "lines": [
                {
                    "file": each.line and each.line.file,
                    "line": each.line and each.line.number,
                    "primitive": each.primitive,
                    "phenomenon": each.phenomenon,
                    "error": number_as_data(each.error),
                    "amplification": number_as_data(each.amplification),
                }
                for each in result.lines
            ],
        },
        allow_nan=False,
    )


def finding_as_data(finding: Finding | None) -> dict[str, Any] | None:
    """Return a finding as JSON has it."""
    return finding and {
        "kind": finding.kind,
        "output": finding.output,
        "position": list(finding.position),
        "got": number_as_data(finding.got),
        "exact": finding.exact,
        "criterion": finding.criterion,
        "k": number_as_data(finding.k),
        "bound": finding.bound and [number_as_data(end) for end in finding.bound],
        "stratum": finding.stratum,
        "note": finding.note,
    }


def number_as_data(value: float | None) -> float | str | None:
    """Return a number as JSON has it: NaN and infinities as text.

    >>> number_as_data(1.5), number_as_data(math.inf), number_as_data(None)
    (1.5, 'inf', None)
    """
    return value if value is None or math.isfinite(value) else str(value)


def listed() -> str:
    """Write the names of all definitions, those of one kind on a line."""
    kinds: dict[str, list[str]] = {}
    for name in names():
        kinds.setdefault(lookup(name).kind, []).append(name)
    return "\n".join(f"{kind}: {', '.join(each)}" for kind, each in kinds.items())


def describe(row: Entry) -> str:
    """Write a definition: its equation, roles, conventions, laws, and the answers to the three questions."""
    spellings: dict[str, list[str]] = {}
    for short, name in row.short.items():
        spellings.setdefault(name, []).append(short)
    lines = [f"{row.name}  ({', '.join([row.kind, *(f'also {alias}' for alias in row.aliases)])})", f"  {row.equation}"]
    lines.append(f"  arrays: {', '.join(f'{n} (optional)' if n in row.optional else n for n in row.arrays)}")
    if row.state:
        lines.append(f"  state: {', '.join(row.state)}")
    if row.modes:
        lines.append(f"  mode: {' or '.join(row.modes)}; it must be given")
    for name, default in row.hyperparameters().items():
        also = f"  (also {', '.join(spellings[name])})" if name in spellings else ""
        lines.append(f"  {name} = {default}{also}")
    for name, choices in row.conventions.items():
        lines.append(f"  {name} = {' | '.join(choices)}; default {getattr(row.example, name)}")
    for name, default in row.settings().items():
        also = f"  (also {', '.join(spellings[name])})" if name in spellings else ""
        lines.append(f"  {name} = {written(default)}, a JSON literal{also}")
    lines += [f"  law: {law}" for law in row.laws]
    lines.append(f"  which values determine the result: {row.determines}")
    lines.append(f"  pure, seeded or an effect: {row.purity}")
    lines.append(f"  old and new state: {row.states}")
    meaning: Any = row.spec()
    lines.append(f"  exact meaning: {meaning.__module__}.{meaning.__qualname__}")
    lines.append(f"  source: {row.source}")
    return "\n".join(lines)
