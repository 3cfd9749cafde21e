"""IdentityResult: whether two meanings of an object can share one compiled program, and what that rests on."""

from __future__ import annotations

from dataclasses import dataclass

from lenticulum.check.identity.finding import ERROR, WARNING, IdentityFinding
from lenticulum.check.result import Verdict
from lenticulum.check.witness import Witness


@dataclass(frozen=True)
class IdentityResult(Verdict):
    """What `check_identity` found, of the same family as `CheckResult`.

    `verdict`: "differs" with an error, "undecided" with warnings only, "not covered" where nothing could be tried, else
    "conforms". `findings`: the errors first. `entries`, `values`, `refused`: parts of the object that got other values,
    how many values, and how many of these a constructor or the program refused. `same_program`: pairs of one key whose
    programs are one. `traces`, `programs`: of two builds of the object. `notes`, `not_covered`: what else to know.
    """

    verdict: str
    subject: str
    carrier: str
    findings: tuple[IdentityFinding, ...] = ()
    entries: int = 0
    values: int = 0
    refused: int = 0
    same_program: int = 0
    traces: int | None = None
    programs: int | None = None
    notes: tuple[str, ...] = ()
    not_covered: tuple[str, ...] = ()

    @property
    def kind(self) -> str | None:
        """ "identity" where a finding decides the verdict."""
        return "identity" if self.verdict == "differs" else None

    @property
    def finding(self) -> IdentityFinding | None:
        """The first finding."""
        return self.findings[0] if self.findings else None

    @property
    def witness(self) -> Witness | None:
        """Of the first finding."""
        return None if self.finding is None else self.finding.witness

    @property
    def errors(self) -> tuple[IdentityFinding, ...]:
        """The findings of a wrong program, or of a call that fails."""
        return tuple(each for each in self.findings if each.severity == ERROR)

    def __str__(self) -> str:
        lines = [_verdict(self)]
        for each in self.findings:
            lines += [f"  {line}" for line in str(each).splitlines()]
            if each.witness is not None and each is self.finding:
                lines += ["  to see it, run:", *(f"    {line}" for line in each.witness.lines)]
        counted = f"{self.values} values of {self.entries} parts, {self.refused} refused, passed as {self.carrier}"
        lines.append(f"  tried: {counted}")
        if self.same_program:
            lines.append(f"  pairs of one key with one program: {self.same_program}")
        if self.traces is not None:
            lines.append(f"  two builds: {self.traces} traces for {self.programs} programs")
        lines += [f"  {note}" for note in self.notes]
        return "\n".join([*lines, *(f"  not covered: {what}" for what in self.not_covered)])


def _verdict(result: IdentityResult) -> str:
    if result.verdict == "differs":
        return f"DIFFERS (identity)  {result.subject} can be served the program of another"
    if result.verdict == "undecided":
        return f"UNDECIDED  {result.subject} shares its key with others; no program shows whether that matters"
    if result.verdict == "conforms":
        return f"CONFORMS  {result.subject} has a key of its own, as far as it was tried"
    return f"NOT COVERED  {result.subject}: no difference found, but not all could be tried"


def verdict_of(findings: tuple[IdentityFinding, ...], tried: int, complete: bool) -> str:
    """Return the verdict of findings; `complete`: nothing stopped the check, `tried`: how much was tried."""
    severities = {each.severity for each in findings}
    if ERROR in severities:
        return "differs"
    if WARNING in severities:
        return "undecided"
    return "conforms" if complete and tried else "not covered"
