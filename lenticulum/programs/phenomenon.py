"""What an equation does to the digits of its operands: cancellation, overflow, underflow, ill conditioning."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from flint import arb

from lenticulum.numbers import ExactArray, round_to
from lenticulum.numbers.unraising import TotalBall
from lenticulum.programs.ends import ends_of
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
    """Return the exact results of one equation on operands moved by u, those that the format has excepted.

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


def amplification_of(step: Step, operands: Sequence[Any], results: Sequence[Any]) -> float:
    """Return the largest relative change of a result of `disturbed`, in units of u."""
    from lenticulum.programs.attribution import change

    unit = float(format_of(step.dtype).unit_roundoff) if jnp.issubdtype(step.dtype, jnp.floating) else 1.0
    return change(list(results), disturbed(step, operands, results)) / unit


def phenomenon_of(step: Step, turns: Sequence[tuple[list[Any], list[Any]]], amplification: float) -> str:
    """Return the name of what happens in an equation, the worst of the times that it was read."""
    lost = {_lost(step, *turn) for turn in turns}
    for name in ("overflow", "underflow", "flush"):
        if name in lost:
            return name
    if amplification < LOSS:
        return "rounding"
    return "cancellation" if step.name in SUMS else "ill-conditioned"


def _lost(step: Step, operands: Sequence[Any], results: Sequence[Any]) -> str | None:
    """Return whether a number becomes an infinity or NaN in floats, or one below the normal numbers a zero."""
    found = None
    for exact, floats in zip(results, computed(step, operands, results), strict=True):
        if not isinstance(exact, ExactArray):
            continue
        format = format_of(step.dtype)
        for x, y in zip(exact.elements, floats.elements, strict=True):  # type: ignore[attr-defined]
            if x.is_finite() and not y.is_finite():
                return "overflow"
            if y.is_zero() and not x.contains(0) and abs(x) < arb(float(format.smallest_normal)):
                tiny = abs(x) < arb(float(format.smallest_subnormal)) / 2
                found = "underflow" if tiny or found == "underflow" else "flush"
    return found


def nearest_floats(x: Any, dtype: Any) -> Any:
    """Return the floats of a dtype nearest to the midpoints of an array, NaN where there is no value."""
    format = format_of(dtype)
    values = [
        float(round_to((pair[0] + pair[1]) / 2, format)) if pair is not None else _infinity(element)
        for pair, element in zip(ends_of(x), x.elements, strict=True)
    ]
    return np.array(values, np.float64).reshape(x.shape).astype(np.dtype(dtype))


def _infinity(element: Any) -> float:
    if element.is_nan() or not element.is_exact():
        return math.nan
    return math.inf if element > 0 else -math.inf
