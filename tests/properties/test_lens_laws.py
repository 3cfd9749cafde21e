"""Lenses, parametric lenses and the puts of terms obey their laws, and each law rejects its planted mistakes."""

from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.engine import run_law
from lenticulum.numbers import rational
from lenticulum.spec.lenses import lens, para, planted
from lenticulum.spec.lenses.cap_laws import LAWS as CAP_LAWS
from lenticulum.spec.lenses.coherence_laws import LAWS as COHERENCE_LAWS
from lenticulum.spec.lenses.lens import Lens
from lenticulum.spec.lenses.lens_laws import LAWS as LENS_LAWS
from lenticulum.spec.lenses.para_laws import LAWS as PARA_LAWS
from lenticulum.spec.lenses.term_laws import LAWS as TERM_LAWS

SQUARE = Lens(lambda x: x * x, lambda x, c: 2 * x * c)


LAWS = (*LENS_LAWS, *PARA_LAWS, *COHERENCE_LAWS, *TERM_LAWS, *CAP_LAWS)


@every_law(*LAWS)
def test_the_law_holds(law):
    # A term case takes a hundred times as long as a lens case.
    cases = 20 if law in TERM_LAWS else 10 if law in CAP_LAWS else 60
    result = run_law(law, seed=11, cases=cases)
    assert result.violation is None, str(result)
    # At a loss of 1 two caps agree.
    assert result.checked >= (8 if law in CAP_LAWS else cases)
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=12, cases=60)


def test_put_is_taken_at_the_point_before_the_next_part():
    # (x^2)^2 = x^4 has the derivative 4 x^3: at 3, 108. At the value of each part it would be 2*81 * 2*9 = 2916.
    assert lens.compose(SQUARE, SQUARE).put(rational(3), rational(1)) == rational(108)
    assert planted.compose_at_the_value(SQUARE, SQUARE).put(rational(3), rational(1)) == rational(2916)


def test_put_put_fails_for_a_reverse_derivative_that_is_not_linear():
    # By hand for x^2: put(put(3, 1), 1) = 12 but put(3, 1) = 6.
    once = SQUARE.put(rational(3), rational(1))
    assert once == rational(6)
    assert SQUARE.put(once, rational(1)) == rational(12)


def test_two_caps_on_one_loss_disagree_so_that_there_is_no_discard():
    # Lenses into the unit are maps L -> L'. At l = 3: -1/10 and -3/10.
    constant = Lens(lambda loss: (), lambda loss, _: rational("-1/10"))
    scaled = Lens(lambda loss: (), lambda loss, _: -loss / 10)
    assert constant.get(rational(3)) == scaled.get(rational(3)) == ()
    assert constant.put(rational(3), ()) == rational("-1/10")
    assert scaled.put(rational(3), ()) == rational("-3/10")


def test_parameters_of_a_composite_come_later_first():
    # f(p, a) = p a, then g(q, b) = q + b, at p = 2, q = 5, a = 3: 5 + 6; the swapped reading would be 2 + 15.
    times = Lens(lambda pa: pa[0] * pa[1], lambda pa, c: (pa[1] * c, pa[0] * c))
    plus = Lens(lambda qb: qb[0] + qb[1], lambda qb, c: (c, c))
    composite = para.compose(times, plus)
    q, p, a, c = rational(5), rational(2), rational(3), rational(1)
    assert composite.get(((q, p), a)) == rational(11)
    assert composite.put(((q, p), a), c) == ((rational(1), rational(3)), rational(2))


def test_a_lens_without_parameters_takes_the_unit():
    lifted = para.unparametrised(SQUARE)
    assert lifted.get(((), rational(3))) == rational(9)
    assert lifted.put(((), rational(3)), rational(1)) == ((), rational(6))
