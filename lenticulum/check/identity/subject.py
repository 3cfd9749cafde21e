"""The identity of a callable subject, as one of the laws that need no definition."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum.check.finding import Finding
from lenticulum.check.target import Source, one_line, source_of
from lenticulum.check.witness import Witness, positional_call

Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class SubjectIdentity:
    """What was found: the first finding with its witness, if any, and what else there is to say."""

    finding: Finding | None
    witness: Witness | None
    notes: tuple[str, ...]


def identity_of_subject(
    subject: Any, arrays: Arrays, bind: Mapping[str, Any], source: Source | None = None
) -> SubjectIdentity:
    """Check that no two variants of a callable that compute different things are one key of a compiled program.

    Arguments: `subject`: a callable; `arrays`: what it is called with; `bind`: its bound arguments, by name;
    `source`: how a witness writes it down.
    """
    source = source or source_of(subject)
    notes: list[str] = []
    keyed: list[str] = []

    def run(function: Any) -> list[np.ndarray]:
        return [np.asarray(leaf) for leaf in jax.tree.leaves(function(*map(jnp.asarray, arrays), **bind))]

    for name, value in _number_fields(subject).items():
        changed = copy.copy(subject)
        try:
            object.__setattr__(changed, name, value + 1)
            equal = bool(changed == subject) and hash(changed) == hash(subject)
            first, second = (run(f) for f in (subject, changed))
        except Exception as error:  # no hash, or no such variant: nothing that a cache could confuse
            notes.append(f"cache identity of {name}: not applicable ({one_line(error)})")
            continue
        keyed += [] if equal else [name]
        if equal and any(a.tobytes() != b.tobytes() for a, b in zip(first, second, strict=True)):
            note = f"changing the field {name} changes the result but neither == nor hash"
            finding = Finding("identity", name, (), math.nan, "", "regular", note=note)
            return SubjectIdentity(finding, positional_call(source, arrays, bind), tuple(notes))
    if keyed:
        notes.append(f"cache identity: {', '.join(keyed)} are part of the key")
    return SubjectIdentity(None, None, tuple(notes))


def _number_fields(subject: Any) -> dict[str, float]:
    """Return the plain numbers that a callable object holds."""
    if inspect.isfunction(subject) or inspect.isbuiltin(subject) or inspect.isclass(subject):
        return {}
    names = (
        [f.name for f in dataclasses.fields(subject)]
        if dataclasses.is_dataclass(subject)
        else list(getattr(subject, "__dict__", {}))
    )
    values = {name: getattr(subject, name, None) for name in names}
    return {n: v for n, v in values.items() if isinstance(v, int | float) and not isinstance(v, bool)}
