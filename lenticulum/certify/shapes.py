"""Whether a result depends on the shape of the array it stands in, or on compilation: bits against bits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lenticulum.certify.campaign import Campaign
from lenticulum.certify.domain import Domain
from lenticulum.certify.shard import ShardResult
from lenticulum.certify.subject import MODES, UNSIGNED, Kernel
from lenticulum.numbers.formats import FORMATS, bits_to_float64

Array = np.ndarray

#: Lengths around the width of vector registers, and one more than powers of two.
LENGTHS = (*range(1, 18), 31, 32, 33, 127, 129, 1023, 1025)

#: How many stratified inputs are compared beside the worst ones.
COMPARED = 1025


def compare_shapes(campaign: Campaign, found: ShardResult) -> list[str]:
    """Return notes on inputs whose result has other bits as a scalar or in an array of another length.

    The worst inputs of each stratum and binade come first, so that they stand alone, in short arrays, and in the
    remainder of longer ones.
    """
    kernel = campaign.subjects[0].opened()
    patterns = _sample(campaign, found)
    whole = tuple(np.resize(each, 65_536) for each in patterns)
    reference = kernel(*whole)[0][: len(patterns[0])]
    notes: list[str] = []
    scalars = min(17, len(patterns[0]))
    alone = np.array([_alone(kernel, patterns, row) for row in range(scalars)], reference.dtype)
    notes += _differing(campaign, "as scalars", patterns, reference[:scalars], alone)
    for length in LENGTHS:
        got = [kernel(*(each[:length] for each in patterns))[0], kernel(*(each[-length:] for each in patterns))[0]]
        ends, expected = tuple(_ends(each, length) for each in patterns), _ends(reference, length)
        notes += _differing(campaign, f"in arrays of length {length}", ends, expected, np.concatenate(got))
    if len(notes) > 2:
        notes = [*notes[:2], f"and at {len(notes) - 2} other lengths"]
    return notes or ["the same bits as scalars and in arrays of 1 to 17 and up to 65 536 elements"]


def _sample(campaign: Campaign, found: ShardResult) -> tuple[Array, ...]:
    kind = UNSIGNED[campaign.domain.format.width]
    worst = [s.ulp.x for s in found.strata.values() if s.ulp.x] + [s.k.x for s in found.strata.values() if s.k.x]
    worst += [each.x for _, each in sorted(found.binades.items(), key=lambda item: -item[1].at_most)][:64]
    drawn = Domain(campaign.domain.dtype, campaign.domain.arguments, sample=COMPARED).patterns(0, COMPARED)
    columns = list(zip(*worst, strict=True)) or [()] * campaign.domain.arguments
    return tuple(np.concatenate([np.array(column, kind), more]) for column, more in zip(columns, drawn, strict=True))


def _alone(kernel: Kernel, patterns: tuple[Array, ...], row: int) -> int:
    return int(np.reshape(kernel(*(np.asarray(each[row]) for each in patterns))[0], ()))


def _ends(array: Array, length: int) -> Array:
    return np.concatenate([array[:length], array[-length:]])


def _differing(campaign: Campaign, where: str, patterns: tuple[Array, ...], expected: Array, got: Array) -> list[str]:
    format = FORMATS[campaign.output]
    nan = np.isnan(bits_to_float64(expected, format)) & np.isnan(bits_to_float64(got, format))
    rows = np.flatnonzero((expected != got) & ~nan)
    if not rows.size:
        return []
    row = rows[0]
    x = ", ".join(f"0x{int(each[row]):x}" for each in patterns)
    return [
        f"shape-dependent: {rows.size} of {got.size} differ {where}, such as x = {x}: "
        f"0x{int(got[row]):x} there, 0x{int(expected[row]):x} in an array of 65 536"
    ]


def compare_modes(campaign: Campaign) -> list[str]:
    """Return a note on how many outputs have other bits in the other mode of a JAX function."""
    subject = campaign.subjects[0]
    others = [mode for mode in MODES[subject.backend] if mode != subject.mode]
    if not others:
        return []
    count = min(campaign.domain.count, 65_536)
    domain = campaign.domain if campaign.domain.count == count else replace(campaign.domain, sample=count)
    patterns = domain.patterns(0, count)
    here, there = subject.opened()(*patterns)[0], replace(subject, mode=others[0]).opened()(*patterns)[0]
    format = FORMATS[campaign.output]
    nan = np.isnan(bits_to_float64(here, format)) & np.isnan(bits_to_float64(there, format))
    differing = int(((here != there) & ~nan).sum())
    return [f"{subject.mode} and {others[0]}: {differing} of {count} outputs have other bits"]
