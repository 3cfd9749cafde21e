"""Public kernels conform on every seed; subtly broken copies differ on every seed, with a witness that runs."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import equinox
import jax
import numpy as np
import optax
import pytest
from known_kernels import BROKEN, GOOD, SEEDS, Kernel

from lenticulum.check import check


def swept(group: str) -> dict[str, list[dict[str, Any]]]:
    """Return the verdicts on every kernel of a group and every seed.

    In a process of its own: the run-time type checks of this one triple the cost of exact arithmetic, and the checks
    below, on fewer seeds, have them.
    """
    program = Path(__file__).with_name("known_kernels.py")
    run = subprocess.run([sys.executable, str(program), group], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_a_sound_kernel_conforms_on_every_seed() -> None:
    found = swept("good")
    assert list(found) == [str(kernel) for kernel in GOOD]
    for name, results in found.items():
        assert len(results) == SEEDS
        assert [seed for seed, each in enumerate(results) if each["verdict"] != "conforms"] == [], name
        assert all(each["carried"] > 0 for each in results), name


def test_a_broken_copy_differs_on_every_seed() -> None:
    found = swept("broken")
    assert list(found) == [str(kernel) for kernel in BROKEN]
    for kernel in BROKEN:
        results = found[str(kernel)]
        assert len(results) == SEEDS
        wrong = [
            seed for seed, each in enumerate(results) if (each["verdict"], each["kind"]) != ("differs", kernel.kind)
        ]
        assert wrong == [], kernel
        for each in results:
            compile(each["witness"], "witness", "exec")


@pytest.mark.parametrize("kernel", BROKEN, ids=str)
@pytest.mark.parametrize("seed", [0, 1])
def test_a_witness_can_be_pasted_and_shows_the_difference(kernel: Kernel, seed: int) -> None:
    result = check(kernel.subject, kernel.spec, seed=seed, **kernel.options)
    assert result.finding is not None
    namespace: dict[str, Any] = {}
    exec(witness(result), namespace)
    got = float(np.asarray(namespace["got"])[result.finding.position])
    # The same bits as in the report, outside what every conforming evaluation may give.
    assert got == result.finding.got
    assert result.finding.bound is not None
    assert not result.finding.bound[0] <= got <= result.finding.bound[1]


def witness(result: Any) -> str:
    """Return the program of a witness."""
    assert result.witness is not None
    return result.witness.code


def test_the_convention_that_a_kernel_follows_instead_is_named() -> None:
    result = check(optax.sgd, "nesterov", bind={"nesterov": True})
    assert result.verdict == "differs"
    assert result.matches[0].startswith("nesterov:stores=look_ahead (K")


def test_a_stated_epsilon_is_held_against_the_field_of_an_instance() -> None:
    layer = equinox.nn.LayerNorm(4, eps=1e-6)
    assert check(layer, "layer_norm:epsilon=1e-5").verdict == "differs"
    assert check(layer, "layer_norm:epsilon=1e-6").verdict == "conforms"
    assert check(layer, "layer_norm").verdict == "conforms"


def test_the_decimal_and_the_received_hyperparameters_are_both_said() -> None:
    result = check(optax.adam, "adam:b1=0.9,b2=0.999,eps=1e-8")
    assert result.verdict == "conforms"
    assert any("received 0.999" in note and "against the decimals K" in note for note in result.notes)


def test_a_check_says_which_criterion_carried_each_entry() -> None:
    # Near overflow the products of every order of summation overflow; those entries are excused, and named.
    assert set(check(equinox.nn.Linear, "dense").carried) == {"T", "textbook overflow"}
    assert "running bound" in check(jax.nn.softmax, "softmax").carried
