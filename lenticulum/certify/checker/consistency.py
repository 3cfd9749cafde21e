"""Level 0: what a certificate says about itself must agree with itself. Nothing numeric is recomputed here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from lenticulum.certify.checker.claim import (
    LISTED,
    STRATA,
    WITHOUT_MAXIMUM,
    Claim,
    Maximum,
    fixed_digest,
    read_maximum,
    read_pattern,
    write_pattern,
)
from lenticulum.certify.checker.formats import FloatFormat
from lenticulum.certify.checker.wording import claim_sentence, coverage_words, rule_words

#: Outputs in a leaf of the hash tree, by the width of the inputs.
LEAVES = {8: 256, 16: 4096, 32: 65536, 64: 4096}

#: Findings about runs of the subject, which the outputs alone do not show.
ABOUT_RUNS = ("type", "shape-dependent", "nondeterministic", "mutates", "raises")


#: The formats of a claim; a name stands for one layout. Only the 8-bit format without infinities has two conventions.
KNOWN_FORMATS = (
    FloatFormat("binary16", 11, -14, 15, 16, "infinity"),
    FloatFormat("bfloat16", 8, -126, 127, 16, "infinity"),
    FloatFormat("binary32", 24, -126, 127, 32, "infinity"),
    FloatFormat("binary64", 53, -1022, 1023, 64, "infinity"),
    FloatFormat("float8_e5m2", 3, -14, 15, 8, "infinity"),
    FloatFormat("float8_e4m3fn", 4, -6, 8, 8, "nan"),
    FloatFormat("float8_e4m3fn", 4, -6, 8, 8, "saturate"),
)


class Difference(NamedTuple):
    """A field of a certificate whose value is not what was recomputed."""

    path: str
    claimed: Any
    recomputed: Any

    def __str__(self) -> str:
        return f"{self.path}: claimed {self.claimed}, recomputed {self.recomputed}"


def differs(path: str, claimed: Any, recomputed: Any) -> Iterator[Difference]:
    """Yield a difference unless the two are equal."""
    if claimed != recomputed:
        yield Difference(path, claimed, recomputed)


def at_odds(claim: Claim) -> Iterator[Difference]:
    """Yield every field that disagrees with the rest of the certificate."""
    predicate = claim.predicate
    yield from _domain(claim)
    yield from _outputs(claim)
    for name in STRATA:
        for difference in _stratum(claim, name, predicate["strata"][name]):
            yield difference._replace(path=f"strata.{name}.{difference.path}")
    yield from _special(claim)
    yield from _verdict(claim)
    yield from _binades(claim)
    yield from differs("claim", predicate["claim"], claim_sentence(claim.subject, predicate))
    yield from differs("integrity.sha256", predicate["integrity"]["sha256"], fixed_digest(claim.statement))


def _domain(claim: Claim) -> Iterator[Difference]:
    predicate, coverage = claim.predicate, claim.predicate["coverage"]
    for side, format in (("input", claim.input_format), ("output", claim.output_format)):
        if format not in KNOWN_FORMATS:
            yield Difference(f"format.{side}", tuple(format), "no format of this name and these numbers")
    yield from differs("domain.count", predicate["domain"]["count"], claim.count)
    yield from differs("coverage.of", coverage["of"], claim.count)
    if coverage["kind"] == "exhaustive" or coverage["checked"] > claim.count:
        yield from differs("coverage.checked", coverage["checked"], claim.count)
    if (coverage["kind"] == "exhaustive") != (coverage["seed"] is None):
        yield Difference("coverage.seed", coverage["seed"], f"what goes with {coverage['kind']}")
    words = coverage_words(coverage["kind"], claim.arguments, coverage["checked"], coverage["of"])
    yield from differs("coverage.words", coverage["words"], words)
    counted = sum(stratum["count"] for stratum in predicate["strata"].values())
    yield from differs("coverage.checked", coverage["checked"], counted)


def _outputs(claim: Claim) -> Iterator[Difference]:
    outputs = claim.predicate["outputs"]
    exhaustive = claim.predicate["coverage"]["kind"] == "exhaustive"
    yield from differs("outputs", "none" if outputs is None else "given", "given" if exhaustive else "none")
    if outputs is None:
        return
    leaf = LEAVES[claim.input_format.width]
    yield from differs("outputs.leaf", outputs["leaf"], leaf)
    yield from differs("outputs.leaves", outputs["leaves"], -(-claim.count // leaf))
    for name in ("sidecar", "leaf_hashes"):
        if (outputs[name] is None) != (outputs[f"{name}_sha256"] is None):
            yield Difference(f"outputs.{name}", outputs[name], f"a name and a digest, or neither ({name}_sha256)")


def _stratum(claim: Claim, name: str, stratum: dict[str, Any]) -> Iterator[Difference]:
    accepted, undecided, count = stratum["accepted"], stratum["undecided"], stratum["count"]
    yield from differs("count", count, sum(accepted.values()) + stratum["rejected"] + len(undecided))
    allowed = {"within", "flushed", "special"} if claim.within is not None else set(accepted) - {"within"}
    allowed -= set() if claim.predicate["environment"]["flushes"] else {"flushed"}
    yield from differs("accepted", sorted(accepted), sorted(set(accepted) & allowed))
    numbers, histogram = count - stratum["no_number"], stratum["histogram"]
    for field in ("correctly_rounded", "zero_sign", "no_number"):
        if stratum[field] > count:
            yield Difference(field, stratum[field], f"at most {count}")
    yield from _in_order(claim, "undecided", undecided)
    if name in WITHOUT_MAXIMUM:
        yield from differs("no_number", stratum["no_number"], count)
        yield from differs("histogram", histogram, {})
    if histogram is not None:
        yield from differs("histogram", sum(histogram.values()), numbers)
    for metric in ("ulp", "K"):
        yield from differs(metric, stratum[metric] is not None, numbers > 0)
        yield from _maximum(claim, metric, stratum[metric], claim.maximum(name, metric))
    largest = claim.maximum(name, "ulp")
    if largest is not None and histogram:
        # The largest error lies in the highest class that is not empty: 0 up to 1/2 ulp, k from 2^(k-2) to 2^(k-1).
        top = max(map(int, histogram))
        if 2 * largest.at_least > 2**top:
            yield Difference("ulp.at_least", stratum["ulp"]["at_least"], f"at most the end of class {top}")
        if top > 0 and 4 * largest.at_most <= 2**top:
            yield Difference("ulp.at_most", stratum["ulp"]["at_most"], f"above the beginning of class {top}")


def _maximum(claim: Claim, path: str, written: dict[str, str] | None, maximum: Maximum | None) -> Iterator[Difference]:
    if written is None or maximum is None:
        return
    if maximum.at_least > maximum.at_most:
        yield Difference(f"{path}.at_least", written["at_least"], f"at most {written['at_most']}")
    yield from _point(claim, path, written)


def _point(claim: Claim, path: str, written: dict[str, Any]) -> Iterator[Difference]:
    """Compare the patterns of an input and an output with their own full spelling."""
    for role, width in (("x", claim.arguments * claim.input_format.width), ("y", claim.output_format.width)):
        spelled = write_pattern(read_pattern(written[role]) % 2**width, width)
        yield from differs(f"{path}.{role}", written[role], spelled)


def _in_order(claim: Claim, path: str, written: list[str]) -> Iterator[Difference]:
    width = claim.arguments * claim.input_format.width
    patterns = sorted({read_pattern(each) % 2**width for each in written})
    yield from differs(path, written, [write_pattern(each, width) for each in patterns])


def _special(claim: Claim) -> Iterator[Difference]:
    special, stratum = claim.predicate["special"], claim.predicate["strata"]["special input"]
    yield from differs("special.count", special["count"], stratum["count"])
    yield from differs("special.wrong_count", special["wrong_count"], stratum["rejected"])
    yield from differs("special.wrong", len(special["wrong"]), min(LISTED, special["wrong_count"]))
    yield from _in_order(claim, "special.wrong", [each["x"] for each in special["wrong"]])
    for position, each in enumerate(special["wrong"]):
        yield from _point(claim, f"special.wrong[{position}]", each)


def verdict_word(strata: dict[str, Any], finding: dict[str, Any] | None) -> str:
    """Return the verdict that the strata and a finding about runs imply."""
    if any(stratum["rejected"] for stratum in strata.values()):
        return "differs"
    if finding is not None and finding["kind"] in ABOUT_RUNS:
        return "differs"
    return "undecided" if any(stratum["undecided"] for stratum in strata.values()) else "conforms"


def _verdict(claim: Claim) -> Iterator[Difference]:
    verdict, strata = claim.predicate["verdict"], claim.predicate["strata"]
    finding = verdict["finding"]
    yield from differs("verdict.word", verdict["word"], verdict_word(strata, finding))
    yield from differs("verdict.rule", verdict["rule"], rule_words(verdict["within"]))
    yield from differs("verdict.finding", finding is not None, verdict["word"] == "differs")
    if finding is None:
        return
    if finding["x"] is not None and finding["y"] is not None:
        yield from _point(claim, "verdict.finding", finding)
    elif finding["kind"] not in ABOUT_RUNS or (finding["x"], finding["y"]) != (None, None):
        yield Difference("verdict.finding", finding["kind"], "an input and an output")


def _binades(claim: Claim) -> Iterator[Difference]:
    binades = claim.predicate.get("binades", [])
    yield from _in_order(claim, "binades", [each["first"] for each in binades])
    for position, binade in enumerate(binades):
        yield from _maximum(claim, f"binades[{position}].ulp", binade["ulp"], read_maximum(binade["ulp"]))
