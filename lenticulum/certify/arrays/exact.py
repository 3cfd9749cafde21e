"""The exact side of one call: enclosures of the value, running bounds, the scale of a sum, and slopes, in float64.

Float64 intervals come first; balls answer what these leave unbounded or wide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lenticulum.certify.enclosure import PRECISIONS, Enclosures, interval64_available, outward
from lenticulum.check.definition import Definition
from lenticulum.check.finding import float_roles
from lenticulum.numbers import DomainError, Undecided, absolute, ball, vjp, working_precision
from lenticulum.numbers.formats import Format, float64_ulp
from lenticulum.numbers.interval64 import interval64
from lenticulum.numbers.magnitude import magnitude
from lenticulum.numbers.magnitude64 import magnitude64

Array = np.ndarray
Inputs = Mapping[str, Array]
Pull = Callable[[Any], tuple[Any, ...]]

#: An enclosure is narrow if it is at most 2^-6 ulp wide: an error is then known to about a sixtieth of an ulp.
NARROW = 2.0**-6


@dataclass(frozen=True)
class Bound:
    """What a conforming evaluation of one closed form may give: each entry in [lo, hi], NaN where there is no bound.

    `overflows`: where an intermediate may overflow.
    """

    lo: Array
    hi: Array
    overflows: Array

    def inside(self, y: Array, exact: Enclosures) -> Array:
        """Return where y lies inside the bound, and the bound encloses the exact value."""
        with np.errstate(invalid="ignore"):
            return (self.lo <= np.minimum(y, exact.lo)) & (np.maximum(y, exact.hi) <= self.hi)

    def share(self, y: Array, exact: Enclosures) -> Array:
        """Return |y - f| as a share of what the bound allows on that side; NaN where there is none.

        f is taken at the end of its enclosure that is farther from y.
        """
        with np.errstate(all="ignore"):
            above = np.maximum(y - exact.lo, 0) / (self.hi - exact.lo)
            below = np.maximum(exact.hi - y, 0) / (exact.hi - self.lo)
            shares = np.where(y >= exact.lo / 2 + exact.hi / 2, above, below)
        # 0 / 0: the bound is the value itself, and so is y.
        return np.where(np.isnan(shares) & ~np.isnan(self.lo), 0.0, shares)


class ExactCall:
    """A definition at the arrays of one call, whose numbers are taken as they are stored."""

    def __init__(self, definition: Definition, term: Any, inputs: Inputs, format: Format) -> None:
        self.definition, self.term, self.format = definition, term, format
        self.roles = float_roles(inputs)
        self.inputs = {r: a.astype(np.float64) if r in self.roles else a for r, a in inputs.items()}
        self.forms = definition.forms(term)
        self._bounds: dict[tuple[int, str], Bound] = {}
        self._pulls: dict[int, tuple[Pull, tuple[int, ...]] | None] = {}

    def _lifted(self, lift: Callable[[Array], Any]) -> dict[str, Any]:
        return {role: lift(array) if role in self.roles else array for role, array in self.inputs.items()}

    def _value(self, form: Callable[..., Mapping[str, Any]], lift: Callable[[Array], Any]) -> Any:
        return form(self._lifted(lift))[self.definition.output]

    @cached_property
    def enclosures(self) -> Enclosures:
        """Return lo <= f <= hi for each entry, flat. Raises: DomainError where the definition has no value."""
        lo, hi = self._by_intervals() if interval64_available() else (None, None)
        if lo is None or hi is None:
            count = self._balls(PRECISIONS[0]).size
            lo, hi = np.full(count, -np.inf), np.full(count, np.inf)
        escalated = ~_narrow(lo, hi, self.format)
        for precision in PRECISIONS[:2]:
            wide = np.flatnonzero(~_narrow(lo, hi, self.format))
            if not wide.size:
                break
            elements = self._balls(precision).elements
            ends = [outward(elements[flat]) for flat in wide.tolist()]
            low, high, _ = (np.array(column) for column in zip(*ends, strict=True))
            lo[wide], hi[wide] = np.fmax(lo[wide], low), np.fmin(hi[wide], high)
        return Enclosures(lo, hi, np.zeros(lo.shape, bool), escalated)

    def _by_intervals(self) -> tuple[Array, Array] | tuple[None, None]:
        """Return the common part of the enclosures of the closed forms, as many as it takes; NaN where none has one.

        The last form is the shortest as a rule, the first the one that cancels least.
        """
        lo: Array | None = None
        hi: Array | None = None
        for form in reversed(self.forms):
            try:
                found = self._value(form, interval64)
            except (Undecided, DomainError):
                continue
            low, high = np.array(found.lo, np.float64).ravel(), np.array(found.hi, np.float64).ravel()
            lo, hi = (low, high) if lo is None or hi is None else (np.fmax(lo, low), np.fmin(hi, high))
            if _narrow(lo, hi, self.format).all():
                break
        return (None, None) if lo is None or hi is None else (lo, hi)

    def _balls(self, precision: int) -> Any:
        with working_precision(precision):
            try:
                value = self.definition.outputs(self.term, self._lifted(ball))[self.definition.output]
            except Undecided:
                value = self._first_decided()
            return value.reshape((value.size,))

    def _first_decided(self) -> Any:
        """Return the balls of the first form that decides its comparisons. Raises: Undecided if none does."""
        for form in self.forms:
            try:
                return self._value(form, ball)
            except Undecided:
                continue
        raise Undecided("no closed form is decided at these arrays")

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value."""
        if interval64_available():
            for form in reversed(self.forms):
                try:
                    return self._value(form, lambda array: interval64(np.ones(array.shape))).shape
                except (Undecided, DomainError):
                    continue
        return self.definition.outputs(self.term, self._lifted(lambda array: ball(np.ones(array.shape))))[
            self.definition.output
        ].shape

    def bound(self, number: int, accumulator: Format) -> Bound:
        """Return the running bound of a closed form, each operation rounded once in the format, sums as stated."""
        key = number, accumulator.name
        if key not in self._bounds:
            self._bounds[key] = self._bound(number, accumulator)
        return self._bounds[key]

    def _bound(self, number: int, accumulator: Format) -> Bound:
        form, count = self.forms[number], self.enclosures.lo.size
        try:
            if interval64_available():
                found = self._value(form, lambda array: magnitude64(array, self.format, accumulator))
                return Bound(found.range.lo.ravel(), found.range.hi.ravel(), np.ravel(found.overflowed()))
            # Balls know no accumulator: these bounds are wider, or missing.
            return _ends_of_balls(self._value(form, lambda array: magnitude(array, self.format)))
        except (Undecided, DomainError):
            return Bound(np.full(count, np.nan), np.full(count, np.nan), np.zeros(count, bool))

    @cached_property
    def scale(self) -> tuple[Array, Array]:
        """Return the ends of a sum of products taken over absolute values, |A||B|: flat."""
        with working_precision(PRECISIONS[0]):
            sizes = self._lifted(lambda array: absolute(ball(array)))
            value: Any = self.definition.outputs(self.term, sizes)[self.definition.output]
            ends = [outward(element) for element in value.reshape((value.size,)).elements]
        low, high, _ = (np.array(column) for column in zip(*ends, strict=True))
        return low, high

    def terms(self) -> int:
        """Return the number of products in a sum, a bias included."""
        summands = self.definition.entry.summands
        if summands is not None:
            return int(summands(self.term, {role: array.shape for role, array in self.inputs.items()}))
        return int(self.term.inputs) + int(self.term.use_bias)

    def condition(self, flat: int) -> tuple[float, float] | None:
        """Return the ends of sum |x_i df/dx_i| at one entry, or None where no form has such slopes."""
        for number in reversed(range(len(self.forms))):
            low = high = 0.0
            for role, slope in self._slopes(number, np.array([flat])).items():
                near, far = (np.abs(self.inputs[role]) * size for size in _sizes(slope.lo, slope.hi))
                low += float(np.sum(near)) * (1 - _rounding(near.size))
                high += float(np.sum(far)) * (1 + _rounding(far.size))
            if low <= high < np.inf and self._pull(number) is not None:
                return low, high
        return None

    def row_conditions(self, column: int) -> Array:
        """Return, for each row, a lower bound of sum |x_i df/dx_i| at its entry in a column, over the data alone.

        Of a definition that maps each row of its data to a row: one pass back serves all rows.
        """
        width = self.shape[-1]
        places = np.arange(column, self.enclosures.lo.size, width)
        best = np.zeros(places.size)
        for number in reversed(range(len(self.forms))):
            slope = self._slopes(number, places).get(self.roles[0])
            if slope is None:
                continue
            near = np.abs(self.inputs[self.roles[0]]) * _sizes(slope.lo, slope.hi)[0]
            sums = near.reshape((places.size, -1)).sum(axis=1)
            best = np.fmax(best, sums * (1 - _rounding(near.size // max(places.size, 1))))
            if (best > 0).all():
                break
        return best

    def _slopes(self, number: int, places: Array) -> dict[str, Any]:
        """Return the transposed derivative of a form, by role, at the sum of some entries; nothing without one."""
        found = self._pull(number)
        if found is None:
            return {}
        pull, shape = found
        basis = np.zeros(shape)
        basis.reshape(-1)[places] = 1.0
        try:
            return dict(zip(self.roles, pull(interval64(basis)), strict=True))
        except (Undecided, DomainError):
            return {}

    def _pull(self, number: int) -> tuple[Pull, tuple[int, ...]] | None:
        """Return the reverse derivative of a form in float64 intervals, and the shape of its value."""
        if number not in self._pulls:
            self._pulls[number] = self._reversed(number) if interval64_available() else None
        return self._pulls[number]

    def _reversed(self, number: int) -> tuple[Pull, tuple[int, ...]] | None:
        def function(*arrays: Any) -> Any:
            roles = {**self.inputs, **dict(zip(self.roles, arrays, strict=True))}
            return self.forms[number](roles)[self.definition.output]

        try:
            value, pull = vjp(function, *(interval64(self.inputs[role]) for role in self.roles))
        except (Undecided, DomainError):
            return None
        return pull, value.shape


def _rounding(count: int) -> float:
    """Return what covers the roundings of a sum of so many products in any order, and of adding it to others."""
    return (count + 8) * 2.0**-52


def _sizes(lo: Array, hi: Array) -> tuple[Array, Array]:
    """Return the smallest and the largest size in each interval."""
    return np.maximum(np.maximum(lo, -hi), 0.0), np.maximum(np.abs(lo), np.abs(hi))


def _narrow(lo: Array, hi: Array, format: Format) -> Array:
    with np.errstate(all="ignore"):
        small = np.maximum(np.maximum(lo, -hi), 0.0)
        beyond = (small >= float(format.overflow_threshold)) & ((lo > 0) | (hi < 0))
        return beyond | (hi - lo <= NARROW * float64_ulp(np.where(np.isfinite(small), small, 0.0), format))


def _ends_of_balls(bounds: Any) -> Bound:
    """Return the ends of running bounds over balls; what overflowed is not known there."""
    bounded = np.ravel(bounds.bounded())
    lo, hi = np.full(bounded.size, np.nan), np.full(bounded.size, np.nan)
    rows = np.flatnonzero(bounded)
    if rows.size:
        chosen = bounds.reshape((-1,)).take(rows)
        lo[rows] = [np.nextafter(float(each), -np.inf) for each in chosen.lower().tolist()]
        hi[rows] = [np.nextafter(float(each), np.inf) for each in chosen.upper().tolist()]
    return Bound(lo, hi, np.zeros(bounded.size, bool))
