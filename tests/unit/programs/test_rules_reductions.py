"""The rules of sums, products and extremes along axes, their running forms, and given computations."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from rule_checks import case, derivatives, exact, forward, parameters

from lenticulum.programs import Balls, UnknownPrimitive, trace

GRID = np.array([[0.3, -1.2, 2.5, 0.7], [1.1, 0.4, -0.6, 4.2], [-3.3, 0.9, 1.0, -2.4]])
CUBE = np.sin(np.arange(24.0)).reshape(2, 3, 4)
TIES = np.array([[2.0, 2.0, -1.0], [0.0, -0.0, 0.0], [5.0, 1.0, 5.0]])


def smooth(a, b):
    """No monoid that JAX knows by name: a + b + a b."""
    return a + b + a * b


def smooth_windows(start, size, stride, padding):
    return lambda x: lax.reduce_window(x, x.dtype.type(start), smooth, (size, size), (stride, stride), padding)


CASES = {
    "reduce_sum": case(lambda x: x.sum(axis=(0, 2)), CUBE),
    "reduce_sum of all": case(jnp.sum, GRID),
    "reduce_sum of nothing": case(lambda x: x.sum(axis=0), np.zeros((0, 3))),
    "reduce_prod": case(lambda x: x.prod(axis=1), GRID),
    "reduce_prod of nothing": case(lambda x: x.prod(axis=0), np.zeros((0, 3))),
    "reduce_max": case(lambda x: x.max(axis=(0, 1)), CUBE),
    "reduce_min": case(lambda x: x.min(axis=1), GRID),
    "reduce_max of ties": case(lambda x: x.max(axis=1), TIES),
    "mean, variance": case(lambda x: jnp.mean(x, 0) / jnp.sqrt(jnp.var(x, 0) + 0.1), GRID),
    "cumsum": case(lambda x: lax.cumsum(x, 1), GRID),
    "cumsum, reversed": case(lambda x: lax.cumsum(x, 0, reverse=True), GRID),
    "cumprod": case(lambda x: lax.cumprod(x, 0), GRID),
    "cumprod, reversed": case(lambda x: lax.cumprod(x, 1, reverse=True), GRID),
    "cummax": case(lambda x: lax.cummax(x, 1), GRID),
    "cummin, reversed": case(lambda x: lax.cummin(x, 1, reverse=True), GRID),
    "cummax of ties": case(lambda x: lax.cummax(x, 1), TIES),
    "cumlogsumexp": case(lambda x: lax.cumlogsumexp(x, 1), GRID),
    "cumsum of one": case(lambda x: lax.cumsum(x, 0), GRID[:1]),
    "given windows": case(smooth_windows(0, 2, 1, "SAME"), GRID, differentiable=False),
    "given windows, strided": case(smooth_windows(1, 3, 2, "VALID"), GRID, differentiable=False),
    "given reduction": case(
        lambda x: lax.reduce(x, x.dtype.type(0.5), smooth, (0, 2)), CUBE, differentiable=False
    ),
    "given reduction of nothing": case(
        lambda x: lax.reduce(x, x.dtype.type(0.5), smooth, (0,)), np.zeros((0, 2)), differentiable=False
    ),
    "given reduction of two": case(
        lambda x, y: lax.reduce(
            (x, y), (x.dtype.type(-9), y.dtype.type(9)), lambda a, b: (lax.max(a[0], b[0]), lax.min(a[1], b[1])), (1,)
        ),
        GRID,
        -GRID,
        differentiable=False,
    ),
    "argmax by a given reduction": case(
        lambda x, i: lax.reduce(
            (x, i),
            (x.dtype.type(-9), np.int32(0)),
            lambda a, b: (jnp.where(b[0] > a[0], b[0], a[0]), jnp.where(b[0] > a[0], b[1], a[1])),
            (1,),
        ),
        GRID,
        np.arange(12, dtype=np.int32).reshape(3, 4),
        differentiable=False,
    ),
    "mean over a mapped axis": case(jax.vmap(lambda x: x - lax.pmean(x, "i"), axis_name="i"), GRID),
    "reduce_and, reduce_or": case(
        lambda x: jnp.where((x > 0).all(0) | (x > 4).any(0), 2 * x, x), GRID
    ),
    "reduce_xor": case(
        lambda x: jnp.where(lax.reduce_xor(x > 0, axes=(0,)), x, -x), GRID
    ),
    "softmax": case(lambda x: jax.nn.softmax(x, axis=1), GRID),
    "logsumexp": case(lambda x: jax.nn.logsumexp(x, axis=0), GRID),
}  # fmt: skip


@pytest.mark.parametrize(("name", "dtype"), parameters(CASES))
def test_results_lie_inside(name, dtype):
    with exact():
        forward(CASES[name], dtype)


@pytest.mark.parametrize("name", [name for name, each in CASES.items() if each.differentiable])
def test_derivatives_agree(name):
    with exact():
        derivatives(CASES[name])


#: Infinities, signed zeros and numbers that may be flushed: a mask of -inf is everyday.
EDGES = np.array([[-np.inf, 1.0, 2.0], [0.0, -0.0, 1e-40], [np.inf, 3.0, -1.0], [-np.inf, -np.inf, -np.inf]])
AT_EDGES = [
    lambda x: jnp.exp(x).sum(1), lambda x: x.max(1), lambda x: x.min(0), lambda x: x.prod(1), lambda x: x.sum(0),
    lambda x: lax.cummax(x, 1), lambda x: lax.cumsum(x, 1), lambda x: lax.cumlogsumexp(x, 1),
    lambda x: jax.nn.softmax(x[:2], 1), lambda x: jax.nn.logsumexp(x, 1), lambda x: jnp.clip(x, -1, 1),
    lambda x: jnp.sort(x[2:], 0), lambda x: x[2:].argmax(1), lambda x: lax.top_k(x[:1], 2),
    lambda x: x @ jnp.ones((3, 2), x.dtype),
]  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("function", AT_EDGES)
def test_edges_lie_inside(function, dtype):
    with exact():
        forward(case(function, EDGES, bounded=False), dtype)


def test_a_mask_of_minus_infinity_leaves_a_softmax_bounded():
    with exact():
        scores = np.array([[-np.inf, 1.0, 2.0], [0.5, -np.inf, -np.inf]])
        assert forward(case(lambda x: jax.nn.softmax(x, axis=1), scores), np.float32) == scores.size


@pytest.mark.parametrize("name", ["softmax", "cumprod", "logsumexp"])
def test_second_derivatives_lie_inside(name):
    first = CASES[name]

    def slope(*given):
        value, pull = jax.vjp(first.function, *given)
        return pull(value)

    with exact():
        forward(case(slope, *first.arguments), np.float32)
        derivatives(case(slope, *first.arguments))


def test_sums_over_devices_are_refused():
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    spec = jax.sharding.PartitionSpec("i")
    program = trace(jax.shard_map(lambda x: lax.psum(x, "i"), mesh=mesh, in_specs=spec, out_specs=jax.P()), GRID)
    with pytest.raises(UnknownPrimitive, match="communicates between devices"):
        program.read(Balls(), GRID)
