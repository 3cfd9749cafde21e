"""Calls of a subject: what was passed, what came back, which shapes are due, and which calls are judged together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lenticulum.check.definition import Definition
from lenticulum.check.finding import Finding, float_roles

#: What was passed to a subject, and what it returned.
Call = tuple[dict[str, Any], dict[str, Any]]


def bits_of(inputs: Mapping[str, Any]) -> bytes:
    """Return the bits of all arrays of a call."""
    return b"".join(array.tobytes() for array in inputs.values() if isinstance(array, np.ndarray))


def same_bits(outputs: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray] | None) -> bool:
    """Return whether two calls returned the same bits."""
    return other is not None and all(array.tobytes() == other[name].tobytes() for name, array in outputs.items())


def groups(definition: Definition, calls: list[Call]) -> list[list[Call]]:
    """Return the calls in groups that one evaluation serves: the first step of momentum is a function of its own."""
    if "count" not in definition.entry.state or definition.entry.kind != "update":
        return [calls] if calls else []
    first = [call for call in calls if call[0]["count"] == 0]
    later = [call for call in calls if call[0]["count"] > 0]
    return [group for group in (first, later) if group]


def stacked(group: list[Call]) -> Call:
    """Return steps as one call with a leading axis; they are independent, for each starts from a given float state."""
    inputs, outputs = group[0]
    together = {
        r: np.stack([each[r] for each, _ in group]) for r, array in inputs.items() if isinstance(array, np.ndarray)
    }
    counts = {"count": tuple(each["count"] for each, _ in group)}
    return {**together, **counts}, {name: np.stack([each[name] for _, each in group]) for name in outputs}


def wrong_structure(
    definition: Definition, term: Any, inputs: Mapping[str, Any], outputs: Mapping[str, Any]
) -> Finding | None:
    """Return the finding that an output has not the dtype of the inputs or the shape that is due."""
    is_operation = definition.entry.kind == "array"
    first = inputs[(float_roles(inputs) if is_operation else definition.entry.arrays)[0]]
    # The shape that is due of an operation is that of its exact value, so `judge` compares it.
    expected = _shapes_of(outputs) if is_operation else _shapes(definition, term, inputs)
    for name, array in outputs.items():
        due = expected[name] if name in expected else first.shape
        if array.dtype != first.dtype or array.shape != due:
            note = f"{name} is {array.dtype}{list(array.shape)}; expected {first.dtype}{list(due)}"
            return Finding("type", name, (), float("nan"), "", "regular", note=note)
    return None


def _shapes_of(arrays: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return {name: array.shape for name, array in arrays.items()}


def _shapes(definition: Definition, term: Any, inputs: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the expected shape of each output that has not that of the first array."""
    if definition.entry.kind == "elementwise":
        return {}
    if definition.entry.kind == "update":
        return {role: () for role in definition.entry.state if role.endswith("_power")}
    if definition.entry.kind == "loss":
        return {"loss": ()}
    features = term.target(inputs["x"].shape[-1])
    y = (*inputs["x"].shape[:-1], features)
    return {"y": y, "running_mean": (features,), "running_variance": (features,)}
