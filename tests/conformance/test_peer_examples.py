"""Examples of the documentation of other checkers of gradients, with nothing but the import replaced."""

import jax
import jax.numpy as jnp
import pytest

from lenticulum.testing import check_grads


def test_logistic_regression_of_the_autodiff_cookbook():
    # https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html
    def predict(weights, bias, inputs):
        return 0.5 * (jnp.tanh((jnp.dot(inputs, weights) + bias) / 2) + 1)

    inputs = jnp.array([[0.52, 1.12, 0.77], [0.88, -1.08, 0.15], [0.52, 0.06, -1.30], [0.74, -2.49, 1.39]])
    targets = jnp.array([True, True, False, True])

    def loss(weights, bias):
        predictions = predict(weights, bias, inputs)
        label_probabilities = predictions * targets + (1 - predictions) * (1 - targets)
        return -jnp.sum(jnp.log(label_probabilities))

    key = jax.random.key(0)
    weights, bias = jax.random.normal(key, (3,)), jax.random.normal(jax.random.fold_in(key, 1), ())
    check_grads(loss, (weights, bias), order=2)


def test_a_reverse_rule_is_checked_in_reverse_mode():
    # https://docs.jax.dev/en/latest/notebooks/Custom_derivative_rules_for_Python_code.html
    @jax.custom_vjp
    def f(x, y):
        return jnp.sin(x) * y

    f.defvjp(lambda x, y: (f(x, y), (jnp.cos(x), jnp.sin(x), y)), lambda r, g: (r[0] * g * r[2], r[1] * g))
    check_grads(f, (2.0, 3.0), order=1, modes=["rev"], atol=1e-2, rtol=1e-2, eps=1e-3)
    # It has no forward mode, and both checkers say so.
    with pytest.raises((TypeError, AssertionError), match="forward-mode"):
        check_grads(f, (2.0, 3.0), order=1)
