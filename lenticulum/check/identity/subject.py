"""The identity of a callable subject, as one of the laws that need no definition."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np

from lenticulum.check.errors import CallError
from lenticulum.check.finding import Finding
from lenticulum.check.identity.check import check_identity
from lenticulum.check.identity.finding import ASSIGNED, ERROR, MUTABLE, RAISES, TWIN, IdentityFinding
from lenticulum.check.identity.parts import inventory, is_record, written
from lenticulum.check.identity.rebuild import recipe
from lenticulum.check.identity.result import IdentityResult
from lenticulum.check.identity.witness import Names
from lenticulum.check.target import Source, one_line, source_of
from lenticulum.check.text import jax_array
from lenticulum.check.witness import Witness

Arrays = Sequence[np.ndarray]

#: Seconds for the programs of one subject.
BUDGET = 5.0


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

    A callable object, a bound method, a partial or a closure is taken apart as by `check_identity`; a function that
    holds nothing has nothing to confuse. Nobody said here which values are passed and whether the object is changed
    after its first use, so what takes a number of another type, or a change of the object, is a note.
    Arguments: `subject`: a callable; `arrays`: what it is called with; `bind`: its bound arguments, by name;
    `source`: how a witness writes it down.
    """
    if not inventory(subject):
        return SubjectIdentity(None, None, ())
    source = source or source_of(subject)
    known = recipe(subject) if is_record(type(subject)) else None
    try:
        result = check_identity(
            (lambda: subject) if known is None or not known.exact else known.build,
            run=lambda function, *given: function(*given, **bind),
            args=tuple(map(jnp.asarray, arrays)),
            budget=BUDGET,
            names=_names(source, arrays, bind),
        )
    except CallError as error:  # it cannot be called so: the other laws say why
        return SubjectIdentity(None, None, (f"cache identity: not applicable ({one_line(error)})",))
    return _concluded(result)


def _names(source: Source, arrays: Arrays, bind: Mapping[str, Any]) -> Names:
    bound = "".join(f", {name}={value!r}" for name, value in bind.items())
    imports = (*source.imports, "import jax", "import jax.numpy as jnp")
    run = f"run = lambda function, *given: function(*given{bound})"
    return Names(source.expression, "run", "args", imports, (run, f"args = ({', '.join(map(jax_array, arrays))},)"))


def _concluded(result: IdentityResult) -> SubjectIdentity:
    notes: list[str] = []
    for each in result.findings:
        if each.severity == ERROR and not _depends_on_the_caller(each, result):
            return SubjectIdentity(_law_finding(each), each.witness, tuple(notes))
        first, *rest = str(each).splitlines()
        notes.append(f"cache identity: {first.partition(': ')[2]}{f' ({rest[-1].strip()})' if each.note else ''}")
    held = "not tried" if result.verdict == "not covered" else f"{result.values} other values of {result.entries} parts"
    notes.append(f"cache identity: {held}, passed as {result.carrier}")
    return SubjectIdentity(None, None, (*notes, *(f"cache identity: {what}" for what in result.not_covered)))


def _depends_on_the_caller(finding: IdentityFinding, result: IdentityResult) -> bool:
    """Whether it takes what nobody said that the caller does: change the object, or pass a number of another type."""
    if finding.kind in (ASSIGNED, MUTABLE):
        return True
    if finding.kind == RAISES:
        return result.carrier == "static argument"  # an object without hash is never a static argument
    return finding.kind == TWIN and not finding.change.endswith("-> -0.0")


def _law_finding(finding: IdentityFinding) -> Finding:
    lines = [line.strip() for line in str(finding).splitlines()]
    note = "; ".join([lines[0].partition(": ")[2], *lines[1:]])
    return Finding("identity", written(finding.path).lstrip("."), (), math.nan, "", "regular", note=note)
