"""What a run over families knows: for each family counts, the largest of each measure, and where it was."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from lenticulum.certify.arrays.assess import Assessment, Worst

#: The measures of a call, in the order of a report.
MEASURES = ("ulp", "share", "k", "t", "t_wide")


@dataclass(frozen=True)
class Place:
    """Where something was seen: the shapes, which draw, and the entry of the output."""

    shapes: str
    draw: tuple[int, ...]
    entry: tuple[int, ...]


@dataclass
class Largest:
    """The largest value of a measure: an upper bound over all entries, and the value at a witness."""

    at_least: float = 0.0
    at_most: float = 0.0
    place: Place | None = None

    def take(self, worst: Worst, place: Place) -> None:
        """Keep the larger."""
        self.at_most = max(self.at_most, worst.at_most)
        if self.place is None or worst.at_least > self.at_least:
            self.at_least, self.place = worst.at_least, place


@dataclass
class FamilyTally:
    """What the calls of one family gave.

    `outside`: calls at which the definition has no value; `undecided`: entries. `share`: of the running bound.
    """

    name: str
    calls: int = 0
    outputs: int = 0
    accepted: Counter[str] = field(default_factory=Counter)
    rejected: int = 0
    undecided: int = 0
    outside: int = 0
    escalated: int = 0
    largest: dict[str, Largest] = field(default_factory=dict)

    def add(self, found: Assessment, shapes: str, draw: tuple[int, ...], entry: Any) -> None:
        """Add one call. `entry`: from a flat position to the entry of the output."""
        self.calls += 1
        self.outputs += found.outputs
        self.accepted += found.accepted
        self.rejected += len(found.rejected)
        self.undecided += found.undecided
        self.escalated += found.escalated
        for name in MEASURES:
            worst: Worst | None = getattr(found, name)
            if worst is not None:
                self.largest.setdefault(name, Largest()).take(worst, Place(shapes, draw, entry(worst.flat)))
