"""Public kernels of reductions and normalisations conform; broken copies differ, with a witness that compiles."""

import importlib.util
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import pytest
from reduction_kernels import BROKEN, GOOD, SEEDS

from lenticulum.check import check


@cache
def swept(library: str, seeds: int) -> dict[str, list[list[dict[str, Any]]]]:
    """Return the verdicts by group; in a process of its own, without the run-time type checks of this one."""
    program = Path(__file__).with_name("reduction_kernels.py")
    command = [sys.executable, str(program), library, str(seeds)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


SOME = pytest.mark.parametrize("seeds", [1, pytest.param(SEEDS * 10, marks=pytest.mark.long)])


@SOME
def test_a_sound_kernel_conforms(seeds: int) -> None:
    for kernel, results in zip(GOOD, swept("jax", seeds)["good"], strict=True):
        assert [each["verdict"] for each in results] == ["conforms"] * seeds, (str(kernel), results)
        assert all(each["carried"] > 0 for each in results), str(kernel)


@SOME
def test_a_broken_copy_differs(seeds: int) -> None:
    for kernel, results in zip(BROKEN, swept("jax", seeds)["broken"], strict=True):
        assert {(each["verdict"], each["kind"]) for each in results} == {("differs", kernel.kind)}, str(kernel)
        for each in results:
            compile(each["witness"], "witness", "exec")


@SOME
def test_kernels_of_torch_conform_but_for_what_is_known(seeds: int) -> None:
    importlib.util.find_spec("torch") or pytest.skip("torch is not installed")
    assert {each["verdict"] for results in swept("torch", seeds)["good"] for each in results} == {"conforms"}
    norm, variance = swept("torch", seeds)["known"]
    assert {(each["kind"], each["stratum"]) for each in norm} == {("rounding", "subnormal input")}
    assert {each["kind"] for each in variance} == {"formula"}


def test_the_convention_that_a_kernel_follows_instead_is_named() -> None:
    result = check(jnp.var, "variance:axis=0", bind={"ddof": 1})
    assert result.verdict == "differs"
    assert result.matches[0].startswith("variance:axis=0,estimate=sample"), result.matches
