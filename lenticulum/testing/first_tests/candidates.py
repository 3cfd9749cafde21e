"""Which definitions a function may be: those whose exact value it is near at a few points, and what its name says.

Nearness only selects what is then checked in full, so that its limit decides no verdict.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from lenticulum.catalog import CATALOG, lookup, names
from lenticulum.check.definition import Definition, parse
from lenticulum.check.errors import CallError
from lenticulum.numbers import DomainError, Undecided, ball
from lenticulum.testing.first_tests.discover import Found

#: Half of the digits of bfloat16: another formula is farther away at one of the points, a narrow format is not.
NEAR = 2.0**-4

#: Points of both signs, of (0, 1) and above 1: a definition is compared at the first that lie in its domain.
POINTS = (
    (-1.7, -0.3, 0.2, 0.6, 1.4, 2.3, 7.1, -4.2),
    (0.1, 0.3, 0.45, 0.5, 0.6, 0.7, 0.85, 0.9),
    (1.1, 1.3, 1.9, 2.4, 3.2, 4.6, 5.5, 7.3),
)

Arrays = tuple[np.ndarray, ...]


def candidates(found: Found) -> list[str]:
    """Return the definitions that a subject may be, each in the first of its conventions that is near."""
    if found.arguments is None or inspect.isclass(found.subject):
        return []
    rows = (lookup(name) for name in names())
    fitting = (row for row in rows if row.kind != "update" and _floats(row) == len(found.arguments))
    return [str(each) for row in fitting for each in _near(found, row)]


def named(found: Found) -> str | None:
    """Return the definition whose name or alias is the name of a subject, if there is one.

    >>> named(Found("LayerNorm", None, None)), named(Found("my_softmax", None, None)), named(Found("f", None, None))
    ('layer_norm', 'softmax', None)
    """
    plain = "".join(f"_{each.lower()}" if each.isupper() else each for each in found.name).strip("_")
    for spelling in (plain, plain.partition("_")[2]):
        if spelling in CATALOG and not lookup(spelling).modes:
            return lookup(spelling).name
    return None


def _floats(row: Any) -> int | None:
    """Return how many arrays of floats a definition needs, or None if it needs whole numbers too."""
    needed = [role for role in row.arrays if role not in row.optional]
    return None if {*needed} & {*row.integers, *row.booleans} else len(needed)


def _near(found: Found, row: Any) -> Iterator[Definition]:
    try:
        stated = parse(row.name)
    except CallError:  # it needs a mode, or is given by more than its name
        return
    for definition in (stated, *stated.variants()):
        if _is_near(found, definition):
            yield definition
            return


def _is_near(found: Found, definition: Definition) -> bool:
    roles = [role for role in definition.entry.arrays if role not in definition.entry.optional]
    for points in POINTS:
        # The second array is the first in another order, so that arguments cannot be exchanged unseen.
        arrays = tuple(np.roll(np.array(points, np.float32), 3 * place).reshape(2, 4) for place in range(len(roles)))
        try:
            exact = _exact(definition, dict(zip(roles, arrays, strict=True)))
        except DomainError:
            continue
        except (CallError, Undecided, ValueError, TypeError, KeyError, IndexError):
            return False
        got = _called(found.subject, arrays)
        if got is None or got.shape != exact.shape:
            return False
        return bool(np.all(np.abs(got - exact) <= NEAR * np.maximum(np.abs(exact), NEAR)))
    return False


def _exact(definition: Definition, roles: dict[str, np.ndarray]) -> np.ndarray:
    term = definition.term({role: array.shape for role, array in roles.items()}, {})
    value = definition.outputs(term, {role: ball(array) for role, array in roles.items()})[definition.output]
    return np.array(value.midpoint().reshape(-1).tolist(), float).reshape(value.shape)  # type: ignore[attr-defined]


def _called(subject: Any, arrays: Arrays) -> np.ndarray | None:
    """Return the value of a subject, or None if it takes no such arrays or returns no array of numbers."""
    import jax.numpy as jnp

    try:
        with np.errstate(all="ignore"):
            got = np.asarray(subject(*map(jnp.asarray, arrays)))
    except Exception:  # a subject is anyone's code
        return None
    return got.astype(float) if got.dtype.kind in "fiV" else None
