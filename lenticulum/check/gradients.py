"""Derivatives of any JAX function against the exact derivative of its own program, in any order and mode.

Of a function f with the program p, and a chain of directions, three things are computed:

- *exact*: the derivative of p by exact dual numbers and tapes, which never look into a custom rule;
- *rule*: the exact meaning of what JAX derives, custom rules included;
- *got*: what JAX computes for it op by op.

An entry is right if `got` lies inside the running bound of the exact derivative in its textbook order, operation by
operation; or if `rule` and `exact` are the same number as far as both are known, and `got` lies inside the running
bound of the rule. No tolerance is chosen. At a kink `exact` encloses the derivatives of both sides, and so does its
bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from lenticulum import numbers
from lenticulum.check.draw import SeededDraw
from lenticulum.check.errors import CallError
from lenticulum.check.rows import reals
from lenticulum.numbers import Undecided, available, working_precision
from lenticulum.programs import Balls, Bounds, Bounds64, Program, System, trace
from lenticulum.programs.values import lifted

#: Bits of the exact enclosures: the width that remains is that of the literals of the program.
PRECISION = 128

#: Enclosures of fewer bits are written by their ends.
KINK_BITS = 8

MODES = ("fwd", "rev")

Function = Callable[..., tuple[Any, ...]]
Arrays = tuple[Any, ...]


@dataclass(frozen=True)
class WrongDerivative:
    """One entry of a derivative that is rejected.

    `chain`: the modes, the first applied first; `output`, `position`: which entry of which result; `got`; `exact`,
    `rule`: decimals of the exact derivative and of the exact meaning of the rule; `note`: instead of these, what is
    wrong with the structure.
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
        place = f"result {self.output}{list(self.position) if self.position else ''}"
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
    Raises: CallError for modes, an order or arguments that cannot be checked; Undecided; UnknownPrimitive.
    """
    if order < 1 or not modes or any(mode not in MODES for mode in modes):
        raise CallError(f"order {order}, modes {tuple(modes)}: expected an order of at least 1 and modes among {MODES}")
    flat, points = _flattened(function, arguments)
    judged = no_value = excused = 0
    for chain in chains(order, modes):
        found = _Chain(flat, points, chain, SeededDraw(seed, order)).judge()
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


def _flattened(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Function, Arrays]:
    """Return the function of the floating-point leaves to the tuple of floating-point leaves, and the leaves."""
    leaves, structure = jax.tree.flatten(tuple(arguments))
    leaves = [jnp.asarray(leaf) for leaf in leaves]
    places = [place for place, leaf in enumerate(leaves) if jnp.issubdtype(leaf.dtype, jnp.floating)]
    if not places:
        raise CallError("there is no floating-point argument to differentiate in")

    def flat(*floats: Any) -> tuple[Any, ...]:
        given = list(leaves)
        for place, array in zip(places, floats, strict=True):
            given[place] = array
        results = jax.tree.leaves(function(*jax.tree.unflatten(structure, given)))
        return tuple(each for each in results if jnp.issubdtype(jnp.result_type(each), jnp.floating))

    return flat, tuple(leaves[place] for place in places)


class _Chain:
    """One chain of modes with its directions."""

    def __init__(self, flat: Function, points: Arrays, chain: tuple[str, ...], draw: Any) -> None:
        self.flat, self.points, self.name = flat, points, " of ".join(reversed(chain))
        self.program = trace(flat, *points)
        self.chain: list[tuple[str, Arrays]] = []
        derived = flat
        for mode in chain:
            shapes = points if mode == "fwd" else jax.eval_shape(derived, *points)
            directions = tuple(_direction(draw, each) for each in shapes)
            self.chain.append((mode, directions))
            derived = _fast(derived, mode, directions)
        self.derived = derived

    def judge(self) -> GradientResult:
        """Return the verdict on every entry of the derivative."""
        try:
            derived = trace(self.derived, *self.points)
        except (TypeError, ValueError) as error:
            return GradientResult(WrongDerivative(self.name, note=f"it cannot be derived ({_line(error)})"))
        got = derived.run(*self.points)
        wrong = self._structure(got)
        if wrong is not None:
            return GradientResult(wrong)
        if self._surely(got):
            return GradientResult(None, sum(each.size for each in got))
        with working_precision(PRECISION):
            exact, chain_bound = (self._exact(system) for system in (Balls(), Bounds()))
            rule, rule_bound = (_read(derived, system, self.points) for system in (Balls(), Bounds()))
            return self._verdict(got, exact, chain_bound, rule, rule_bound)

    def _surely(self, got: list[np.ndarray]) -> bool:
        """Return whether every entry lies inside the running bound as float64 intervals know it."""
        if not available():
            return False
        try:
            with np.errstate(all="ignore"):
                bounds = self._exact(Bounds64())
        except Undecided:
            return False
        pairs = [(array.astype(np.float64), bound.range) for array, bound in zip(got, bounds, strict=True)]
        return all(bool(((bound.lo <= y) & (y <= bound.hi)).all()) for y, bound in pairs)

    def _structure(self, got: list[np.ndarray]) -> WrongDerivative | None:
        expected = self.points if self.chain[-1][0] == "rev" else self._values()
        for number, (array, like) in enumerate(zip(got, expected, strict=True)):
            if array.shape != like.shape or array.dtype != like.dtype:
                note = f"result {number} is {array.dtype}{list(array.shape)}, expected {like.dtype}{list(like.shape)}"
                return WrongDerivative(self.name, note=note)
        return None

    def _values(self) -> Arrays:
        derived = self.flat
        for mode, directions in self.chain[:-1]:
            derived = _fast(derived, mode, directions)
        return jax.eval_shape(derived, *self.points)

    def _exact(self, system: System) -> tuple[Any, ...]:
        def function(*arrays: Any) -> tuple[Any, ...]:
            return tuple(self.program.read(system, *arrays))

        derived: Function = function
        for mode, directions in self.chain:
            derived = _slow(derived, mode, tuple(_data(system, each) for each in directions))
        return derived(*(_data(system, each) for each in self.points))

    def _verdict(self, got: Any, exact: Any, chain_bound: Any, rule: Any, rule_bound: Any) -> GradientResult:
        judged = no_value = excused = 0
        for number, (floats, *known) in enumerate(zip(got, exact, chain_bound, rule, rule_bound, strict=True)):
            rows = zip(floats.ravel().astype(np.float64).tolist(), *(each.elements for each in known), strict=True)
            for flat, (y, value, of_chain, meant, of_rule) in enumerate(rows):
                if not value.is_finite():
                    no_value += 1
                    continue
                judged += 1
                if _inside(y, of_chain) or (meant.overlaps(value) and meant.is_finite() and _inside(y, of_rule)):
                    continue
                if not of_chain.is_finite() and (np.isfinite(y) or not of_rule.is_finite()) and _same(meant, value):
                    # The derivative overflows on the way there, operation by operation.
                    excused += 1
                    continue
                position = tuple(int(each) for each in np.unravel_index(flat, floats.shape))
                found = WrongDerivative(self.name, number, position, y, _decimal(value), _decimal(meant))
                return GradientResult(found, judged, no_value, excused)
        return GradientResult(None, judged, no_value, excused)


def _decimal(value: Any) -> str:
    """Write an enclosure; one that holds the derivatives of both sides of a kink by its ends.

    >>> from flint import arb
    >>> _decimal(arb(3)), _decimal(arb(0.5, 0.25))
    ('3.00000000000', 'between 0.25 and 0.75')
    """
    if value.is_finite() and value.rel_accuracy_bits() < KINK_BITS:
        return f"between {float(value.lower()):.6g} and {float(value.upper()):.6g}"
    return value.str(12)


def _same(meant: Any, value: Any) -> bool:
    return bool(meant.is_finite() and meant.overlaps(value))


def _inside(y: float, bound: Any) -> bool:
    return bool(np.isfinite(y) and bound.is_finite() and bound.contains(type(bound)(y)))


def _read(program: Program, system: System, points: Arrays) -> list[Any]:
    return program.read(system, *map(np.asarray, points))


def _data(system: System, array: Any) -> Any:
    on_host = np.asarray(array)
    return system.data(on_host, on_host.dtype)


def _direction(draw: Any, like: Any) -> Any:
    """Return nonzero numbers of mixed sign and size, in the type of an array."""
    drawn = reals(draw, like.shape, 2.0)
    return jnp.asarray(np.where(drawn == 0, 1.0, drawn), like.dtype)


def _fast(function: Function, mode: str, directions: Arrays) -> Function:
    if mode == "fwd":
        return lambda *x: jax.jvp(function, x, directions)[1]
    return lambda *x: jax.vjp(function, *x)[1](directions)


def _slow(function: Function, mode: str, directions: Arrays) -> Function:
    """Return the same over exact arrays; directions are constants of the derivatives further out."""

    def forward(*x: Any) -> tuple[Any, ...]:
        return numbers.jvp(function, x, [lifted(each, like) for each, like in zip(directions, x, strict=True)])[1]

    def reverse(*x: Any) -> tuple[Any, ...]:
        return tuple(numbers.vjp(function, *x)[1](tuple(lifted(each, x[0]) for each in directions)))

    return forward if mode == "fwd" else reverse


def _line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200]
