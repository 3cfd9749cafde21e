"""The rows of the losses."""

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry

entry(
    "squared_loss",
    terms.SquaredLoss(),
    kind="loss",
    arrays=("label", "prediction"),
    equation="factor * sum (prediction - label)²",
    source="arXiv:2103.01931, equation 3.4",
    laws=("symmetric", "zero exactly where prediction = label"),
    locality="batch",
    determines="label and prediction of one shape, and factor (1/2 unless stated)",
    purity="pure",
    states=STATELESS,
)

entry(
    "cross_entropy",
    terms.CrossEntropyLoss(),
    kind="loss",
    arrays=("label", "prediction"),
    equation="sum over rows of sum_i label_i (log sum_j exp prediction_j - prediction_i)",
    source="arXiv:2103.01931, equation 3.6",
    laws=("linear in the label", "invariant under prediction -> prediction + c"),
    locality="batch",
    determines="label and prediction [..., classes] of one shape; labels need not be normalised",
    purity="pure",
    states=STATELESS,
)

entry(
    "dot_loss",
    terms.DotLoss(),
    kind="loss",
    arrays=("label", "prediction"),
    equation="sum label * prediction",
    source="arXiv:2103.01931, equation 3.7",
    laws=("bilinear", "symmetric", "the reverse derivative is alpha (prediction, label)"),
    locality="batch",
    determines="label and prediction of one shape",
    purity="pure",
    states=STATELESS,
)
