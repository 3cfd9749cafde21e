"""audited_jit on the published wrong programs: it raises on each stale one, and is silent on every correct object."""

import json
import pathlib

import jax
import numpy as np
import pytest

from lenticulum.testing import Audit, StaleProgram, audited_jit

CASES = {
    case["id"]: case
    for case in json.loads((pathlib.Path(__file__).parent / "data" / "identity_cases.json").read_text("utf-8"))
}


@pytest.fixture(autouse=True)
def no_program_of_another_test():
    """A cached inner program would decide a verdict, here and in the tests that follow."""
    jax.clear_caches()
    yield
    jax.clear_caches()


def under_audit(name):
    """The scenario of a case, executed anew, with `audited_jit` in the place of `jax.jit`: (result, audit)."""
    namespace = {"__name__": f"identity_case_{name}"}
    exec(compile(CASES[name]["code"], f"<{name}>", "exec"), namespace)
    audit = Audit()

    def jit(function, **options):
        return audited_jit(function, audit=audit, **options)

    return lambda: namespace["scenario"](jit), audit


def bits(value):
    array = np.asarray(value)
    return array.dtype.name, array.shape, array.tobytes()


def names(expected):
    return [name for name, case in CASES.items() if case["expected"] == expected]


@pytest.mark.parametrize("name", names("stale"))
def test_every_stale_program_is_raised_with_both_values(name):
    run, audit = under_audit(name)
    with pytest.raises(StaleProgram) as raised:
        run()
    assert audit.stale == 1
    assert raised.value.before != raised.value.after
    if CASES[name]["family"] not in ("j", "k") or CASES[name]["programs"] == 2:
        served, truth = raised.value.served, raised.value.cold
        assert bits(served) != bits(truth)
        # What the scenario itself returns, without audit, is what was served.
        namespace = {"__name__": f"identity_case_{name}"}
        exec(compile(CASES[name]["code"], f"<{name}>", "exec"), namespace)
        plain_served, plain_truth = namespace["scenario"](jax.jit)
        assert (bits(served), bits(truth)) == (bits(plain_served), bits(plain_truth))


@pytest.mark.parametrize("name", names("fresh"))
def test_a_correct_object_is_served_in_silence(name):
    run, audit = under_audit(name)
    served, truth = run()
    assert bits(served) == bits(truth)
    assert (audit.traces, audit.stale) == (CASES[name]["traces"], 0)


@pytest.mark.parametrize("name", ["P25", "P26"])
def test_a_needless_trace_is_a_note(name):
    run, audit = under_audit(name)
    run()
    assert (audit.traces, len(audit.programs)) == (2, 1)
    assert audit.notes() == ["run: traced 1 times more than it has programs"]


def test_an_equality_that_raises_is_left_to_jax():
    run, _ = under_audit("P18")
    with pytest.raises(ValueError, match="equality of metadata"):
        run()
