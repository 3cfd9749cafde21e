"""The squared loss."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.constants import times
from lenticulum.fast.meaning import meaning
from lenticulum.fast.shapes import require_same_shape
from lenticulum.terms.exact import Number
from lenticulum.terms.losses import SquaredLoss
from lenticulum.terms.tree import Tree


@meaning(SquaredLoss)
def squared(
    parameters: Tree, x: tuple[Float[Array, "..."], Float[Array, "..."]], *, factor: Number
) -> Float[Array, ""]:
    """Return the squared distance of a prediction from its label.

    y = factor * sum (prediction - label)^2.

    Arguments: `x`: (label, prediction), two arrays of one shape; `factor`: 1/2 for the quadratic loss of
    arXiv:2103.01931, equation 3.4.
    Returns: a 0-d array. Raises: ShapeError for two shapes.

    >>> float(squared(Tree(), (jnp.array([1.0, 2.0]), jnp.array([4.0, 6.0])), factor="1/2"))
    12.5
    """
    label, prediction = x
    require_same_shape("SquaredLoss", label, prediction)
    return times(factor, jnp.sum(jnp.square(prediction - label)), "factor")
