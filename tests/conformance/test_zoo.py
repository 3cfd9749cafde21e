"""Reported bugs, rebuilt: the verdicts follow the code, whichever of the two pieces is called faulty."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from zoo import ADAPTERS, SEEDS, check, entries, function

CAUGHT = list(ADAPTERS)


def swept(seeds: int) -> dict[str, Any]:
    """Return the outcomes of so many seeds, from a process without the run-time type checks of this one."""
    program = Path(__file__).with_name("zoo.py")
    run = subprocess.run(
        [sys.executable, str(program), "--json", str(seeds)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def held(found: dict[str, Any], seeds: int) -> None:
    """Require that every entry that counts as caught is: rejected with the right kind, the fixed code never."""
    assert list(found) == list(ADAPTERS)
    for name in CAUGHT:
        labelled, exchanged = found[name]["labelled"], found[name]["exchanged"]
        assert labelled["faulty"]["rejected"] > 0, name
        assert set(labelled["faulty"]["kinds"]) <= set(ADAPTERS[name].kinds), name
        assert labelled["fixed"]["rejected"] == 0, name
        assert exchanged == {"faulty": labelled["fixed"], "fixed": labelled["faulty"]}, name
        assert labelled["faulty"]["seeds"] == seeds


def test_an_entry_is_caught_and_its_repair_accepted() -> None:
    held(swept(1), 1)


@pytest.mark.long
def test_an_entry_is_caught_and_its_repair_accepted_in_every_seed() -> None:
    found = swept(SEEDS)
    held(found, SEEDS)
    assert all(found[name]["labelled"]["faulty"]["rejected"] == SEEDS for name in CAUGHT)


def test_a_result_below_a_number_that_the_value_exceeds_is_no_rounding_of_it() -> None:
    # log2(2^a + 2^b) > max(a, b); via natural logarithms in half precision it comes out below. K stays under 3.
    entry, adapter = entries()["E10"], ADAPTERS["E10"]
    result = check(function(entry["faulty_code"]), adapter.spec, **adapter.options())
    a, b = (float(result.witness.inputs[role][0]) for role in ("x", "y"))
    assert result.finding is not None
    assert result.finding.got < max(a, b)
    assert result.finding.exact == f">= {max(a, b)!r}"


def test_the_convention_that_is_followed_instead_is_named() -> None:
    # The default of jax.nn.gelu is the approximation by tanh.
    entry, adapter = entries()["E15"], ADAPTERS["E15"]
    result = check(function(entry["faulty_code"]), adapter.spec, **adapter.options())
    assert result.verdict == "differs"
    assert result.matches[0].startswith("gelu:approximate=tanh")
    assert "it matches gelu:approximate=tanh" in str(result)
