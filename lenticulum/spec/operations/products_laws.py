"""Laws of dot products, products of matrices and einsums, exactly over the rationals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from lenticulum.numbers import Rational, rational
from lenticulum.spec.draw import Draw, fraction, rational_array
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.operations import planted_products as planted
from lenticulum.spec.operations.subject import Evaluate, Reverse, entries, equal, evaluate, reverse
from lenticulum.terms import Dot, Einsum, Matmul
from lenticulum.terms.operations.equation import parse

#: The axes before the last two of both operands, which broadcast.
BATCHES = (((), ()), ((2,), (2,)), ((3,), ()), ((), (2,)), ((2, 1), (1, 3)), ((2, 3), (3,)))

#: Every pattern: no sum, one and two sums, diagonals, traces, outer products, a letter summed in one operand alone.
EQUATIONS = (
    *("ij->ji", "ii->i", "ii->", "ij->i", "ij->", "iji->j", "i->i", "->"),
    *("i,i->", "i,j->ji", "ij,jk->ki", "bij,bjk->bik", "ij,kl->", "ij,ij->ij", "ij,k->i", "ii,ij->j", "ij,->ji"),
    *("ij,jk,kl->il", "i,i,i->i", "ij,j,k->ki", "ab,b,b->a"),
)


def _matrices(draw: Draw) -> tuple[Rational, Rational]:
    left, right = draw.choice(BATCHES)
    m, k, n = (draw.integer(1, 4) for _ in range(3))
    if draw.integer(0, 3) == 3:
        m = n = k
    draw.observe("square matrices", m == k == n)
    draw.observe("no leading axes", not left and not right)
    return rational_array(draw, (*left, m, k)), rational_array(draw, (*right, k, n))


def dot_is_an_inner_product(of: Evaluate, draw: Draw) -> None:
    """(a x + z)·y = a x·y + z·y = y·(a x + z), e_i·x = x_i, and (x·y)² <= (x·x)(y·y)."""
    size = draw.integer(1, 5)
    x, y, z = (rational_array(draw, (size,)) for _ in range(3))
    a, place, dot = fraction(draw), draw.integer(0, size - 1), Dot()
    draw.observe("one entry", size == 1)
    w = a * x + z
    left, right = of(dot, w, y), a * of(dot, x, y) + of(dot, z, y)
    require(left == right, "not linear", x=x, y=y, z=z, a=a, left=left, right=right)
    require(of(dot, y, w) == left, "not symmetric", x=w, y=y)
    unit = rational([int(k == place) for k in range(size)])
    require(of(dot, unit, x) == x[place], "e_i·x is not x_i", x=x, place=place)
    require(bool(of(dot, x, y) ** 2 <= of(dot, x, x) * of(dot, y, y)), "Cauchy and Schwarz", x=x, y=y)


def matmul_by_entries(of: Evaluate, draw: Draw) -> None:
    """Each entry is the dot product of a row and a column; a vector is one row, or one column."""
    x, y = _matrices(draw)
    if draw.choice((False, False, True)):
        x = x[(0,) * (x.ndim - 1)]
    elif draw.choice((False, True)):
        y = y[(0,) * (y.ndim - 2)][:, 0]
    left = entries(x)[None] if x.ndim == 1 else entries(x)
    right = entries(y)[:, None] if y.ndim == 1 else entries(y)
    expected: Any = np.sum(left[..., :, :, None] * right[..., None, :, :], axis=-2)
    expected = expected[..., 0, :] if x.ndim == 1 else expected
    expected = expected[..., 0] if y.ndim == 1 else expected
    got = of(Matmul(), x, y)
    require(equal(got, expected), "the product differs", x=x, y=y, got=got, expected=expected)


def matmul_is_associative(of: Evaluate, draw: Draw) -> None:
    """(x y) z = x (y z) and (x y)ᵀ = yᵀ xᵀ."""
    x, y = _matrices(draw)
    z = rational_array(draw, (y.shape[-1], draw.integer(1, 3)))
    term = Matmul()
    left, right = of(term, of(term, x, y), z), of(term, x, of(term, y, z))
    require(left == right, "(x y) z differs from x (y z)", x=x, y=y, z=z, left=left, right=right)
    flipped = of(term, _transposed(y), _transposed(x))
    require(flipped == _transposed(of(term, x, y)), "(x y)ᵀ differs from yᵀ xᵀ", x=x, y=y, flipped=flipped)


def matmul_reverse(of: Reverse, draw: Draw) -> None:
    """The cotangents are c yᵀ and xᵀ c, summed over the axes that were broadcast."""
    x, y = _matrices(draw)
    c = rational_array(draw, evaluate(Matmul(), x, y).shape)
    got = of(Matmul(), (x, y), c)
    by_x = np.matmul(entries(c), np.swapaxes(entries(y), -1, -2))
    by_y = np.matmul(np.swapaxes(entries(x), -1, -2), entries(c))
    for role, each, whole, shape in (("x", got[0], by_x, x.shape), ("y", got[1], by_y, y.shape)):
        expected = _summed_to(whole, shape)
        require(equal(each, expected), f"the cotangent of {role} differs", x=x, y=y, c=c, got=each, expected=expected)


def einsum_by_assignments(of: Evaluate, draw: Draw) -> None:
    """Each entry is the sum over all assignments of the summed letters of the product of the entries."""
    equation = draw.choice(EQUATIONS)
    operands = _operands(draw, equation)
    got, expected = of(Einsum(equation), *operands), assigned(equation, [entries(each) for each in operands])
    require(equal(got, expected), f"{equation} differs", operands=operands, got=got, expected=expected)


def einsum_of_exchanged_operands(of: Evaluate, draw: Draw) -> None:
    """Renamed letters change nothing, nor do two operands that are exchanged with their letters."""
    equation = draw.choice([each for each in EQUATIONS if "," in each])
    operands = _operands(draw, equation)
    read = parse(equation)
    letters = sorted(set("".join(read.operands)))
    names = str.maketrans("".join(letters), "".join(f"{chr(ord('A') + k)}" for k in reversed(range(len(letters)))))
    exchanged = ",".join(reversed(read.operands)) + "->" + read.output
    value = of(Einsum(equation), *operands)
    for other, given in ((equation.translate(names), operands), (exchanged, operands[::-1])):
        again = of(Einsum(other), *given)
        require(again == value, f"{equation} and {other} differ", operands=operands, left=value, right=again)


def einsum_reverse(of: Reverse, draw: Draw) -> None:
    """The cotangent of an operand is the einsum of the others and c: sum over assignments, added where letters meet."""
    equation = draw.choice(EQUATIONS)
    operands = _operands(draw, equation)
    plain = [entries(each) for each in operands]
    c = rational_array(draw, evaluate(Einsum(equation), *operands).shape)
    pulled = of(Einsum(equation), tuple(operands), c)
    for number, each in enumerate(pulled):
        expected = np.zeros(plain[number].shape, object)
        for place in np.ndindex(plain[number].shape):
            basis = np.zeros(plain[number].shape, object)
            basis[place] = 1
            moved = assigned(equation, [*plain[:number], basis, *plain[number + 1 :]])
            expected[place] = np.sum(moved * entries(c))
        require(equal(each, expected), f"cotangent {number} of {equation} differs", operands=operands, c=c, got=each)


def assigned(equation: str, operands: list[Any]) -> Any:
    """Return the value of an einsum, entry by entry and assignment by assignment."""
    read = parse(equation)
    sizes = read.sizes([operand.shape for operand in operands])
    letters = read.output + read.summed
    result = np.full(tuple(sizes[letter] for letter in read.output), Fraction(0), object)
    for values in product(*(range(sizes[letter]) for letter in letters)):
        at = dict(zip(letters, values, strict=True))
        factors = (
            operand[tuple(at[letter] for letter in names)]
            for operand, names in zip(operands, read.operands, strict=True)
        )
        result[values[: len(read.output)]] += prod(factors)
    return result


def _operands(draw: Draw, equation: str) -> list[Rational]:
    read = parse(equation)
    letters = sorted(set("".join(read.operands)))
    sizes = {letter: draw.integer(1, 3) for letter in letters}
    draw.observe("all letters of one size", len(set(sizes.values())) < 2)
    draw.observe("nothing summed", not read.summed)
    return [rational_array(draw, tuple(sizes[letter] for letter in names), 4, 3) for names in read.operands]


def _transposed(x: Any) -> Any:
    return x.transpose((*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def _summed_to(whole: Any, shape: tuple[int, ...]) -> Any:
    """Sum over the axes that are missing from a shape, or have size 1 in it."""
    added = whole.ndim - len(shape)
    whole = np.sum(whole, axis=tuple(range(added))) if added else whole
    return np.sum(whole, axis=tuple(a for a, n in enumerate(shape) if n == 1 and whole.shape[a] != 1), keepdims=True)


NUMPY = "NumPy, https://numpy.org/doc/stable/reference/generated/numpy."

LAWS: tuple[Law[Any], ...] = (
    Law(
        "dot-is-an-inner-product",
        "(a x + z)·y = a x·y + z·y, x·y = y·x, e_i·x = x_i, (x·y)² <= (x·x)(y·y)",
        "definition",
        Grade.EXACT,
        evaluate,
        dot_is_an_inner_product,
        {"last product left out": planted.last_product_left_out, "divided by n": planted.mean_product},
    ),
    Law(
        "matmul-by-entries",
        "(x y)_ij = sum_k x_ik y_kj; leading axes broadcast; a vector is one row, or one column",
        NUMPY + "matmul.html",
        Grade.EXACT,
        evaluate,
        matmul_by_entries,
        {
            "right operand transposed": planted.right_transposed,
            "first right matrix for all": planted.first_matrix_for_all,
            "entry by entry": planted.entrywise,
        },
    ),
    Law(
        "matmul-is-associative",
        "(x y) z = x (y z), (x y)ᵀ = yᵀ xᵀ",
        "definition",
        Grade.EXACT,
        evaluate,
        matmul_is_associative,
        {"right operand transposed": planted.right_transposed},
    ),
    Law(
        "matmul-reverse",
        "cotangents c yᵀ and xᵀ c, summed over the axes that were broadcast",
        "derived by hand; Giles 2008, Collected matrix derivative results",
        Grade.EXACT,
        reverse,
        matmul_reverse,
        {
            "cotangents exchanged": planted.cotangents_exchanged,
            "not summed over broadcast axes": planted.first_of_broadcast,
        },
    ),
    Law(
        "einsum-by-assignments",
        "y[output] = the sum over the other letters of the product of the operands",
        NUMPY + "einsum.html",
        Grade.EXACT,
        evaluate,
        einsum_by_assignments,
        {
            "order of the result ignored": planted.output_in_order,
            "a letter twice is summed alone": planted.repeated_letter_summed,
            "letters of one operand not summed": planted.first_instead_of_sum,
        },
    ),
    Law(
        "einsum-of-exchanged-operands",
        "renamed letters change nothing, nor do operands exchanged with their letters",
        NUMPY + "einsum.html",
        Grade.EXACT,
        evaluate,
        einsum_of_exchanged_operands,
        {"order of the result ignored": planted.output_in_order},
    ),
    Law(
        "einsum-reverse",
        "the cotangent of an operand is the einsum of the other operands and c",
        "derived by hand",
        Grade.EXACT,
        reverse,
        einsum_reverse,
        {
            "only the first operand moves": planted.only_the_first_moves,
            "diagonal spread over the matrix": planted.off_diagonal,
        },
    ),
)
