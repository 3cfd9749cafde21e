"""The default verdict on one call: each output entry against the exact value, the running bound, K and T."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np

from lenticulum.check.enclosures import Ends, decimal, ends, error_ends, magnitude_ends
from lenticulum.check.environment import Environment
from lenticulum.check.finding import Finding, Meaning, Tally, float_roles
from lenticulum.check.metrics import K_LIMIT, Metrics, reduction_limit
from lenticulum.check.pointwise import judge_points, k_of_point
from lenticulum.check.running import RunningBounds
from lenticulum.check.special import Special, expected_special, substituted
from lenticulum.numbers import Ball, Undecided, ball, decide, rational
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.formats import BINARY32, ulp

#: Start with so many bits beyond binary32 that almost every comparison is decided at once; give up at the cap.
START, CAP = 96, 1536

Inputs = Mapping[str, Any]


def judge(
    definition: Meaning,
    term: Any,
    inputs: Inputs,
    got: Mapping[str, np.ndarray],
    environment: Environment,
    within: Fraction | None = None,
) -> tuple[Finding | None, Tally]:
    """Return the first finding, if any, and the counts.

    A regular entry passes iff it lies inside the running bound of a textbook evaluation or has K <= 4 (a reduction:
    iff T is within its limit); with `within`, iff it is within so many ulp of the exact value. Precision is raised
    until each comparison is decided by the ends of an enclosure. Where every closed form of the definition overflows
    in an intermediate, the entry is counted as such and excused. Elementwise definitions are judged point by point
    (`pointwise`).
    """
    if definition.entry.kind == "elementwise":
        return judge_points(definition, term, inputs, got, environment, within)
    try:
        return decide(lambda: _Call(definition, term, inputs, got, environment, within).judge(), start=START, cap=CAP)
    except Undecided:
        return None, Tally(undecided=sum(int(np.size(array)) for array in got.values()))


def k_at(
    definition: Meaning, term: Any, inputs: Inputs, output: str, flat: int, y: float, env: Environment
) -> float | None:
    """Return an upper bound of K at one entry; None where K is undefined (an infinite derivative, a kink)."""

    if definition.entry.kind == "elementwise":
        return k_of_point(definition, term, inputs, output, y, env)

    def measure() -> float | None:
        k = _Call(definition, term, inputs, {}, env).metrics.mixed_error(output, flat, Fraction(y))
        return None if k is None else float(k[1])

    try:
        return decide(measure, start=START, cap=CAP)
    except Undecided:
        return None


@no_type_check
class _Call:
    """One call of a kernel, at the working precision."""

    def __init__(
        self,
        definition: Meaning,
        term: Any,
        inputs: Inputs,
        got: Mapping[str, np.ndarray],
        env: Environment,
        within: Fraction | None = None,
    ) -> None:
        self.definition, self.term, self.env, self.got, self.within = definition, term, env, got, within
        self.raw = inputs
        self.inputs = {role: substituted(array) for role, array in inputs.items()}
        self.floats = float_roles(self.inputs)
        self.exact = definition.outputs(
            term, {**self.inputs, **{role: ball(self.inputs[role]) for role in self.floats}}
        )
        self.metrics = Metrics(definition, term, self.inputs, self.floats, self.exact, env)
        self.running = RunningBounds(definition, term, self.inputs, self.floats, env.format)

    @cached_property
    def subnormal(self) -> dict[str, np.ndarray]:
        """Which entries of each output depend on a subnormal input; empty where there is none."""
        smallest = float(self.env.format.smallest_normal)
        sizes = {role: np.abs(np.asarray(self.inputs[role], np.float64)) for role in self.floats}
        tiny = {role: (size > 0) & (size < smallest) for role, size in sizes.items()}
        if not any(mask.any() for mask in tiny.values()):
            return {}
        return {output: self._spread(tiny, array.shape) for output, array in self.exact.items()}

    def _spread(self, masks: Mapping[str, np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
        locality = self.definition.entry.locality
        spread = np.zeros(shape, bool)
        for role, mask in masks.items():
            local = mask.any(axis=-1, keepdims=True) if locality == "row" and role == "x" else mask
            fits = locality == "element" or role == "x" and locality == "row"
            spread |= (
                np.broadcast_to(local, shape)
                if fits and spread.shape == np.broadcast_shapes(local.shape, shape)
                else mask.any()
            )
        return spread.ravel()

    def judge(self) -> tuple[Finding | None, Tally]:
        """Judge every entry of every output; stop at the first finding."""
        tally = Tally()
        special = expected_special(self.definition, self.term, self.raw)
        for output, array in self.got.items():
            if array.shape != self.exact[output].shape:
                return self._wrong_shape(output, array), tally
            values = np.asarray(array, np.float64).ravel()
            expected = special.get(output, {})
            plain = self._plainly_inside(output, values, expected, tally)
            left = np.flatnonzero(~plain)
            exact = ends(self.exact[output].reshape((-1,)).take(left))
            for flat, f in zip(left.tolist(), exact, strict=True):
                finding = self._entry(output, flat, float(values[flat]), f, expected.get(flat), tally)
                if finding is not None:
                    return finding, tally
            self._remember_worst(output, values, tally)
        return None, tally

    def _wrong_shape(self, output: str, array: np.ndarray) -> Finding:
        note = f"{output} has the shape {list(array.shape)}; expected {list(self.exact[output].shape)}"
        return Finding("type", output, (), math.nan, "", "regular", note=note)

    def _plainly_inside(
        self, output: str, values: np.ndarray, expected: Mapping[int, Special], tally: Tally
    ) -> np.ndarray:
        """Return which entries are plain numbers, far from both ends of the format, inside the first running bound.

        They are most entries, and need neither K nor a closer look at the exact value.
        """
        none = np.zeros(values.shape, bool)
        if self.within is not None or self.definition.entry.reduction or self.subnormal or expected:
            return none
        running = self.running.of(0).get(output)
        sizes = np.abs(values)
        smallest, largest = float(self.env.format.smallest_normal), float(self.env.format.largest)
        if running is None or not (np.isfinite(values).all() and running.bounded().all()):
            return none
        y = rational(values.reshape(running.shape))
        inside = np.ravel((running.lower() <= y) & (y <= running.upper()))
        plain = inside & (sizes >= 4 * smallest) & (sizes <= largest / 4)
        tally.strata["regular"] += int(plain.sum())
        tally.carried["running bound"] += int(plain.sum())
        return plain

    def _entry(
        self, output: str, flat: int, y: float, f: Ends, special: Special | None, tally: Tally
    ) -> Finding | None:
        stratum = self._stratum(output, flat, f, special is not None)
        tally.strata[stratum] += 1
        if special is not None and not special.judged:
            return None
        if special is not None and special.or_nan and math.isnan(y):
            tally.carried["undefined at infinity"] += 1
            return None
        if special is not None and special.value is not None:
            same = math.isnan(y) if math.isnan(special.value) else y == special.value
            return (
                None if same else self._finding("special-value", output, flat, y, f, stratum, exact=str(special.value))
            )
        if stratum == "overflow" and math.isinf(y) and (y > 0) == (f[0] > 0):
            return None
        if f == (0, 0) and y == 0 and "odd" in self.definition.entry.laws:
            return self._signed_zero(output, flat, y, f, stratum)
        finding = (
            self._number(output, flat, y, f, stratum, tally)
            if math.isfinite(y)
            else self._finding(
                "overflow" if self.running.bound(output, flat) is None or math.isinf(y) else "special-value",
                output,
                flat,
                y,
                f,
                stratum,
            )
        )
        if finding is not None and self.within is None and self.running.overflows(output, flat):
            # The textbook evaluation gives infinities, and what follows from them: 1/inf is a number, inf - inf none.
            tally.carried["textbook overflow"] += 1
            return None
        return finding

    def _stratum(self, output: str, flat: int, f: Ends, special: bool) -> str:
        size = magnitude_ends(f)
        if special:
            return "special input"
        if output in self.subnormal and self.subnormal[output][flat]:
            return "subnormal input"
        if size[0] >= self.env.format.overflow_threshold:
            return "overflow"
        return "subnormal result" if size[0] < self.env.format.smallest_normal and f != (0, 0) else "regular"

    def _signed_zero(self, output: str, flat: int, y: float, f: Ends, stratum: str) -> Finding | None:
        x = float(np.asarray(self.raw["x"]).ravel()[flat])
        if math.copysign(1, x) == math.copysign(1, y):
            return None
        return self._finding("special-value", output, flat, y, f, stratum, exact=repr(x), note="the function is odd")

    def _number(self, output: str, flat: int, y: float, f: Ends, stratum: str, tally: Tally) -> Finding | None:
        value = Fraction(y)
        error = error_ends(value, f)
        if self.within is not None:
            return self._in_ulps(output, flat, y, error, f, stratum, tally)
        if self.definition.entry.reduction and output == self.definition.output:
            limit = reduction_limit(self.metrics.terms(), self.env.format, self.env.format)
            if limit is None:
                return self._in_a_wider_accumulator(flat, error, f, tally)
            t = self.metrics.reduction_error(flat, error, f)
            if t[1] <= limit:
                tally.carried["T"] += 1
                tally.largest_t = max(tally.largest_t, float(t[1]))
                return None
            if stratum != "subnormal input" or not self.running.inside(output, flat, value, f):
                if t[0] <= limit:
                    raise Undecided("T straddles its limit")
                return self._finding("formula", output, flat, y, f, stratum, criterion="T", k=float(t[0]))
        # The running bound always allows for flushing; where nothing is flushed, K alone judges subnormal entries.
        excused = self.env.flushes or not stratum.startswith("subnormal")
        if excused and self.running.inside(output, flat, value, f):
            tally.carried["running bound"] += 1
            return None
        k = self.metrics.mixed_error(output, flat, value)
        if k is not None and k[1] <= K_LIMIT:
            tally.carried["K"] += 1
            tally.largest_k = max(tally.largest_k, float(k[1]))
            return None
        if k is not None and k[0] <= K_LIMIT:
            raise Undecided("K straddles its limit")
        if k is None and self.running.bound(output, flat) is None:
            tally.undecided += 1
            return None
        flushed = y == 0 and stratum == "subnormal result" and not self.env.flushes
        note = "K is undefined here: an infinite derivative or a kink" if k is None else ""
        kind = "flush" if flushed else "formula"
        return self._finding(kind, output, flat, y, f, stratum, k=None if k is None else float(k[0]), note=note)

    def _in_a_wider_accumulator(self, flat: int, error: Ends, f: Ends, tally: Tally) -> None:
        """Accept what a sum in binary32 may give; from n u = 1 on the format allows any sum, and nothing is refuted."""
        most = self.metrics.rounded_last(flat, f, BINARY32)
        if most is not None and error[1] <= most:
            tally.carried["T"] += 1
        else:
            tally.undecided += 1

    def _in_ulps(
        self, output: str, flat: int, y: float, error: Ends, f: Ends, stratum: str, tally: Tally
    ) -> Finding | None:
        """Compare with a stated number of ulp: the spacing of the format at the exact value."""
        assert self.within is not None
        low, high = (ulp(end, self.env.format) for end in magnitude_ends(f))
        excused = self.env.eta if self.env.flushes else Fraction(0)
        if error[1] <= self.within * low + excused:
            tally.carried["ulp"] += 1
            return None
        if error[0] <= self.within * high + excused:
            raise Undecided("the error straddles the stated number of ulp")
        return self._finding("formula", output, flat, y, f, stratum, criterion="ulp", k=float(error[0] / high))

    def _remember_worst(self, output: str, values: np.ndarray, tally: Tally) -> None:
        """Note the entry with the largest relative error: the one whose K a report shows."""
        # A float of a ball is its midpoint: enough to choose an entry, and nothing is decided by it.
        elements = cast(Ball, self.exact[output]).elements
        middle = np.array([float(element) for element in elements])
        with np.errstate(all="ignore"):
            relative = np.abs(values - middle) / (
                float(self.env.format.unit_roundoff) * np.abs(middle) + float(self.env.eta)
            )
        relative = np.where(np.isfinite(relative), relative, -1)
        if relative.size and (tally.worst is None or relative.max() > tally.worst[0]):
            flat = int(relative.argmax())
            case = (self.definition, self.term, self.raw, output, flat, float(values[flat]), self.env)
            tally.worst = float(relative.max()), case

    def _finding(self, kind: str, output: str, flat: int, y: float, f: Ends, stratum: str, **facts: Any) -> Finding:
        position = tuple(int(index) for index in np.unravel_index(flat, self.exact[output].shape))
        bound = self.running.bound(output, flat)
        if bound is not None:
            facts["bound"] = (float(bound[0]), float(bound[1]))
        return Finding(kind, output, position, y, facts.pop("exact", decimal(f)), stratum, **facts)
