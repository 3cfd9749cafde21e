"""The rule by which a run accepts an output."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from lenticulum.numbers.formats import Format

#: K <= 4: the roundings of a straightforward evaluation.
K_LIMIT = 4


@dataclass(frozen=True)
class Rule:
    """What is accepted: the default rule, or a bound in ulp; and whether subnormal numbers are flushed."""

    format: Format
    flushes: bool
    within: Fraction | None = None

    @property
    def unit(self) -> float:
        """u = 2^-p."""
        return float(self.format.unit_roundoff)

    @property
    def exact_eta(self) -> Fraction:
        """What underflow excuses: half the subnormal spacing, or the smallest normal number."""
        return self.format.smallest_normal if self.flushes else self.format.smallest_subnormal / 2

    @property
    def eta(self) -> float:
        """The same as a float64 number; formats of fewer bits only."""
        return float(self.exact_eta)
