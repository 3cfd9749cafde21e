"""Custom derivative rules against the exact derivative: the right rule conforms, each mistake is a finding."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import Array

from lenticulum.check import check


def tanh_with(backward: Callable[[Array, Array], Any]) -> Any:
    """Return tanh with a reverse rule of (y, cotangent)."""

    @jax.custom_vjp
    def function(x: Array) -> Array:
        return jnp.tanh(x)

    def forward(x: Array) -> tuple[Array, Array]:
        y = jnp.tanh(x)
        return y, y

    function.defvjp(forward, lambda y, c: backward(y, c))
    return function


def tanh_jvp_with(factor: float) -> Any:
    """Return tanh with a forward rule that is off by a factor."""

    @jax.custom_jvp
    def function(x: Array) -> Array:
        return jnp.tanh(x)

    def rule(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
        y = jnp.tanh(primals[0])
        return y, tangents[0] * (1 - y * y) * factor

    function.defjvp(rule)
    return function


def squared_with(backward: Callable[[Array, Array], Any]) -> Any:
    """Return half the squared loss with a reverse rule of (difference, cotangent)."""

    @jax.custom_vjp
    def function(label: Array, prediction: Array) -> Array:
        return 0.5 * jnp.sum((prediction - label) ** 2)

    function.defvjp(lambda label, prediction: (function(label, prediction), prediction - label), backward)
    return function


def test_a_right_rule_conforms() -> None:
    assert check(tanh_with(lambda y, c: (c * (1 - y * y),)), "tanh").verdict == "conforms"
    assert check(tanh_jvp_with(1.0), "tanh").verdict == "conforms"
    assert check(squared_with(lambda d, c: (-c * d, c * d)), "squared_loss").verdict == "conforms"
    assert check(jax.nn.relu, "relu").verdict == "conforms"


@pytest.mark.parametrize(
    ("subject", "spec"),
    [
        pytest.param(tanh_with(lambda y, c: (-c * (1 - y * y),)), "tanh", id="wrong sign"),
        pytest.param(tanh_with(lambda y, c: (c * (1 - y * y) * (1 + 1e-3),)), "tanh", id="one part in a thousand"),
        pytest.param(tanh_jvp_with(1 + 1e-3), "tanh", id="one part in a thousand, forward"),
        pytest.param(tanh_with(lambda y, c: (c * (1 - y),)), "tanh", id="wrong formula"),
        pytest.param(squared_with(lambda d, c: (c * d, -c * d)), "squared_loss", id="swapped arguments"),
        pytest.param(squared_with(lambda d, c: (None, c * d)), "squared_loss", id="missing cotangent"),
        pytest.param(tanh_with(lambda y, c: ()), "tanh", id="no cotangent at all"),
        pytest.param(tanh_with(lambda y, c: (jnp.sum(c),)), "tanh", id="wrong shape"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_rule_is_a_finding_of_the_derivative(subject: Any, spec: str, seed: int) -> None:
    result = check(subject, spec, seed=seed)
    assert (result.verdict, result.kind) == ("differs", "derivative"), str(result)


def test_the_witness_of_a_wrong_rule_repeats_the_wrong_cotangent() -> None:
    subject = tanh_with(lambda y, c: (-c * (1 - y * y),))
    result = check(subject, "tanh")
    assert result.witness is not None
    assert result.finding is not None
    namespace: dict[str, Any] = {"function": subject}
    exec(result.witness.code.replace("function = lambda x: function(x)\n", ""), namespace)
    assert float(np.asarray(namespace["got"])[result.finding.position]) == result.finding.got
