"""Two builds of one object: the laws of their key, a program that repeats itself, one trace for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lenticulum.check.errors import CallError
from lenticulum.check.identity.cached import traced_parts
from lenticulum.check.identity.carrier import Eager
from lenticulum.check.identity.finding import (
    ERROR,
    MISSES,
    NEW_CLASS,
    NOTE,
    RAISES,
    STASH,
    WARNING,
)
from lenticulum.check.identity.judge import Judge
from lenticulum.check.identity.parts import Path, attributes
from lenticulum.check.identity.program import bits
from lenticulum.check.target import one_line


def lawful(judge: Judge, first: Any, second: Any) -> bool:
    """The laws: the key can be taken, equality answers True or False, and the same again."""
    try:
        stored, asked = judge.carrier.key(first), judge.carrier.key(second)
        judge.carrier.hits(stored, asked)
        _bool(judge, first, second)
    except Exception as error:
        _raises(judge, one_line(error), lambda: second, ("first = make()", "other = make()"))
        return False
    return True


def _bool(judge: Judge, first: Any, second: Any) -> None:
    if judge.carrier.name != "static argument" or type(first).__eq__ is object.__eq__:
        return
    answer: Any = getattr(type(first), "__eq__")(first, second)  # noqa: B009 (pyright takes it for a bound one)
    if not isinstance(answer, bool) and answer is not NotImplemented:
        judge.find(WARNING, RAISES, (), "", note=f"== returns a {type(answer).__qualname__}, expected a bool")


def _raises(judge: Judge, message: str, other: Callable[[], Any], lines: tuple[str, ...], path: Path = ()) -> None:
    """Equality, hash or flatten raised; with a program it is called to see whether that reaches the caller."""
    severity, note = WARNING, message
    if judge.program is not None:
        try:
            judge.program.served(judge.base, [other])
            note = f"{message}; two calls in a row did not show it"
        except Exception as error:
            severity, note = ERROR, f"the second call raises {one_line(error)}"
    judge.find(severity, RAISES, path, "", note=note, witness=judge.writer.pair(lines))


def steady(judge: Judge) -> bool:
    """The program runs, and two cold traces of it are one program."""
    if judge.program is None:
        return True
    if judge.eager:
        return _repeats(judge)
    try:
        first = judge.cold(judge.base)
    except Exception as error:
        if not judge.default:
            raise CallError(f"run(make(), *args) fails: {one_line(error)}") from error
        judge.notes.append(f"run cannot be traced ({one_line(error)}): it is called without jit")
        judge.carry(Eager())
        return _repeats(judge)
    held = traced_parts(judge.base)
    for name in held:
        note = "a traced value stays in the object after the call: the next use of it fails"
        judge.find(ERROR, STASH, (name,), "", note=note)
    if held:
        return False
    if first != judge.program.cold(judge.base):
        judge.missing.append("the program differs when traced again (random, or a clock): nothing was compared")
        return False
    return True


def _repeats(judge: Judge) -> bool:
    assert judge.program is not None
    try:
        first, second = (bits(judge.program.truth(judge.base, 0)) for _ in range(2))
    except Exception as error:
        raise CallError(f"run(make(), *args) fails: {one_line(error)}") from error
    if first != second:
        judge.missing.append("two calls of the program differ (random, or a clock): nothing was compared")
    return first == second


def rebuilds(judge: Judge, first: Any, second: Any) -> None:
    """Two builds of one object have one key; with a program, one trace."""
    missed = not judge.carrier.hits(judge.carrier.key(first), judge.carrier.key(second))
    traces = programs = None
    if judge.program is not None and not judge.eager:
        traces = judge.program.traces_of([first, second])
        programs = 1 if judge.cold(first) == judge.cold(second) else 2
        judge.counted = (traces, programs)
        if programs == 2:
            judge.notes.append("make() builds objects of different programs: its builds are not one object")
    if missed:
        kind = NEW_CLASS if type(first) is not type(second) else MISSES
        note = "every build is compiled anew; define the class once" if kind == NEW_CLASS else _why(first, second)
        lines = ("first = make()", "other = make()")
        judge.find(
            NOTE, kind, (), "", judge.keys_of(first, second), None, traces, programs, note, judge.writer.pair(lines)
        )


def must_hit(judge: Judge, name: str, other: Any) -> None:
    """An object that is said to be the same has the same key."""
    if not judge.carrier.hits(judge.carrier.key(judge.base), judge.carrier.key(other)):
        judge.find(NOTE, MISSES, (), name, judge.keys_of(judge.base, other), note="it should have the key of make()")


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
