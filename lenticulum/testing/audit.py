"""Audit: what a session of `audited_jit` counts: calls, traces, programs, and what is no error but worth a note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import jax

from lenticulum.testing.fingerprint import Observation, Observer

#: `jax.jit` itself, also where a session has put `audited_jit` in its place.
JIT = jax.jit


@dataclass(eq=False)
class Trace:
    """One trace: what could be reached when it was made, and the types of the traced arguments."""

    observation: Observation
    types: tuple[Any, ...]
    accepted: set[Observation] = field(default_factory=set)
    fresh: bool = True


@dataclass(eq=False)
class Audit:
    """Counts of a session. `traces >= programs`: fewer raises `StaleProgram`, more is a note.

    `benign`: names, alone or as `owner.name`, of what changes and reaches no program. `excused`: by path, how often
    something changed that was found to reach no program; to declare it benign saves time.
    """

    benign: tuple[str, ...] = ()
    calls: int = 0
    traces: int = 0
    stale: int = 0
    programs: Counter[Any] = field(default_factory=Counter)
    names: dict[Any, str] = field(default_factory=dict)
    excused: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.observer = Observer(self.benign)
        self.bodies: dict[int, Any] = {}
        self.options: dict[Any, Any] = {}
        self.epoch = 0
        self._sentinel: Any = JIT(lambda: None)

    def declare(self, benign: Sequence[str]) -> None:
        """Excuse more names from now on."""
        self.benign = (*self.benign, *benign)
        self.observer = Observer(self.benign)

    def count(self, name: str, trace: Trace) -> None:
        """Count a trace of a function."""
        # Once the caches are emptied, a program has to be traced again: the sentinel, emptied with them, shows it.
        if self._sentinel._cache_size() == 0:
            self.epoch += 1
            with jax.ensure_compile_time_eval():  # it must leave nothing in a program that is being traced
                self._sentinel()
        self.traces += 1
        entry = (self.epoch, trace.observation, trace.types)
        self.programs[entry] += 1
        self.names[entry] = name

    def notes(self) -> list[str]:
        """Return what is no error: programs that were traced more than once, and changes that reach no program."""
        repeated: Counter[str] = Counter()
        for each, count in self.programs.items():
            if count > 1:
                repeated[self.names[each]] += count - 1
        again = [f"{name}: traced {count} times more than it has programs" for name, count in repeated.most_common()]
        return again + [f"{path} changed {n} times and reaches no program" for path, n in self.excused.most_common()]

    def lines(self) -> list[str]:
        """Return what a summary says; nothing where nothing was called."""
        if not self.calls:
            return []
        count = f"{self.calls} calls of audited_jit: {self.traces} traces of {len(self.programs)} programs"
        return [f"{count}, {self.stale} stale", *self.notes()]


#: The audit of a test session; an Audit of your own counts for itself.
SESSION_AUDIT = Audit()
