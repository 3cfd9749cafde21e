"""What an equation does to the digits of its operands: cancellation, overflow, underflow, ill conditioning."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from flint import arb

from lenticulum.numbers import ExactArray, Format, round_to
from lenticulum.numbers.arb_array import Integers
from lenticulum.numbers.ends import BEYOND, dyadic
from lenticulum.numbers.unraising import TotalBall
from lenticulum.programs.rule import Step, rule_of
from lenticulum.programs.systems import Balls, format_of
from lenticulum.programs.values import decided

#: Equations in which terms may cancel.
SUMS = frozenset("add add_any sub reduce_sum dot_general cumsum conv_general_dilated reduce_window_sum".split())

#: An equation that makes the rounding of its operands so many times larger has lost three bits.
LOSS = 8.0


def computed(step: Step, operands: Sequence[Any], results: Sequence[Any]) -> list[Any]:
    """Return what JAX computes for one equation on the nearest floats of its exact operands.

    Where an operand itself is too large or too small for a float, an earlier equation is to blame, and not this one.
    """
    if any(isinstance(each, ExactArray) and _beyond(each, kind.dtype) for each, kind in _typed(step, operands)):
        return list(results)
    given: list[Any] = []
    for each, kind in _typed(step, operands):
        array = nearest_floats(each, kind.dtype) if isinstance(each, ExactArray) else decided(each, step.name)
        given.append(array if not isinstance(array, np.ndarray) else jnp.asarray(array))
    parameters = step.equation.primitive.get_bind_params(step.parameters)
    found = step.equation.primitive.bind(*given, **parameters)
    leaves = found if step.equation.primitive.multiple_results else [found]
    return [_value(leaf) for leaf in leaves]


def _typed(step: Step, operands: Sequence[Any]) -> list[tuple[Any, Any]]:
    return list(zip(operands, step.operands, strict=True))


def _beyond(x: Any, dtype: Any) -> bool:
    """Return whether an element is a number that overflows or underflows in a format."""
    format = format_of(dtype)
    tiny, largest = arb(float(format.smallest_normal)), arb(float(format.largest))
    return any(each.is_finite() and not each.is_zero() and not tiny <= abs(each) <= largest for each in x.elements)


def _value(array: Any) -> Any:
    on_host = np.asarray(array)
    return Balls().data(on_host, on_host.dtype) if jnp.issubdtype(on_host.dtype, jnp.floating) else on_host


def disturbed(step: Step, operands: Sequence[Any], results: Sequence[Any]) -> list[Any]:
    """Return the exact results of one equation on operands moved by u, except those that the format has.

    Signs alternate, so that the disturbances of two terms do not cancel where the terms do.
    """
    moved = [
        _moved(each, kind.dtype, number) if isinstance(each, ExactArray) else each
        for number, (each, kind) in enumerate(_typed(step, operands))
    ]
    if all(one is other for one, other in zip(moved, operands, strict=True)):
        return list(results)
    found = rule_of(step.equation)(step, *moved)
    return list(found) if step.equation.primitive.multiple_results else [found]


def _moved(x: Any, dtype: Any, number: int) -> Any:
    format = format_of(dtype)
    u = arb((1, -format.precision))
    held = nearest_floats(x, dtype).astype(np.float64).ravel().tolist()
    elements = [
        each if not each.is_finite() or (each.is_exact() and each == arb(float_)) else each * (1 + (-1) ** sign * u)
        for sign, (each, float_) in enumerate(zip(x.elements, held, strict=True), number)
    ]
    unchanged = all(one is other for one, other in zip(elements, x.elements, strict=True))
    return x if unchanged else TotalBall(x.shape, elements)


def amplification_of(step: Step, results: Sequence[Any], moved: Sequence[Any]) -> float:
    """Return the largest relative change from the results of an equation to those of `disturbed`, in units of u."""
    unit = float(format_of(step.dtype).unit_roundoff) if jnp.issubdtype(step.dtype, jnp.floating) else 1.0
    return change(results, moved) / unit


def phenomenon_of(step: Step, turns: Iterable[tuple[Sequence[Any], Sequence[Any]]], amplification: float) -> str:
    """Return the name of what happens in an equation, the worst of the times that it was read.

    Arguments: `turns`: the exact results and those of `computed`, each time.
    """
    lost = {_lost(step, *turn) for turn in turns}
    for name in ("overflow", "underflow", "flush"):
        if name in lost:
            return name
    if amplification < LOSS:
        return "rounding"
    return "cancellation" if step.name in SUMS else "ill-conditioned"


def _lost(step: Step, results: Sequence[Any], floats: Sequence[Any]) -> str | None:
    """Return whether a number becomes an infinity or NaN in floats, or one below the normal numbers a zero."""
    found = None
    for exact, got in zip(results, floats, strict=True):
        if not isinstance(exact, ExactArray):
            continue
        format = format_of(step.dtype)
        for x, y in zip(exact.elements, got.elements, strict=True):  # type: ignore[attr-defined]
            if x.is_finite() and not y.is_finite():
                return "overflow"
            if y.is_zero() and not x.contains(0) and abs(x) < arb(float(format.smallest_normal)):
                tiny = abs(x) < arb(float(format.smallest_subnormal)) / 2
                found = "underflow" if tiny or found == "underflow" else "flush"
    return found


def nearest_floats(x: Any, dtype: Any) -> Any:
    """Return the floats of a dtype nearest to the midpoints of an array of balls, NaN where there is no value."""
    format = format_of(dtype)
    values = [_nearest_float(each, format) for each in x.as_integers()]
    return np.array(values, np.float64).reshape(x.shape).astype(np.dtype(dtype))


def _nearest_float(integers: Integers, format: Format) -> float:
    middle, exponent, radius, _ = integers
    if radius < 0:
        return math.copysign(math.inf, middle) if middle else math.nan
    if exponent + middle.bit_length() > BEYOND:
        return math.copysign(math.inf, middle)
    return float(round_to(dyadic(middle, exponent), format))


def change(exact: Sequence[Any], changed: Sequence[Any]) -> float:
    """Return the largest relative difference of two lists of results: inf where a number became none."""
    largest = 0.0
    for one, other in zip(exact, changed, strict=True):
        if not isinstance(one, ExactArray):
            largest = max(largest, 0.0 if np.array_equal(one, other) else math.inf)
            continue
        for x, y in zip(one.elements, other.elements, strict=True):  # type: ignore[attr-defined]
            largest = max(largest, relative(x, y))
    return largest


def relative(x: Any, y: Any) -> float:
    """Return |x - y| / |x|, of balls by their midpoints; nothing is said of an x that is no number."""
    if not x.is_finite():
        return 0.0
    if not y.is_finite():
        return math.inf
    gap, size = abs(x.mid() - y.mid()), abs(x.mid())
    if gap.is_zero():
        return 0.0
    return math.inf if size.is_zero() else float((gap / size).mid())
