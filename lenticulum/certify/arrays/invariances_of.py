"""The table of invariances: which laws each definition declares, looked up by the exact type of its description."""

from __future__ import annotations

from typing import Any

import numpy as np

from lenticulum import terms
from lenticulum.certify.arrays.conditions import (
    class_weights,
    keys,
    one_value_each,
    power,
    signless,
    unweighted,
    window_is_full,
)
from lenticulum.certify.arrays.invariance import Allowance, Invariance
from lenticulum.certify.arrays.lengths import CIRCLES, ROTATED, UNIT_LENGTH, WITH_ITSELF, kept_direction
from lenticulum.certify.arrays.masks import BLOCKED_KEYS, EXCLUDED, IGNORED, UNREAD
from lenticulum.certify.arrays.ranges import (
    BOUNDED_SQUARES,
    DIFFERENCES,
    EQUAL_VALUES,
    ZERO_AT_LABEL,
    ZERO_MEAN,
    at_least,
    at_most,
    extreme,
    not_negative,
    number,
    of_value,
    total,
    total_of_exponentials,
)
from lenticulum.certify.arrays.reorderings import (
    BATCHING,
    PERMUTATION,
    RENAMED_CLASSES,
    RENAMED_ROWS,
    TRANSPOSITION,
    added,
    averaged,
    by_reduction,
    exchanged,
    joined,
    multiplied,
    of_norms,
    shared,
)
from lenticulum.certify.arrays.shifts import (
    COMPLEMENTED,
    GATES_NEGATED,
    POSITIVE_POWERS,
    WEIGHTS_SCALED,
    alike,
    along_axis,
    along_last,
    beyond,
    everywhere,
    in_size,
    itself,
    itself_reduced,
    linear,
    negated,
    over_window,
    scaled,
    shifted,
    squared,
    unchanged,
)
from lenticulum.check.definition import Definition


def invariances(definition: Definition, term: Any) -> tuple[Invariance, ...]:
    """Return the laws that a definition declares; none for what is no pure function of arrays.

    >>> from lenticulum.check.definition import parse
    >>> sorted({each.law for each in invariances(parse("softmax"), terms.Softmax())})
    ['batching', 'normalisation', 'permutation', 'range', 'shift']
    """
    if type(term) not in LAWS:
        return ()
    examples = () if type(term) in _ONE_NUMBER else (BATCHING,)
    return (PERMUTATION, *examples, *LAWS[type(term)])


#: Of these the value is one number, whatever the arrays.
_ONE_NUMBER = (terms.Dot, terms.SquaredLoss, terms.CrossEntropyLoss)


_NORMALISED = (
    ZERO_MEAN,
    BOUNDED_SQUARES,
    negated("{f}(-x, weight, -bias) = -{f}(x, weight, bias)", "x", "bias", odd=True),
    linear("weight", "{f} is affine in weight"),
    linear("bias", "{f} is affine in bias"),
    scaled("{f}(x, a weight, a bias) = a {f}(x, weight, bias), a = ±2^k", {"weight": 1, "bias": 1}, alike),
)

_LINEAR = (linear("x", "{f}(a + b) = {f}(a) + {f}(b)"), scaled("{f}(a x) = a {f}(x), a = ±2^k", {"x": 1}, alike))

_AFFINE = (
    linear("x", "{f} is affine in x"),
    linear("weight", "{f} is affine in weight"),
    linear("bias", "{f} is affine in bias"),
    scaled("{f}(x, a weight, a bias) = a {f}(x, weight, bias), a = ±2^k", {"weight": 1, "bias": 1}, alike),
)

_BILINEAR = (
    *_LINEAR,
    linear("y", "{f}(x, a + b) = {f}(x, a) + {f}(x, b)"),
    scaled("{f}(a x, y / a) = {f}(x, y), a = ±2^k", {"y": -1, "x": 1}, unchanged),
    joined("a sum of products over the whole is the sum of those over its parts", added),
)

_ENTRIES = joined(
    "the loss of all entries is the sum, or the mean, of those of two parts",
    by_reduction,
    lambda term: getattr(term, "reduction", "sum") != "batch_mean",
)

_DISTANCE = (
    shifted("{f}(prediction + c, label + c) = {f}(prediction, label)", "prediction", "label", scope=everywhere),
    negated("{f}(-prediction, -label) = {f}(prediction, label)", "prediction", "label"),
    exchanged("{f}(label, prediction) = {f}(prediction, label)", "prediction", "label"),
    ZERO_AT_LABEL,
    _ENTRIES,
)

