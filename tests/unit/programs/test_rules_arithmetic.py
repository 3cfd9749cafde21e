"""The rules of arithmetic and of the named functions: JAX's results and derivatives inside the enclosures."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from rule_checks import case, derivatives, exact, forward, parameters

SIGNED = np.array([-3.7, -1.0, -0.4, 0.3, 1.0, 2.6])
OTHER = np.array([0.7, -2.2, 5.1, -0.9, 1.0, 2.6])
POSITIVE = np.array([1e-3, 0.2, 0.75, 1.0, 3.3, 40.0])
UNIT = np.array([-0.96, -0.5, -1e-3, 0.25, 0.6, 0.99])

CASES = {
    "add": case(lax.add, SIGNED, OTHER),
    "add of a scalar and size-one axes": case(lambda x, y: x[:, None] + y[None, :], SIGNED[:3], OTHER[:1]),
    "sub": case(lax.sub, SIGNED, OTHER),
    "mul": case(lax.mul, SIGNED, OTHER),
    "div": case(lax.div, SIGNED, OTHER),
    "neg": case(lax.neg, SIGNED),
    "abs": case(lax.abs, SIGNED),
    "square": case(lax.square, SIGNED),
    "integer_pow": case(lambda x: x**5, SIGNED),
    "integer_pow, negative": case(lambda x: x**-3, SIGNED),
    "pow": case(lax.pow, POSITIVE, OTHER),
    "pow with integers": case(lambda x: lax.pow(x, np.array([3, 0, 1, 2, -2, 5])), SIGNED),
    "pow of a scalar": case(lambda y: 2.5**y, SIGNED),
    "pow of an exact scalar to integers": case(lambda y: 2.0 ** jnp.round(y), SIGNED),
    "extremes of a scalar": case(lambda x: jnp.maximum(0.25, jnp.minimum(x, 0.5)) * x, SIGNED),
    "sqrt": case(lax.sqrt, POSITIVE),
    "rsqrt": case(lax.rsqrt, POSITIVE),
    "cbrt": case(lax.cbrt, SIGNED),
    "exp": case(lax.exp, SIGNED),
    "exp2": case(lax.exp2, SIGNED),
    "expm1": case(lax.expm1, SIGNED),
    "log": case(lax.log, POSITIVE),
    "log2": case(jnp.log2, POSITIVE),
    "log1p": case(lax.log1p, POSITIVE),
    "logistic": case(lax.logistic, SIGNED),
    "tanh": case(lax.tanh, SIGNED),
    "sinh": case(lax.sinh, SIGNED),
    "cosh": case(lax.cosh, SIGNED),
    "asinh": case(lax.asinh, SIGNED),
    "acosh": case(lax.acosh, POSITIVE + 1.25),
    "atanh": case(lax.atanh, UNIT),
    "sin": case(lax.sin, SIGNED),
    "cos": case(lax.cos, SIGNED),
    "tan": case(lax.tan, SIGNED),
    "asin": case(lax.asin, UNIT),
    "acos": case(lax.acos, UNIT),
    "atan": case(lax.atan, SIGNED),
    "atan2": case(lax.atan2, SIGNED, OTHER),
    "erf": case(lax.erf, SIGNED),
    "erfc": case(lax.erfc, SIGNED),
    "erf_inv": case(lax.erf_inv, UNIT),
    "lgamma": case(lax.lgamma, POSITIVE),
    "digamma": case(lax.digamma, POSITIVE),
    "polygamma": case(lambda x: lax.polygamma(jnp.full_like(x, 2.0), x), POSITIVE),
    "empty": case(lambda x: jnp.exp(x) * x, np.zeros((0, 3))),
    "scalar": case(lambda x: jnp.exp(x) / (1 + x), np.array(0.7)),
    "batched": case(jax.vmap(lambda x: jnp.tanh(x) * x), SIGNED.reshape(2, 3)),
    "several lines": case(lambda x, y: jnp.sin(x) * jnp.exp(-y * y) + x / (1 + y * y), SIGNED, OTHER),
}
if hasattr(lax, "one_minus_square"):
    CASES["one_minus_square"] = case(lax.one_minus_square, UNIT)
    CASES["polynomial"] = case(lambda x, c: lax.polynomial(x, [c, 2.0, -0.5, c * c]), SIGNED, np.array(0.3))
    CASES["a long polynomial"] = case(lambda x: lax.polynomial(x, [1.0, -0.5] * 6), UNIT)

#: At zeros, infinities, and numbers that a device may flush.
EDGES = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-310, 1e30, 3e38, 1.7e308])
#: (Without cbrt: JAX 0.10.2 gives -5.6e-16 for the cube root of the positive subnormal binary32 number 1e-40.)
EDGE_FUNCTIONS = [
    lax.neg, lax.abs, lax.square, lax.exp, lax.expm1, lax.log, lax.log1p, lax.sqrt, lax.tanh, lax.logistic, lax.erf,
    lax.sin, lax.atan, lax.sinh, lax.asinh, lax.sign, lax.floor, lax.exp2, lax.lgamma, lax.is_finite,
    lambda x: x + x, lambda x: x * x, lambda x: 1 / x, lambda x: x - x, lambda x: jnp.maximum(x, 0), lambda x: x**3,
    lambda x: jnp.maximum(x, -x), lambda x: jnp.where(x > 0, x, 1), lambda x: 0 * x, lambda x: x[::-1] + x,
]  # fmt: skip


@pytest.mark.parametrize(("name", "dtype"), parameters(CASES))
def test_results_lie_inside(name, dtype):
    with exact():
        forward(CASES[name], dtype)


@pytest.mark.parametrize("name", CASES)
def test_derivatives_agree(name):
    with exact():
        derivatives(CASES[name])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", EDGE_FUNCTIONS)
def test_edges_lie_inside(function, dtype):
    with np.errstate(over="ignore"), exact():
        forward(case(function, EDGES, bounded=False), dtype)
