"""Derivatives of any JAX function against the exact derivative of its own program, in any order and mode.

Of a function f with the program p, and a chain of directions, three things are computed:

- *exact*: the derivative of p by exact dual numbers and tapes, which never look into a custom rule;
- *rule*: the exact meaning of what JAX derives, custom rules included;
- *got*: what JAX computes for it op by op.

An entry is right if `got` is near `exact`: inside the bound of an evaluation that rounds every operation, function and
sum correctly, and so once. What libraries compute is rounded more often, and rules may take another way. So an entry is
also right if `got` lies inside the running bound of the exact derivative in its textbook order, and `rule` is near
`exact`; or if `rule` and `exact` are the same number as far as both are known, and `got` lies inside the running bound
of the rule. So roundings hide no wrong formula, and no tolerance is chosen. At a kink `exact` encloses the derivatives
of both sides, and so do its bounds.

The values that a rule gives beside the derivative are judged in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lenticulum.check.derivation import MODES, Derivation, Subject
from lenticulum.check.errors import CallError
from lenticulum.check.target import one_line
from lenticulum.numbers import Undecided, available, working_precision
from lenticulum.programs import Balls, Bounds, Bounds64, Intervals, Program, System, UnknownPrimitive

#: Bits of the exact enclosures: the width that remains is that of the literals of the program.
PRECISION = 128

#: Enclosures of fewer bits are written by their ends.
KINK_BITS = 8


@dataclass(frozen=True)
class WrongDerivative:
    """One entry of a derivative that is rejected.

    `chain`: the modes, the first applied first; `output`, `position`: which entry of which result; `got`; `exact`,
    `rule`: decimals of the exact derivative and of the exact meaning of the rule; `note`: instead of these, what is
    wrong with the structure, or with the values beside the derivative.
    """

    chain: str
    output: int = 0
    position: tuple[int, ...] = ()
    got: float = 0.0
    exact: str = ""
    rule: str = ""
    note: str = ""

    def __str__(self) -> str:
        if self.note:
            return f"{self.chain}: {self.note}"
        place = _place(self.output, self.position)
        return f"{self.chain}: {place}: got {self.got!r}, exact {self.exact}, the rule itself means {self.rule}"


@dataclass(frozen=True)
class GradientResult:
    """What was found: the first wrong entry, if any, and how many entries were judged, or have no exact derivative."""

    wrong: WrongDerivative | None
    judged: int = 0
    no_value: int = 0
    excused: int = 0


def check_derivatives(
    function: Callable[..., Any], arguments: Sequence[Any], order: int, modes: Sequence[str] = MODES, seed: int = 0
) -> GradientResult:
    """Return the verdict on the derivatives of a function at some arguments, to an order.

    Arguments: `arguments`: arrays or trees of them; the floating-point leaves are differentiated. `modes`: among "fwd"
    and "rev". Directions are drawn from the seed: every entry of each is nonzero and generic.
    Raises: CallError for modes, an order, arguments or a function that cannot be checked; Undecided; UnknownPrimitive.
    """
    if order < 1 or not modes or any(mode not in MODES for mode in modes):
        raise CallError(f"order {order}, modes {tuple(modes)}: expected an order of at least 1 and modes among {MODES}")
    subject = Subject(function, arguments)
    judged = no_value = excused = 0
    for chain in chains(order, modes):
        found = _judged(Derivation(subject, chain, seed))
        judged, no_value = judged + found.judged, no_value + found.no_value
        excused += found.excused
        if found.wrong is not None:
            return GradientResult(found.wrong, judged, no_value, excused)
    return GradientResult(None, judged, no_value, excused)


def chains(order: int, modes: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the chains of modes to check: each mode alone; then forward after it, or reverse where only that is asked.

    >>> chains(2, ("fwd", "rev"))
    [('fwd',), ('rev',), ('fwd', 'fwd'), ('rev', 'fwd')]
    """
    first = [(mode,) for mode in MODES if mode in modes]
    after = "fwd" if "fwd" in modes else "rev"
    return [chain + (after,) * (length - 1) for length in range(1, order + 1) for chain in first]


def _judged(derivation: Derivation) -> GradientResult:
    """Return the verdict on every entry of one derivative."""
    try:
        rule = derivation.program()
    except Exception as error:  # A rule is anyone's code.
        return GradientResult(WrongDerivative(derivation.name, note=f"it cannot be derived ({one_line(error)})"))
    got = rule.run(*derivation.subject.points)
    wrong = _structure(derivation, got)
    if wrong is not None:
        return GradientResult(wrong)
    if _surely_right(derivation, rule, got):
        return GradientResult(None, sum(each.size for each in got[len(derivation.values) :]))
    with working_precision(PRECISION):
        return _Entries(derivation, rule, got).judge()


def _structure(derivation: Derivation, got: list[np.ndarray]) -> WrongDerivative | None:
    beside = len(derivation.values)
    for number, (array, like) in enumerate(zip(got, (*derivation.values, *derivation.results), strict=True)):
        if array.shape != like.shape or array.dtype != like.dtype:
            place = f"value {number}" if number < beside else f"result {number - beside}"
            note = f"{place} is {array.dtype}{list(array.shape)}, expected {like.dtype}{list(like.shape)}"
            return WrongDerivative(derivation.name, note=note)
    return None


