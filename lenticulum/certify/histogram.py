"""How many inputs have an error of which size, for a domain that is small enough to be looked through once more."""

from __future__ import annotations

import math

import numpy as np

from lenticulum.certify.block import prepare
from lenticulum.certify.enclosure import Definitely, balls, outward
from lenticulum.certify.result import CertifyResult
from lenticulum.certify.score import STRATA, standing_for
from lenticulum.certify.subject import UNSIGNED
from lenticulum.certify.verdict import scored
from lenticulum.check.definition import parse
from lenticulum.numbers import working_precision
from lenticulum.numbers.formats import FORMATS, Format, float64_ulp

Array = np.ndarray

#: The bits of a ball that places an error on one side of a power of two.
PRECISION = 384


def histograms(result: CertifyResult) -> dict[str, dict[str, int] | None]:
    """Return, for each stratum, the number of inputs by class of their error e in ulp, from the outputs of a result.

    Class 0: e <= 1/2; class k: 2^(k-2) < e <= 2^(k-1). None for a stratum with an error whose class is open.
    """
    campaign, domain = result.campaign, result.campaign.domain
    format = FORMATS[campaign.output]
    function = Definitely(parse(campaign.spec))
    block = prepare(function, domain.patterns(0, domain.count), domain.format, format)
    bits = np.frombuffer(result.outputs, np.dtype(UNSIGNED[format.width]).newbyteorder("<"))[block.ordinary]
    found: dict[str, dict[str, int] | None] = {name: {} for name in STRATA}
    if not block.ordinary.size:
        return found
    scores = scored(block, bits, campaign.rule(0))
    y = standing_for(bits, format, block.enclosures)
    lo, hi = block.enclosures.lo, block.enclosures.hi
    with np.errstate(all="ignore"):
        exact = (lo == hi) & (np.abs(lo) < float(format.overflow_threshold))
        known = np.abs(y - lo) / float64_ulp(np.abs(lo), format)
    # An error that is known exactly may be the end of a class; others are widened by their roundings.
    low = error_class(np.where(exact, known, scores.ulp_least))
    high = error_class(np.where(exact, known, scores.ulp_most))
    for row in np.flatnonzero((low != high) & np.isfinite(scores.ulp_most)):
        point = [float(each[block.ordinary[row]]) for each in block.points]
        ends = _ends(function, point, float(y[row]), format)
        low[row], high[row] = error_class(np.array(ends))
    for number, name in enumerate(STRATA):
        rows = (scores.stratum == number) & np.isfinite(scores.ulp_most) & (scores.rounding >= 0)
        classes, counts = np.unique(low[rows], return_counts=True)
        same = bool((low[rows] == high[rows]).all())
        found[name] = {str(k): int(n) for k, n in zip(classes, counts, strict=True)} if same else None
    return found


def _ends(function: Definitely, point: list[float], y: float, format: Format) -> tuple[float, float]:
    """Return the ends of an error in ulp from a narrow ball: both sides of a class only if nothing decides it."""
    element = balls(function, [np.array([x]) for x in point], PRECISION)[0]
    if element is None or not element.is_finite():
        return 0.0, math.inf
    with working_precision(PRECISION):
        size = float(min(abs(element.lower()), abs(element.upper())))
        error = abs(element - y) / float(float64_ulp(np.array([size]), format)[0])
    low, high, _ = outward(error)
    return max(low, 0.0), high


def error_class(error: Array) -> Array:
    """Return the classes of errors.

    >>> error_class(np.array([0.0, 0.5, 0.51, 1.0, 1.5, 2.0, 2.5])).tolist()
    [0, 0, 1, 1, 2, 2, 3]
    """
    mantissa, exponent = np.frexp(np.where(np.isfinite(error), error, 0.0))
    # error = mantissa 2^exponent with 1/2 <= mantissa < 1, so ceil(log2(error)) is exponent, less 1 at powers of two.
    return np.maximum(exponent - (mantissa == 0.5) + 1, 0) * (error > 0.5)
