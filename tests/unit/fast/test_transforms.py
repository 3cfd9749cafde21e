"""Modes, keys and states inside jit, vmap, grad, remat and scan."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.terms import BatchNorm, Dense, Dropout, Mode, Tanh, chain

KEY = jax.random.key(6)
ONES = jnp.ones(64)
DRAWS = ["key", "seed_stream"]


def masked(draws):
    """The mask of a dropout in a chain, as a function of state and key, and the start state."""
    term = chain(first=Dropout(0), drop=Dropout("1/2", draws=draws))
    parameters, state = fast.setup(KEY, term)
    return lambda state, key: fast.apply(term, ONES, parameters, state, Mode.TRAIN, key)[0], state


@pytest.mark.parametrize("draws", DRAWS)
def test_masks_are_the_same_eager_compiled_mapped_and_rematerialised(draws):
    run, state = masked(draws)
    eager = run(state, KEY)
    keys = jax.random.split(KEY, 3)
    states = jax.tree.map(lambda leaf: jnp.stack([leaf] * 3), state)
    if draws == "seed_stream":
        states = states.with_leaf(("drop", "count"), jnp.arange(3, dtype=jnp.uint32))
    lanes = [run(jax.tree.map(lambda leaf, lane=lane: leaf[lane], states), keys[lane]) for lane in range(3)]
    assert np.array_equal(jax.jit(run)(state, KEY), eager)
    assert np.array_equal(jax.checkpoint(run)(state, KEY), eager)
    assert np.array_equal(jax.vmap(run)(states, keys), np.stack(lanes))
    assert len({lane.tobytes() for lane in map(np.asarray, lanes)}) == 3


def test_two_keys_differ_under_jit():
    run, state = masked("key")
    compiled = jax.jit(run)
    one, other = (compiled(state, jax.random.key(seed)) for seed in (0, 1))
    assert not np.array_equal(one, other)
    assert compiled._cache_size() == 1


def test_one_key_captured_at_trace_time_would_freeze_the_mask():
    # The planted mistake that the test above must see: the key is a constant of the program.
    run, state = masked("key")
    captured = jax.jit(lambda state, key: run(state, KEY))
    one, other = (captured(state, jax.random.key(seed)) for seed in (0, 1))
    assert np.array_equal(one, other)


def test_raw_words_and_typed_keys_draw_the_same():
    run, state = masked("key")
    assert np.array_equal(run(state, jax.random.PRNGKey(9)), run(state, jax.random.key(9)))


@pytest.mark.parametrize("draws", DRAWS)
def test_rematerialisation_reuses_the_mask_in_the_backward_pass(draws):
    run_state = masked(draws)[1]
    term = chain(first=Dropout(0), drop=Dropout("1/2", draws=draws))
    parameters, _ = fast.setup(KEY, term)

    def total(x):
        return fast.apply(term, x, parameters, run_state, Mode.TRAIN, KEY)[0].sum()

    plain, rematerialised = jax.grad(total)(ONES), jax.grad(jax.checkpoint(total))(ONES)
    assert np.array_equal(plain, rematerialised)
    assert np.array_equal(plain, fast.apply(term, ONES, parameters, run_state, Mode.TRAIN, KEY)[0])


def test_differentiation_and_rematerialisation_update_the_state_once():
    # Running mean 0, weight 1/2, batch mean 3: one update 3/2, two updates 9/4.
    term = BatchNorm(1, new_weight="1/2")
    parameters, state = fast.setup(KEY, term)
    x = jnp.array([[2.0], [4.0]])

    def objective(parameters):
        y, after = fast.apply(term, x, parameters, state, Mode.TRAIN, None)
        return jnp.sum(y), after

    for function in (objective, jax.checkpoint(objective), jax.jit(objective)):
        (_, after), _ = jax.value_and_grad(function, has_aux=True)(parameters)
        assert after.running_mean.tolist() == [1.5]


def test_scan_over_batches_is_the_loop():
    term = chain(norm=BatchNorm(2, start="corrected"), drop=Dropout("1/2", draws="seed_stream"), act=Tanh())
    parameters, start = fast.setup(KEY, term)
    batches = jnp.arange(24.0).reshape(4, 3, 2)

    def train(state, x):
        y, state = fast.apply(term, x, parameters, state, Mode.TRAIN, None)
        return state, y

    scanned, _ = jax.lax.scan(train, start, batches)
    state = start
    compiled = jax.jit(train)
    for x in batches:
        state, _ = compiled(state, x)
    assert jax.tree.structure(scanned) == jax.tree.structure(start)
    # The same program, compiled in both, but fused otherwise: four steps of at most 8 roundings, entries at most 25.
    for one, other in zip(scanned.leaves(), state.leaves(), strict=True):
        assert one.dtype == other.dtype
        assert np.abs(np.asarray(one, np.float64) - np.asarray(other, np.float64)).max() <= 4 * 8 * 25 * 2.0**-24
    assert int(scanned.drop.count) == int(scanned.norm.count) == 4


def test_a_mode_is_static_and_both_modes_compile():
    term = chain(dense=Dense(2, 2), norm=BatchNorm(2))
    parameters, state = fast.setup(KEY, term)
    run = jax.jit(lambda x, state, mode: fast.apply(term, x, parameters, state, mode, None), static_argnums=2)
    x = jnp.arange(6.0).reshape(3, 2)
    _, kept = run(x, state, Mode.EVAL)
    _, moved = run(x, state, Mode.TRAIN)
    assert np.array_equal(kept.norm.running_mean, state.norm.running_mean)
    assert not np.array_equal(moved.norm.running_mean, state.norm.running_mean)


def test_state_that_is_mapped_is_state_of_the_lane():
    term = BatchNorm(1, new_weight="1/2")
    parameters, state = fast.setup(KEY, term)
    states = jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), state)
    x = jnp.array([[[2.0], [4.0]], [[6.0], [8.0]]])
    run = jax.vmap(lambda x, state: fast.apply(term, x, parameters, state, Mode.TRAIN, None)[1])
    assert run(x, states).running_mean.tolist() == [[1.5], [3.5]]


def test_trees_flatten_in_order_of_construction():
    tree = fast.initialparameters(KEY, chain(zeta=Dense(1, 1), alpha=Dense(1, 1)))
    paths = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_leaves_with_path(tree)]
    assert paths == [".zeta.weight", ".zeta.bias", ".alpha.weight", ".alpha.bias"]
    assert jax.tree.map(lambda leaf: leaf, tree).names() == ("zeta", "alpha")
