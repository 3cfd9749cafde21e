"""The slips in print: each printed form is rejected by its laws, and its values are those derived by hand."""

from fractions import Fraction

import pytest
from slips import report, type_error

from lenticulum.check.draw import SeededDraw
from lenticulum.check.engine import run_law
from lenticulum.numbers import ball, exp, log, rational
from lenticulum.spec import loss_laws
from lenticulum.spec.law import Inapplicable, Violation
from lenticulum.spec.slips import SLIPS

# By hand, or printed in the tables of another author; a slip has the right row first.
BY_HAND = {
    "3.4": ("-4 4", "4 -4"),
    "3.6": ("1/6 -2/3 1/2", "1/6 1/3 1/2"),
    "3.15": ("4/5 23/50 31/500 -1543/5000", "4/5 41/50 319/500 3371/5000"),
    # Printed: s = -0.2, 0.056, -0.23168, 0.1253504 with the look-aheads 1, 0.62, 0.9064, 0.415808.
    "3.16, 4.3": ("4/5 62/125 556/3125 -6772/78125", "4/5 107/125 1951/3125 58568/78125"),
    "3.17": ("-3/8", "-3/10"),
    "3.18": ("1 5/3 1/7", "1 2 4/7"),
}


def test_every_slip_has_its_values_by_hand():
    assert [slip.equation for slip in SLIPS] == list(BY_HAND)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.equation)
def test_the_printed_form_is_rejected_and_the_right_one_holds(slip):
    for law, mistake in slip.rejected_by:
        assert run_law(law, seed=91, cases=10).held
        assert any(violates(law, law.planted[mistake], case) for case in range(60))


def violates(law, subject, case):
    """Whether one case rejects the subject; it is not shrunk, which takes a thousand cases more."""
    try:
        law.check(subject, SeededDraw(91, case))
    except Inapplicable:
        return False
    except Violation:
        return True
    return False


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.equation)
def test_the_values_are_those_derived_by_hand(slip):
    expected = tuple([Fraction(number) for number in row.split()] for row in BY_HAND[slip.equation])
    assert slip.values() == expected


def test_the_cross_entropy_in_print_never_sees_its_label():
    # Every bracket x_i - log softmax(x)_i is LSE(x), so labels of one sum have one loss.
    prediction = log(ball([1, 2, 3]))
    losses = [loss_laws.cross_entropy_in_print(ball(label), prediction) for label in ([0, 1, 0], [1, 0, 0], [0, 0, 1])]
    assert all(exp(loss).contains(rational(6)) for loss in losses)
    right = [exp(loss_laws.cross_entropy(ball(label), prediction)) for label in ([0, 1, 0], [1, 0, 0], [0, 0, 1])]
    assert [each.contains(rational(x)) for each, x in zip(right, [3, 6, 2], strict=True)] == [True] * 3


def test_an_unnormalised_label_weighs_the_softmax_by_its_sum():
    gradient = loss_laws.cross_entropy_gradient(
        loss_laws.cross_entropy, [Fraction(1), Fraction(1), Fraction(0)], [1, 2, 3]
    )
    assert gradient.contains(rational(["-2/3", "-1/3", 1]))


def test_the_report_names_the_law_and_both_values():
    text = report(SLIPS[0])
    assert "rejected by quadratic-loss-adjointness: the cotangents are not those of the loss" in text
    assert "right   -4, 4" in text
    assert "printed 4, -4" in text


def test_the_identity_as_the_get_of_the_closed_step_does_not_type_check():
    assert "-> ()" in type_error()
