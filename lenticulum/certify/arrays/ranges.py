"""Laws of range and of normalisation: sums that are 1 or 0, values between two ends.

A range allows nothing where no rounding can break it. Rounding is monotone: a computed sum of numbers that are not
negative is not negative and not less than any of them, and a quotient a / b of 0 <= a <= b lies in [0, 1]. So the
softmax, squares, absolute values and their sums stay in their ranges in every order of evaluation. A cosine does not:
its numerator and its denominator are rounded each for itself, and |cos| <= 1 holds within the running bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lenticulum import terms
from lenticulum.certify.arrays.invariance import Allowance, Inputs, Invariance, Relation, points
from lenticulum.certify.arrays.masks import allowed_keys
from lenticulum.numbers import Interval64, exp
from lenticulum.spec.operations.rows import places

Floats = NDArray[np.float64]

#: Whether a law applies to a description and its inputs.
Applies = Callable[[Any, Inputs], bool]

#: (description, inputs) -> an end of a range, which broadcasts with the value.
End = Callable[[Any, Inputs], Floats | float]


def always(term: Any, inputs: Inputs) -> bool:
    """At all inputs."""
    return True


def without_parameters(term: Any, inputs: Inputs) -> bool:
    """Only if there is no weight and no bias."""
    return "weight" not in inputs and "bias" not in inputs


def of_value(
    law: str,
    statement: str,
    left: Callable[[Any, Interval64], Interval64],
    right: Callable[[Any, Inputs], Floats | float],
    order: str = "=",
    allows: Allowance = Allowance.BOUNDS,
    applies: Applies = always,
) -> Invariance:
    """Return a law of one value: left(y) = right(inputs), or <=."""

    def relate(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
        if not applies(term, inputs):
            return None
        known = points(np.asarray(right(term, inputs)))
        return Relation((inputs,), lambda y: (left(term, y), known), order, allows)

    return Invariance(law, statement, relate)


def at_least(statement: str, end: End, allows: Allowance = Allowance.BOUNDS, applies: Applies = always) -> Invariance:
    """Return the law end <= y, written -y <= -end."""
    return of_value("range", statement, lambda _, y: -y, lambda t, x: -np.asarray(end(t, x)), "<=", allows, applies)


def at_most(statement: str, end: End, allows: Allowance = Allowance.BOUNDS, applies: Applies = always) -> Invariance:
    """Return the law y <= end."""
    return of_value("range", statement, lambda _, y: y, end, "<=", allows, applies)


def number(end: float) -> End:
    """An end that is a number."""
    return lambda term, inputs: end


def not_negative(statement: str = "{f} >= 0", allows: Allowance = Allowance.NOTHING) -> Invariance:
    """Return the law 0 <= y."""
    return at_least(statement, number(0.0), allows)


def extreme(role: str, which: Callable[..., Any], axes: Callable[[Any, int], Sequence[int] | None]) -> End:
    """Return the least or the largest entry of an array over axes, which are kept only where the description says so.

    The axes of windows are kept with size 1.
    """

    def end(term: Any, inputs: Inputs) -> Floats:
        x = inputs[role].astype(np.float64)
        return np.asarray(which(x, axis=axes(term, x.ndim), keepdims=getattr(term, "keepdims", True)))

    return end


def total(term: Any, y: Interval64) -> Interval64:
    """The sum along the last axis."""
    return y.sum(axis=-1)


def total_of_exponentials(term: Any, y: Interval64) -> Interval64:
    """The sum of exp y along the axis."""
    return exp(y).sum(axis=term.axis)


def total_of_squares(term: Any, y: Interval64) -> Interval64:
    """The sum of y² along the last axis."""
    return (y * y).sum(axis=-1)


def normalised_axes(term: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes over which a normalisation takes its statistics; groups of channels count as all of them."""
    if hasattr(term, "axis"):
        return places(ndim, term.axis)
    if hasattr(term, "axes"):
        return tuple(range(ndim - term.axes, ndim))
    if hasattr(term, "groups"):
        return tuple(range(1, ndim))
    return tuple(range(2, ndim)) if isinstance(term, terms.InstanceNorm) else (ndim - 1,)


def entries(term: Any, inputs: Inputs) -> float:
    """Return how many entries a normalisation takes together."""
    return float(np.prod([inputs["x"].shape[axis] for axis in normalised_axes(term, inputs["x"].ndim)]))


ZERO_MEAN = of_value(
    "normalisation",
    "sum {f}(x) = 0 over the entries that share a mean",
    lambda term, y: y.sum(axis=normalised_axes(term, y.ndim)),
    lambda term, inputs: 0.0,
    applies=without_parameters,
)

BOUNDED_SQUARES = of_value(
    "range",
    "sum {f}(x)² <= n over the n entries that are normalised together",
    lambda term, y: (y * y).sum(axis=normalised_axes(term, y.ndim)),
    entries,
    "<=",
    applies=without_parameters,
)


def _mean_of_equal_values(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Give every key the value of the first."""
    axis = -3 if term.heads == "last" else -2
    if not allowed_keys(term, inputs).any(axis=-1).all():
        return None
    value = inputs["value"]
    first = np.take(value, [0], axis=axis)
    heads = inputs["query"].shape[-5 - axis] // value.shape[-5 - axis] if value.ndim > 2 else 1
    expected = points(np.repeat(first, heads, axis=-5 - axis) if value.ndim > 2 else first)
    equal = {**inputs, "value": np.broadcast_to(first, value.shape).copy()}
    return Relation((equal,), lambda y: (y, expected))


EQUAL_VALUES = Invariance("normalisation", "{f} of equal values is that value: weights sum to 1", _mean_of_equal_values)


def _zero_at_label(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    label = inputs["label"]
    if label.dtype != inputs["prediction"].dtype or label.shape != inputs["prediction"].shape:
        return None
    return Relation(({**inputs, "prediction": label},), lambda loss: (loss, loss.lift(0)))


ZERO_AT_LABEL = Invariance("range", "{f}(label, label) = 0", _zero_at_label)


def _differences(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Subtract each partial sum from the next."""
    x = inputs["x"].reshape(-1) if term.axis is None else np.moveaxis(inputs["x"], term.axis, -1)
    if x.shape[-1] < 2:
        return None
    order = [axis for axis in range(x.ndim) if axis != (term.axis or 0) % x.ndim]

    def sides(y: Interval64) -> tuple[Interval64, Interval64]:
        along = y.transpose((*order, (term.axis or 0) % y.ndim))
        return along[..., 1:] - along[..., :-1], points(x[..., 1:])

    return Relation((inputs,), sides)


DIFFERENCES = Invariance("concatenation", "{f}(x)_i - {f}(x)_(i-1) = x_i", _differences)
