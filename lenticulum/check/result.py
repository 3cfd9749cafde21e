"""Results: what all verdicts have in common, and the verdict on one subject with what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lenticulum.check.finding import Finding
from lenticulum.check.witness import Witness

EXIT_CODES = {"conforms": 0, "differs": 1, "undecided": 3, "not covered": 3}


class Verdict:
    """What the results of all verbs have in common: a verdict, the first finding, and the exit code that says it."""

    verdict: str
    finding: Any

    @property
    def kind(self) -> str | None:
        """The kind of the finding, if there is one."""
        return None if self.finding is None else self.finding.kind

    @property
    def exit_code(self) -> int:
        """0 conforms, 1 differs, 3 undecided or not covered."""
        return EXIT_CODES[self.verdict]


@dataclass(frozen=True)
class CheckResult(Verdict):
    """What a check found.

    `verdict`: "conforms", "differs", "undecided" or "not covered". `finding` and `witness`: of the first difference.
    `strata`: judged entries by stratum; `carried`: how many passed by which criterion. `k`: K at the entry with the
    largest relative error; for a finding, at the finding. `matches`: other conventions of the same definition that the
    subject follows. `grade`: how strong the verdict is. `not_covered`: what nobody should read into it.
    `lines`: of one point, the equations of the program, the one that loses most digits first (`Contribution`).
    """

    verdict: str
    subject: str
    spec: str | None
    seed: int
    finding: Finding | None = None
    witness: Witness | None = None
    matches: tuple[str, ...] = ()
    k: float | None = None
    grade: str = ""
    strata: Mapping[str, int] = field(default_factory=dict)
    carried: Mapping[str, int] = field(default_factory=dict)
    undecided: int = 0
    degeneracies: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    not_covered: tuple[str, ...] = ()
    lines: tuple[Any, ...] = ()

    def __str__(self) -> str:
        from lenticulum.check.report import text

        return text(self)
