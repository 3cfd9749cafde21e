"""What is seen of a subject's calls beside the numbers: that they repeat, and that none of them is misconduct."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lenticulum.certify.campaign import BLOCK, Campaign, canonical, leaves
from lenticulum.certify.coverage import coverage, not_claimed
from lenticulum.certify.explain import witness
from lenticulum.certify.misconduct import Misconduct, called
from lenticulum.certify.result import CertifyResult, Conduct, WholeFinding
from lenticulum.certify.search import search
from lenticulum.certify.shapes import compare_modes, compare_shapes
from lenticulum.certify.shard import Point, ShardResult, point_at
from lenticulum.certify.subject import UNSIGNED
from lenticulum.certify.surroundings import surroundings
from lenticulum.numbers.formats import FORMATS

Array = np.ndarray


def observe(campaign: Campaign, found: ShardResult) -> Conduct:
    """Return what more calls of the subject of a finished run show: the first finding, and all notes."""
    seen = Conduct()
    for look in (repeated, compare_shapes, compare_modes, search):
        try:
            more = look(campaign, found)
        except Misconduct as wrong:
            more = as_conduct(campaign, wrong)
        first = seen if seen.finding is not None else more
        seen = Conduct((*seen.notes, *more.notes), first.finding, first.witness)
    return seen


def repeated(campaign: Campaign, found: ShardResult) -> Conduct:
    """Return a finding if two calls on the same inputs differ in their bits, or one of them from the run.

    Such a subject has no outputs that a certificate could state, however small their errors are.
    """
    kernel, output, domain = campaign.subjects[0].opened(), FORMATS[campaign.output], campaign.domain
    shards = list(domain.shards())
    for first, count in sorted({shards[0], shards[len(shards) // 2], shards[-1]}):
        patterns = domain.patterns(first, min(count, BLOCK))
        one, two = (canonical(called(kernel, patterns, output), output) for _ in range(2))
        rows = np.flatnonzero(one != two)
        if rows.size:
            words = f"called twice on the same {one.size} inputs, {rows.size} outputs differ: 0x{int(one[rows[0]]):x} "
            words += f"and then 0x{int(two[rows[0]]):x} here"
            return _not_repeated(campaign, patterns, int(rows[0]), int(two[rows[0]]), words)
        stored = leaves(one.tobytes(), first, domain, one.itemsize)
        changed = [leaf for leaf, digest in stored.items() if found.leaves.get(leaf, digest) != digest]
        if changed:
            row = changed[0] * domain.leaf - first
            words = f"called again on the inputs of leaf {changed[0]}, it returns other outputs than in the run"
            return _not_repeated(campaign, patterns, row, None, words)
    return Conduct()


def _not_repeated(campaign: Campaign, patterns: tuple[Array, ...], row: int, y: int | None, words: str) -> Conduct:
    x = point_at(patterns, row)
    finding = WholeFinding("nondeterministic", x, y, "", "bits", None, "", words)
    program = witness(campaign, patterns)
    return Conduct((), finding, (*program, program[-1].replace("got", "again", 1)))


def in_its_place(result: CertifyResult) -> CertifyResult:
    """Return the result with a finding that says so if the worst output is another one where its input stands alone."""
    finding, campaign = result.finding, result.campaign
    if finding is None or finding.y is None or not finding.stratum or finding.kind == "shape-dependent":
        return result
    output, kind = FORMATS[campaign.output], UNSIGNED[campaign.domain.format.width]
    try:
        alone = called(campaign.subjects[0].opened(), tuple(np.array([each], kind) for each in finding.x), output)
    except Misconduct:
        return result
    y = np.array([finding.y], alone.dtype)
    if canonical(alone, output) == canonical(y, output):
        return result
    patterns, row = _block_of(campaign, finding.x)
    words = f"as element {row} of an array of {patterns[0].size}; alone the same input gives 0x{int(alone[0]):x}"
    program = witness(campaign, patterns)
    program[-1] += f"[{row}]"
    return replace(
        result, finding=replace(finding, kind="shape-dependent", words=words), witness=tuple(program), matches=()
    )


def _block_of(campaign: Campaign, x: Point) -> tuple[tuple[Array, ...], int]:
    """Return the array in which an input of the domain stood in the run, and its place there."""
    for first, count in campaign.domain.shards():
        for start in range(first, first + count, BLOCK):
            patterns = campaign.domain.patterns(start, min(BLOCK, first + count - start))
            rows = np.flatnonzero(np.all([each == value for each, value in zip(patterns, x, strict=True)], axis=0))
            if rows.size:
                return patterns, int(rows[0])
    raise ValueError(f"{x} is no input of the domain")


def as_conduct(campaign: Campaign, wrong: Misconduct) -> Conduct:
    """Return misconduct as a finding."""
    size = wrong.patterns[0].size
    where = "" if size == 1 else f", in an array of {size} inputs that begins there"
    finding = WholeFinding(wrong.kind, point_at(wrong.patterns, 0), None, "", "", None, "", wrong.words + where)
    return Conduct((), finding, tuple(witness(campaign, wrong.patterns)))


def stopped(campaign: Campaign, found: ShardResult, wrong: Misconduct, seconds: float) -> CertifyResult:
    """Return the result of a run that misconduct ended: it differs, whatever the finished shards say."""
    seen = as_conduct(campaign, wrong)
    return CertifyResult(
        verdict="differs",
        campaign=campaign,
        merged=found,
        coverage=coverage(campaign.domain, found.inputs),
        finding=seen.finding,
        witness=seen.witness,
        surroundings=surroundings(campaign.subjects[0].backend),
        notes=("the run ended at this input",),
        not_claimed=not_claimed(campaign),
        seconds=seconds,
    )
