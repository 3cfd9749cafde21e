"""The reverse derivative of composed terms, at points where it is known by hand."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.terms import (
    Add,
    BatchNorm,
    Bias,
    Copy,
    CrossEntropyLoss,
    Dense,
    Dropout,
    Identity,
    LearningRate,
    Mode,
    Relu,
    SquaredLoss,
    Swap,
    Tree,
    chain,
    freeze,
    tie,
)

KEY = jax.random.key(3)


def pull(term, x, cotangent, parameters=None, state=None, mode=Mode.EVAL, key=None):
    drawn, start = fast.setup(KEY, term)
    parameters, state = drawn if parameters is None else parameters, start if state is None else state
    return fast.put(term, x, parameters, state, mode, key, cotangent)


def test_copy_adds_and_add_copies():
    x, u, v = jnp.array([1.0]), jnp.array([10.0]), jnp.array([200.0])
    assert pull(Copy(), x, (u, v))[1].tolist() == [210.0]
    assert [part.tolist() for part in pull(Add(), (x, x), u)[1]] == [[10.0], [10.0]]
    assert [part.tolist() for part in pull(Swap(), (x, x), (u, v))[1]] == [[200.0], [10.0]]


def test_the_derivative_of_relu_at_zero_is_zero():
    assert pull(Relu(), jnp.array([-1.0, 0.0, 2.0]), jnp.ones(3))[1].tolist() == [0.0, 0.0, 1.0]


def test_an_affine_map_pulls_back_by_its_transpose():
    parameters = Tree(weight=jnp.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), bias=jnp.zeros(3))
    x, g = jnp.array([[7.0, 8.0], [1.0, 1.0]]), jnp.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    slopes, slope = pull(Dense(2, 3), x, g, parameters)
    assert slopes.weight.tolist() == [[7.0, 8.0], [0.0, 0.0], [1.0, 1.0]]
    assert slopes.bias.tolist() == [1.0, 0.0, 1.0]
    assert slope.tolist() == [[1.0, 2.0], [5.0, 6.0]]


def test_a_tied_parameter_gets_the_sum():
    term = tie(Bias(1) >> Dense(1, 1, use_bias=False) >> Bias(1), ("layer_1.bias", "layer_3.bias"))
    parameters = Tree(layer_1=Tree(bias=jnp.array([0.5])), layer_2=Tree(weight=jnp.array([[4.0]])), layer_3=Tree())
    slopes, slope = pull(term, jnp.array([1.0]), jnp.array([1.0]), parameters)
    assert slopes.layer_1.bias.tolist() == [5.0]  # 4 through the first, 1 through the last
    assert slopes.layer_2.weight.tolist() == [[1.5]]
    assert slopes.layer_3 == Tree()
    assert slope.tolist() == [4.0]


def test_frozen_parameters_have_no_cotangent_and_the_others_keep_theirs():
    term = chain(one=Dense(2, 3), two=Dense(3, 1))
    parameters, state = fast.setup(KEY, term)
    x, g = jnp.array([0.5, -1.0]), jnp.array([1.0])
    full, slope = pull(term, x, g, parameters)
    frozen = freeze(term, "one.weight", "two.bias")
    kept = parameters.without(("one", "weight")).without(("two", "bias"))
    held = Tree(frozen=Tree(one=Tree(weight=parameters.one.weight), two=Tree(bias=parameters.two.bias)), inner=state)
    some, frozen_slope = pull(frozen, x, g, kept, held)
    assert some.paths() == [("one", "bias"), ("two", "weight")]
    assert np.array_equal(some.one.bias, full.one.bias)
    assert np.array_equal(some.two.weight, full.two.weight)
    assert np.array_equal(slope, frozen_slope)


def test_batch_norm_at_a_rational_root():
    # By hand: x = (1,3,5), epsilon 4/3, dy = (1,0,0) gives dx = (1/6, -1/6, 0); dgamma = -1, dbeta = 1.
    term, x, g = BatchNorm(1, epsilon="4/3"), jnp.array([[1.0], [3.0], [5.0]]), jnp.array([[1.0], [0.0], [0.0]])
    slopes, slope = pull(term, x, g, mode=Mode.TRAIN)
    # Every intermediate is at most 1 and passes at most twelve roundings (eight products and quotients, four sums).
    assert np.abs(np.asarray(slope[:, 0], np.float64) - np.array([1 / 6, -1 / 6, 0])).max() <= 12 * 2.0**-24
    assert (slopes.weight.tolist(), slopes.bias.tolist()) == ([-1.0], [1.0])


def test_evaluation_of_batch_norm_does_not_couple_samples():
    term = BatchNorm(1, epsilon=3)
    _, slope = pull(term, jnp.array([[1.0], [3.0]]), jnp.array([[1.0], [0.0]]))
    assert slope.tolist() == [[0.5], [0.0]]


def test_no_gradient_flows_through_the_state():
    term = BatchNorm(2) >> Dense(2, 2)
    parameters, state = fast.setup(KEY, term)

    def next_state(parameters, x, state):
        return sum(leaf.sum() for leaf in fast.apply(term, x, parameters, state, Mode.TRAIN, None)[1].leaves())

    slopes = jax.grad(next_state, argnums=(0, 1, 2))(parameters, jnp.arange(6.0).reshape(3, 2), state)
    assert all(not np.any(leaf) for leaf in jax.tree.leaves(slopes))


@pytest.mark.parametrize("draws", ["key", "seed_stream"])
def test_dropout_pulls_back_by_the_mask_of_the_forward_pass(draws):
    term, x = Dropout("1/4", draws=draws), jnp.arange(1.0, 33.0)
    parameters, state = fast.setup(KEY, term)
    y, _ = fast.apply(term, jnp.ones(32), parameters, state, Mode.TRAIN, KEY)
    _, slope = pull(term, x, jnp.ones(32), state=state, mode=Mode.TRAIN, key=KEY)
    assert np.array_equal(slope, y)
    assert 0 < np.count_nonzero(y) < 32


def test_dropout_of_rate_one_is_constant():
    assert pull(Dropout(1), jnp.ones(3), jnp.ones(3), mode=Mode.TRAIN)[1].tolist() == [0.0] * 3


@pytest.mark.parametrize(("kind", "seed"), [("constant", -0.25), ("scaled", -0.25 * 4.5)])
def test_a_chain_that_ends_in_the_cap_starts_its_own_cotangent(kind, seed):
    # loss = (1/2)(prediction - label)^2 = 4.5, with slope prediction - label = -3.
    term = SquaredLoss() >> LearningRate("1/4", kind=kind)
    _, (label, prediction) = pull(term, (jnp.array([5.0]), jnp.array([2.0])), ())
    assert (label.tolist(), prediction.tolist()) == ([-seed * -3.0], [seed * -3.0])


def test_caps_inside_products_start_each_their_own_cotangent():
    one = chain(loss=SquaredLoss(), cap=LearningRate(1))
    other = chain(loss=SquaredLoss(), cap=LearningRate(10))
    point = (jnp.array([0.0]), jnp.array([1.0]))
    _, ((_, first), (_, second)) = pull((one @ other) >> Swap(), (point, point), ((), ()))
    assert (first.tolist(), second.tolist()) == ([-1.0], [-10.0])


def test_a_copied_cap_still_counts_once():
    _, (_, prediction) = pull(SquaredLoss() >> LearningRate(1) >> Copy(), (jnp.zeros(1), jnp.ones(1)), ((), ()))
    assert prediction.tolist() == [-1.0]


def test_cross_entropy_pulls_back_softmax_minus_label():
    label, logits = jnp.array([0.0, 1.0]), jnp.zeros(2)
    _, (_, slope) = pull(CrossEntropyLoss(), (label, logits), jnp.array(1.0))
    assert slope.tolist() == [0.5, -0.5]


def test_the_identity_pulls_back_what_it_gets():
    u = jnp.array([3.0])
    assert pull(Identity(), jnp.ones(1), u)[1].tolist() == [3.0]


def test_a_cotangent_that_does_not_fit_is_refused():
    with pytest.raises((TypeError, ValueError)):
        pull(Relu(), jnp.ones(3), jnp.ones(2))
