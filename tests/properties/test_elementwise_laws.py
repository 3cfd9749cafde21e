"""The elementary, special and two-argument functions obey their laws, and each law rejects its planted mistakes."""

import pytest
from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.spec.elementwise import (
    elementary_identities,
    limit_laws,
    pair_identities,
    shape_laws,
    slope_laws,
    special_identities,
)
from lenticulum.spec.elementwise.special import expected

MODULES = (elementary_identities, special_identities, pair_identities, slope_laws, shape_laws, limit_laws)
LAWS = tuple(law for module in MODULES for law in module.LAWS)

#: Laws that draw the function, too.
MANY = {
    "elementwise-parity",
    "elementwise-monotone",
    "elementwise-forms",
    "elementwise-reverse",
    "special-values-are-limits",
}
CASES = 20


def cases(law):
    return 10 * CASES if law.id in MANY else CASES


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=71, cases=cases(law))
    assert result.violation is None, str(result)
    assert result.checked >= cases(law) / 2, str(result)
    assert result.undecided == 0, str(result)
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=72, cases=2 * cases(law))


@pytest.mark.parametrize("end", limit_laws.ENDS, ids=str)
def test_what_is_due_at_each_end_is_the_limit(end):
    limit_laws.holds_at(expected, end, 32)
