"""The default verdict on one call: each output entry against the exact value, the running bound, K and T."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np

from lenticulum.check.environment import Environment
from lenticulum.check.special import Special, expected_special, substituted
from lenticulum.numbers import (
    Ball,
    DomainError,
    ExactArray,
    Undecided,
    absolute,
    ball,
    decide,
    magnitude,
    rational,
    vjp,
)
from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.formats import ulp

#: K <= 4: the roundings of a straightforward evaluation.
K_LIMIT = 4

#: Start with so many bits beyond binary32 that almost every comparison is decided at once; give up at the cap.
START, CAP = 96, 1536

#: Exact values nearer to zero than 2^-LOWEST are replaced by this bound: far below every format.
LOWEST = 20_000

Ends = tuple[Fraction, Fraction]
Inputs = Mapping[str, Any]


@runtime_checkable
class Meaning(Protocol):
    """What is judged against: a definition, or the derivative of one."""

    @property
    def entry(self) -> Any: ...

    def outputs(self, term: Any, roles: Mapping[str, Any]) -> dict[str, ExactArray]: ...


@dataclass(frozen=True)
class Finding:
    """One entry of one output that the verdict rejects, with what was measured there.

    `kind`: one of the kinds of finding. `k`: a lower bound of K (or of T where `criterion` is "T"), None where it is
    undefined."""

    kind: str
    output: str
    position: tuple[int, ...]
    got: float
    exact: str
    stratum: str
    criterion: str = "K"
    k: float | None = None
    bound: tuple[float, float] | None = None
    note: str = ""


@dataclass
class Tally:
    """What a run judged: entries by stratum, by the criterion that carried them, and those left undecided."""

    strata: Counter[str] = field(default_factory=Counter)
    carried: Counter[str] = field(default_factory=Counter)
    undecided: int = 0
    largest_k: float = 0.0
    largest_t: float = 0.0
    worst: tuple[float, Any] | None = None

    def merge(self, other: Tally) -> None:
        """Add the counts of another run."""
        self.strata += other.strata
        self.carried += other.carried
        self.undecided += other.undecided
        self.largest_k = max(self.largest_k, other.largest_k)
        self.largest_t = max(self.largest_t, other.largest_t)
        if other.worst and (self.worst is None or other.worst[0] > self.worst[0]):
            self.worst = other.worst


def judge(
    definition: Meaning,
    term: Any,
    inputs: Inputs,
    got: Mapping[str, np.ndarray],
    environment: Environment,
    within: Fraction | None = None,
) -> tuple[Finding | None, Tally]:
    """Return the first finding, if any, and the counts.

    A regular entry passes iff it lies inside the running bound of the textbook evaluation or has K <= 4 (a reduction:
    iff T is within its limit); with `within`, iff it is within so many ulp of the exact value. Precision is raised
    until each comparison is decided by the ends of an enclosure.
    """
    try:
        return decide(lambda: _Call(definition, term, inputs, got, environment, within).judge(), start=START, cap=CAP)
    except Undecided:
        return None, Tally(undecided=sum(int(np.size(array)) for array in got.values()))


def k_at(
    definition: Meaning, term: Any, inputs: Inputs, output: str, flat: int, y: float, env: Environment
) -> float | None:
    """Return an upper bound of K at one entry; None where K is undefined (an infinite derivative, a kink)."""

    def measure() -> float | None:
        k = _Call(definition, term, inputs, {}, env).mixed_error(output, flat, Fraction(y))
        return None if k is None else float(k[1])

    try:
        return decide(measure, start=START, cap=CAP)
    except Undecided:
        return None


@lru_cache(maxsize=16)
def constants(env: Environment) -> Ends:
    """Return u and eta of an environment."""
    return env.format.unit_roundoff, env.eta


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
        self.unit, self.eta = constants(env)
        self.raw = inputs
        self.inputs = {role: substituted(array) for role, array in inputs.items()}
        self.floats = [role for role, array in self.inputs.items() if isinstance(array, np.ndarray)]
        self.exact = self._evaluate(ball)
        self._pulls: dict[str, Any] = {}
        self._scale: list[Ends] | None = None

    def _evaluate(self, lift: Any, change: Any = lambda array: array) -> dict[str, ExactArray]:
        arrays = {role: change(lift(self.inputs[role])) for role in self.floats}
        return self.definition.outputs(self.term, {**self.inputs, **arrays})

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

    def _plainly_inside(
        self, output: str, values: np.ndarray, expected: Mapping[int, Special], tally: Tally
    ) -> np.ndarray:
        """Return which entries are plain numbers, far from both ends of the format, inside the running bound.

        They are most entries, and need neither K nor a closer look at the exact value.
        """
        none = np.zeros(values.shape, bool)
        running = self.running.get(output)
        if self.within is not None or self.definition.entry.reduction or self.subnormal or expected or running is None:
            return none
        sizes = np.abs(values)
        smallest, largest = float(self.env.format.smallest_normal), float(self.env.format.largest)
        if not (np.isfinite(values).all() and running.bounded().all()):
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
        if special is not None and special.value is not None:
            same = math.isnan(y) if math.isnan(special.value) else y == special.value
            return (
                None if same else self._finding("special-value", output, flat, y, f, stratum, exact=str(special.value))
            )
        if stratum == "overflow" and math.isinf(y) and (y > 0) == (f[0] > 0):
            return None
        if not math.isfinite(y):
            kind = "overflow" if self.bound(output, flat) is None or math.isinf(y) else "special-value"
            return self._finding(kind, output, flat, y, f, stratum)
        if f == (0, 0) and y == 0 and "odd" in self.definition.entry.laws:
            return self._signed_zero(output, flat, y, f, stratum)
        return self._number(output, flat, y, f, stratum, tally)

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
        if self.definition.entry.reduction and output == "y":
            t = self.reduction_error(flat, error, f)
            if t[1] <= self.reduction_limit():
                tally.carried["T"] += 1
                tally.largest_t = max(tally.largest_t, float(t[1]))
                return None
            if stratum != "subnormal input" or not self._inside(output, flat, value):
                if t[0] <= self.reduction_limit():
                    raise Undecided("T straddles its limit")
                return self._finding("formula", output, flat, y, f, stratum, criterion="T", k=float(t[0]))
        # The running bound always allows for flushing; where nothing is flushed, K alone judges subnormal entries.
        if (self.env.flushes or not stratum.startswith("subnormal")) and self._inside(output, flat, value):
            tally.carried["running bound"] += 1
            return None
        k = self.mixed_error(output, flat, value)
        if k is not None and k[1] <= K_LIMIT:
            tally.carried["K"] += 1
            tally.largest_k = max(tally.largest_k, float(k[1]))
            return None
        if k is not None and k[0] <= K_LIMIT:
            raise Undecided("K straddles its limit")
        if k is None and self.bound(output, flat) is None:
            tally.undecided += 1
            return None
        flushed = y == 0 and stratum == "subnormal result" and not self.env.flushes
        note = "K is undefined here: an infinite derivative or a kink" if k is None else ""
        kind = "flush" if flushed else "formula"
        return self._finding(kind, output, flat, y, f, stratum, k=None if k is None else float(k[0]), note=note)

    def _in_ulps(
        self, output: str, flat: int, y: float, error: Ends, f: Ends, stratum: str, tally: Tally
    ) -> Finding | None:
        """Compare with a stated number of ulp: the spacing of the format at the exact value."""
        assert self.within is not None
        low, high = (ulp(end, self.env.format) for end in magnitude_ends(f))
        excused = self.eta if self.env.flushes else Fraction(0)
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
            relative = np.abs(values - middle) / (float(self.unit) * np.abs(middle) + float(self.eta))
        relative = np.where(np.isfinite(relative), relative, -1)
        if relative.size and (tally.worst is None or relative.max() > tally.worst[0]):
            flat = int(relative.argmax())
            case = (self.definition, self.term, self.raw, output, flat, float(values[flat]), self.env)
            tally.worst = float(relative.max()), case

    @cached_property
    def running(self) -> dict[str, Any]:
        """The running bounds of the textbook evaluation; empty where a comparison in it is undecided."""
        try:
            return dict(self._evaluate(lambda array: magnitude(array, self.env.format)))
        except (Undecided, DomainError):
            return {}

    def bound(self, output: str, flat: int) -> Ends | None:
        """Return the running bound of an entry, or None where the textbook evaluation may overflow or has no bound."""
        if output not in self.running:
            return None
        entry = self.running[output].reshape((-1,)).take(np.array([flat]))
        return (
            next(zip(flattened(entry.lower()), flattened(entry.upper()), strict=True))
            if entry.bounded().all()
            else None
        )

    def _inside(self, output: str, flat: int, y: Fraction) -> bool:
        bound = self.bound(output, flat)
        return bound is not None and bound[0] <= y <= bound[1]

    def mixed_error(self, output: str, flat: int, y: Fraction) -> Ends | None:
        """Return the ends of K = |y - f| / (u (sum |x_i df/dx_i| + |f|) + eta), or None where it is undefined."""
        f = ends(self.exact[output].reshape((-1,)).take(np.array([flat])))[0]
        try:
            condition = self._condition(output, flat)
        except (Undecided, DomainError):
            return None
        error, size = error_ends(y, f), magnitude_ends(f)
        low, high = (self.unit * (condition[end] + size[end]) + self.eta for end in (0, 1))
        return error[0] / high, error[1] / low

    def _condition(self, output: str, flat: int) -> Ends:
        arrays = [ball(self.inputs[role]) for role in self.floats]
        if output not in self._pulls:

            def function(*traced: Any) -> Any:
                roles = {**self.inputs, **dict(zip(self.floats, traced, strict=True))}
                return self.definition.outputs(self.term, roles)[output]

            self._pulls[output] = vjp(function, *arrays)
        value, pull = self._pulls[output]
        basis = np.zeros(value.size)
        basis[flat] = 1
        pulled = pull(ball(basis.reshape(value.shape)))
        parts = [magnitude_ends(each) for x, dx in zip(arrays, pulled, strict=True) for each in ends(x * dx)]
        return sum((low for low, _ in parts), Fraction(0)), sum((high for _, high in parts), Fraction(0))

    def reduction_error(self, flat: int, error: Ends, f: Ends) -> Ends:
        """Return the ends of T = |C^ - C| / (u |A||B| + u |C| + n eta); the bias counts as one more product."""
        if self._scale is None:
            self._scale = ends(self._evaluate(ball, absolute)["y"])
        size, scale = magnitude_ends(f), self._scale[flat]
        floor = self.terms() * self.eta
        low, high = (self.unit * (scale[end] + size[end]) + floor for end in (0, 1))
        return error[0] / high, error[1] / low

    def terms(self) -> int:
        """Return the number of products in a reduction, the bias included."""
        return int(self.term.inputs) + int(self.term.use_bias)

    def reduction_limit(self) -> Fraction:
        """Return n / (1 - n u): every order of summation stays within it (Higham 2002, chapter 3)."""
        return self.terms() / (1 - self.terms() * self.unit)

    def _finding(self, kind: str, output: str, flat: int, y: float, f: Ends, stratum: str, **facts: Any) -> Finding:
        position = tuple(int(index) for index in np.unravel_index(flat, self.exact[output].shape))
        bound = self.bound(output, flat)
        if bound is not None:
            facts["bound"] = (float(bound[0]), float(bound[1]))
        return Finding(kind, output, position, y, facts.pop("exact", decimal(f)), stratum, **facts)


@no_type_check
def ends(array: Any) -> list[Ends]:
    """Return the ends of the enclosures of a ball array, in row-major order, with 2^-LOWEST for what is smaller.

    A ball can have an exponent that no rational can hold (exp(-1e30)), so the ends are made from its integers.
    """
    found: list[Ends] = []
    for middle, exponent, radius, radius_exponent in array.as_integers():
        if radius < 0:
            raise DomainError("an infinite enclosure has no ends")
        m, r = dyadic(middle, exponent), dyadic(radius, radius_exponent)
        found.append((m - r, m + r) if exponent >= -LOWEST or not middle else (min(m, -r), max(m, r)))
    return found


@no_type_check
def dyadic(mantissa: int, exponent: int) -> Fraction:
    """Return mantissa * 2^exponent; below 2^-LOWEST, a bound of it with the same sign."""
    if exponent >= 0:
        return Fraction(mantissa << exponent)
    if exponent + mantissa.bit_length() < -LOWEST:
        return Fraction((mantissa > 0) - (mantissa < 0), 1 << LOWEST)
    return Fraction(mantissa, 1 << -exponent)


@no_type_check
def flattened(array: Any) -> list[Fraction]:
    """Return the entries of a rational array."""
    entries = array.reshape((array.size,)).tolist()
    return list(entries)


@no_type_check
def magnitude_ends(f: Ends) -> Ends:
    """Return the ends of |f|.

    >>> magnitude_ends((Fraction(-3), Fraction(2)))
    (Fraction(0, 1), Fraction(3, 1))
    """
    low = max(f[0], -f[1], Fraction(0))
    return low, max(abs(f[0]), abs(f[1]))


@no_type_check
def error_ends(y: Fraction, f: Ends) -> Ends:
    """Return the ends of |y - f|.

    >>> error_ends(Fraction(1), (Fraction(2), Fraction(3)))
    (Fraction(1, 1), Fraction(2, 1))
    """
    return magnitude_ends((y - f[1], y - f[0]))


def decimal(f: Ends, digits: int = 12) -> str:
    """Write the middle of an enclosure with so many digits.

    >>> decimal((Fraction(1, 3), Fraction(1, 3)), 5)
    '0.33333'
    """
    middle = (f[0] + f[1]) / 2
    quotient = Context(prec=digits).divide(Decimal(middle.numerator), Decimal(middle.denominator))
    return format(quotient, f".{digits}g")
