"""The rules of steps, comparisons, choices, sorting and changes of type, at ties and kinks too."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from rule_checks import case, derivatives, exact, forward, parameters

from lenticulum.numbers import Undecided, jvp, vjp
from lenticulum.programs import Balls, Bounds, trace

SIGNED = np.array([-3.7, -1.0, -0.4, 0.3, 1.0, 2.6])
OTHER = np.array([0.7, -1.0, 5.1, -0.9, 1.0, 2.5])
HALVES = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.0, -0.0, 3.0, 0.25])
GRID = np.array([[0.3, -1.2, 2.5, 0.7], [1.1, 0.4, -0.6, 4.2], [-3.3, 0.9, 1.0, -2.4]])
TIES = np.array([[2.0, 2.0, -1.0], [0.0, -0.0, 0.0], [5.0, 1.0, 5.0]])


def compared(operator):
    return case(lambda x, y: (operator(x, y), jnp.where(operator(x, y), x, y * y)), SIGNED, OTHER)


CASES = {
    "floor": case(lambda x: lax.floor(x) * x, HALVES, differentiable=False),
    "ceil": case(lambda x: lax.ceil(x) * x, HALVES, differentiable=False),
    "round, away": case(lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), HALVES, differentiable=False),
    "round, even": case(lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), HALVES, differentiable=False),
    "floor between": case(lambda x: lax.floor(x) * x, SIGNED),
    "sign": case(lambda x: lax.sign(x) * x, SIGNED),
    "sign at 0": case(lax.sign, HALVES, differentiable=False),
    "rem": case(lax.rem, np.array([5.3, -5.3, 0.4, 7.0]), np.array([2.1, 2.1, -3.0, -1.75])),
    "nextafter": case(lax.nextafter, SIGNED, OTHER, differentiable=False),
    "max": case(lax.max, SIGNED, OTHER),
    "min": case(lax.min, SIGNED, OTHER),
    "abs at 0": case(lax.abs, HALVES),
    "relu": case(jax.nn.relu, SIGNED),
    "clamp": case(lambda x: lax.clamp(x.dtype.type(-0.5), x, x.dtype.type(1.25)), SIGNED),
    "clamp between arrays": case(lax.clamp, SIGNED - 1, OTHER, SIGNED + 1),
    "is_finite": case(lambda x: jnp.where(lax.is_finite(1 / x), x, 3 * x), SIGNED),
    "eq": compared(lax.eq),
    "ne": compared(lax.ne),
    "lt": compared(lax.lt),
    "le": compared(lax.le),
    "gt": compared(lax.gt),
    "ge": compared(lax.ge),
    "logic": case(lambda x, y: jnp.where(~(x > 0) & (y > 0) | ((x > 1) ^ (y > 1)), x * y, x + y), SIGNED, OTHER),
    "select_n of integers": case(
        lambda x, y, i: lax.select_n(i, x, y, x * y), SIGNED, OTHER, np.array([0, 1, 2, 2, 1, 0], np.int32)
    ),
    "select by a scalar": case(lambda x, y: lax.select_n(x[0] > y[0], x, y), SIGNED, OTHER),
    "a branch without a value": case(lambda x: jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1)), x), SIGNED),
    "argmax": case(lambda x: jnp.where(jnp.arange(4)[None] == x.argmax(1)[:, None], x, 0.5 * x), GRID),
    "argmin": case(lambda x: x.argmin(0), GRID, differentiable=False),
    "argmax of ties": case(lambda x: (x.argmax(1), x.argmin(1), x.argmax(0)), TIES, differentiable=False),
    "argmax of one": case(lambda x: x.argmax(1), GRID[:, :1], differentiable=False),
    "sort": case(lambda x: jnp.sort(x, 1), GRID),
    "sort of ties": case(lambda x: (jnp.sort(x, 1), jnp.argsort(x, 1)), TIES, differentiable=False),
    "sort, descending": case(lambda x: jnp.sort(x, 0, descending=True), GRID),
    "sort of rows by two keys": case(lambda x, y, z: lax.sort((x, y, z), num_keys=2), np.array([1.0, 0.0, 1.0, 0.0]),
                                     np.array([3.0, 2.0, -1.0, 2.0]), np.array([0.1, 0.2, 0.3, 0.4])),
    "sort by an integer": case(lambda x, i: lax.sort((i, x), num_keys=1)[1], SIGNED, np.array([3, 1, 2, 5, 0, 4])),
    "sort of extended reals": case(lambda x: jnp.sort(x), np.array([np.inf, 1.0, -np.inf, 0.0]), differentiable=False),
    "top_k": case(lambda x: lax.top_k(x, 2), GRID),
    "top_k of ties": case(lambda x: lax.top_k(x, 2), TIES + 1, differentiable=False),
    "top_k of zeros": case(lambda x: lax.top_k(x, 2), TIES, differentiable=False),
    "approx_top_k": case(lambda x: lax.approx_max_k(x, 2), GRID.astype(np.float32)),
    "approx_top_k, smallest": case(lambda x: lax.approx_min_k(x, 2, reduction_dimension=0), GRID),
    "median": case(lambda x: jnp.median(x, axis=1), GRID),
    "searchsorted": case(lambda x: jnp.searchsorted(jnp.sort(x), x[2]), SIGNED, differentiable=False),
    "to integers": case(lambda x: x.astype(jnp.int32), SIGNED, differentiable=False),
    "to booleans": case(lambda x: x.astype(bool), HALVES, differentiable=False),
    "from booleans": case(lambda x: (x > 0).astype(x.dtype) * x, SIGNED),
    "from integers": case(lambda i: i.astype(jnp.float32) / 3, np.array([-7, 0, 2**24 + 1, 5]), differentiable=False),
    "to bfloat16 and back": case(lambda x: x.astype(jnp.bfloat16).astype(x.dtype) * x, SIGNED, differentiable=False),
    "to half and back": case(lambda x: (x.astype(jnp.float16) * 2).astype(x.dtype), SIGNED, differentiable=False),
    "reduce_precision": case(lambda x: lax.reduce_precision(x, 8, 23) * x, SIGNED.astype(np.float32).astype(float)),
    "bits": case(lambda x: lax.bitcast_convert_type(x, jnp.uint32 if x.dtype == jnp.float32 else jnp.uint64), SIGNED,
                 differentiable=False),
    "frexp": case(lambda x: jnp.frexp(x), SIGNED, differentiable=False),
    "random bits": case(lambda k: jax.random.uniform(k, (4,), jnp.float32), jax.random.key(3), differentiable=False),
    "normal": case(lambda k: jax.random.normal(k, (4,), jnp.float32), jax.random.key(4), differentiable=False),
}  # fmt: skip


@pytest.mark.parametrize(("name", "dtype"), parameters(CASES))
def test_results_lie_inside(name, dtype):
    with exact():
        forward(CASES[name], dtype)


@pytest.mark.parametrize("name", [name for name, each in CASES.items() if each.differentiable])
def test_derivatives_agree(name):
    with exact():
        derivatives(CASES[name])


def meanings(function, *arguments):
    return trace(function, *arguments).read(Balls(), *arguments)


def test_steps_are_exact_where_the_operand_is():
    with exact():
        found = meanings(lambda x: [jnp.floor(x), jnp.ceil(x), jnp.round(x), lax.round(x), jnp.sign(x)], HALVES)
    expected = [np.floor(HALVES), np.ceil(HALVES), np.rint(HALVES), np.trunc(HALVES + np.copysign(0.5, HALVES)),
                np.sign(HALVES)]  # fmt: skip
    for got, values in zip(found, expected, strict=True):
        assert [float(each) for each in got.elements] == values.tolist()
        assert all(each.is_exact() for each in got.elements)


@pytest.mark.parametrize("function", [jnp.floor, jnp.sign, jnp.ceil, jnp.round])
def test_a_step_at_an_undecided_jump_encloses_both_values(function):
    """1/3 * 3 is an enclosure of 1 with something on both sides; less 1, of 0."""
    third = np.array([3.0])
    with exact():
        for offset in (0.0, 1.0, 0.5):
            (found,) = meanings(lambda x, offset=offset: function(x * (1 / x) - offset), third)
            assert all(each.is_finite() and each.contains(float(function(1.0 - offset))) for each in found.elements)


@pytest.mark.parametrize("function", [lax.max, lax.min])
def test_derivatives_at_ties_enclose_both_sides(function):
    x = np.array([1.0, -2.0])
    with exact():
        program = trace(function, x, x)
        one, zero = (Balls().data(each, each.dtype) for each in (np.ones(2), np.zeros(2)))
        data = Balls().data(x, x.dtype)
        _, tangent = jvp(lambda x, y: program.read(Balls(), x, y)[0], (data, data), (one, zero))
        _, pull = vjp(lambda x, y: program.read(Balls(), x, y)[0], data, data)
        for slope in (tangent, *pull(one)):
            assert all(each.contains(0) and each.contains(0.5) and each.contains(1) for each in slope.elements)


def test_an_undecided_choice_is_the_hull_of_both():
    x = np.array([3.0])
    with exact():
        for function in (
            lambda x: jnp.where(x * (1 / x) > 1, 5.0, 7.0),
            lambda x: lax.select_n((x * (1 / x) > 1).astype(jnp.int32), x * 0 + 7.0, x * 0 + 5.0),
        ):
            (found,) = meanings(function, x)
            assert found.elements[0].contains(5.0)
            assert found.elements[0].contains(7.0)
            assert not found.elements[0].contains(8.0)


@pytest.mark.parametrize("function", [
    lambda y: jnp.argmax(jnp.stack([y, jnp.ones(1)]), 0), lambda y: jnp.sort(jnp.stack([y, jnp.ones(1)]), 0),
    lambda y: y.astype(jnp.int32), lambda y: lax.bitcast_convert_type(y, jnp.uint64),
])  # fmt: skip
def test_what_an_enclosure_does_not_decide_is_said_so(function):
    x = np.array([3.0])
    with exact():
        program = trace(lambda x: function(x * (1 / x)), x)
        with pytest.raises(Undecided):
            program.read(Balls(), x)


def test_a_conversion_rounds_once_and_only_where_it_must():
    x = np.array([1.0, 1.0 + 2.0**-20, 3.0e38])
    with exact():
        program = trace(lambda x: x.astype(jnp.bfloat16), x)
        (bound,) = program.read(Bounds(), x)
        widths = [float(each.rad()) for each in bound.elements]
    assert widths[0] == 0
    assert 2.0**-9 <= widths[1] <= 2.0**-7


UNTAKEN = {
    "a logarithm": (lambda x: jnp.where(x > 0, jnp.log(x), 2 * x), np.array([-1.0, 0.0, 2.0]), [2, 2, 0.5]),
    "a root": (lambda x: jnp.where(x > 0, jnp.sqrt(x), 3 * x), np.array([0.0, -4.0, 4.0]), [3, 3, 0.25]),
    "a quotient": (lambda x: jnp.where(x == 0, x, 1 / x), np.array([0.0, 2.0]), [1, -0.25]),
    "a branch": (lambda x: lax.cond(x.sum() > 0, jnp.sqrt, lambda x: x, x), np.array([-4.0, 0.0]), [1, 1]),
    "a dropped element": (lambda x: jnp.log(x)[1:], np.array([-1.0, 2.0]), [0, 0.5]),
}


@pytest.mark.parametrize("name", UNTAKEN)
def test_a_branch_that_is_not_taken_has_no_part_in_the_derivative(name):
    """JAX gives NaN for the transposed derivative of most of these; the exact one has a value."""
    function, x, slopes = UNTAKEN[name]
    with exact():
        program = trace(function, x)
        data = Balls().data(x, x.dtype)
        value, pull = vjp(lambda x: program.read(Balls(), x)[0], data)
        (reverse,) = pull(value.lift(1, value.shape))
        ones = data.lift(1, data.shape)
        _, tangent = jvp(lambda x: program.read(Balls(), x)[0], (data,), (ones,))
    assert all(each.contains(slope) for each, slope in zip(reverse.elements, slopes, strict=True))
    assert reverse.bounded().all()
    assert tangent.bounded().all()
