"""The verdict on a subject's outputs for a block of inputs: numbers by ulp and K, special inputs by their values."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from lenticulum.certify.block import Block
from lenticulum.certify.condition import slopes, small_enough
from lenticulum.certify.enclosure import Definitely, at, enclose, narrowed, outward
from lenticulum.certify.exact_score import exact_scores
from lenticulum.certify.plain import judge_plain
from lenticulum.certify.rule import K_LIMIT, Rule
from lenticulum.certify.running import inside_running_bound
from lenticulum.certify.score import (
    BY_BOUND,
    BY_FLUSH,
    BY_K,
    BY_OVERFLOW,
    REJECTED,
    STRATA,
    UNDECIDED,
    Scores,
    mixed_errors,
    score,
    standing_for,
)
from lenticulum.certify.shard import LISTED, Maximum, ShardResult, Special, point_at, tally
from lenticulum.certify.subject import UNSIGNED
from lenticulum.numbers import working_precision
from lenticulum.numbers.formats import Format, bits_to_float64
from lenticulum.spec.elementwise.special import Expected, expected

Array = np.ndarray

#: K is computed first for so many inputs, those with the largest upper bound; then for four times as many, and so on.
K_BATCH = 256


def judge(block: Block, y_bits: Array, rule: Rule, result: ShardResult) -> ShardResult:
    """Add the verdict on the outputs of one subject for all inputs of a block to a result, and return that."""
    result.inputs += len(y_bits)
    result.escalated += int(block.enclosures.escalated.sum())
    if block.ordinary.size and not judge_plain(block, y_bits, rule, result):
        _judge_numbers(block, y_bits, rule, result)
    _judge_special(block, y_bits, rule, result)
    return result


def _judge_numbers(block: Block, y_bits: Array, rule: Rule, result: ShardResult) -> None:
    rows, given = block.ordinary, y_bits[block.ordinary]
    points = [point[rows] for point in block.points]
    if rule.format.precision >= 53:
        scores, k_least, k_most = exact_scores(block, points, given, rule)
    else:
        scores = scored(block, given, rule)
        k_least, k_most = _largest_k(block, points, given, rule, scores, result)
    if rule.within is None:
        accepted = scores.accepted
        # K decides where the bound that needs no derivative does not.
        accepted[(accepted == REJECTED) & (k_most <= K_LIMIT)] = BY_K
        straddling = (accepted == REJECTED) & (k_least <= K_LIMIT) & np.isfinite(k_most)
        _decide_k(block, points, given, rule, accepted, np.flatnonzero(straddling))
        left = np.flatnonzero((accepted == REJECTED) | (accepted == UNDECIDED))
        for way, rows_of_way in _excused(block, points, given, rule, left):
            accepted[left[rows_of_way & (accepted[left] <= UNDECIDED)]] = way
    elif rule.format.precision < 53:
        straddling = (scores.accepted == REJECTED) & (scores.ulp_least <= float(rule.within))
        scores.accepted[straddling] = UNDECIDED
    tally(result, tuple(each[rows] for each in block.patterns), given, scores, (k_least, k_most))
    _add_binades(result, block, scores.ulp_most, scores.ulp_least, given)


def scored(block: Block, given: Array, rule: Rule) -> Scores:
    """Return the scores of a block's ordinary outputs, with every rounding settled that balls can settle."""
    scores = score(block.subnormal, given, block.enclosures, rule)
    undecided = np.flatnonzero(scores.rounding < 0)
    if not undecided.size:
        return scores
    _decide_rounding(block, undecided)
    return score(block.subnormal, given, block.enclosures, rule)


def _decide_k(block: Block, points: list[Array], given: Array, rule: Rule, accepted: Array, rows: Array) -> None:
    """Settle by balls where the float64 ends of K lie on both sides of the limit."""
    y = bits_to_float64(given[rows], rule.format)
    if rule.format.precision < 53:
        y = standing_for(given[rows], rule.format, at(block.enclosures, rows))
    for row, value in zip(rows, y, strict=True):
        decided = small_enough(block.function, [float(p[row]) for p in points], float(value), rule, K_LIMIT)
        accepted[row] = UNDECIDED if decided is None else BY_K if decided else REJECTED


def _decide_rounding(block: Block, rows: Array) -> None:
    """Narrow the enclosures that hold a midpoint of two numbers next to an output, until balls decide or give up."""
    found, format = block.enclosures, block.output
    points = [point[block.ordinary[rows]] for point in block.points]
    found.lo[rows], found.hi[rows], found.strict[rows] = narrowed(block.function, points, format)
    found.escalated[rows] = True


