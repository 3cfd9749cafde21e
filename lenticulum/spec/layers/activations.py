"""Activations: relu, softmax."""

from lenticulum import terms
from lenticulum.numbers import ExactArray, exp, maximum, zeros_like
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Relu)
def relu(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return max(x, 0), elementwise; derivative 0 at 0 by convention. Determined by x alone. Pure; no state."""
    return maximum(x, zeros_like(x))


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
