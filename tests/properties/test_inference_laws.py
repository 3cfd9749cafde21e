"""Every law of finite inference and of the backward passes holds of its subject and rejects its planted mistakes."""

import pytest

from lenticulum.check.draw import SeededDraw
from lenticulum.spec import pass_laws
from lenticulum.spec.inference import laws
from lenticulum.spec.law import Violation

LAWS = (*laws.LAWS, *pass_laws.LAWS)
CASES = 30
PLANTED = [(law, name) for law in LAWS for name in law.planted]

# What the laws are meant to catch, by name.
NAMED = {
    "inversion at the wrong prior",
    "prior forgotten",
    "entropy averaged under the upstream law",
    "floor on probabilities",
    "uniform row on null observations",
    "put at the wrong point",
    "transposed Jacobian",
}


def first_violation(law, subject):
    for case in range(CASES):
        try:
            law.check(subject, SeededDraw(13, case))
        except Violation as violation:
            return violation
    return None


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.id)
def test_each_law_holds_and_its_cases_share_no_degeneracy(law):
    shared: dict[str, bool] = {}
    for case in range(CASES):
        draw = SeededDraw(13, case)
        law.check(law.subject, draw)
        for name, holds in draw.observations.items():
            shared[name] = shared.get(name, True) and holds
    assert [name for name, always in shared.items() if always] == []


@pytest.mark.parametrize(("law", "name"), PLANTED, ids=lambda part: getattr(part, "id", part))
def test_each_planted_mistake_is_rejected_with_a_witness(law, name):
    violation = first_violation(law, law.planted[name])
    assert violation is not None
    assert violation.witness


def test_law_ids_are_unique_and_every_law_has_a_planted_mistake():
    assert len({law.id for law in LAWS}) == len(LAWS)
    assert [law.id for law in LAWS if not law.planted] == []


def test_the_named_mistakes_are_planted():
    assert NAMED <= {name for _, name in PLANTED}
