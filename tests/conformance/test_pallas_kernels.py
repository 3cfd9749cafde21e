"""Kernels in Pallas, interpreted: right ones conform, broken ones differ, and what cannot be read is said."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pallas_kernels as kernels
import pytest

from lenticulum.check import check, examine

PRODUCT = {"x": (3, 4), "y": (4, 2)}


@pytest.mark.parametrize(
    ("kernel", "spec", "options"),
    [
        (kernels.softmax, "softmax", {}),
        (kernels.softmax, "softmax", {"dtype": "bfloat16"}),
        (kernels.layer_norm, "layer_norm", {"shapes": {"x": (3, 5), "weight": (5,), "bias": (5,)}}),
        (kernels.matmul, "matmul", {"shapes": PRODUCT}),
    ],
)
def test_right_kernels_conform(kernel: Callable[..., Any], spec: str, options: dict[str, Any]) -> None:
    result = examine(kernel, spec, **options)
    assert result.verdict == "conforms", str(result)
    assert sum(result.carried.values()) > 3


def test_a_kernel_that_jax_does_not_derive_is_judged_by_its_values() -> None:
    result = examine(kernels.matmul, "matmul", shapes=PRODUCT)
    assert any("JAX does not derive the function" in note for note in result.notes)


@pytest.mark.parametrize(
    ("kernel", "spec", "kind", "options"),
    [
        (kernels.softmax_without_shift, "softmax", "special-value", {}),
        (kernels.softmax_sums_in_bfloat16, "softmax", "formula", {}),
        (kernels.softmax_of_columns, "softmax", "formula", {}),
        (kernels.layer_norm_epsilon_outside, "layer_norm", "formula", {}),
        (kernels.matmul_in_bfloat16, "matmul", "formula", {"shapes": PRODUCT}),
    ],
)
def test_broken_kernels_differ(kernel: Callable[..., Any], spec: str, kind: str, options: dict[str, Any]) -> None:
    result = check(kernel, spec, **options)
    assert (result.verdict, result.kind) == ("differs", kind), str(result)
    namespace: dict[str, Any] = {}
    exec(result.witness.code, namespace)
    got = float(np.asarray(namespace["got"])[result.finding.position])
    assert np.array_equal(got, result.finding.got, equal_nan=True)


def test_without_a_definition_what_could_not_run_is_said() -> None:
    result = check(kernels.softmax)
    assert result.verdict == "not covered"
    told = "\n".join(result.not_covered)
    assert "exact meaning: it could not run (UnknownPrimitive: the primitive pallas_call" in told
    assert "derivatives: it could not run" in told
