"""The verdict on one call: every entry by K, the running bound or T, many at once in float64.

A quantity is an interval [at_least, at_most] that holds for every value inside the enclosure of f.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from lenticulum import terms
from lenticulum.certify.arrays.exact import Bound, ExactCall
from lenticulum.certify.enclosure import Enclosures
from lenticulum.certify.rule import K_LIMIT, Rule
from lenticulum.certify.score import REJECTED, STRATA, score
from lenticulum.certify.subject import UNSIGNED
from lenticulum.check.metrics import reduction_limit
from lenticulum.numbers.formats import BINARY32, Format

Array = np.ndarray

#: K is computed at so many entries of a call: those with the largest share of the running bound, or error.
LOOKED_AT = 4

#: Entries that only K can accept are looked at up to so many; the others are undecided.
SETTLED = 64

#: Covers the roundings of a few operations.
UP, DOWN = 1 + 2.0**-48, 1 - 2.0**-48


@dataclass(frozen=True)
class Worst:
    """The largest value of a measure in a call: its ends at an entry, and that entry (flat)."""

    at_least: float
    at_most: float
    flat: int


@dataclass
class Assessment:
    """What one call gave.

    `accepted`: entries by the criterion that carried them; `rejected`: flat positions of those that K, and T, prove
    wrong, the worst first; `undecided`: how many could not be decided. `ulp`, `share`, `k`, `t`: the largest error in
    ulp over the regular entries, as a share of the running bound, the largest K of those computed, and T; `t_wide`: T
    in units of an accumulator in binary32, for a narrower format.
    """

    outputs: int
    accepted: Counter[str] = field(default_factory=Counter)
    rejected: list[int] = field(default_factory=list)
    undecided: int = 0
    ulp: Worst | None = None
    share: Worst | None = None
    k: Worst | None = None
    t: Worst | None = None
    t_wide: Worst | None = None
    escalated: int = 0


def assess(call: ExactCall, y: Array, rule: Rule) -> Assessment:
    """Return the verdict on the output of one call with finite inputs.

    An entry passes iff K <= 4 or it lies inside the running bound of a closed form (a reduction: iff T is within the
    limit of any order of summation); an overflow passes where every closed form overflows. With `within`, iff it is
    within so many ulp.
    Arguments: `y`: the output, of the shape of the value. Raises: DomainError, Undecided, as `ExactCall` does.
    """
    return _Call(call, y, rule).assessed()


def k_of(call: ExactCall, y: Array, rule: Rule, flat: int) -> tuple[float, float] | None:
    """Return the ends of K at one entry of the output, or None where slopes are missing."""
    return _Call(call, y, rule).k(flat)


class _Call:
    def __init__(self, call: ExactCall, y: Array, rule: Rule) -> None:
        self.call, self.rule, self.reduction = call, rule, call.definition.entry.reduction
        bits = np.ascontiguousarray(y).view(UNSIGNED[rule.format.width]).ravel()
        self.exact: Enclosures = call.enclosures
        self.scores = score(np.zeros(bits.shape, bool), bits, self.exact, rule)
        self.y = y.astype(np.float64).ravel()
        self.found = Assessment(self.y.size, escalated=int(self.exact.escalated.sum()))
        quickly = "ulp" if rule.within is not None else "K"
        # A sum of products is judged by T alone.
        accepted = (self.scores.accepted != REJECTED) & (rule.within is not None or not self.reduction)
        self.way = np.where(accepted, quickly, "").astype("U32")
        self.open = np.zeros(self.y.shape, bool)

    def assessed(self) -> Assessment:
        if self.reduction:
            self._by_t()
        elif self.rule.within is None:
            self._by_bound()
            self._by_condition()
        if self.rule.within is not None:
            self.open |= (self.way == "") & (self.scores.ulp_least <= float(self.rule.within))
        if not self.reduction:
            self._largest_k()
        self.found.ulp = self._worst(self.scores.ulp_least, self.scores.ulp_most)
        return self._counted()

    def _by_bound(self) -> None:
        """Accept what a conforming evaluation may give: a number inside a bound, or what an overflow makes of it."""
        overflows = np.ones(self.y.shape, bool)
        for bound, name in self._bounds():
            left = self.way == ""
            if not left.any():
                return
            self.way[left & bound.inside(self.y, self.exact)] = name
            overflows &= bound.overflows
        self.way[(self.way == "") & overflows] = "textbook overflow"

    def _bounds(self) -> Iterator[tuple[Bound, str]]:
        """Give the bounds of the closed forms: sums in the format, and of a narrow format in binary32 too."""
        for number in reversed(range(len(self.call.forms))):
            yield self.call.bound(number, self.rule.format), "running bound"
            if self.rule.format.width < 32:
                yield self.call.bound(number, BINARY32), "running bound, sums in binary32"

    def _by_condition(self) -> None:
        """Settle by K, with its slopes, what is left, up to the first entry that is proved wrong."""
        left = np.flatnonzero(self.way == "")
        self.open[left] = np.isfinite(self.y[left])
        if not self.open[left].all() or self._settled(self._worst_first()[:LOOKED_AT]):
            return
        if self.open.sum() > SETTLED and row_local(self.call):
            self._by_rows()
        self._settled(self._worst_first()[:SETTLED])

    def _worst_first(self) -> list[int]:
        left = np.flatnonzero(self.open & (self.way == ""))
        return left[np.argsort(-self.scores.k_most[left], kind="stable")].tolist()

    def _settled(self, entries: list[int]) -> bool:
        """Settle some entries by K; return whether one is proved wrong, where it stops."""
        for flat in entries:
            ends = self.k(flat)
            if ends is not None and ends[1] <= K_LIMIT:
                self.way[flat] = "K"
            elif ends is not None and ends[0] > K_LIMIT:
                self.open[flat] = False
                return True
        return False

    def _by_rows(self) -> None:
        """Accept by an upper bound of K, for one entry of every row at a time."""
        width = self.call.shape[-1]
        small = np.maximum(np.maximum(self.exact.lo, -self.exact.hi), 0.0)
        most = self._errors()[1]
        for column in np.unique(np.flatnonzero(self.way == "") % width).tolist():
            places = np.arange(column, self.y.size, width)
            smallest = self.rule.unit * (self.call.row_conditions(column) + small[places]) + self.rule.eta
            with np.errstate(invalid="ignore"):
                accepted = (most[places] / smallest * UP <= K_LIMIT) & (self.way[places] == "")
            self.way[places[accepted]] = "K"

    def k(self, flat: int) -> tuple[float, float] | None:
        """Return the ends of K = |y - f| / (u (sum |x_i df/dx_i| + |f|) + eta), or None where slopes are missing."""
        condition = self.call.condition(flat)
        if condition is None:
            return None
        low, high = float(self.exact.lo[flat]), float(self.exact.hi[flat])
        least, most = self._errors()
        unit, eta = self.rule.unit, self.rule.eta
        smallest = unit * (condition[0] + max(low, -high, 0.0)) + eta
        largest = unit * (condition[1] + max(abs(low), abs(high))) + eta
        ends = float(least[flat]) / largest * DOWN, float(most[flat]) / smallest * UP
        if self.found.k is None or ends[0] > self.found.k.at_least:
            self.found.k = Worst(*ends, flat)
        return ends

    def _errors(self) -> tuple[Array, Array]:
        """Return the ends of |y - f|."""
        most = np.maximum(np.abs(self.y - self.exact.lo), np.abs(self.exact.hi - self.y))
        least = np.maximum(np.maximum(self.exact.lo - self.y, self.y - self.exact.hi), 0.0)
        return least * DOWN, most * UP

    def _by_t(self) -> None:
        """Judge a sum of products by T = |y - f| / (u_acc |A||B| + u_out |f| + n eta), u_acc that of the format.

        Where n u >= 1 the theorem allows any result. An accumulator in binary32 is a narrower claim, which decides
        there: within it the entry passes; beyond it nothing is proved. The limit of T alone would pass zeros there from
        n = 1 / u_out on, since it multiplies the rounding of the output too.
        """
        n = self.call.terms()
        accumulators = [self.rule.format] + ([BINARY32] if self.rule.format.width < 32 else [])
        worst: list[Worst | None] = []
        for format in accumulators:
            least, most = self._t(n, format)
            limit = reduction_limit(n, format, self.rule.format)
            worst.append(self._worst(least, most))
            if self.rule.within is not None:
                continue
            inside = np.zeros(most.shape, bool) if limit is None else most <= float(limit) * DOWN
            if limit is not None and format != self.rule.format:
                inside &= self._rounded_last(n, format, float(limit))
            self.way[inside & (self.way == "")] = "T" if format == self.rule.format else "T in binary32"
            if format == self.rule.format:
                self.open |= least <= (np.inf if limit is None else float(limit) * UP)
        self.found.t = worst[0]
        self.found.t_wide = worst[1] if len(worst) > 1 else None

    def _rounded_last(self, n: int, accumulator: Format, limit: float) -> Array:
        """Return where |y - f| <= limit u_acc |A||B| + u_out (2 |f| + max |bias|) + n eta.

        The sum is rounded to the format, and again where a division or a bias follows.
        """
        bias = self.call.inputs.get("bias")
        added = 0.0 if bias is None else float(np.max(np.abs(bias), initial=0.0))
        size = np.maximum(np.maximum(self.exact.lo, -self.exact.hi), 0)
        sums = limit * float(accumulator.unit_roundoff) * self.call.scale[0]
        return self._errors()[1] <= (sums + self.rule.unit * (2 * size + added) + n * self.rule.eta) * DOWN

    def _t(self, n: int, accumulator: Format) -> tuple[Array, Array]:
        low, high = self.call.scale
        least, most = self._errors()
        ends = self.exact.lo, self.exact.hi
        sizes = np.maximum(np.maximum(ends[0], -ends[1]), 0), np.maximum(np.abs(ends[0]), np.abs(ends[1]))
        unit, floor = float(accumulator.unit_roundoff), n * self.rule.eta
        with np.errstate(all="ignore"):
            smallest, largest = (
                unit * scale + self.rule.unit * size + floor for scale, size in zip((low, high), sizes, strict=True)
            )
            return np.nan_to_num(least / largest * DOWN), np.where(most == 0, 0.0, most / smallest * UP)

    def _largest_k(self) -> None:
        share = np.full(self.y.shape, np.nan)
        for bound, _ in self._bounds():
            share = np.fmin(share, bound.share(self.y, self.exact))
            if (share <= 1).all():
                break
        self.found.share = self._worst(share, share)
        for flat in {*self._top(share), *self._top(self.scores.k_most)}:
            self.k(flat)

    def _top(self, measure: Array) -> list[int]:
        """Return the regular entries where a measure is largest."""
        chosen = np.isfinite(measure) & (measure > 0)
        regular = np.flatnonzero((self.scores.stratum == STRATA.index("regular")) & chosen)
        return regular[np.argsort(-measure[regular], kind="stable")][:LOOKED_AT].tolist()

    def _worst(self, least: Array, most: Array) -> Worst | None:
        regular = (self.scores.stratum == STRATA.index("regular")) & np.isfinite(most)
        if not regular.any():
            return None
        flat = int(np.argmax(np.where(regular, least, -1.0)))
        return Worst(float(least[flat]), float(np.max(most[regular])), flat)

    def _counted(self) -> Assessment:
        self.open &= self.way == ""
        names, counts = np.unique(self.way[self.way != ""], return_counts=True)
        self.found.accepted = Counter(dict(zip(names.tolist(), counts.tolist(), strict=True)))
        bad = np.flatnonzero((self.way == "") & ~self.open)
        size = np.where(np.isnan(self.scores.k_most), np.inf, self.scores.k_most)
        self.found.rejected = bad[np.argsort(-size[bad], kind="stable")].tolist()
        self.found.undecided = int(self.open.sum())
        return self.found


def row_local(call: ExactCall) -> bool:
    """Return whether a definition maps each row, along the last axis, to a row of that length."""
    term = call.term
    alone = call.definition.entry.locality == "row" and not call.definition.entry.reduction
    normalises = isinstance(term, terms.LogSoftmax | terms.Standardize | terms.L2Normalize) and term.axis == -1
    return (alone or normalises or isinstance(term, terms.RmsNorm) and term.axes == 1) and call.shape != ()
