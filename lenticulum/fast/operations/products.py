"""Dot products, products of matrices and einsums, with the precision of the format on every device."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from lenticulum.fast.meaning import meaning
from lenticulum.terms.operations import Dot, Einsum, Matmul
from lenticulum.terms.operations.equation import parse

#: The default lets some devices round the operands to fewer bits.
HIGHEST = jax.lax.Precision.HIGHEST


@meaning(Dot)
def dot(x: Float[Array, " n"], y: Float[Array, " n"]) -> Float[Array, ""]:
    """Return sum_k x_k y_k.

    >>> float(dot(jnp.array([1.0, 2.0]), jnp.array([3.0, -1.0])))
    1.0
    """
    return jnp.dot(x, y, precision=HIGHEST)


@meaning(Matmul)
def matmul(x: Float[Array, "..."], y: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return sum_k x_ik y_kj over the last two axes; axes before them broadcast, and a vector has a row or a column.

    >>> matmul(jnp.array([[1.0, 2.0], [3.0, 4.0]]), jnp.array([1.0, 0.0])).tolist()
    [1.0, 3.0]
    """
    return jnp.matmul(x, y, precision=HIGHEST)


@meaning(Einsum)
def einsum(
    x: Float[Array, "..."], y: Float[Array, "..."] | None = None, z: Float[Array, "..."] | None = None, *, equation: str
) -> Float[Array, "..."]:
    """Return the sum, over the letters that are not in the result, of the product of the operands.

    Two operands at a time are contracted, in the order that needs fewest products.
    Raises: ValueError if the operands do not fit the equation; a size of one is not stretched.

    >>> float(einsum(jnp.array([[1.0, 2.0], [3.0, 4.0]]), equation="ii->"))
    5.0
    """
    operands = [operand for operand in (x, y, z) if operand is not None]
    parse(equation).sizes([operand.shape for operand in operands])
    return jnp.einsum(equation, *operands, optimize="optimal", precision=HIGHEST)
