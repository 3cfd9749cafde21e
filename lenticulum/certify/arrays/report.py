"""A certified function of arrays as text for people, and as one JSON object for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from lenticulum.certify.arrays.result import ArrayResult, LawTally
from lenticulum.certify.arrays.tally import FamilyTally, Largest
from lenticulum.check.report import finding_as_data, number_as_data

#: How a measure is called in a table.
NAMES = {"ulp": "ulp", "share": "of the bound", "k": "K", "t": "T", "t_wide": "T in binary32"}


def text(result: ArrayResult) -> str:
    """Write a result: the verdict first, then the witness, a line for each family, the laws, what is not claimed."""
    lines = [*_verdict(result), *_finding(result), *_table(result)]
    if result.special:
        ways = ", ".join(f"{count} by {way}" for way, count in result.special.items())
        lines.append(f"  special values, ties, near overflow (small arrays, entry by entry): {ways}")
    lines += [_law(each) for each in result.laws]
    lines += [f"  {note}" for note in result.notes]
    if result.flushes:
        lines.append("  subnormal numbers are flushed to zero here; that was probed and excused")
    return "\n".join([*lines, *(f"  not claimed: {what}" for what in result.not_claimed)])


def _verdict(result: ArrayResult) -> list[str]:
    where = f"  {result.dtype}, {result.mode}, {result.coverage}; seed {result.seed}"
    if result.verdict == "differs":
        return [f"DIFFERS ({_kind(result)})  {result.subject} is not {result.spec}", where]
    word = {"conforms": "CONFORMS", "undecided": "UNDECIDED", "not covered": "NOT COVERED"}[result.verdict]
    relation = "is" if result.verdict == "conforms" else "against"
    return [f"{word}  {result.subject} {relation} {result.spec}", where]


def _kind(result: ArrayResult) -> str:
    broken = next((each.law for each in result.laws if each.violated), "")
    return result.finding.kind if result.finding is not None else f"formula: the law of {broken}"


def _finding(result: ArrayResult) -> list[str]:
    finding = result.finding
    if finding is None:
        return []
    place = f"[{', '.join(map(str, finding.position))}]" if finding.position else ""
    measured = "" if finding.k is None else f"  {finding.criterion} = {finding.k:.3g}"
    lines = (
        [f"  {finding.output}{place}: got {finding.got!r}  exact {finding.exact}{measured}"] if finding.exact else []
    )
    lines += [f"  {finding.note}"] if finding.note else []
    lines += [f"  it matches {match}" for match in result.matches]
    return [*lines, "  to see it, run:", *(f"    {line}" for line in result.witness)]


def _table(result: ArrayResult) -> list[str]:
    measures = [name for name in NAMES if any(name in each.largest for each in result.families)]
    rows = [["family", "outputs", *(NAMES[name] for name in measures), "rejected", "undecided"]]
    for each in result.families:
        shown = [_short(each.largest.get(name)) for name in measures]
        rows.append([each.name, str(each.outputs), *shown, str(each.rejected), str(each.undecided)])
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    ways: dict[str, int] = {}
    for each in result.families:
        for way, count in each.accepted.items():
            ways[way] = ways.get(way, 0) + count
    carried = ", ".join(f"{count} by {way}" for way, count in sorted(ways.items(), key=lambda pair: -pair[1]))
    outside = sum(each.outside for each in result.families)
    return [
        *lines,
        f"  accepted: {carried or 'none'}",
        *([f"  {outside} calls lie outside the domain"] if outside else []),
    ]


def _short(found: Largest | None) -> str:
    """Write the largest of a measure: an upper bound, rounded up in its third digit."""
    if found is None:
        return "-"
    if not math.isfinite(found.at_most) or not found.at_most:
        return f"{found.at_most:g}"
    digits = 2 - math.floor(math.log10(found.at_most))
    return f"{math.ceil(found.at_most * 10.0**digits) / 10.0**digits:.3g}"


def _law(each: LawTally) -> str:
    word = f"VIOLATED in {each.violated} of {each.calls} calls" if each.violated else f"holds in {each.calls} calls"
    return f"  law of {each.law}: {each.statement}: {word} (at most {each.largest:.2g} of what rounding allows)"


def as_json(result: ArrayResult) -> str:
    """Write a result as one JSON object; NaN and infinities are strings."""
    data: dict[str, Any] = {
        "verdict": result.verdict,
        "exit_code": result.exit_code,
        "subject": result.subject,
        "spec": result.spec,
        "dtype": result.dtype,
        "mode": result.mode,
        "seed": result.seed,
        "within": None if result.within is None else str(result.within),
        "coverage": result.coverage,
        "families": [_family(each) for each in result.families],
        "special": result.special,
        "laws": [vars(each) | {"largest": number_as_data(each.largest)} for each in result.laws],
        "finding": finding_as_data(result.finding),
        "witness": "\n".join(result.witness) or None,
        "matches": list(result.matches),
        "notes": list(result.notes),
        "not_claimed": list(result.not_claimed),
        "seconds": result.seconds,
    }
    return json.dumps(data, allow_nan=False)


def _family(each: FamilyTally) -> Mapping[str, Any]:
    return {
        "family": each.name,
        "calls": each.calls,
        "outputs": each.outputs,
        "accepted": dict(each.accepted),
        "rejected": each.rejected,
        "undecided": each.undecided,
        "outside": each.outside,
        "escalated": each.escalated,
        "largest": {name: _largest(found) for name, found in each.largest.items()},
    }


def _largest(found: Largest) -> Mapping[str, Any]:
    place = found.place
    return {
        "at_least": number_as_data(found.at_least),
        "at_most": number_as_data(found.at_most),
        "shapes": place and place.shapes,
        "draw": place and list(place.draw),
        "entry": place and list(place.entry),
    }
