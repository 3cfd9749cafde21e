"""The laws that need no oracle, tried on some calls of a run."""

from __future__ import annotations

from lenticulum.certify.arrays.result import LawTally
from lenticulum.certify.arrays.run import Campaign


def try_laws(campaign: Campaign, seed: int) -> tuple[LawTally, ...]:
    """Return what each law of the definition says."""
    del campaign, seed
    return ()
