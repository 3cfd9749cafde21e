"""Where laws of single definitions apply, and how their values scale."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from lenticulum.certify.arrays.invariance import Inputs
from lenticulum.certify.arrays.masks import allowed_keys
from lenticulum.spec.operations.rows import places


def window_is_full(term: Any, inputs: Inputs) -> bool:
    """Whether an average counts no padding."""
    return getattr(term, "divisor", "inside") == "inside" or not np.any(term.padding)


def one_value_each(term: Any, inputs: Inputs) -> bool:
    """Whether every query of an attention sees a key, and no two heads share one."""
    return inputs["value"].shape[:-2] == inputs["query"].shape[:-2] and bool(allowed_keys(term, inputs).any(-1).all())


def keys(term: Any, ndim: int) -> tuple[int, ...]:
    """The axis of the keys."""
    return (-3 if term.heads == "last" else -2,)


def power(term: Any, factor: Fraction, inputs: Inputs) -> Fraction:
    """A product of n factors."""
    shape = inputs["x"].shape
    return factor ** prod(shape[axis] for axis in places(len(shape), term.axis))


def class_weights(term: Any, factor: Fraction, inputs: Inputs) -> Fraction:
    """Weights of classes multiply the loss, unless it is divided by their sum."""
    return Fraction(1) if term.reduction == "weighted_mean" else factor


def unweighted(term: Any, inputs: Inputs) -> bool:
    """Whether a logarithm is of a plain sum."""
    return "b" not in inputs and "where" not in inputs


def signless(term: Any, inputs: Inputs) -> bool:
    """Whether labels and weights are not negative."""
    return all(bool((inputs[role] >= 0).all()) for role in ("label", "weight") if role in inputs)
