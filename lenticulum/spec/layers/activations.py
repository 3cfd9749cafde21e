"""The softmax."""

from lenticulum import terms
from lenticulum.numbers import ExactArray, exp
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.maximum import largest
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@textbook(terms.Softmax)
@meaning(terms.Softmax)
def softmax(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return 1 / sum_j exp(x_j - x_i) along the last axis.

    Equal to `softmax_quotient`, with each variable repeated as little as possible, so that enclosures stay tight and no
    intermediate is far from the result. Determined by x alone. Pure; no state.
    """
    differences = x[..., None, :] - x[..., :, None]
    return 1 / exp(differences).sum(axis=-1)


def softmax_quotient(x: ExactArray) -> ExactArray:
    """Return exp x_i / sum_j exp x_j along the last axis: the definition as it is written in books."""
    powers = exp(x)
    return powers / powers.sum(axis=-1, keepdims=True)


@textbook(terms.Softmax)
def softmax_shifted(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return exp(x_i - m) / sum_j exp(x_j - m) along the last axis, m the largest x: no power overflows.

    Source: Blanchard, Higham and Higham 2021, Accurately computing the log-sum-exp and softmax functions.
    """
    powers = exp(x - largest(x, -1))
    return powers / powers.sum(axis=-1, keepdims=True)
