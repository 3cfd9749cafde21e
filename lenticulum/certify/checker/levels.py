"""The check of a claim, level by level: consistency and digests (0), witnesses (1), some or all outputs again (2)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from lenticulum.certify.checker.claim import (
    STRATA,
    WITHOUT_MAXIMUM,
    Claim,
    Maximum,
    read_bound,
    read_pattern,
    write_pattern,
)
from lenticulum.certify.checker.consistency import ABOUT_RUNS, Difference, at_odds, differs
from lenticulum.certify.checker.outputs import Sidecars, pattern_at, strange_nans
from lenticulum.certify.checker.recount import (
    Recount,
    UnknownDefinition,
    Unsettled,
    at_least,
    at_most,
    judge_again,
    recount,
    settle,
    stratum_of,
)
from lenticulum.certify.checker.wording import detection_words, grouped

#: Domains up to this size are judged in full unless a part is asked for; larger ones by a sample of this many inputs.
FULL = 2**16
SAMPLE = 2000


class Part(NamedTuple):
    """Which outputs are judged again: all, a random sample, or a range of the enumeration."""

    kind: str  # "all", "sample", "range"
    size: int = 0
    first: int = 0
    seed: int = 0


class Checked(NamedTuple):
    """What a check found.

    `word`: "VERIFIED", "REJECTED" or "NOT DECIDED". `level`: the highest level that was gone through.
    `differences`: fields that are not what was recomputed. `undecided`: questions that stayed open.
    `done`, `not_checked`: in words. `maxima`: recomputed upper bounds in ulp by stratum, after a full pass.
    """

    word: str
    level: int
    differences: tuple[Difference, ...]
    undecided: tuple[str, ...]
    done: tuple[str, ...]
    not_checked: tuple[str, ...]
    maxima: dict[str, Fraction]


def check(claim: Claim, sidecars: Sidecars, part: Part) -> Checked:
    """Check a claim with the outputs beside it; stops at the first level that finds a difference."""
    progress = Progress(claim)
    try:
        _go_through(claim, sidecars, part, progress)
    except UnknownDefinition as error:
        progress.undecided.append(f"this checker cannot judge the claim: {error}")
    return progress.result()


class Progress:
    """What a check has found so far."""

    def __init__(self, claim: Claim) -> None:
        self.level = 0
        self.differences: list[Difference] = []
        self.undecided: list[str] = []
        self.done: list[str] = []
        self.not_checked = _beyond(claim)
        self.maxima: dict[str, Fraction] = {}

    def result(self) -> Checked:
        """Return the verdict on what was found."""
        return Checked(
            "REJECTED" if self.differences else "NOT DECIDED" if self.undecided else "VERIFIED",
            self.level,
            tuple(self.differences),
            tuple(self.undecided),
            tuple(self.done),
            tuple(self.not_checked),
            self.maxima,
        )


def _go_through(claim: Claim, sidecars: Sidecars, part: Part, progress: Progress) -> None:
    progress.differences += [*at_odds(claim), *sidecars.differences]
    if progress.differences:
        return
    progress.done.append("the counts, words and digests agree with one another")
    progress.level = 1
    progress.differences += witnesses(claim, sidecars.outputs, progress.undecided)
    if progress.differences:
        return
    progress.done.append("every witness was judged again")
    if sidecars.outputs is None:
        progress.not_checked.insert(0, _why_no_outputs(claim, sidecars))
        missing = [f"the sidecar {name} does not lie beside the certificate" for name in sidecars.missing]
        progress.undecided += missing
        return
    progress.level = 2
    progress.differences += strange_nans(sidecars.outputs, claim.output_format)
    found, words = again(claim, sidecars.outputs, part)
    progress.differences += compare(claim, found, progress.undecided, full=part.kind == "all")
    progress.done += words
    if part.kind == "all":
        progress.maxima = {name: found.strata[name].ulp for name in STRATA if claim.maximum(name, "ulp") is not None}
    else:
        progress.not_checked.append("counts and lower bounds of maxima, which need every output")


def _beyond(claim: Claim) -> list[str]:
    """Say what no reader of the file alone can check."""
    finding = claim.predicate["verdict"]["finding"]
    found = ["that these outputs are those of the subject (run it: lenticulum verify FILE --subject TARGET)"]
    if finding is not None and finding["kind"] in ABOUT_RUNS:
        found.append(f"the finding '{finding['kind']}', which is about runs of the subject")
    found.append("the subject's and the definition's digest, the mode, the shape class, versions, engines")
    return found


def _why_no_outputs(claim: Claim, sidecars: Sidecars) -> str:
    outputs = claim.predicate["outputs"]
    if outputs is None:
        return "inputs other than the witnesses: a claim about a part of the domain carries no outputs"
    if sidecars.missing:
        return "inputs other than the witnesses: the outputs are missing"
    return "inputs other than the witnesses: the outputs are not kept, only the root of their hashes"


def witnesses(claim: Claim, outputs: bytes | None, undecided: list[str]) -> Iterator[Difference]:
    """Level 1: judge every witness again and compare it with its output, its stratum and its bounds."""
    for path, stratum, metric, maximum in claim.maxima():
        yield from _same_output(claim, path, maximum.x, maximum.y, outputs)
        yield from _witness(claim, path, stratum, metric, maximum, undecided)
    width = claim.arguments * claim.input_format.width
    for position, each in enumerate(claim.predicate["special"]["wrong"]):
        path, x, y = f"special.wrong[{position}]", read_pattern(each["x"]), read_pattern(each["y"])
        yield from _same_output(claim, path, x, y, outputs)
        judged = judge_again(claim, x, y)
        yield from differs(f"{path}.x", stratum_of(judged), "special input")
        if not same_number(each["expected"], judged.expected or ""):
            yield Difference(f"{path}.expected", each["expected"], judged.expected)
        if judged.accepted_by is not None:
            yield Difference(path, "wrong", f"accepted by {judged.accepted_by}")
    for name in STRATA:
        for text in claim.predicate["strata"][name]["undecided"]:
            if outputs is None:
                undecided.append(f"input {write_pattern(read_pattern(text), width)}, undecided by the claim")
    yield from _rejected_finding(claim, outputs, undecided)


def _same_output(claim: Claim, path: str, x: int, y: int, outputs: bytes | None) -> Iterator[Difference]:
    if outputs is not None:
        width = claim.output_format.width
        recomputed = write_pattern(pattern_at(outputs, x, claim.output_format), width)
        yield from differs(f"{path}.y", write_pattern(y, width), recomputed)


def _witness(
    claim: Claim, path: str, stratum: str | None, metric: str, maximum: Maximum, undecided: list[str]
) -> Iterator[Difference]:
    judged = judge_again(claim, maximum.x, maximum.y)
    try:
        verdict = settle(claim, maximum.x, maximum.y, judged)
    except Unsettled:
        undecided.append(f"{path}: the witness")
        return
    if stratum is not None:
        yield from differs(f"{path}.x", stratum, verdict.stratum)
    if verdict.error_class is None:
        if stratum is not None or judged.ulp is None:
            yield Difference(f"{path}.x", "an error", "no number is judged there")
        return
    for name, holds in (
        ("at_least", at_least(judged, metric, maximum.at_least)),
        ("at_most", at_most(judged, metric, maximum.at_most)),
    ):
        if holds is None:
            undecided.append(f"{path}.{name} at its witness")
        elif not holds:
            error = judged.ulp if metric == "ulp" else judged.K
            assert error is not None
            yield Difference(f"{path}.{name}", float(getattr(maximum, name)), f"{float(error[0])} at the witness")


def same_number(claimed: str, recomputed: str) -> bool:
    """Whether two words for a number agree; a limit such as pi/2 is written by either side with its own last digit.

    >>> same_number("0x1.921fb54442d18p+0", "0x1.921fb54442d19p+0"), same_number("inf", "nan")
    (True, False)
    """
    if claimed == recomputed:
        return True
    try:
        a, b = float.fromhex(claimed), float.fromhex(recomputed)
    except (ValueError, OverflowError):
        return False
    return claimed == a.hex() and abs(a - b) <= 2.0**-50 * abs(b)


def _rejected_finding(claim: Claim, outputs: bytes | None, undecided: list[str]) -> Iterator[Difference]:
    """Judge the finding again: no rule accepts it, and its K is at least what is claimed."""
    finding = claim.predicate["verdict"]["finding"]
    if finding is None or finding["x"] is None or finding["kind"] in ABOUT_RUNS:
        return
    x, y = read_pattern(finding["x"]), read_pattern(finding["y"])
    yield from _same_output(claim, "verdict.finding", x, y, outputs)
    judged = judge_again(claim, x, y)
    try:
        verdict = settle(claim, x, y, judged)
    except Unsettled:
        undecided.append("verdict.finding: the witness")
        return
    if verdict.accepted_by is not None:
        yield Difference("verdict.finding", finding["kind"], f"accepted by {verdict.accepted_by}")
    yield from _kind(finding["kind"], verdict.stratum, judged)
    if finding["k"] is not None:
        claimed = read_bound(finding["k"])
        holds = judged.ulp is not None and at_least(judged, "K", claimed)
        if holds is None:
            undecided.append("verdict.finding.k")
        elif not holds:
            yield Difference("verdict.finding.k", float(claimed), "less")


def _kind(kind: str, stratum: str, judged: Any) -> Iterator[Difference]:
    """Compare the kind with what the input allows: an error of a number is no wrong special value, nor the reverse."""
    if stratum == "special input":
        yield from differs("verdict.finding.kind", kind, "special-value")
    elif judged.ulp is not None and kind == "special-value" and stratum not in WITHOUT_MAXIMUM:
        yield Difference("verdict.finding.kind", kind, "a number was returned for a number")


def again(claim: Claim, outputs: bytes, part: Part) -> tuple[Recount, list[str]]:
    """Level 2: judge the chosen outputs again, and say which these were."""
    count = claim.count
    if part.kind == "sample":
        size = min(part.size, count)
        chosen = random.Random(part.seed).sample(range(count), size)
        words = [f"{grouped(size)} outputs drawn with seed {part.seed} were judged again", detection_words(size, count)]
    else:
        chosen = range(count) if part.kind == "all" else range(part.first, min(part.first + part.size, count))
        words = [f"every output ({grouped(count)}) was judged again"]
        if part.kind == "range":
            words = [f"the outputs of {grouped(len(chosen))} inputs from {part.first:#x} on were judged again"]
    return recount(claim, ((x, pattern_at(outputs, x, claim.output_format)) for x in chosen)), words


def compare(claim: Claim, found: Recount, undecided: list[str], *, full: bool) -> Iterator[Difference]:
    """Compare the counts of a certificate with those recomputed; of a part, only what a part can contradict."""
    width = claim.arguments * claim.input_format.width
    for stratum, metric, x, proved in found.exceeding:
        path = f"strata.{stratum}.{metric}.at_most"
        if proved:
            claimed = claim.predicate["strata"][stratum][metric]
            yield Difference(path, claimed and claimed["at_most"], f"more at input {write_pattern(x, width)}")
        else:
            undecided.append(f"{path} at input {write_pattern(x, width)}")
    undecided += [f"the stratum of input {write_pattern(x, width)}" for x in found.unsettled]
    yield from _whole(claim, found, undecided) if full else _partial(claim, found)


def _whole(claim: Claim, found: Recount, undecided: list[str]) -> Iterator[Difference]:
    input_width, output_width = claim.arguments * claim.input_format.width, claim.output_format.width
    for name in STRATA:
        claimed, count = claim.predicate["strata"][name], found.strata[name]
        open_inputs = [write_pattern(x, input_width) for x in count.undecided]
        extra = [x for x in open_inputs if x not in set(claimed["undecided"])]
        if extra or found.unsettled:
            # The counts cannot agree; what is open is reported instead, and no difference is made of it.
            undecided += [f"input {x} in stratum {name}" for x in extra]
            continue
        yield from differs(f"strata.{name}.undecided", claimed["undecided"], open_inputs)
        for field in ("count", "rejected", "correctly_rounded", "zero_sign", "no_number"):
            yield from differs(f"strata.{name}.{field}", claimed[field], getattr(count, field))
        yield from differs(f"strata.{name}.accepted", claimed["accepted"], dict(count.accepted))
        if claimed["histogram"] is not None:
            yield from differs(f"strata.{name}.histogram", claimed["histogram"], dict(count.histogram))
    wrong = [(write_pattern(x, input_width), write_pattern(y, output_width)) for x, y, _ in found.wrong]
    claimed = claim.predicate["special"]["wrong"]
    yield from differs("special.wrong", [(each["x"], each["y"]) for each in claimed], wrong)


def _partial(claim: Claim, found: Recount) -> Iterator[Difference]:
    """Of a part, no count can be larger than the claimed one."""
    for name in STRATA:
        claimed, count = claim.predicate["strata"][name], found.strata[name]
        pairs = [
            (field, claimed[field], getattr(count, field))
            for field in ("count", "rejected", "correctly_rounded", "no_number")
        ]
        pairs += [(f"accepted.{by}", claimed["accepted"].get(by, 0), n) for by, n in count.accepted.items()]
        if claimed["histogram"] is not None:
            pairs += [(f"histogram.{k}", claimed["histogram"].get(k, 0), n) for k, n in count.histogram.items()]
        for field, most, recomputed in pairs:
            if recomputed > most:
                yield Difference(f"strata.{name}.{field}", most, f"at least {recomputed}")
