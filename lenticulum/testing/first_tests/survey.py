"""What is found out about a module: the verdict on each of its callables, by the laws and as a definition."""

from __future__ import annotations

from dataclasses import dataclass

from lenticulum.check.errors import CallError
from lenticulum.check.kernel import check
from lenticulum.check.result import CheckResult
from lenticulum.check.target import load_module
from lenticulum.testing.first_tests.candidates import candidates, named
from lenticulum.testing.first_tests.discover import Found, discover


@dataclass(frozen=True)
class Judged:
    """One verdict: of a name as a definition, or by the laws that need none (`spec` is None).

    `kind`: of the finding; the verdict itself where it is neither "conforms" nor "differs". `told`: the first line of
    the report.
    """

    name: str
    spec: str | None
    verdict: str
    kind: str
    told: str

    @property
    def known(self) -> bool:
        """Whether it goes into the baseline."""
        return self.verdict != "conforms"


@dataclass(frozen=True)
class Survey:
    """The verdicts on a module, and the public names that were left out, with the reason."""

    judged: tuple[Judged, ...]
    left_out: dict[str, str]


def survey(place: str, seed: int) -> Survey:
    """Return what is found out about a module (a dotted name or a path).

    Raises: CallError if there is no such module, or it cannot be imported.
    """
    found, left_out = discover(load_module(place))
    judged: list[Judged] = []
    for each in found:
        verdicts, reason = _of_one(place, each, seed)
        judged += verdicts
        if not verdicts:
            left_out[each.name] = reason
    return Survey(tuple(judged), left_out)


def _of_one(place: str, found: Found, seed: int) -> tuple[list[Judged], str]:
    """Return the verdicts on one callable, and why there are none if there are none."""
    followed = list(dict.fromkeys(filter(None, (_followed(place, found, spec, seed) for spec in candidates(found)))))
    said = named(found)
    if said is not None and not any(spec.partition(":")[0] == said for spec in followed):
        followed.append(said)
    judged: list[Judged] = []
    reason = ""
    for spec in (None, *followed):
        try:
            judged.append(judge(place, found.name, spec, seed))
        except CallError as error:
            reason = reason or str(error).splitlines()[0]
    return judged, reason


def _followed(place: str, found: Found, spec: str, seed: int) -> str | None:
    """Return the definition, in the convention that a callable follows, or None if it follows none."""
    try:
        result = check(f"{place}:{found.name}", spec, seed=seed)
    except CallError:
        return None
    if result.verdict == "conforms":
        return spec
    return result.matches[0].partition(" (")[0] if result.matches else None


def judge(place: str, name: str, spec: str | None, seed: int) -> Judged:
    """Return the verdict on one name of a module.

    Raises: CallError if it cannot be called as that definition, or not at all.
    """
    result = check(f"{place}:{name}", spec, seed=seed)
    return Judged(name, spec, result.verdict, kind_of(result), str(result).splitlines()[0])


def kind_of(result: CheckResult) -> str:
    """Return the kind of a finding, or the verdict where there is none."""
    return result.kind or result.verdict
