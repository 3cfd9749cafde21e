"""The rows of the cross-entropies on logits and their relatives."""

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry
from lenticulum.terms.operations.losses import ENTRY_REDUCTIONS, REDUCTIONS

entry(
    "softmax_cross_entropy",
    terms.SoftmaxCrossEntropy(),
    kind="array",
    arrays=("prediction", "label", "weight"),
    optional=("weight",),
    output="loss",
    equation="sum_c weight_c label'_c log sum_j exp(prediction_j - prediction_c); label' = (1 - s) label + s/classes",
    source="Szegedy et al. 2016, arXiv:1512.00567, section 7",
    laws=("linear in the label", "invariant under prediction -> prediction + c", "the derivative is softmax - label"),
    locality="batch",
    determines="prediction and label of one shape, weight [classes], axis, label_smoothing s, reduction",
    purity="pure",
    states=STATELESS,
    conventions={"reduction": REDUCTIONS},
    short={"dim": "axis", "smoothing": "label_smoothing"},
)

entry(
    "softmax_cross_entropy_integer",
    terms.SoftmaxCrossEntropyInteger(),
    kind="array",
    arrays=("prediction", "label", "weight"),
    optional=("weight",),
    integers=("label",),
    output="loss",
    equation="softmax_cross_entropy of the class with the number label; 0 where label = ignore_index",
    source="torch.nn.CrossEntropyLoss",
    laws=("that of the one-hot label", "an ignored row changes nothing", "weighted_mean does not depend on the scale"),
    locality="batch",
    determines="prediction, label (of its shape without axis), weight [classes], axis, label_smoothing, ignore_index, "
    "reduction",
    purity="pure",
    states=STATELESS,
    conventions={"reduction": (*REDUCTIONS, "weighted_mean")},
    short={"dim": "axis", "smoothing": "label_smoothing"},
)

entry(
    "sigmoid_cross_entropy",
    terms.SigmoidCrossEntropy(),
    kind="array",
    arrays=("prediction", "label"),
    output="loss",
    equation="label log(1 + exp(-prediction)) + (1 - label) log(1 + exp prediction)",
    source="torch.nn.BCEWithLogitsLoss",
    laws=("softmax_cross_entropy of two classes", "(x, label) -> (-x, 1 - label) changes nothing"),
    locality="batch",
    determines="prediction and label [...], which broadcast, and reduction",
    purity="pure",
    states=STATELESS,
    conventions={"reduction": ENTRY_REDUCTIONS},
)

entry(
    "focal_loss",
    terms.FocalLoss(),
    kind="array",
    arrays=("prediction", "label"),
    output="loss",
    equation="q^gamma sigmoid_cross_entropy, q = label sigmoid(-x) + (1 - label) sigmoid(x), x the prediction; "
    "with alpha times alpha label + (1 - alpha)(1 - label)",
    source="Lin et al. 2017, arXiv:1708.02002, equations 4 and 5",
    laws=("gamma = 0 is the cross-entropy", "gamma and gamma' multiply q^gamma and q^gamma'"),
    locality="batch",
    determines="prediction and label in [0, 1], which broadcast, gamma, alpha, reduction",
    purity="pure",
    states=STATELESS,
    conventions={"reduction": ENTRY_REDUCTIONS},
    aliases=("sigmoid_focal_loss",),
)

entry(
    "kl_divergence",
    terms.KlDivergence(),
    kind="array",
    arrays=("prediction", "label"),
    output="loss",
    equation="label (log label - prediction), 0 where label = 0; of a logarithm exp(label) (label - prediction)",
    source="Kullback and Leibler 1951, On information and sufficiency",
    laws=("of normalised rows the sum is at least 0, and 0 where they are equal", "the two forms of the label agree"),
    locality="batch",
    determines="prediction (a logarithm) and label [...], which broadcast, log_target and reduction",
    purity="pure",
    states=STATELESS,
    conventions={"reduction": (*REDUCTIONS, "row", "batch_mean")},
)
