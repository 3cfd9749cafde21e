"""Layers with modes, state and chance obey their laws, and each law rejects its planted mistakes."""

from fractions import Fraction

import numpy as np
import pytest
from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.numbers import rational
from lenticulum.spec.apply import apply
from lenticulum.spec.layers.batch_norm import used_statistics
from lenticulum.spec.layers.laws import LAWS
from lenticulum.spec.layers.running_laws import closed_form
from lenticulum.spec.put import put
from lenticulum.terms import BatchNorm, Mode, Tree


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=41, cases=40)
    assert result.violation is None, str(result)
    # Only dropout-mean may be inapplicable, where 20 keys drop one element: at most 6 * (3/5)^20 < 1/4000 of its cases.
    assert result.checked == 40
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=42, cases=40)


# By hand: what evaluation uses after B1 = (1, 3, 5), and after B2 = (0, 2) too. With epsilon = 40/9 both
# batches are normalised by rational roots: 8/3 + 40/9 = (8/3)^2 and 1 + 40/9 = (7/3)^2.
RUNNING = [
    ({"running_variance": "sample"}, ("3/10", "13/10"), ("37/100", "137/100")),
    ({"running_variance": "population"}, ("3/10", "7/6"), ("37/100", "23/20")),
    ({"running_variance": "population", "new_weight": "1/100"}, ("3/100", "61/60"), ("397/10000", "2033/2000")),
    ({"running_variance": "population", "start": "corrected"}, ("3", "8/3"), ("37/19", "34/19")),
    ({"running_variance": "sample", "start": "cumulative"}, ("3", "4"), ("2", "3")),
]


@pytest.mark.parametrize(("record", "after_first", "after_second"), RUNNING, ids=[str(row[0]) for row in RUNNING])
def test_evaluation_uses_the_published_running_statistics(record, after_first, after_second):
    term = BatchNorm(1, epsilon=Fraction(40, 9), use_weight=False, use_bias=False, **record)
    state = initial_state(term)
    for batch, expected in (([[1], [3], [5]], after_first), ([[0], [2]], after_second)):
        _, state = apply(term, rational(batch), Tree(), state, Mode.TRAIN, None)
        used = used_statistics(state, Fraction(term.new_weight), term.start, term.before_first_step)
        assert [leaf.item() for leaf in used] == [Fraction(number) for number in expected]


def initial_state(term):
    variance = 0 if term.start == "corrected" else 1  # a corrected pair is hidden and starts from (0, 0)
    state = Tree(running_mean=rational([0]), running_variance=rational([variance]))
    return state.with_entries(count=np.uint32(0)) if term.counts() else state


@pytest.mark.parametrize("start", ["corrected", "first_batch", "cumulative"])
def test_a_constant_stream_has_its_own_statistics_at_once(start):
    for k in range(1, 5):
        stored = closed_form(start, Fraction(1, 10), Fraction(0), [Fraction(7)] * k)
        used = stored / (1 - Fraction(9, 10) ** k) if start == "corrected" else stored
        assert used == 7


def test_a_constant_stream_is_approached_from_the_plain_start():
    stored = closed_form("plain", Fraction(1, 10), Fraction(2), [Fraction(7)] * 3)
    assert stored == 7 + Fraction(9, 10) ** 3 * (2 - 7)


def test_the_reverse_derivative_of_batch_norm_at_a_rational_root():
    # By hand: x = (1, 3, 5), epsilon = 4/3 makes s = 2; dy = (1, 0, 0) gives (1/6, -1/6, 0).
    term = BatchNorm(1, epsilon=Fraction(4, 3), use_weight=False, use_bias=False)
    x, dy = rational([[1], [3], [5]]), rational([[1], [0], [0]])
    _, dx = put(term, x, Tree(), initial_state(term), Mode.TRAIN, None, dy)
    assert dx == rational([["1/6"], ["-1/6"], [0]])


def test_two_updates_are_seen_in_the_running_mean():
    # By hand: from 0 with new weight 1/10 and batch mean 3: one update 3/10, two 57/100.
    term = BatchNorm(1, epsilon=Fraction(40, 9), use_weight=False, use_bias=False)
    x = rational([[1], [3], [5]])
    _, once = apply(term, x, Tree(), initial_state(term), Mode.TRAIN, None)
    _, twice = apply(term, x, Tree(), once, Mode.TRAIN, None)
    assert [state.running_mean.item() for state in (once, twice)] == [Fraction(3, 10), Fraction(57, 100)]
