"""Findings of identity: what collides, how one gets there, and what was served in the place of what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from lenticulum.check.identity.parts import Path, written
from lenticulum.check.witness import Witness

OUTSIDE = "parameter outside the key"
TWIN = "equal but different"
VARIANT = "variant collides"
ASSIGNED = "assignment after first use"
MUTABLE = "mutable in the key"
STASH = "stash under a cache"
RAISES = "equality raises"
ROUND_TRIP = "changed in the round trip"
MISSES = "rebuild misses"
NEW_CLASS = "new class per build"
CAPTURED = "captured outside the arguments"

#: A wrong program was served, or the call failed; it may be, but no program was run; right, and compiled again.
ERROR, WARNING, NOTE = "error", "warning", "performance note"


@dataclass(frozen=True)
class IdentityFinding:
    """One difference that a cache of compiled programs does not see, or sees where there is none.

    `kind`: which; `path` and `change`: where, and the expression of the other value; `keys`: of both objects, as text;
    `served` and `truth`: results of the same call after another object and with cleared caches (None without a
    program); `traces`, `programs`: how often was traced, and how many programs there are; `witness`: a program that
    shows it, which sets `got` and `truth`."""

    severity: str
    kind: str
    path: Path
    change: str
    keys: tuple[str, ...] = ()
    served: Any = None
    truth: Any = None
    traces: int | None = None
    programs: int | None = None
    note: str = ""
    witness: Witness | None = None

    def __str__(self) -> str:
        where = f" at {written(self.path)}" if self.path else ""
        lines = [f"{self.severity}: {self.kind}{where}{f', {self.change}' if self.change else ''}"]
        if self.served is not None:
            lines.append(f"  served {shown(self.served)}, truth {shown(self.truth)}")
        if self.traces is not None:
            lines.append(
                f"  {self.traces} {_plural('trace', self.traces)} for {self.programs} "
                f"{_plural('program', self.programs or 0)}"
            )
        lines += [f"  key: {key}" for key in dict.fromkeys(self.keys)]
        return "\n".join(lines + ([f"  {self.note}"] if self.note else []))


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def shown(result: Any) -> str:
    """Write the leaves of a result with their dtypes, long ones cut.

    >>> shown(np.float32(20.0))
    'float32 20.0'
    """
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(result)]
    return ", ".join(f"{leaf.dtype.name} {_cut(str(leaf.tolist()))}" for leaf in leaves)


def _cut(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[:limit]}..."