def _largest_k(
    block: Block, points: list[Array], given: Array, rule: Rule, scores: Scores, result: ShardResult
) -> tuple[Array, Array]:
    """Return ends of K where it decides acceptance or may be the largest of its stratum; NaN elsewhere."""
    k_least, k_most = np.full(len(given), np.nan), np.full(len(given), np.nan)

    def compute(rows: Array) -> None:
        chosen = [point[rows] for point in points]
        part = at(block.enclosures, rows)
        k_least[rows], k_most[rows] = mixed_errors(
            lambda points: slopes(block.function, points), chosen, given[rows], part, rule
        )

    numbers = np.isfinite(scores.k_most)
    # Every input that K <= error / (u |f| + eta) alone does not accept.
    compute(np.flatnonzero(numbers & (scores.k_most > K_LIMIT)))
    for stratum, name in enumerate(STRATA):
        rows = np.flatnonzero(numbers & (scores.stratum == stratum))
        if rows.size:
            _search(rows, scores.k_most, k_most, compute, result.strata[name].k.at_most)
    return k_least, k_most


def _search(rows: Array, bound: Array, k_most: Array, compute: Any, largest: float) -> None:
    """Compute K in the order of its upper bound until no other input can exceed the largest found so far."""
    known = k_most[rows]
    largest = max(largest, float(np.nanmax(known, initial=0.0)))
    left = rows[np.isnan(known) & (bound[rows] > largest)]
    order = left[np.argsort(-bound[left], kind="stable")]
    done, batch = 0, K_BATCH
    while done < order.size and bound[order[done]] > largest:
        chosen = order[done : done + batch]
        compute(chosen)
        largest = max(largest, float(np.nanmax(k_most[chosen], initial=0.0)))
        done, batch = done + batch, 4 * batch


def _excused(block: Block, points: list[Array], given: Array, rule: Rule, left: Array) -> list[tuple[int, Array]]:
    """Return, for inputs that K does not accept, which ones another rule does."""
    if not left.size:
        return []
    chosen = [point[left] for point in points]
    y = bits_to_float64(given[left], rule.format)
    inside, overflows = inside_running_bound(block.function, chosen, y, rule.format)
    if rule.format.precision >= 53:
        # Balls do not say what overflowed: where the value itself may, only K excuses what is returned; and the bound
        # of a subnormal argument, which may count as 0, is infinite at a pole where nothing overflows.
        sizes = np.maximum(np.abs(block.enclosures.lo[left]), np.abs(block.enclosures.hi[left]))
        overflows &= (sizes < float(rule.format.largest) * (1 - 64 * rule.unit)) & ~block.subnormal[left]
    ways = [(BY_BOUND, inside), (BY_OVERFLOW, overflows & ~np.isfinite(y))]
    if rule.flushes:
        ways.insert(1, (BY_FLUSH, _flushed(block, chosen, y, rule, left)))
    return ways


def _flushed(block: Block, points: list[Array], y: Array, rule: Rule, left: Array) -> Array:
    """Return where a subnormal number was consistently flushed: the result is zero, or that of a zero argument."""
    small = np.maximum(np.abs(block.enclosures.lo[left]), np.abs(block.enclosures.hi[left]))
    flushed = (y == 0) & (small < float(rule.format.smallest_normal))
    rows = np.flatnonzero(block.subnormal[left])
    flushed[rows] |= _due_at_zeros(block, [point[rows] for point in points], y[rows], rule)
    return flushed


def _due_at_zeros(block: Block, points: list[Array], y: Array, rule: Rule) -> Array:
    """Return which outputs are what is due where the subnormal arguments are zeros of their sign."""
    right = np.zeros(y.shape, bool)
    if not y.size:
        return right
    smallest = float(block.format.smallest_normal)
    at_zero = np.stack([np.where(np.abs(p) < smallest, np.copysign(0.0, p), p) for p in points])
    # The patterns tell 0.0 from -0.0; of one argument there are these two points and no others.
    distinct, place = np.unique(at_zero.view(np.uint64), axis=1, return_inverse=True)
    for number, point in enumerate(distinct.view(np.float64).T):
        group = np.flatnonzero(place.ravel() == number)
        right[group] = _is_due(block.function, tuple(map(float, point)), y[group], rule)
    return right


