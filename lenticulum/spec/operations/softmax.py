"""What log-sum-exp, log-softmax, standardisation and gated linear units mean, exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from lenticulum import terms
from lenticulum.numbers import ExactArray, exp, log, rsqrt, sigmoid, sqrt, where
from lenticulum.numbers.array import Booleans
from lenticulum.spec.elementwise.textbook import textbook
from lenticulum.spec.maximum import largest
from lenticulum.spec.meaning import meaning
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


def last(x: ExactArray, axis: int) -> ExactArray:
    """Return x with one axis moved to the end.

    >>> from lenticulum.numbers import rational
    >>> last(rational([[1, 2, 3]]), 0).shape
    (3, 1)
    """
    order = [place for place in range(x.ndim) if place != axis % x.ndim]
    return x.transpose((*order, axis % x.ndim))


def class_costs(x: ExactArray) -> ExactArray:
    """Return -log softmax(x)_c = log sum_j exp(x_j - x_c) along the last axis: no cancellation."""
    return log(exp(x[..., None, :] - x[..., :, None]).sum(axis=-1))


def class_costs_shifted(x: ExactArray) -> ExactArray:
    """Return log sum_j exp(x_j - m) - (x_c - m) along the last axis, m the largest: no power overflows."""
    shifted = x - largest(x, -1)
    return log(exp(shifted).sum(axis=-1, keepdims=True)) - shifted


@meaning(terms.LogSoftmax)
def log_softmax(x: ExactArray, *, axis: int) -> ExactArray:
    """Return x_i - log sum_j exp x_j along an axis, as -log sum_j exp(x_j - x_i).

    Values that determine the result: x and axis. Pure; no state.
    Source: Blanchard, Higham and Higham 2021, section 5.
    """
    return -_along(class_costs, x, axis)


@textbook(terms.LogSoftmax)
def log_softmax_shifted(x: ExactArray, *, axis: int) -> ExactArray:
    """Return (x_i - m) - log sum_j exp(x_j - m), m the largest entry."""
    return -_along(class_costs_shifted, x, axis)


def _along(function: Callable[[ExactArray], ExactArray], x: ExactArray, axis: int) -> ExactArray:
    """Return a function of the last axis applied along another, which is put back in its place."""
    place = axis % x.ndim
    back = [*range(x.ndim - 1)]
    back.insert(place, x.ndim - 1)
    return function(last(x, axis)).transpose(back)


@textbook(terms.Standardize)
@meaning(terms.Standardize)
def standardize(x: ExactArray, *, axis: Axes, epsilon: Fraction) -> ExactArray:
    """Return (x - mean) / sqrt(var + epsilon) along axes, with the population variance in two passes.

    Values that determine the result: x, axis, epsilon. Pure; no state.
    """
    deviation = x - x.mean(axis=axis, keepdims=True)
    return deviation / sqrt((deviation * deviation).mean(axis=axis, keepdims=True) + epsilon)


@textbook(terms.Standardize)
def standardize_by_reciprocal(x: ExactArray, *, axis: Axes, epsilon: Fraction) -> ExactArray:
    """Return (x - mean) (1 / sqrt(var + epsilon))."""
    deviation = x - x.mean(axis=axis, keepdims=True)
    return deviation * rsqrt((deviation * deviation).mean(axis=axis, keepdims=True) + epsilon)


@meaning(terms.Glu)
def glu(x: ExactArray, *, axis: int) -> ExactArray:
    """Return a sigmoid(b), a the first half of x along an axis and b the second.

    Values that determine the result: x, of even size along axis. Pure; no state.
    Source: Dauphin et al. 2017, arXiv:1612.08083, equation 1.
    """
    place, size = axis % x.ndim, x.shape[axis]
    if size % 2:
        raise ValueError(f"x has {size} entries along axis {axis}; expected an even number, to halve it")
    before = (slice(None),) * place
    return x[(*before, slice(None, size // 2))] * sigmoid(x[(*before, slice(size // 2, None))])
