"""Near the end of a format: what every closed form overflows on is excused and named, and nothing else."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from lenticulum.check import check
from lenticulum.check.definition import parse
from lenticulum.check.environment import Environment
from lenticulum.check.judge import judge
from lenticulum.numbers.formats import BINARY32

FLUSHES = Environment(BINARY32, flushes=True)


def verdict(spec: str, outputs: dict[str, np.ndarray], **inputs: np.ndarray) -> Any:
    definition = parse(spec)
    term = definition.term({role: array.shape for role, array in inputs.items()}, {})
    return judge(definition, term, inputs, outputs, FLUSHES)


def unshifted_softmax(x: Array) -> Array:
    """Softmax as it is printed: e^x overflows from 88.73 on."""
    powers = jnp.exp(x)
    return powers / jnp.sum(powers, axis=-1, keepdims=True)


def test_softmax_without_the_shift_is_a_finding() -> None:
    """The shifted closed form does not overflow, so nothing is excused."""
    result = check(unshifted_softmax, "softmax")
    assert result.verdict == "differs"
    assert np.isnan(result.finding.got)


def test_softmax_and_cross_entropy_with_the_shift_conform_near_overflow() -> None:
    result = check(jax.nn.softmax, "softmax")
    assert result.verdict == "conforms"

    def cross_entropy(label: Array, prediction: Array) -> Array:
        return -jnp.sum(label * jax.nn.log_softmax(prediction))

    assert check(cross_entropy, "cross_entropy").verdict == "conforms"


def test_what_every_closed_form_overflows_on_is_counted_and_named() -> None:
    def layer_norm(x: Array) -> Array:
        deviation = x - jnp.mean(x, axis=-1, keepdims=True)
        return deviation / jnp.sqrt(jnp.mean(deviation**2, axis=-1, keepdims=True) + 1e-5)

    result = check(layer_norm, "layer_norm")
    assert result.verdict == "conforms", str(result)
    assert result.carried["textbook overflow"] > 0
    assert any("every closed form of the definition overflows" in note for note in result.notes)


def test_an_excuse_needs_an_overflow_in_that_evaluation() -> None:
    row = np.array([[1.0, 2.0, 3.0]], np.float32)
    finding, tally = verdict("softmax", {"y": np.array([[np.nan, 0.2, 0.7]], np.float32)}, x=row)
    assert finding.kind == "special-value"
    assert tally.carried["textbook overflow"] == 0
    # The variance of ±1e30 overflows; that of ±1e15 does not.
    for size, kind in ((1e30, None), (1e15, "formula")):
        x = np.array([[size, -size]], np.float32)
        finding, _ = verdict("layer_norm", {"y": np.zeros((1, 2), np.float32)}, x=x)
        assert (finding and finding.kind) == kind
