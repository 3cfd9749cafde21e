"""The recurrence of the running statistics in closed form, for every start value and both variances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import Rational, rational
from lenticulum.spec.apply import apply
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.law import Grade, Law, require
from lenticulum.spec.layers import planted, rational_roots
from lenticulum.spec.layers.mode_laws import Apply
from lenticulum.terms import BatchNorm, Mode, Tree

Pair = tuple[Fraction, Fraction]


#: Where the stored pair starts: a corrected one is hidden and starts from (0, 0).
STARTS: dict[str, Pair] = {
    "corrected": (Fraction(0), Fraction(0)),
    "first_batch": (Fraction(0), Fraction(1)),
    "cumulative": (Fraction(0), Fraction(1)),
}


def running_statistics_in_closed_form(of: Apply, draw: Draw) -> None:
    """r_k = (1-w)^k r_0 + sum_i w (1-w)^(k-i) b_i, and its variants by start value, for k = 1 to 4.

    The mean and the variance obey one recurrence; batches differ in size. Batches of one element occur.
    """
    eps, w = rational_roots.epsilon(draw), draw.choice([Fraction(1, 10), Fraction(1, 3), Fraction(3, 4)])
    estimate = draw.choice(["sample", "population"])
    start = draw.choice(["plain", "corrected", "first_batch", "cumulative"])
    term = BatchNorm(1, epsilon=eps, new_weight=w, running_variance=estimate, start=start)
    p = Tree(weight=rational([fraction(draw)]), bias=rational([fraction(draw)]))
    first = (fraction(draw), positive_fraction(draw)) if start == "plain" else STARTS[start]
    state = _state(term, first)
    batches: list[Pair] = []
    for k in range(1, 5):
        drawn = rational_roots.column(draw, draw.integer(1, 4), eps)
        n = len(drawn.entries)
        batches.append((drawn.mean, drawn.variance * (Fraction(n, n - 1) if estimate == "sample" and n > 1 else 1)))
        _, state = of(term, rational([[entry] for entry in drawn.entries]), p, state, Mode.TRAIN, None)
        expected = tuple(closed_form(start, w, first[i], [batch[i] for batch in batches]) for i in (0, 1))
        running = _item(state.running_mean), _item(state.running_variance)
        require(
            running == expected, f"after {k} batches", term=term, batches=batches, running=running, expected=expected
        )


def closed_form(start: str, w: Fraction, first: Fraction, batches: list[Fraction]) -> Fraction:
    """What is stored after these batch statistics; with `corrected`, the hidden value before the correction.

    >>> closed_form("plain", Fraction(1, 10), Fraction(0), [Fraction(3), Fraction(1)])
    Fraction(37, 100)
    """
    k = len(batches)
    if start == "cumulative":
        return sum(batches, Fraction(0)) / k
    weights = [w * (1 - w) ** (k - i) for i in range(1, k + 1)]
    if start == "first_batch":
        weights[0] = (1 - w) ** (k - 1)
    kept = (1 - w) ** k * first if start == "plain" else Fraction(0)
    return kept + sum((weight * b for weight, b in zip(weights, batches, strict=True)), Fraction(0))


def _state(term: BatchNorm, first: Pair) -> Tree:
    state = Tree(running_mean=rational([first[0]]), running_variance=rational([first[1]]))
    return state.with_entries(count=np.uint32(0)) if term.counts() else state


def _item(x: Any) -> Fraction:
    assert isinstance(x, Rational)
    return x.item()


LAWS: tuple[Law[Apply], ...] = (
    Law(
        "running-statistics-closed-form",
        "r_k = (1-w)^k r_0 + sum_i w (1-w)^(k-i) b_i, for the mean and the variance that is named",
        "derived by hand from r' = (1 - w) r + w b, the moving averages of Ioffe and Szegedy 2015, arXiv:1502.03167",
        Grade.EXACT,
        apply,
        running_statistics_in_closed_form,
        {
            "running variance fed the wrong estimate": planted.wrong_estimate,
            "weights of old and new exchanged": planted.weights_exchanged,
            "two updates": planted.two_updates,
        },
    ),
)
