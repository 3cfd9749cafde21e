"""The arithmetic of arrays: subtraction, multiplication, the largest."""

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import jax.numpy as jnp
from jaxtyping import Array

from lenticulum import terms
from lenticulum.fast.meaning import meaning
from lenticulum.fast.shapes import require_same_shape
from lenticulum.terms.tree import Tree


@meaning(terms.Subtract)
def subtract(parameters: Tree, x: Any) -> Any:
    """Return x_1 - x_2, array by array.

    >>> float(subtract(Tree(), (jnp.array(3.0), jnp.array(1.0))))
    2.0
    """
    return each(jnp.subtract, "Subtract", *x)


@meaning(terms.Multiply)
def multiply(parameters: Tree, x: Any) -> Any:
    """Return x_1 x_2, array by array.

    >>> float(multiply(Tree(), (jnp.array(3.0), jnp.array(2.0))))
    6.0
    """
    return each(jnp.multiply, "Multiply", *x)


@meaning(terms.Maximum)
def maximum(parameters: Tree, x: Any) -> Any:
    """Return max(max(x_1, x_2), x_3) ..., array by array; at a tie each of two gets half of the cotangent.

    >>> maximum(Tree(), (jnp.array([3.0, 1.0]), jnp.array([2.0, 4.0]))).tolist()
    [3.0, 4.0]
    """
    return reduce(partial(each, jnp.maximum, "Maximum"), x)


def each(function: Callable[[Array, Array], Array], part: str, x: Any, y: Any) -> Any:
    """Apply a function of two arrays to every array of two values of one structure; unequal shapes are refused.

    >>> each(jnp.add, "Add", (jnp.ones(1),), (jnp.ones(2),))
    Traceback (most recent call last):
    lenticulum.terms.spaces.ShapeError: Add: expected [1], got [2]
    """
    if isinstance(x, tuple):
        return tuple(each(function, part, one, other) for one, other in zip(x, y, strict=True))
    require_same_shape(part, x, y)
    return function(x, y)
