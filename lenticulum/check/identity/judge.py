"""The judge of suspicions: with a program each becomes an error with its proof or is dropped, without one a warning."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import jax

from lenticulum.check.errors import CallError
from lenticulum.check.identity.cached import stashes, traced_parts
from lenticulum.check.identity.carrier import Carrier, Eager
from lenticulum.check.identity.change import Change
from lenticulum.check.identity.finding import (
    ASSIGNED,
    CAPTURED,
    ERROR,
    MISSES,
    MUTABLE,
    NEW_CLASS,
    NOTE,
    OUTSIDE,
    RAISES,
    ROUND_TRIP,
    STASH,
    VARIANT,
    WARNING,
    IdentityFinding,
)
from lenticulum.check.identity.form import form
from lenticulum.check.identity.mutation import Mutation, Undo
from lenticulum.check.identity.pairs import Pair
from lenticulum.check.identity.parts import Path, attributes
from lenticulum.check.identity.program import Program, Proof, bits
from lenticulum.check.identity.round_trip import changed_parts, refuses_sentinels, round_trip
from lenticulum.check.identity.witness import Names, Writer
from lenticulum.check.target import one_line

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
        self._carry(carrier)

    def _carry(self, carrier: Carrier) -> None:
        self.carrier = carrier
        self.program = None if self.run is None else Program(self.run, self.args, carrier)
        self.writer = Writer(self.names, carrier, self.run is not None)

    # The object by itself ------------------------------------------------------------------------------------------

    def keys(self, first: Any, second: Any) -> bool:
        """The laws: the key can be taken, equality answers True or False, and the same again."""
        try:
            stored, asked = self.carrier.key(first), self.carrier.key(second)
            self.carrier.hits(stored, asked)
            self._bool(first, second)
        except Exception as error:
            self._raises(one_line(error), lambda: second, ("first = make()", "other = make()"))
            return False
        return True

    def _bool(self, first: Any, second: Any) -> None:
        if self.carrier.name != "static argument" or type(first).__eq__ is object.__eq__:
            return
        answer: Any = getattr(type(first), "__eq__")(first, second)  # noqa: B009 (pyright takes it for a bound one)
        if not isinstance(answer, bool) and answer is not NotImplemented:
            self._find(WARNING, RAISES, (), "", note=f"== returns a {type(answer).__qualname__}, expected a bool")

    def _raises(self, message: str, other: Callable[[], Any], lines: tuple[str, ...], path: Path = ()) -> None:
        """Equality, hash or flatten raised; with a program it is called to see whether that reaches the caller."""
        severity, note = WARNING, message
        if self.program is not None:
            try:
                self.program.served(self.base, [other])
                note = f"{message}; two calls in a row did not show it"
            except Exception as error:
                severity, note = ERROR, f"the second call raises {one_line(error)}"
        self._find(severity, RAISES, path, "", note=note, witness=self.writer.pair(lines))

    def steady(self) -> bool:
        """The program runs, and two cold traces of it are one program."""
        if self.program is None:
            return True
        try:
            first = self._cold(self.base)
        except Exception as error:
            if not self.default or isinstance(self.carrier, Eager):
                raise CallError(f"run(make(), *args) fails: {one_line(error)}") from error
            self.notes.append(f"run cannot be traced ({one_line(error)}): it is called without jit")
            self._carry(Eager())
            return self._repeats()
        if first != self.program.cold(self.base):
            self.missing.append("the program differs when traced again (random, or a clock): nothing was compared")
            return False
        for name in traced_parts(self.base):
            note = "a traced value stays in the object after the call: the next use of it fails"
            self._find(ERROR, STASH, (name,), "", note=note)
        return True

    def _repeats(self) -> bool:
        assert self.program is not None
        try:
            first, second = (bits(self.program.truth(self.base, 0)) for _ in range(2))
        except Exception as error:
            raise CallError(f"run(make(), *args) fails: {one_line(error)}") from error
        if first != second:
            self.missing.append("two calls of the program differ (random, or a clock): nothing was compared")
        return first == second

    def _cold(self, instance: Any) -> Any:
        """Return the canonical program of an object, traced cold once."""
        assert self.program is not None
        if id(instance) not in self.texts:
            text = bits(self.program.truth(instance, 0)) if self._eager else self.program.cold(instance)
            self.texts[id(instance)] = (instance, text)
        return self.texts[id(instance)][1]

    @property
    def _eager(self) -> bool:
        return isinstance(self.carrier, Eager)

    # Building again ------------------------------------------------------------------------------------------------

    def rebuilds(self, first: Any, second: Any) -> None:
        """Two builds of one object have one key; with a program, one trace."""
        missed = not self.carrier.hits(self.carrier.key(first), self.carrier.key(second))
        traces = programs = None
        if self.program is not None and not self._eager:
            traces = self.program.traces_of([first, second])
            programs = 1 if self._cold(first) == self._cold(second) else 2
            self.counted = (traces, programs)
            if programs == 2:
                self.notes.append("make() builds objects of different programs: its builds are not one object")
        if missed:
            kind = NEW_CLASS if type(first) is not type(second) else MISSES
            note = "every build is compiled anew; define the class once" if kind == NEW_CLASS else _why(first, second)
            lines = ("first = make()", "other = make()")
            self._find(
                NOTE, kind, (), "", self._keys(first, second), None, traces, programs, note, self.writer.pair(lines)
            )

    def must_hit(self, name: str, other: Any) -> None:
        """An object that is said to be the same has the same key."""
        if not self.carrier.hits(self.carrier.key(self.base), self.carrier.key(other)):
            self._find(NOTE, MISSES, (), name, self._keys(self.base, other), note="it should have the key of make()")

    def variant(self, name: str, other: Any) -> None:
        """An object that is said to be another one has another key."""
        stored, asked = self.carrier.key(self.base), self.carrier.key(other)
        lines = ("first = make()", f"other = dict(variants)[{name!r}]  # variants: as given, or called")
        pair = Pair(VARIANT, (), name, self.base, other, lines)
        if self.carrier.hits(stored, asked) or self.carrier.hits(asked, stored):
            self.pairs([pair])
        else:
            self.captured([pair])

    # Pairs of one key ----------------------------------------------------------------------------------------------

    def stashes(self) -> None:
        """Cached values that are not what they would be computed to."""
        for pair in stashes(self.base):
            self.pairs([pair])

    def raising(self, found: Sequence[tuple[Path, Change, str]]) -> None:
        """Comparisons that raise for another value of a part: the call with it fails."""
        for path, change, message in found[:1]:
            note = f"== raises for {change.text}: {message}"
            self._find(WARNING, RAISES, path, change.text, note=note)

    def pairs(self, found: Sequence[Pair]) -> None:
        """Two objects of one key: an error if one is served the program of the other and that is wrong."""
        settled: set[Path] = {each.path for each in self.findings if each.kind in (ROUND_TRIP, STASH)}
        executed: dict[Path, int] = {}
        for pair in found:
            if any(pair.path[: len(path)] == path for path in settled if path):
                continue
            keys = self._keys(pair.first, pair.other)
            witness = self.writer.pair(pair.lines)
            if self.program is None or self._late():
                self._find(WARNING, pair.kind, pair.path, pair.change, keys, note=self._unproved(), witness=witness)
                settled.add(pair.path)
            elif executed.get(pair.path, 0) < EXECUTED:
                proof = self._proof(pair, executed)
                if proof is not None:
                    severity = ERROR if pair.certain else WARNING
                    note = "" if pair.certain else "the other object is a copy that no constructor made"
                    self._find(severity, pair.kind, pair.path, pair.change, keys, proof, note=note, witness=witness)
                    settled.add(pair.path)

    def _proof(self, pair: Pair, executed: dict[Path, int]) -> Proof | None:
        assert self.program is not None
        try:
            if self._cold(pair.first) == self._cold(pair.other):
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
        suspects = found[:CAPTURES] if self._eager else self._polluted(found[:CAPTURES])
        for pair in suspects:
            try:
                proof = None if self._late() else self.program.proof(pair.first, pair.other)
            except Exception:  # the program does not take the other value
                self.refused += 1
                continue
            if proof is not None:
                note = "the keys differ, and what the program calls is cached by itself: it reads past its arguments"
                keys, witness = self._keys(pair.first, pair.other), self.writer.pair(pair.lines)
                self._find(ERROR, CAPTURED, pair.path, pair.change, keys, proof, note=note, witness=witness)

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
        return [pair for pair, text in warm if not self._late() and self._cold(pair.other) != text]

    # Round trip and mutation ---------------------------------------------------------------------------------------

    def round_trip(self) -> None:
        """What flatten and unflatten change: the program receives something else at its first call."""
        changed = changed_parts(self.base)
        proof = self._round_trip_proof() if changed else None
        for path, text in changed:
            if self.program is not None and proof is None:
                self.same_program += 1
                continue
            severity = WARNING if self.program is None else ERROR
            note = "wrong at the first call, without any cache"
            self._find(severity, ROUND_TRIP, path, text, (), proof, note=note, witness=self.writer.round_trip())
        message = refuses_sentinels(self.base)
        if message is not None:
            self.notes.append(f"unflatten fails for leaves that are no arrays ({message}); jax passes such leaves")

    def _round_trip_proof(self) -> Proof | None:
        if self.program is None or self.run is None:
            return None
        run, received = self.run, round_trip(self.base)
        for args in self.program.inputs:
            # Both as constants of a program: only what the round trip changed differs.
            truth, other = (jax.jit(lambda *given, o=o: run(o, *given))(*args) for o in (self.base, received))
            if bits(truth) != bits(other):
                return Proof(self.carrier.jit(run)(self.base, *args), truth, 1, 1)
        return None

    def mutations(self, found: Sequence[Mutation]) -> None:
        """An object changed after its first use that keeps its key."""
        settled = {
            each.path for each in self.findings if each.kind in (OUTSIDE, ROUND_TRIP, MUTABLE, ASSIGNED) and each.path
        }
        for mutation in found:
            if mutation.path in settled:
                continue
            witness = self.writer.mutation(mutation.lines, mutation.line)
            if self.program is None or self._late():
                self._find(WARNING, mutation.kind, mutation.path, mutation.line, note=self._unproved(), witness=witness)
                continue
            proof = self._mutated(mutation.make, mutation.change)
            if proof is not None:
                self._find(ERROR, mutation.kind, mutation.path, mutation.line, (), proof, witness=witness)

    def changed(self, make: Callable[[], Any], change: Callable[[Any], Any]) -> None:
        """The change that the caller gave."""
        instance = make()
        before = attributes(instance)
        stored = self.carrier.key(instance)
        change(instance)
        after = attributes(instance)
        assigned = [name for name in after if after[name] is not before.get(name)]
        kind = ASSIGNED if assigned else MUTABLE
        try:
            hit = self.carrier.hits(stored, self.carrier.key(instance))
        except Exception as error:  # the call says so
            self.notes.append(f"after the change the object has no key ({one_line(error)})")
            return
        if not hit:
            return

        def applied(holder: Any) -> Undo:
            change(holder)
            return lambda: None

        def both() -> tuple[Any, Any]:
            made = make()
            return made, made

        proof = None if self.program is None else self._mutated(both, applied)
        names = tuple(assigned or [n for n in after if self._moved(make, change, n)])
        if self.program is None or proof is not None:
            severity = WARNING if proof is None else ERROR
            witness = self.writer.mutation(("first = make()",), "change(first)")
            self._find(severity, kind, names[:1], "change(...)", (), proof, note=self._unproved(), witness=witness)

    @staticmethod
    def _moved(make: Callable[[], Any], change: Callable[[Any], Any], name: str) -> bool:
        instance = make()
        before = form(attributes(instance)[name])
        change(instance)
        return form(attributes(instance)[name]) != before

    def _mutated(self, make: Callable[[], tuple[Any, Any]], change: Callable[[Any], Undo]) -> Proof | None:
        assert self.program is not None
        undo: Undo = lambda: None  # noqa: E731
        try:
            instance, holder = make()
            if not self._eager:
                before = self.program.cold(instance)
                undo = change(holder)
                if self.program.cold(instance) == before:
                    self.same_program += 1
                    return None
                undo()
                instance, holder = make()
            jax.clear_caches()
            compiled = self.program.compiled()
            compiled(instance, *self.args)
            undo = change(holder)
            served = [compiled(instance, *args) for args in self.program.inputs]
            return self.program.compared(served, instance, self.program.traces)
        except Exception:  # the program does not take the changed object
            self.refused += 1
            return None
        finally:
            undo()

    # -----------------------------------------------------------------------------------------------------------------

    def _late(self) -> bool:
        return time.monotonic() > self.deadline

    def _unproved(self) -> str:
        if self.program is None:
            return "no program was given to show whether that matters"
        return "the budget was spent before its program ran" if self._late() else ""

    def _keys(self, first: Any, other: Any) -> tuple[str, ...]:
        return tuple(self.carrier.write(self.carrier.key(each)) for each in (first, other))

    def _find(
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


def _why(first: Any, second: Any) -> str:
    """Say what makes two builds of one class unequal."""
    for name, value in attributes(first).items():
        other = attributes(second).get(name)
        try:
            if callable(value) and not bool(value == other):
                return f"every build is compiled anew: {name} is a new function each time; define it once"
        except Exception:  # anyone's equality
            continue
    if type(first).__eq__ is object.__eq__:
        return "every build is compiled anew: the class compares by identity; give it equality and hash of all fields"
    return "every build is compiled anew: two builds are unequal"
