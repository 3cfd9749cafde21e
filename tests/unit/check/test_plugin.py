"""The pytest plugin and the assertions that it counts; they load no JAX."""

import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings

from lenticulum.check.random_cases import Case
from lenticulum.check.random_terms import nesting
from lenticulum.spec.draw import Draw
from lenticulum.testing import HypothesisDraw, arrays, cases, terms

pytest_plugins = ["pytester"]

SUITE = """
from lenticulum.numbers import Undecided
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.testing import assert_holds, assert_rejects_mistakes

def check(subject, draw):
    number = draw.integer(0, 9)
    if number < 2:
        raise Inapplicable("small")
    if number == 2:
        raise Undecided("two")
    require(number < subject, "too large", number=number)

LAW = Law("small", "n < bound", "test", Grade.EXACT, 10, check, {"bound 5": 5})

def test_holds(lenticulum_seed):
    assert lenticulum_seed == 17
    result = assert_holds(LAW, cases=100)
    print("counts", result.checked, result.undecided, result.inapplicable)
    assert_rejects_mistakes(LAW)

def test_differs():
    assert_holds(LAW, 5)
"""


def run(directory: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    directory.makepyfile(SUITE)
    # The plugin is given by name: the suite that this test belongs to turns the entry point off.
    plugins = ("-p", "no:lenticulum", "-p", "lenticulum.testing.plugin", "-p", "no:cacheprovider")
    return directory.runpytest_subprocess(*plugins, "--lenticulum-seed=17", *arguments)


def test_a_session_has_one_seed_and_a_summary_of_what_was_not_decided(pytester):
    result = run(pytester, "-rP")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["lenticulum: --lenticulum-seed=17"])
    counts = next(line for line in result.outlines if line.startswith("counts")).split()[1:]
    assert sum(map(int, counts)) == 100
    # The second test adds nothing but the cases before its first violation.
    summary = result.outlines[
        result.outlines.index(next(line for line in result.outlines if "= lenticulum =" in line)) :
    ]
    checked, undecided, not_run = (int(line.split()[0]) for line in summary[1:4])
    assert (checked >= int(counts[0]), undecided >= int(counts[1]), not_run >= int(counts[2])) == (True, True, True)
    assert [line.split(maxsplit=1)[1] for line in summary[1:4]] == [
        "cases checked (seed 17)",
        "undecided",
        "not run (the hypotheses of the law did not hold)",
    ]


def test_a_failure_shows_the_smallest_witness_and_how_to_replay_it(pytester):
    result = run(pytester)
    result.stdout.fnmatch_lines(["*AssertionError: small fails*: too large", "*number = 5", "*ReplayDraw(*5*)"])


def test_the_counts_of_workers_are_added(pytester):
    alone = run(pytester, "-rP")
    shared = run(pytester, "-n", "2", "-rP")

    def summary(result):
        return [line for line in result.outlines if line.endswith(("(seed 17)", "undecided", "did not hold)"))]

    assert summary(shared) == summary(alone)


def test_a_session_that_counts_nothing_says_nothing(pytester):
    pytester.makepyfile("def test_nothing(): pass")
    result = pytester.runpytest_subprocess("-p", "no:lenticulum", "-p", "lenticulum.testing.plugin")
    result.stdout.no_fnmatch_line("*= lenticulum =*")


@pytest.mark.parametrize("module", ["testing.plugin", "testing.assertions", "testing.strategies", "check.engine"])
def test_no_jax_is_imported(module):
    program = f"import sys, lenticulum.{module}; print(sorted({{'jax', 'jaxlib', 'equinox'}} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "[]\n"


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(cases())
def test_hypothesis_drives_the_generator_of_cases(case):
    assert isinstance(case, Case)
    assert nesting(case.term) <= 8


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(terms((2, 3), nesting=4))
def test_hypothesis_draws_terms_from_a_given_source(term):
    term.target((2, 3))
    assert nesting(term) <= 4


@given(arrays((2, 3)))
def test_hypothesis_draws_float32_arrays(array):
    assert (array.shape, array.dtype.name) == ((2, 3), "float32")
    assert (abs(array) < 4).all()


def test_both_drivers_are_draws():
    assert isinstance(HypothesisDraw(lambda strategy: None), Draw)
