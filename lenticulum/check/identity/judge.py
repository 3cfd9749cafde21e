"""The judge of suspicions: with a program each becomes an error with its proof or is dropped, without one a warning."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import jax

from lenticulum.check.identity.cached import stashes
from lenticulum.check.identity.carrier import Carrier, Eager
from lenticulum.check.identity.change import Change
from lenticulum.check.identity.finding import (
    CAPTURED,
    ERROR,
    RAISES,
    ROUND_TRIP,
    STASH,
    VARIANT,
    WARNING,
    IdentityFinding,
)
from lenticulum.check.identity.pairs import Pair
from lenticulum.check.identity.parts import Path
from lenticulum.check.identity.program import Program, Proof, bits
from lenticulum.check.identity.witness import Names, Writer

#: So many pairs of one part are executed: if their results agree, the part is taken for one that does not matter.
EXECUTED = 3

#: So many parts are tried for a value that a program reads past its arguments.
CAPTURES = 8


class Judge:
    """Judges one object; `findings`, `notes`, `missing`, `refused`, `same_program`, `counted` are its results."""

    def __init__(
        self,
        base: Any,
        run: Callable[..., Any] | None,
        args: Sequence[Any],
        carrier: Carrier,
        default: bool,
        names: Names,
        deadline: float,
    ) -> None:
        self.base, self.run, self.args, self.default, self.deadline = base, run, args, default, deadline
        self.carrier, self.names = carrier, names
        self.findings: list[IdentityFinding] = []
        self.notes: list[str] = []
        self.missing: list[str] = []
        self.refused = self.same_program = 0
        self.counted: tuple[int, int] | None = None
        self.texts: dict[int, tuple[Any, Any]] = {}
        self.carry(carrier)

    def carry(self, carrier: Carrier) -> None:
        self.carrier = carrier
        self.program = None if self.run is None else Program(self.run, self.args, carrier)
        self.writer = Writer(self.names, carrier, self.run is not None)

    def cold(self, instance: Any) -> Any:
        """Return the canonical program of an object, traced cold once."""
        assert self.program is not None
        if id(instance) not in self.texts:
            text = bits(self.program.truth(instance, 0)) if self.eager else self.program.cold(instance)
            self.texts[id(instance)] = (instance, text)
        return self.texts[id(instance)][1]

    @property
    def eager(self) -> bool:
        return isinstance(self.carrier, Eager)

    def variant(self, name: str, other: Any) -> None:
        """An object that is said to be another one has another key."""
        stored, asked = self.carrier.key(self.base), self.carrier.key(other)
        lines = ("first = make()", f"other = dict(variants)[{name!r}]  # variants: as given, or called")
        pair = Pair(VARIANT, (), name, self.base, other, lines)
        if self.carrier.hits(stored, asked) or self.carrier.hits(asked, stored):
            self.pairs([pair])
        else:
            self.captured([pair])

    def stashes(self) -> None:
        """Cached values that are not what they would be computed to."""
        for pair in stashes(self.base):
            self.pairs([pair])

    def raising(self, found: Sequence[tuple[Path, Change, str]]) -> None:
        """Comparisons that raise for another value of a part: the call with it fails."""
        for path, change, message in found[:1]:
            note = f"== raises for {change.text}: {message}"
            self.find(WARNING, RAISES, path, change.text, note=note)

    def pairs(self, found: Sequence[Pair]) -> None:
        """Two objects of one key: an error if one is served the program of the other and that is wrong."""
        settled: set[Path] = {each.path for each in self.findings if each.kind in (ROUND_TRIP, STASH)}
        executed: dict[Path, int] = {}
        for pair in found:
            if any(pair.path[: len(path)] == path for path in settled if path):
                continue
            keys = self.keys_of(pair.first, pair.other)
            witness = self.writer.pair(pair.lines)
            if self.program is None or self.late():
                self.find(WARNING, pair.kind, pair.path, pair.change, keys, note=self.unproved(), witness=witness)
                settled.add(pair.path)
            elif executed.get(pair.path, 0) < EXECUTED:
                proof = self._proof(pair, executed)
                if proof is not None:
                    severity = ERROR if pair.certain else WARNING
                    note = "" if pair.certain else "the other object is a copy that no constructor made"
                    self.find(severity, pair.kind, pair.path, pair.change, keys, proof, note=note, witness=witness)
                    settled.add(pair.path)

    def _proof(self, pair: Pair, executed: dict[Path, int]) -> Proof | None:
        assert self.program is not None
        try:
            if self.cold(pair.first) == self.cold(pair.other):
                self.same_program += 1
                return None
            executed[pair.path] = executed.get(pair.path, 0) + 1
            proof = self.program.proof(pair.first, pair.other) or self.program.proof(pair.other, pair.first)
        except Exception:  # the program does not take the other value
            self.refused += 1
            return None
        self.same_program += proof is None
        return proof

    def captured(self, found: Sequence[Pair]) -> None:
        """Two objects with keys of their own: a body that is cached by its identity may still serve the first."""
        if self.program is None:
            return
        suspects = found[:CAPTURES] if self.eager else self._polluted(found[:CAPTURES])
        for pair in suspects:
            try:
                proof = None if self.late() else self.program.proof(pair.first, pair.other)
            except Exception:  # the program does not take the other value
                self.refused += 1
                continue
            if proof is not None:
                note = "the keys differ, and what the program calls is cached by itself: it reads past its arguments"
                keys, witness = self.keys_of(pair.first, pair.other), self.writer.pair(pair.lines)
                self.find(ERROR, CAPTURED, pair.path, pair.change, keys, proof, note=note, witness=witness)

    def _polluted(self, found: Sequence[Pair]) -> list[Pair]:
        """Return the pairs whose second program is traced otherwise after the first one than with cleared caches."""
        assert self.program is not None
        warm: list[tuple[Pair, Any]] = []
        for first in {id(pair.first): pair.first for pair in found}.values():
            jax.clear_caches()
            self.program.traced(first)
            for pair in (pair for pair in found if pair.first is first):
                try:
                    warm.append((pair, self.program.traced(pair.other)))
                except Exception:  # the program does not take the other value
                    self.refused += 1
        return [pair for pair, text in warm if not self.late() and self.cold(pair.other) != text]

    def late(self) -> bool:
        return time.monotonic() > self.deadline

    def unproved(self) -> str:
        if self.program is None:
            return "no program was given to show whether that matters"
        return "the budget was spent before its program ran" if self.late() else ""

    def keys_of(self, first: Any, other: Any) -> tuple[str, ...]:
        return tuple(self.carrier.write(self.carrier.key(each)) for each in (first, other))

    def find(
        self,
        severity: str,
        kind: str,
        path: Path,
        change: str,
        keys: tuple[str, ...] = (),
        proof: Proof | None = None,
        traces: int | None = None,
        programs: int | None = None,
        note: str = "",
        witness: Any = None,
    ) -> None:
        served, truth = (None, None) if proof is None else (proof.served, proof.truth)
        if proof is not None:
            traces, programs = proof.traces, proof.programs
        self.findings.append(
            IdentityFinding(severity, kind, path, change, keys, served, truth, traces, programs, note, witness)
        )
