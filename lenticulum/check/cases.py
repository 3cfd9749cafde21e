"""The library's own inputs for each definition: generic hyper-parameters, an edge lattice, mixed random data."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, cast

import numpy as np

from lenticulum.check.case import Case
from lenticulum.check.definition import Definition
from lenticulum.check.errors import CallError
from lenticulum.check.given import dtype_of
from lenticulum.check.operation_cases import operation_cases
from lenticulum.check.points import one_argument, two_arguments
from lenticulum.check.rows import edge_rows, near_overflow_rows, reals, rows
from lenticulum.check.self_attention_cases import self_attention_cases
from lenticulum.numbers import rational
from lenticulum.numbers.formats import FORMATS
from lenticulum.spec.draw import Draw
from lenticulum.spec.optimizers.update import initial_update_state
from lenticulum.terms import Operation, Tree, Value

Array = np.ndarray
Shapes = Mapping[str, tuple[int, ...]]

#: Generic hyper-parameters, every one a float of every format. One column serves a whole check, so that a kernel is
#: compiled for three settings and not for thousands.
GENERIC: dict[str, tuple[str, str, str]] = {
    "rate": ("1/16", "3/16", "5/32"),
    "decay": ("7/8", "3/4", "13/16"),
    "dampening": ("1/4", "3/8", "1/8"),
    "first_decay": ("7/8", "3/4", "13/16"),
    "second_decay": ("15/16", "31/32", "7/8"),
    "start": ("1/8", "3/16", "5/32"),
    "epsilon": ("1/8", "3/32", "5/64"),
    "epsilon_root": ("0", "1/64", "3/128"),
    "new_weight": ("1/8", "3/16", "1/4"),
    "factor": ("1/2", "3/4", "5/8"),
    "negative_slope": ("1/8", "3/16", "5/16"),
    "alpha": ("3/2", "5/4", "7/8"),
    "beta": ("3/2", "3/4", "5/4"),
    "scale": ("9/8", "5/4", "7/8"),
    "slope": ("1/4", "3/16", "5/32"),
    "low": ("-3/2", "-5/4", "-7/8"),
    "high": ("5/4", "3/2", "7/8"),
    "base": ("64", "100", "512"),
    "b": ("3", "5/2", "3/4"),
    "delta": ("3/4", "5/4", "9/8"),
    "gamma": ("2", "3/2", "5/4"),
    "label_smoothing": ("1/8", "3/16", "1/4"),
}

#: Shapes of x: a batch, a wider batch, a batch of one, features of size one.
BATCHES = ((6, 5), (6, 4))
THIN = ((1, 3), (4, 1))
OUTPUTS = 4
UPDATE_SHAPE = (6,)
STEPS = 4


def draw_numbers(draw: Draw, wanted: Sequence[str]) -> dict[str, Fraction]:
    """Return generic values for the hyper-parameters that the subject takes."""
    column = draw.integer(0, 2)
    return {name: Fraction(GENERIC[name][column]) for name in wanted}


def cases(
    definition: Definition,
    draw: Draw,
    numbers: Mapping[str, Any],
    absent: Sequence[str],
    shapes: Shapes,
    dtype: Any,
) -> list[Case]:
    """Return the cases of one check.

    Arguments: `numbers`: the hyper-parameters to use; `absent`: optional roles that the subject does not have;
    `shapes`: fixed shapes by role, which replace the palette.
    """
    if definition.entry.kind == "elementwise":
        return _elementwise_cases(definition, draw, numbers, shapes, dtype)
    if definition.entry.kind == "array":
        return _operation_cases(definition, draw, numbers, absent, shapes, dtype)
    made = {"update": partial(_update_cases, numbers), "loss": _loss_cases, "layer": _layer_cases}[
        definition.entry.kind
    ]
    with np.errstate(over="ignore", under="ignore"):
        return [
            Case(case.label, _cast(case.arrays, dtype), numbers, tuple(g.astype(dtype) for g in case.gradients))
            for case in made(definition, draw, absent, shapes, float(FORMATS[np.dtype(dtype).name].largest))
        ]


def _operation_cases(
    definition: Definition,
    draw: Draw,
    numbers: Mapping[str, Any],
    absent: Sequence[str],
    shapes: Shapes,
    dtype: Any,
) -> list[Case]:
    """Return the cases of an operation; where shapes are stated, the data of the first case in these shapes alone."""
    entry = definition.entry
    term = cast(Operation, definition.term({}, numbers))
    with np.errstate(over="ignore", under="ignore"):
        found = operation_cases(draw, term, float(FORMATS[np.dtype(dtype).name].largest))
    if shapes:
        missing = [role for role in entry.arrays if role not in shapes and role not in entry.optional]
        if missing:
            raise CallError(f"{entry.name}: the shape of {missing[0]} is missing; state those of all arrays")
        first = next(case for case in found if set(shapes) <= set(case.arrays))
        found = [Case("regular", {role: np.resize(first.arrays[role], shapes[role]) for role in shapes}, {})]
    kept = ({role: array for role, array in case.arrays.items() if role not in absent} for case in found)
    return [
        Case(case.label, operands(definition, arrays, dtype), numbers) for case, arrays in zip(found, kept, strict=True)
    ]


def operands(definition: Definition, arrays: Mapping[str, Any], dtype: Any) -> dict[str, Array]:
    """Return drawn arrays of an operation in the dtypes that a kernel gets; near overflow some become infinite."""
    with np.errstate(over="ignore", under="ignore"):
        return {role: np.asarray(array).astype(dtype_of(definition, role, dtype)) for role, array in arrays.items()}


def _elementwise_cases(
    definition: Definition, draw: Draw, numbers: Mapping[str, Any], shapes: Shapes, dtype: Any
) -> list[Case]:
    """Return the edge lattice and the random points; of a stated shape, as many arrays as hold them."""
    names = definition.entry.arrays
    shape = next((shapes[role] for role in names if role in shapes), None)
    term = definition.term({role: shape or (1,) for role in names}, numbers)
    drawn = one_argument if len(names) == 1 else two_arguments
    found: list[Case] = []
    for label, arrays in drawn(definition, term, dtype, draw).items():
        pieces = {role: [array] if shape is None else _pieces(array, shape) for role, array in arrays.items()}
        found += [
            Case(label, dict(zip(names, each, strict=True)), numbers)
            for each in zip(*(pieces[role] for role in names), strict=True)
        ]
    return found


def _pieces(array: Array, shape: tuple[int, ...]) -> list[Array]:
    """Return arrays of a shape that hold all entries of an array, the last filled up from its beginning."""
    size = int(np.prod(shape))
    count = -(-array.size // size)
    return list(map(np.asarray, np.resize(array, (count, *shape))))


def _cast(arrays: Mapping[str, Any], dtype: Any) -> dict[str, Any]:
    return {role: array.astype(dtype) if isinstance(array, np.ndarray) else array for role, array in arrays.items()}


def _layer_cases(
    definition: Definition, draw: Draw, absent: Sequence[str], shapes: Shapes, largest: float
) -> list[Case]:
    if definition.entry.name == "batch_norm":
        return _batch_norm_cases(definition, draw, absent, shapes, largest)
    if definition.entry.name == "self_attention":
        return self_attention_cases(definition, draw, absent, shapes)
    batch = shapes.get("x") or draw.choice(BATCHES)
    flat = (int(np.prod(batch[:-1])), batch[-1])
    sizes = [("regular", rows(draw, *flat).reshape(batch))]
    if "x" not in shapes and not _fixes_features(shapes):
        thin = draw.choice(THIN)
        sizes.append(("regular", rows(draw, *thin)))
    # A sum of products at infinities depends on every weight, zero ones too; NaN alone tests the spread there.
    sizes.append(("edge", edge_rows(draw, batch[-1], not definition.entry.reduction)))
    sizes.append(("near overflow", near_overflow_rows(draw, batch[-1], largest)))
    found = [
        Case(label, {"x": x, **_parameters(definition, draw, x.shape[-1], absent, shapes)}, {}) for label, x in sizes
    ]
    matrices = [np.shape(weight) for case in found if np.ndim(weight := case.arrays.get("weight", 0)) == 2]
    # A layer without a weight matrix says nothing about its shape.
    if matrices:
        draw.observe("every weight matrix is square", all(outputs == inputs for outputs, inputs in matrices))
    return found


def _fixes_features(shapes: Shapes) -> bool:
    return "weight" in shapes or "bias" in shapes


def _parameters(
    definition: Definition, draw: Draw, features: int, absent: Sequence[str], shapes: Shapes
) -> dict[str, Array]:
    wanted = [name for name in definition.entry.arrays[1:] if name not in absent]
    if definition.entry.name == "dense":
        outputs = shapes["weight"][0] if "weight" in shapes else OUTPUTS
        fitting = {"weight": (outputs, features), "bias": (outputs,)}
    else:
        fitting = {name: (features,) for name in wanted}
    return {name: reals(draw, shapes.get(name, fitting[name]), 2.0) for name in wanted}


def _batch_norm_cases(
    definition: Definition, draw: Draw, absent: Sequence[str], shapes: Shapes, largest: float
) -> list[Case]:
    batch = shapes.get("x") or draw.choice(BATCHES)
    features, count = batch[-1], int(np.prod(batch[:-1]))
    arrays = {
        "x": rows(draw, features, count).T.reshape(batch),
        **_parameters(definition, draw, features, absent, shapes),
        "running_mean": reals(draw, (features,), 3.0),
        "running_variance": np.abs(reals(draw, (features,), 3.0)) + 0.125,
        "count": 3,
    }
    far = np.resize(near_overflow_rows(draw, count, largest), (features, count)).T.reshape(batch)
    return [Case("regular", arrays, {}), Case("near overflow", {**arrays, "x": far}, {})]


def _loss_cases(
    definition: Definition, draw: Draw, absent: Sequence[str], shapes: Shapes, largest: float
) -> list[Case]:
    del absent
    fixed = shapes.get("prediction") or shapes.get("label")
    batches = (fixed,) * 3 if fixed else ((5, 3), (1, 4), (4, 1))
    mixed = [rows(draw, int(np.prod(batch[:-1])), batch[-1] if batch else 1).reshape(batch) for batch in batches]
    found = [_loss_case(definition, draw, prediction) for prediction in mixed]
    end = near_overflow_rows(draw, batches[0][-1] if batches[0] else 1, largest)
    # The sum of a loss over rows hides all but the worst: each is a case of its own.
    near = [_loss_case(definition, draw, np.resize(row, batches[0])) for row in end]
    return found + [dataclasses.replace(case, label="near overflow") for case in near]


def _loss_case(definition: Definition, draw: Draw, prediction: Array) -> Case:
    batch = prediction.shape
    if definition.entry.name == "cross_entropy":
        # Labels are weights: not negative, zero among them, not normalised.
        label = np.maximum(reals(draw, batch, 2.0), 0)
    else:
        label = prediction + reals(draw, batch, 2.0)
    return Case("regular", {"label": label, "prediction": prediction}, {})


def _update_cases(
    numbers: Mapping[str, Any],
    definition: Definition,
    draw: Draw,
    absent: Sequence[str],
    shapes: Shapes,
    largest: float,
) -> list[Case]:
    del absent
    shape = shapes.get("parameters", UPDATE_SHAPE)
    size = int(np.prod(shape))
    scales = np.resize(np.array([0.125, 1.0, 2.0**-10, 16.0, 0.5, 4.0]), size).reshape(shape)
    parameters = reals(draw, shape) * np.resize(np.array([1.0, 100.0, 2.0**-6]), size).reshape(shape)
    signs = np.resize(np.array([1.0, -1.0]), size).reshape(shape)

    def gradient(step: int) -> Array:
        """Signs alternate from step to step, and sizes change by up to 16."""
        return signs * (-1) ** step * np.abs(reals(draw, shape)) * scales * draw.choice((1.0, 0.25, 4.0))

    def later_state() -> dict[str, Any]:
        buffer = reals(draw, shape) * scales
        squares = buffer**2 + np.abs(reals(draw, shape)) * scales**2
        held = {"buffer": buffer, "first_moment": buffer, "second_moment": squares, "accumulator": squares}
        return {name: array for name, array in held.items() if name in definition.entry.state} | {"count": 3}

    gradients = tuple(gradient(step) for step in range(STEPS))
    # A parameter whose gradient is zero throughout, and a step with a zero gradient everywhere else too.
    gradients = tuple(np.where(np.arange(size).reshape(shape) == size - 1, 0.0, g) for g in gradients)
    nan = np.where(np.arange(size).reshape(shape) == 0, np.nan, gradients[0])
    return [
        Case(
            "from the initial state",
            {"parameters": parameters, **_first_state(definition, shape, numbers)},
            {},
            gradients,
        ),
        Case("from a later state", {"parameters": parameters, **later_state()}, {}, (gradient(0), np.zeros(shape))),
        Case("edge", {"parameters": parameters, **later_state()}, {}, (nan,)),
        *(
            Case("near overflow", {"parameters": parameters, **later_state()}, {}, (reals(draw, shape) * end,))
            for end in (largest, math.sqrt(largest))
        ),
    ]


def _first_state(definition: Definition, shape: tuple[int, ...], numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arrays of the state before the first step, and the count 0."""
    term: Any = definition.term(dict.fromkeys(definition.entry.arrays, shape), numbers)
    state = initial_update_state(term, Tree(p=rational(np.zeros(shape, np.int64))))
    held = {name: state[name].p for name in state if isinstance(state[name], Tree)}
    return {name: np.array(exact.tolist(), np.float64) for name, exact in held.items()} | {"count": 0}


def at_point(found: Case, point: Mapping[str, Any]) -> Case:
    """Return a case with some arrays, or the count, replaced by those of a user."""
    arrays = {**found.arrays, **{role: array for role, array in point.items() if role != "gradient"}}
    gradients = (point["gradient"],) if "gradient" in point else found.gradients
    return Case("given", arrays, found.numbers, gradients)


def term_of(definition: Definition, case: Case) -> Value:
    """Return the description that fits a case."""
    shapes = {role: np.shape(array) for role, array in case.arrays.items() if isinstance(array, np.ndarray)}
    if case.gradients:
        shapes["gradient"] = np.shape(case.gradients[0])
    return definition.term(shapes, case.numbers)
