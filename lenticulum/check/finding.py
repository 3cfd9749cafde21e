"""Findings and tallies: what a verdict rejects, and what it counted on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from lenticulum.numbers import ExactArray
from lenticulum.spec.elementwise import Expected


def float_roles(arrays: Mapping[str, Any]) -> list[str]:
    """Return the roles that hold floats; integers and booleans have no rounding, no ulp and no derivative.

    >>> float_roles({"prediction": np.zeros(2), "label": np.array([1]), "count": 3})
    ['prediction']
    """
    return [r for r, array in arrays.items() if isinstance(array, np.ndarray) and array.dtype.kind not in "iub"]


@runtime_checkable
class Meaning(Protocol):
    """What is judged against: a definition, or the derivative of one."""

    @property
    def entry(self) -> Any: ...

    @property
    def output(self) -> str: ...

    def outputs(self, term: Any, roles: Mapping[str, Any]) -> dict[str, ExactArray]: ...

    def forms(self, term: Any) -> tuple[Form, ...]: ...

    def special(self, term: Any, *arrays: np.ndarray) -> dict[int, Expected]: ...


@runtime_checkable
class Form(Protocol):
    """A closed form of a meaning: role -> array of any exact system, to the outputs by name."""

    def __call__(self, roles: Mapping[str, Any], /) -> dict[str, ExactArray]: ...


@dataclass(frozen=True)
class Finding:
    """One entry of one output that the verdict rejects, with what was measured there.

    `kind`: one of the kinds of finding. `k`: a lower bound of K (or of T where `criterion` is "T"), None where it is
    undefined."""

    kind: str
    output: str
    position: tuple[int, ...]
    got: float
    exact: str
    stratum: str
    criterion: str = "K"
    k: float | None = None
    bound: tuple[float, float] | None = None
    note: str = ""


@dataclass
class Tally:
    """What a run judged: entries by stratum, by the criterion that carried them, by kind of finding, and undecided.

    `worst`: the largest relative error, and the case (arguments of `k_at`) that it belongs to."""

    strata: Counter[str] = field(default_factory=Counter)
    carried: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    undecided: int = 0
    largest_k: float = 0.0
    largest_t: float = 0.0
    worst: tuple[float, Any] | None = None

    def merge(self, other: Tally) -> None:
        """Add the counts of another run."""
        self.strata += other.strata
        self.carried += other.carried
        self.rejected += other.rejected
        self.undecided += other.undecided
        self.largest_k = max(self.largest_k, other.largest_k)
        self.largest_t = max(self.largest_t, other.largest_t)
        if other.worst and (self.worst is None or other.worst[0] > self.worst[0]):
            self.worst = other.worst
