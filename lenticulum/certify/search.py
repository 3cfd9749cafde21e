"""A search for the largest error in a domain that is too large to enumerate: batches of mutated bit patterns.

From the worst inputs of the sample on, each round changes the best ones in a few bits and keeps those with the largest
errors. On kernels whose maximum is known from all 2^32 inputs such a search comes within a few per cent of it, where a
sample alone stays far below.
"""

from __future__ import annotations

import numpy as np
from flint import arb

from lenticulum.certify.block import prepare
from lenticulum.certify.campaign import Campaign
from lenticulum.certify.coverage import spaced
from lenticulum.certify.domain import scrambled
from lenticulum.certify.enclosure import Definitely, balls
from lenticulum.certify.explain import rejects, witness, worst_of
from lenticulum.certify.misconduct import called
from lenticulum.certify.result import Conduct
from lenticulum.certify.score import REGULAR, score
from lenticulum.certify.shard import ShardResult
from lenticulum.certify.subject import UNSIGNED, Kernel
from lenticulum.certify.verdict import judge
from lenticulum.check.definition import parse
from lenticulum.numbers import working_precision
from lenticulum.numbers.formats import FORMATS, Format, bits_to_float64

Array = np.ndarray
Patterns = tuple[Array, ...]

#: Rounds, children of a round, and parents that are kept; binary64 values are enclosed one by one, so fewer there.
ROUNDS, CHILDREN, CHILDREN_OF_64, PARENTS = 24, 1 << 15, 1 << 12, 256


#: Bits of the balls that errors of binary64 outputs are measured by.
PRECISION = 128


def search(campaign: Campaign, found: ShardResult) -> Conduct:
    """Return a note on the largest error that a search found beside the sample, and a finding if one is rejected.

    Nothing is searched where every input was judged.
    """
    if campaign.domain.sample is None:
        return Conduct()
    function, kernel = Definitely(parse(campaign.spec)), campaign.subjects[0].opened()
    format, output = campaign.domain.format, FORMATS[campaign.output]
    children = CHILDREN if output.precision < 53 else CHILDREN_OF_64
    best, tried = _starts(campaign, found), 0
    if campaign.domain.arguments == 1:
        best = (np.concatenate([best[0], edges(function, format, output)]),)
    for number in range(ROUNDS):
        mutated = _children(best, children, format, number)
        together = tuple(np.concatenate(pair) for pair in zip(best, mutated, strict=True))
        best = _fittest(function, kernel, together, format, output, campaign)
        tried += children
    block = prepare(function, best, format, output)
    judged = judge(block, called(kernel, best, output), campaign.rule(0), ShardResult())
    largest = judged.strata["regular"].ulp
    where = ", ".join(f"0x{x:x}" for x in largest.x)
    note = f"searched {spaced(tried)} more inputs: at most {largest.at_most:.7g} ulp"
    notes = (f"{note}, at x = {where}",) if largest.x else (f"searched {spaced(tried)} more inputs",)
    if not rejects(judged):
        return Conduct(notes)
    finding = worst_of(campaign, judged)
    return Conduct(notes, finding, tuple(witness(campaign, tuple(np.array([each]) for each in finding.x))))


def _starts(campaign: Campaign, found: ShardResult) -> Patterns:
    """Return the worst inputs of the sample: of each stratum, of each binade, and a few drawn ones."""
    kind = UNSIGNED[campaign.domain.format.width]
    worst = [each.x for _, each in sorted(found.binades.items(), key=lambda item: -item[1].at_most)][:PARENTS]
    worst += [stratum.ulp.x for stratum in found.strata.values() if stratum.ulp.x]
    drawn = campaign.domain.patterns(0, min(PARENTS, campaign.domain.count))
    columns = list(zip(*worst, strict=True)) or [()] * campaign.domain.arguments
    return tuple(np.concatenate([np.array(column, kind), more]) for column, more in zip(columns, drawn, strict=True))


