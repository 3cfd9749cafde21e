"""Single inputs of a run looked at once more: stratum, error in ulp, K, and the error at which K would be 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lenticulum.certify.block import prepare
from lenticulum.certify.campaign import Campaign
from lenticulum.certify.condition import slopes
from lenticulum.certify.enclosure import Definitely
from lenticulum.certify.exact_score import exact_scores
from lenticulum.certify.explain import exact_decimal
from lenticulum.certify.result import CertifyResult
from lenticulum.certify.rule import K_LIMIT
from lenticulum.certify.score import OVERFLOW, STRATA, mixed_errors, score
from lenticulum.certify.shard import Point
from lenticulum.certify.subject import UNSIGNED
from lenticulum.check.definition import parse
from lenticulum.numbers.formats import FORMATS, float64_ulp


@dataclass(frozen=True)
class Appraisal:
    """An input and what was returned there, with (least, most) of the error in ulp and of K.

    `allowed`: the error in ulp at which K is 4. `stratum` is None for a special input, where no error is measured.
    """

    x: Point
    y: int
    stratum: str | None = None
    ulp: tuple[float, float] | None = None
    k: tuple[float, float] | None = None
    allowed: float | None = None


def appraise(campaign: Campaign, pairs: Sequence[tuple[Point, int]]) -> list[Appraisal]:
    """Return what is known of (input, output) pairs of the first subject of a campaign."""
    if not pairs:
        return []
    format, rule = FORMATS[campaign.output], campaign.rule(0)
    kind = UNSIGNED[campaign.domain.format.width]
    patterns = tuple(np.array(column, kind) for column in zip(*(x for x, _ in pairs), strict=True))
    y_bits = np.array([y for _, y in pairs], UNSIGNED[format.width])
    block = prepare(Definitely(parse(campaign.spec)), patterns, campaign.domain.format, format)
    rows, found = block.ordinary, block.enclosures
    appraised = [Appraisal(x, y) for x, y in pairs]
    if not rows.size:
        return appraised
    points, given = [point[rows] for point in block.points], y_bits[rows]
    if format.precision >= 53:
        scores, k_least, k_most = exact_scores(block, points, given, rule)
    else:
        scores = score(block.subnormal, given, found, rule)
        k_least, k_most = mixed_errors(lambda at: slopes(block.function, at), points, given, found, rule)
    condition = np.where(scores.stratum == OVERFLOW, 0.0, slopes(block.function, points)[0])
    size = np.minimum(np.maximum(np.maximum(found.lo, -found.hi), 0.0), float(format.largest))
    spacing = float64_ulp(size, format)
    eta = format.smallest_normal if rule.flushes else format.smallest_subnormal / 2
    excused = np.array([float(eta / Fraction(each)) for each in spacing.tolist()])
    with np.errstate(over="ignore"):
        allowed = K_LIMIT * (rule.unit * (condition / spacing + size / spacing) + excused)
    for place, row in enumerate(rows):
        x, y = pairs[row]
        appraised[row] = Appraisal(
            x,
            y,
            STRATA[scores.stratum[place]],
            (float(scores.ulp_least[place]), float(scores.ulp_most[place])),
            (float(k_least[place]), float(k_most[place])),
            float(allowed[place]),
        )
    return appraised


@dataclass(frozen=True)
class Worst:
    """An input that is the worst in some way, in words, with the exact value in twenty digits."""

    what: tuple[str, ...]
    at: Appraisal
    exact: str


def worst_inputs(result: CertifyResult) -> list[Worst]:
    """Return the finding, and the inputs with the largest error and the largest K of each stratum, each input once."""
    words: dict[tuple[Point, int], list[str]] = {}
    if result.finding is not None and result.finding.y is not None:
        words.setdefault((result.finding.x, result.finding.y), []).append("worst rejected input")
    for name, found in result.merged.strata.items():
        for metric, maximum in (("error", found.ulp), ("K", found.k)):
            if maximum.x:
                words.setdefault((maximum.x, maximum.y), []).append(f"largest {metric}, {name}")
    appraised = appraise(result.campaign, list(words))
    return [Worst(tuple(what), at, _exact(result, at)) for what, at in zip(words.values(), appraised, strict=True)]


def _exact(result: CertifyResult, at: Appraisal) -> str:
    if at.stratum is None and result.finding is not None:
        return result.finding.exact
    return exact_decimal(result.campaign, at.x)
