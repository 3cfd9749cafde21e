"""What a definition says at infinities and NaN: an expected value for each output entry that depends on one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.check.finding import float_roles
from lenticulum.numbers import DomainError, Undecided, ball, magnitude
from lenticulum.numbers.formats import Format
from lenticulum.numbers.unraising import total_ball


@dataclass(frozen=True)
class Special:
    """The value expected at an entry: NaN or infinite, or None where a finite number is due.

    `or_nan`: NaN is excused too, because a closed form of the definition, as printed, has no value there.

    Where the definition has no value, but kernels differ by convention (a row with +inf, a row of -inf only), the
    entry is not judged.
    """

    value: float | None
    judged: bool = True
    or_nan: bool = False


#: Stands for infinity where a definition has a finite limit there. Such limits are reached exponentially: tanh and a
#: weight of softmax differ from theirs by e^-8192 there, far less than any format resolves.
FAR = 8192.0

#: A format so wide that nothing of ordinary size overflows in it.
WIDE = Format("wide", precision=53, minimum_exponent=-(2**15), maximum_exponent=2**15, width=80)

#: Two values that differ by less have one limit.
TINY = Fraction(1, 2**64)


def substituted(array: Any) -> Any:
    """Return the array with ±FAR for ±inf and 0 for NaN: the arguments at which finite entries are judged.

    >>> substituted(np.array([np.inf, 1.0])).tolist()
    [8192.0, 1.0]
    """
    if not isinstance(array, np.ndarray) or np.isfinite(array).all():
        return array
    return np.nan_to_num(array.astype(np.float64), nan=0.0, posinf=FAR, neginf=-FAR)


def expected_special(definition: Any, term: Any, inputs: Mapping[str, Any]) -> dict[str, dict[int, Special]]:
    """Return, for each output, the entries that depend on a special input and what is expected there.

    NaN spreads to every entry that depends on it. At infinities the definition is evaluated in the extended reals;
    where that does not exist (inf - inf, inf/inf, 0 inf), its limit is taken if it has one, and otherwise NaN is
    expected.
    """
    data = {role: inputs[role] for role in float_roles(inputs)}
    if all(np.isfinite(array).all() for array in data.values()):
        return {}
    if definition.entry.kind == "array":
        return {definition.output: _by_dependence(definition, term, inputs, data)}
    locality = definition.entry.locality
    if locality == "row":
        return {"y": _by_row(definition, term, inputs)}
    if locality == "element":
        return _by_element(definition, term, inputs)
    names = definition.outputs(term, {**inputs, **{role: ball(substituted(a)) for role, a in data.items()}})
    return {name: {flat: Special(math.nan) for flat in range(array.size)} for name, array in names.items()}


def _by_dependence(
    definition: Any, term: Any, inputs: Mapping[str, Any], data: Mapping[str, np.ndarray]
) -> dict[int, Special]:
    """Return what an operation says at the entries that depend on a special input.

    NaN spreads. Where a closed form has an infinite value in the extended reals, so it is due; where it has a finite
    one, to which the definition tends as the infinite entries grow, the number is judged; in both cases NaN is excused
    if another closed form has no value. Elsewhere kernels differ by convention, and nothing is judged.
    """
    nan, may_be_nan = depends(definition, term, inputs, {role: np.isnan(array) for role, array in data.items()})
    special = np.any(depends(definition, term, inputs, {r: ~np.isfinite(array) for r, array in data.items()}), axis=0)
    without = {role: np.where(np.isnan(array), 0, array.astype(np.float64)) for role, array in data.items()}

    def evaluate(arrays: Mapping[str, np.ndarray]) -> Any:
        return definition.outputs(term, {**inputs, **{role: ball(array) for role, array in arrays.items()}})

    limits = _limits(evaluate, without)[definition.output]
    values, undefined = _by_forms(definition, term, {**inputs, **without})
    due: dict[int, Special] = {}
    for flat in np.flatnonzero(special).tolist():
        if nan[flat]:
            due[flat] = Special(math.nan)
        elif may_be_nan[flat] or math.isnan(values[flat]):
            due[flat] = Special(None, judged=False)
        else:
            judged = bool(values[flat] or limits[flat])
            due[flat] = Special(values[flat] or None, judged, or_nan=undefined[flat])
    return due


def _by_forms(definition: Any, term: Any, arrays: Mapping[str, Any]) -> tuple[list[float], list[bool]]:
    """Return what the closed forms give in the extended reals, and where one of them has no value.

    An infinity, 0 for a number, NaN where none has a value.
    """
    lifted = {**arrays, **{role: total_ball(arrays[role]) for role in float_roles(arrays)}}
    kinds = [[_kind(each) for each in form(lifted)[definition.output].elements] for form in definition.forms(term)]
    several = list(zip(*kinds, strict=True))
    values = [next((each for each in entry if not math.isnan(each)), math.nan) for entry in several]
    return values, [any(map(math.isnan, entry)) for entry in several]


def _kind(element: Any) -> float:
    if element.is_finite():
        return 0.0
    return math.inf if element > 0 else -math.inf if element < 0 else math.nan


def depends(
    definition: Any, term: Any, inputs: Mapping[str, Any], masks: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return which entries of the value of an operation depend on the entries of the masks, and which may.

    An unbounded entry makes a running bound unbounded wherever it enters, however small its factor, and nowhere else.
    """

    def bounded(marked: bool) -> np.ndarray:
        lifted = {
            role: magnitude(np.where(mask & marked, np.inf, _ones_for_special(inputs[role])), WIDE)
            for role, mask in masks.items()
        }
        return np.ravel(definition.outputs(term, {**inputs, **lifted})[definition.output].bounded())

    plain = bounded(False)
    if not any(mask.any() for mask in masks.values()):
        return np.zeros(plain.shape, bool), np.zeros(plain.shape, bool)
    try:
        marked = bounded(True)
    except (Undecided, DomainError):
        # Something is chosen by a comparison with an entry of a mask: every entry may depend on it.
        return np.zeros(plain.shape, bool), np.ones(plain.shape, bool)
    return ~marked & plain, ~marked & ~plain


