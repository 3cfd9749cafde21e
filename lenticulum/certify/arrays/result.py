"""ArrayResult: the verdict on a function of arrays over families of inputs, with measures and what is not claimed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lenticulum.certify.arrays.tally import FamilyTally
from lenticulum.check.finding import Finding
from lenticulum.check.result import Verdict


@dataclass(frozen=True)
class LawTally:
    """What one law that needs no oracle said over all calls: how many, and the largest share of its allowance."""

    law: str
    statement: str
    calls: int
    compared: int
    largest: float
    violated: int


@dataclass(frozen=True)
class ArrayResult(Verdict):
    """What a run over families found.

    `verdict`: "conforms", "differs", "undecided" or "not covered". `families`: one tally each; `special`: entries of
    small arrays with special values, ties and near overflow, by the criterion that carried them. `finding`, `witness`:
    the first difference, and a program that shows it. `matches`: what the subject is instead. `summands`: the products
    in a sum of the longest call, and the limit of T there.
    """

    verdict: str
    subject: str
    spec: str
    dtype: str
    mode: str
    seed: int
    coverage: str
    families: tuple[FamilyTally, ...]
    special: dict[str, int]
    laws: tuple[LawTally, ...] = ()
    finding: Finding | None = None
    witness: tuple[str, ...] = ()
    matches: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    not_claimed: tuple[str, ...] = ()
    within: Any = None
    flushes: bool = False
    seconds: float = 0.0

    def __str__(self) -> str:
        from lenticulum.certify.arrays.report import text

        return text(self)
