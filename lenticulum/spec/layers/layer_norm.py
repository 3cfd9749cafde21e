"""Layer normalisation over the last axis (Ba, Kiros and Hinton 2016)."""

from fractions import Fraction

from lenticulum import terms
from lenticulum.numbers import ExactArray, sqrt
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree


@meaning(terms.LayerNorm)
def layer_norm(parameters: Tree, x: ExactArray, *, epsilon: Fraction, use_weight: bool, use_bias: bool) -> ExactArray:
    """Return weight (x - mean) / sqrt(var + epsilon) + bias.

    mean and var over the last axis; var is the population variance in two passes; epsilon stands inside the root.
    Values that determine the result: x [..., features], weight and bias [features] if used, epsilon. Pure; no state.
    Laws: invariant under x -> x + c; the reverse derivative sums to 0.
    """
    deviation = x - x.mean(axis=-1, keepdims=True)
    variance = (deviation * deviation).mean(axis=-1, keepdims=True)
    y = deviation / sqrt(variance + epsilon)
    return affine(parameters, y, use_weight=use_weight, use_bias=use_bias)


def affine(parameters: Tree, y: ExactArray, *, use_weight: bool, use_bias: bool) -> ExactArray:
    """Return weight * y + bias, as far as they are used."""
    scaled = parameters.weight * y if use_weight else y
    return scaled + parameters.bias if use_bias else scaled
