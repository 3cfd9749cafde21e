"""An object on its way: what a round trip changes at the first call, and what changes it after the first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax

from lenticulum.check.identity.finding import (
    ASSIGNED,
    ERROR,
    MUTABLE,
    OUTSIDE,
    ROUND_TRIP,
    WARNING,
)
from lenticulum.check.identity.form import form
from lenticulum.check.identity.judge import Judge
from lenticulum.check.identity.mutation import Mutation, Undo
from lenticulum.check.identity.parts import attributes
from lenticulum.check.identity.program import Proof, bits
from lenticulum.check.identity.round_trip import changed_parts, refuses_sentinels, round_trip
from lenticulum.check.target import one_line


def check_round_trip(judge: Judge) -> None:
    """What flatten and unflatten change: the program receives something else at its first call."""
    changed = changed_parts(judge.base)
    proof = _round_trip_proof(judge) if changed else None
    for path, text in changed:
        if judge.program is not None and proof is None:
            judge.same_program += 1
            continue
        severity = WARNING if judge.program is None else ERROR
        note = "wrong at the first call, without any cache"
        judge.find(severity, ROUND_TRIP, path, text, (), proof, note=note, witness=judge.writer.round_trip())
    message = refuses_sentinels(judge.base)
    if message is not None:
        judge.notes.append(f"unflatten fails for leaves that are no arrays ({message}); jax passes such leaves")


def _round_trip_proof(judge: Judge) -> Proof | None:
    if judge.program is None or judge.run is None:
        return None
    run, received = judge.run, round_trip(judge.base)
    for args in judge.program.inputs:
        # Both as constants of a program: only what the round trip changed differs.
        truth, other = (jax.jit(lambda *given, o=o: run(o, *given))(*args) for o in (judge.base, received))
        if bits(truth) != bits(other):
            return Proof(judge.carrier.jit(run)(judge.base, *args), truth, 1, 1)
    return None


def check_mutations(judge: Judge, found: Sequence[Mutation]) -> None:
    """An object changed after its first use that keeps its key."""
    settled = {
        each.path for each in judge.findings if each.kind in (OUTSIDE, ROUND_TRIP, MUTABLE, ASSIGNED) and each.path
    }
    for mutation in found:
        if mutation.path in settled:
            continue
        witness = judge.writer.mutation(mutation.lines, mutation.line)
        if judge.program is None or judge.late():
            judge.find(WARNING, mutation.kind, mutation.path, mutation.line, note=judge.unproved(), witness=witness)
            continue
        proof = _mutated(judge, mutation.make, mutation.change)
        if proof is not None:
            judge.find(ERROR, mutation.kind, mutation.path, mutation.line, (), proof, witness=witness)


def check_change(judge: Judge, make: Callable[[], Any], change: Callable[[Any], Any]) -> None:
    """The change that the caller gave."""
    instance = make()
    before = attributes(instance)
    stored = judge.carrier.key(instance)
    change(instance)
    after = attributes(instance)
    assigned = [name for name in after if after[name] is not before.get(name)]
    kind = ASSIGNED if assigned else MUTABLE
    try:
        hit = judge.carrier.hits(stored, judge.carrier.key(instance))
    except Exception as error:  # the call says so
        judge.notes.append(f"after the change the object has no key ({one_line(error)})")
        return
    if not hit:
        return

    def applied(holder: Any) -> Undo:
        change(holder)
        return _nothing

    def both() -> tuple[Any, Any]:
        made = make()
        return made, made

    proof = None if judge.program is None else _mutated(judge, both, applied)
    names = tuple(assigned or [n for n in after if _moved(make, change, n)])
    if judge.program is None or proof is not None:
        severity = WARNING if proof is None else ERROR
        witness = judge.writer.mutation(("first = make()",), "change(first)")
        judge.find(severity, kind, names[:1], "change(...)", (), proof, note=judge.unproved(), witness=witness)


def _moved(make: Callable[[], Any], change: Callable[[Any], Any], name: str) -> bool:
    instance = make()
    before = form(attributes(instance)[name])
    change(instance)
    return form(attributes(instance)[name]) != before


def _mutated(judge: Judge, make: Callable[[], tuple[Any, Any]], change: Callable[[Any], Undo]) -> Proof | None:
    assert judge.program is not None
    undo: Undo = _nothing
    try:
        instance, holder = make()
        if not judge.eager:
            before = judge.program.cold(instance)
            undo = change(holder)
            if judge.program.cold(instance) == before:
                judge.same_program += 1
                return None
            undo()
            undo = _nothing
            instance, holder = make()
        jax.clear_caches()
        compiled = judge.program.compiled()
        compiled(instance, *judge.args)
        undo = change(holder)
        served = [compiled(instance, *args) for args in judge.program.inputs]
        return judge.program.compared(served, instance, judge.program.traces)
    except Exception:  # the program does not take the changed object
        judge.refused += 1
        return None
    finally:
        undo()


def _nothing() -> None:
    """Nothing to undo."""
