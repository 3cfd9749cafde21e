"""A certified result as text for people, and as one JSON object for programs."""

from __future__ import annotations

import json
from typing import Any

from lenticulum.certify.explain import floats
from lenticulum.certify.predicate import claim, predicate
from lenticulum.certify.result import CertifyResult
from lenticulum.certify.shard import Maximum, Point
from lenticulum.numbers.formats import FORMATS


def text(result: CertifyResult) -> str:
    """Write a result: the verdict first, then the witness, the bounds by stratum, and what is not claimed."""
    lines = [*_verdict(result), *_finding(result), *_bounds(result)]
    special = result.merged.special
    if special.count:
        lines.append(f"  special inputs: {special.count - special.wrong_count} of {special.count} as expected")
    checked = result.cross_check
    if checked is not None:
        agreed = f"agree on {checked.inputs} inputs" if not checked.misses else f"DISAGREE at {checked.misses[0]}"
        silent = f"; mpmath had no value at {checked.silent}" if checked.silent else ""
        lines.append(f"  {', '.join(checked.engines)} {agreed}{silent}")
    lines += [f"  {note}" for note in result.notes]
    if result.campaign.flushes[0]:
        lines.append("  subnormal numbers are flushed to zero here; that was probed, and such inputs are counted apart")
    return "\n".join([*lines, *(f"  not claimed: {what}" for what in result.not_claimed)])


def _verdict(result: CertifyResult) -> list[str]:
    subject, spec = result.campaign.subjects[0], result.campaign.spec
    where = f"{subject.dtype}, {subject.mode}, {result.coverage}"
    if result.verdict == "differs":
        kind = result.finding.kind if result.finding else ""
        return [f"DIFFERS ({kind})  {subject.name} is not {spec}", f"  {where}"]
    if result.verdict == "conforms":
        regular = result.merged.strata["regular"].ulp.at_most
        return [f"CONFORMS  {subject.name} is {spec}, within {_short(regular)} ulp on regular inputs", f"  {where}"]
    word = "UNDECIDED" if result.verdict == "undecided" else "NOT COVERED"
    return [f"{word}  {subject.name} against {spec}", f"  {where}"]


def _finding(result: CertifyResult) -> list[str]:
    finding = result.finding
    if finding is None:
        return []
    output = FORMATS[result.campaign.output]
    measured = "" if finding.k is None else f"  {finding.criterion} = {finding.k:.3g}"
    got = "" if finding.y is None else f"  got {floats([finding.y], output)[0]!r}"
    got += f"  exact {finding.exact}{measured}" if finding.exact else ""
    lines = [f"  at x = {_input(result, finding.x)}{got}"]
    lines += [f"  {finding.words}"] if finding.words else []
    lines += [f"  stratum: {finding.stratum}"] if finding.stratum else []
    lines += [f"  it matches {match}" for match in result.matches]
    return [*lines, "  to see it, run:", *(f"    {line}" for line in result.witness)]


def _bounds(result: CertifyResult) -> list[str]:
    lines = []
    for name, found in result.merged.strata.items():
        if not found.count:
            continue
        share = f"{percent(found.correctly_rounded, found.count)} % correctly rounded"
        ways = ", ".join(f"{count} by {way}" for way, count in found.accepted.items())
        lines.append(f"  {name}: {found.count} inputs, {share}; accepted {ways or 'none'}, rejected {found.rejected}")
        lines += [f"    ulp {_maximum(result, found.ulp)}"] if found.ulp.x else []
        lines += [f"    K   {_maximum(result, found.k)}"] if found.k.x else []
        if found.zero_sign:
            lines.append(f"    {found.zero_sign} results are zeros of the wrong sign")
        if found.undecided_count:
            shown = ", ".join(_input(result, x) for x in found.undecided[:3])
            lines.append(f"    undecided: {found.undecided_count} inputs, such as {shown}")
    return lines


def percent(part: int, whole: int) -> str:
    """Write a share in per cent, rounded down: only all is 100.

    >>> percent(30718, 30719), percent(5, 5)
    ('99.996', '100')
    """
    return f"{part * 100_000 // whole / 1000:g}"


def _maximum(result: CertifyResult, found: Maximum) -> str:
    return f"at most {_short(found.at_most)}, at least {_short(found.at_least)} at x = {_input(result, found.x)}"


def _input(result: CertifyResult, x: Point) -> str:
    values = floats(x, result.campaign.domain.format)
    return ", ".join(f"{value!r} (0x{pattern:x})" for value, pattern in zip(values, x, strict=True))


def _short(value: float) -> str:
    return f"{value:.7g}"


def as_json(result: CertifyResult) -> str:
    """Write a result as one JSON object."""
    data: dict[str, Any] = {
        "verdict": result.verdict,
        "exit_code": result.exit_code,
        "subject": result.campaign.subjects[0].name,
        "claim": claim(result),
        "witness": "\n".join(result.witness) or None,
        "matches": list(result.matches),
        "notes": list(result.notes),
        "seconds": result.seconds,
        **{"predicate": predicate(result)},
    }
    return json.dumps(data, allow_nan=False)
