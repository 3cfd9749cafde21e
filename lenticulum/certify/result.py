"""CertifyResult: the verdict on a kernel over a whole domain, with bounds, witnesses, and what is not claimed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lenticulum.certify.campaign import Campaign
from lenticulum.certify.cross_check import CrossCheck
from lenticulum.certify.shard import Point, ShardResult
from lenticulum.check.result import Verdict


@dataclass(frozen=True)
class WholeFinding:
    """The worst rejected input: its kind, patterns, the exact value as a decimal, and K (or the error in ulp).

    `stratum`: "" for a finding about runs of the subject. `y`: None where no output is to blame. `words`: what
    happened, where the numbers do not say it.
    """

    kind: str
    x: Point
    y: int | None
    exact: str
    criterion: str
    k: float | None
    stratum: str
    words: str = ""


@dataclass(frozen=True)
class Conduct:
    """What was seen of a subject's calls beside the numbers: notes, and what is wrong with them, with a program."""

    notes: tuple[str, ...] = ()
    finding: WholeFinding | None = None
    witness: tuple[str, ...] = ()


@dataclass(frozen=True)
class CertifyResult(Verdict):
    """What a run over a domain found.

    `verdict`: "conforms", "differs", "undecided", or "not covered" (the run is incomplete and found nothing).
    `merged`: counts, maxima and witnesses by stratum. `outputs`: all outputs of an 8- or 16-bit format, little-endian.
    `coverage`: in words that cannot be misread. `seconds`: of work in this call; no part of the claim.
    """

    verdict: str
    campaign: Campaign
    merged: ShardResult
    coverage: str
    finding: WholeFinding | None = None
    witness: tuple[str, ...] = ()
    matches: tuple[str, ...] = ()
    cross_check: CrossCheck | None = None
    outputs: bytes = b""
    surroundings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    not_claimed: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether every input of the domain was judged."""
        return self.merged.inputs == self.campaign.domain.count

    def __str__(self) -> str:
        from lenticulum.certify.report import text

        return text(self)
