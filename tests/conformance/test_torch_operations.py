"""Torch as a third opinion on windows, embedding and attention: inside the running bounds, and equal where exact."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lenticulum.numbers import ball, magnitude, rational, vjp
from lenticulum.spec.elementwise import evaluation_of, forms_of
from lenticulum.terms import (
    AdaptiveAveragePool,
    Attention,
    AveragePool,
    Convolution,
    Embedding,
    MaxPool,
    TransposedConvolution,
)

pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")

PADDING, MASK = ((1, 1), (2, 2)), np.array([[True, False, True], [False, True, True], [False, False, False]])
TERMS = {
    "conv1d": Convolution(2, 1),
    "conv2d": Convolution((2, 1), PADDING, (1, 2), 2),
    "conv3d": Convolution((1, 2, 1)),
    "conv_transpose2d": TransposedConvolution((2, 1), PADDING, (1, 0), (1, 2), 2),
    "max_pool2d": MaxPool((2, 3), (2, 1), 1),
    "avg_pool2d": AveragePool((2, 3), (2, 1), 1),
    "avg_pool2d inside": AveragePool((2, 3), 2, 1, "inside"),
    "adaptive_avg_pool2d": AdaptiveAveragePool((3, 2)),
    "embedding": Embedding(),
    "attention": Attention(),
    "attention causal": Attention(causal="start"),
    "attention mask": Attention(scale="3/8"),
    "attention shared": Attention(),
}


@pytest.fixture(scope="module")
def torch_results() -> dict[str, dict[str, Any]]:
    """What torch computes, in a process of its own: the import costs seconds, and no other test here needs it."""
    program = Path(__file__).with_name("torch_operations.py")
    run = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def inside(values: Any, bounds: list[Any]) -> bool:
    """Whether every entry lies inside the bound of one form at least; an unbounded entry says nothing."""
    numbers = rational(np.ravel(values).tolist())
    found = np.zeros(numbers.shape, bool)
    for bound in bounds:
        said = np.flatnonzero(bound.bounded().ravel())
        told = bound.reshape((-1,)).take(said)
        found[said] |= (told.lower() <= numbers[said]) & (numbers[said] <= told.upper())
    return bool(found.all())


def arguments(name: str, arrays: list[Any], lift: Any) -> tuple[Any, ...]:
    if name == "embedding":
        return np.array(arrays[0]), lift(arrays[1])
    lifted = tuple(map(lift, arrays))
    return (*lifted, None, MASK) if name == "attention mask" else lifted


@pytest.mark.parametrize("name", TERMS)
def test_torch_lies_inside_the_running_bound(name: str, torch_results: dict[str, dict[str, Any]]) -> None:
    term, result = TERMS[name], torch_results[name]
    bounds = [form(*arguments(name, result["arrays"], magnitude)) for form in forms_of(term)]
    exact = evaluation_of(term)(*arguments(name, result["arrays"], ball))
    assert exact.shape == np.shape(result["y"])
    assert inside([float(each) for each in exact.midpoint().reshape((-1,)).tolist()], bounds)
    assert inside(result["y"], bounds)


@pytest.mark.parametrize(
    "name", ["conv2d", "conv_transpose2d", "avg_pool2d", "avg_pool2d inside", "adaptive_avg_pool2d"]
)
def test_the_gradient_of_torch_lies_inside_the_running_bound(
    name: str, torch_results: dict[str, dict[str, Any]]
) -> None:
    result = torch_results[name]
    _, pull = vjp(evaluation_of(TERMS[name]), *map(magnitude, result["arrays"]))
    for gradient, bound in zip(result["gradients"], pull(magnitude(result["cotangent"])), strict=True):
        assert inside(gradient, [bound])


def test_the_gradients_of_torch_are_equal_where_they_are_exact(torch_results: dict[str, dict[str, Any]]) -> None:
    # Whole numbers: every largest entry that occurs twice sends its cotangent to the first, and equal ids add.
    for name in ("max_pool2d", "embedding"):
        result = torch_results[name]
        *ids, floats = arguments(name, result["arrays"], rational)
        _, pull = vjp(lambda x: evaluation_of(TERMS[name])(*ids, x), floats)  # noqa: B023
        assert pull(rational(result["cotangent"]))[0].tolist() == result["gradients"][0]
