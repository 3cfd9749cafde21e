"""The certificate of a result: what a campaign counted, in the form of a certificate."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from lenticulum.certify.certificate import Certificate, build
from lenticulum.certify.checker.claim import read_pattern, write_pattern
from lenticulum.certify.checker.formats import FloatFormat
from lenticulum.certify.checker.outputs import canonical_nan, is_nan
from lenticulum.certify.histogram import histograms
from lenticulum.certify.predicate import predicate
from lenticulum.certify.result import CertifyResult
from lenticulum.certify.shard import Stratum
from lenticulum.check.errors import CallError
from lenticulum.numbers.formats import FORMATS


def certificate_of(result: CertifyResult, name: str) -> Certificate:
    """Return the certificate of a complete result; `name` is the stem of its sidecars.

    Raises: CallError if the run is not complete, or if engines contradicted one another, which voids it.
    """
    campaign, found = result.campaign, result.merged
    if not result.complete:
        raise CallError(f"the run is not complete ({result.coverage}); a certificate needs all of its shards")
    if result.cross_check is not None and result.cross_check.misses:
        raise CallError(f"two engines contradict one another, so nothing is claimed: {result.cross_check.misses[0]}")
    if any(stratum.undecided_count > len(stratum.undecided) for stratum in found.strata.values()):
        raise CallError("more inputs are undecided than a certificate lists; nothing can be claimed")
    counted, subject, domain = predicate(result), campaign.subjects[0], campaign.domain
    exhaustive = domain.sample is None
    size = FORMATS[campaign.output].width // 8
    outputs = result.outputs if exhaustive and len(result.outputs) == domain.count * size else None
    classes = histograms(result) if outputs is not None else {}
    width, format = domain.arguments * domain.format.width, FloatFormat(**counted["format"]["output"])
    finding = counted["verdict"]["finding"]
    fields: dict[str, Any] = {
        **{key: counted[key] for key in ("definition", "format", "mode", "shape_class", "environment", "not_claimed")},
        "arguments": domain.arguments,
        "coverage": {
            "kind": counted["coverage"]["kind"],
            "checked": found.inputs,
            "seed": None if exhaustive else domain.seed,
        },
        "strata": {
            each: _stratum(found.strata[each], stratum, classes.get(each), width, format)
            for each, stratum in counted["strata"].items()
        },
        "special": {
            "count": found.special.count,
            "wrong_count": found.special.wrong_count,
            "wrong": [_spelled(wrong, width, format) for wrong in counted["special"]["wrong"]],
        },
        "within": counted["verdict"]["within"],
        "finding": finding and _spelled({key: finding[key] for key in ("kind", "x", "y", "exact", "k")}, width, format),
        "engines": {
            "maker": counted["engines"]["maker"],
            "cross_check": counted["engines"]["cross_check"] or {"inputs": 0, "engines": [], "misses": 0},
        },
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "cost": {"seconds": round(result.seconds, 3)},
    }
    bound = ", ".join(f"{key}={json.dumps(value)}" for key, value in subject.bind)
    leaves = None
    if exhaustive and outputs is None:
        leaves = [bytes.fromhex(found.leaves[number]) for number in range(len(found.leaves))]
    return build(
        subject.name + (f" with {bound}" if bound else ""),
        campaign.digests[0],
        fields,
        name=name,
        outputs=outputs,
        leaves=leaves,
    )


def _stratum(
    found: Stratum, counted: dict[str, Any], classes: dict[str, int] | None, width: int, format: FloatFormat
) -> dict[str, Any]:
    if counted["K"] is None and counted["ulp"] is not None and found.ulp.at_most == 0:
        # Where no output has an error, there was nothing to compute K for.
        counted = {**counted, "K": counted["ulp"]}
    return {
        **counted,
        **{metric: counted[metric] and _spelled(counted[metric], width, format) for metric in ("ulp", "K")},
        "no_number": counted["no_number"] + len(counted["undecided"]),
        "histogram": classes,
        "undecided": [write_pattern(read_pattern(x), width) for x in counted["undecided"]],
    }


def _spelled(point: dict[str, Any], width: int, format: FloatFormat) -> dict[str, Any]:
    """Return an input and an output with all digits of their patterns, and the one NaN that a certificate has."""
    if point["y"] is None:
        return {**point, "x": None}
    x, y = (read_pattern(point[role]) for role in ("x", "y"))
    y = canonical_nan(format) if is_nan(y, format) else y
    return {**point, "x": write_pattern(x, width), "y": write_pattern(y, format.width)}
