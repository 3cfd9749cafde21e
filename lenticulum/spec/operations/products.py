"""What sums of products mean, exactly: dot products, products of matrices, einsums."""

from __future__ import annotations

from math import prod

import numpy as np

from lenticulum import terms
from lenticulum.numbers import ExactArray, stack
from lenticulum.spec.meaning import meaning
from lenticulum.terms.operations.equation import parse


@meaning(terms.Dot)
def dot(x: ExactArray, y: ExactArray) -> ExactArray:
    """Return sum_k x_k y_k.

    Values that determine the result: x and y, two vectors of one length. Pure; no state.
    Laws: bilinear; symmetric; |x·y|² <= (x·x)(y·y).
    """
    if x.ndim != 1 or y.shape != x.shape:
        raise ValueError(f"got shapes {list(x.shape)} and {list(y.shape)}, expected two vectors of one length")
    return x @ y


@meaning(terms.Matmul)
def matmul(x: ExactArray, y: ExactArray) -> ExactArray:
    """Return sum_k x_ik y_kj over the last two axes; axes before them broadcast, and a vector has a row or a column.

    Values that determine the result: x [..., m, k] or [k], y [..., k, n] or [k]. Pure; no state.
    Laws: associative; distributive; (x y)ᵀ = yᵀ xᵀ; the transposed derivatives are c yᵀ and xᵀ c.
    Source: NumPy, https://numpy.org/doc/stable/reference/generated/numpy.matmul.html
    """
    if not (x.ndim and y.ndim) or x.shape[-1] != y.shape[-2 if y.ndim > 1 else 0]:
        raise ValueError(f"got shapes {list(x.shape)} and {list(y.shape)}, expected [..., m, k] and [..., k, n]")
    if y.ndim <= 2:
        return x @ y
    if x.ndim == 1:
        return matmul(x[None], y)[..., 0, :]
    batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    size = prod(batch)
    left = x.broadcast_to((*batch, *x.shape[-2:])).reshape((size, *x.shape[-2:]))
    right = y.broadcast_to((*batch, *y.shape[-2:])).reshape((size, *y.shape[-2:]))
    products = stack([left[each] @ right[each] for each in range(size)])
    return products.reshape((*batch, x.shape[-2], y.shape[-1]))


@meaning(terms.Einsum)
def einsum(x: ExactArray, y: ExactArray | None = None, z: ExactArray | None = None, *, equation: str) -> ExactArray:
    """Return the sum, over all letters that are not in the result, of the product of the operands.

    Values that determine the result: the operands and the equation. Pure; no state.
    Laws: multilinear; renamed letters change nothing; operands may be exchanged with their letters.
    Source: NumPy, https://numpy.org/doc/stable/reference/generated/numpy.einsum.html, the explicit form.
    """
    operands = [operand for operand in (x, y, z) if operand is not None]
    read = parse(equation)
    sizes = read.sizes([operand.shape for operand in operands])
    letters = read.output + read.summed
    product = None
    for operand, names in zip(operands, read.operands, strict=True):
        factor = aligned(operand, names, letters).broadcast_to(tuple(sizes[letter] for letter in letters))
        product = factor if product is None else product * factor
    assert product is not None
    return product.sum(tuple(range(len(read.output), len(letters))))


def aligned(x: ExactArray, names: str, letters: str) -> ExactArray:
    """Return an operand with one axis for each of `letters`, of size 1 where it has none; a letter twice is a diagonal.

    >>> from lenticulum.numbers import rational
    >>> aligned(rational([[1, 2], [3, 4]]), "ii", "ji").tolist()
    [[Fraction(1, 1), Fraction(4, 1)]]
    """
    positions = np.einsum(names + "->" + "".join(dict.fromkeys(names)), np.arange(x.size).reshape(x.shape))
    present = "".join(dict.fromkeys(names))
    order = [present.index(letter) for letter in letters if letter in present]
    places = tuple(slice(None) if letter in present else None for letter in letters)
    return x.take(positions.transpose(order)[places])
