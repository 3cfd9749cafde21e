"""Who obeys the lens laws: lawful lenses exactly, linear gets by their matrix, and the others fail where they must."""

import pytest
from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.numbers import rational
from lenticulum.spec.lenses.lawful import combine, editing, field, freezing, substate
from lenticulum.spec.lenses.lawful_laws import LAWS as LAWFUL
from lenticulum.spec.lenses.linear_laws import LAWS as LINEAR
from lenticulum.spec.lenses.linear_laws import TRUTH_TABLE, holds_on_a_basis, linear, power
from lenticulum.terms import Tree


@every_law(*LAWFUL, *LINEAR)
def test_the_law_holds(law):
    result = run_law(law, seed=71, cases=60)
    assert result.violation is None, str(result)
    assert result.checked >= 40
    assert result.degeneracies == ()


@every_planted_mistake(*LAWFUL, *LINEAR)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=72, cases=60)


@pytest.mark.parametrize("name", TRUTH_TABLE)
def test_the_truth_table_of_linear_gets(name):
    # By hand: 2 x F F T, projection (1 0) F T T, embedding (1 0)^T T F T, rotation (3/5 -4/5; 4/5 3/5) T T T.
    table = {"2 x": "FFT", "projection": "FTT", "isometric embedding": "TFT", "rotation": "TTT"}
    matrix = rational(TRUTH_TABLE[name][0])
    found = holds_on_a_basis(linear(matrix), matrix.shape[1], matrix.shape[0])
    assert "".join("FT"[each] for each in found) == table[name]


def test_put_put_of_the_square():
    square = power(2)
    assert square.put(rational(3), rational(1)) == rational(6)
    assert square.put(square.put(rational(3), rational(1)), rational(1)) == rational(12)


def test_what_does_not_fit_is_refused():
    t = Tree(a=1, b=Tree(c=2))
    with pytest.raises(KeyError, match="no entry 'd'"):
        field(("d",)).put(t, 1)
    with pytest.raises(ValueError, match=r"the paths b and b\.c address one node"):
        editing(("b",), ("b", "c"))
    with pytest.raises(ValueError, match="expected the entries a; got b"):
        substate("a").put(t, Tree(b=1))
    with pytest.raises(ValueError, match="expected trees of one structure"):
        combine(t, Tree(a=1))
    freeze, _ = freezing(("d",))
    with pytest.raises(KeyError, match="no entry 'd'"):
        freeze(t)
