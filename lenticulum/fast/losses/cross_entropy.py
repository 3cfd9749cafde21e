"""The cross-entropy loss on logits."""

import jax.numpy as jnp
from jax.nn import logsumexp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.fast.shapes import require_same_shape
from lenticulum.terms.losses import CrossEntropyLoss
from lenticulum.terms.tree import Tree


@meaning(CrossEntropyLoss)
def cross_entropy(parameters: Tree, x: tuple[Float[Array, "..."], Float[Array, "..."]]) -> Float[Array, ""]:
    """Return the cross entropy of a label against the softmax of logits, summed over every row.

    y = sum_i label_i (logsumexp(logits) - logits_i).

    Arguments: `x`: (label, logits), two arrays of one shape; the label need not be normalised.
    Returns: a 0-d array. Raises: ShapeError for two shapes.

    >>> f"{cross_entropy(Tree(), (jnp.array([0.0, 1.0, 0.0]), jnp.zeros(3))):.6f}"
    '1.098612'
    """
    label, logits = x
    require_same_shape("CrossEntropyLoss", label, logits)
    return jnp.sum(label * (logsumexp(logits, axis=-1, keepdims=True) - logits))
