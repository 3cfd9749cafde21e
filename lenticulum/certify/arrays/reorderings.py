"""Laws of order and of parts: permutations, examples one by one, parts joined, arguments exchanged, names changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from lenticulum import terms
from lenticulum.certify.arrays.axes_of import Label, Labels, axes_of
from lenticulum.certify.arrays.invariance import Inputs, Invariance, Relation
from lenticulum.numbers import Interval64, exp

Array = TypeVar("Array", np.ndarray, Interval64)
Index = Mapping[Label, np.ndarray]

#: The whole, its first part and its second, and how many entries each part has, to the sides of a law.
Combine = Callable[[Any, Interval64, Interval64, Interval64, int, int], tuple[Interval64, Interval64]]


def taken(array: Array, labels: Labels, index: Index, sizes: Mapping[Label, int]) -> Array:
    """Return the entries at some positions along labels; an axis that is stretched stays as it is.

    >>> taken(np.array([[1, 2], [3, 4]]), (-2, -1), {-1: np.array([1])}, {-1: 2}).tolist()
    [[2], [4]]
    """
    for axis, label in enumerate(labels):
        if label in index and array.shape[axis] == sizes[label]:
            array = array[(slice(None),) * axis + (index[label],)]
    return array


class _Labelled:
    """Inputs whose axes have labels."""

    def __init__(self, term: Any, inputs: Inputs) -> None:
        self.inputs = inputs
        self.axes = axes_of(term, {role: array.shape for role, array in inputs.items()})
        self.sizes: dict[Label, int] = {}
        for role, labels in self.axes.arrays.items():
            for label, size in zip(labels, inputs[role].shape, strict=True):
                self.sizes[label] = max(size, self.sizes.get(label, 1))

    def at(self, index: Index) -> dict[str, np.ndarray]:
        """Return the inputs at some positions along labels."""
        return {role: taken(array, self.axes.arrays[role], index, self.sizes) for role, array in self.inputs.items()}

    def result_at(self, y: Interval64, index: Index) -> Interval64:
        """Return the result at some positions along those of the labels that it has."""
        return taken(y, self.axes.output, index, self.sizes)


def _permuted(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Permute along every symmetric label at once."""
    given = _Labelled(term, inputs)
    index = {label: rng.permutation(given.sizes[label]) for label in given.axes.symmetric if given.sizes[label] > 1}
    if not index:
        return None
    return Relation((given.at(index), inputs), lambda moved, y: (moved, given.result_at(y, index)))


PERMUTATION = Invariance(
    "permutation",
    "{f}(P x) = P {f}(x), P a permutation along each axis whose order has no meaning; P y = y without such an axis",
    _permuted,
)


