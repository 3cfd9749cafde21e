"""The engine: runs a law over seeded cases, shrinks what it finds, and holds the law to its planted mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lenticulum.check.draw import RecordedDraw, ReplayDraw, SeededDraw
from lenticulum.check.shrink import Choices, shrink
from lenticulum.numbers.errors import Undecided
from lenticulum.spec.law import Grade, Inapplicable, Law, Violation


class MistakeAccepted(AssertionError):
    """A law did not reject a mistake that was planted for it, so that its success on other subjects says nothing."""


@dataclass(frozen=True)
class LawResult:
    """What a run of a law found.

    `held`: at least one case was checked, and none was violated. `checked`: the cases in which the law was checked and
    held. `inapplicable`, `undecided`: cases that count neither for nor against it. `violation`: of the first case that
    violates the law, shrunk; `choices` replays it. `degeneracies`: the observed names that held in every case checked:
    what lies outside them was not covered.
    """

    law: str
    subject: Any
    grade: Grade
    seed: int
    checked: int
    inapplicable: int
    undecided: int
    degeneracies: tuple[str, ...]
    violation: Violation | None = None
    choices: Choices = ()

    @property
    def held(self) -> bool:
        """Whether the law was checked and held."""
        return self.violation is None and self.checked > 0

    def graded(self) -> str:
        """The grade with the number of cases it rests on, such as exact(200); proved needs no number."""
        return self.grade.value if self.grade is Grade.PROVED else f"{self.grade.value}({self.checked})"

    def __str__(self) -> str:
        notes = [f"{self.inapplicable} inapplicable"] if self.inapplicable else []
        notes += [f"{self.undecided} undecided"] if self.undecided else []
        notes += [f"degenerate: {name} in every case" for name in self.degeneracies]
        noted = f" ({'; '.join(notes)})" if notes else ""
        if self.violation is not None:
            replay = f"  replay with ReplayDraw({list(self.choices)})"
            return f"{self.law} fails{noted}: {self.violation}\n{replay}"
        return f"{self.law} holds, {self.graded()}{noted}" if self.held else f"{self.law} was not checked{noted}"


def run_law(law: Law[Any], subject: Any = None, *, seed: int, cases: int) -> LawResult:
    """Check a law on `cases` cases drawn from a seed, up to the first violation, which is shrunk.

    Arguments: `subject`: what is checked instead of the law's own subject. Case i is drawn from stream i of the seed.
    Raises: ValueError without cases; whatever the check raises besides Violation, Inapplicable and Undecided.
    """
    if cases < 1:
        raise ValueError(f"cases = {cases}: expected at least 1")
    subject = law.subject if subject is None else subject
    checked = inapplicable = undecided = 0
    observed: dict[str, bool] = {}
    violation: Violation | None = None
    choices: Choices = ()
    for case in range(cases):
        draw = SeededDraw(seed, case)
        try:
            law.check(subject, draw)
        except Inapplicable:
            inapplicable += 1
            continue
        except Undecided:
            undecided += 1
            continue
        except Violation as found:
            violation, choices = shrink_violation(law, subject, found, draw.choices)
            break
        checked += 1
        for name, holds in draw.observations.items():
            observed[name] = observed.get(name, True) and holds
    return LawResult(
        law=law.id,
        subject=subject,
        grade=law.grade,
        seed=seed,
        checked=checked,
        inapplicable=inapplicable,
        undecided=undecided,
        degeneracies=tuple(sorted(name for name, holds in observed.items() if holds)),
        violation=violation,
        choices=choices,
    )


def run_planted(law: Law[Any], *, seed: int, cases: int) -> dict[str, LawResult]:
    """Run a law on each of its planted mistakes, and return what it found there.

    Raises: MistakeAccepted if a mistake is not rejected, ValueError if none is planted.
    """
    if not law.planted:
        raise ValueError(f"the law {law.id} plants no mistake, so nothing shows that its check can fail")
    results = {name: run_law(law, mistake, seed=seed, cases=cases) for name, mistake in law.planted.items()}
    for name, result in results.items():
        if result.violation is None:
            raise MistakeAccepted(f"{law.id} accepts the planted mistake '{name}' in {cases} cases (seed {seed})")
    return results


def shrink_violation(
    law: Law[Any], subject: Any, violation: Violation, choices: Sequence[int], trials: int = 1000
) -> tuple[Violation, Choices]:
    """Return a simpler violation with the same message, and the choices that replay it."""
    found = {tuple(choices): violation}

    def replay(candidate: Choices) -> Choices | None:
        draw = ReplayDraw(candidate)
        simpler = _violation(law, subject, draw)
        if simpler is None or simpler.message != violation.message:
            return None
        found[tuple(draw.choices)] = simpler
        return tuple(draw.choices)

    simplest = shrink(choices, replay, trials)
    return found[simplest], simplest


def _violation(law: Law[Any], subject: Any, draw: RecordedDraw) -> Violation | None:
    try:
        law.check(subject, draw)
    except Violation as violation:
        return violation
    except (Inapplicable, Undecided):
        pass
    return None
