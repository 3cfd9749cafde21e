"""The cross-entropies and their relatives obey their laws, and each law rejects its planted mistakes."""

from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.spec.operations.cross_entropy_laws import LAWS

CASES = 60


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=85, cases=CASES)
    assert result.violation is None, str(result)
    assert result.checked == CASES, str(result)
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=86, cases=CASES)
