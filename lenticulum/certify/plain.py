"""The fast path for a block of plain inputs: neighbours with results of one kind, all accepted without a derivative.

Almost all blocks of a float32 campaign are of this kind. What is added to a result is what `verdict` adds, in as few
passes over memory as possible; a block that is not plain is left to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lenticulum.certify.block import Block
from lenticulum.certify.condition import slopes
from lenticulum.certify.enclosure import Enclosures, at
from lenticulum.certify.rule import K_LIMIT, Rule
from lenticulum.certify.score import DOWN, STRATA, UP, mixed_errors
from lenticulum.certify.shard import Maximum, ShardResult, Stratum
from lenticulum.numbers.formats import Format, bits_to_float64, encode

Array = np.ndarray

#: A block is looked through in runs of so many inputs.
RUN = 2048

_EXPONENT = np.int64(0x7FF << 52)

#: With more errors above two ulp than this, a block is not plain.
MANY = 16_384

#: Errors this close above one half are looked at again: an enclosure is at most 2^-10 ulp wide.
_NEAR = 0.5 + 2.0**-9


def judge_plain(block: Block, y_bits: Array, rule: Rule, result: ShardResult) -> bool:
    """Add a plain block to the result and return True; or change nothing and return False."""
    if not block.plain or rule.within is not None or len(y_bits) % RUN:
        return False
    if block.constant and bool((y_bits == y_bits[0]).all()):
        # One enclosure and one output: what holds of the first input holds of all.
        if _judge_plain(block.first(), y_bits[:1], rule, result, len(y_bits)):
            return True
    return _judge_plain(block, y_bits, rule, result, 1)


def _judge_plain(block: Block, y_bits: Array, rule: Rule, result: ShardResult, times: int) -> bool:
    """Do the same, where each input of the block stands for so many."""
    signs, size, far = _sizes(block.enclosures)
    smallest, largest = float(size.min()), float(far.max())
    threshold, tiny = float(rule.format.overflow_threshold), float(rule.format.smallest_normal)
    if smallest >= threshold:
        return bool(signs) and _overflowing(block, y_bits, signs > 0, rule.format, result, times)
    if smallest >= tiny and largest < threshold:
        return _numbers(block, y_bits, size, far, rule, result, STRATA[0], times)
    # A value that may be exactly 0 is regular, so such a block is not plain.
    if largest < tiny and signs and float(far.min()) > 0 and _same_signs(y_bits, signs > 0, rule.format):
        return _numbers(block, y_bits, size, far, rule, result, STRATA[1], times)
    return False


def _sizes(found: Enclosures) -> tuple[int, Array, Array]:
    """Return the common sign of all values (0 if there is none), and the smallest and largest |f|.

    The smallest is 0 where an enclosure holds 0 (an end of it included).
    """
    lo, hi = found.lo, found.hi
    if lo[0] >= 0 and float(lo.min()) >= 0:
        return 1, lo, hi
    if hi[0] <= 0 and float(hi.max()) <= 0:
        return -1, -hi, -lo
    return 0, np.maximum(np.maximum(lo, -hi), 0.0), np.maximum(-lo, hi)


def _overflowing(block: Block, y_bits: Array, positive: bool, format: Format, result: ShardResult, times: int) -> bool:
    """Add a block of values beyond the threshold, if every output is the infinity that is due."""
    if format.overflow != "infinity":
        return False
    infinity = encode(float("inf") if positive else float("-inf"), format)
    if (y_bits != np.array(infinity, y_bits.dtype)).any():
        return False
    count = times * len(y_bits)
    added = Stratum(count=count, accepted={"K": count}, correctly_rounded=count)
    added.ulp = Maximum(0.0, 0.0, (int(block.patterns[0][0]),), infinity)
    _add(block, added, result, STRATA[2])
    return True


def _same_signs(y_bits: Array, positive: bool, format: Format) -> bool:
    """Return whether every output has the sign of the value, zeros too."""
    negative = y_bits >> np.array(format.width - 1, y_bits.dtype)
    return bool((negative == (0 if positive else 1)).all())


@dataclass(frozen=True)
class _Errors:
    """Signed distances of outputs from both ends, 1 / ulp, and errors in ulp; `runs`: the largest of each run."""

    above: Array
    below: Array
    inverse: Array
    ulps: Array
    runs: Array


def _errors(block: Block, y_bits: Array, size: Array, format: Format) -> _Errors:
    y = bits_to_float64(y_bits, format)
    above, below = y - block.enclosures.lo, block.enclosures.hi - y
    floor = np.int64(format.minimum_exponent + 1023) << np.int64(52)
    exponent = np.maximum(size.view(np.int64) & _EXPONENT, floor)
    # 2^-e has the exponent field 2046 - (e + 1023); the spacing is 2^(e + 1 - p).
    inverse = ((np.int64(2046 + format.precision - 1) << np.int64(52)) - exponent).view(np.float64)
    ulps = np.maximum(above, below)
    ulps *= inverse
    return _Errors(above, below, inverse, ulps, ulps.reshape(-1, min(RUN, ulps.size)).max(axis=1))


def _numbers(
    block: Block, y_bits: Array, size: Array, far: Array, rule: Rule, result: ShardResult, name: str, times: int
) -> bool:
    errors = _errors(block, y_bits, size, rule.format)
    worst = float(errors.runs.max())
    # An error of two ulp at most has K <= 4; a NaN compares as false. A larger one has another K at every input.
    if not 2 * worst * UP <= K_LIMIT and (times > 1 or not _all_by_k(block, y_bits, errors, rule)):
        return False
    correct = _correctly_rounded(errors, block.enclosures, size, rule.format)
    if correct is None:
        return False
    run = int(errors.runs.argmax())
    best = run * RUN + int(errors.ulps[run * RUN : (run + 1) * RUN].argmax())
    least = max(0.0, -float(errors.above[best]), -float(errors.below[best])) / _spacing(float(far[best]), rule.format)
    count = times * len(y_bits)
    added = Stratum(count=count, accepted={"K": count}, correctly_rounded=times * correct)
    added.ulp = Maximum(worst * UP, least * DOWN, (int(block.patterns[0][best]),), int(y_bits[best]))
    _add(block, added, result, name)
    result.strata[name].k.take(_k_bound(block, y_bits, size, errors, rule))
    return True


def _all_by_k(block: Block, y_bits: Array, errors: _Errors, rule: Rule) -> bool:
    """Return whether the few errors of more than two ulp have K <= 4 all the same."""
    large = np.flatnonzero(~(2 * errors.ulps * UP <= K_LIMIT))
    if large.size > MANY or not np.isfinite(errors.ulps).all():
        return False
    _, most = _mixed(block, y_bits, large, rule)
    return bool((most <= K_LIMIT).all())


def _mixed(block: Block, y_bits: Array, rows: Any, rule: Rule) -> tuple[Array, Array]:
    points, part = [block.points[0][rows]], at(block.enclosures, rows)
    return mixed_errors(lambda p: slopes(block.function, p), points, y_bits[rows], part, rule)


def _correctly_rounded(errors: _Errors, found: Enclosures, size: Array, format: Format) -> int | None:
    """Return how many outputs are correctly rounded, or None where the enclosures do not say.

    A strict enclosure lets the error come near its ends but not reach them.
    """
    count = int((errors.ulps < 0.5).sum())
    near = np.flatnonzero((errors.ulps >= 0.5) & (errors.ulps <= _NEAR))
    if not near.size:
        return count
    if float(size[near].min()) < float(format.smallest_subnormal):
        # Next to half the smallest number a difference is not exact.
        return None
    known, strict = found.lo[near] == found.hi[near], found.strict[near]
    at_half = errors.ulps[near] == 0.5
    least = np.maximum(-errors.above[near], -errors.below[near]) * errors.inverse[near]
    not_nearest = (least > 0.5) | (strict & (least == 0.5))
    if (known & at_half).any() or (~not_nearest & ~(strict & at_half) & ~known).any():
        return None
    return count + int((strict & at_half).sum())


def _spacing(size: float, format: Format) -> float:
    """Return the ulp of the format at a positive size."""
    return float(2.0 ** (max(int(np.frexp(size)[1]) - 1, format.minimum_exponent) + 1 - format.precision))


def _add(block: Block, added: Stratum, result: ShardResult, name: str) -> None:
    result.strata[name].merge(added)
    binade = int(block.patterns[0][0]) >> block.format.fraction_bits
    result.binades.setdefault(binade, Maximum()).take(added.ulp)


def _k_bound(block: Block, y_bits: Array, size: Array, errors: _Errors, rule: Rule) -> Maximum:
    """Return the largest K <= error / (u |f| + eta), a bound that needs no derivative, and where it is."""
    bound = errors.ulps / (rule.unit * size * errors.inverse + rule.eta * errors.inverse)
    best = int(bound.argmax())
    return Maximum(float(bound[best]) * UP, 0.0, (int(block.patterns[0][best]),), int(y_bits[best]))
