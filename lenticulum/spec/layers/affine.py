"""Affine maps: dense and bias."""

from lenticulum import terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.Dense)
def dense(parameters: Tree, x: ExactArray, *, use_bias: bool) -> ExactArray:
    """Return x Wᵀ + b.

    Values that determine the result: weight [outputs, inputs], bias [outputs] if used, x [..., inputs]. Pure; no state.
    """
    product = x @ parameters.weight.T
    return product + parameters.bias if use_bias else product


@meaning(terms.Bias)
def bias(parameters: Tree, x: ExactArray) -> ExactArray:
    """Return x + b.

    Values that determine the result: bias [features], x [..., features]. Pure; no state.
    """
    return x + parameters.bias
