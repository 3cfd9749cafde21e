"""Structures: which arrays a function of arrays is called on, before a family fills those that may hold any numbers.

A structure holds the integers, masks and constrained numbers (probabilities, variances) of a call, and the shapes of
the free arrays. Small ones come from the generators of `check`; long ones have the sizes that people use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lenticulum import terms
from lenticulum.certify.arrays.family import Family
from lenticulum.check.cases import operands
from lenticulum.check.definition import Definition
from lenticulum.check.finding import float_roles
from lenticulum.check.operation_cases.reductions import flat, placed
from lenticulum.numbers.formats import FORMATS

Array = np.ndarray

#: Arrays of floats that not any numbers fit: probabilities and counts, variances, weights of a positive sum.
CONSTRAINED: dict[type, tuple[str, ...]] = {
    terms.LogSumExp: ("b",),
    terms.SoftmaxCrossEntropy: ("label", "weight"),
    terms.SoftmaxCrossEntropyInteger: ("weight",),
    terms.SigmoidCrossEntropy: ("label",),
    terms.FocalLoss: ("label",),
    terms.KlDivergence: ("label",),
    terms.HingeLoss: ("label",),
    terms.PoissonNll: ("label",),
    terms.GaussianNll: ("variance",),
}

#: Free arrays beside the data: they are drawn with mean 0, whatever the family.
BESIDE = ("weight", "bias", "b", "label", "y", "z")

#: Rows of the long structures, and their length: closed forms of softmax take ROWS LENGTH^2 differences.
ROWS, LENGTH = 16, 256


@dataclass(frozen=True)
class Structure:
    """Arrays of one call, with the roles of those that a family fills. `name` says the shapes."""

    arrays: Mapping[str, Array]
    free: tuple[str, ...]

    @property
    def name(self) -> str:
        """The shapes in words."""
        return ", ".join(f"{role} {'x'.join(map(str, array.shape)) or '1'}" for role, array in self.arrays.items())

    def filled(self, family: Family, generator: np.random.Generator, dtype: str) -> dict[str, Array]:
        """Return the arrays of a call in the dtype of the subject: free ones drawn anew.

        A number beyond the largest of the format is drawn as that.
        """
        format = FORMATS[dtype]
        largest = float(format.largest)
        found: dict[str, Array] = {}
        for role, array in self.arrays.items():
            if role not in self.free:
                found[role] = array
                continue
            chosen = Family() if role in BESIDE else family
            drawn = chosen.draw(generator, array.shape, format)
            found[role] = np.where(np.isfinite(drawn), np.clip(drawn, -largest, largest), drawn).astype(np.dtype(dtype))
        return found


def structure(definition: Definition, term: Any, arrays: Mapping[str, Array]) -> Structure:
    """Return the structure of the arrays of a call."""
    constrained = CONSTRAINED.get(type(term), ())
    if isinstance(term, terms.PoissonNll) and not term.log_input:
        constrained = (*constrained, "prediction")
    return Structure(arrays, tuple(role for role in float_roles(arrays) if role not in constrained))


def long_arrays(definition: Definition, term: Any, absent: tuple[str, ...], dtype: str) -> dict[str, Array] | None:
    """Return arrays of the sizes that people use: integers are drawn, floats are zeros to be filled.

    None where a definition has no long structure (its small ones have several axes of their own).
    """
    make = _LONG.get(type(term))
    if make is None:
        return None
    arrays = {role: array for role, array in make(term).items() if role not in absent}
    return operands(definition, arrays, np.dtype(dtype))


def _rows(term: Any) -> dict[str, Array]:
    axis = getattr(term, "axis", -1)
    return {"x": placed(np.zeros((ROWS, LENGTH)), axis, *flat(axis, ROWS, LENGTH))}


def _normalised(term: Any) -> dict[str, Array]:
    axes = getattr(term, "axes", 1)
    suffix = (1,) * (axes - 1) + (LENGTH,)
    return {"x": np.zeros((ROWS, *suffix)), "weight": np.zeros(suffix), "bias": np.zeros(suffix)}


def _channels(term: Any) -> dict[str, Array]:
    channels = 4 * getattr(term, "groups", 2)
    return {"x": np.zeros((2, channels, 8, 8)), "weight": np.zeros(channels), "bias": np.zeros(channels)}


def _pairs(term: Any) -> dict[str, Array]:
    return {"prediction": np.zeros((ROWS, LENGTH)), "label": np.zeros((ROWS, LENGTH))}


def _probabilities(term: Any) -> dict[str, Array]:
    return {**_pairs(term), "label": _generator().uniform(size=(ROWS, LENGTH))}


def _classes(term: Any) -> dict[str, Array]:
    labels = _generator().integers(0, LENGTH, ROWS)
    axis = term.axis % 2
    return {"prediction": np.moveaxis(np.zeros((ROWS, LENGTH)), -1, axis), "label": labels}


def _matrices(term: Any) -> dict[str, Array]:
    return {"x": np.zeros((ROWS, LENGTH)), "y": np.zeros((LENGTH, ROWS))}


def _affine(term: Any) -> dict[str, Array]:
    return {"x": np.zeros((ROWS, LENGTH)), "weight": np.zeros((ROWS, LENGTH)), "bias": np.zeros(ROWS)}


def _attention(term: Any) -> dict[str, Array]:
    shape = (1, 2, 32, 32)
    shape = (1, 32, 2, 32) if term.heads == "last" else shape
    return dict.fromkeys(("query", "key", "value"), np.zeros(shape))


def _generator() -> np.random.Generator:
    return np.random.default_rng(0)


_LONG: dict[type, Callable[[Any], dict[str, Array]]] = {
    **dict.fromkeys((terms.Softmax, terms.LogSoftmax, terms.LogSumExp, terms.Standardize, terms.Glu), _rows),
    **dict.fromkeys((terms.Sum, terms.Mean, terms.Variance, terms.Norm, terms.L2Normalize), _rows),
    **dict.fromkeys((terms.LayerNorm, terms.RmsNorm), _normalised),
    **dict.fromkeys((terms.GroupNorm, terms.InstanceNorm), _channels),
    **dict.fromkeys(
        (terms.AbsoluteLoss, terms.HuberLoss, terms.SmoothL1Loss, terms.LogCoshLoss, terms.SquaredLoss), _pairs
    ),
    **dict.fromkeys((terms.SoftmaxCrossEntropy, terms.SigmoidCrossEntropy, terms.FocalLoss), _probabilities),
    terms.KlDivergence: _probabilities,
    terms.SoftmaxCrossEntropyInteger: _classes,
    terms.Matmul: _matrices,
    terms.Dot: lambda term: {"x": np.zeros(4096), "y": np.zeros(4096)},
    terms.Dense: _affine,
    terms.Attention: _attention,
    terms.CosineSimilarity: lambda term: dict.fromkeys(
        ("x", "y"), np.moveaxis(np.zeros((ROWS, LENGTH)), -1, term.axis)
    ),
}