_DIRECTION = (
    at_most("{f} <= 1", number(1.0)),
    at_least("{f} >= -1", number(-1.0)),
)

_POOLED = shifted("{f}(x + c) = {f}(x) + c", "x", scope=over_window, effect=itself, applies=window_is_full)
_LEAST, _MOST = extreme("x", np.min, over_window), extreme("x", np.max, over_window)

_AVERAGED = (
    *_LINEAR,
    _POOLED,
    at_least("{f}(x) is not less than the least entry", _LEAST, applies=window_is_full),
    at_most("{f}(x) is not more than the largest entry", _MOST, applies=window_is_full),
)

_CROSS_ENTROPY = (
    linear("weight", "{f} is affine in weight", lambda term, inputs: term.reduction != "weighted_mean"),
    scaled(
        "{f}(a weight) = a {f}(weight), a = 2^k; a weighted mean is unchanged",
        {"weight": 1},
        class_weights,
        POSITIVE_POWERS,
    ),
    shifted("{f}(prediction + c, label) = {f}(prediction, label)", "prediction"),
    at_least("{f} >= 0 for labels and weights >= 0", number(0.0), applies=signless),
)

LAWS: dict[type, tuple[Invariance, ...]] = {
    terms.Softmax: (
        shifted("{f}(x + c) = {f}(x)", "x", scope=along_last),
        of_value("normalisation", "sum {f}(x) = 1", total, lambda term, inputs: 1.0),
        not_negative(),
        at_most("{f} <= 1", number(1.0), Allowance.NOTHING),
    ),
    terms.LogSoftmax: (
        shifted("{f}(x + c) = {f}(x)", "x"),
        of_value("normalisation", "sum exp {f}(x) = 1", total_of_exponentials, lambda term, inputs: 1.0),
        at_most("{f} <= 0", number(0.0)),
    ),
    terms.LogSumExp: (
        shifted("{f}(x + c) = {f}(x) + c", "x", effect=itself_reduced),
        WEIGHTS_SCALED,
        EXCLUDED,
        at_least("{f}(x) is not less than the largest entry", extreme("x", np.max, along_axis), applies=unweighted),
        joined("exp {f}(whole) = exp {f}(part) + exp {f}(rest)", shared),
    ),
    terms.Standardize: (
        shifted("{f}(x + c) = {f}(x)", "x"),
        negated("{f}(-x) = -{f}(x)", "x", odd=True),
        ZERO_MEAN,
        BOUNDED_SQUARES,
    ),
    terms.LayerNorm: (*_NORMALISED, shifted("{f}(x + c) = {f}(x)", "x", scope=along_last)),
    terms.GroupNorm: (*_NORMALISED, shifted("{f}(x + c) = {f}(x)", "x", scope=beyond(1))),
    terms.InstanceNorm: (*_NORMALISED, shifted("{f}(x + c) = {f}(x)", "x", scope=beyond(2))),
    terms.RmsNorm: _NORMALISED[1:],
    terms.L2Normalize: (
        negated("{f}(-x) = -{f}(x)", "x", odd=True),
        scaled("{f}(a x) = {f}(x), a = 2^k", {"x": 1}, kept_direction, POSITIVE_POWERS),
        UNIT_LENGTH,
        *_DIRECTION,
    ),
    terms.Glu: (GATES_NEGATED,),
    terms.Sum: (*_LINEAR, joined("{f}(whole) = {f}(part) + {f}(rest)", added)),
    terms.Mean: (
        *_LINEAR,
        shifted("{f}(x + c) = {f}(x) + c", "x", effect=itself_reduced),
        joined("(m + n) {f}(whole) = m {f}(part) + n {f}(rest)", averaged),
        at_least("{f}(x) is not less than the least entry", extreme("x", np.min, along_axis)),
        at_most("{f}(x) is not more than the largest entry", extreme("x", np.max, along_axis)),
    ),
    terms.Product: (
        scaled("{f}(a x) = a^n {f}(x), a = ±2^k", {"x": 1}, power),
        joined("{f}(whole) = {f}(part) {f}(rest)", multiplied),
    ),
    terms.Variance: (
        shifted("{f}(x + c) = {f}(x)", "x"),
        scaled("{f}(a x) = a² {f}(x), a = ±2^k", {"x": 1}, squared),
        not_negative(),
    ),
    terms.CumulativeSum: (*_LINEAR, DIFFERENCES),
    terms.Norm: (
        scaled("{f}(a x) = |a| {f}(x), a = ±2^k", {"x": 1}, in_size),
        joined("the norm of the whole is that of the norms of its parts", of_norms),
        not_negative(),
    ),
    terms.Dot: (*_BILINEAR, exchanged("{f}(y, x) = {f}(x, y)", "x", "y")),
    terms.Matmul: (*_BILINEAR, TRANSPOSITION),
    terms.Einsum: (*_BILINEAR, linear("z", "{f} is linear in z")),
    terms.Dense: _AFFINE,
    terms.Convolution: _AFFINE,
    terms.TransposedConvolution: _AFFINE,
    terms.MaxPool: (
        _POOLED,
        scaled("{f}(a x) = a {f}(x), a = 2^k", {"x": 1}, alike, POSITIVE_POWERS),
        at_least("{f}(x) is not less than the least entry", _LEAST, Allowance.NOTHING),
        at_most("{f}(x) is not more than the largest entry", _MOST, Allowance.NOTHING),
    ),
    terms.AveragePool: _AVERAGED,
    terms.AdaptiveAveragePool: _AVERAGED,
    terms.Embedding: (
        linear("weight", "{f} is linear in weight"),
        RENAMED_ROWS,
        UNREAD,
    ),
    terms.RotaryPositions: (*_LINEAR, ROTATED),
    terms.SinusoidalPositions: (CIRCLES, *_DIRECTION),
    terms.Attention: (
        BLOCKED_KEYS,
        EQUAL_VALUES,
        linear("value", "{f} is linear in value"),
        scaled("{f}(query, key, a value) = a {f}(query, key, value), a = ±2^k", {"value": 1}, alike),
        scaled("{f}(a query, key / a, value) = {f}(query, key, value), a = ±2^k", {"query": 1, "key": -1}, unchanged),
        shifted("{f} with bias + c = {f} with bias, c for each query", "bias", scope=along_last),
        shifted("{f}(value + c) = {f}(value) + c", "value", scope=keys, effect=itself, applies=one_value_each),
        at_least("{f} is not less than the least value", extreme("value", np.min, keys), applies=one_value_each),
        at_most("{f} is not more than the largest value", extreme("value", np.max, keys), applies=one_value_each),
    ),
    terms.AbsoluteLoss: (
        *_DISTANCE,
        scaled("{f}(a prediction, a label) = |a| {f}, a = ±2^k", {"prediction": 1, "label": 1}, in_size),
        not_negative(),
    ),
    terms.HuberLoss: (*_DISTANCE, not_negative()),
    terms.SmoothL1Loss: (*_DISTANCE, not_negative()),
    terms.LogCoshLoss: (*_DISTANCE, not_negative(allows=Allowance.BOUNDS)),
    terms.SquaredLoss: (
        *_DISTANCE,
        scaled("{f}(a label, a prediction) = a² {f}, a = ±2^k", {"label": 1, "prediction": 1}, squared),
        not_negative(),
    ),
    terms.HingeLoss: (
        negated("{f}(-prediction, -label) = {f}(prediction, label)", "prediction", "label"),
        not_negative(),
        _ENTRIES,
    ),
    terms.PoissonNll: (linear("label", "{f} is affine in label"), _ENTRIES),
    terms.GaussianNll: (*_DISTANCE[:3], _ENTRIES),
    terms.KlDivergence: (linear("prediction", "{f} is affine in prediction"), _ENTRIES),
    terms.SigmoidCrossEntropy: (
        linear("label", "{f} is affine in label"),
        COMPLEMENTED,
        not_negative(allows=Allowance.BOUNDS),
        _ENTRIES,
    ),
    terms.FocalLoss: (COMPLEMENTED, not_negative(allows=Allowance.BOUNDS), _ENTRIES),
    terms.SoftmaxCrossEntropy: (*_CROSS_ENTROPY, linear("label", "{f} is affine in label"), _ENTRIES),
    terms.SoftmaxCrossEntropyInteger: (
        *_CROSS_ENTROPY,
        RENAMED_CLASSES,
        IGNORED,
        joined("the loss of all rows is the sum of those of two parts", added, lambda term: term.reduction == "sum"),
    ),
    terms.CrossEntropyLoss: (
        shifted("{f}(prediction + c, label) = {f}(prediction, label)", "prediction", scope=along_last),
        linear("label", "{f} is linear in label"),
        _ENTRIES,
    ),
    terms.CosineSimilarity: (
        exchanged("{f}(y, x) = {f}(x, y)", "x", "y"),
        negated("{f}(-x, y) = -{f}(x, y)", "x", odd=True),
        scaled("{f}(a x, y) = {f}(x, y), a = 2^k", {"x": 1}, kept_direction, POSITIVE_POWERS),
        WITH_ITSELF,
        *_DIRECTION,
    ),
}
