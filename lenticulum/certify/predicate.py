"""The machine form of a claim: what a certificate says of a result, as plain data."""

from __future__ import annotations

import math
from fractions import Fraction
from importlib.metadata import version
from typing import Any

from lenticulum.certify.campaign import definition_digest
from lenticulum.certify.certificate import format_fields
from lenticulum.certify.cross_check import conventions
from lenticulum.certify.enclosure import Definitely, interval64_available
from lenticulum.certify.result import CertifyResult
from lenticulum.certify.score import STRATA
from lenticulum.certify.shard import Maximum, Point, Stratum
from lenticulum.check.definition import parse
from lenticulum.numbers.formats import FORMATS

#: Engines of the maker, by distribution.
ENGINES = ("python-flint", "crival", "mpmath", "numpy")


def predicate(result: CertifyResult) -> dict[str, Any]:
    """Return the claim of a complete result as JSON data: bounds as hexadecimal floats, patterns as hexadecimal."""
    campaign, found = result.campaign, result.merged
    domain, definition = campaign.domain, parse(campaign.spec)
    width = domain.format.width
    checked = result.cross_check
    return {
        "definition": {
            "name": definition.entry.name,
            "conventions": {name: _word(choice) for name, choice in conventions(Definitely(definition).term).items()},
            "equation": definition.entry.equation,
            "sha256": definition_digest(campaign.spec),
        },
        "format": {"input": format_fields(domain.format), "output": format_fields(FORMATS[campaign.output])},
        "domain": {
            "enumeration": "bit patterns in increasing order" if domain.sample is None else "stratified sample",
            "arguments": domain.arguments,
            "first": 0,
            "count": domain.count,
            "seed": None if domain.sample is None else domain.seed,
        },
        "coverage": {
            "kind": "exhaustive" if domain.sample is None else "sampled",
            "words": result.coverage,
            "checked": found.inputs,
            "of": domain.total,
        },
        "mode": campaign.subjects[0].mode,
        "shape_class": "arrays of up to 65 536 elements, one axis",
        "environment": {"flushes": campaign.flushes[0], **result.surroundings},
        "strata": {name: _stratum(found.strata[name], width) for name in STRATA if name in found.strata},
        "special": {
            "count": found.special.count,
            "wrong": [{"x": _patterns(x, width), "y": hex(y), "expected": word} for x, y, word in found.special.wrong],
        },
        "verdict": {
            "word": result.verdict,
            "rule": "K <= 4 or running bound" if campaign.within is None else f"within {campaign.within} ulp",
            "within": None if campaign.within is None else str(campaign.within),
            "finding": _finding(result, width),
        },
        "outputs": {"leaf": domain.leaf, "leaves": len(found.leaves)},
        "engines": {
            "maker": {name: version(name) for name in ENGINES if name != "crival" or interval64_available()},
            "cross_check": checked
            and {"inputs": checked.inputs, "engines": list(checked.engines), "misses": len(checked.misses)},
        },
        "binades": [{"binade": key, **_maximum(found.binades[key], width)} for key in sorted(found.binades)],
        "not_claimed": list(result.not_claimed),
    }


def claim(result: CertifyResult) -> str:
    """Return the claim in one sentence."""
    campaign = result.campaign
    bound = max(found.ulp.at_most for found in result.merged.strata.values())
    return (
        f"For {result.coverage} of {campaign.domain.format.name}, {campaign.subjects[0].name} "
        f"({campaign.subjects[0].mode}) is within {bound.hex()} ulp of {campaign.spec}"
    )


def _word(choice: Any) -> str:
    return str(Fraction(choice)) if isinstance(choice, int | Fraction) and not isinstance(choice, bool) else str(choice)


def _stratum(found: Stratum, width: int) -> dict[str, Any]:
    return {
        "count": found.count,
        "accepted": dict(sorted(found.accepted.items())),
        "rejected": found.rejected,
        "correctly_rounded": found.correctly_rounded,
        "ulp": _maximum(found.ulp, width) if found.ulp.x else None,
        "K": _maximum(found.k, width) if found.k.x else None,
        "zero_sign": found.zero_sign,
        "no_number": found.no_number,
        "undecided": [_patterns(x, width) for x in found.undecided],
        "undecided_count": found.undecided_count,
    }


def _maximum(found: Maximum, width: int) -> dict[str, Any]:
    assert math.isfinite(found.at_most)
    return {
        "at_most": found.at_most.hex(),
        "at_least": found.at_least.hex(),
        "x": _patterns(found.x, width),
        "y": hex(found.y),
    }


def _patterns(point: Point, width: int) -> str:
    """Write the patterns of the arguments as one number: x, or x * 2^width + y."""
    value = 0
    for each in point:
        value = value << width | each
    return hex(value)


def _finding(result: CertifyResult, width: int) -> dict[str, Any] | None:
    finding = result.finding
    if finding is None:
        return None
    return {
        "kind": finding.kind,
        "x": _patterns(finding.x, width),
        "y": None if finding.y is None else hex(finding.y),
        "exact": finding.exact,
        "criterion": finding.criterion,
        "k": None if finding.k is None else finding.k.hex(),
        "stratum": finding.stratum,
        "matches": list(result.matches),
    }
