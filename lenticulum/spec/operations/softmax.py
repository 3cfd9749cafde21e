"""What log-sum-exp and its relatives mean, exactly."""

from __future__ import annotations

from lenticulum import terms
from lenticulum.numbers import ExactArray, exp, log, where
from lenticulum.numbers.array import Booleans
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.meaning import meaning
from lenticulum.spec.operations.axes import largest
from lenticulum.terms.operations.axes import Axes


@textbook(terms.LogSumExp)
@meaning(terms.LogSumExp)
def logsumexp(
    x: ExactArray, b: ExactArray | None = None, allowed: Booleans | None = None, *, axis: Axes, keepdims: bool
) -> ExactArray:
    """Return log sum b exp x along axes, over the entries that are allowed.

    Values that determine the result: x, b and the mask (which broadcast to x), axis; keepdims leaves the axes with
    size 1. Pure; no state.
    DomainError where the sum is not positive: nothing is allowed, or negative weights prevail.
    Source: Blanchard, Higham and Higham 2021, Accurately computing the log-sum-exp and softmax functions.
    """
    terms_of_sum = exp(x) if b is None else b * exp(x)
    return log(_masked(terms_of_sum, allowed).sum(axis=axis, keepdims=keepdims))


@textbook(terms.LogSumExp)
def logsumexp_shifted(
    x: ExactArray, b: ExactArray | None = None, allowed: Booleans | None = None, *, axis: Axes, keepdims: bool
) -> ExactArray:
    """Return m + log sum b exp(x - m), m the largest entry of x that is allowed: no power overflows.

    Source: Blanchard, Higham and Higham 2021, equation 1.4.
    """
    if allowed is None:
        shift = largest(x, axis)
    else:
        # An entry that is not allowed stands at the smallest of all, so that it never raises the maximum.
        shift = largest(where(allowed, x, -largest(-x, axis)), axis)
    # The sum over axes of size 1 removes them.
    removed = shift if keepdims else shift.sum(axis=axis)
    return logsumexp(x - shift, b, allowed, axis=axis, keepdims=keepdims) + removed


def _masked(x: ExactArray, allowed: Booleans | None) -> ExactArray:
    """Return x with 0 where an entry is not allowed."""
    return x if allowed is None else where(allowed, x, 0)
