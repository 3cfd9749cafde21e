"""The dot loss."""

import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.fast.shapes import require_same_shape
from lenticulum.terms.losses import DotLoss
from lenticulum.terms.tree import Tree


@meaning(DotLoss)
def dot(parameters: Tree, x: tuple[Float[Array, "..."], Float[Array, "..."]]) -> Float[Array, ""]:
    """Return the inner product of a label and a prediction, over every entry.

    y = sum label * prediction.

    Arguments: `x`: (label, prediction), two arrays of one shape.
    Returns: a 0-d array. Raises: ShapeError for two shapes. Source: arXiv:2103.01931, equation 3.7.

    >>> float(dot(Tree(), (jnp.array([1.0, 2.0]), jnp.array([4.0, 6.0]))))
    16.0
    """
    label, prediction = x
    require_same_shape("DotLoss", label, prediction)
    return jnp.sum(label * prediction)
