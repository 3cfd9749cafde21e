"""Fingerprints: everything reachable from some objects as hashable data, remembered while nothing of it has moved."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lenticulum.terms.key import Keyed
from lenticulum.testing.reachable import look
from lenticulum.testing.reachable_code import is_unit
from lenticulum.testing.reachable_data import PLAIN
from lenticulum.testing.watch import MISSING, Watch, joined

#: Objects that are remembered; beyond it the older half is forgotten, which costs time and nothing else.
REMEMBERED = 4096

Mark = tuple[str, Any]


class Fingerprint:
    """The marks of one unit, each an edge and a label; there is one object for equal marks."""

    __slots__ = ("above", "marks")

    def __init__(self, marks: tuple[Mark, ...], above: tuple[int, ...]) -> None:
        self.marks, self.above = marks, above

    def path(self, index: int) -> str:
        """Return the edges from the root of the unit to a mark."""
        edges: list[str] = []
        while index > 0:
            edges.append(self.marks[index][0])
            index = self.above[index]
        return ", ".join(reversed(edges)).replace(", .", ".").replace(", [", "[")


@dataclass
class Unit:
    """A root with everything behind it up to the next functions and classes, which are units themselves."""

    root: Any
    fingerprint: Fingerprint
    watch: Watch
    further: tuple[Any, ...]
    first: Fingerprint  # since the caches were last known to be empty


Entry = tuple[Fingerprint, tuple[int, ...]]


@dataclass(eq=False)
class Behind:
    """The units behind those of the roots, each with the places of the units that it refers to, and one watch."""

    units: list[Unit]
    entries: tuple[Entry, ...]
    watch: Watch


class Observation:
    """All units behind some roots: there is one object for equal fingerprints that refer to each other equally."""

    __slots__ = ("behind", "roots")

    def __init__(self, roots: tuple[Entry, ...], behind: tuple[Entry, ...]) -> None:
        self.roots, self.behind = roots, behind


class Observer:
    """Takes fingerprints. `benign`: names, alone or as `owner.name`, of what changes and reaches no program.

    Whatever a fingerprint refers to by identity is kept alive, so that an address is not given to another object.
    """

    def __init__(self, benign: Sequence[str] = ()) -> None:
        self.benign = frozenset(benign)
        self.units: dict[int | tuple[int, ...], Unit] = {}
        self.fingerprints: dict[tuple[Mark, ...], Fingerprint] = {}
        self.entries: dict[tuple[Entry, ...], tuple[Entry, ...]] = {}
        self.observations: dict[tuple[tuple[Entry, ...], int], Observation] = {}
        self.closures: dict[tuple[int, ...], Behind] = {}

    def observe(self, roots: Sequence[Any]) -> tuple[Observation, list[Unit]]:
        """Return what can be read from the roots, and the units that it was found in, those of the roots first."""
        first = [self.unit(root) for root in roots]
        starts: dict[int, Any] = {}
        places: dict[int, int] = {}
        for unit in first:
            for each in unit.further:
                if id(each) not in starts:
                    places[id(each)] = len(starts)
                    starts[id(each)] = each
        behind = self._behind(tuple(starts), list(starts.values()))
        entries = tuple([(unit.fingerprint, tuple([places[id(each)] for each in unit.further])) for unit in first])
        key = (entries, id(behind.entries))  # the entries are held, and one object for equal ones
        observation = self.observations.get(key)
        if observation is None:
            observation = self.observations[key] = Observation(entries, behind.entries)
        return observation, [*first, *behind.units]

    def _behind(self, addresses: tuple[int, ...], pending: list[Any]) -> Behind:
        known = self.closures.get(addresses)
        if known is not None and known.watch.holds():
            return known
        units: list[Unit] = []
        places = {address: place for place, address in enumerate(addresses)}
        for root in pending:
            units.append(self.unit(root))
            for each in units[-1].further:
                if id(each) not in places:
                    places[id(each)] = len(pending)
                    pending.append(each)
        found = tuple([(unit.fingerprint, tuple([places[id(each)] for each in unit.further])) for unit in units])
        if len(self.closures) >= REMEMBERED:
            self.closures.clear()
        made = Behind(units, self.entries.setdefault(found, found), joined([unit.watch for unit in units]))
        self.closures[addresses] = made
        return made

    def unit(self, root: Any) -> Unit:
        """Return the unit of a root: the remembered one while its watch holds."""
        # A tuple made anew of the same objects is the same; that is what `tree_flatten` often gives at each call.
        address = tuple(map(id, root)) if type(root) is tuple else id(root)
        known = self.units.get(address)
        if known is not None and known.watch.holds():
            return known
        made = self._described(root)
        if known is not None:
            made.first = known.first
        elif len(self.units) >= REMEMBERED:
            for old in list(self.units)[: REMEMBERED // 2]:
                del self.units[old]
        self.units[address] = made
        return made

    def forget_changes(self) -> None:
        """Take what the units are now for what they were at first."""
        for unit in self.units.values():
            unit.first = unit.fingerprint

    def _described(self, root: Any) -> Unit:
        watch = Watch()
        marks: list[Mark] = []
        above: list[int] = []
        further: list[Any] = []
        visited: dict[tuple[int, frozenset[str]], int] = {}
        held: list[Any] = []  # what is made while looking keeps its address until the end
        stack: list[tuple[str, int, Any, frozenset[str]]] = [("", -1, root, frozenset())]
        while stack:
            edge, parent, item, names = stack.pop()
            here = len(marks)
            above.append(parent)
            if item is not root and is_unit(item):
                further.append(item)
                marks.append((edge, ("unit", item.__qualname__)))
                continue
            if type(item) not in PLAIN and not isinstance(item, Keyed):
                held.append(item)
                context = names if isinstance(item, types.ModuleType) else frozenset[str]()
                seen_at = visited.setdefault((id(item), context), here)
                if seen_at != here:
                    marks.append((edge, ("again", seen_at)))
                    continue
            seen = look(item, names, watch)
            marks.append((edge, seen.label))
            if isinstance(item, types.FunctionType) and is_unit(item):
                names = seen.label[3]
            for name, owner, part in reversed(seen.parts):
                bare = name.rpartition(" ")[2].lstrip(".")
                if not self.benign or not (bare in self.benign or f"{owner}.{bare}" in self.benign):
                    stack.append((name, here, part, names))
        key = tuple(marks)
        fingerprint = self.fingerprints.setdefault(key, Fingerprint(key, tuple(above)))
        return Unit(root, fingerprint, watch, tuple(further), fingerprint)


def difference(before: Observation, after: Observation, titles: Sequence[str]) -> tuple[str, str, str]:
    """Return where two observations first differ, and what was there before and after. `titles`: of the units after."""
    pairs = zip(before.roots + before.behind, after.roots + after.behind, strict=False)
    for place, (old, new) in enumerate(pairs):
        if old[0] is not new[0]:
            return difference_of_units(old[0], new[0], titles[place])
    for place, (old, new) in enumerate(zip(before.roots + before.behind, after.roots + after.behind, strict=False)):
        if old[1] != new[1]:
            return titles[place], "one function or class", "another of the same name"
    return "what can be reached", f"{len(before.behind)} units", f"{len(after.behind)} units"


def difference_of_units(before: Fingerprint, after: Fingerprint, title: str) -> tuple[str, str, str]:
    """Return where two fingerprints of one unit first differ, and what was there before and after."""
    for index, (was, now) in enumerate(zip(before.marks, after.marks, strict=False)):
        if was == now:
            continue
        if was[0] == now[0]:
            return _join(title, after.path(index)), show(was[1]), show(now[1])
        if len(before.marks) > len(after.marks):
            return _join(title, before.path(index)), show(was[1]), "missing"
        return _join(title, after.path(index)), "missing", show(now[1])
    if len(before.marks) > len(after.marks):
        last = len(after.marks)
        return _join(title, before.path(last)), show(before.marks[last][1]), "missing"
    last = len(before.marks)
    return _join(title, after.path(last)), "missing", show(after.marks[last][1])


#: Labels of plain data and of the containers of Python.
PLAIN_LABELS = frozenset(
    "NoneType bool int float complex str bytes Fraction value enum scalar array list tuple dict set frozenset again "
    "missing".split()
)


def plainly_different(before: Observation, after: Observation) -> bool:
    """Whether two observations differ in plain data that their first root holds, and nothing else has changed.

    Then only the function itself can have read the difference, and not one that it calls.
    """
    others = [[each for each, _ in observation.roots[1:]] for observation in (before, after)]
    behind = [{each for each, _ in observation.behind} for observation in (before, after)]
    if others[0] != others[1] or not behind[0] <= behind[1]:
        return False
    changed = set(before.roots[0][0].marks) ^ set(after.roots[0][0].marks)
    return all(edge == "class" or (isinstance(label, tuple) and label[0] in PLAIN_LABELS) for edge, label in changed)


def _join(title: str, path: str) -> str:
    return title + (path if path.startswith((".", "[")) else f", {path}" if path else "")


def show(label: Any) -> str:
    """Return a label as a reader knows it."""
    if label is MISSING:
        return "missing"
    if not isinstance(label, tuple):
        return repr(getattr(label, "held", label))
    kind, *rest = label
    if kind == "float":
        return repr(float.fromhex(rest[0]) if rest[0] != "nan" else float("nan"))
    if kind in ("bool", "int", "str", "bytes", "NoneType"):
        return repr(rest[0])
    if kind == "array":
        return f"array of {rest[1]}, shape {rest[2]}" + (f", bytes {rest[3][:16].hex()}" if len(rest) > 3 else "")
    if kind == "function":
        return f"function {rest[0]} with code {rest[1].co_code.hex()[:24]}..., constants {rest[1].co_consts}"
    return " ".join(map(str, label))[:200]
