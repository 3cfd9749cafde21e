"""Embedding and the encodings of positions obey their laws, and each law rejects its planted mistakes."""

from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.spec.operations.sequence_laws import LAWS


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=57, cases=40)
    assert result.violation is None, str(result)
    assert result.checked == 40
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=58, cases=40)
