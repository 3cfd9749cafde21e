"""Optimizers and the supervised step obey their laws, and each law rejects its planted mistakes."""

from fractions import Fraction

from law_tests import every_law, every_planted_mistake, rejects

from lenticulum.check.draw import SeededDraw
from lenticulum.check.engine import run_law
from lenticulum.numbers import rational
from lenticulum.spec.optimizers.cases import gradients_with_rational_roots
from lenticulum.spec.optimizers.laws import LAWS
from lenticulum.spec.optimizers.step_laws import central_differences
from lenticulum.terms import Tree


@every_law(*LAWS)
def test_the_law_holds(law):
    result = run_law(law, seed=31, cases=30)
    assert result.violation is None, str(result)
    # One law needs a change of the rate: a quarter of the draws repeat it, and every fifth has no momentum.
    assert result.checked >= 12
    assert result.degeneracies == ()


@every_planted_mistake(*LAWS)
def test_the_law_rejects_the_mistake(law, mistake):
    assert rejects(law, law.planted[mistake], seed=32, cases=60)


def test_the_gradients_drawn_for_adam_have_rational_roots_and_change_sign_and_size():
    signs = set()
    for case in range(40):
        draw = SeededDraw(33, case)
        b2 = Fraction(7, 8)
        gradients, roots = gradients_with_rational_roots(draw, b2, 4)
        for t in range(1, 5):
            second = (1 - b2) * sum(b2 ** (t - i) * g * g for i, g in enumerate(gradients[:t], start=1))
            assert second / (1 - b2**t) == roots[t - 1] ** 2
        signs |= {g > 0 for g in gradients}
        assert len({abs(g) for g in gradients}) > 1
    assert signs == {True, False}


def test_central_differences_are_exact_on_a_quadratic_and_off_by_the_square_of_the_width_on_a_cube():
    def quadratic(p):
        return 3 * p.w.item() ** 2 - p.w.item()

    def cube(p):
        return p.w.item() ** 3

    at = Tree(w=rational(2))
    assert central_differences(quadratic, at, Fraction(1, 10)).w.item() == 11
    assert central_differences(quadratic, at, Fraction(5)).w.item() == 11
    assert central_differences(cube, at, Fraction(1, 10)).w.item() - 12 == Fraction(1, 100)
