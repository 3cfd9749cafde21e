"""Every published wrong program is found by name, proved and replayed; no control is an error."""

import contextlib
import io

import jax
import numpy as np
import pytest

from lenticulum.check.identity import IdentityFinding, check_identity
from lenticulum.check.identity.finding import ERROR, NOTE, WARNING
from tests.conformance import identity_cases
from tests.conformance.identity_cases import CASES, executed, given

PLANTED = [name for name in CASES if CASES[name]["finding"] is not None]
CONTROLS = [name for name in CASES if CASES[name]["finding"] is None]

#: Controls whose program does not depend on something outside the key: a label, the type of a number that is coerced,
#: and an enumeration equal to the string that the program compares with.
IGNORED = {"G10", "G11", "G14"}


def same_bits(one, other):
    one, other = np.asarray(one), np.asarray(other)
    return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())


def named(name: str) -> tuple[IdentityFinding, dict]:
    """The finding of the kind that the case names, and the module that it was found in."""
    module = executed(name)
    result = check_identity(module["make"], run=module["run"], **given(module))
    found = [finding for finding in result.findings if finding.kind == CASES[name]["finding"]]
    assert found, str(result)
    errors = CASES[name]["expected"] != "fresh"
    assert (result.verdict, result.exit_code) == (("differs", 1) if errors else ("conforms", 0)), str(result)
    assert result.kind == ("identity" if errors else None)
    return found[0], module


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_case_is_found_by_its_kind_proved_and_replayed(name):
    finding, module = named(name)
    expected = CASES[name]["expected"]
    assert finding.severity == (NOTE if expected == "fresh" else ERROR)
    assert finding.witness is not None
    module["variants"] = module["variants"]() if "variants" in module else ()
    code = compile(finding.witness.code, f"<witness of {name}>", "exec", dont_inherit=True)
    if expected == "error":
        with pytest.raises(ValueError, match="equality"):
            exec(code, module)
    elif expected == "fresh":
        # Right, and compiled again: the counts are those that were recorded.
        assert (finding.traces, finding.programs) == (CASES[name]["traces"], CASES[name]["programs"]) == (2, 1)
        exec(code, module)
        assert same_bits(module["got"], module["truth"])
    else:
        assert not same_bits(finding.served, finding.truth)
        # One trace for two programs, or one that is wrong at its first call.
        assert (finding.traces, finding.programs) == (CASES[name]["traces"], CASES[name]["programs"])
        exec(code, module)
        assert same_bits(module["got"], finding.served)
        assert same_bits(module["truth"], finding.truth)
    jax.clear_caches()


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_is_no_error(name):
    module = executed(name)
    result = check_identity(module["make"], run=module["run"], **given(module))
    assert result.verdict == "conforms", str(result)
    assert not result.findings
    assert (result.traces, result.programs) == (1, 1)
    assert result.values > 5, "nothing found must not be nothing tried"


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_without_its_program_is_a_warning_where_its_program_ignores_the_difference(name):
    module = executed(name)
    result = check_identity(module["make"], **given(module))
    assert {finding.severity for finding in result.findings} <= ({WARNING} if name in IGNORED else set()), str(result)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_case_without_its_program_is_no_error(name):
    module = executed(name)
    result = check_identity(module["make"], **given(module))
    assert {finding.severity for finding in result.findings} <= {WARNING, NOTE}
    assert CASES[name]["finding"] in {finding.kind for finding in result.findings}, str(result)


def test_the_table_names_what_was_found():
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert identity_cases.main(("P01", "P25", "G01")) == 0
    lines = printed.getvalue().splitlines()
    assert lines[-1] == "2 of 2 planted cases found by kind, 0 of the controls an error"
    assert [line.split()[0] for line in lines[1:4]] == ["P01", "P25", "G01"]
    assert lines[-3].startswith("median:")
