"""Attention obeys its laws, and each law rejects its planted mistakes."""

from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.spec.operations.attention_laws import LAWS


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=55, cases=20)
    assert result.violation is None, str(result)
    assert result.checked == 20
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=56, cases=20)
