"""What is found out about a module: the verdict on each of its callables, by the laws and as a definition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lenticulum.catalog import nearest
from lenticulum.check.errors import CallError
from lenticulum.check.kernel import check
from lenticulum.check.result import CheckResult
from lenticulum.check.target import load_module
from lenticulum.testing.first_tests.candidates import candidates, named
from lenticulum.testing.first_tests.construct import construction
from lenticulum.testing.first_tests.discover import Found, discover

#: Why a class is left out.
UNMADE = 'its constructor\'s arguments are not known: give them with --make \'{{"{0}": {{"name": value}}}}\''


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
    """The verdicts on a module, the public names that were left out, with the reason, and how classes are made."""

    judged: tuple[Judged, ...]
    left_out: dict[str, str]
    make: dict[str, Mapping[str, Any]]


def survey(place: str, seed: int, given: Mapping[str, Mapping[str, Any]]) -> Survey:
    """Return what is found out about a module (a dotted name or a path), constructor arguments `given` by name.

    Raises: CallError if there is no such module, it cannot be imported, or it has no class of a given name.
    """
    found, left_out = discover(load_module(place))
    unknown = [name for name in given if name not in {each.name for each in found}]
    if unknown:
        raise CallError(
            f"--make: {place} has no public class {unknown[0]!r}{nearest(unknown[0], [f.name for f in found])}"
        )
    judged: list[Judged] = []
    makes: dict[str, Mapping[str, Any]] = {}
    for each in found:
        make = construction(each, given)
        verdicts, reason = _of_one(place, each, seed, make) if make is not None else ([], UNMADE.format(each.name))
        judged += verdicts
        if not verdicts:
            left_out[each.name] = reason
        elif make:
            makes[each.name] = make
    return Survey(tuple(judged), left_out, makes)


def _of_one(place: str, found: Found, seed: int, make: Mapping[str, Any]) -> tuple[list[Judged], str]:
    """Return the verdicts on one callable, and why there are none if there are none."""
    followed = list(dict.fromkeys(filter(None, (_followed(place, found, spec, seed) for spec in candidates(found)))))
    said = named(found)
    if said is not None and not any(spec.partition(":")[0] == said for spec in followed):
        followed.append(said)
    judged: list[Judged] = []
    reason = ""
    for spec in (None, *followed):
        try:
            verdict = judge(place, found.name, spec, seed, make)
        except CallError as error:
            reason = reason or str(error).splitlines()[0]
            continue
        # A name may be a coincidence: what returns another type is not a wrong version of the definition.
        if spec is None or verdict.kind not in ("type", "raises"):
            judged.append(verdict)
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


def judge(place: str, name: str, spec: str | None, seed: int, make: Mapping[str, Any]) -> Judged:
    """Return the verdict on one name of a module.

    Raises: CallError if it cannot be called as that definition, or not at all.
    """
    result = check(f"{place}:{name}", spec, seed=seed, make=make)
    return Judged(name, spec, result.verdict, kind_of(result), str(result).splitlines()[0])


def kind_of(result: CheckResult) -> str:
    """Return the kind of a finding, or the verdict where there is none."""
    return result.kind or result.verdict
