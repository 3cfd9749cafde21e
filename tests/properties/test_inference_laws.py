"""Every law of finite inference and of the backward passes holds of what it is about, and rejects its planted mistakes."""

import pytest

from lenticulum.check.draw import SeededDraw
from lenticulum.spec import pass_laws
from lenticulum.spec.inference import laws
from lenticulum.spec.law import Violation

LAWS = (*laws.LAWS, *pass_laws.LAWS)
CASES = 60
PLANTED = [(law, name) for law in LAWS for name in law.planted]

# What the laws are meant to catch: the planted errors 1, 4, 11 and 19 of the inference reference, by name.
NAMED = {
    "inversion at the wrong prior",
    "prior forgotten",
    "entropy averaged under the upstream law",
    "floor on probabilities",
    "uniform row on null observations",
    "put at the wrong point",
    "transposed Jacobian",
}


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
    with pytest.raises(Violation) as caught:
        for case in range(CASES):
            law.check(law.planted[name], SeededDraw(13, case))
    assert caught.value.witness


def test_law_ids_are_unique_and_every_law_has_a_planted_mistake():
    assert len({law.id for law in LAWS}) == len(LAWS)
    assert [law.id for law in LAWS if not law.planted] == []


def test_the_named_mistakes_are_planted():
    assert NAMED <= {name for _, name in PLANTED}
