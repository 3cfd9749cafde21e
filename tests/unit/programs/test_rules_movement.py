"""The rules that move elements: slices, padding, gathers and scatters in every mode, and the discrete values beside."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.ad_checkpoint import checkpoint_name
from rule_checks import case, derivatives, exact, forward, parameters

from lenticulum.numbers import Undecided
from lenticulum.programs import Balls, trace

GRID = np.array([[0.3, -1.2, 2.5, 0.7], [1.1, 0.0, -0.6, 4.2], [-3.3, 0.9, 1.0, -2.4]])
ROW = np.array([0.5, -1.5, 2.25, 3.1, -0.75])
CUBE = np.linspace(-2.0, 3.0, 24).reshape(2, 3, 4)
MODES = ["clip", "fill", "promise_in_bounds"]
FAR = np.array([[0, 3], [-1, 1], [2, 2], [5, -7]])
NEAR = np.array([[0, 3], [1, 1], [2, 2], [1, 0]])


def chosen(mode):
    """Indices beyond the ends, but for the mode that promises that there are none."""
    return NEAR if mode == "promise_in_bounds" else FAR


def gathered(mode):
    return case(lambda x, i: x.at[i[:, 0], i[:, 1]].get(mode=mode, fill_value=-3.5), GRID, chosen(mode))


def scattered(method, mode):
    def function(x, u, i):
        return getattr(x.at[i[:, 0], i[:, 1]], method)(u, mode=mode)

    return case(function, GRID, np.array([1.5, -0.25, 3.0, 2.0]), chosen(mode))


def repeated(method):
    """Several updates of one place, one of a place alone, and untouched places."""
    return case(lambda x, u: getattr(x.at[np.array([3, 0, 3, 3])], method)(u), ROW, np.array([2.0, -1.5, 0.5, 4.0]))


CASES = {
    "reshape": case(lambda x: x.reshape(2, 6), GRID),
    "transpose": case(lambda x: lax.transpose(x, (2, 0, 1)), CUBE),
    "broadcast_in_dim": case(lambda x: lax.broadcast_in_dim(x, (2, 5, 3), (1,)), ROW),
    "broadcast a size-one axis": case(lambda x: jnp.broadcast_to(x[:, :1], (3, 5)), GRID),
    "squeeze": case(lambda x: lax.squeeze(x, (1,)), GRID[:, :1]),
    "expand_dims": case(lambda x: lax.expand_dims(x, (0, 2)), GRID),
    "rev": case(lambda x: lax.rev(x, (0, 1)), GRID),
    "slice with steps": case(lambda x: lax.slice(x, (0, 1), (3, 4), (2, 2)), GRID),
    "a negative step": case(lambda x: x[::-2, 3:0:-1], GRID),
    "dynamic_slice, clamped": case(lambda x, i: lax.dynamic_slice(x, (i, -i), (2, 3)), GRID, np.int32(7)),
    "dynamic_update_slice": case(
        lambda x, u, i: lax.dynamic_update_slice(x, u, (i, i)), GRID, GRID[:2, :2] * 3, np.int32(9)
    ),
    "concatenate": case(lambda x, y: lax.concatenate([x, y, x], 1), GRID, GRID[:, :1]),
    "pad": case(lambda x, v: lax.pad(x, v, [(1, 2, 1), (0, 1, 0)]), GRID, np.array(0.75)),
    "pad, negative": case(lambda x, v: lax.pad(x, v, [(-1, 1, 0), (2, -3, 2)]), GRID, np.array(-1.25)),
    "pad of nothing": case(lambda x, v: lax.pad(x, v, [(1, 1, 0)]), np.zeros(0), np.array(2.0)),
    "split": case(lambda x: lax.split(x, (1, 3), 1), GRID),
    "tile": case(lambda x: lax.tile(x, (2, 1)), GRID),
    "stack": case(lambda x, y: jnp.stack([x, y], axis=1), GRID, GRID[::-1]),
    "unstack": case(lambda x: jnp.unstack(x, axis=1), GRID),
    "copy": case(lambda x: jnp.array(x, copy=True) * 2, GRID),
    "name": case(lambda x: checkpoint_name(jnp.sin(x), "here"), GRID),
    "optimization_barrier": case(lambda x: lax.optimization_barrier((x * 2, x)), GRID),
    "stop_gradient": case(lambda x: lax.stop_gradient(x) * x, GRID),
    "iota": case(lambda x: lax.iota(x.dtype, 5) * x, ROW),
    "linspace": case(lambda x: jnp.linspace(0, 3, 5).astype(x.dtype) * x, ROW),
    "gather of slices": case(lambda x, i: x[i], GRID, np.array([[2, 0], [-1, 1]])),
    "gather of booleans": case(lambda x, i: jnp.where((x > 0.5)[i], x[i], 0), ROW, np.array([4, 0, 0])),
    "gather, batched": case(jax.vmap(lambda x, i: x[i]), GRID, np.array([[0, 3], [1, 1], [2, 0]])),
    "take_along_axis": case(lambda x, i: jnp.take_along_axis(x, i, 1), GRID, np.array([[0], [3], [1]])),
    "take, wrapped": case(lambda x, i: jnp.take(x, i, axis=1, mode="wrap"), GRID, np.array([-6, 5, 0])),
    "nothing gathered": case(lambda x, i: x[i], ROW, np.zeros(0, np.int32)),
    "set, one place twice by the same": case(lambda x, i: x.at[i].set(7.0), ROW, np.array([1, 1, 4])),
    "scatter, batched": case(jax.vmap(lambda x, i, u: x.at[i].add(u)), GRID, np.array([0, 3, 1]), ROW[:3]),
    "scatter of windows": case(lambda x, u: x.at[jnp.array([2, 0, 2])].add(u), GRID, GRID * 2),
    "roll": case(lambda x: jnp.roll(x, 2, axis=1), GRID),
    "diagonal": case(lambda x: jnp.diag(x[:, :3]) + jnp.trace(x), GRID),
}
CASES |= {f"gather, {mode}": gathered(mode) for mode in MODES}
CASES |= {
    f"scatter, {method}, {mode}": scattered(method, mode) for method in ("set", "add", "multiply") for mode in MODES
}
CASES |= {f"{method} several times": repeated(method) for method in ("add", "subtract", "multiply", "min", "max")}


@pytest.mark.parametrize(("name", "dtype"), parameters(CASES))
def test_results_lie_inside(name, dtype):
    with exact():
        forward(CASES[name], dtype)


#: JAX has no derivative of a product, a minimum or a maximum at places that several updates name.
WITHOUT = {"multiply several times", "min several times", "max several times"} | {
    f"scatter, multiply, {mode}" for mode in MODES
}


@pytest.mark.parametrize("name", [name for name in CASES if name not in WITHOUT])
def test_derivatives_agree(name):
    with exact():
        derivatives(CASES[name])


@pytest.mark.parametrize("name", ["moved whole", "sliced", "updated", "padded", "stacked"])
def test_undecided_booleans_are_moved_as_such(name):
    """1/3 * 3 > 1 is not decided: both branches are enclosed, at the place where the boolean is moved to."""
    functions = {
        "moved whole": lambda b: jnp.broadcast_to(b[::-1][None], (2, 3)),
        "sliced": lambda b: lax.dynamic_slice(b, (1,), (2,)),
        "updated": lambda b: lax.dynamic_update_slice(jnp.zeros(4, bool), b, (1,)),
        "padded": lambda b: lax.pad(b, True, [(1, 0, 0)]),
        "stacked": lambda b: jnp.concatenate([jnp.stack([b, ~b])[1], jnp.unstack(b)[0][None]]),
    }
    expected = {
        "moved whole": [[True, None, False], [True, None, False]],
        "sliced": [None, True],
        "updated": [False, False, None, True],
        "padded": [True, False, None, True],
        "stacked": [True, None, False, False],
    }
    with exact():
        x = np.array([2.0, 3.0, 4.0])
        program = trace(lambda x: functions[name](x * (1 / x[1]) > jnp.ones(3)), x)
        (found,) = program.read(Balls(), x)
    known = np.ma.getmaskarray(found)
    assert np.where(known, None, np.ma.getdata(found)).tolist() == expected[name]


def test_an_undecided_index_is_refused():
    x = np.array([2.0, 3.0, 4.0])
    with exact():
        program = trace(lambda x: x[jnp.where(x[1] * (1 / x[1]) > 1, 1, 0)], x)
        with pytest.raises(Undecided):
            program.read(Balls(), x)


def test_an_empty_array_has_any_values():
    with exact():
        x = np.array([1.0, 2.0])
        (found,) = trace(lambda x: lax.empty((2,), x.dtype) + x, x).read(Balls(), x)
        assert not found.bounded().any()
        (found,) = trace(lambda x: lax.dynamic_update_slice(lax.empty((2,), x.dtype), x, (0,)), x).read(Balls(), x)
        assert found.bounded().all()


def test_a_gather_beyond_the_end_has_no_value_unless_one_is_given():
    x = np.array([1.0, 2.0])
    with exact():
        (found,) = trace(lambda x: x.at[jnp.array([0, 5])].get(mode="fill"), x).read(Balls(), x)
    assert found.bounded().tolist() == [True, False]
