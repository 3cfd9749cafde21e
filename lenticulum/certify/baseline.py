"""A certificate against an older one of the same definition: what got worse, what got better, what else changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from lenticulum.certify.checker.claim import STRATA, Claim
from lenticulum.certify.checker.wording import definition_words
from lenticulum.check.errors import CallError

#: Verdicts from the best to the worst.
VERDICTS = ("conforms", "undecided", "differs")


class Change(NamedTuple):
    """A field that changed: `word` is "worse", "better" or "changed"."""

    word: str
    path: str
    old: Any
    new: Any

    def __str__(self) -> str:
        return f"{self.word}: {self.path} was {self.old}, is {self.new}"


def changes(new: Claim, old: Claim) -> list[Change]:
    """Return what changed from an old certificate to a new one: first what got worse, then what got better.

    Raises: CallError if the two are not about the same definition, conventions, formats and rule.
    """
    _refuse_another_question(new, old)
    found = [*_bounds(new, old), *_counts(new, old), *_verdict(new, old), *_facts(new, old)]
    return sorted(found, key=lambda change: ("worse", "better", "changed").index(change.word))


def _refuse_another_question(new: Claim, old: Claim) -> None:
    for what, of in (
        ("definition", lambda claim: definition_words(claim.predicate["definition"])),
        ("format", lambda claim: f"{claim.input_format.name} to {claim.output_format.name}"),
        ("coverage", lambda claim: claim.predicate["coverage"]["words"]),
        ("rule", lambda claim: claim.predicate["verdict"]["rule"]),
    ):
        if of(new) != of(old):
            raise CallError(f"--baseline: its {what} is {of(old)}, here it is {of(new)}; expected the same")


def _bounds(new: Claim, old: Claim) -> Iterator[Change]:
    for name in STRATA:
        for metric in ("ulp", "K"):
            after, before = new.maximum(name, metric), old.maximum(name, metric)
            after_bound = None if after is None else after.at_most
            before_bound = None if before is None else before.at_most
            if after_bound != before_bound:
                worse = after_bound is not None and (before_bound is None or after_bound > before_bound)
                yield Change(
                    "worse" if worse else "better",
                    f"the largest {metric} of stratum {name}",
                    "none" if before_bound is None else f"{float(before_bound):.6g}",
                    "none" if after_bound is None else f"{float(after_bound):.6g}",
                )


def _counts(new: Claim, old: Claim) -> Iterator[Change]:
    for name in STRATA:
        after, before = new.predicate["strata"][name], old.predicate["strata"][name]
        for field, sign in (("rejected", 1), ("zero_sign", 1), ("correctly_rounded", -1)):
            if after[field] != before[field]:
                worse = sign * (after[field] - before[field]) > 0
                word = "changed" if field == "correctly_rounded" else "worse" if worse else "better"
                yield Change(word, f"{field} of stratum {name}", before[field], after[field])
        if after["undecided"] != before["undecided"]:
            fewer = len(after["undecided"]) < len(before["undecided"])
            counts = len(before["undecided"]), len(after["undecided"])
            yield Change("better" if fewer else "worse", f"undecided inputs of stratum {name}", *counts)


def _verdict(new: Claim, old: Claim) -> Iterator[Change]:
    after, before = new.predicate["verdict"]["word"], old.predicate["verdict"]["word"]
    if after != before:
        worse = VERDICTS.index(after) > VERDICTS.index(before)
        yield Change("worse" if worse else "better", "the verdict", before, after)


def _facts(new: Claim, old: Claim) -> Iterator[Change]:
    """Yield what is neither better nor worse: who was tested, where, against which text of the definition."""
    for path in ("mode", "shape_class"):
        if new.predicate[path] != old.predicate[path]:
            yield Change("changed", path, old.predicate[path], new.predicate[path])
    if new.subject != old.subject:
        yield Change("changed", "the subject", old.subject, new.subject)
    after, before = (claim.predicate["definition"]["sha256"] for claim in (new, old))
    if after != before:
        yield Change("changed", "the digest of the definition", before[:16], after[:16])
    environments = [_flat(claim.predicate["environment"]) for claim in (new, old)]
    for path in sorted(environments[0].keys() | environments[1].keys()):
        after, before = (each.get(path, "absent") for each in environments)
        if after != before:
            yield Change("changed", f"environment {path}", before, after)


def _flat(environment: dict[str, Any]) -> dict[str, str]:
    """Return the facts of an environment by path, as JSON."""
    found: dict[str, str] = {}
    for name, value in environment.items():
        if isinstance(value, dict):
            found |= {f"{name}.{inner}": json.dumps(each, sort_keys=True) for inner, each in value.items()}
        else:
            found[name] = json.dumps(value, sort_keys=True)
    return found
