"""Laws of pooling, exactly: values by slices without padding, bins one by one, and the derivatives."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod
from typing import Any

import numpy as np

from lenticulum.numbers import DomainError, Rational
from lenticulum.spec.draw import Draw, rational_array
from lenticulum.spec.law import Grade, Law, Violation, require
from lenticulum.spec.operations import planted_pooling as planted
from lenticulum.spec.operations.subject import Evaluate, Reverse, entries, equal, evaluate, reverse
from lenticulum.spec.operations.windows import output_size
from lenticulum.terms import AdaptiveAveragePool, AveragePool, MaxPool


def pooling_case(draw: Draw) -> tuple[dict[str, Any], Rational]:
    """Window, stride and padding of one or two axes, padding less than the window, and an array with equal entries."""
    axes = draw.integer(1, 2)
    window = tuple(draw.integer(1, 3) for _ in range(axes))
    stride = tuple(draw.integer(1, 3) for _ in range(axes))
    padding = tuple((draw.integer(0, k - 1), draw.integer(0, k - 1)) for k in window)
    sizes = tuple(max(k - sum(p), 1) + draw.integer(0, 3) for k, p in zip(window, padding, strict=True))
    draw.observe("every window is square", len(set(window)) == 1)
    draw.observe("no padding", not any(map(sum, padding)))
    draw.observe("windows do not overlap", all(k <= s for k, s in zip(window, stride, strict=True)))
    # Negative numbers prevail, and a few values occur often: zeros of padding and ties show.
    x = rational_array(draw, (*draw.choice(((), (2,))), *sizes), 2, 1) - draw.choice((0, 2))
    return {"window": window, "stride": stride, "padding": padding}, x


def max_of_slices(of: Evaluate, draw: Draw) -> None:
    """y[i] = the largest of the entries under the window; there is no entry at padding."""
    fields, x = pooling_case(draw)
    got = of(MaxPool(**fields), x)
    expected = _pooled(fields, x, np.max)
    require(equal(got, expected), "the largest entries differ", x=x, got=got, expected=expected, **fields)


def window_of_padding_is_rejected(of: Evaluate, draw: Draw) -> None:
    """A window that holds padding alone has no largest entry and no mean of its entries: DomainError."""
    k = draw.integer(1, 3)
    x = rational_array(draw, (draw.integer(1, 4),))
    padding = (k, 0) if draw.choice((False, True)) else (0, k)
    for term in (MaxPool((k,), 1, (padding,)), AveragePool((k,), 1, (padding,), "inside")):
        try:
            got = of(term, x)
        except DomainError:
            continue
        raise Violation("a window of padding alone has a value", {"term": term, "x": x, "got": got})


def mean_of_slices(of: Evaluate, draw: Draw) -> None:
    """y[i] = the sum of the entries under the window, divided by its cells, or by the entries under it."""
    fields, x = pooling_case(draw)
    sums, counts = _pooled(fields, x, _total), _pooled(fields, x, np.size)
    for divisor, n in (("window", prod(fields["window"])), ("inside", counts)):
        got, expected = of(AveragePool(**fields, divisor=divisor), x), sums * Fraction(1) / n
        require(equal(got, expected), f"the means ({divisor}) differ", x=x, got=got, expected=expected, **fields)


def mean_of_bins(of: Evaluate, draw: Draw) -> None:
    """Bin i of M in N entries: [floor(i N / M), ceil((i + 1) N / M)), or the parts of `numpy.array_split`."""
    sizes = tuple(draw.integer(2, 6) for _ in range(draw.integer(1, 2)))
    outputs = tuple(draw.integer(1, n) for n in sizes)
    draw.observe("bins fit exactly", all(n % m == 0 for n, m in zip(sizes, outputs, strict=True)))
    x = rational_array(draw, (*draw.choice(((), (2,))), *sizes))
    leading = x.ndim - len(sizes)
    for bins, ends in (("overlapping", _overlapping), ("split", _split)):
        slices = [ends(n, m) for n, m in zip(sizes, outputs, strict=True)]
        got = of(AdaptiveAveragePool(outputs, bins), x)
        expected = np.zeros((*x.shape[:leading], *outputs), dtype=object)
        for i in product(*map(range, expected.shape)):
            under = entries(x)[(*i[:leading], *(each[p] for each, p in zip(slices, i[leading:], strict=True)))]
            expected[i] = under.sum() / Fraction(under.size)
        require(equal(got, expected), f"the means of {bins} bins differ", x=x, outputs=outputs, got=got)


def max_pool_reverse(of: Reverse, draw: Draw) -> None:
    """The cotangent of a window goes to its first largest entry in row-major order."""
    fields, x = pooling_case(draw)
    term = MaxPool(**fields)
    c = rational_array(draw, evaluate(term, x).shape)
    (got,) = of(term, (x,), c)
    values: list[Fraction] = entries(x).ravel().tolist()
    draw.observe("no ties", len(set(values)) == x.size)

    def first_largest(places: Any) -> int:
        flat: list[int] = places.ravel().tolist()
        return max(flat, key=lambda place: (values[place], -place))

    winners = _pooled(fields, np.arange(x.size).reshape(x.shape), first_largest)
    expected = np.zeros(x.size, dtype=object)
    np.add.at(expected, winners.astype(int), entries(c))
    require(equal(got, expected.reshape(x.shape)), "dx differs", term=term, x=x, c=c, got=got, expected=expected)


def average_pool_reverse(of: Reverse, draw: Draw) -> None:
    """<y, c> = <x, dx>, because y is linear in x; for both divisors."""
    fields, x = pooling_case(draw)
    for divisor in ("window", "inside"):
        term = AveragePool(**fields, divisor=divisor)
        y = evaluate(term, x)
        c = rational_array(draw, y.shape)
        (got,) = of(term, (x,), c)
        left, right = (y * c).sum(), (x * got).sum()
        require(left == right, "<y, c> differs from <x, dx>", term=term, x=x, c=c, got=got, left=left, right=right)


def _total(under: Any) -> Any:
    return under.sum()


def _pooled(fields: dict[str, Any], x: Any, reduce: Callable[[Any], Any]) -> Any:
    """`reduce` of the entries under each window, which is cut where it reaches outside."""
    window, stride, padding = fields["window"], fields["stride"], fields["padding"]
    numbers = entries(x) if isinstance(x, Rational) else x
    leading = x.ndim - len(window)
    sizes = x.shape[leading:]
    each = list(zip(sizes, window, stride, padding, strict=True))
    y = np.zeros((*x.shape[:leading], *(output_size(n, k, s, p, 1) for n, k, s, p in each)), dtype=object)
    for i in product(*map(range, y.shape)):
        starts = [s * place - p[0] for place, (_, _, s, p) in zip(i[leading:], each, strict=True)]
        cut = (slice(max(start, 0), max(start + k, 0)) for start, k in zip(starts, window, strict=True))
        y[i] = reduce(numbers[(*i[:leading], *cut)])
    return y


def _overlapping(size: int, count: int) -> list[slice]:
    return [slice(floor(Fraction(i * size, count)), ceil(Fraction((i + 1) * size, count))) for i in range(count)]


def _split(size: int, count: int) -> list[slice]:
    return [slice(int(part[0]), int(part[-1]) + 1) for part in np.array_split(np.arange(size), count)]


TORCH = "PyTorch, https://docs.pytorch.org/docs/stable/nn.functional.html#pooling-functions"

LAWS: tuple[Law[Any], ...] = (
    Law(
        "max-pool-of-slices",
        "y[i] = the largest entry under the window; padding has no entries",
        TORCH,
        Grade.EXACT,
        evaluate,
        max_of_slices,
        {
            "padding counts as 0": planted.padding_is_zero,
            "strides of the axes exchanged": planted.max_with_strides_exchanged,
            "window of one cell less": planted.smaller_window,
        },
    ),
    Law(
        "pool-of-padding-alone",
        "a window that holds padding alone is outside the domain",
        "definition",
        Grade.EXACT,
        evaluate,
        window_of_padding_is_rejected,
        {"such a window is 0": planted.zero_for_padding_alone},
    ),
    Law(
        "average-pool-of-slices",
        "y[i] = the sum under the window by its cells, or by the entries under it",
        TORCH,
        Grade.EXACT,
        evaluate,
        mean_of_slices,
        {
            "the divisors exchanged": planted.divisors_exchanged,
            "strides of the axes exchanged": planted.average_with_strides_exchanged,
            "padding after for padding before": planted.average_with_sides_exchanged,
        },
    ),
    Law(
        "adaptive-average-pool-of-bins",
        "y[i] = the mean over [floor(i N / M), ceil((i + 1) N / M)), or over the parts of a split",
        "PyTorch, aten/src/ATen/native/AdaptivePooling.h; NumPy, array_split",
        Grade.EXACT,
        evaluate,
        mean_of_bins,
        {
            "the bins of the other convention": planted.bins_exchanged,
            "bins as an average pool of window N // M": planted.bins_of_one_size,
        },
    ),
    Law(
        "max-pool-reverse",
        "the cotangent of a window goes to its first largest entry",
        "TensorFlow, max_pool gradients; https://openxla.org/xla/operation_semantics#selectandscatter",
        Grade.EXACT,
        reverse,
        max_pool_reverse,
        {
            "to every largest entry": planted.to_all_largest,
            "shared out": planted.shared_out,
            "to the last": planted.to_the_last,
        },
    ),
    Law(
        "average-pool-reverse",
        "<y, c> = <x, dx>",
        "derived by hand: the map is linear",
        Grade.EXACT,
        reverse,
        average_pool_reverse,
        {"the divisors exchanged": planted.reverse_with_divisors_exchanged},
    ),
)
