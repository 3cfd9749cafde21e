"""A result as one page that needs no other file, no script and no network.

The page has no time stamp: the same result gives the same bytes. Every text that comes from the subject is escaped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from lenticulum.certify.appraisal import Worst, worst_inputs
from lenticulum.certify.checker.wording import claim_sentence
from lenticulum.certify.coverage import spaced
from lenticulum.certify.explain import floats
from lenticulum.certify.html_picture import picture
from lenticulum.certify.html_style import STYLE
from lenticulum.certify.html_tables import (
    down,
    exactly,
    scrolling,
    special_values,
    strata_table,
    terms,
    up,
    worst_table,
    written,
)
from lenticulum.certify.markup import Markup, element
from lenticulum.certify.predicate import predicate
from lenticulum.certify.result import CertifyResult
from lenticulum.numbers.formats import FORMATS

VERDICTS = {"conforms": "conforms", "differs": "differs", "undecided": "open", "not covered": "open"}


def page(result: CertifyResult) -> str:
    """Return a result as an HTML page: verdict, picture, strata, worst inputs, environment, and what is not claimed.

    Law: the bytes are a function of the result without its running time.
    """
    facts, worst = predicate(result), worst_inputs(result)
    body = [
        *_verdict(result, facts),
        *_finding(result),
        *_picture(result, worst),
        *strata_table(result),
        *worst_table(result, worst),
        *special_values(result),
        *_environment(result, facts),
        *_engines(result, facts),
        *_not_claimed(result),
        *_again(result),
    ]
    policy = f"default-src 'none'; style-src 'sha256-{_sha256(STYLE)}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{result.verdict}: {subject_name(result)} against {result.campaign.spec}"),
        element("style", Markup(STYLE)),
    )
    document = element("html", head, element("body", element("main", *body)), lang="en")
    return f"<!DOCTYPE html>\n{document}\n"


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def subject_name(result: CertifyResult) -> str:
    """Return the target with its fixed arguments."""
    subject = result.campaign.subjects[0]
    bound = ", ".join(f"{key}={json.dumps(value)}" for key, value in subject.bind)
    return subject.name + (f" with {bound}" if bound else "")


def _verdict(result: CertifyResult, facts: Mapping[str, Any]) -> list[Markup]:
    campaign, verdict = result.campaign, result.verdict
    name, spec = element("code", subject_name(result)), element("code", campaign.spec)
    relation = {"conforms": " conforms to ", "differs": " differs from "}.get(verdict, " is not decided against ")
    kind = f" ({result.kind})" if result.kind else ""
    claim = claim_sentence(subject_name(result), facts) if result.complete and verdict != "not covered" else None
    return [
        element("p", f"{verdict.upper()}{kind}", class_=f"verdict {VERDICTS[verdict]}"),
        element("h1", name, relation, spec, f" in {campaign.domain.dtype}"),
        element("p", _in_words(result)),
        element("h2", "Claim"),
        element("p", claim or f"None: the run covers {result.coverage}, and found nothing."),
        terms(
            [
                ("inputs", f"{result.coverage} of {campaign.domain.dtype}"),
                ("results in", campaign.output),
                ("definition", element("code", facts["definition"]["equation"])),
                ("rule", facts["verdict"]["rule"]),
                ("mode", facts["mode"]),
                ("shapes", facts["shape_class"]),
            ]
        ),
    ]


def _in_words(result: CertifyResult) -> str:
    """Say what the verdict rests on."""
    strata = result.merged.strata
    rejected = [f"{spaced(found.rejected)} in the stratum {name}" for name, found in strata.items() if found.rejected]
    if result.merged.special.wrong_count:
        rejected.append(f"{spaced(result.merged.special.wrong_count)} special")
    undecided = sum(found.count - sum(found.accepted.values()) - found.rejected for found in strata.values())
    words = [f"Rejected inputs: {', '.join(rejected)}." if rejected else "No input is rejected."]
    regular = strata["regular"]
    if regular.ulp.x:
        words.append(
            f"On {spaced(regular.count)} regular inputs the error is at most {up(regular.ulp.at_most)} ulp, and K at "
            f"most {up(regular.k.at_most)}."
        )
    if undecided:
        words.append(f"Undecided: {spaced(undecided)}.")
    return " ".join(words)


def _finding(result: CertifyResult) -> list[Markup]:
    finding = result.finding
    if finding is None:
        return []
    where: list[object] = []
    if finding.x:
        where = [" At x = ", *written(finding.x, result.campaign.domain.format)]
    if finding.y is not None:
        got = floats([finding.y], FORMATS[result.campaign.output])[0]
        where += [f" it returns {got!r}; exact is {exactly(finding.exact)}"]
    measured = "" if finding.k is None else f" {finding.criterion} is at least {down(finding.k)}."
    stratum = f", in the stratum {finding.stratum}" if finding.stratum else ""
    return [
        element("h2", "The finding"),
        element("p", f"A finding of kind {finding.kind}{stratum}.", *where, "." if where else "", measured),
        *([element("p", sentence(finding.words))] if finding.words else []),
        *(element("p", "It matches ", element("code", match), ".") for match in result.matches),
        element("p", "To see it, run:"),
        element("pre", element("code", "\n".join(result.witness))),
    ]


def sentence(words: str) -> str:
    """Return words as a sentence.

    >>> sentence("the same bits as scalars")
    'The same bits as scalars.'
    """
    return f"{words[:1].upper()}{words[1:]}."


def _picture(result: CertifyResult, worst: Sequence[Worst]) -> list[Markup]:
    bound = (
        " An error above the red line has K > 4; only the running bound of a textbook form, or flushing of subnormal"
        " numbers, can accept it."
    )
    caption = element(
        "figcaption",
        "The largest error in every binade of the input. The colour is the stratum of the input with that error. "
        "Special inputs have no error and are not in the picture.",
        bound if result.campaign.within is None else "",
        " Numbers mark the worst inputs, listed below.",
    )
    return [
        element("h2", "Error against input"),
        element("figure", scrolling(picture(result, worst), "error against input"), caption),
    ]


def _environment(result: CertifyResult, facts: Mapping[str, Any]) -> list[Markup]:
    campaign = result.campaign
    flushes = "flushed to zero here (probed)" if campaign.flushes[0] else "kept (probed)"
    pairs: list[tuple[str, object]] = [("subnormal numbers", flushes)]
    pairs += [(key, _plain(value)) for key, value in sorted(result.surroundings.items())]
    pairs += [
        ("SHA-256 of the subject", element("code", campaign.digests[0])),
        ("SHA-256 of the definition", element("code", facts["definition"]["sha256"])),
    ]
    return [element("h2", "Environment"), terms(pairs)]


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {each}" for key, each in sorted(value.items())) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def _engines(result: CertifyResult, facts: Mapping[str, Any]) -> list[Markup]:
    checked = result.cross_check
    if checked is None:
        words = "The engines were not compared, since this is a part of a run."
    else:
        agreed = f"agree on {spaced(checked.inputs)} inputs"
        if checked.misses:
            agreed = f"DISAGREE, so nothing is claimed: {'; '.join(checked.misses)}"
        words = f"{', '.join(checked.engines)} {agreed}."
    return [
        element("h2", "Engines"),
        element("p", words),
        element("p", f"Versions: {_plain(facts['engines']['maker'])}."),
        element("p", f"Enclosures that needed a higher precision: {spaced(result.merged.escalated)}."),
        *(element("p", sentence(note)) for note in result.notes),
    ]


def _not_claimed(result: CertifyResult) -> list[Markup]:
    return [element("h2", "Not claimed"), element("ul", *(element("li", each) for each in result.not_claimed))]


def _again(result: CertifyResult) -> list[Markup]:
    made = [element("h2", "To verify it")]
    name = result.campaign.subjects[0].name
    if ":" not in name:
        return [*made, element("p", "Call ", element("code", "lenticulum.certify.certify"), f" on {name}.")]
    command = shlex.join(certify_command(result))
    target = shlex.join(["--subject", name, *_bound(result)])
    return [
        *made,
        element("p", "Make the certificate again, re-prove it from its outputs, and run the subject once more:"),
        element(
            "pre", element("code", f"{command}\nlenticulum verify result.json\nlenticulum verify result.json {target}")
        ),
        element(
            "p",
            "The second line needs neither the subject nor its library; ",
            element("code", "python3 lenticulum_check.py result.json"),
            " does the same with one file and Python alone.",
        ),
    ]


def certify_command(result: CertifyResult) -> list[str]:
    """Return the words of the command that makes the certificate of a result."""
    campaign = result.campaign
    subject, domain = campaign.subjects[0], campaign.domain
    words = ["lenticulum", "certify", subject.name, "--spec", campaign.spec, "--dtype", subject.dtype]
    words += ["--mode", subject.mode, "--backend", subject.backend, *_bound(result)]
    if domain.sample is not None:
        words += ["--sample", str(domain.sample), "--seed", str(domain.seed)]
    elif domain.total > 1 << 16:
        words += ["--exhaustive"]
    if campaign.within is not None:
        words += ["--within", str(campaign.within)]
    return [*words, "--out", "result.json"]


def _bound(result: CertifyResult) -> list[str]:
    pairs = result.campaign.subjects[0].bind
    return [word for key, value in pairs for word in ("--bind", f"{key}={json.dumps(value)}")]
