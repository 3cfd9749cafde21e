"""The default verdict on elementwise functions, point by point, in strata of inputs.

u = 2^-p of the format; eta = half the smallest subnormal number, or the smallest normal one where the environment
flushes. For each input, with the exact value f and the returned value y:

- special input (±0, ±inf, NaN, poles, outside the domain, points with an exact value): y is the expected value, NaN
  for NaN, zeros by bits; where a limit is due that no format holds, y is judged as a number.
- An infinite y stands for the overflow threshold with its sign, so that results near it are judged like numbers.
- A number is accepted iff K = |y - f| / (u (sum |x_i df/dx_i| + |f|) + eta) <= 4, or y lies inside the running bound
  of one closed form. Where the derivative is infinite, K is taken without it; at a kink, with the larger of the two
  one-sided slopes.
- Where the environment flushes, a subnormal result may be ±0, and a subnormal input may be taken as the zero of its
  sign. Where it does not, K alone judges subnormal inputs and results, for the running bound always allows flushing.
- Where every closed form overflows in an intermediate and y is no finite number, the input is counted as a textbook
  overflow and excused.
- At an infinite input NaN is counted and excused where a printed closed form has no value in the extended reals:
  x Phi(x) is inf 0 at -inf, and the value that is due is a limit.
- Whatever K is, an output must keep the order to the numbers of the format that bound the value (`order.py`).
- At a kink, or where the second derivative jumps, no second derivative is due. A first one may be that of the other
  side of a kink that lies within 4 u of x, but not at x; and where every closed form overflows, what follows from
  infinities may be a finite slope.
- Where the exact value overflows, y is the infinity of its sign. A finite y is judged by K too, but the linear
  approximation behind K holds only where 4 u sum |x_i df/dx_i| <= |f|; elsewhere K is taken without the derivative.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.check.enclosures import Ends, decimal, ends, error_ends, magnitude_ends
from lenticulum.check.environment import Environment
from lenticulum.check.finding import Finding, Tally
from lenticulum.check.metrics import K_LIMIT
from lenticulum.check.order import out_of_order
from lenticulum.check.point_errors import PointErrors, by_parts
from lenticulum.check.running import RunningBounds
from lenticulum.numbers import Ball, DomainError, Undecided, ball, decide, working_precision
from lenticulum.numbers.checking import no_type_check

#: The working precision of the first pass; it doubles, for what is left undecided, up to the cap.
START, CAP = 96, 6144

#: The rules that measure a distance from the exact value; the others say why there is none.
MEASURED = ("K", "running bound", "ulp")

#: Of several findings the first of this order is reported: the plainest input, and there the largest error.
ORDER = ("regular", "overflow", "subnormal result", "subnormal input", "special input")

#: The relative width of an enclosure that is a point for every format.
NARROW = Fraction(1, 2**80)

#: An argument beyond this is taken as infinite where its function has no finite enclosure there: the definitions that
#: grow faster than any enclosure holds (exp, sinh, pow, ...) are monotonic out there.
FAR = 2.0**128


def judge_points(
    definition: Any,
    term: Any,
    inputs: Mapping[str, Any],
    got: Mapping[str, np.ndarray],
    environment: Environment,
    within: Fraction | None = None,
) -> tuple[Finding | None, Tally]:
    """Return the finding to report, if any, and the counts; every point is judged."""
    tally, found = Tally(), list[Finding]()
    for output, array in got.items():
        found += _Points(definition, term, inputs, output, array, environment, within, tally).judge()
    tally.rejected.update(finding.kind for finding in found)
    return (min(found, key=_rank) if found else None), tally


def k_of_point(definition: Any, term: Any, point: Mapping[str, Any], output: str, y: float, env: Environment) -> float:
    """Return an upper bound of K at one point, where K is defined."""
    here = _Points(definition, term, point, output, np.array([y]), env, None, Tally())
    return decide(lambda: here.k_bound(Fraction(y)), start=START, cap=CAP)


def _rank(finding: Finding) -> tuple[int, bool, float]:
    return ORDER.index(finding.stratum), finding.kind != "formula", -(finding.k or 0.0)


@no_type_check
class _Points:
    """The points of one output. Methods that end in Undecided are repeated at a higher working precision."""

    def __init__(
        self,
        definition: Any,
        term: Any,
        inputs: Mapping[str, Any],
        output: str,
        got: np.ndarray,
        env: Environment,
        within: Fraction | None,
        tally: Tally,
    ) -> None:
        self.definition, self.term, self.output, self.env, self.within = definition, term, output, env, within
        self.tally, self.shape = tally, got.shape
        self.y = np.asarray(got, np.float64).ravel()
        self.roles = list(definition.entry.arrays)
        self.x = [np.broadcast_to(inputs[role], got.shape).astype(np.float64).ravel() for role in self.roles]
        self.errors = PointErrors(definition, term, output, self.x, env)
        self.unit, self.eta = env.format.unit_roundoff, env.eta
        smallest = float(env.format.smallest_normal)
        self.subnormal = np.any([(np.abs(x) < smallest) & (x != 0) for x in self.x], axis=0)
        self.found: list[Finding] = []

    def judge(self) -> list[Finding]:
        """Judge every point, and return the findings."""
        special = self.definition.special(self.term, *self.x)
        pending = [flat for flat in range(self.y.size) if flat not in special]
        bits = START
        while pending and bits <= CAP:
            with working_precision(bits):
                pending = self._pass(pending)
            bits *= 2
        for flat in pending:
            self._beyond(flat)
        for flat, due in special.items():
            self._special(flat, due)
        if self.definition.order == 0 and self.within is None:
            ordinary = [flat for flat in range(self.y.size) if flat not in special]
            self.found += out_of_order(self.term, self.x, self.y, ordinary, self.output, self._place, self.env)
        return self.found

    def k_bound(self, y: Fraction) -> float:
        """Return an upper bound of K of a number at the first point."""
        f = ends(self.errors.values([0])[0])[0]
        return float(self.errors.quotient(error_ends(y, f), magnitude_ends(f), self.errors.condition(0))[1])

    def _pass(self, pending: list[int]) -> list[int]:
        """Judge what this precision decides, and return the rest."""
        exact = by_parts(self.errors.values, pending)
        left = []
        for flat in self._without_plain(pending, exact):
            try:
                if exact[flat] is None:
                    raise Undecided("there is no finite enclosure")
                self._ordinary(flat, ends(exact[flat])[0])
            except (Undecided, DomainError):
                left.append(flat)
        return left

    def _without_plain(self, pending: list[int], exact: Mapping[int, Ball | None]) -> list[int]:
        """Accept the regular points that binary64 shows to lie within K, with room to spare, and return the others.

        They are most points. The midpoint of an enclosure that is exact to 60 bits is off by less than u / 2^20 in
        every format but binary64, where no point is plain.
        """
        if self.within is not None or self.env.format.precision > 32:
            return pending
        elements = [None if (found := exact[flat]) is None else found.elements[0] for flat in pending]
        certain = [element is not None and element.rel_accuracy_bits() >= 60 for element in elements]
        middle = np.array(
            [float(each) if each is not None and ok else np.nan for each, ok in zip(elements, certain, strict=True)]
        )
        y, size, u = self.y[pending], np.abs(middle), float(self.unit)
        smallest, largest = float(self.env.format.smallest_normal), float(self.env.format.largest)
        with np.errstate(all="ignore"):
            relative = np.abs(y - middle) / (u * size)
            plain = (
                (relative <= K_LIMIT - 0.5) & (size >= 2 * smallest) & (size <= largest / 2) & ~self.subnormal[pending]
            )
        accepted = np.flatnonzero(plain)
        if accepted.size:
            self.tally.strata["regular"] += int(accepted.size)
            self.tally.carried["K"] += int(accepted.size)
            worst = accepted[relative[accepted].argmax()]
            self._remember(pending[worst], float(y[worst]), float(relative[worst]))
        return [flat for flat, done in zip(pending, plain, strict=True) if not done]

    def _ordinary(self, flat: int, f: Ends) -> None:
        stratum = self._stratum(flat, f)
        y = float(self.y[flat])
        how = self._accepted_as(flat, y, f, stratum)
        self.tally.strata[stratum] += 1
        if how is not None:
            self.tally.carried[how] += 1
            if how in MEASURED and math.isfinite(y):
                middle = Fraction(f[0] + f[1]) / 2
                relative = abs(Fraction(y) - middle) / (self.unit * abs(middle) + self.eta)
                self._remember(flat, y, float(min(relative, Fraction(2) ** 1000)))

    def _stratum(self, flat: int, f: Ends) -> str:
        if self.subnormal[flat]:
            return "subnormal input"
        low, high = magnitude_ends(f)
        # An end of a stratum that no precision tells from the value (2^-126 + 2^-65504) counts as reached.
        reached = high if high - low <= low * NARROW else low
        for limit in (self.env.format.overflow_threshold, self.env.format.smallest_normal):
            if reached < limit <= high:
                raise Undecided("the exact value straddles the end of a stratum")
        if reached >= self.env.format.overflow_threshold:
            return "overflow"
        return "subnormal result" if reached < self.env.format.smallest_normal and f != (0, 0) else "regular"

    def _accepted_as(self, flat: int, y: float, f: Ends, stratum: str) -> str | None:
        """Return the name of the rule that accepts y, or None after adding the finding."""
        if math.isinf(y) and (y > 0) == (f[0] > 0) and magnitude_ends(f)[0] >= self.env.format.overflow_threshold:
            return "overflow"
        k, error = None, None
        if not math.isnan(y):
            value = Fraction(y) if math.isfinite(y) else int(math.copysign(1, y)) * self.env.format.overflow_threshold
            error = error_ends(value, f)
            if self.within is not None:
                k = self.errors.ulps(error, f, self.within)
                if k is None:
                    return "ulp"
            else:
                k = self.errors.k(flat, error, f, stratum)
                if k[1] <= K_LIMIT:
                    self.tally.largest_k = max(self.tally.largest_k, float(k[1]))
                    return "K"
                if (
                    self._may_flush(stratum)
                    and math.isfinite(y)
                    and self._running(flat).inside(self.output, 0, value, f)
                ):
                    return "running bound"
                if k[0] <= K_LIMIT:
                    raise Undecided("K straddles its limit")
                if self.definition.order == 1 and math.isfinite(y) and self.errors.beside_a_kink(flat, y):
                    return "beside a kink"
                k = k[0]
        if self.definition.order > 1 and self.definition.kinks(self.term, *(x[[flat]] for x in self.x))[0]:
            return "at a kink"
        flushed = self._flushed(flat, y, stratum)
        if flushed and self.env.flushes:
            return "flushed"
        may_overflow = self.within is None and (self.definition.order > 0 or not math.isfinite(y))
        if may_overflow and self._running(flat).overflows(self.output, 0):
            return "textbook overflow"
        kind = "special-value" if math.isnan(y) else "overflow" if math.isinf(y) or stratum == "overflow" else "formula"
        self._reject("flush" if flushed else kind, flat, f, stratum, k)
        return None

    def _may_flush(self, stratum: str) -> bool:
        return self.env.flushes or not stratum.startswith("subnormal")

    def _running(self, flat: int) -> RunningBounds:
        point = {role: x[[flat]] for role, x in zip(self.roles, self.x, strict=True)}
        return RunningBounds(self.definition, self.term, point, self.roles, self.env.format)

    def _flushed(self, flat: int, y: float, stratum: str) -> bool:
        """Return whether y is what flushing gives: ±0 for a subnormal result, the value at ±0 for a subnormal input."""
        if stratum == "subnormal result":
            return y == 0
        if stratum != "subnormal input":
            return False
        smallest = float(self.env.format.smallest_normal)
        zeros = [np.where(abs(x[[flat]]) < smallest, np.copysign(0.0, x[[flat]]), x[[flat]]) for x in self.x]
        due = self.definition.special(self.term, *zeros).get(0)
        if due is not None:
            return not due.judged or self._is_due(y, due)
        if not math.isfinite(y):
            return False
        point = {role: ball(zero) for role, zero in zip(self.roles, zeros, strict=True)}
        return self.errors.near(y, ends(self.definition.outputs(self.term, point)[self.output])[0])

    def _is_due(self, y: float, due: Any) -> bool:
        if due.limit is not None:
            return math.isfinite(y) and self.errors.near(y, ends(due.limit())[0])
        if math.isnan(due.value):
            return math.isnan(y)
        return y == due.value and math.copysign(1, y) == math.copysign(1, due.value)

    def _special(self, flat: int, due: Any) -> None:
        self.tally.strata["special input"] += 1
        y = float(self.y[flat])
        with working_precision(CAP):
            if not due.judged or self._is_due(y, due):
                return
            if self.env.flushes and self.subnormal[flat] and self._flushed(flat, y, "subnormal input"):
                self.tally.carried["flushed"] += 1
                return
            if math.isnan(y) and self._undefined(flat):
                self.tally.carried["undefined at infinity"] += 1
                return
            exact = str(due.value) if due.limit is None else decimal(ends(due.limit())[0])
        self.found.append(Finding("special-value", self.output, self._place(flat), y, exact, "special input"))

    def _undefined(self, flat: int) -> bool:
        """Return whether an argument is infinite and some printed closed form has no value there (inf 0, inf - inf).

        A kernel that follows that form step by step returns NaN.
        """
        if not any(np.isinf(x[flat]) for x in self.x):
            return False
        for form in self.definition.forms(self.term):
            try:
                form(self.errors.lifted([flat]))
            except (DomainError, Undecided):
                return True
        return False

    def _beyond(self, flat: int) -> None:
        """Judge a point without a finite enclosure as the limit that it stands for, or count it as undecided."""
        far = [np.where(abs(x[[flat]]) > FAR, np.copysign(np.inf, x[[flat]]), x[[flat]]) for x in self.x]
        due = self.definition.special(self.term, *far).get(0)
        if due is not None and due.judged and due.value is not None and math.isinf(due.value):
            self.tally.strata["overflow"] += 1
            if self.y[flat] == due.value:
                self.tally.carried["overflow"] += 1
                return
            y, exact = float(self.y[flat]), str(due.value)
            self.found.append(Finding("overflow", self.output, self._place(flat), y, exact, "overflow"))
            return
        self.tally.undecided += 1

    def _reject(self, kind: str, flat: int, f: Ends, stratum: str, k: Fraction | None) -> None:
        bound = self._running(flat).bound(self.output, 0)
        ends_of_bound = None if bound is None else (float(bound[0]), float(bound[1]))
        measured = None if k is None else float(min(k, Fraction(2) ** 1000))
        criterion = "K" if self.within is None else "ulp"
        y = float(self.y[flat])
        place = self._place(flat)
        exact = decimal(f)
        self.found.append(
            Finding(kind, self.output, place, y, exact, stratum, criterion, measured, bound=ends_of_bound)
        )

    def _place(self, flat: int) -> tuple[int, ...]:
        return tuple(int(index) for index in np.unravel_index(flat, self.shape))

    def _remember(self, flat: int, y: float, relative: float) -> None:
        """Note the accepted point with the largest relative error: the one whose K a report shows."""
        if self.tally.worst is None or relative > self.tally.worst[0]:
            point = {role: x[[flat]] for role, x in zip(self.roles, self.x, strict=True)}
            self.tally.worst = relative, (self.definition, self.term, point, self.output, 0, y, self.env)
