"""Cached values: what lies under the name of a cached property is its recomputation, and no traced value."""

from __future__ import annotations

from typing import Any

import jax
from jax.core import Tracer

from lenticulum.check.identity.finding import STASH
from lenticulum.check.identity.form import form
from lenticulum.check.identity.pairs import Pair, shown_old
from lenticulum.check.identity.parts import cached_names, inventory, is_record
from lenticulum.check.identity.rebuild import copied


def stashes(base: Any) -> list[Pair]:
    """Return the pairs of an object and its copy without cached values, where a cached value is not recomputed."""
    found: list[Pair] = []
    if not is_record(type(base)):
        return found
    for name in cached_names(type(base)) & set(getattr(base, "__dict__", {})):
        try:
            fresh = copied(base)
            computed = getattr(fresh, name)
            first = copied(base)
        except Exception:  # the property is anyone's code
            continue
        stored = base.__dict__[name]
        if form(computed) != form(stored):
            change = f"{shown_old(computed)} computed, {shown_old(stored)} stored"
            found.append(Pair(STASH, (name,), change, first, base, ("first = copied(make())", "other = make()")))
    return found


def traced_parts(instance: Any) -> list[str]:
    """Return the attributes, cached ones too, that hold a traced value, which no later call can use."""
    stored = [("", instance), *((".".join(map(str, path)), value) for path, value in inventory(instance))]
    return [
        f"{where}.{name}".lstrip(".")
        for where, each in stored
        if is_record(type(each))
        for name, value in getattr(each, "__dict__", {}).items()
        if any(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(value))
    ]
