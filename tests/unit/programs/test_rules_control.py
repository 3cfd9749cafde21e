"""The rules of programs inside programs: calls, loops, branches, and primitives that JAX expands to others."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.extend import core
from rule_checks import case, derivatives, exact, forward

from lenticulum.numbers import Undecided
from lenticulum.programs import LEFT_OUT, RULES, Balls, Bounds, UnknownPrimitive, trace

ROW = np.array([0.5, -1.5, 2.25, 0.6])
GRID = np.array([[0.3, -1.2, 0.5], [1.1, 0.4, -0.6]])


@jax.custom_jvp
def rounded_up(x):
    return x * x + 1


@rounded_up.defjvp
def _(primals, tangents):
    return rounded_up(*primals), 2 * primals[0] * tangents[0]


@jax.custom_vjp
def cubed(x):
    return x**3


cubed.defvjp(lambda x: (x**3, x), lambda x, g: (3 * x * x * g,))


@jax.custom_batching.custom_vmap
def weighed(x):
    return x * jnp.exp(x)


@weighed.def_vmap
def _(size, batched, x):
    return weighed(x), batched[0]


def scanned(reverse=False, unroll=1):
    def function(x, start, weight):
        def turn(carry, each):
            after = jnp.tanh(weight * carry + each)
            return after, (after * each, carry)

        return lax.scan(turn, start, x, reverse=reverse, unroll=unroll)

    return function


def newton(x):
    """Square roots until the step is small: a loop that floats end."""

    def goes_on(state):
        value, step = state
        return jnp.abs(step) > 0.01

    def turn(state):
        value, _ = state
        step = (value * value - x) / (2 * value)
        return value - step, step

    return lax.while_loop(goes_on, turn, (x, x))[0]


def doubled_until(x, limit):
    return lax.while_loop(lambda y: y < limit, lambda y: 2 * y, x)


def branch(x):
    return lax.cond(x.sum() > 0, lambda y: y * y, jnp.sin, x)


def switch(x, i):
    return lax.switch(i, [jnp.sin, lambda y: y * y, lambda y: 3 * y], x)


def linear_solve(x, b):
    matrix = jnp.diag(x[:3] + 3) + 0.25

    def product(v):
        return matrix @ v

    def solve(_, b):
        return lax.fori_loop(0, 12, lambda _, v: v + (b - matrix @ v) / 4, jnp.zeros_like(b))

    return lax.custom_linear_solve(product, b, solve, solve)


CASES = {
    "jit": case(jax.jit(lambda x: jnp.sin(x) * 2), ROW),
    "jit inside jit": case(jax.jit(lambda x: jax.jit(jnp.exp)(x) + jax.jit(jnp.exp)(-x)), ROW),
    "composite": case(lax.composite(lambda x: jnp.sin(x) * x, "example.op"), ROW, differentiable=False),
    "custom_vmap": case(weighed, ROW, differentiable=False),
    "device_put": case(lambda x: jax.device_put(x) * 2, ROW),
    "checkpoint": case(jax.checkpoint(lambda x: jnp.sin(jnp.exp(x))), ROW),
    "checkpoint with a policy": case(
        jax.checkpoint(lambda x: jnp.sin(x @ x), policy=jax.checkpoint_policies.dots_saveable), ROW
    ),
    "custom_jvp": case(rounded_up, ROW),
    "custom_vjp": case(lambda x: cubed(x), ROW, differentiable=False),
    "custom_linear_solve": case(linear_solve, ROW, np.array([1.0, -2.0, 0.5]), differentiable=False),
    "scan": case(scanned(), ROW, np.array(0.25), np.array(0.75)),
    "scan, reversed": case(scanned(reverse=True), ROW, np.array(0.25), np.array(0.75)),
    "scan, unrolled": case(scanned(unroll=2), ROW, np.array(0.25), np.array(0.75)),
    "scan of nothing": case(scanned(), np.zeros(0), np.array(0.25), np.array(0.75)),
    "scan, batched": case(jax.vmap(scanned(), in_axes=(0, None, None)), GRID, np.array(0.25), np.array(0.75)),
    "scan with integers": case(
        lambda x: lax.scan(lambda c, i: (c + 1, x[c] * i.astype(x.dtype)), 0, jnp.arange(4)), ROW
    ),
    "scan of keys": case(
        lambda x, keys: lax.scan(lambda c, k: (c + jax.random.uniform(k, (), x.dtype), c), x[0], keys),
        ROW,
        jax.random.split(jax.random.key(1), 3),
        differentiable=False,
    ),
    "scan without slices": case(lambda x: lax.scan(lambda c, _: (0.5 * c + 1, c), x, None, length=3), ROW),
    "map": case(lambda x: lax.map(lambda y: y * y, x), GRID),
    "associative_scan": case(lambda x: lax.associative_scan(jnp.multiply, x), ROW),
    "fori_loop": case(lambda x: lax.fori_loop(0, 4, lambda i, y: y * x + i, x), ROW),
    "while": case(newton, np.array(2.3), differentiable=False),
    "while without turns": case(doubled_until, np.array(7.0), np.array(5.0), differentiable=False),
    "while, batched": case(
        jax.vmap(doubled_until, in_axes=(0, None)), np.array([0.3, 7.0, 1.1]), np.array(5.0), differentiable=False
    ),
    "while with a batched body": case(
        jax.vmap(lambda x, n: lax.fori_loop(0, n, lambda _, y: y * x, x), in_axes=(0, None)),
        ROW,
        np.int32(3),
        differentiable=False,
    ),
    "cond": case(branch, ROW),
    "cond, the other": case(branch, -ROW),
    "cond, batched": case(jax.vmap(branch), GRID),
    "switch": case(switch, ROW, np.int32(1)),
    "switch beyond the end": case(switch, ROW, np.int32(9)),
    "switch before the start": case(switch, ROW, np.int32(-4)),
    "switch, batched": case(jax.vmap(switch), GRID, np.array([2, 0])),
    "platform_dependent": case(lambda x: lax.platform_dependent(x, cpu=lambda x: x + 1, default=lambda x: x - 1), ROW),
    "custom_root": case(
        lambda x: lax.custom_root(
            lambda y: y * y - x, x, lambda f, _: jnp.sqrt(x) * 1.0, lambda g, y: y / g(jnp.ones_like(y))
        ),
        np.array(2.5),
        differentiable=False,
    ),
    "frexp, ldexp": case(lambda x: jnp.ldexp(jnp.frexp(x)[0], 3), ROW, differentiable=False),
    "nonzero": case(lambda x: x[jnp.nonzero(x > 0, size=3, fill_value=0)[0]], ROW),
    "einsum": case(lambda x, y: jnp.einsum("ij,kj->ik", x, y), GRID, -GRID),
    "polyval": case(lambda x: jnp.polyval(jnp.array([0.5, -1.0, 2.0], x.dtype), x), ROW),
    "interp": case(lambda x, y: jnp.interp(x, jnp.arange(-2, 2).astype(x.dtype), y), ROW[:2], 3 * ROW),
    "gradient of a scan": case(jax.grad(lambda x: scanned()(x, 0.25, 0.75)[0]), ROW),
    "gradient of a branch": case(jax.grad(lambda x: branch(x).sum()), ROW),
    "gradient of a custom_vjp": case(jax.grad(lambda x: cubed(x).sum()), ROW),
    "Hessian": case(jax.hessian(lambda x: jnp.sin(x) @ (x * x)), ROW[:2], differentiable=False),
}  # fmt: skip


#: Control flow does not depend on the format: float64 is read with the derivatives.
SINGLE = [(name, np.float32) for name in CASES]
DOUBLE = [(name, np.float64) for name, each in CASES.items() if not each.differentiable]


@pytest.mark.parametrize(("name", "dtype"), SINGLE + DOUBLE)
def test_results_lie_inside(name, dtype):
    with exact():
        forward(CASES[name], dtype)


@pytest.mark.parametrize("name", [name for name, each in CASES.items() if each.differentiable])
def test_derivatives_agree(name):
    with exact():
        derivatives(CASES[name])


def third(x):
    """An enclosure of 1 for x = 3."""
    return x * (1 / x)


def test_an_undecided_branch_is_an_enclosure_of_both():
    x = np.array(3.0)
    with exact():
        for function in (
            lambda x: lax.cond(third(x) > 1, lambda y: y + 2, lambda y: y + 4, x),
            lambda x: lax.switch((third(x) > 1).astype(jnp.int32), [lambda y: y + 2, lambda y: y + 4], x),
        ):
            (found,) = trace(function, x).read(Balls(), x)
            (element,) = found.elements
            assert element.contains(5)
            assert element.contains(7)
            assert not element.overlaps(8)


def test_an_undecided_length_is_refused():
    x = np.array(3.0)
    with exact():
        program = trace(lambda x: lax.while_loop(lambda y: y < 1, lambda y: y + 1, third(x)), x)
        with pytest.raises(Undecided, match="turns of a loop"):
            program.read(Balls(), x)


def test_a_primitive_without_a_rule_is_named_with_its_reason_and_line():
    x = np.eye(2, dtype=np.float32)
    program = trace(lambda x: lax.linalg.cholesky(x), x)
    with pytest.raises(UnknownPrimitive, match=r"cholesky of JAX .*: a matrix decomposition") as caught:
        program.read(Bounds(), x)
    assert "test_rules_control.py" in str(caught.value)


def test_no_primitive_is_both_read_and_left_out():
    assert not RULES.keys() & LEFT_OUT.keys()


def test_a_program_with_a_rule_of_its_own_is_read_as_it_runs():
    """The derivative of a function with a wrong rule is that of the function."""

    @jax.custom_jvp
    def square(x):
        return x * x

    @square.defjvp
    def _(primals, tangents):
        return square(*primals), 5 * tangents[0]

    with exact():
        program = trace(square, ROW)
        assert isinstance(program.jaxpr, core.ClosedJaxpr)
        with pytest.raises(AssertionError):
            derivatives(case(square, ROW))
