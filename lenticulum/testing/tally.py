"""Tally: the seed of a test session, and what its assertions count, so that nothing is left out in silence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Tally:
    """The seed of the session, and the number of cases that were checked, undecided, or not run.

    `not_run`: the hypotheses of the law did not hold in the case, so that it counts neither for nor against it.
    `properties`: what the running test has recorded; a JUnit report shows them.
    """

    seed: int = 0
    checked: int = 0
    undecided: int = 0
    not_run: int = 0
    properties: list[tuple[str, str]] = field(default_factory=list)

    def record(self, result: Any) -> None:
        """Keep what a check found, for the report of the running test."""
        facts = {"subject": result.subject, "spec": result.spec, "verdict": result.verdict, "kind": result.kind}
        facts["grade"] = result.grade or None
        self.properties += [(f"lenticulum.{name}", str(fact)) for name, fact in facts.items() if fact is not None]

    def add(self, *, checked: int = 0, undecided: int = 0, not_run: int = 0) -> None:
        """Count more cases."""
        self.checked += checked
        self.undecided += undecided
        self.not_run += not_run

    def lines(self) -> list[str]:
        """What a summary says; nothing where nothing was counted."""
        if not self.checked + self.undecided + self.not_run:
            return []
        return [
            f"{self.checked} cases checked (seed {self.seed})",
            f"{self.undecided} undecided",
            f"{self.not_run} not run (the hypotheses of the law did not hold)",
        ]


#: One for each process: an assertion has no other way to reach the session that it runs in.
SESSION = Tally()
