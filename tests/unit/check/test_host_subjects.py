"""Elementwise functions that JAX cannot trace: NumPy arrays, NumPy scalars, torch tensors; and derivatives by role."""

import math
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum.check import CallError, check, examine


def exp_of_scalars(x: Any) -> Any:
    """Return e^x of one number: `if` refuses an array."""
    return x if np.isnan(x) else np.exp(x) if x > -np.inf else type(x)(0)


def exp_off(x: np.ndarray) -> np.ndarray:
    """Return e^x with a relative error of 2^-8."""
    return (np.exp(x) * x.dtype.type(1 + 2**-8)).astype(x.dtype)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_a_function_of_numpy_arrays_is_called_on_arrays(dtype: str) -> None:
    result = check(np.tanh, "tanh", dtype=dtype)
    assert result.verdict == "conforms", str(result)
    assert "JAX cannot trace the function: its derivative was not checked" in result.notes


def test_a_function_of_scalars_is_called_once_for_each_entry() -> None:
    result = check(exp_of_scalars, "exp", dtype="float16")
    assert result.verdict == "conforms", str(result)


def test_a_wrong_function_of_arrays_has_a_witness_that_runs() -> None:
    result = check(exp_off, "exp", dtype="float32")
    assert (result.verdict, result.kind) == ("differs", "formula")
    assert result.witness is not None
    namespace: dict[str, Any] = {"exp_off": exp_off}
    exec(result.witness.code.replace("subject(", "exp_off("), namespace)
    assert float(namespace["got"][result.finding.position]) == result.finding.got


def test_a_function_of_scalars_that_raises_shows_the_one_argument() -> None:
    result = check(math.exp, "exp", dtype="float64")
    assert (result.verdict, result.kind) == ("differs", "raises")
    assert "OverflowError" in result.finding.note
    assert result.witness is not None
    assert result.witness.call.count("math.exp") == 1


def test_another_dtype_than_that_of_the_arguments_is_a_finding() -> None:
    assert check(lambda x: np.asarray(np.tanh(x), np.float64), "tanh", dtype="float32").kind == "type"


def test_subnormal_numbers_are_kept_where_numpy_keeps_them() -> None:
    def flushing(x: np.ndarray) -> np.ndarray:
        y = np.tanh(x)
        return np.where(np.abs(y) < np.finfo(np.float32).tiny, np.copysign(np.float32(0), y), y)

    result = check(flushing, "tanh", dtype="float32")
    assert (result.verdict, result.kind) == ("differs", "flush")


TORCH = """
import torch
from lenticulum.check import check
for dtype in ("float32", "bfloat16", "float16"):
    assert check(torch.tanh, "tanh", dtype=dtype).verdict == "conforms"
result = check(lambda x: torch.tanh(x) * 1.01, "tanh", dtype="float32")
assert (result.verdict, result.kind) == ("differs", "formula"), result
assert "torch.tensor(" in result.witness.code
"""


def test_a_function_of_torch_tensors_is_called_on_tensors() -> None:
    # torch in a process of its own: the import costs seconds, and other tests of this one do not need it.
    pytest.importorskip("importlib.util").find_spec("torch") or pytest.skip("torch is not installed")
    run = subprocess.run([sys.executable, "-c", TORCH], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_an_output_may_be_the_derivative() -> None:
    slope = jax.vmap(jax.grad(jax.nn.softplus))
    assert examine(lambda xs: slope(xs), "softplus", roles={"output": "derivative"}).verdict == "conforms"
    wrong = examine(lambda xs: slope(xs) + 2e-3, "softplus", roles={"output": "derivative"})
    assert (wrong.verdict, wrong.kind) == ("differs", "derivative")
    assert examine(lambda xs: slope(xs), "softplus").kind == "formula"


def test_another_output_is_no_role() -> None:
    with pytest.raises(CallError, match="output=integral"):
        check(jnp.tanh, "tanh", roles={"output": "integral"})
    with pytest.raises(CallError, match="output=derivative"):
        check(jax.nn.softmax, "softmax", roles={"output": "derivative"})


def test_a_function_that_changes_its_argument_is_found_and_never_judged_at_what_it_left() -> None:
    def exp_of_zero(x: np.ndarray) -> np.ndarray:
        x[...] = 0  # exp(0) = 1 is right for what is left in x.
        return np.exp(x)

    def in_place(x: np.ndarray) -> np.ndarray:
        return np.exp(x, out=x)

    for function in (exp_of_zero, in_place):
        result = check(function, "exp")
        assert (result.verdict, result.kind) == ("differs", "mutates")


def test_an_exception_that_cannot_be_written_is_named_by_its_type() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("planted")

    def raising(x: np.ndarray) -> np.ndarray:
        raise Mute

    result = check(raising, "exp")
    assert (result.verdict, result.kind) == ("differs", "raises")
    assert result.finding is not None
    assert result.finding.note == "Mute"
