"""What the losses mean, exactly. Arguments are (label, prediction), and cotangents come in that order."""

from fractions import Fraction

from lenticulum import terms
from lenticulum.numbers import ExactArray, exp, log
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.maximum import largest
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.SquaredLoss)
def squared_loss(parameters: Tree, x: tuple[ExactArray, ExactArray], *, factor: Fraction) -> ExactArray:
    """Return factor * sum (prediction - label)². R at (label, prediction) with alpha: 2 factor alpha (-d, d).

    Values that determine the result: label and prediction of one shape, factor. Pure; no state.
    Source: arXiv:2103.01931, equation 3.4 (printed with the components exchanged).
    """
    label, prediction = x
    difference = prediction - label
    return factor * (difference * difference).sum()


@meaning(terms.DotLoss)
def dot_loss(parameters: Tree, x: tuple[ExactArray, ExactArray]) -> ExactArray:
    """Return sum label * prediction. R at (label, prediction) with alpha: alpha (prediction, label).

    Values that determine the result: label and prediction of one shape. Pure; no state.
    Source: arXiv:2103.01931, equation 3.7.
    """
    label, prediction = x
    return (label * prediction).sum()


@textbook(terms.CrossEntropyLoss)
@meaning(terms.CrossEntropyLoss)
def cross_entropy_loss(parameters: Tree, x: tuple[ExactArray, ExactArray]) -> ExactArray:
    """Return the sum over rows of sum_i label_i (logsumexp(prediction) - prediction_i).

    Written as log sum_j exp(prediction_j - prediction_i), with no shift and no cancellation.
    Values that determine the result: label and prediction of one shape [..., classes]. Pure; no state.
    Source: arXiv:2103.01931, equation 3.6 (the printed formula is another function: it equals
    (sum label) logsumexp(prediction), which never sees the label).
    """
    label, prediction = x
    differences = prediction[..., None, :] - prediction[..., :, None]
    return (label * log(exp(differences).sum(axis=-1))).sum()


@textbook(terms.CrossEntropyLoss)
def cross_entropy_shifted(parameters: Tree, x: tuple[ExactArray, ExactArray]) -> ExactArray:
    """Return the sum over rows of sum_i label_i (log sum_j exp(prediction_j - m) - (prediction_i - m)), m the largest.

    No power overflows. Source: Blanchard, Higham and Higham 2021, Accurately computing the log-sum-exp and softmax
    functions.
    """
    label, prediction = x
    shifted = prediction - largest(prediction, -1)
    return (label * (log(exp(shifted).sum(axis=-1, keepdims=True)) - shifted)).sum()
