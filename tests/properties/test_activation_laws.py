"""The activations obey their laws, and each law rejects its planted mistakes."""

from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.draw import SeededDraw
from lenticulum.check.engine import run_law
from lenticulum.spec.elementwise.activation_laws import LAWS

CASES = 120


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=61, cases=CASES)
    assert result.violation is None, str(result)
    assert result.checked == CASES, str(result)
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=62, cases=3 * CASES)


def test_the_law_of_kinks_meets_every_convention():
    terms = set()

    class Recorded(Exception):
        pass

    def record(term, x):
        terms.add((type(term).__name__, term.at_kink))
        raise Recorded

    law = next(law for law in LAWS if law.id == "activation-kinks")
    for case in range(CASES):
        try:
            law.check(record, SeededDraw(61, case))
        except Recorded:
            pass
    assert len(terms) == 8 * 3
