"""The round trip of a pytree: what flatten and unflatten lose is wrong at the first call, without any cache."""

from __future__ import annotations

from typing import Any

import jax

from lenticulum.check.identity.form import form
from lenticulum.check.identity.parts import Path, inventory


def round_trip(instance: Any) -> Any:
    """Return the object that a program receives for an object.

    >>> round_trip([1, 2])
    [1, 2]
    """
    leaves, treedef = jax.tree.flatten(instance)
    return jax.tree.unflatten(treedef, leaves)


def changed_parts(instance: Any) -> list[tuple[Path, str]]:
    """Return the innermost parts that a round trip, or a second one, changes or loses, and to what."""
    once = round_trip(instance)
    for before, after in ((instance, once), (once, round_trip(once))):
        found = _differences(before, after)
        if found:
            return found
    return []


def _differences(before: Any, after: Any) -> list[tuple[Path, str]]:
    one, other = dict(inventory(before)), dict(inventory(after))
    found: list[tuple[Path, str]] = []
    for path, value in one.items():
        if path not in other:
            found.append((path, f"{_short(value)} is lost"))
        elif form(value) != form(other[path]):
            found.append((path, f"{_short(value)} becomes {_short(other[path])}"))
    added = [(path, f"{_short(other[path])} is added") for path in other if path not in one]
    found += [] if found else added
    paths = {path for path, _ in found}
    return [(path, text) for path, text in found if not any(p[: len(path)] == path and p != path for p in paths)]


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else f"a {type(value).__qualname__}"


def refuses_sentinels(instance: Any) -> str | None:
    """Return what unflatten raises for leaves that are no arrays, as jax passes them, or None."""
    leaves, treedef = jax.tree.flatten(instance)
    try:
        jax.tree.unflatten(treedef, [object() for _ in leaves])
    except Exception as error:  # unflatten is anyone's code
        return f"{type(error).__name__}: {error}"
    return None
