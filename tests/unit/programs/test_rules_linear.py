"""The rules of matrix products, convolutions and windows, and of their derivatives."""

from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from rule_checks import case, derivatives, exact, forward, parameters

from lenticulum.programs import Balls, Bounds, trace

GRID = np.array([[0.3, -1.2, 2.5, 0.7], [1.1, 0.4, -0.6, 4.2], [-3.3, 0.9, 1.0, -2.4]])
ROW = np.array([0.5, -1.5, 2.25, 3.1, -0.75])
CUBE = np.sin(np.arange(24.0)).reshape(2, 3, 4)
IMAGE = np.cos(np.arange(96.0) * 0.7).reshape(2, 3, 4, 4)
KERNEL = np.sin(np.arange(54.0) * 0.9).reshape(2, 3, 3, 3)
SCALES = np.array([[2.0, 0.5], [1.0, 8.0], [0.25, 4.0]], jnp.float8_e8m0fnu)


def windows(function, *, size=2, stride=1, padding="VALID", dilation=1, base=1):
    def reduced(x):
        start, combine = function
        return lax.reduce_window(
            x, x.dtype.type(start), combine, (size, size), (stride, stride), padding, (base, base), (dilation, dilation)
        )

    return reduced


ADD, MAX, MIN = (0, lax.add), (-np.inf, lax.max), (np.inf, lax.min)


def conv(stride=(1, 1), padding="VALID", lhs=(1, 1), rhs=(1, 1), groups=1, batches=1, numbers=None):
    return lambda x, w: lax.conv_general_dilated(
        x, w, stride, padding, lhs, rhs, numbers, feature_group_count=groups, batch_group_count=batches
    )


CASES = {
    "dot_general": case(lambda x, y: x @ y, GRID, GRID.T),
    "dot_general, batched": case(
        lambda x, y: lax.dot_general(x, y, (((2,), (1,)), ((0,), (0,)))), CUBE, CUBE.transpose(0, 2, 1)
    ),
    "dot_general, batched last": case(
        lambda x, y: lax.dot_general(x, y, (((0, 1), (1, 0)), ((2,), (2,)))), CUBE, CUBE.transpose(1, 0, 2)
    ),
    "dot_general of vectors": case(jnp.dot, ROW, ROW[::-1]),
    "dot_general of nothing": case(lambda x, y: x @ y, np.zeros((2, 0)), np.zeros((0, 3))),
    "outer": case(lambda x, y: jnp.einsum("i,j->ji", x, y), ROW, GRID[0]),
    "ragged_dot_general": case(
        lax.ragged_dot, GRID, CUBE.transpose(0, 2, 1), np.array([2, 0], np.int32)
    ),
    "scaled_dot": case(
        lambda x, y: lax.scaled_dot(x, y, lhs_scale=SCALES, preferred_element_type=np.float32),
        GRID,
        GRID.T,
        differentiable=False,
    ),
    "conv": case(conv(), IMAGE, KERNEL),
    "conv, same, strided": case(conv((2, 1), "SAME"), IMAGE, KERNEL),
    "conv, dilated": case(conv((1, 1), [(2, 1), (0, 3)], (2, 1), (1, 2)), IMAGE, KERNEL),
    "conv in feature groups": case(conv(groups=3), IMAGE, KERNEL[:, :1].repeat(3, 0)),
    "conv in batch groups": case(conv(batches=2), IMAGE, KERNEL),
    "conv, channels last": case(
        conv(numbers=("NHWC", "HWIO", "NHWC")), IMAGE.transpose(0, 2, 3, 1), KERNEL.transpose(2, 3, 1, 0)
    ),
    "conv of one axis": case(lambda x, w: jnp.convolve(x, w, mode="full"), ROW, GRID[0]),
    "window sums": case(windows(ADD), GRID),
    "window sums, same, strided": case(windows(ADD, size=3, stride=2, padding="SAME"), GRID),
    "window sums, dilated": case(windows(ADD, dilation=2, base=2, padding=((1, 2), (0, 1))), GRID),
    "window maxima": case(windows(MAX), GRID),
    "window maxima, same, strided": case(windows(MAX, size=3, stride=2, padding="SAME"), GRID),
    "window minima": case(windows(MIN, stride=2), GRID),
    "window maxima, padded": case(windows(MAX, padding=((1, 1), (1, 1))), GRID),
    "batched window maxima": case(jax.vmap(windows(MAX)), CUBE),
}  # fmt: skip


@pytest.mark.parametrize(("name", "dtype"), parameters(CASES))
def test_results_lie_inside(name, dtype):
    with exact():
        forward(CASES[name], dtype)


@pytest.mark.parametrize("name", [name for name, each in CASES.items() if each.differentiable])
def test_derivatives_agree(name):
    with exact():
        derivatives(CASES[name])


@pytest.mark.parametrize("name", ["window maxima", "window maxima, padded", "conv, dilated"])
def test_second_derivatives_lie_inside(name):
    """Programs of derivatives hold the transposes: select_and_gather_add, select_and_scatter_add and others."""
    first = CASES[name]

    def slope(*given):
        value, pull = jax.vjp(first.function, *given)
        return pull(value)

    with exact():
        forward(case(slope, *first.arguments), np.float32)
        if name != "window maxima, padded":
            derivatives(case(slope, *first.arguments))


def test_products_of_narrow_numbers_are_exact_in_a_wide_result():
    x = np.array([[1.5, -0.75], [2.25, 3.0]], jnp.bfloat16)
    with exact():
        for function in (
            lambda x: lax.dot_general(x, x, (((1,), (0,)), ((), ())), preferred_element_type=np.float32),
            lambda x: lax.mul(x, x, out_dtype=np.float32),
        ):
            program = trace(function, x)
            (bound,) = program.read(Bounds(), x)
            (result,) = program.run(x)
            for got, wide in zip(result.astype(np.float64).ravel().tolist(), bound.elements, strict=True):
                assert wide.contains(got)
                assert wide.rad() < 1e-5


@pytest.mark.parametrize("weights", [np.array([1, 0, 2]), np.array([True, False, True])], ids=["integers", "booleans"])
def test_a_product_with_integers_or_booleans_takes_them_as_numbers(weights):
    x = np.array([0.5, 0.25, 2.0], np.float32)
    (found,) = trace(lambda x: jnp.dot(jnp.asarray(weights), x), x).read(Balls(), x)
    assert found == found.lift(Fraction(float(weights.astype(np.float64) @ x.astype(np.float64))))
