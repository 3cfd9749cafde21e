"""Examples of the documentation of other checkers of gradients, with nothing but the import replaced."""

import jax
import jax.numpy as jnp
import pytest

from lenticulum.testing import check_grads, gradcheck, gradgradcheck
from lenticulum.testing import check_grads as assert_numerical_grads


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


def test_the_call_of_chex():
    # chex.assert_numerical_grads(f, f_args, order, atol=0.01, **check_kwargs)
    x, y = jnp.linspace(0.5, 2.0, 7), jnp.linspace(-1.0, 1.0, 7)
    assert_numerical_grads(lambda x, y: jnp.sum(x**3 * jnp.tanh(y)), (x, y), order=1, atol=0.05, modes=("rev",))
    half = jax.custom_jvp(jnp.sin)
    half.defjvp(lambda p, t: (jnp.sin(*p), jnp.cos(*p) * t[0] / 2))
    with pytest.raises(AssertionError, match="^fwd: result 0"):
        assert_numerical_grads(half, (x,), 1)


def test_a_linear_layer_of_the_notes_on_extending_torch():
    # https://docs.pytorch.org/docs/stable/notes/extending.html
    torch = pytest.importorskip("torch", reason="torch is not installed")
    given = (
        torch.randn(20, 20, dtype=torch.double, requires_grad=True),
        torch.randn(30, 20, dtype=torch.double, requires_grad=True),
    )
    assert gradcheck(torch.nn.functional.linear, given, eps=1e-6, atol=1e-4)


def test_a_square_of_the_tutorial_on_double_backward():
    # https://docs.pytorch.org/tutorials/intermediate/custom_function_double_backward_tutorial.html
    torch = pytest.importorskip("torch", reason="torch is not installed")

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        def backward(ctx, grad_out):
            (x,) = ctx.saved_tensors
            return grad_out * 2 * x

    x = torch.rand(3, 3, requires_grad=True, dtype=torch.double)
    assert gradcheck(Square.apply, x)
    assert gradgradcheck(Square.apply, x)


def test_a_forward_rule_of_the_tutorial_on_forward_mode():
    # https://docs.pytorch.org/tutorials/intermediate/forward_ad_usage.html
    torch = pytest.importorskip("torch", reason="torch is not installed")

    class Fn(torch.autograd.Function):
        @staticmethod
        def forward(ctx, foo):
            result = torch.exp(foo)
            ctx.result = result
            return result

        @staticmethod
        def jvp(ctx, gI):
            gO = gI * ctx.result
            del ctx.result
            return gO

    primal = torch.randn(10, 10, dtype=torch.double, requires_grad=True)
    assert gradcheck(
        Fn.apply,
        (primal,),
        check_forward_ad=True,
        check_backward_ad=False,
        check_undefined_grad=False,
        check_batched_grad=False,
    )