def _alone(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Compute one example of a batch by itself."""
    given = _Labelled(term, inputs)
    labels = [label for label in given.axes.independent if given.sizes[label] > 1]
    if not labels:
        return None
    index = {label: rng.integers(given.sizes[label], size=1) for label in labels}
    return Relation((given.at(index), inputs), lambda one, y: (one, given.result_at(y, index)))


BATCHING = Invariance("batching", "{f}(x)[i] = {f}(x[i]), i an example of the batch, computed alone", _alone)


def joined(statement: str, combine: Combine, applies: Callable[[Any], bool] = lambda term: True) -> Invariance:
    """Return the law of the whole and its two parts along an axis that is reduced.

    `combine`: the description, the values at the whole and the parts, and the lengths of these, to the sides.
    """

    def relate(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
        given = _Labelled(term, inputs)
        labels = [label for label in given.axes.reduced if given.sizes[label] > 1]
        if not labels or not applies(term):
            return None
        label = labels[rng.integers(len(labels))]
        size = given.sizes[label]
        cut = int(rng.integers(1, size))
        first, second = np.split(np.arange(size), [cut])
        parts = (given.at({label: first}), given.at({label: second}))
        return Relation((inputs, *parts), lambda y, a, b: combine(term, y, a, b, cut, size - cut))

    return Invariance("concatenation", statement, relate)


def added(term: Any, y: Interval64, a: Interval64, b: Interval64, m: int, n: int) -> tuple[Interval64, Interval64]:
    """Sums: y = a + b."""
    return y, a + b


def averaged(term: Any, y: Interval64, a: Interval64, b: Interval64, m: int, n: int) -> tuple[Interval64, Interval64]:
    """Means: (m + n) y = m a + n b."""
    return y * (m + n), a * m + b * n


def multiplied(term: Any, y: Interval64, a: Interval64, b: Interval64, m: int, n: int) -> tuple[Interval64, Interval64]:
    """Products: y = a b."""
    return y, a * b


def by_reduction(
    term: Any, y: Interval64, a: Interval64, b: Interval64, m: int, n: int
) -> tuple[Interval64, Interval64]:
    """Losses: their sum or their mean."""
    return averaged(term, y, a, b, m, n) if getattr(term, "reduction", "sum") == "mean" else added(term, y, a, b, m, n)


def shared(term: Any, y: Interval64, a: Interval64, b: Interval64, m: int, n: int) -> tuple[Interval64, Interval64]:
    """Logarithms of sums: exp(a - y) + exp(b - y) = 1."""
    return exp(a - y) + exp(b - y), y.lift(1)


def of_norms(term: Any, y: Interval64, a: Interval64, b: Interval64, m: int, n: int) -> tuple[Interval64, Interval64]:
    """Norms: y = a + b, y² = a² + b² or y = max(a, b)."""
    if term.order == "2":
        return y**2, a**2 + b**2
    return y, a + b if term.order == "1" else a.maximum(b)


def exchanged(statement: str, first: str, second: str) -> Invariance:
    """Return the law that two arrays may be exchanged."""

    def relate(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation:
        swapped = {**inputs, first: inputs[second], second: inputs[first]}
        return Relation((swapped, inputs), lambda a, b: (a, b))

    return Invariance("symmetry", statement, relate)


def _transposed(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    x, y = inputs["x"], inputs["y"]
    if x.ndim < 2 or y.ndim < 2:
        return None
    swapped = {"x": np.swapaxes(y, -1, -2), "y": np.swapaxes(x, -1, -2)}

    def sides(of_transposes: Interval64, value: Interval64) -> tuple[Interval64, Interval64]:
        order = (*range(value.ndim - 2), value.ndim - 1, value.ndim - 2)
        return of_transposes, value.transpose(order)

    return Relation((swapped, inputs), sides)


TRANSPOSITION = Invariance("transposition", "{f}(yᵀ, xᵀ) = {f}(x, y)ᵀ", _transposed)


def _renamed_classes(term: Any, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    """Permute the classes of the logits, and rename the labels with them."""
    prediction, label = inputs["prediction"], inputs["label"]
    order = rng.permutation(prediction.shape[term.axis])
    names = np.argsort(order)
    ignored = np.zeros(label.shape, np.bool_) if term.ignore_index is None else label == term.ignore_index
    renamed = np.where(ignored, label, names[np.where(ignored, 0, label)]).astype(label.dtype)
    moved = {**inputs, "prediction": np.take(prediction, order, axis=term.axis), "label": renamed}
    if "weight" in inputs:
        moved["weight"] = inputs["weight"][order]
    # A class of the same name as the number that is ignored would be ignored too.
    if term.ignore_index is not None and 0 <= term.ignore_index < len(order):
        return None
    return Relation((moved, inputs), lambda a, b: (a, b))


RENAMED_CLASSES = Invariance("permutation", "{f} of classes in another order and under its names", _renamed_classes)


def _renamed_rows(term: terms.Embedding, inputs: Inputs, rng: np.random.Generator) -> Relation | None:
    ids, weight = inputs["ids"], inputs["weight"]
    order = rng.permutation(len(weight))
    renamed = np.asarray(np.argsort(order)[ids], ids.dtype)
    return Relation(({"ids": renamed, "weight": weight[order]}, inputs), lambda a, b: (a, b))


RENAMED_ROWS = Invariance("permutation", "{f}(P ids, P weight) = {f}(ids, weight)", _renamed_rows)
