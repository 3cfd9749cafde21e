"""Mutation after first use: assignment, and changes in place through the object or through the caller's reference."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from lenticulum.check.identity.array_change import array_changes
from lenticulum.check.identity.carrier import Carrier
from lenticulum.check.identity.change import changes
from lenticulum.check.identity.finding import ASSIGNED, MUTABLE
from lenticulum.check.identity.form import form
from lenticulum.check.identity.pairs import ignored, traced_paths
from lenticulum.check.identity.parts import Path, expression, inventory, is_record, part
from lenticulum.check.identity.rebuild import Rebuilder

Undo = Callable[[], None]


@dataclass(frozen=True)
class Mutation:
    """A change of an object that exists: `make` returns one and what holds the part, `change` changes the latter and
    returns how to undo that.

    `lines`: Python that makes `first`; `line`: that changes it."""

    kind: str
    path: Path
    make: Callable[[], tuple[Any, Any]]
    change: Callable[[Any], Undo]
    lines: tuple[str, ...]
    line: str


def mutations(make: Callable[[], Any], base: Any, carrier: Carrier, ignore: Collection[str]) -> list[Mutation]:
    """Return the mutations that change what an object stores and leave it under its key, one of a kind for a path."""
    traced = traced_paths(base, carrier)
    found: dict[tuple[str, Path], Mutation] = {}
    rebuilder = Rebuilder()
    for path, value in inventory(base):
        if path in traced or ignored(path, ignore):
            continue
        for mutation in (*_assignments(make, base, path, value), *_in_place(make, base, path, value, rebuilder)):
            if (mutation.kind, path) not in found and _unseen(mutation, carrier):
                found[mutation.kind, path] = mutation
    return list(found.values())


def _unseen(mutation: Mutation, carrier: Carrier) -> bool:
    """Whether the mutation takes effect and the object keeps its key."""
    try:
        instance, holder = mutation.make()
        stored, before = carrier.key(instance), form(instance)
        undo = mutation.change(holder)
    except Exception:  # frozen, read-only, refused by the constructor
        return False
    try:
        return form(instance) != before and carrier.hits(stored, carrier.key(instance))
    except Exception:  # it has no key any more: the call says so
        return False
    finally:
        undo()


def _assignments(make: Callable[[], Any], base: Any, path: Path, value: Any) -> list[Mutation]:
    owner = part(base, path[:-1])
    news = list(islice(changes(value), 1))
    if not is_record(type(owner)) or not news:
        return []
    new, name = news[0], path[-1]

    def assign(instance: Any) -> Undo:
        holder = part(instance, path[:-1])
        old = getattr(holder, name)
        setattr(holder, name, new.new)
        return lambda: setattr(holder, name, old)

    lines = ("first = make()", *([f"old = part(first, {path!r})"] if "old" in new.text else []))
    return [
        Mutation(
            ASSIGNED, path, _both(make), assign, lines, f"setattr(part(first, {path[:-1]!r}), {name!r}, {new.text})"
        )
    ]


def _in_place(make: Callable[[], Any], base: Any, path: Path, value: Any, rebuilder: Rebuilder) -> list[Mutation]:
    """Of a container or array: through the object, then through what the caller passed to the constructor."""
    step = _inner(value)
    if step is None:
        return []
    do, text = step

    def referred() -> tuple[Any, Any]:
        held = copy.copy(value)
        return rebuilder.rebuilt(base, path, held), held

    own, reached = ("first = make()",), expression("first", base, path)
    held = (f"held = copy.copy(part(make(), {path!r}))", f"first = rebuilt(make(), {path!r}, held)")
    return [
        Mutation(MUTABLE, path, _both(make), lambda holder: do(part(holder, path)), own, text.format(reached)),
        Mutation(MUTABLE, path, referred, do, held, text.format("held")),
    ]


def _both(make: Callable[[], Any]) -> Callable[[], tuple[Any, Any]]:
    def made() -> tuple[Any, Any]:
        instance = make()
        return instance, instance

    return made


def _inner(value: Any) -> tuple[Callable[[Any], Undo], str] | None:
    """Return how a container is changed in place, and the statement for it."""
    if isinstance(value, np.ndarray) and value.size and value.dtype.kind in "biufc":
        text, new = next(array_changes(value))
        place, entry = 0, new.reshape(-1)[0]
        del text
        return lambda array: _set_item(np.atleast_1d(array).reshape(-1), place, entry, array), (
            f"{{}}.reshape(-1)[0] = {entry.item()!r}"
        )
    if isinstance(value, list):
        news = list(islice(changes(value[0]), 1)) if value else []
        if news and "old" not in news[0].text:
            return lambda each: _set_item(each, 0, news[0].new), f"{{}}[0] = {news[0].text}"
        return lambda each: _appended(each), "{}.append(0)"
    if isinstance(value, dict):
        for name, old in value.items():
            for change in changes(old):
                if "old" not in change.text:
                    do = functools.partial(_set_item, place=name, new=change.new)
                    return do, f"{{}}[{name!r}] = {change.text}"
        return lambda each: _set_item(each, "other", 1), "{}['other'] = 1"
    if isinstance(value, set):
        return lambda each: _added(each), "{}.add('other')"
    return None


def _set_item(container: Any, place: Any, new: Any, held: Any = None) -> Undo:
    if isinstance(held, np.ndarray) and not np.shares_memory(container, held):
        raise ValueError("not contiguous")
    missing = isinstance(container, dict) and place not in container
    old = None if missing else container[place]
    container[place] = new
    return lambda: container.pop(place) if missing else container.__setitem__(place, old)


def _appended(container: list[Any]) -> Undo:
    container.append(0)
    return lambda: None if container.pop() is None else None


def _added(container: set[Any]) -> Undo:
    container.add("other")
    return lambda: container.discard("other")
