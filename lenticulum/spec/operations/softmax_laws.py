"""Laws of log-sum-exp, log-softmax, standardisation and gates, at logarithms of rationals and at rational roots."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import concatenate, exp
from lenticulum.spec.draw import Draw, fraction
from lenticulum.spec.law import Grade, Law
from lenticulum.spec.layers import rational_roots
from lenticulum.spec.operations import planted_softmax as planted
from lenticulum.spec.operations.enclosed import exact, logarithms, positives, same, signed
from lenticulum.spec.operations.subject import Evaluate, Reverse, evaluate, reverse
from lenticulum.terms import Glu, LogSoftmax, LogSumExp, Standardize

BLANCHARD = "Blanchard, Higham and Higham 2021, Accurately computing the log-sum-exp and softmax functions"

#: Not square, with axes of size one.
SHAPES = ((3,), (2, 3), (3, 1), (2, 3, 2))


def _axis(draw: Draw, shape: tuple[int, ...]) -> int:
    draw.observe("the last axis", (axis := draw.integer(-len(shape), len(shape) - 1)) in (-1, len(shape) - 1))
    return axis


def logsumexp_values(of: Evaluate, draw: Draw) -> None:
    """At x = log q it is the logarithm of the sum of b q over the entries that are allowed."""
    shape = draw.choice(SHAPES)
    axis = draw.choice((None, _axis(draw, shape)))
    keepdims, q = draw.choice((False, True)), positives(draw, shape)
    b = draw.choice((None, positives(draw, shape)))
    allowed = np.array([draw.integer(0, 2) > 0 for _ in range(q.size)]).reshape(shape)
    np.moveaxis(allowed, 0 if axis is None else axis, 0)[0] = True
    mask = draw.choice((None, allowed))
    draw.observe("no weights", b is None)
    draw.observe("no mask", mask is None)
    weighted = q if b is None else b * q
    sums = np.sum(weighted if mask is None else weighted * mask.astype(object), axis=axis, keepdims=keepdims)
    same(
        lambda: of(LogSumExp(axis, keepdims), logarithms(q), None if b is None else exact(b), mask),
        lambda: logarithms(sums),
        "log sum b exp x differs",
        q=q,
        b=b,
        mask=mask,
        axis=axis,
    )


def logsumexp_shift(of: Evaluate, draw: Draw) -> None:
    """logsumexp(x + c) = logsumexp(x) + c."""
    shape = draw.choice(SHAPES)
    term, x, c = LogSumExp(_axis(draw, shape)), signed(draw, shape), 100 * fraction(draw)
    same(
        lambda: of(term, exact(x + c)),
        lambda: of(term, exact(x)) + c,
        "logsumexp(x + c) differs from logsumexp(x) + c",
        x=x,
        c=c,
    )


def log_softmax_values(of: Evaluate, draw: Draw) -> None:
    """At x = log q it is log(q / sum q)."""
    shape = draw.choice(SHAPES)
    axis, q = _axis(draw, shape), positives(draw, shape)
    same(
        lambda: of(LogSoftmax(axis), logarithms(q)),
        lambda: logarithms(q / np.sum(q, axis=axis, keepdims=True)),
        "log softmax differs",
        q=q,
        axis=axis,
    )


def log_softmax_is_normalised(of: Evaluate, draw: Draw) -> None:
    """The exponentials sum to 1 along the axis, and x -> x + c changes nothing."""
    shape = draw.choice(SHAPES)
    axis, x, c = _axis(draw, shape), signed(draw, shape), 100 * fraction(draw)
    term = LogSoftmax(axis)
    ones = np.sum(0 * x, axis=axis) + Fraction(1)
    same(lambda: exp(of(term, exact(x))).sum(axis=axis), lambda: exact(ones), "exp y does not sum to 1", x=x)
    same(lambda: of(term, exact(x + c)), lambda: of(term, exact(x)), "x -> x + c changes the result", x=x, c=c)


def standardize_values(of: Evaluate, draw: Draw) -> None:
    """Each column has the mean 0 and is divided by its rational root; several axes are one column."""
    epsilon, size, count = rational_roots.epsilon(draw), draw.integer(2, 4), draw.integer(1, 3)
    draw.observe("as many columns as entries", size == count)
    columns = [rational_roots.column(draw, size, epsilon) for _ in range(count)]
    x = np.array([column.entries for column in columns], dtype=object)
    y = np.array([[(each - c.mean) / c.root for each in c.entries] for c in columns], dtype=object)
    axis, across = draw.choice(((-1, False), (0, True)))
    same(
        lambda: of(Standardize(axis, epsilon), exact(x.T if across else x)),
        lambda: exact(y.T if across else y),
        "a column differs",
        x=x,
        axis=axis,
        epsilon=epsilon,
    )
    if size == 4:
        same(
            lambda: of(Standardize((1, 2), epsilon), exact(x.reshape((count, 2, 2)))),
            lambda: exact(y.reshape((count, 2, 2))),
            "two axes differ from one",
            x=x,
            epsilon=epsilon,
        )


def glu_values(of: Evaluate, draw: Draw) -> None:
    """At b = log r it is a r / (1 + r)."""
    half = draw.choice(((3,), (2, 1), (1, 2), (2, 3)))
    axis, a, r = _axis(draw, half), signed(draw, half), positives(draw, half)
    same(
        lambda: of(Glu(axis), _joined(exact(a), logarithms(r), axis)),
        lambda: exact(a * r / (1 + r)),
        "a sigmoid(b) differs",
        a=a,
        r=r,
        axis=axis,
    )


def _joined(a: Any, b: Any, axis: int) -> Any:
    return concatenate([a, b], axis=axis % a.ndim)


def softmax_reverse(of: Reverse, draw: Draw) -> None:
    """Cotangents at x = log q, with s = q / sum q: c s of logsumexp, and c - s sum(c) of log-softmax."""
    shape = draw.choice(SHAPES)
    axis, q = _axis(draw, shape), positives(draw, shape)
    softmax = q / np.sum(q, axis=axis, keepdims=True)
    c = signed(draw, np.shape(np.sum(q, axis=axis)))
    same(
        lambda: of(LogSumExp(axis), (logarithms(q),), exact(c))[0],
        lambda: exact(softmax * np.expand_dims(c, axis)),
        "the cotangent of logsumexp differs",
        q=q,
        c=c,
        axis=axis,
    )
    g = signed(draw, shape)
    same(
        lambda: of(LogSoftmax(axis), (logarithms(q),), exact(g))[0],
        lambda: exact(g - softmax * np.sum(g, axis=axis, keepdims=True)),
        "the cotangent of log-softmax differs",
        q=q,
        c=g,
        axis=axis,
    )


def _all(*names: str) -> dict[str, Any]:
    return {name.replace("_", " "): getattr(planted, name) for name in names}


LAWS: tuple[Law[Any], ...] = (
    Law(
        "logsumexp-values",
        "logsumexp(log q) = log sum b q over the entries that are allowed",
        BLANCHARD,
        Grade.ENCLOSED,
        evaluate,
        logsumexp_values,
        _all("another_axis", "mask_as_zeros", "weights_in_the_exponent", "mean_for_sum", "axes_dropped"),
    ),
    Law(
        "logsumexp-shift",
        "logsumexp(x + c) = logsumexp(x) + c",
        BLANCHARD,
        Grade.ENCLOSED,
        evaluate,
        logsumexp_shift,
        _all("shift_not_added_back", "doubled_exponents"),
    ),
    Law(
        "log-softmax-values",
        "log_softmax(log q) = log(q / sum q)",
        BLANCHARD,
        Grade.ENCLOSED,
        evaluate,
        log_softmax_values,
        _all("log_softmax_of_another_axis", "log_softmax_over_all", "softmax_without_logarithm", "binary_logarithm"),
    ),
    Law(
        "log-softmax-normalised",
        "sum exp log_softmax(x) = 1; log_softmax(x + c) = log_softmax(x)",
        BLANCHARD,
        Grade.ENCLOSED,
        evaluate,
        log_softmax_is_normalised,
        _all("only_shifted", "log_softmax_over_all"),
    ),
    Law(
        "standardize-values",
        "(x - mean) / s with s² = var + epsilon, var the population variance",
        "derived by hand from the normalisation of Ba, Kiros and Hinton 2016, arXiv:1607.06450",
        Grade.ENCLOSED,
        evaluate,
        standardize_values,
        _all("sample_variance", "epsilon_outside_the_root", "standardized_along_another_axis", "not_centred"),
    ),
    Law(
        "glu-values",
        "glu of a beside log r is a r / (1 + r)",
        "Dauphin et al. 2017, arXiv:1612.08083, equation 1",
        Grade.ENCLOSED,
        evaluate,
        glu_values,
        _all("halves_exchanged", "gate_by_tanh", "alternating_halves"),
    ),
    Law(
        "softmax-reverse",
        "cotangents: c s of logsumexp, c - s sum(c) of log-softmax, s = softmax(x)",
        BLANCHARD,
        Grade.ENCLOSED,
        reverse,
        softmax_reverse,
        _all("uniform_weights", "cotangent_not_summed"),
    ),
)
