"""The pytest option and fixture that run a suite with audited_jit in the place of jax.jit."""

import pytest

pytest_plugins = ["pytester"]

SUITE = """
import jax
import jax.numpy as jnp

FACTOR = 2.0
CALLS = 0

@jax.jit
def scale(x):
    global CALLS
    CALLS += 1
    return FACTOR * x

def test_first():
    assert float(scale(jnp.float32(10))) == 20.0

def test_second(monkeypatch):
    monkeypatch.setattr("test_suite.FACTOR", 3.0)
    scale(jnp.float32(10))
"""

FIXTURE = """
import jax
import jax.numpy as jnp

class Scale:
    def __init__(self, factor):
        self.factor = factor
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 0

def test_own(jit_audit):
    scale = jax.jit(lambda item, x: item.factor * x, static_argnums=0)
    scale(Scale(2.0), jnp.float32(10))
    scale(Scale(3.0), jnp.float32(10))

def test_after():
    assert "jax" in jax.jit.__module__
"""


def run(pytester, source, *arguments):
    """Run a suite. The plugin is given by name: the suite that this test belongs to turns the entry point off."""
    pytester.makepyfile(test_suite=source)
    plugins = ("-p", "no:lenticulum", "-p", "lenticulum.testing.plugin", "-p", "no:cacheprovider")
    return pytester.runpytest_subprocess(*plugins, *arguments)


def test_a_suite_that_passes_is_told_of_its_stale_program(pytester):
    run(pytester, SUITE).assert_outcomes(passed=2)
    pytester.makeini("[pytest]\nlenticulum_benign = CALLS")
    result = run(pytester, SUITE, "--lenticulum-audit-jit")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["*StaleProgram: scale: a stale program was served", "*global FACTOR: 2.0 when it was traced, 3.0 now*"]
    )
    result.stdout.fnmatch_lines(["*= lenticulum =*", "2 calls of audited_jit: 1 traces of 1 programs, 1 stale"])


@pytest.mark.long
def test_workers_report_too(pytester):
    result = run(pytester, SUITE, "--lenticulum-audit-jit", "-n", "2", "--dist", "loadfile")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*calls of audited_jit*"])


def test_the_fixture_audits_one_test(pytester):
    result = run(pytester, FIXTURE)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*static argument 0.factor: 2.0 when it was traced, 3.0 now*"])
