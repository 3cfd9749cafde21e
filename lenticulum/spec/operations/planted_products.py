"""Planted mistakes about sums of products: wrong twins of `evaluate` and `reverse`, each of which a law must reject."""

from __future__ import annotations

from typing import Any

from lenticulum.numbers import ExactArray, zeros_like
from lenticulum.spec.operations.subject import evaluate, mistaken, reverse
from lenticulum.terms import Dot, Einsum, Matmul, Operation
from lenticulum.terms.operations.equation import parse


def _last_product_left_out(term: Dot, x: ExactArray, y: ExactArray) -> Any:
    return evaluate(term, x[:-1], y[:-1])


def _mean_product(term: Dot, x: ExactArray, y: ExactArray) -> Any:
    return evaluate(term, x, y) / x.size


def _right_transposed(term: Matmul, x: ExactArray, y: ExactArray) -> Any:
    square = y.ndim > 1 and y.shape[-1] == y.shape[-2]
    return evaluate(term, x, y.transpose((*range(y.ndim - 2), y.ndim - 1, y.ndim - 2)) if square else y)


def _first_matrix(term: Matmul, x: ExactArray, y: ExactArray) -> Any:
    return evaluate(term, x, y[:1].broadcast_to(y.shape) if y.ndim == 3 else y)


def _entrywise(term: Matmul, x: ExactArray, y: ExactArray) -> Any:
    return x * y if x.shape == y.shape else evaluate(term, x, y)


def _output_in_order(term: Einsum, *operands: ExactArray) -> Any:
    """The axes of the result stand in the order of the first appearance of their letters."""
    read = parse(term.equation)
    seen = "".join(dict.fromkeys(letter for letter in "".join(read.operands) if letter in read.output))
    return evaluate(Einsum(",".join(read.operands) + "->" + seen), *operands)


def _repeated_letter_summed(term: Einsum, *operands: ExactArray) -> Any:
    """ii takes the row sums instead of the diagonal."""
    read = parse(term.equation)
    if read.operands != ("ii",):
        return evaluate(term, *operands)
    return evaluate(Einsum("ij->" + read.output), *operands)


def _first_instead_of_sum(term: Einsum, *operands: ExactArray) -> Any:
    """A letter that one operand alone has is not summed over: its first entry is taken."""
    read = parse(term.equation)
    every = "".join(read.operands)
    lonely = [letter for letter in read.summed if every.count(letter) == 1]
    taken = [
        operand[tuple(slice(0, 1) if letter in lonely else slice(None) for letter in names)]
        for operand, names in zip(operands, read.operands, strict=True)
    ]
    return evaluate(term, *taken)


last_product_left_out = mistaken(Dot, _last_product_left_out)
mean_product = mistaken(Dot, _mean_product)
right_transposed = mistaken(Matmul, _right_transposed)
first_matrix_for_all = mistaken(Matmul, _first_matrix)
entrywise = mistaken(Matmul, _entrywise)
output_in_order = mistaken(Einsum, _output_in_order)
repeated_letter_summed = mistaken(Einsum, _repeated_letter_summed)
first_instead_of_sum = mistaken(Einsum, _first_instead_of_sum)


def cotangents_exchanged(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The cotangents of two square matrices are exchanged."""
    pulled = reverse(term, arrays, cotangent)
    return pulled[::-1] if arrays[0].shape == arrays[1].shape else pulled


def first_of_broadcast(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Of a matrix that was used for several, the cotangent of its first use."""
    x, y = arrays
    if x.ndim == 2 and y.ndim == 3:
        return reverse(term, (x, y[0]), cotangent[0])[0], reverse(term, arrays, cotangent)[1]
    return reverse(term, arrays, cotangent)


def only_the_first_moves(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Operands after the first are held constant."""
    pulled = reverse(term, arrays, cotangent)
    return (pulled[0], *(zeros_like(each) for each in pulled[1:]))


def off_diagonal(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The cotangent of a diagonal is spread over the whole matrix."""
    if not isinstance(term, Einsum) or term.equation != "ii->i":
        return reverse(term, arrays, cotangent)
    return (cotangent[:, None].broadcast_to(arrays[0].shape),)
