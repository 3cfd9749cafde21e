"""Pairs of one key: every part of an object in turn gets other values, and the keys of both objects are compared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import jax

from lenticulum.check.identity.carrier import Carrier, Split, Static, Tree, is_array
from lenticulum.check.identity.change import Change, changes, twins
from lenticulum.check.identity.finding import OUTSIDE, TWIN
from lenticulum.check.identity.form import form
from lenticulum.check.identity.parts import Path, attributes, inventory, is_record, part, written
from lenticulum.check.identity.rebuild import Rebuilder, Refused, assignable


@dataclass(frozen=True)
class Pair:
    """Two objects that mean different things, as far as one can see from outside, and have one key.

    `lines`: Python that makes `first` and `other`; `certain`: whether both are built as a caller builds them."""

    kind: str
    path: Path
    change: str
    first: Any
    other: Any
    lines: tuple[str, ...]
    certain: bool = True


@dataclass
class Probed:
    """What was tried: entries by path, how many values, how many of them a constructor refused."""

    entries: dict[Path, int] = field(default_factory=dict)
    values: int = 0
    refused: int = 0
    traced: int = 0
    untouched: list[str] = field(default_factory=list)
    raising: list[tuple[Path, Change, str]] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    others: list[Pair] = field(default_factory=list)


def probe(base: Any, carrier: Carrier, ignore: Collection[str], proved: bool) -> Probed:
    """Return the pairs of one key, and for each attribute one changed object with a key of its own.

    Where no program can prove one, the first pair of a part says as much as all of them."""
    probed, rebuilder = Probed(), Rebuilder()
    traced = traced_paths(base, carrier)
    for path, old in _entries(base, rebuilder, probed.untouched):
        if path in traced:
            probed.traced += 1
        elif not ignored(path, ignore):
            _probe(base, path, old, carrier, rebuilder, probed, proved)
    return probed


def ignored(path: Path, ignore: Collection[str]) -> bool:
    """Whether a path, or the attribute that it starts with, is to be ignored."""
    return bool(path) and (path[0] in ignore or written(path) in ignore)


def _probe(
    base: Any, path: Path, old: Any, carrier: Carrier, rebuilder: Rebuilder, probed: Probed, proved: bool
) -> None:
    """Try every other value of one part."""
    first, lines = base, ["first = make()"]
    if not rebuilder.exact(base, path):
        # A constructor that changes what it gets: both objects of the pair come out of it.
        try:
            first = rebuilder.rebuilt(base, path, old)
        except Refused:
            probed.refused += 1
            return
        lines = [f"first = rebuilt(make(), {path!r}, part(make(), {path!r}))"]
    stored, before = carrier.key(first), form(first)
    certain = not isinstance(carrier, Static) or _constructed(base, path, rebuilder)
    tried = 0
    for kind, change in _values(old):
        tried += 1
        probed.values += 1
        try:
            other = rebuilder.rebuilt(base, path, change.new)
            asked = carrier.key(other)
        except Exception:  # the constructor, hash and flatten are anyone's code
            probed.refused += 1
            continue
        try:
            hit = carrier.hits(stored, asked) or carrier.hits(asked, stored)
        except Exception as error:
            if _comparable(carrier, asked, rebuilder, base, path, change):
                probed.raising.append((path, change, f"{type(error).__name__}: {error}"))
            else:
                probed.refused += 1
            continue
        first_of_attribute = kind == OUTSIDE and not any(each.path[0] == path[0] for each in probed.others)
        if form(other) == before if hit else not first_of_attribute:
            continue  # of one key, because the constructor brought it to its one form, or of another key
        made = f"other = rebuilt(make(), {path!r}, {change.text})"
        old_line = [f"old = part(make(), {path!r})"] if "old" in change.text else []
        pair = Pair(kind, path, f"{shown_old(old)} -> {change.text}", first, other, (*lines, *old_line, made), certain)
        (probed.pairs if hit else probed.others).append(pair)
        if hit and not proved:
            break
    if tried:
        probed.entries[path] = tried
    elif not _has_parts(old):
        probed.untouched.append(f"{written(path)} (a {type(old).__qualname__})")


def _comparable(carrier: Carrier, asked: Any, rebuilder: Rebuilder, base: Any, path: Path, change: Change) -> bool:
    """Whether an object can be compared with another build of itself; one that cannot is refused, if late."""
    try:
        carrier.hits(asked, carrier.key(rebuilder.rebuilt(base, path, change.new)))
    except Exception:
        return False
    return True


def _values(old: Any) -> Iterator[tuple[str, Change]]:
    yield from ((OUTSIDE, change) for change in changes(old))
    yield from ((TWIN, change) for change in twins(old))


def shown_old(old: Any) -> str:
    """Write a value shortly."""
    text = " ".join(repr(old).split())
    return text if len(text) <= 40 else f"a {type(old).__qualname__}"


def _has_parts(value: Any) -> bool:
    return is_record(type(value)) or isinstance(value, tuple | list | dict | set | frozenset) or callable(value)


def _entries(base: Any, rebuilder: Rebuilder, untouched: list[str]) -> Iterator[tuple[Path, Any]]:
    """Every part that a caller can give or assign: parameters of constructors, and attributes that are not derived.

    What is neither goes to `untouched`."""
    settled: dict[Path, Callable[[str], bool]] = {}
    found = inventory(base)
    for path, instance in [((), base), *found]:
        if is_record(type(instance)):
            settled[path] = _settable(instance, rebuilder)
            untouched += [
                f"{written((*path, name))} (neither given nor assigned)" for name in _fixed(instance, rebuilder)
            ]
            known = rebuilder.recipe(instance)
            for name in known.hidden() if known is not None else ():
                yield (*path, name), known.given[name] if known is not None else None
    for path, value in found:
        if all(settled[path[:n]](path[n]) for n in range(len(path)) if path[:n] in settled):
            yield path, value


def _settable(instance: Any, rebuilder: Rebuilder) -> Callable[[str], bool]:
    known = rebuilder.recipe(instance)
    if known is None:
        return lambda name: True
    free = [n for n in attributes(instance) if known.parameter(n) is None and assignable(instance, n)]
    derived = _derived(instance, rebuilder) if free else set()
    return lambda name: known.parameter(name) is not None or (name in free and name not in derived)


def _fixed(instance: Any, rebuilder: Rebuilder) -> list[str]:
    """Attributes that no parameter of the constructor names or changes, and that cannot be assigned."""
    known = rebuilder.recipe(instance)
    if known is None:
        return []
    names = [n for n in attributes(instance) if known.parameter(n) is None and not assignable(instance, n)]
    return [name for name in names if name not in _derived(instance, rebuilder)] if names else []


def _derived(instance: Any, rebuilder: Rebuilder) -> set[str]:
    """Attributes that change when a parameter of the constructor does: they follow from it."""
    known = rebuilder.recipe(instance)
    assert known is not None
    before = {name: form(value) for name, value in attributes(instance).items()}
    found: set[str] = set()
    for parameter, value in known.given.items():
        for change in islice(changes(value), 2):
            try:
                after = attributes(known.build(**{parameter: change.new}))
            except Exception:  # the constructor is anyone's code
                continue
            found |= {name for name, value in after.items() if before.get(name) != form(value)}
    return {name for name in found if known.parameter(name) is None}


def _constructed(base: Any, path: Path, rebuilder: Rebuilder) -> bool:
    """Whether the part is given to constructors all along the path; a bare copy may carry a key of its own."""
    for place, step in enumerate(path):
        instance = part(base, path[:place]) if place else base
        if is_record(type(instance)):
            known = rebuilder.recipe(instance)
            if known is None or (step in attributes(instance) and known.parameter(step) is None and not known.exact):
                return False
    return True


class _Sentinel:
    """A leaf that nothing else is."""


def traced_paths(base: Any, carrier: Carrier) -> set[Path]:
    """Return the paths of the leaves that the carrier traces: their values are no part of any key."""
    if not isinstance(carrier, Tree | Split):
        return set()
    leaves, treedef = jax.tree.flatten(base)
    marks = [_Sentinel() if isinstance(carrier, Tree) or is_array(leaf) else leaf for leaf in leaves]
    try:
        marked = jax.tree.unflatten(treedef, marks)
        found = {path for path, value in inventory(marked) if isinstance(value, _Sentinel)}
    except Exception:  # a constructor that looks at the leaves
        found = set()
    arrays = {id(leaf) for leaf in leaves if is_array(leaf)}
    return found | {path for path, value in inventory(base) if id(value) in arrays}
