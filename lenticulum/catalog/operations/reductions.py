"""The rows of the reductions and of the sums of products."""

from collections.abc import Mapping
from math import prod
from typing import Any

from lenticulum import terms
from lenticulum.catalog.entry import STATELESS, entry
from lenticulum.terms import Operation
from lenticulum.terms.operations import axes
from lenticulum.terms.operations.equation import parse
from lenticulum.terms.operations.reductions import ESTIMATES, ORDERS

Shapes = Mapping[str, tuple[int, ...]]

NUMPY = "NumPy, https://numpy.org/doc/stable/reference/generated/numpy."

_AXES = {"dim": "axis", "keepdim": "keepdims"}


def reduced(term: Any, shapes: Shapes) -> int:
    """Return how many entries are reduced to one.

    >>> reduced(terms.Sum((0, -1)), {"x": (2, 3, 5)})
    10
    """
    return axes.reduced(shapes["x"], term.axis)


def contracted(term: Any, shapes: Shapes) -> int:
    """Return how many products are added to one entry: the length of the last axis of x."""
    del term
    return shapes["x"][-1]


def assignments(term: Any, shapes: Shapes) -> int:
    """Return how many products are added to one entry of an einsum; each further factor rounds once more.

    >>> assignments(terms.Einsum("ij,jk->ik"), {"x": (2, 3), "y": (3, 4)})
    3
    """
    read = parse(term.equation)
    sizes = read.sizes([shapes[role] for role in ("x", "y", "z") if role in shapes])
    return prod(sizes[letter] for letter in read.summed) + max(len(read.operands) - 2, 0)


def operation(name: str, example: Operation, equation: str, source: str, *laws: str, **facts: Any) -> None:
    """Add the row of a function of arrays."""
    defaults = {"arrays": ("x",), "determines": "x, axis, keepdims", "locality": "batch", "purity": "pure"}
    entry(
        name,
        example,
        kind="array",
        equation=equation,
        source=source,
        laws=laws,
        **{**defaults, "states": STATELESS, **facts},
    )


operation(
    "sum",
    terms.Sum(),
    "y = the sum of x over axis (all unless stated)",
    NUMPY + "sum.html",
    "linear",
    "over two axes it is the sum of sums",
    "the cotangent is repeated",
    short=_AXES,
    reduction=True,
    summands=reduced,
)
operation(
    "mean",
    terms.Mean(),
    "y = the sum of x over axis (all unless stated) divided by the number of summands",
    NUMPY + "mean.html",
    "linear",
    "n mean = sum",
    "of equal entries it is the entry",
    short=_AXES,
    reduction=True,
    summands=reduced,
)
operation(
    "product",
    terms.Product(),
    "y = the product of x over axis (all unless stated), from the first to the last",
    NUMPY + "prod.html",
    "x -> a x multiplies it by a^n",
    "of no entries it is 1",
    short=_AXES,
    aliases=("prod",),
)
operation(
    "variance",
    terms.Variance(),
    "y = the sum of (x - mean)² over axis (all unless stated) divided by n, or n - 1 for the estimate of a sample",
    "Chan, Golub and LeVeque 1983, Algorithms for computing the sample variance: the two-pass algorithm",
    "x -> x + c changes nothing",
    "x -> a x multiplies it by a²",
    "n² var = sum over pairs of (x_i - x_j)²",
    determines="x, axis, keepdims and estimate: population (NumPy, JAX) or sample (PyTorch)",
    conventions={"estimate": ESTIMATES},
    short=_AXES,
    aliases=("var",),
)
operation(
    "cumsum",
    terms.CumulativeSum(),
    "y_i = x_0 + ... + x_i along axis; null takes all entries in row-major order",
    NUMPY + "cumsum.html",
    "y_i - y_(i-1) = x_i",
    "the last is the sum",
    "the cotangents are added from the end",
    determines="x and axis",
    short=_AXES,
)
operation(
    "norm",
    terms.Norm(),
    "y = sum |x|, sqrt(sum x²) or max |x| of all entries over axis (all unless stated)",
    "Higham 2002, Accuracy and Stability of Numerical Algorithms, section 6.1",
    "|a x| = |a| |x|",
    "|x + y| <= |x| + |y|",
    determines="x, order (2 unless stated), axis, keepdims; of a matrix order 2 is the Frobenius norm",
    conventions={"order": ORDERS},
    short=_AXES,
    kink="order 1: at an entry 0; order 2: at the vector 0; order infinity: at ties; there the derivative is 0",
)
operation(
    "dot",
    terms.Dot(),
    "y = sum_k x_k y_k",
    NUMPY + "dot.html, of two vectors",
    "bilinear",
    "symmetric",
    "(x·y)² <= (x·x)(y·y)",
    arrays=("x", "y"),
    determines="x and y, two vectors of one length",
    output="value",
    reduction=True,
    summands=contracted,
)
operation(
    "matmul",
    terms.Matmul(),
    "value_ij = sum_k x_ik y_kj over the last two axes; axes before them broadcast",
    NUMPY + "matmul.html",
    "associative",
    "(x y)ᵀ = yᵀ xᵀ",
    "the cotangents are c yᵀ and xᵀ c",
    arrays=("x", "y"),
    determines="x [..., m, k] or [k], y [..., k, n] or [k]",
    output="value",
    reduction=True,
    summands=contracted,
)
operation(
    "einsum",
    terms.Einsum("ij,jk->ik"),
    "value[output letters] = the sum over all other letters of the product of the operands",
    NUMPY + "einsum.html, the explicit form",
    "multilinear",
    "renamed letters change nothing",
    "operands may be exchanged with their letters",
    arrays=("x", "y", "z"),
    optional=("y", "z"),
    determines='the operands and equation, such as equation="ij,jk->ik"',
    output="value",
    reduction=True,
    summands=assignments,
)
