"""What an elementwise function is at special inputs: signed zeros, infinities, NaN, poles, outside its domain.

Each definition gives a table of its own as rules: an ordered list of (where, what), of which the first that matches an
input counts. From the table follow the expected values and the domain. NaN in any argument gives NaN unless the table
says otherwise.

Sources: IEEE 754-2019, clause 9.2.1, and ISO C23, Annex F.10, for the functions they name; limits of the definition
otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from lenticulum.numbers import Ball
from lenticulum.spec.meaning import Function, fields_for, keywords
from lenticulum.terms import Term

Array: TypeAlias = NDArray[np.float64]
Booleans: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True)
class Expected:
    """What is due at a special input.

    `value`: the number, infinity or NaN to be returned, with the sign of a zero. `limit`: in its place, a finite number
    such as pi/2, which no format holds; a result is judged against it as against any number. `judged`: False where
    libraries differ by documented choice and no standard decides.
    """

    value: float | None = None
    limit: Callable[[], Ball] | None = None
    judged: bool = True

    def finite(self) -> bool:
        """Whether the definition has a finite value there."""
        return self.limit is not None or (self.value is not None and math.isfinite(self.value))


#: Where a rule holds, and what is due there: one thing for all, or a number for each input (±0 at ±0).
Rule: TypeAlias = tuple[Booleans, Expected | float | Array]
Rules: TypeAlias = Sequence[Rule]

F = TypeVar("F", bound=Callable[..., Rules])

NAN = Expected(math.nan)


@dataclass(frozen=True)
class _Table:
    rules: Function
    points: tuple[float, ...]
    answers_nan: bool


_TABLES: dict[type[Term], _Table] = {}


def special(description: type[Term], *points: float, answers_nan: bool = False) -> Callable[[F], F]:
    """Register the table of a description: rules(x, *, field, ...) or rules(x, y, *, field, ...) on float64 arrays.

    Arguments: `points`: the finite numbers besides 0 at which, as one of the arguments, a rule may hold inside the
    domain or at its end. `answers_nan`: the rules say themselves what NaN gives (IEEE 754: pow(1, NaN) = 1).

    Raises: TypeError if the function asks for what is no field of the description.
    """

    def register(rules: F) -> F:
        known = getattr(description, "__dataclass_fields__", {})
        unknown = [name for name in keywords(rules) if name not in known]
        if unknown:
            raise TypeError(f"{rules.__name__} asks for {', '.join(unknown)}, which {description.__name__} has not")
        _TABLES[description] = _Table(rules, points, answers_nan)
        return rules

    return register


def special_points(term: Term) -> tuple[float, ...]:
    """Return the finite inputs besides ±0 that `expected` answers in the closure of the domain.

    Poles that accumulate at infinity (lgamma at -1, -2, ...) are not listed: they lie outside `in_domain`.

    >>> from lenticulum.terms import Log
    >>> special_points(Log())
    (1.0,)
    """
    return _table(term).points


def expected(term: Term, *point: float) -> Expected | None:
    """Return what is due at a point if it is special, and None at an ordinary one.

    >>> from lenticulum.terms import Exp, Log
    >>> expected(Log(), -0.0), expected(Exp(), 1.0)
    (Expected(value=-inf, limit=None, judged=True), None)
    """
    for where, due in answers(term, *(np.array([coordinate], np.float64) for coordinate in point)):
        if where[0]:
            return due if isinstance(due, Expected) else Expected(float(due[0]))
    return None


def in_domain(term: Term, *x: Array) -> Booleans:
    """Return where finite inputs have a finite value; poles are excluded.

    >>> from lenticulum.terms import Log
    >>> in_domain(Log(), np.array([-1.0, 0.0, 0.5, np.inf])).tolist()
    [False, False, True, False]
    """
    inside = np.all([np.isfinite(each) for each in x], axis=0)
    for where, due in answers(term, *x):
        finite = due.finite() if isinstance(due, Expected) else np.isfinite(due)
        inside &= ~where | finite
    return inside


def answers(term: Term, *x: Array) -> Iterator[tuple[Booleans, Expected | Array]]:
    """Return the special inputs of an array, as (where, what is due there); no two of the masks overlap.

    `what` is an `Expected`, or an array of the numbers due at each input.
    """
    table = _table(term)
    left = np.ones(np.broadcast_shapes(*(each.shape for each in x)), np.bool_)
    with np.errstate(all="ignore"):
        rules = list(table.rules(*x, **_fields(table.rules, term)))
    if not table.answers_nan:
        rules = [(np.any([np.isnan(each) for each in x], axis=0), NAN), *rules]
    for where, due in rules:
        where = left & where
        if where.any():
            left &= ~where
            yield where, _due(due, left.shape)


def _due(due: Expected | float | Array, shape: tuple[int, ...]) -> Expected | Array:
    if isinstance(due, np.ndarray):
        return np.broadcast_to(due, shape)
    return due if isinstance(due, Expected) else Expected(float(due))


def _fields(rules: Function, term: Term) -> dict[str, Any]:
    return fields_for(rules, cast(Any, term))


def _table(term: Term) -> _Table:
    kind = type(term)
    if kind not in _TABLES:
        raise TypeError(f"no table of special values for {kind.__name__}: register one with special({kind.__name__})")
    return _TABLES[kind]
