"""Whether a result depends on the shape of the array it stands in, or on compilation: bits against bits.

Bits that differ are noted. They are a finding where the rule of the run rejects one of the results: other code for the
remainder of a vector loop may round otherwise, and may not be wrong.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lenticulum.certify.block import prepare
from lenticulum.certify.campaign import Campaign, canonical
from lenticulum.certify.domain import Domain
from lenticulum.certify.enclosure import Definitely
from lenticulum.certify.explain import rejects, witness, worst_of
from lenticulum.certify.misconduct import called
from lenticulum.certify.result import Conduct
from lenticulum.certify.shard import ShardResult, point_at
from lenticulum.certify.subject import MODES, UNSIGNED, Kernel
from lenticulum.certify.verdict import judge
from lenticulum.check.definition import parse
from lenticulum.check.target import one_line
from lenticulum.numbers.formats import FORMATS

Array = np.ndarray
Patterns = tuple[Array, ...]

#: Lengths around the width of vector registers, and one more than powers of two.
LENGTHS = (*range(1, 18), 31, 32, 33, 127, 129, 1023, 1025)

#: How many stratified inputs are compared beside the worst ones.
COMPARED = 1025


def compare_shapes(campaign: Campaign, found: ShardResult) -> Conduct:
    """Return what is seen of inputs as scalars and in arrays of other lengths.

    The worst inputs of each stratum and binade come first, so that they stand alone, in short arrays, and in the
    remainder of longer ones.
    """
    kernel, output = campaign.subjects[0].opened(), FORMATS[campaign.output]
    patterns = _sample(campaign, found)
    whole = tuple(np.resize(each, 65_536) for each in patterns)
    reference = called(kernel, whole, output)[: len(patterns[0])]
    notes = _as_scalars(campaign, kernel, patterns, reference)
    differing = 0
    for length in LENGTHS:
        for part in (slice(length), slice(-length, None)):
            given, expected = tuple(each[part] for each in patterns), reference[part]
            got = called(kernel, given, output)
            rows = _differing(campaign, expected, got)
            if rows.size:
                differing += 1
                words = f"{rows.size} of {got.size} differ in arrays of length {length}"
                notes += [f"shape-dependent: {words}, {_such_as(given, int(rows[0]), got, expected)}"]
                seen = _rejected(campaign, given, rows, got, expected)
                if seen is not None:
                    return seen
    if differing > 2:
        notes = [*notes[: 2 - differing], f"and in {differing - 2} other arrays"]
    return Conduct(tuple(notes) or ("the same bits as scalars and in arrays of 1 to 17 and up to 65 536 elements",))


def _sample(campaign: Campaign, found: ShardResult) -> Patterns:
    kind = UNSIGNED[campaign.domain.format.width]
    worst = [s.ulp.x for s in found.strata.values() if s.ulp.x] + [s.k.x for s in found.strata.values() if s.k.x]
    worst += [each.x for _, each in sorted(found.binades.items(), key=lambda item: -item[1].at_most)][:64]
    drawn = Domain(campaign.domain.dtype, campaign.domain.arguments, sample=COMPARED).patterns(0, COMPARED)
    columns = list(zip(*worst, strict=True)) or [()] * campaign.domain.arguments
    return tuple(np.concatenate([np.array(column, kind), more]) for column, more in zip(columns, drawn, strict=True))


def _as_scalars(campaign: Campaign, kernel: Kernel, patterns: Patterns, reference: Array) -> list[str]:
    """Return notes on scalars: the claim is about arrays, so a subject need not take them."""
    count = min(17, len(patterns[0]))
    try:
        alone = np.array([_alone(kernel, patterns, row) for row in range(count)], reference.dtype)
    except Exception as error:
        return [f"it takes no scalars ({one_line(error)})"]
    rows = _differing(campaign, reference[:count], alone)
    if not rows.size:
        return []
    such_as = _such_as(patterns, int(rows[0]), alone, reference)
    return [f"shape-dependent: {rows.size} of {count} differ as scalars, {such_as}"]


def _alone(kernel: Kernel, patterns: Patterns, row: int) -> int:
    return int(np.reshape(kernel(*(np.array(each[row]) for each in patterns))[0], ()))


def _differing(campaign: Campaign, expected: Array, got: Array) -> Array:
    format = FORMATS[campaign.output]
    return np.flatnonzero(canonical(expected, format) != canonical(got, format))


def _such_as(patterns: Patterns, row: int, got: Array, expected: Array) -> str:
    x = ", ".join(f"0x{each:x}" for each in point_at(patterns, row))
    return f"such as x = {x}: 0x{int(got[row]):x} there, 0x{int(expected[row]):x} in an array of 65 536"


def _rejected(campaign: Campaign, given: Patterns, rows: Array, got: Array, expected: Array) -> Conduct | None:
    """Return the finding if the rule of the run rejects a result that differs."""
    chosen, domain = tuple(each[rows] for each in given), campaign.domain
    function = Definitely(parse(campaign.spec))
    block = prepare(function, chosen, domain.format, FORMATS[campaign.output], intervals=campaign.intervals)
    judged = judge(block, got[rows], campaign.rule(0), ShardResult())
    if not rejects(judged):
        return None
    finding = worst_of(campaign, judged)
    places = (int(row) for row in rows if point_at(given, row) == finding.x and int(got[row]) == finding.y)
    place = next(places)
    words = f"as element {place} of an array of {got.size}; in an array of 65 536 the same input gives "
    words += f"0x{int(expected[place]):x}"
    program = witness(campaign, given)
    program[-1] += f"[{place}]"
    return Conduct((), replace(finding, kind="shape-dependent", words=words), tuple(program))


def compare_modes(campaign: Campaign, found: ShardResult) -> Conduct:
    """Return a note on how many outputs have other bits in the other mode of a JAX function."""
    del found
    subject, output = campaign.subjects[0], FORMATS[campaign.output]
    others = [mode for mode in MODES[subject.backend] if mode != subject.mode]
    if not others:
        return Conduct()
    count = min(campaign.domain.count, 65_536)
    domain = campaign.domain if campaign.domain.count == count else replace(campaign.domain, sample=count)
    patterns = domain.patterns(0, count)
    here = called(subject.opened(), patterns, output)
    try:
        there, format = replace(subject, mode=others[0]).opened()(*patterns)
    except Exception as error:
        return Conduct((f"{others[0]}: it does not run ({one_line(error)})",))
    if format != output or there.shape != here.shape:
        return Conduct((f"{others[0]}: it returns {format.name} of shape {list(there.shape)}",))
    differing = _differing(campaign, here, there).size
    return Conduct((f"{subject.mode} and {others[0]}: {differing} of {count} outputs have other bits",))
