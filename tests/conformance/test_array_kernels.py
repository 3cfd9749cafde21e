"""Public kernels for windows, positions and attention conform; broken copies differ, with a witness that runs."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from array_kernels import BROKEN, GOOD

from lenticulum.check import CallError, check, examine


def verdicts(seeds: int) -> dict[str, list[list[dict[str, Any]]]]:
    """The verdicts on every kernel, from a process of its own: the run-time type checks of this one triple the cost."""
    program = Path(__file__).with_name("array_kernels.py")
    run = subprocess.run([sys.executable, str(program), str(seeds)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("seeds", [1, pytest.param(50, marks=pytest.mark.long)])
def test_public_kernels_conform_and_broken_copies_differ(seeds: int) -> None:
    found = verdicts(seeds)
    assert [len(each) for each in (*found["good"], *found["broken"])] == [seeds] * (len(GOOD) + len(BROKEN))
    for (_, spec, _), results in zip(GOOD, found["good"], strict=True):
        for result in results:
            assert result["verdict"] == "conforms", result["text"]
            assert result["carried"] > 30, spec
    for (_, _, kind), results in zip(BROKEN, found["broken"], strict=True):
        for result in results:
            assert (result["verdict"], result["kind"]) == ("differs", kind), result["text"]
            compile(result["witness"], "witness", "exec")


def test_the_bins_that_a_library_takes_instead_are_named() -> None:
    result = check(eqx.nn.AdaptiveAvgPool2d((2, 3)), "adaptive_average_pool")
    assert result.verdict == "differs"
    assert result.matches[0].startswith("adaptive_average_pool:bins=split")


def test_a_stated_stride_is_held_against_the_field_of_a_module() -> None:
    made = {"in_channels": 2, "out_channels": 3, "kernel_size": 2, "stride": 2}
    result = examine("equinox.nn:Conv1d", "convolution:stride=1,padding=0,dilation=1", make=made)
    assert (result.verdict, result.kind) == ("differs", "type")
    assert result.witness is not None
    namespace: dict[str, Any] = {}
    exec(result.witness.code, namespace)
    assert f"y has the shape {list(namespace['got'].shape)}" in str(result)


def test_a_module_that_cannot_be_constructed_is_a_wrong_call() -> None:
    with pytest.raises(CallError, match="give its arguments with --make"):
        check("equinox.nn:Conv2d", "convolution")
    with pytest.raises(CallError, match="is an instance"):
        check(eqx.nn.MaxPool1d(2), "max_pool", make={"kernel_size": 3})


def test_a_query_without_keys_is_uniform_in_jax() -> None:
    # The rows that see no key are the only difference: with one point that has none of them the two agree.
    mask = np.array([[[[True, False], [False, False]]]])
    arrays = {role: np.ones((1, 2, 1, 1), np.float32) for role in ("query", "key", "value")}
    result = examine(jax.nn.dot_product_attention, "attention:heads=last", at={**arrays, "mask": mask})
    assert (result.verdict, result.finding.position) == ("differs", (0, 1, 0, 0))
    mask[..., 1, 0] = True
    assert examine(jax.nn.dot_product_attention, "attention:heads=last", at={**arrays, "mask": mask}).verdict == (
        "conforms"
    )


def test_attention_of_jax_rounds_to_binary32_in_binary64() -> None:
    # "Softmax and it is always carried out in fp32": the weights of binary64 arrays have an error of binary32.
    subject, spec = jax.nn.dot_product_attention, "attention:heads=last,blocked=uniform"
    result = examine(subject, spec, dtype="float64")
    with jax.enable_x64(True):
        query, key = jnp.ones((1, 1, 1, 1)), jnp.array([0.0, 0.1]).reshape(1, 2, 1, 1)
        y = float(subject(query, key, key, scale=1.0).item())
    exact = 0.1 / (1 + np.exp(-0.1))
    assert (result.verdict == "differs") == (abs(y - exact) > 1e-12)


def test_one_table_of_rotary_angles_serves_every_base() -> None:
    # The table of Equinox is kept by width and dtype alone, so the first base serves the next: the checker says so
    # exactly where the two modules give the same.
    x = jnp.ones((5, 8))
    first, second = (eqx.nn.RotaryPositionalEmbedding(8, theta) for theta in (10_000.0, 64.0))
    same = bool((first(x) == second(x)).all())
    result = examine(second, "rotary_positions:layout=half", shapes={"x": (5, 8)})
    assert (result.verdict == "differs") == same


def test_a_mask_that_is_a_low_score_loses_to_a_lower_one() -> None:
    # The only key that may be seen has the score -3e38; JAX gives blocked keys -0.7 times the largest number.
    arrays = {"query": [1.0], "key": [1.0, 1.0], "value": [1.0, 100.0]}
    point: dict[str, Any] = {role: np.array(each, np.float32).reshape(1, -1, 1, 1) for role, each in arrays.items()}
    point["mask"] = np.array([True, False]).reshape(1, 1, 1, 2)
    for score in (-2e38, -3e38):
        point["bias"] = np.array([score, 0.0], np.float32).reshape(1, 1, 1, 2)
        got = jax.nn.dot_product_attention(**{role: jnp.asarray(each) for role, each in point.items()}, scale=1.0)
        result = examine(jax.nn.dot_product_attention, "attention:heads=last", at=point, bind={"scale": 1.0})
        assert (result.verdict == "differs") == (float(got.item()) != 1)
