"""The bound model: a callable pytree that Equinox's and JAX's transforms take."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.terms import BatchNorm, Dense, Dropout, Mode, Relu, Tanh, Tree, chain, freeze

KEY = jax.random.key(5)
PLAIN = chain(one=Dense(2, 3), act=Tanh(), two=Dense(3, 1))
X = jnp.array([0.5, -1.0])


def bound(term):
    parameters, state = fast.setup(KEY, term)
    return fast.Model(term, parameters), state


def test_the_bound_model_is_apply():
    model, state = bound(PLAIN)
    y, after = model(X, state, Mode.TRAIN, KEY)
    assert np.array_equal(y, fast.apply(PLAIN, X, model.parameters, state, Mode.TRAIN, KEY)[0])
    assert np.array_equal(y, model(X))
    assert after == state


@pytest.mark.parametrize(
    ("term", "has"),
    [
        (Dropout(), "modes"),
        (Dropout(draws="seed_stream"), "state and modes"),
        (BatchNorm(2), "state and modes"),
        (BatchNorm(2, track=False), "modes"),
        (freeze(Dense(2, 1), "bias"), "state"),
        (Relu() >> Dropout(), "modes"),
        (freeze(Relu() @ BatchNorm(2), "right.bias"), "state and modes"),
    ],
)
def test_a_mode_or_state_cannot_be_left_out(term, has):
    model, state = bound(term)
    with pytest.raises(TypeError, match=rf"^Model\(x\): this term has {has}, so call model\(x, state, mode, key\)$"):
        model(X)
    with pytest.raises(TypeError, match=r"^Model: mode is missing, so call model\(x, state, mode, key\)$"):
        model(X, state)
    with pytest.raises(TypeError, match=r"^Model: state is missing, so call model\(x, state, mode, key\)$"):
        model(X, mode=Mode.EVAL)


def test_parameters_of_another_term_are_refused():
    with pytest.raises(
        ValueError, match=r"^parameters: expected weight \[1, 2\], bias \[1\], got weight \[2, 1\], bias \[1\]$"
    ):
        fast.Model(Dense(2, 1), Tree(weight=jnp.zeros((2, 1)), bias=jnp.zeros(1)))


def test_leaves_are_the_parameters_in_order_of_construction():
    model, _ = bound(PLAIN)
    paths = [jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_leaves_with_path(model)]
    assert paths == [f".parameters.{name}" for name in ("one.weight", "one.bias", "two.weight", "two.bias")]
    flat, structure = jax.tree.flatten(model)
    rebuilt = jax.tree.unflatten(structure, flat)
    assert rebuilt.term == PLAIN
    assert structure == jax.tree.structure(bound(PLAIN)[0])
    assert structure != jax.tree.structure(bound(chain(one=Dense(2, 3), act=Relu(), two=Dense(3, 1)))[0])


def test_filter_grad_has_the_structure_of_the_model_and_no_frozen_leaf():
    term = freeze(PLAIN, "one.weight")
    model, state = bound(term)
    gradient = eqx.filter_grad(lambda model: model(X, state, Mode.TRAIN, None)[0].sum())(model)
    assert gradient.parameters.paths() == [("one", "bias"), ("two", "weight"), ("two", "bias")]
    assert gradient.parameters.two.bias.tolist() == [1.0]


def test_filter_jit_compiles_once_for_rebuilt_models():
    traces = []

    @eqx.filter_jit
    def run(model, x):
        traces.append(model.term)
        return model(x)

    for _ in range(5):
        model, _ = bound(chain(one=Dense(2, 3), act=Tanh(), two=Dense(3, 1)))
        run(model, X)
    assert len(traces) == 1


def test_vmap_over_samples_is_the_batch():
    model, _ = bound(PLAIN)
    batch = jnp.arange(10.0).reshape(5, 2) / 8
    one_by_one = np.stack([model(x) for x in batch])
    # Two dot products, of 2 and 3 terms, in an order that may differ, and tanh: entries up to 3, at most 16 roundings.
    for mapped in (jax.vmap(model)(batch), eqx.filter_vmap(model)(batch), model(batch)):
        assert np.abs(np.asarray(mapped, np.float64) - one_by_one).max() <= 16 * 3 * 2.0**-24


def test_an_ensemble_is_a_mapped_model():
    keys = jax.random.split(KEY, 4)
    ensemble = eqx.filter_vmap(lambda key: fast.Model(PLAIN, fast.initialparameters(key, PLAIN)))(keys)
    outputs = eqx.filter_vmap(lambda model: model(X))(ensemble)
    assert outputs.shape == (4, 1)
    assert len(set(outputs.ravel().tolist())) == 4


def test_equinox_partition_and_tree_at_work_on_the_parameters():
    model, _ = bound(PLAIN)
    arrays, rest = eqx.partition(model, eqx.is_array)
    assert np.array_equal(eqx.combine(arrays, rest)(X), model(X))
    shifted = eqx.tree_at(lambda model: model.parameters.two.bias, model, replace_fn=lambda bias: bias + 1)
    assert (shifted(X) - model(X)).shape == (1,)
    assert not np.array_equal(shifted(X), model(X))
