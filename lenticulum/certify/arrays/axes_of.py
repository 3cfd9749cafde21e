"""Which axis is which: a label for each axis of each array of a definition, as an einsum has.

Axes with one label are one axis: an entry of the result reads the arrays along it together. So three laws follow from
the labels alone: a joint permutation along a label permutes the result along it, or leaves it where the result has no
such axis; examples that do not meet may be computed one by one; what is reduced may be joined from parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lenticulum import terms
from lenticulum.spec.operations.rows import places
from lenticulum.terms.operations.equation import parse

#: An axis: counted from the end where arrays broadcast, or by name; None: an axis that takes part in no such law.
Label = int | str | None
Labels = tuple[Label, ...]
Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Axes:
    """The labels of the axes of each array and of the result.

    `ordered`: along these labels the order matters. `mixed`: along these labels neither the result nor what is reduced
    to it falls into parts that can be computed alone.
    """

    arrays: Mapping[str, Labels]
    output: Labels
    ordered: frozenset[Label] = frozenset()
    mixed: frozenset[Label] = frozenset()

    @property
    def labels(self) -> list[Label]:
        """All labels, in the order of their first appearance."""
        found = dict.fromkeys(label for each in self.arrays.values() for label in each)
        return [label for label in found if label is not None]

    @property
    def symmetric(self) -> list[Label]:
        """Along which entries may be permuted."""
        return [label for label in self.labels if label not in self.ordered]

    @property
    def independent(self) -> list[Label]:
        """Along which examples do not meet."""
        return [label for label in self.labels if label in self.output and label not in self.mixed]

    @property
    def reduced(self) -> list[Label]:
        """Which are summed up, in any order and in parts."""
        return [label for label in self.symmetric if label not in self.output and label not in self.mixed]


def trailing(ndim: int) -> Labels:
    """Return labels that broadcast: -1 for the last axis.

    >>> trailing(3)
    (-3, -2, -1)
    """
    return tuple(range(-ndim, 0))


def axes_of(term: Any, shapes: Shapes) -> Axes:
    """Return the labels of the arrays of these shapes.

    >>> axes_of(terms.Matmul(), {"x": (5, 2, 3), "y": (3, 4)}).output
    (-1, 'row', 'column')
    """
    return AXES[type(term)](term, shapes)


def _together(shapes: Shapes) -> dict[str, Labels]:
    return {role: trailing(len(shape)) for role, shape in shapes.items()}


def _rowwise(shapes: Shapes, axis: Any, **facts: Any) -> Axes:
    """Of a function of one array that mixes it along axes; parameters have its last axes."""
    labels = trailing(len(shapes["x"]))
    mixed = frozenset(labels[place] for place in places(len(labels), axis))
    return Axes(_together(shapes), labels, mixed=mixed, **facts)


def _halves(term: Any, shapes: Shapes) -> Axes:
    axis = trailing(len(shapes["x"]))[term.axis]
    return _rowwise(shapes, term.axis, ordered=frozenset({axis}))


def _channels(term: Any, shapes: Shapes) -> Axes:
    """Of a normalisation of [batch, channels, ...] by channels; groups of them are neighbours, so they keep places."""
    labels = trailing(len(shapes["x"]))
    parameters = {role: labels[1:2] for role in ("weight", "bias") if role in shapes}
    if isinstance(term, terms.InstanceNorm):
        return Axes({"x": labels, **parameters}, labels, mixed=frozenset(labels[2:]))
    return Axes({"x": labels, **parameters}, labels, ordered=frozenset(labels[1:2]), mixed=frozenset(labels[1:]))


def _reduction(term: Any, shapes: Shapes) -> Axes:
    labels = trailing(len(shapes["x"]))
    gone = {labels[place] for place in places(len(labels), term.axis)}
    kept = tuple(None if label in gone else label for label in labels)
    return Axes(_together(shapes), kept if term.keepdims else tuple(filter(None, kept)))


def _running(term: Any, shapes: Shapes) -> Axes:
    labels = trailing(len(shapes["x"]))
    if term.axis is None:
        return Axes({"x": (None,) * len(labels)}, (None,))
    along = frozenset({labels[term.axis]})
    return Axes({"x": labels}, labels, ordered=along, mixed=along)


def _dot(term: Any, shapes: Shapes) -> Axes:
    return Axes({"x": ("inner",), "y": ("inner",)}, ())


def _matmul(term: Any, shapes: Shapes) -> Axes:
    left = (*trailing(len(shapes["x"]) - 2), "row", "inner") if len(shapes["x"]) > 1 else ("inner",)
    right = (*trailing(len(shapes["y"]) - 2), "inner", "column") if len(shapes["y"]) > 1 else ("inner",)
    batch = trailing(max(len(shapes["x"]), len(shapes["y"]), 2) - 2)
    kept = tuple(label for label, array in (("row", left), ("column", right)) if label in array)
    return Axes({"x": left, "y": right}, (*batch, *kept))


def _einsum(term: Any, shapes: Shapes) -> Axes:
    read = parse(term.equation)
    arrays = {role: tuple(letters) for role, letters in zip(("x", "y", "z"), read.operands, strict=False)}
    return Axes(arrays, tuple(read.output))


def _dense(term: Any, shapes: Shapes) -> Axes:
    """The description fixes how many outputs there are, so that one cannot be computed alone."""
    batch = trailing(len(shapes["x"]) - 1)
    parameters = {"weight": ("output", "input"), "bias": ("output",)}
    arrays = {role: parameters[role] for role in parameters if role in shapes}
    return Axes({"x": (*batch, "input"), **arrays}, (*batch, "output"), mixed=frozenset({"output"}))


def _convolution(term: Any, shapes: Shapes) -> Axes:
    spatial = (None,) * (len(shapes["weight"]) - 2)
    batch = trailing(len(shapes["x"]) - 1 - len(spatial))
    inputs, outputs = ("input", "output") if term.groups == 1 else (None, None)
    adjoint = isinstance(term, terms.TransposedConvolution) and term.kernel == "adjoint"
    weight = (inputs, outputs) if adjoint else (outputs, inputs)
    arrays = {"x": (*batch, inputs, *spatial), "weight": (*weight, *spatial), "bias": (outputs,)}
    return Axes({role: arrays[role] for role in arrays if role in shapes}, (*batch, outputs, *spatial))


def _pooling(term: Any, shapes: Shapes) -> Axes:
    spatial = len(term.outputs if isinstance(term, terms.AdaptiveAveragePool) else term.window)
    labels = (*trailing(len(shapes["x"]) - spatial), *(None,) * spatial)
    return Axes({"x": labels}, labels)


def _embedding(term: Any, shapes: Shapes) -> Axes:
    ids = trailing(len(shapes["ids"]))
    return Axes({"ids": ids, "weight": (None, "feature")}, (*ids, "feature"))


def _rotary(term: Any, shapes: Shapes) -> Axes:
    labels = (*trailing(len(shapes["x"]) - 2), "position", None)
    if "positions" not in shapes:
        numbered = frozenset({"position"})
        return Axes({"x": labels}, labels, ordered=numbered, mixed=numbered)
    of_positions = labels[:-1][len(labels) - 1 - len(shapes["positions"]) :]
    return Axes({"x": labels, "positions": of_positions}, labels)


def _sinusoidal(term: Any, shapes: Shapes) -> Axes:
    labels = trailing(len(shapes["x"]))
    return Axes({"x": labels}, (*labels, None))


def _attention(term: Any, shapes: Shapes) -> Axes:
    """Heads that share keys are neighbours; a causal query knows its place among the keys.

    Values keep their width, because many programs want that of the keys.
    """
    ndim = len(shapes["query"])
    axis = -2 if term.heads == "last" else -3
    several = ndim > 2 and shapes["query"][axis] == shapes["key"][axis]
    head = "head" if several else None

    def labels(position: str, width: str) -> Labels:
        last = (position, head, width) if term.heads == "last" else (head, position, width)
        return (*trailing(ndim - 3), *last[-ndim:])

    def of_scores(shape: tuple[int, ...]) -> Labels:
        return (*trailing(len(shape) - 3), *(head, "query", "key")[-len(shape) :])

    arrays = {"query": labels("query", "width"), "key": labels("key", "width"), "value": labels("key", "value")}
    scores = {role: of_scores(shapes[role]) for role in ("bias", "mask") if role in shapes}
    placed = frozenset({"query", "key"} if term.causal != "none" else ())
    return Axes({**arrays, **scores}, labels("query", "value"), ordered=placed, mixed=placed | {"value"})


def _loss(term: Any, shapes: Shapes) -> Axes:
    """Of a loss of entries that broadcast, each for itself, and its reduction."""
    labels = trailing(max(len(shape) for shape in shapes.values()))
    output = {"none": labels, "row": labels[:-1]}.get(getattr(term, "reduction", "sum"), ())
    return Axes(_together(shapes), output)


def _cross_entropy(term: Any, shapes: Shapes) -> Axes:
    return Axes(_together(shapes), (), mixed=frozenset({-1}))


def _of_classes(term: Any, shapes: Shapes) -> Axes:
    """Of a cross-entropy of logits: the classes lie along an axis; the number of a class names its place."""
    labels = trailing(len(shapes["prediction"]))
    classes = labels[term.axis]
    rows = tuple(label for label in labels if label != classes)
    integer = isinstance(term, terms.SoftmaxCrossEntropyInteger)
    arrays = {"prediction": labels, "label": rows if integer else labels, "weight": (classes,)}
    along = frozenset({classes})
    given = {role: arrays[role] for role in arrays if role in shapes}
    return Axes(given, rows if term.reduction == "none" else (), along if integer else frozenset(), along)


def _cosine(term: Any, shapes: Shapes) -> Axes:
    labels = trailing(max(len(shape) for shape in shapes.values()))
    along = labels[term.axis]
    return Axes(_together(shapes), tuple(label for label in labels if label != along), mixed=frozenset({along}))


AXES: dict[type, Callable[[Any, Shapes], Axes]] = {
    terms.Softmax: lambda term, shapes: _rowwise(shapes, -1),
    terms.LogSoftmax: lambda term, shapes: _rowwise(shapes, term.axis),
    terms.Standardize: lambda term, shapes: _rowwise(shapes, term.axis),
    terms.L2Normalize: lambda term, shapes: _rowwise(shapes, term.axis),
    terms.LayerNorm: lambda term, shapes: _rowwise(shapes, -1),
    terms.RmsNorm: lambda term, shapes: _rowwise(shapes, tuple(range(-term.axes, 0))),
    terms.Glu: _halves,
    terms.GroupNorm: _channels,
    terms.InstanceNorm: _channels,
    **dict.fromkeys((terms.Sum, terms.Mean, terms.Product, terms.Variance, terms.Norm, terms.LogSumExp), _reduction),
    terms.CumulativeSum: _running,
    terms.Dot: _dot,
    terms.Matmul: _matmul,
    terms.Einsum: _einsum,
    terms.Dense: _dense,
    terms.Convolution: _convolution,
    terms.TransposedConvolution: _convolution,
    **dict.fromkeys((terms.MaxPool, terms.AveragePool, terms.AdaptiveAveragePool), _pooling),
    terms.Embedding: _embedding,
    terms.RotaryPositions: _rotary,
    terms.SinusoidalPositions: _sinusoidal,
    terms.Attention: _attention,
    **dict.fromkeys((terms.AbsoluteLoss, terms.HuberLoss, terms.SmoothL1Loss, terms.LogCoshLoss), _loss),
    **dict.fromkeys((terms.HingeLoss, terms.PoissonNll, terms.GaussianNll, terms.KlDivergence), _loss),
    **dict.fromkeys((terms.SigmoidCrossEntropy, terms.FocalLoss, terms.SquaredLoss), _loss),
    terms.CrossEntropyLoss: _cross_entropy,
    terms.SoftmaxCrossEntropy: _of_classes,
    terms.SoftmaxCrossEntropyInteger: _of_classes,
    terms.CosineSimilarity: _cosine,
}
