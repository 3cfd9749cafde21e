"""Inputs of self-attention: batches of sequences, large scores, equal rows, one position; NaN in the first of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lenticulum.check.case import Case
from lenticulum.check.definition import Definition
from lenticulum.check.rows import reals
from lenticulum.spec.draw import Draw
from lenticulum.terms import SelfAttention

#: The width of a head, where nothing says another.
WIDTH = 3


def self_attention_cases(
    definition: Definition, draw: Draw, absent: Sequence[str], shapes: Mapping[str, tuple[int, ...]]
) -> list[Case]:
    """Return the cases of one check: scores of a few units, of which the softmax is neither flat nor one key.

    The other inputs: scores of hundreds, whose powers overflow unless the largest is subtracted; two equal rows, whose
    keys tie; and NaN in the first row, which every row sees, also under a causal mask.
    """
    stated = shapes.get("x")
    regular = [stated] if stated else [(6, 5), (2, 3, 4), (1, 3)]
    first = regular[0]
    found = [("regular", reals(draw, shape, 2.0)) for shape in regular]
    found.append(("regular", reals(draw, first, 32.0)))
    if math.prod(first[:-1]) > 1:
        tied = reals(draw, first, 2.0)
        tied[..., -1, :] = tied[..., 0, :]
        found.append(("regular", tied))
    nan = reals(draw, first, 2.0)
    nan[..., 0, draw.integer(0, first[-1] - 1)] = np.nan
    found.append(("edge", nan))
    return [Case(label, {"x": x, **_weights(definition, draw, x.shape[-1], absent, shapes)}, {}) for label, x in found]


def _weights(
    definition: Definition, draw: Draw, features: int, absent: Sequence[str], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, Any]:
    """Return weights and biases; more rows than features, or fewer, unless shapes are stated."""
    heads = {**definition.entry.settings(), **definition.stated}["heads"]
    rows = shapes.get("query_weight", (heads * WIDTH,))[0]
    biases: dict[str, Any] = {f"use_{name}": name not in absent for name in definition.entry.optional}
    fitting = SelfAttention(features, heads, max(1, rows // heads), **biases).parameter_shapes()
    return {name: reals(draw, shapes.get(name, fitting[name]), 1.0) for name in fitting}