def _surely_right(derivation: Derivation, rule: Program, got: list[np.ndarray]) -> bool:
    """Return whether every entry is right as far as float64 intervals know it."""
    if not available():
        return False
    floats = [array.astype(np.float64) for array in got]
    try:
        with np.errstate(all="ignore"):
            near = [bound.range for bound in derivation.exact(Bounds64(rounded_once=True))]
            right = [(bound.lo <= y) & (y <= bound.hi) for y, bound in zip(floats, near, strict=True)]
            if all(each.all() for each in right):
                return True
            if not all((each | bound.bounded()).all() for each, bound in zip(right, near, strict=True)):
                return False
            running = [bound.range for bound in derivation.exact(Bounds64())]
            meant = _read(rule, Intervals(), derivation)
    except (Undecided, UnknownPrimitive):
        return False
    return all(
        (each | (bound.lo <= y) & (y <= bound.hi) & (means.lo <= formula.hi) & (formula.lo <= means.hi)).all()
        for each, y, bound, means, formula in zip(right, floats, running, meant, near, strict=True)
    )


def _read(rule: Program, system: System, derivation: Derivation) -> list[Any]:
    return rule.read(system, *map(np.asarray, derivation.subject.points))


class _Entries:
    """The entries of one derivative, each judged by as much as is needed to know that it is right."""

    def __init__(self, derivation: Derivation, rule: Program, got: list[np.ndarray]) -> None:
        self.derivation, self.rule, self.got = derivation, rule, got
        self.near = derivation.exact(Bounds(rounded_once=True))

    @cached_property
    def exact(self) -> list[Any]:
        return self.derivation.exact(Balls())

    @cached_property
    def running(self) -> list[Any]:
        return self.derivation.exact(Bounds())

    @cached_property
    def meant(self) -> list[Any]:
        return _read(self.rule, Balls(), self.derivation)

    @cached_property
    def running_rule(self) -> list[Any]:
        return _read(self.rule, Bounds(), self.derivation)

    def judge(self) -> GradientResult:
        """Return the verdict, up to the first wrong entry."""
        counts = {"judged": 0, "no_value": 0, "excused": 0}
        beside = len(self.derivation.values)
        for number, floats in enumerate(self.got):
            for flat, y in enumerate(floats.ravel().astype(np.float64).tolist()):
                verdict = self._verdict(number, flat, y)
                if number < beside:
                    if verdict == "wrong":
                        return GradientResult(self._wrong_value(number, flat, y), **counts)
                    continue
                counts["no_value" if verdict == "no_value" else "judged"] += 1
                if verdict == "wrong":
                    return GradientResult(self._wrong(number, flat, y), **counts)
                counts["excused"] += verdict == "excused"
        return GradientResult(None, **counts)

    def _verdict(self, number: int, flat: int, y: float) -> str:
        near = self.near[number].elements[flat]
        if _inside(y, near):
            return "right"
        value = self.exact[number].elements[flat]
        if not value.is_finite():
            return "no_value"
        running = self.running[number].elements[flat]
        if _inside(y, running) and self._may_mean(number, flat, near):
            return "right"
        meant, of_rule = self.meant[number].elements[flat], self.running_rule[number].elements[flat]
        if not (meant.is_finite() and meant.overlaps(value)):
            return "wrong"
        if _inside(y, of_rule):
            return "right"
        # The derivative overflows on the way there, operation by operation.
        return "wrong" if running.is_finite() or of_rule.is_finite() else "excused"

    def _may_mean(self, number: int, flat: int, near: Any) -> bool:
        """Return whether the rule means what lies inside a bound, as far as it can be read."""
        try:
            meant = self.meant[number].elements[flat]
        except UnknownPrimitive:
            return True
        return not meant.is_finite() or bool(meant.overlaps(near))

    def _wrong(self, number: int, flat: int, y: float) -> WrongDerivative:
        output, position = number - len(self.derivation.values), _position(self.got[number], flat)
        exact, meant = (_decimal(each[number].elements[flat]) for each in (self.exact, self.meant))
        return WrongDerivative(self.derivation.name, output, position, y, exact, meant)

    def _wrong_value(self, number: int, flat: int, y: float) -> WrongDerivative:
        place, exact = _place(number, _position(self.got[number], flat)), _decimal(self.exact[number].elements[flat])
        note = f"the value beside the derivative is not that of the function: {place}: got {y!r}, exact {exact}"
        return WrongDerivative(self.derivation.name, note=note)


def _position(array: np.ndarray, flat: int) -> tuple[int, ...]:
    return tuple(int(each) for each in np.unravel_index(flat, array.shape))


def _place(output: int, position: tuple[int, ...]) -> str:
    return f"result {output}{list(position) if position else ''}"


def _decimal(value: Any) -> str:
    """Write an enclosure; one that holds the derivatives of both sides of a kink by its ends.

    >>> from flint import arb
    >>> _decimal(arb(3)), _decimal(arb(0.5, 0.25))
    ('3.00000000000', 'between 0.25 and 0.75')
    """
    if value.is_finite() and value.rel_accuracy_bits() < KINK_BITS:
        return f"between {float(value.lower()):.6g} and {float(value.upper()):.6g}"
    return value.str(12)


def _inside(y: float, bound: Any) -> bool:
    return bool(np.isfinite(y) and bound.is_finite() and bound.contains(type(bound)(y)))
