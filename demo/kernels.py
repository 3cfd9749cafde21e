"""A kernel with a mistake, for the demonstration: a softmax whose temperature is not 1."""

import jax
from jax import Array


def warm_softmax(x: Array) -> Array:
    """Softmax at temperature 1.00001: too close for a plot, not for a verdict."""
    return jax.nn.softmax(x / 1.00001)
