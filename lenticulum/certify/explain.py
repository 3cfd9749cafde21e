"""What a difference is: its kind, a witness to paste, and the conventions that the subject follows instead."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from lenticulum.certify.block import prepare
from lenticulum.certify.campaign import Campaign
from lenticulum.certify.cross_check import CrossCheck
from lenticulum.certify.enclosure import Definitely, balls
from lenticulum.certify.result import CertifyResult, WholeFinding
from lenticulum.certify.shard import STRATA_WORST_FIRST, Point, ShardResult
from lenticulum.certify.subject import UNSIGNED
from lenticulum.certify.verdict import judge
from lenticulum.check.definition import parse
from lenticulum.numbers.formats import FORMATS, Format, bits_to_float64, decode

Array = np.ndarray


def verdict_of(
    found: ShardResult, complete: bool, checked: CrossCheck | None, about_runs: WholeFinding | None = None
) -> str:
    """Return the verdict: one rejected input or wrong special value differs; undecided inputs leave it undecided.

    Arguments: `about_runs`: what is wrong with the calls of the subject, whatever numbers they returned.
    """
    if checked is not None and checked.misses:
        return "undecided"
    if rejects(found) or about_runs is not None:
        return "differs"
    if any(sum(s.accepted.values()) + s.rejected < s.count for s in found.strata.values()):
        return "undecided"
    return "conforms" if complete else "not covered"


def rejects(found: ShardResult) -> bool:
    """Return whether an output was rejected."""
    return bool(found.special.wrong_count) or any(stratum.rejected for stratum in found.strata.values())


def explain(result: CertifyResult) -> CertifyResult:
    """Return the result with the finding, its kind, a program that shows it, and matching conventions.

    A result without a rejected output keeps the finding that it has; so does one whose outputs do not repeat.
    """
    if not rejects(result.merged) or (result.finding is not None and result.finding.kind == "nondeterministic"):
        return result
    finding = worst_of(result.campaign, result.merged)
    if finding.kind == "formula":
        finding = replace(finding, kind=formula_or_rounding(result.campaign, finding))
    program = witness(result.campaign, tuple(np.array([each]) for each in finding.x))
    rejected = any(stratum.rejected for stratum in result.merged.strata.values())
    return replace(result, finding=finding, witness=tuple(program), matches=matches(result) if rejected else ())


def worst_of(campaign: Campaign, found: ShardResult) -> WholeFinding:
    """Return the worst rejected input: of the regular stratum if there is one, else a special value, else another."""
    format = FORMATS[campaign.output]
    for name in STRATA_WORST_FIRST:
        if name == "special" and found.special.wrong:
            x, y, expected = found.special.wrong[0]
            return WholeFinding("special-value", x, y, expected, "K", None, "special input")
        worst = None if name == "special" else found.strata[name].worst_rejected
        if worst is not None and worst.x:
            value = decode(worst.y, format)
            kind = _kind(name, float(value), campaign.flushes[0])
            k = worst.at_least if math.isfinite(worst.at_least) else None
            criterion = "K" if campaign.within is None else "ulp"
            return WholeFinding(kind, worst.x, worst.y, exact_decimal(campaign, worst.x), criterion, k, name)
    raise AssertionError("a result that differs has a rejected input")


def _kind(stratum: str, y: float, flushes: bool) -> str:
    if math.isnan(y):
        return "special-value"
    if math.isinf(y) or stratum == "overflow":
        return "overflow"
    return "flush" if y == 0 and stratum == "subnormal result" and not flushes else "formula"


def exact_decimal(campaign: Campaign, x: Point) -> str:
    """Return the exact value at a point with twenty digits.

    >>> from lenticulum.certify.domain import Domain
    >>> exact_decimal(Campaign("exp", (), (), Domain("float16", 1), "float16", (), ""), (0x3C00,))
    '2.7182818284590452354'
    """
    points = [np.array([x64]) for x64 in floats(x, campaign.domain.format)]
    element = balls(Definitely(parse(campaign.spec)), points, 256)[0]
    return "undecided" if element is None else element.str(20, radius=False)


def floats(x: Sequence[int], format: Format) -> list[float]:
    """Return the numbers that patterns mean."""
    return [float(bits_to_float64(np.array([each], UNSIGNED[format.width]), format)[0]) for each in x]


def formula_or_rounding(campaign: Campaign, finding: WholeFinding) -> str:
    """Return "rounding" if the error shrinks when the subject runs in a wider format, else "formula".

    From p to p' bits a rounding error shrinks about 2^(p'-p) times; half of that exponent tells the two apart.
    """
    subject, narrow = campaign.subjects[0], campaign.domain.format
    wide = "float64" if narrow.width >= 32 else "float32"
    if FORMATS[wide].precision <= narrow.precision:
        return "formula"
    assert finding.y is not None
    numbers = floats(finding.x, narrow)
    kind = np.float64 if wide == "float64" else np.float32
    patterns = [np.array([x], kind).view(UNSIGNED[FORMATS[wide].width]) for x in numbers]
    try:
        bits, format = replace(subject, dtype=wide).opened()(*patterns)
    except Exception:  # a subject that does not run in the wider format cannot be asked
        return "formula"
    if format != FORMATS[wide]:
        return "formula"
    exact = Fraction(finding.exact)
    before = abs(Fraction(floats([finding.y], FORMATS[campaign.output])[0]) - exact)
    wider = float(bits_to_float64(bits, format)[0])
    if not math.isfinite(wider):
        return "formula"
    gained = (format.precision - narrow.precision) / 2
    return "rounding" if abs(Fraction(wider) - exact) < before * Fraction(2.0**-gained) else "formula"


def witness(campaign: Campaign, patterns: tuple[Array, ...]) -> list[str]:
    """Return a program that calls the subject on an array of inputs, given as patterns for each argument."""
    subject = campaign.subjects[0]
    module, _, attribute = subject.name.rpartition(":")
    fixed = "".join(f", {name}={value!r}" for name, value in subject.bind)
    width = campaign.domain.format.width
    arrays = [_written(each, width) for each in patterns]
    lines = ["import numpy as np"]
    if module.endswith(".py") or "/" in module:
        lines += ["from lenticulum.check import load", f"function = load({subject.name!r})"]
    elif module:
        lines += [f"import {module}", f"function = {module}.{attribute}"]
    else:
        lines += [f"function = {subject.name}"]
    if subject.backend == "jax":
        lines += ["import jax.numpy as jnp"]
        given = [f"jnp.asarray({array}.view(jnp.{subject.dtype}))" for array in arrays]
    elif subject.backend == "torch":
        lines += ["import torch"]
        given = [f"torch.from_numpy({array}.view(np.int{width})).view(torch.{subject.dtype})" for array in arrays]
    else:
        given = [f"{array}.view(np.{subject.dtype})" for array in arrays]
    return [*lines, f"got = function({', '.join(given)}{fixed})"]


def _written(patterns: Array, width: int) -> str:
    """Write an array of patterns, briefly where one repeats or they are consecutive."""
    first, last, size = int(patterns[0]), int(patterns[-1]), patterns.size
    if size > 1 and (patterns == patterns[0]).all():
        return f"np.full({size}, 0x{first:x}, np.uint{width})"
    if size > 8 and last - first == size - 1 and (np.diff(patterns.astype(object)) == 1).all():
        return f"np.arange(0x{first:x}, 0x{last + 1:x}, dtype=np.uint64).astype(np.uint{width})"
    return f"np.array([{', '.join(hex(each) for each in patterns.tolist())}], np.uint{width})"


def matches(result: CertifyResult) -> tuple[str, ...]:
    """Return the nearest other convention of the definition under which every number of the subject is accepted."""
    campaign = result.campaign
    domain, format = campaign.domain, FORMATS[campaign.output]
    kernel = campaign.subjects[0].opened()
    count = min(domain.count, 65_536)
    taken = domain if domain.count == count else replace(domain, sample=count)
    patterns = taken.patterns(0, count)
    bits, _ = kernel(*patterns)
    for variant in parse(campaign.spec).variants():
        block = prepare(Definitely(variant), patterns, domain.format, format)
        found = judge(block, bits, campaign.rule(0), ShardResult())
        if not any(stratum.rejected for stratum in found.strata.values()):
            k = max(stratum.k.at_most for stratum in found.strata.values())
            wrong = f"; {found.special.wrong_count} special values differ" if found.special.wrong_count else ""
            return (f"{variant} (K = {k:.2g}{wrong})",)
    return ()
