"""Pooling obeys its laws, and each law rejects its planted mistakes."""

from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.spec.operations.pooling_laws import LAWS


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=53, cases=60)
    assert result.violation is None, str(result)
    assert result.checked == 60
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=54, cases=60)
