"""Laws of masking: what is blocked, ignored or not referred to has no influence, however large it is.

The definition does not read it and the shapes are the same, so that the same program does the same work: the values
are equal, but for the sign of a zero, and nothing is allowed. What is hidden is large, because a mask that subtracts a
constant (-1e4, -1e9) fails only where an entry exceeds it; no score or power of the definition overflows by it.
Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lenticulum.certify.arrays.invariance import Allowance, Inputs, Invariance, Relation
from lenticulum.numbers import Interval64
from lenticulum.numbers.formats import FORMATS
from lenticulum.spec.operations.attention import permitted

Booleans = NDArray[np.bool_]


def _same(value: Interval64, changed: Interval64) -> tuple[Interval64, Interval64]:
    return changed, value


def _hidden(array: np.ndarray, blocked: Booleans, rng: np.random.Generator) -> np.ndarray:
    """Return an array whose blocked entries are other numbers, up to a quarter of the largest of the format."""
    largest = float(FORMATS[array.dtype.name].largest)
    others = np.ldexp(rng.uniform(0.5, 1.0, array.shape) * largest, -2 - rng.integers(0, 4, array.shape))
    return np.where(blocked, (others * rng.choice([-1, 1], array.shape)).astype(array.dtype), array)


def _replaced(inputs: Inputs, role: str, blocked: Booleans, rng: np.random.Generator) -> Relation | None:
    if not blocked.any():
        return None
    changed = {**inputs, role: _hidden(inputs[role], blocked, rng)}
    return Relation((inputs, changed), _same, allows=Allowance.SAME_WORK)


def _excluded(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Replace the entries of x where the mask does not hold."""
    if "where" not in inputs:
        return None
    return _replaced(inputs, "x", ~np.broadcast_to(inputs["where"], inputs["x"].shape), rng)


EXCLUDED = Invariance("masking", "{f}(x, where) does not depend on x where the mask does not hold", _excluded)


def _ignored(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Replace the logits of the rows whose label is ignored."""
    prediction = inputs["prediction"]
    rows = np.expand_dims(inputs["label"] == term.ignore_index, term.axis)
    return _replaced(inputs, "prediction", np.broadcast_to(rows, prediction.shape), rng)


IGNORED = Invariance("masking", "{f} does not depend on the logits of a row whose label is ignored", _ignored)


def _unread(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Replace the rows that no id names."""
    weight = inputs["weight"]
    free = ~np.isin(np.arange(len(weight)), inputs["ids"])
    return _replaced(inputs, "weight", np.broadcast_to(free[:, None], weight.shape), rng)


UNREAD = Invariance("masking", "{f}(ids, weight) does not depend on a row of weight that no id names", _unread)


def scores_shape(term: Any, inputs: Inputs) -> tuple[int, ...]:
    """Return [..., heads, queries, keys] of an attention."""
    query, key = (
        np.swapaxes(inputs[role], -2, -3) if term.heads == "last" else inputs[role] for role in ("query", "key")
    )
    return (*query.shape[:-1], key.shape[-2])


def allowed_keys(term: Any, inputs: Inputs) -> Booleans:
    """Return which keys each query may see."""
    return permitted(scores_shape(term, inputs), inputs.get("mask"), term.causal)


def _blocked_keys(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Replace a key and its value that some queries may not see, and compare these queries.

    The new key is a multiple of a query, so that its score is large, but below a quarter of the largest number; the new
    value is random. A query that may see no key has the mean of all values by one convention, and is left out.
    """
    allowed = allowed_keys(term, inputs)
    # One key, which the most queries may not see: others may see it, and are not compared.
    place = int(np.argmin(allowed.reshape(-1, allowed.shape[-1]).sum(axis=0)))
    compared = ~allowed[..., place] & allowed.any(axis=-1)
    if not compared.any():
        return None
    axis = -3 if term.heads == "last" else -2
    here = np.expand_dims(np.arange(inputs["key"].shape[axis]) == place, tuple(range(1, -axis)))
    key = np.where(here, _loud(term, inputs, rng), inputs["key"]).astype(inputs["key"].dtype)
    value = np.where(here, 64 * rng.standard_normal(inputs["value"].shape), inputs["value"])
    changed = {**inputs, "key": key, "value": value.astype(inputs["value"].dtype)}
    queries = np.swapaxes(compared, -1, -2) if term.heads == "last" and compared.ndim > 1 else compared

    def sides(y: Interval64, other: Interval64) -> tuple[Interval64, Interval64]:
        return other[queries], y[queries]

    return Relation((inputs, changed), sides, allows=Allowance.SAME_WORK)


def _loud(term: Any, inputs: Inputs, rng: np.random.Generator) -> np.ndarray:
    """Return a key along a query, so long that no score of it exceeds a quarter of the largest number of the format."""
    query = np.nan_to_num(inputs["query"].astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    one = np.take(query.reshape(-1, query.shape[-1]), rng.integers(query.size // query.shape[-1]), axis=0)
    largest = float(FORMATS[inputs["key"].dtype.name].largest)
    size = np.abs(one).max()
    if not size:
        return one
    most = size * max(np.abs(query).sum(axis=-1).max() * max(float(term.scale or 1), 1.0), 1.0)
    return one * 2.0 ** np.floor(np.log2(largest / 4 / most))


BLOCKED_KEYS = Invariance(
    "masking", "{f} does not depend on a key, nor on its value, for the queries that may not see it", _blocked_keys
)
