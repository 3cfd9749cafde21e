"""Comparisons, three-valued logic, and choices by a condition."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from lenticulum.numbers import ExactArray, where
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.rules.extremes import larger, smaller
from lenticulum.programs.values import plain


@rule("lt", "lt_to")
def less(step: Step, x: Any, y: Any) -> Any:
    """x < y."""
    return plain(x) < plain(y)


@rule("le", "le_to")
def less_equal(step: Step, x: Any, y: Any) -> Any:
    """x <= y."""
    return plain(x) <= plain(y)


@rule("gt")
def greater(step: Step, x: Any, y: Any) -> Any:
    """x > y."""
    return plain(x) > plain(y)


@rule("ge")
def greater_equal(step: Step, x: Any, y: Any) -> Any:
    """x >= y."""
    return plain(x) >= plain(y)


@rule("eq", "eq_to")
def equal(step: Step, x: Any, y: Any) -> Any:
    """x = y: of floats, neither is less."""
    if not isinstance(x, ExactArray):
        return np.ma.array(np.ma.getdata(x) == np.ma.getdata(y), mask=_mask(x, y))
    return conjunction(plain(x) <= plain(y), plain(x) >= plain(y))


@rule("ne")
def not_equal(step: Step, x: Any, y: Any) -> Any:
    """x != y: of floats, one is less. A value is the same as itself; whether what is unbounded is NaN is undecided."""
    if not isinstance(x, ExactArray):
        return np.ma.array(np.ma.getdata(x) != np.ma.getdata(y), mask=_mask(x, y))
    one, other = plain(x), plain(y)
    if one is other:
        unknown = ~np.asarray(one.bounded()) if hasattr(one, "bounded") else np.zeros(one.shape, np.bool_)
        return _three_valued(np.zeros(one.shape, np.bool_), unknown)
    return disjunction(one < other, one > other)


@rule("is_finite")
def is_finite(step: Step, x: Any) -> Any:
    """Whether a value is a number; of what is unbounded, undecided."""
    base = plain(x)
    elements = getattr(base, "elements", None)
    if elements is None:
        ends = getattr(base, "range", base)
        known = np.isfinite(ends.lo) & np.isfinite(ends.hi)
        return np.ma.array(known, mask=~known)
    finite = np.array([bool(each.is_finite()) for each in elements], np.bool_).reshape(base.shape)
    known = np.asarray(base.bounded())
    return finite if known.all() else np.ma.array(finite, mask=~known)


@rule("not")
def negation(step: Step, x: Any) -> Any:
    """not x; undecided stays so."""
    return np.ma.array(~np.ma.getdata(x), mask=np.ma.getmaskarray(x))


@rule("and")
def both(step: Step, x: Any, y: Any) -> Any:
    """x and y: false where one is false for certain."""
    return conjunction(x, y)


@rule("or")
def either(step: Step, x: Any, y: Any) -> Any:
    """x or y: true where one is true for certain."""
    return disjunction(x, y)


@rule("xor")
def one_of(step: Step, x: Any, y: Any) -> Any:
    """Exactly one of x and y."""
    return np.ma.array(np.ma.getdata(x) ^ np.ma.getdata(y), mask=_mask(x, y))


def conjunction(x: Any, y: Any) -> Any:
    """Kleene's and."""
    x_false = ~np.ma.getdata(x) & ~np.ma.getmaskarray(x)
    y_false = ~np.ma.getdata(y) & ~np.ma.getmaskarray(y)
    return _three_valued(np.ma.getdata(x) & np.ma.getdata(y), _mask(x, y) & ~x_false & ~y_false)


def disjunction(x: Any, y: Any) -> Any:
    """Kleene's or."""
    x_true = np.ma.getdata(x) & ~np.ma.getmaskarray(x)
    y_true = np.ma.getdata(y) & ~np.ma.getmaskarray(y)
    true = x_true | y_true
    return _three_valued(true, _mask(x, y) & ~true)


def _three_valued(data: Any, mask: Any) -> Any:
    return np.ma.array(data, mask=mask) if mask.any() else np.asarray(data)


def _mask(*values: Any) -> Any:
    return reduce(np.logical_or, [np.ma.getmaskarray(each) for each in values])


@rule("reduce_and")
def all_along(step: Step, x: Any) -> Any:
    """Whether all along some axes hold."""
    return _along(x, step.parameters["axes"], conjunction)


@rule("reduce_or")
def any_along(step: Step, x: Any) -> Any:
    """Whether some along the axes hold."""
    return _along(x, step.parameters["axes"], disjunction)


def _along(x: Any, axes: tuple[int, ...], combine: Any) -> Any:
    data, mask = np.ma.getdata(x), np.ma.getmaskarray(x)
    for axis in sorted(axes, reverse=True):
        # Not by an index into a masked array: that of one masked element is a constant without a type.
        rows = [np.ma.array(data.take(place, axis), mask=mask.take(place, axis)) for place in range(data.shape[axis])]
        found = reduce(combine, rows)
        data, mask = np.ma.getdata(found), np.ma.getmaskarray(found)
    return np.ma.array(data, mask=mask)


@rule("select_n")
def select(step: Step, which: Any, *cases: Any) -> Any:
    """The case that a boolean or an integer names, element by element; where it is undecided, all that it may."""
    which = _broadcast(np.asanyarray(which), step.shape)
    if not isinstance(cases[0], ExactArray):
        return _select_discrete(which, cases)
    if which.dtype == np.bool_:
        return where(which, cases[1], cases[0])
    found = cases[-1]
    for place in range(len(cases) - 2, -1, -1):
        found = where(_three_valued(np.ma.getdata(which) == place, _mask(which)), cases[place], found)
    return found


def _broadcast(which: Any, shape: tuple[int, ...]) -> Any:
    """A scalar that chooses between arrays chooses for all elements."""
    if which.shape == shape:
        return which
    data = np.broadcast_to(np.ma.getdata(which), shape)
    return np.ma.array(data, mask=np.broadcast_to(np.ma.getmaskarray(which), shape))


def _select_discrete(which: Any, cases: Any) -> Any:
    data = [np.ma.getdata(each) for each in cases]
    index = np.ma.getdata(which).astype(np.int64)
    chosen = np.choose(index, data) if len(data) < 32 else np.take_along_axis(np.stack(data), index[None], 0)[0]
    mask = np.choose(index, [np.ma.getmaskarray(each) for each in cases])
    same = reduce(np.logical_and, [each == data[0] for each in data])
    mask = mask | (np.ma.getmaskarray(which) & ~same)
    return np.ma.array(chosen, mask=mask) if mask.any() else chosen


@rule("clamp")
def clamp(step: Step, low: Any, x: Any, high: Any) -> Any:
    """min(max(x, low), high); of undecided integers, undecided."""
    if not isinstance(x, ExactArray):
        return np.ma.array(np.clip(*map(np.ma.getdata, (x, low, high))), mask=_mask(x, low, high))
    shape = step.shape
    return smaller(larger(x, low.broadcast_to(shape)), high.broadcast_to(shape))