def _judge_special(block: Block, y_bits: Array, rule: Rule, result: ShardResult) -> None:
    for rows, due in block.special:
        y = bits_to_float64(y_bits[rows], rule.format)
        if isinstance(due, Expected):
            word, right = _right(due, y, rule)
            words = [word] * rows.size
        else:
            words, right = [_word(float(value)) for value in due[rows]], _same(y, due[rows], rule.format)
        result.special.count += int(rows.size)
        if rule.flushes and not right.all():
            right = right | _flushed_outside(block, rows, y, rule)
        wrong = np.flatnonzero(~right)
        listed = [(point_at(block.patterns, rows[i]), int(y_bits[rows[i]]), words[i]) for i in wrong[:LISTED]]
        result.special.merge(Special(0, int(wrong.size), listed))


def _flushed_outside(block: Block, rows: Array, y: Array, rule: Rule) -> Array:
    """Return where a subnormal argument outside the domain was flushed to a zero at its end: log of it is -inf."""
    smallest = float(block.format.smallest_normal)
    points = [point[rows] for point in block.points]
    subnormal = np.any([(np.abs(point) < smallest) & (point != 0) for point in points], axis=0)
    right = np.zeros(y.shape, bool)
    right[subnormal] = _due_at_zeros(block, [point[subnormal] for point in points], y[subnormal], rule)
    return right


def _right(due: Expected, y: Array, rule: Rule) -> tuple[str, Array]:
    """Return the word for what is due, and which of the outputs are it."""
    if not due.judged:
        return "anything", np.ones(y.shape, bool)
    if due.limit is not None:
        with working_precision(256):
            lo, hi, _ = outward(due.limit().elements[0])
        error = np.maximum(np.abs(y - lo), np.abs(hi - y))
        return _word(lo), error <= K_LIMIT * (rule.unit * min(abs(lo), abs(hi)) + rule.eta)
    assert due.value is not None
    return _word(due.value), _same(y, np.full(y.shape, due.value), rule.format)


def _same(y: Array, due: Array, format: Format) -> Array:
    """Return where two numbers are equal, NaN to NaN and zeros by their sign; a format may have no infinity."""
    if format.overflow != "infinity":
        due = np.where(np.isinf(due), np.copysign(float(format.infinity), due), due)
    return (np.isnan(y) & np.isnan(due)) | ((y == due) & (np.signbit(y) == np.signbit(due)))


def _word(value: float) -> str:
    return value.hex() if math.isfinite(value) else str(value)


def _is_due(function: Definitely, point: tuple[float, ...], y: Array, rule: Rule) -> Array:
    """Return which outputs are what is due at one point, special or not (with K <= 4 and no derivative)."""
    due = expected(function.term, *point)
    if due is not None:
        return _right(due, y, rule)[1] & due.judged
    part = enclose(function, [np.array([x]) for x in point], rule.format)
    lo, hi = float(part.lo[0]), float(part.hi[0])
    return np.maximum(np.abs(y - lo), np.abs(hi - y)) <= K_LIMIT * (rule.unit * min(abs(lo), abs(hi)) + rule.eta)


def _add_binades(result: ShardResult, block: Block, most: Array, least: Array, given: Array) -> None:
    """Keep the largest error of each sign and exponent of the first argument."""
    shift = block.format.precision - 1
    patterns = tuple(each[block.ordinary] for each in block.patterns)
    keys = patterns[0] >> np.array(shift, patterns[0].dtype)
    numbers = np.flatnonzero(np.isfinite(most))
    if not numbers.size:
        return
    starts = np.flatnonzero(np.diff(keys[numbers], prepend=keys[numbers[0]] ^ 1))
    for begin, end in zip(starts, [*starts[1:], numbers.size], strict=True):
        rows = numbers[begin:end]
        best = int(rows[np.argmax(most[rows])])
        found = Maximum(float(most[best]), float(least[best]), point_at(patterns, best), int(given[best]))
        result.binades.setdefault(int(keys[best]), Maximum()).take(found)


def sharpen(function: Definitely, format: Format, rule: Rule, result: ShardResult) -> None:
    """Compute K where only a bound of it is known, and at the largest error, so that its largest has a witness."""
    if rule.format.precision >= 53:
        return
    for stratum in result.strata.values():
        if stratum.k.x and stratum.k.at_least == 0.0 and stratum.k.at_most > 0.0:
            for found in (replace(stratum.k), stratum.ulp):
                stratum.k.take(Maximum(0.0, _k_at_least(function, format, rule, found), found.x, found.y))


def _k_at_least(function: Definitely, format: Format, rule: Rule, found: Maximum) -> float:
    patterns = [np.array([each], UNSIGNED[format.width]) for each in found.x]
    points = [bits_to_float64(each, format) for each in patterns]
    y_bits = np.array([found.y], UNSIGNED[rule.format.width])
    part = enclose(function, points, rule.format)
    least, _ = mixed_errors(lambda points: slopes(function, points), points, y_bits, part, rule)
    return float(least[0])
