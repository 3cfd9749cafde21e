"""Watches: what was read of objects, by identity, so that a moment shows whether any of it has moved."""

from __future__ import annotations

import operator
from collections import deque
from dataclasses import dataclass, field
from types import CellType
from typing import Any


class _Missing:
    """What a name has that is not there."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "missing"


MISSING: Any = _Missing()


class Same:
    """An object that counts by identity; held, so that its address is not given to another."""

    __slots__ = ("held",)

    def __init__(self, held: Any) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return type(other) is Same and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)


@dataclass
class Watch:
    """What was read, by identity: as long as it holds, the label and the parts are what they were.

    `lookups`: (get, name, found) with get(name, MISSING) is found; `reads`: (read, argument, found);
    `items`: (container, its items); `entries`: (mapping, keys, values); `arrays`: (array, dtype, shape, bytes).
    """

    lookups: list[tuple[Any, Any, Any]] = field(default_factory=list)
    reads: list[tuple[Any, Any, Any]] = field(default_factory=list)
    items: list[tuple[Any, tuple[Any, ...]]] = field(default_factory=list)
    entries: list[tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = field(default_factory=list)
    arrays: list[tuple[Any, Any, Any, bytes]] = field(default_factory=list)

    def holds(self) -> bool:
        """Whether everything that was read is still there, by identity, and arrays by their bytes."""
        for get, name, found in self.lookups:
            if get(name, MISSING) is not found:
                return False
        for read, argument, found in self.reads:
            if read(argument) is not found:
                return False
        same = operator.is_
        for container, items in self.items:
            if len(container) != len(items) or not all(map(same, container, items)):
                return False
        for mapping, keys, values in self.entries:
            if len(mapping) != len(keys) or not (
                all(map(same, mapping.values(), values)) and all(map(same, mapping, keys))
            ):
                return False
        return all(
            a.dtype is dtype and a.shape == shape and a.tobytes() == bits for a, dtype, shape, bits in self.arrays
        )

    def restore(self) -> None:
        """Undo what moved in variables, dictionaries and lists, such as a counter that an extra trace has raised.

        What only a class can reach (an attribute of its own) stays as it is.
        """
        for get, name, found in self.lookups:
            mapping = getattr(get, "__self__", None)
            if isinstance(mapping, dict) and get(name, MISSING) is not found:
                _put(mapping, name, found)
        for _, cell, found in self.reads:
            if isinstance(cell, CellType) and found is not MISSING:
                cell.cell_contents = found
        for container, items in self.items:
            if isinstance(container, list | deque | set) and tuple(map(id, container)) != tuple(map(id, items)):
                container.clear()
                container.update(items) if isinstance(container, set) else container.extend(items)
        for mapping, keys, values in self.entries:
            if isinstance(mapping, dict) and tuple(map(id, mapping.values())) != tuple(map(id, values)):
                mapping.clear()
                mapping.update(zip(keys, values, strict=True))


def _put(mapping: dict[Any, Any], name: Any, found: Any) -> None:
    if found is MISSING:
        del mapping[name]
    else:
        mapping[name] = found


def joined(watches: list[Watch]) -> Watch:
    """Return one watch over what all of them watch."""
    whole = Watch()
    for each in watches:
        whole.lookups += each.lookups
        whole.reads += each.reads
        whole.items += each.items
        whole.entries += each.entries
        whole.arrays += each.arrays
    return whole


@dataclass
class Seen:
    """An object as a program can see it. `parts`: (name of the edge, owner for `benign`, object)."""

    label: Any
    parts: list[tuple[str, str, Any]] = field(default_factory=list)
