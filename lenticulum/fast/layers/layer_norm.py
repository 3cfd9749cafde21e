"""Layer normalisation."""

from jaxtyping import Array, Float

from lenticulum.fast.layers.normalise import affine, moments, standardise
from lenticulum.fast.meaning import meaning
from lenticulum.terms.exact import Number
from lenticulum.terms.layers import LayerNorm
from lenticulum.terms.tree import Tree


@meaning(LayerNorm)
def layer_norm(
    parameters: Tree, x: Float[Array, "*batch features"], *, epsilon: Number, use_weight: bool, use_bias: bool
) -> Float[Array, "*batch features"]:
    """Return every row, normalised by its own mean and population variance.

    y = weight (x - mean) / sqrt(var + epsilon) + bias.

    Parameters: weight [features] if `use_weight`, bias [features] if `use_bias`.
    Source: Ba, Kiros and Hinton 2016, arXiv:1607.06450.

    >>> import jax.numpy as jnp
    >>> layer_norm(Tree(), jnp.array([1.0, 3.0, 5.0]), epsilon="4/3", use_weight=False, use_bias=False).tolist()
    [-1.0, 0.0, 1.0]
    """
    _, deviation, variance = moments(x, -1)
    return affine(parameters, standardise(deviation, variance, epsilon), use_weight=use_weight, use_bias=use_bias)