def _ones_for_special(array: np.ndarray) -> np.ndarray:
    return np.nan_to_num(array.astype(np.float64), nan=1.0, posinf=1.0, neginf=1.0)


def _limits(evaluate: Any, data: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return, for each output, which entries tend to a limit as the infinite ones grow, exponentially.

    They grow each at a speed of its own: the difference of two that grow together is no limit.
    """
    near, far = (evaluate({role: _grown(array, speed) for role, array in data.items()}) for speed in (0.0, 0.125))
    return {name: np.ravel(near[name] - far[name] < TINY) & np.ravel(far[name] - near[name] < TINY) for name in near}


def _grown(array: np.ndarray, speed: float) -> np.ndarray:
    """Return the array with FAR for infinities, and at a speed FAR (2 + speed place²), of which none is the mean."""
    places = np.arange(array.size, dtype=np.float64).reshape(array.shape)
    ends = FAR * (2 + speed * places**2) if speed else np.full(array.shape, FAR)
    return np.where(np.isinf(array), np.copysign(ends, array), array)


def _by_row(definition: Any, term: Any, inputs: Mapping[str, Any]) -> dict[int, Special]:
    x = inputs["x"]
    rows = x.reshape((-1, x.shape[-1]))
    others = {role: ball(array) for role, array in inputs.items() if role != "x"}

    def evaluate(row: np.ndarray) -> Any:
        return definition.outputs(term, {**others, "x": ball(row)})

    width = evaluate(np.zeros(x.shape[-1]))["y"].size
    expected: dict[int, Special] = {}
    for number, row in enumerate(rows):
        if not np.isfinite(row).all():
            for column, special in enumerate(_one_row(evaluate, row, width)):
                expected[number * width + column] = special
    return expected


def _one_row(evaluate: Any, row: np.ndarray, width: int) -> list[Special]:
    if np.isnan(row).any():
        return [Special(math.nan)] * width
    values = _extended(lambda: evaluate(row))
    if values is not None:
        return [Special(value) for value in values["y"]]
    if not _has_limit(evaluate, row):
        return [Special(math.nan)] * width
    # -inf is a mask: the entry is left out. With +inf, or nothing left, the limit depends on the path.
    masked = bool(np.isfinite(row).any()) and not bool((row == np.inf).any())
    return [Special(None, judged=masked)] * width


def _has_limit(evaluate: Any, row: np.ndarray) -> bool:
    """Return whether the definition tends exponentially to a limit as the infinite entries grow."""
    near, far = (
        evaluate(np.nan_to_num(row.astype(np.float64), posinf=end, neginf=-end))["y"] for end in (FAR, 2 * FAR)
    )
    return all(bool((difference < TINY).all()) for difference in (near - far, far - near))


def _by_element(definition: Any, term: Any, inputs: Mapping[str, Any]) -> dict[str, dict[int, Special]]:
    data = {role: array for role, array in inputs.items() if isinstance(array, np.ndarray)}
    shape = np.broadcast_shapes(*(array.shape for array in data.values()))
    spread = {role: np.broadcast_to(array, shape).ravel() for role, array in data.items()}
    nan = np.any([np.isnan(array) for array in spread.values()], axis=0)
    special = np.any([~np.isfinite(array) for array in spread.values()], axis=0)
    without = {role: ball(np.where(np.isnan(array), 0, array)) for role, array in data.items()}
    values = _extended(lambda: definition.outputs(term, {**inputs, **without}))
    outputs = ("update", "parameters", *data) if definition.entry.kind == "update" else ("y",)
    expected: dict[str, dict[int, Special]] = {}
    for output in outputs:
        value = None if values is None else values.get(output)
        expected[output] = {
            int(flat): Special(math.nan if nan[flat] or value is None else value[int(flat)])
            for flat in np.flatnonzero(special)
        }
    return expected


def _extended(evaluate: Any) -> dict[str, list[float | None]] | None:
    """Return the values in the extended reals (None for a finite one), or None where they do not exist."""
    try:
        outputs = evaluate()
    except (DomainError, Undecided):
        return None
    return {name: [_infinite(array, flat) for flat in range(array.size)] for name, array in outputs.items()}


def _infinite(array: Any, flat: int) -> float | None:
    entry = array.take(np.array([flat]))
    try:
        entry.lower()
    except DomainError:
        return math.inf if bool((entry > 0)[0]) else -math.inf
    return None
