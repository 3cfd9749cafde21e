"""Stated shapes that do not fit an operation are refused before the subject is called."""

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum.check import CallError, examine


def parametric(x: Any, weight: Any, bias: Any) -> Any:
    """Need every array."""
    return x * weight + bias


@pytest.mark.parametrize(
    ("subject", "spec", "shapes", "message"),
    [
        (jnp.matmul, "matmul", {"x": (3, 4), "y": (3, 2)}, r"got shapes \[3, 4\] and \[3, 2\]"),
        (parametric, "group_norm:groups=3", {"x": (2, 3)}, "without weight, bias: state the shapes of all arrays"),
        (parametric, "rms_norm", {"x": (2, 3), "weight": (2,), "bias": (3,)}, r"weight of shape \[2\]"),
        (jnp.mean, "mean:axis=0", {"x": (0, 3)}, "the mean of no elements"),
    ],
)
def test_what_does_not_fit_is_refused(subject: Any, spec: str, shapes: Any, message: str) -> None:
    with pytest.raises(CallError, match=message):
        examine(subject, spec, shapes=shapes)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_what_fits_is_called(dtype: str) -> None:
    assert examine(jnp.sum, "sum:axis=0", shapes={"x": (2, 3)}, dtype=dtype).verdict == "conforms"


def test_a_point_that_does_not_fit_is_refused() -> None:
    with pytest.raises(CallError, match="leave the divisor 0"):
        examine(jnp.var, "variance:estimate=sample", at={"x": np.float32([1])})
