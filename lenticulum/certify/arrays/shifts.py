"""Laws of arithmetic in the inputs: shifts, factors that are powers of two, signs, and sums of two inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lenticulum.certify.arrays.exact_changes import all_stored, coarsened, multiples
from lenticulum.certify.arrays.invariance import Inputs, Invariance, Relation, points
from lenticulum.numbers import Interval64, log
from lenticulum.numbers.formats import FORMATS
from lenticulum.spec.operations.rows import places

Floats = NDArray[np.float64]

#: Over which axes of an array a shift is one number: (description, number of axes) -> axes; None: of all arrays.
Scope = Callable[[Any, int], Sequence[int] | None]

#: What is added to the value: (description, shift with the axes of its scope kept) -> an array that broadcasts.
Effect = Callable[[Any, Floats], Floats]

#: By what the value is multiplied: (description, factor, inputs) -> a number, or None where the law does not apply.
Multiplier = Callable[[Any, Fraction, Inputs], Fraction | None]

POWERS_OF_TWO = tuple(sign * Fraction(2) ** k for sign in (1, -1) for k in (-3, -2, -1, 1, 2, 3))
POSITIVE_POWERS = tuple(each for each in POWERS_OF_TWO if each > 0)
SIGN = (Fraction(-1),)


def along_axis(term: Any, ndim: int) -> Sequence[int]:
    """The axes of the description."""
    return places(ndim, term.axis)


def along_last(term: Any, ndim: int) -> Sequence[int]:
    """The last axis."""
    return (-1,)


def everywhere(term: Any, ndim: int) -> None:
    """One number for all."""
    return None


def beyond(count: int) -> Scope:
    """All axes after the first `count`: one number for each example, or for each of its channels."""
    return lambda term, ndim: tuple(range(count, ndim))


def over_window(term: Any, ndim: int) -> Sequence[int]:
    """The spatial axes of a pooling."""
    spatial = len(term.outputs if hasattr(term, "outputs") else term.window)
    return tuple(range(ndim - spatial, ndim))


def nothing(term: Any, shift: Floats) -> Floats:
    """The value is invariant."""
    return np.zeros(())


def itself(term: Any, shift: Floats) -> Floats:
    """The value is shifted alike."""
    return shift


def itself_reduced(term: Any, shift: Floats) -> Floats:
    """The value is shifted alike; the axes of the description are gone, or have size 1."""
    return shift if term.keepdims else shift.squeeze(places(shift.ndim, term.axis))


def shifted(
    statement: str,
    *roles: str,
    scope: Scope = along_axis,
    effect: Effect = nothing,
    applies: Callable[[Any, Inputs], bool] = lambda term, inputs: True,
) -> Invariance:
    """Return the law of x + c, at inputs that are rounded to a grid on which x, c and x + c are exact."""

    def relate(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
        if not all(role in inputs and inputs[role].dtype.name in FORMATS for role in roles):
            return None
        if not applies(term, inputs):
            return None
        arrays = {role: inputs[role] for role in roles}
        precision = FORMATS[inputs[roles[0]].dtype.name].precision
        # A third of the digits makes the shift larger than the numbers, up to 2^(p/3) times.
        spare = int(rng.integers(0, precision // 3, endpoint=True))
        on_grid = coarsened(arrays, scope(term, inputs[roles[0]].ndim), spare)
        if on_grid is None:
            return None
        grid, step = on_grid
        shift = multiples(step, precision, spare, rng)
        before, after = all_stored(grid, arrays), all_stored({r: x + shift for r, x in grid.items()}, arrays)
        if before is None or after is None:
            return None
        difference = points(effect(term, shift))
        return Relation(({**inputs, **after}, {**inputs, **before}), lambda moved, y: (moved, y + difference))

    return Invariance("shift", statement, relate)


def alike(term: Any, factor: Fraction, inputs: Inputs) -> Fraction:
    """The value is linear."""
    return factor


def in_size(term: Any, factor: Fraction, inputs: Inputs) -> Fraction:
    """The value is homogeneous of degree 1."""
    return abs(factor)


def squared(term: Any, factor: Fraction, inputs: Inputs) -> Fraction:
    """The value is homogeneous of degree 2."""
    return factor**2


def unchanged(term: Any, factor: Fraction, inputs: Inputs) -> Fraction:
    """The value does not depend on the factor."""
    return Fraction(1)


def scaled(
    statement: str,
    roles: Mapping[str, int],
    effect: Multiplier,
    factors: Sequence[Fraction] = POWERS_OF_TWO,
    law: str = "scale",
) -> Invariance:
    """Return the law of a^k x, for the exponent k of each array: those that are absent are left out, but the first."""

    def relate(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
        if next(iter(roles)) not in inputs:
            return None
        factor = factors[int(rng.integers(len(factors)))]
        wanted = {r: inputs[r].astype(np.float64) * float(factor**k) for r, k in roles.items() if r in inputs}
        changed, multiplier = all_stored(wanted, inputs), effect(term, factor, inputs)
        if changed is None or multiplier is None:
            return None
        return Relation(({**inputs, **changed}, inputs), lambda moved, y: (moved, y * multiplier))

    return Invariance(law, statement, relate)


def negated(statement: str, *roles: str, odd: bool = False) -> Invariance:
    """Return the law that the value is even, or odd, in some arrays together."""
    return scaled(statement, dict.fromkeys(roles, 1), alike if odd else unchanged, SIGN, "symmetry")


def linear(role: str, statement: str, applies: Callable[[Any, Inputs], bool] = lambda term, inputs: True) -> Invariance:
    """Return the law f(a + b) + f(0) = f(a) + f(b) of a function that is affine in one array.

    a is that array, rounded to a grid on which a + b is exact, and b its entries in another order.
    """

    def relate(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
        on_grid = coarsened({role: inputs[role]}, None, 0) if role in inputs and applies(term, inputs) else None
        if on_grid is None:
            return None
        a = on_grid[0][role]
        b = rng.permutation(a.ravel()).reshape(a.shape)
        wanted = {"sum": a + b, "none": np.zeros(a.shape), "a": a, "b": b}
        exact = all_stored(wanted, dict.fromkeys(wanted, inputs[role]))
        if exact is None:
            return None
        calls = tuple({**inputs, role: array} for array in exact.values())
        return Relation(calls, lambda both, none, of_a, of_b: (both + none, of_a + of_b))

    return Invariance("linearity", statement, relate)


def _weights_scaled(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Multiply the weights of a logarithm of a sum."""
    if "b" not in inputs:
        return None
    factor = POSITIVE_POWERS[int(rng.integers(len(POSITIVE_POWERS)))]
    changed = all_stored({"b": inputs["b"].astype(np.float64) * float(factor)}, inputs)
    if changed is None:
        return None

    def sides(moved: Interval64, y: Interval64) -> tuple[Interval64, Interval64]:
        return moved, y + log(y.lift(factor))

    return Relation(({**inputs, **changed}, inputs), sides)


WEIGHTS_SCALED = Invariance("scale", "{f}(x, a b) = {f}(x, b) + log a, a = 2^k", _weights_scaled)


def _gates_negated(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Negate the second half, b: a sigmoid(-b) = a - a sigmoid(b)."""
    x = inputs["x"]
    size = x.shape[term.axis]
    if size % 2:
        return None
    a, b = np.split(x, 2, axis=term.axis)
    moved = np.concatenate([a, -b], axis=term.axis)
    values = points(a)
    return Relation(({"x": moved}, inputs), lambda negative, y: (negative + y, values))


GATES_NEGATED = Invariance("symmetry", "{f}(a, -b) = a - {f}(a, b)", _gates_negated)


def _complemented(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Name the two classes of a binary label the other way round, where 1 - label is exact."""
    label = inputs["label"]
    others = all_stored({"label": 1 - label.astype(np.float64)}, inputs)
    if others is None or getattr(term, "alpha", None) is not None:
        return None
    return Relation(({**inputs, "prediction": -inputs["prediction"], **others}, inputs), lambda a, b: (a, b))


COMPLEMENTED = Invariance("symmetry", "{f}(-x, 1 - label) = {f}(x, label)", _complemented)
