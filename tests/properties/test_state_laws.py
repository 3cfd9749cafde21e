"""Laws of forward-written state and of the map over layers hold, and each rejects its planted mistakes."""

from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.spec.layers import layer_map_laws, state_laws

LAWS = (*state_laws.LAWS, *layer_map_laws.LAWS)


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=61, cases=15)
    assert result.violation is None, str(result)
    assert result.checked == 15
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=62, cases=15)
