"""What sums, means, variances and norms over axes mean, exactly, and running sums."""

from __future__ import annotations

from lenticulum import terms
from lenticulum.numbers import DomainError, ExactArray, absolute, root_of_squares, stack
from lenticulum.spec.maximum import largest
from lenticulum.spec.meaning import meaning
from lenticulum.spec.operations.rows import rows
from lenticulum.terms.operations.axes import Axes, reduced


@meaning(terms.Sum)
def sum(x: ExactArray, *, axis: Axes, keepdims: bool) -> ExactArray:
    """Return the sum of x over `axis`; of no entries it is 0.

    Values that determine the result: x, axis, keepdims. Pure; no state.
    Laws: linear; over two axes it is the sum of sums in either order.
    """
    return x.sum(axis, keepdims)


@meaning(terms.Mean)
def mean(x: ExactArray, *, axis: Axes, keepdims: bool) -> ExactArray:
    """Return the sum of x over `axis` divided by the number of summands; DomainError where there is none.

    Values that determine the result: x, axis, keepdims. Pure; no state.
    Laws: n mean = sum; of equal entries it is the entry.
    """
    return x.mean(axis, keepdims)


@meaning(terms.Product)
def product(x: ExactArray, *, axis: Axes, keepdims: bool) -> ExactArray:
    """Return the product of x over `axis`; of no entries it is 1.

    Values that determine the result: x, axis, keepdims. Pure; no state.
    Laws: of a concatenation it is the product of the products; x -> a x multiplies it by a^n.
    """
    shape = x.sum(axis, keepdims).shape
    factors = rows(x, axis)
    result = factors[..., 0] if factors.shape[-1] else x.lift(1, factors.shape[:-1])
    for factor in range(1, factors.shape[-1]):
        result = result * factors[..., factor]
    return result.reshape(shape)


@meaning(terms.Variance)
def variance(x: ExactArray, *, axis: Axes, keepdims: bool, estimate: str) -> ExactArray:
    """Return the sum of (x - mean)² over `axis` divided by n, or by n - 1 for the estimate of a sample.

    DomainError where the divisor is not positive.
    Values that determine the result: x, axis, keepdims, estimate. Pure; no state.
    Laws: invariant under x -> x + c; x -> a x multiplies it by a²; n² var = sum over pairs i < j of (x_i - x_j)².
    Source: Chan, Golub and LeVeque 1983, Algorithms for computing the sample variance: the two-pass algorithm.
    """
    divisor = reduced(x.shape, axis) - (estimate == "sample")
    if divisor < 1:
        raise DomainError(f"variance: {reduced(x.shape, axis)} entries over axis {axis} leave the divisor {divisor}")
    deviation = x - x.mean(axis, keepdims=True)
    return (deviation * deviation).sum(axis, keepdims) / divisor


@meaning(terms.CumulativeSum)
def cumsum(x: ExactArray, *, axis: int | None) -> ExactArray:
    """Return y_i = x_0 + ... + x_i along `axis`; None takes all entries in row-major order, and y has one axis.

    Values that determine the result: x and axis. Pure; no state.
    Laws: y_i - y_(i-1) = x_i; the last is the sum; the transposed derivative adds from the end.
    """
    if axis is None:
        return cumsum(x.reshape((x.size,)), axis=0)
    summands = rows(x, axis)
    sums = [summands[..., : place + 1].sum(axis=-1) for place in range(summands.shape[-1])]
    return stack(sums, axis=axis % x.ndim) if sums else x


@meaning(terms.Norm)
def norm(x: ExactArray, *, order: str, axis: Axes, keepdims: bool) -> ExactArray:
    """Return sum |x|, sqrt(sum x²) or max |x| of all entries over `axis`.

    DomainError for the largest of no entries.
    The derivative by convention: 0 at an entry 0 of order 1, at a vector 0 of order 2, and at ties of order infinity.
    Values that determine the result: x, order, axis, keepdims. Pure; no state.
    Laws: |a x| = |a| |x|; the triangle inequality; |x·y| <= |x|_1 |y|_inf and <= |x|_2 |y|_2.
    """
    if order == "1":
        return absolute(x).sum(axis, keepdims)
    if order == "2":
        return root_of_squares((x * x).sum(axis, keepdims))
    if not reduced(x.shape, axis):
        raise DomainError(f"norm: got shape {list(x.shape)} and axis {axis}, and no entry is the largest of none")
    # The sum over axes of size 1 removes them.
    top = largest(absolute(x), axis)
    return top if keepdims else top.sum(axis)
