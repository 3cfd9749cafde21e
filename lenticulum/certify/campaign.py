"""A campaign: one definition, one or more subjects, one domain; and the work of one shard of it.

Subjects share the enclosures, which cost most. A campaign is plain data that crosses processes; what a shard returns is
a function of the campaign and the shard alone.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from lenticulum.certify.block import prepare
from lenticulum.certify.domain import Domain
from lenticulum.certify.enclosure import Definitely
from lenticulum.certify.misconduct import called
from lenticulum.certify.rule import Rule
from lenticulum.certify.shard import ShardResult
from lenticulum.certify.subject import Kernel, Subject
from lenticulum.certify.verdict import judge, sharpen
from lenticulum.check.definition import parse
from lenticulum.numbers.formats import FORMATS, Format, encode, nan_bits

Array = np.ndarray

#: Inputs that are worked on at a time: they stay in the cache of a core.
BLOCK = 1 << 16


@dataclass(frozen=True)
class Campaign:
    """What is run, and what it is judged by.

    `digests`: of each subject's program or source; `environment`: a digest of the versions and the machine that the
    results belong to: results of another environment are never merged. `flushes`: for each subject, whether its library
    flushes subnormal numbers here. `within`: a bound in ulp instead of the default verdict.
    """

    spec: str
    subjects: tuple[Subject, ...]
    digests: tuple[str, ...]
    domain: Domain
    output: str
    flushes: tuple[bool, ...]
    environment: str
    within: Fraction | None = None
    intervals: bool = True

    def key(self) -> str:
        """Return the SHA-256 of everything that determines the result of a shard.

        The definition is in it as the digest of its source, so an edited definition starts anew.
        """
        subjects = [(s.name, s.backend, s.dtype, s.mode, list(s.bind)) for s in self.subjects]
        domain = (self.domain.dtype, self.domain.arguments, self.domain.sample, self.domain.seed)
        data = [self.spec, definition_digest(self.spec), subjects, self.digests, domain, self.output, self.flushes]
        data += [self.environment, str(self.within), self.intervals]
        return hashlib.sha256(json.dumps(data, sort_keys=True, default=str).encode()).hexdigest()

    def rule(self, place: int) -> Rule:
        """Return the rule for one subject."""
        return Rule(FORMATS[self.output], self.flushes[place], self.within)


@lru_cache(maxsize=64)
def definition_digest(spec: str) -> str:
    """Return the SHA-256 of what gives a definition its meaning: its function, its term, and its conventions."""
    definition = parse(spec)
    parts = [str(definition), inspect.getsource(definition.entry.spec()), inspect.getsource(definition.entry.term)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@dataclass(frozen=True)
class Done:
    """The result of a shard for each subject, and the outputs of 8- and 16-bit formats as little-endian bytes."""

    first: int
    count: int
    results: tuple[ShardResult, ...]
    outputs: tuple[bytes, ...]


def run_shard(campaign: Campaign, first: int, count: int) -> Done:
    """Judge every subject of a campaign on a range of inputs.

    Raises: Misconduct if a subject raises, changes its input, or returns another format or shape than before.
    """
    function, kernels = _opened(campaign)
    domain = campaign.domain
    results = tuple(ShardResult() for _ in kernels)
    outputs: tuple[list[bytes], ...] = tuple([] for _ in kernels)
    for start in range(first, first + count, BLOCK):
        patterns = domain.patterns(start, min(BLOCK, first + count - start))
        block = prepare(function, patterns, domain.format, FORMATS[campaign.output], intervals=campaign.intervals)
        for place, kernel in enumerate(kernels):
            y_bits = called(kernel, patterns, FORMATS[campaign.output])
            judge(block, y_bits, campaign.rule(place), results[place])
            stored = canonical(y_bits, FORMATS[campaign.output]).tobytes()
            results[place].leaves.update(leaves(stored, start, domain, y_bits.itemsize))
            if y_bits.itemsize <= 2:
                outputs[place].append(stored)
    for place, result in enumerate(results):
        sharpen(function, domain.format, campaign.rule(place), result)
    return Done(first, count, results, tuple(b"".join(parts) for parts in outputs))


@lru_cache(maxsize=8)
def _opened(campaign: Campaign) -> tuple[Definitely, tuple[Kernel, ...]]:
    """Return the definition and the kernels, opened once in each process."""
    return Definitely(parse(campaign.spec)), tuple(subject.opened() for subject in campaign.subjects)


def canonical(y_bits: Array, format: Format) -> Array:
    """Return the patterns in little-endian order with one pattern for every NaN, so that payloads do not matter."""
    nan = nan_bits(y_bits, format)
    if nan.any():
        y_bits = np.where(nan, np.array(encode(math.nan, format), y_bits.dtype), y_bits)
    return y_bits.astype(y_bits.dtype.newbyteorder("<"), copy=False)


def leaves(stored: bytes, start: int, domain: Domain, size: int) -> dict[int, str]:
    """Return the hashes of the leaves that the stored outputs from an index on fill."""
    length = domain.leaf * size
    return {
        start // domain.leaf + number: hashlib.sha256(b"\x00" + stored[offset : offset + length]).hexdigest()
        for number, offset in enumerate(range(0, len(stored), length))
    }


def merged(parts: list[Done], place: int) -> Any:
    """Return the result of one subject over several shards."""
    result = ShardResult()
    for part in sorted(parts, key=lambda each: each.first):
        result.merge(part.results[place])
    return result