def edges(function: Definitely, format: Format, output: Format) -> Array:
    """Return the inputs on both sides of each place where results become subnormal, overflow, or leave the domain.

    Between the ends of neighbouring binades that differ in this, it is found by bisection.
    """
    kind = UNSIGNED[format.width]
    binade = 1 << format.fraction_bits
    ends = np.arange(0, 1 << format.width, binade, dtype=np.uint64)
    low, high = ends[:-1], ends[1:]
    for _ in range(format.fraction_bits + 1):
        middle = low + (high - low) // np.uint64(2)
        left = _region(function, low.astype(kind), format, output) == _region(
            function, middle.astype(kind), format, output
        )
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    differ = _region(function, low.astype(kind), format, output) != _region(function, high.astype(kind), format, output)
    return np.concatenate([low[differ], high[differ]]).astype(kind)


def _region(function: Definitely, patterns: Array, format: Format, output: Format) -> Array:
    """Return where each input lies: -1 special, else 0 regular, 1 subnormal, 2 overflow."""
    block = prepare(function, (patterns,), format, output)
    region = np.full(len(patterns), -1)
    with np.errstate(all="ignore"):
        size = np.minimum(np.abs(block.enclosures.lo), np.abs(block.enclosures.hi))
        overflow = size > float(output.largest)
        region[block.ordinary] = np.where(overflow, 2, np.where(size < float(output.smallest_normal), 1, 0))
    return region


def _children(parents: Patterns, count: int, format: Format, number: int) -> Patterns:
    """Return mutated copies: one bit flipped, a step of up to 64 numbers, or a new lower half."""
    counter = np.arange(count, dtype=np.uint64) + np.uint64(number * count)
    chosen = (scrambled(counter, 1) % np.uint64(len(parents[0]))).astype(np.int64)
    children = []
    for argument, parent in enumerate(parents):
        bits, how = scrambled(counter, 2 + 2 * argument), scrambled(counter, 3 + 2 * argument) % np.uint64(4)
        pattern, width = parent[chosen].astype(np.uint64), np.uint64(format.width)
        flipped = pattern ^ (np.uint64(1) << (bits % width))
        stepped = pattern + bits % np.uint64(129) - np.uint64(64)
        low = np.uint64((1 << (format.fraction_bits // 2)) - 1)
        renewed = pattern & ~low | bits & low
        mutated = np.select([how == 0, how == 1, how == 2], [flipped, stepped, renewed], pattern)
        children.append((mutated & np.uint64((1 << format.width) - 1)).astype(parent.dtype))
    return tuple(children)


def _fittest(
    function: Definitely, kernel: Kernel, patterns: Patterns, format: Format, output: Format, campaign: Campaign
) -> Patterns:
    """Return the inputs with the largest errors among the regular ones, each once."""
    whole = np.unique(np.stack([each.astype(np.uint64) for each in patterns]), axis=1)
    patterns = tuple(row.astype(each.dtype) for row, each in zip(whole, patterns, strict=True))
    block = prepare(function, patterns, format, output)
    y_bits = called(kernel, patterns, output)[block.ordinary]
    if output.precision < 53:
        scores = score(block.subnormal, y_bits, block.enclosures, campaign.rule(0))
        error = np.where((scores.stratum == REGULAR) & np.isfinite(scores.ulp_most), scores.ulp_most, -1.0)
    else:
        points = [point[block.ordinary] for point in block.points]
        error = _measured(function, points, bits_to_float64(y_bits, output), output)
        error = np.where(block.subnormal, -1.0, error)
    order = block.ordinary[np.argsort(-error, kind="stable")[:PARENTS]]
    return tuple(each[order] for each in patterns)


def _measured(function: Definitely, points: list[Array], y: Array, format: Format) -> Array:
    """Return the errors of binary64 outputs in ulp from the midpoints of balls: good enough to choose by."""
    elements = balls(function, points, PRECISION)
    with working_precision(PRECISION):
        differences = [
            float("nan") if f is None or not f.is_finite() else abs(float((f - arb(each)).mid()))
            for f, each in zip(elements, y.tolist(), strict=True)
        ]
    with np.errstate(all="ignore"):
        error = np.array(differences) / np.spacing(np.abs(y))
        plain = np.isfinite(error) & (np.abs(y) >= float(format.smallest_normal))
    return np.where(plain, error, -1.0)
