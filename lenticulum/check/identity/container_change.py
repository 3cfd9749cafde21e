"""Other tuples, lists, dictionaries and sets in the place of one: order, number, grouping, and equal twins."""

from __future__ import annotations

import collections
import functools
from collections.abc import Iterator
from typing import Any

from lenticulum.terms.key import is_named_tuple

Pairs = Iterator[tuple[str, Any]]


def container_changes(old: Any) -> Pairs:
    """Yield containers that are not equal to `old`; changes of single elements are those of the elements."""
    if isinstance(old, tuple | list) and not (isinstance(old, tuple) and type(old) is not tuple):
        yield from _sequence_changes(old)
    elif isinstance(old, dict):
        if old:
            first = next(iter(old))
            yield f"{{k: v for k, v in old.items() if k != {first!r}}}", {k: v for k, v in old.items() if k != first}
        yield "{**old, 'other': 1}", {**old, "other": 1}
    elif isinstance(old, set | frozenset):
        yield "old | {'other'}", old | {"other"}
        if old:
            yield "type(old)(list(old)[1:])", type(old)(list(old)[1:])


def _sequence_changes(old: Any) -> Pairs:
    kind = type(old)
    if old and list(old)[::-1] != list(old):
        yield "old[::-1]", old[::-1]
    if old:
        yield "old[:-1]", old[:-1]
        yield "old + old[:1]", old + old[:1]
    else:
        yield "type(old)([0])", kind([0])
    if len(old) > 1 and all(isinstance(each, tuple | list) for each in old) and len(old[0]) > 1:
        # The same elements in other groups: a key of the flattened value does not see it.
        moved = kind([old[0][:-1], old[0][-1:] + old[1], *old[2:]])
        yield "type(old)([old[0][:-1], old[0][-1:] + old[1], *old[2:]])", moved


def container_twins(old: Any) -> Pairs:
    """Yield containers that `==` confuses with `old`."""
    kind = type(old)
    if is_named_tuple(kind):
        fields = list(old._fields)
        for names in (fields[::-1], [f"{name}_" for name in fields]):
            if names != fields:
                twin = _tuple_class(kind.__name__, tuple(names))
                yield f"collections.namedtuple({kind.__name__!r}, {names!r})(*old)", twin(*old)
        yield "tuple(old)", tuple(old)
    elif kind is tuple:
        yield "list(old)", list(old)
        names = [f"f{place}" for place in range(len(old))]
        yield f"collections.namedtuple('Twin', {names!r})(*old)", _tuple_class("Twin", tuple(names))(*old)
    elif kind is list:
        yield "tuple(old)", tuple(old)
    elif isinstance(old, dict) and len(old) > 1:
        yield "type(old)(list(old.items())[::-1])", kind(list(old.items())[::-1])
    elif isinstance(old, set | frozenset):
        swapped = kind(twin_number(each) for each in old)
        if any(type(twin_number(each)) is not type(each) for each in old):
            yield "type(old)(twin_number(each) for each in old)", swapped


@functools.lru_cache(maxsize=512)
def _tuple_class(name: str, fields: tuple[str, ...]) -> Any:
    return collections.namedtuple(name, fields)


def twin_number(number: Any) -> Any:
    """Return an equal number of another type: a bool for 0 and 1, a float for other integers; else what was given.

    >>> [twin_number(each) for each in (1, True, 2, 2.0, "a")]
    [True, 1, 2.0, 2, 'a']
    """
    if isinstance(number, bool):
        return int(number)
    if isinstance(number, int):
        return bool(number) if number in (0, 1) else float(number)
    return int(number) if isinstance(number, float) and number.is_integer() else number
