"""The derivatives of JAX functions: correct ones pass, planted mistakes of every size are rejected."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum.check.errors import CallError
from lenticulum.check.gradients import chains, check_derivatives
from lenticulum.numbers import Undecided
from lenticulum.programs import UnknownPrimitive
from lenticulum.testing import check_grads

SIZES = (1, 100, 1000, 10_000)


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).normal(size=shape).astype(np.float32)


def with_rule(function, rule):
    """Return a function of any number of arrays with a forward rule."""

    @jax.custom_jvp
    def ruled(*x):
        return function(*x)

    ruled.defjvp(lambda primals, tangents: (function(*primals), rule(primals, tangents)))
    return ruled


def product_of_sine(x, y):
    return jnp.sin(x) * y


PLANTED = {
    "wrong sign": lambda p, t: -(jnp.cos(p[0]) * p[1] * t[0] + jnp.sin(p[0]) * t[1]),
    "scaled by 1 + 1e-6": lambda p, t: 1.000001 * (jnp.cos(p[0]) * p[1] * t[0] + jnp.sin(p[0]) * t[1]),
    "arguments swapped": lambda p, t: jnp.cos(p[0]) * p[1] * t[1] + jnp.sin(p[0]) * t[0],
    "one tangent missing": lambda p, t: jnp.cos(p[0]) * p[1] * t[0],
}


@pytest.mark.parametrize("mistake", PLANTED)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", ["fwd", "rev"])
def test_a_wrong_rule_is_rejected_whatever_the_size(mistake, size, mode):
    x, y = normal(size), normal(size, seed=1)
    wrong = with_rule(product_of_sine, PLANTED[mistake])
    with pytest.raises(AssertionError, match=f"^{mode}: result [01]"):
        check_grads(wrong, (x, y), order=1, modes=mode)


@pytest.mark.parametrize("size", SIZES)
def test_the_right_rule_is_accepted(size):
    right = with_rule(product_of_sine, lambda p, t: jnp.cos(p[0]) * p[1] * t[0] + jnp.sin(p[0]) * t[1])
    assert check_grads(right, (normal(size), normal(size, seed=1)), order=1).judged == 3 * size


def test_a_reverse_rule_that_lacks_a_cotangent_is_rejected_in_a_composition():
    @jax.custom_vjp
    def product(matrix, x):
        return matrix @ x

    product.defvjp(lambda m, x: (m @ x, (m, x)), lambda kept, g: (jnp.outer(g, kept[1]), jnp.zeros_like(kept[1])))
    first, second, x = normal(3, 4), normal(2, 3), normal(4)
    # Alone the matrix has the right cotangent; in a chain the first one gets none.
    with pytest.raises(AssertionError, match="exact"):
        check_grads(lambda a, b: product(b, product(a, x)), (first, second), order=1, modes="rev")


def test_values_selected_away_leave_no_trace_in_the_derivative():
    # https://github.com/jax-ml/jax/issues/5798: the value is guarded, the gradient is not.
    x = np.array([0.0, 0.25, 4.0], np.float32)
    with pytest.raises(AssertionError, match="rev: result 0.*got nan"):
        check_grads(lambda x: jnp.where(x < 1, x, jnp.sqrt(x)), (x,), order=1, modes="rev")
    check_grads(lambda x: jnp.where(x < 1, x, jnp.sqrt(jnp.where(x < 1, 1.0, x))), (x,), order=1)


@pytest.mark.parametrize(("slope", "right"), [(0.0, True), (0.5, True), (1.0, True), (1.5, False), (-0.25, False)])
def test_at_a_kink_any_slope_between_both_sides_is_right(slope, right):
    relu = with_rule(
        lambda x: jnp.maximum(x, 0), lambda p, t: jnp.where(p[0] > 0, 1, jnp.where(p[0] < 0, 0, slope)) * t[0]
    )
    x = (np.array([-1, 0, 1], np.float32),)
    if right:
        check_grads(relu, x, order=1)
    else:
        with pytest.raises(AssertionError, match=r"result 0\[1\]"):
            check_grads(relu, x, order=1)


def test_a_function_whose_captured_values_have_changed_is_another_one():
    captured = {"factor": 1.0, "power": 2}
    ruled = with_rule(
        lambda x: x ** captured["power"],
        lambda p, t: captured["factor"] * captured["power"] * p[0] ** (captured["power"] - 1) * t[0],
    )
    x = (normal(3),)
    check_grads(ruled, x, order=1)
    captured["factor"] = 1.000001
    with pytest.raises(AssertionError, match="^fwd: result 0"):
        check_grads(ruled, x, order=1)
    captured.update(factor=1.0, power=3)
    check_grads(ruled, x, order=1)


REVERSE = {
    "a sum": (lambda g: (jnp.sum(2 * g), None), "cannot be derived .ValueError"),
    "too few": (lambda g: (2 * g,), "cannot be derived .TypeError"),
    "too narrow": (lambda g: ((2 * g).astype(jnp.float16), g), r"result 0 is float16\[3\], expected float32\[3\]"),
    "None, which means 0": (lambda g: (2 * g, None), r"result 1\[0\]: got 0.0, exact"),
    "an exception": (lambda g: 1 / 0, "cannot be derived .ZeroDivisionError: division by zero"),
}


@pytest.mark.parametrize("mistake", REVERSE)
def test_structure_is_part_of_the_derivative(mistake):
    back, message = REVERSE[mistake]

    @jax.custom_vjp
    def function(x, y):
        return 2 * x + y

    function.defvjp(lambda x, y: (2 * x + y, None), lambda _, g: back(g))
    with pytest.raises(AssertionError, match=f"^rev: .*{message}"):
        check_grads(function, (normal(3), normal(3)), order=1, modes="rev")


@pytest.mark.parametrize("size", SIZES)
def test_a_rule_that_changes_the_value_is_rejected(size):
    # jax.value_and_grad then reports another loss than the function has.
    forward = jax.custom_jvp(jnp.sin)
    forward.defjvp(lambda p, t: (1.000001 * jnp.sin(p[0]), jnp.cos(p[0]) * t[0]))
    reverse = jax.custom_vjp(jnp.sin)
    reverse.defvjp(lambda x: (jnp.cos(x), x), lambda x, g: (jnp.cos(x) * g,))
    for function, mode in ((forward, "fwd"), (reverse, "rev")):
        with pytest.raises(AssertionError, match=rf"^{mode}: the value beside .*: result 0\[0\]: got"):
            check_grads(function, (normal(size),), order=1, modes=mode)


@pytest.mark.parametrize("size", [10, 31])
def test_a_long_sum_hides_no_wrong_factor(size):
    # The running bound of a sum of 31 products is 31 u: a factor of 1 + 1e-6 is 17 u.
    @jax.custom_vjp
    def product(a, b):
        return a @ b

    product.defvjp(lambda a, b: (a @ b, (a, b)), lambda kept, g: (1.000001 * g @ kept[1].T, kept[0].T @ g))
    with pytest.raises(AssertionError, match=r"^rev: result 0\[0, 0\]"):
        check_grads(product, (normal(size, size), normal(size, size, seed=1)), order=1, modes="rev")
    check_grads(jnp.matmul, (normal(size, size), normal(size, size, seed=1)), order=1)


def test_many_roundings_hide_no_wrong_factor():
    # Sines are allowed four roundings each: after five of them, more than 17 u.
    ruled = with_rule(jnp.sin, lambda p, t: 1.000001 * jnp.cos(p[0]) * t[0])

    def chain(x):
        return jax.lax.scan(lambda carry, each: (ruled(carry) * each, carry), jnp.float32(0.5), x)

    with pytest.raises(AssertionError, match="the rule itself means"):
        check_grads(chain, (normal(5),), order=1)


def test_a_sum_that_lacks_one_of_10_000_terms_is_rejected_forward_alone():
    lacking = with_rule(lambda x: jnp.sum(x * x), lambda p, t: 2 * jnp.vdot(p[0].at[0].set(0), t[0]))
    with pytest.raises(AssertionError, match="^fwd: result 0: got"):
        check_grads(lacking, (normal(10_000),), order=1, modes="fwd")


@pytest.mark.parametrize("dtype", [jnp.float16, jnp.bfloat16])
def test_narrow_formats_and_changes_of_format(dtype):
    right = with_rule(jnp.sin, lambda p, t: jnp.cos(p[0]) * t[0])
    wrong = with_rule(jnp.sin, lambda p, t: dtype(1.0625) * jnp.cos(p[0]) * t[0])
    x = jnp.asarray(normal(1000), dtype)
    assert check_grads(right, (x,), order=2).judged == 4000
    with pytest.raises(AssertionError, match="^fwd: result 0"):
        check_grads(wrong, (x,), order=1)
    # Back through a conversion, the cotangent is converted too.
    a, b = jnp.asarray(normal(3, 4), dtype), normal(4, 2)
    check_grads(lambda a, b: (a @ b.astype(dtype)).astype(jnp.float32), (a, b), order=2)


def test_integer_arguments_are_not_differentiated_and_trees_are_taken_apart():
    tree = {"weight": normal(4, 3), "ids": np.array([0, 2, 2])}
    found = check_grads(lambda tree: tree["weight"][tree["ids"]].sum(axis=0), (tree,), order=2)
    assert found.judged == 3 + 12 + 3 + 12


def test_an_infinite_slope_is_not_judged():
    assert check_derivatives(jnp.sqrt, (np.zeros(2, np.float32),), 1).no_value == 4
    assert check_grads(jnp.sqrt, (np.array([0, 1], np.float32),), 1).judged == 2
    with pytest.raises(Undecided, match="nothing was checked"):
        check_grads(jnp.sqrt, (np.zeros(2, np.float32),), 1)


def test_complex_numbers_on_the_way_are_refused_with_the_line():
    for function in (lambda x: jnp.abs(x + 1j * x), lambda x: jnp.fft.fft(x).real):
        with pytest.raises(UnknownPrimitive, match="complex numbers.*\nit is used at .*test_gradients.py"):
            check_grads(function, (normal(4),), 1)


def test_what_cannot_be_checked_is_refused():
    with pytest.raises(CallError, match="modes"):
        check_derivatives(jnp.sin, (normal(1),), 1, ("forward",))
    with pytest.raises(CallError, match="no floating-point argument"):
        check_derivatives(lambda n: n, (np.arange(3),), 1)
    for nothing in (jnp.argmax, lambda x: None):
        with pytest.raises(CallError, match="no floating-point result"):
            check_derivatives(nothing, (normal(3),), 1)
    with pytest.raises(CallError, match="a complex argument"):
        check_derivatives(lambda x, z: x * jnp.abs(z), (normal(3), np.ones(3, np.complex64)), 1)
    with pytest.raises(CallError, match="a complex result"):
        check_derivatives(lambda x: (x, 1j * x), (normal(3),), 1)
    for needs_values in (np.sin, lambda x: x if x[0] > 0 else -x, lambda x: x[: int(x[0])], lambda x: x[x > 0]):
        with pytest.raises(CallError, match="cannot be traced: .*\nexpected a function that jax.jit accepts"):
            check_derivatives(needs_values, (normal(3),), 1)
    with pytest.raises(CallError, match=r"arguments of type str: expected a tuple of them; for one, \(x,\)"):
        check_derivatives(jnp.sin, "x", 1)
    with pytest.raises(CallError, match="an argument of type str"):
        check_derivatives(lambda x, s: x, (normal(3), "x"), 1)
    for beyond in (2**31, np.int64(2**40), np.array([1, -(2**31) - 1]), 1e39, np.array([1e39]), 1e-46):
        with pytest.raises(CallError, match=r"an argument: got .*, which float32|an argument: got .* 2147483647"):
            check_derivatives(lambda x, n: x * n, (normal(2), beyond), 1)
    assert chains(3, ("rev",)) == [("rev",), ("rev", "rev"), ("rev", "rev", "rev")]
