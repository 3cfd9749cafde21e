"""The engine: verdicts, counts, planted mistakes, degeneracies, and the same bytes for the same seed."""

from fractions import Fraction

import pytest

from lenticulum.check.draw import ReplayDraw, SeededDraw
from lenticulum.check.engine import MistakeAccepted, run_law, run_planted
from lenticulum.numbers.errors import Undecided
from lenticulum.spec.draw import fraction
from lenticulum.spec.law import Grade, Inapplicable, Law, Violation, require


def additive(function, draw):
    x, y = fraction(draw), fraction(draw)
    require(function(x + y) == function(x) + function(y), "f(x + y) differs from f(x) + f(y)", x=x, y=y)


def law(check=additive, subject=lambda x: 3 * x, planted=None):
    mistakes = {"affine": lambda x: 3 * x + 1} if planted is None else planted
    return Law("linear.additive", "f(x + y) = f(x) + f(y)", "definition", Grade.EXACT, subject, check, mistakes)


def test_a_law_that_holds_reports_its_grade_with_the_number_of_cases():
    result = run_law(law(), seed=1, cases=50)
    assert result.held
    assert result.graded() == "exact(50)"
    assert str(result) == "linear.additive holds, exact(50)"


def test_a_violation_is_shrunk_and_carries_its_witness():
    result = run_law(law(), lambda x: x * x, seed=1, cases=50)
    assert not result.held
    # The smallest pair of fractions with (x + y)^2 != x^2 + y^2 is 1, 1: every choice is as near to zero as it can be.
    assert result.violation.witness == {"x": Fraction(1), "y": Fraction(1)}
    assert "f(x + y) differs" in str(result)
    assert "x = 1" in str(result)


def test_the_choices_of_a_result_replay_its_violation():
    result = run_law(law(), lambda x: x * x, seed=1, cases=50)
    with pytest.raises(Violation, match="differs") as replayed:
        additive(lambda x: x * x, ReplayDraw(result.choices))
    assert replayed.value.witness == result.violation.witness


def test_inapplicable_and_undecided_cases_count_as_neither():
    def check(subject, draw):
        number = draw.integer(0, 2)
        if number == 0:
            raise Inapplicable("zero")
        if number == 1:
            raise Undecided("one")

    result = run_law(law(check), seed=3, cases=300)
    numbers = [SeededDraw(3, case).integer(0, 2) for case in range(300)]
    assert (result.inapplicable, result.undecided, result.checked) == tuple(map(numbers.count, range(3)))
    assert result.graded() == f"exact({result.checked})"
    assert result.held


def test_a_law_that_was_never_checked_does_not_hold():
    def check(subject, draw):
        raise Inapplicable("never")

    result = run_law(law(check), seed=1, cases=5)
    assert not result.held
    assert str(result) == "linear.additive was not checked (5 inapplicable)"


def test_every_planted_mistake_is_run():
    results = run_planted(law(planted={"affine": lambda x: x + 1, "square": lambda x: x * x}), seed=1, cases=20)
    assert [(name, result.violation is not None) for name, result in results.items()] == [
        ("affine", True),
        ("square", True),
    ]


def test_an_accepted_mistake_is_an_error():
    with pytest.raises(MistakeAccepted, match="'double' in 20 cases"):
        run_planted(law(planted={"double": lambda x: 2 * x}), seed=1, cases=20)


def test_a_law_that_plants_nothing_is_an_error():
    with pytest.raises(ValueError, match="plants no mistake"):
        run_planted(law(planted={}), seed=1, cases=20)


def test_another_exception_is_a_defect_of_the_law_and_no_verdict():
    with pytest.raises(ZeroDivisionError):
        run_law(law(), lambda x: x / 0, seed=1, cases=5)


def test_no_cases_is_an_error():
    with pytest.raises(ValueError, match="cases = 0"):
        run_law(law(), seed=1, cases=0)


def matrices(sizes):
    """A law that holds of every shape, on shapes drawn from `sizes`."""

    def check(subject, draw):
        rows, columns = draw.choice(sizes)
        draw.observe("all shapes square", rows == columns)
        draw.observe("one row", rows == 1)

    return law(check)


def test_a_run_whose_shapes_are_all_square_is_flagged_as_degenerate():
    result = run_law(matrices([(1, 1), (2, 2), (3, 3)]), seed=1, cases=40)
    assert result.degeneracies == ("all shapes square",)
    assert str(result) == "linear.additive holds, exact(40) (degenerate: all shapes square in every case)"


def test_one_shape_that_is_not_square_lifts_the_flag():
    assert run_law(matrices([(1, 1), (2, 2), (3, 2)]), seed=1, cases=40).degeneracies == ()


def test_within_a_case_a_degeneracy_holds_if_it_holds_every_time():
    def check(subject, draw):
        draw.observe("square", True)
        draw.observe("square", False)
        draw.observe("square", True)

    assert run_law(law(check), seed=1, cases=3).degeneracies == ()


def test_one_seed_gives_the_same_bytes_and_another_seed_other_cases():
    def report(seed):
        return str(run_law(law(), lambda x: x * x if x > 3 else x, seed=seed, cases=100)).encode()

    assert report(5) == report(5)
    drawn = [[SeededDraw(seed, case).bits(64) for case in range(3)] for seed in (5, 6)]
    assert len({number for numbers in drawn for number in numbers}) == 6


def test_a_seed_means_the_same_choices_on_every_machine():
    # The words of PCG64 seeded by SeedSequence([0, 0]) and ([2026, 3]): fixed by NumPy's compatibility policy (NEP 19).
    assert [SeededDraw(0).bits(64), SeededDraw(2026, 3).bits(64)] == [0xA30FEBCFD9C2825F, 0xA37BE1BA8D945B34]
