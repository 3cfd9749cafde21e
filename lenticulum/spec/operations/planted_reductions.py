"""Planted mistakes about reductions: wrong twins of `evaluate` and `reverse`, each of which a law must reject."""

from __future__ import annotations

from typing import Any

from lenticulum.numbers import ExactArray, absolute, where
from lenticulum.spec.maximum import largest
from lenticulum.spec.operations.subject import evaluate, mistaken, reverse
from lenticulum.terms import CumulativeSum, Mean, Norm, Operation, Sum, Variance, replace
from lenticulum.terms.operations.axes import places, reduced


def _moved(term: Any, x: ExactArray) -> Any:
    """The term along other axes, where x has others: the complement, or the next axis."""
    taken = places(x.ndim, term.axis)
    others = tuple(place for place in range(x.ndim) if place not in taken)
    return replace(term, axis=others[: len(taken)]) if len(others) >= len(taken) else term


def _mean_divided_by_all(term: Mean, x: ExactArray) -> Any:
    return evaluate(Sum(term.axis, term.keepdims), x) / x.size


def _mean_divided_by_fewer(term: Mean, x: ExactArray) -> Any:
    return evaluate(Sum(term.axis, term.keepdims), x) / max(reduced(x.shape, term.axis) - 1, 1)


def _last_left_out(term: Sum, x: ExactArray) -> Any:
    last = places(x.ndim, term.axis)[-1]
    kept = (slice(None),) * last + (slice(0, max(x.shape[last] - 1, 1)),)
    return evaluate(term, x[kept])


def _variance_exchanged(term: Variance, x: ExactArray) -> Any:
    n = reduced(x.shape, term.axis)
    other = "sample" if term.estimate == "population" and n > 1 else "population"
    return evaluate(replace(term, estimate=other), x)


def _variance_about_the_mean_of_all(term: Variance, x: ExactArray) -> Any:
    deviation = x - x.mean()
    n = reduced(x.shape, term.axis)
    total = evaluate(Sum(term.axis, term.keepdims), deviation * deviation)
    return total / (n if term.estimate == "population" else n - 1)


def _variance_not_centred(term: Variance, x: ExactArray) -> Any:
    n = reduced(x.shape, term.axis)
    return evaluate(Sum(term.axis, term.keepdims), x * x) / (n if term.estimate == "population" else n - 1)


def _absolute_deviation(term: Variance, x: ExactArray) -> Any:
    return evaluate(Mean(term.axis, term.keepdims), absolute(x - x.mean(term.axis, keepdims=True)))


def _exclusive(term: CumulativeSum, x: ExactArray) -> Any:
    y = evaluate(term, x)
    return y - x.reshape(y.shape)


def _from_the_end(term: CumulativeSum, x: ExactArray) -> Any:
    reversed_ = tuple(slice(None, None, -1) for _ in x.shape)
    y = evaluate(term, x[reversed_])
    return y[::-1] if term.axis is None else y[reversed_]


def _along_the_next(term: CumulativeSum, x: ExactArray) -> Any:
    return evaluate(term if term.axis is None else CumulativeSum((term.axis + 1) % x.ndim), x)


def _square_of_the_norm(term: Norm, x: ExactArray) -> Any:
    y = evaluate(term, x)
    return y * y


def _root_mean_square(term: Norm, x: ExactArray) -> Any:
    y = evaluate(term, x)
    # Four entries have half the norm as their root mean square; other roots are irrational.
    return y / 2 if term.order == "2" and reduced(x.shape, term.axis) == 4 else y


def _largest_entry(term: Norm, x: ExactArray) -> Any:
    if term.order != "infinity":
        return evaluate(term, x)
    top = largest(x, term.axis)
    return top if term.keepdims else top.sum(term.axis)


def _plain_sum(term: Norm, x: ExactArray) -> Any:
    return evaluate(Sum(term.axis, term.keepdims), x) if term.order == "1" else evaluate(term, x)


def _other_axis(term: Sum, x: ExactArray) -> Any:
    return evaluate(_moved(term, x), x)


def _axes_kept_wrongly(term: Sum, x: ExactArray) -> Any:
    return evaluate(replace(term, keepdims=not term.keepdims), x)


def _absolute_sum(term: Sum, x: ExactArray) -> Any:
    return evaluate(term, absolute(x))


divided_by_all = mistaken(Mean, _mean_divided_by_all)
divided_by_fewer = mistaken(Mean, _mean_divided_by_fewer)
other_axis = mistaken(Sum, _other_axis)
last_left_out = mistaken(Sum, _last_left_out)
axes_kept_wrongly = mistaken(Sum, _axes_kept_wrongly)
absolute_sum = mistaken(Sum, _absolute_sum)
estimates_exchanged = mistaken(Variance, _variance_exchanged)
mean_over_all = mistaken(Variance, _variance_about_the_mean_of_all)
not_centred = mistaken(Variance, _variance_not_centred)
absolute_deviation = mistaken(Variance, _absolute_deviation)
exclusive = mistaken(CumulativeSum, _exclusive)
from_the_end = mistaken(CumulativeSum, _from_the_end)
along_the_next_axis = mistaken(CumulativeSum, _along_the_next)
square_of_the_norm = mistaken(Norm, _square_of_the_norm)
root_mean_square = mistaken(Norm, _root_mean_square)
largest_entry = mistaken(Norm, _largest_entry)
plain_sum = mistaken(Norm, _plain_sum)


def reverse_of_the_sum(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The cotangent of a mean is not divided by the number of entries."""
    known = Sum(term.axis, term.keepdims) if isinstance(term, Mean) else term
    return reverse(known, arrays, cotangent)


def half_the_slope(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The factor 2 of a square is missing."""
    pulled = reverse(term, arrays, cotangent)
    return (pulled[0] / 2,) if isinstance(term, Variance) else pulled


def slope_of_the_other_estimate(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The slope of the population variance for that of a sample."""
    known = replace(term, estimate="population") if isinstance(term, Variance) else term
    return reverse(known, arrays, cotangent)


def cotangents_from_the_start(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """The cotangent of a running sum is the running sum of the cotangents."""
    return (evaluate(term, cotangent),) if isinstance(term, CumulativeSum) else reverse(term, arrays, cotangent)


def shared_between_ties(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """Each of several largest entries gets its share of the cotangent: another convention."""
    if not isinstance(term, Norm) or term.order != "infinity":
        return reverse(term, arrays, cotangent)
    (x,) = arrays
    kept = replace(term, keepdims=True)
    top = absolute(x) >= evaluate(kept, x)
    share = where(top, x.lift(1, x.shape), 0)
    share = share / share.sum(term.axis, keepdims=True)
    signed = where(x < 0, -share, share)
    return (signed * cotangent.reshape(evaluate(kept, x).shape),)


def unsigned_slope(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """|x| has the slope 1 everywhere."""
    if not isinstance(term, Norm) or term.order != "1":
        return reverse(term, arrays, cotangent)
    return reverse(Sum(term.axis, term.keepdims), arrays, cotangent)


def undivided_slope(term: Operation, arrays: tuple[Any, ...], cotangent: Any) -> tuple[Any, ...]:
    """c x for c x/|x|."""
    if not isinstance(term, Norm) or term.order != "2":
        return reverse(term, arrays, cotangent)
    (x,) = arrays
    return (x * cotangent.reshape(evaluate(replace(term, keepdims=True), x).shape),)
