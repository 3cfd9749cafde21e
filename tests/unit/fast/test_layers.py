"""The layers and losses against closed forms and published values."""

from fractions import Fraction
from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast
from lenticulum.fast.layers.batch_norm import advance, running_pair
from lenticulum.terms import (
    BatchNorm,
    Bias,
    CrossEntropyLoss,
    Dense,
    Dropout,
    LayerNorm,
    Mode,
    Relu,
    ShapeError,
    Softmax,
    SquaredLoss,
    Tanh,
    Tree,
)

UNIT = 2.0**-24  # the unit roundoff of binary32
ONE_FEATURE = Tree(weight=jnp.ones(1), bias=jnp.zeros(1))


def evaluate(term, x, parameters=None):
    y, _ = fast.apply(term, x, Tree() if parameters is None else parameters, Tree(), Mode.EVAL, None)
    return y


def batch(*entries):
    return jnp.array([[entry] for entry in entries], jnp.float32)


def trained(term, *batches):
    state = fast.initialstates(jax.random.key(0), term)
    for entries in batches:
        _, state = fast.apply(term, batch(*entries), ONE_FEATURE, state, Mode.TRAIN, None)
    return state


def test_affine_map_multiplies_by_the_transposed_weight():
    parameters = Tree(weight=jnp.array([[1.0, 2.0], [3.0, 4.0]]), bias=jnp.array([10.0, 20.0]))
    assert evaluate(Dense(2, 2), jnp.array([1.0, 0.0]), parameters).tolist() == [11.0, 23.0]
    assert evaluate(Dense(2, 2), jnp.ones((3, 1, 2)), parameters).tolist() == [[[13.0, 27.0]]] * 3


def test_translation_adds_along_the_last_axis():
    assert evaluate(Bias(2), jnp.zeros((2, 2)), Tree(bias=jnp.array([1.0, 2.0]))).tolist() == [[1.0, 2.0], [1.0, 2.0]]


def test_activations_at_points_with_exact_values():
    assert evaluate(Relu(), jnp.array([-1.0, -0.0, 3.0])).tolist() == [0.0, 0.0, 3.0]
    assert evaluate(Tanh(), jnp.array([0.0, jnp.inf, -jnp.inf])).tolist() == [0.0, 1.0, -1.0]
    assert evaluate(Softmax(), jnp.array([[3.0, 3.0, 3.0, 3.0]])).tolist() == [[0.25] * 4]


def test_layer_norm_at_a_rational_root():
    # mean 3, variance 8/3, epsilon 4/3: the root is 2.
    parameters = Tree(weight=jnp.array([1.0, 2.0, 3.0]), bias=jnp.array([0.0, 1.0, 0.0]))
    y = evaluate(LayerNorm(3, epsilon="4/3"), jnp.array([[1.0, 3.0, 5.0]]), parameters)
    assert y.tolist() == [[-1.0, 1.0, 3.0]]


def test_two_passes_survive_a_large_mean():
    # At mean 2^12 the squares need 25 bits, so the one-pass variance of binary32 is wrong; deviations are exact here.
    x = jnp.array([4095.0, 4097.0])
    term = LayerNorm(2, epsilon=3, use_weight=False, use_bias=False)
    assert evaluate(term, x).tolist() == [-0.5, 0.5]


@pytest.mark.parametrize(
    ("record", "after_one", "after_two"),
    [  # by hand: mean and variance that evaluation uses after B1 = (1,3,5), and after B2 = (0,2)
        ({}, ("3/10", "13/10"), ("37/100", "137/100")),
        ({"running_variance": "population"}, ("3/10", "7/6"), ("37/100", "23/20")),
        (
            {"running_variance": "population", "new_weight": "1/100"},
            ("3/100", "61/60"),
            ("397/10000", "2033/2000"),
        ),
        ({"running_variance": "population", "start": "corrected"}, ("3", "8/3"), ("37/19", "34/19")),
        ({"start": "cumulative"}, ("3", "4"), ("2", "3")),
        ({"start": "first_batch"}, ("3", "4"), ("14/5", "19/5")),
    ],
)
def test_running_statistics_of_every_record(record, after_one, after_two):
    term = BatchNorm(1, **record)
    for batches, expected in (([(1, 3, 5)], after_one), ([(1, 3, 5), (0, 2)], after_two)):
        pair = running_pair(trained(term, *batches), new_weight=term.new_weight, start=term.start)
        # All terms are positive, so relative errors do not grow: a batch statistic of three costs at most 8 roundings,
        # a step of the average 4, and the correction 8; two steps make at most 2 (8 + 4) + 8.
        for value, exact in zip(pair, map(Fraction, expected), strict=True):
            assert abs(Fraction(float(value[0])) - exact) <= exact * Fraction(32 * UNIT)


def test_published_running_statistics():
    term = BatchNorm(1, new_weight="1/2")
    state = trained(term, (2, 2), (4, 4))
    assert state.running_mean.tolist() == [2.5]
    assert state.running_variance.tolist() == [0.25]


def test_published_running_mean_in_binary32():
    old = Tree(running_mean=jnp.array([1.0, 2.0]), running_variance=jnp.ones(2))
    new = advance(old, jnp.array([3.0, 4.0]), jnp.ones(2), new_weight="0.1", start="plain")
    assert new.running_mean.tolist() == [1.2000000476837158, 2.200000047683716]


def test_training_normalises_with_the_batch_and_evaluation_with_the_running_pair():
    term = BatchNorm(1, epsilon="4/3", new_weight="1/2")
    y, state = fast.apply(
        term, batch(1, 3, 5), ONE_FEATURE, fast.initialstates(jax.random.key(0), term), Mode.TRAIN, None
    )
    assert y[:, 0].tolist() == [-1.0, 0.0, 1.0]
    given = Tree(running_mean=jnp.array([1.0]), running_variance=jnp.array([8 / 3]))
    y, after = fast.apply(term, batch(1, 5), ONE_FEATURE, given, Mode.EVAL, None)
    assert y[:, 0].tolist() == [0.0, 2.0]
    assert after.running_mean is given.running_mean or after.running_mean.tolist() == [1.0]


def test_training_with_the_running_normaliser_includes_this_batch():
    term = BatchNorm(1, epsilon=1, new_weight="1/2", running_variance="population", normaliser="running")
    state = Tree(running_mean=jnp.zeros(1), running_variance=jnp.array([5.0]))
    # Batch (2, 4): mean 3, variance 1. Running mean 3/2, variance 3, root 2.
    y, after = fast.apply(term, batch(2, 4), ONE_FEATURE, state, Mode.TRAIN, None)
    assert y[:, 0].tolist() == [0.25, 1.25]
    assert (after.running_mean.tolist(), after.running_variance.tolist()) == ([1.5], [3.0])


def test_without_tracking_evaluation_uses_the_batch():
    term = BatchNorm(1, epsilon="4/3", track=False)
    for mode in Mode:
        y, state = fast.apply(term, batch(1, 3, 5), ONE_FEATURE, Tree(), mode, None)
        assert y[:, 0].tolist() == [-1.0, 0.0, 1.0]
        assert len(state) == 0


def test_corrected_statistics_before_any_step_are_zero_and_one():
    term = BatchNorm(1, epsilon=3, start="corrected")
    y, _ = fast.apply(term, batch(2), ONE_FEATURE, fast.initialstates(jax.random.key(0), term), Mode.EVAL, None)
    assert y[:, 0].tolist() == [1.0]


def test_evaluation_before_training_is_rejected_where_the_record_says_so():
    term = BatchNorm(1, before_first_step="reject")
    state = fast.initialstates(jax.random.key(0), term)
    with pytest.raises(ValueError, match="^BatchNorm: evaluated before any training step"):
        fast.apply(term, batch(2), ONE_FEATURE, state, Mode.EVAL, None)
    compiled = jax.jit(lambda x, state: fast.apply(term, x, ONE_FEATURE, state, Mode.EVAL, None)[0])
    with pytest.raises(Exception, match="BatchNorm: evaluated before any training step"):
        jax.block_until_ready(compiled(batch(2), state))
    assert np.isfinite(compiled(batch(2), trained(term, (1, 3)))).all()


def test_a_batch_of_one_keeps_its_variance_or_is_rejected():
    kept = trained(BatchNorm(1, new_weight="1/2"), (3,))
    assert (kept.running_mean.tolist(), kept.running_variance.tolist()) == ([1.5], [0.5])
    with pytest.raises(ValueError, match="a batch of one element has no sample variance"):
        trained(BatchNorm(1, single="reject"), (3,))


@pytest.mark.parametrize("x", [jnp.ones(1), jnp.ones((0, 1))])
def test_batch_norm_needs_a_batch(x):
    term = BatchNorm(1)
    state = fast.initialstates(jax.random.key(0), term)
    with pytest.raises(ValueError, match=r"^BatchNorm: expected a batch of shape \[..., features\] with"):
        fast.apply(term, x, ONE_FEATURE, state, Mode.TRAIN, None)


def test_batch_norm_reduces_over_all_leading_axes():
    term = BatchNorm(1, epsilon="4/3")
    state = fast.initialstates(jax.random.key(0), term)
    flat, flat_state = fast.apply(term, batch(1, 3, 5, 7), ONE_FEATURE, state, Mode.TRAIN, None)
    x = batch(1, 3, 5, 7).reshape(2, 2, 1)
    square, square_state = fast.apply(term, x, ONE_FEATURE, state, Mode.TRAIN, None)
    assert square.ravel().tolist() == flat.ravel().tolist()
    assert square_state.running_variance.tolist() == flat_state.running_variance.tolist()


def test_squared_loss_is_the_factor_times_the_sum_of_squares():
    label, prediction = jnp.array([[1.0, 2.0]]), jnp.array([[4.0, 6.0]])
    assert [float(evaluate(SquaredLoss(factor), (label, prediction))) for factor in (1, "1/2", "1/4")] == [
        25,
        12.5,
        6.25,
    ]


def test_cross_entropy_of_equal_logits():
    # log n by hand of NumPy in binary64; logsumexp of n equal logits is one log (4 u), a maximum, a sum and a product.
    for n, rows in product((3, 10), (1, 2)):
        label = jnp.zeros((rows, n)).at[:, 0].set(1.0)
        loss = float(evaluate(CrossEntropyLoss(), (label, jnp.zeros((rows, n)))))
        assert abs(loss - rows * np.log(n)) <= 8 * UNIT * rows * np.log(n)


def test_cross_entropy_is_linear_in_a_label_that_is_not_normalised():
    logits = jnp.array([0.5, -1.0])
    losses = [float(evaluate(CrossEntropyLoss(), (jnp.array(label), logits))) for label in ([1.0, 0.0], [4.0, 0.0])]
    assert losses[1] == 4 * losses[0]  # a power of two scales every product and sum exactly


@pytest.mark.parametrize("loss", [SquaredLoss(), CrossEntropyLoss()])
def test_a_loss_refuses_to_broadcast(loss):
    with pytest.raises(ShapeError, match=r"Loss: expected \[4, 1\], got \[1\]$"):
        evaluate(loss, (jnp.zeros((4, 1)), jnp.zeros(1)))


@pytest.mark.parametrize("rate", ["1/2", "1/4", "7/8"])
def test_the_mask_of_a_key_is_that_of_its_bits(rate):
    key, x = jax.random.key(7), jnp.arange(1.0, 25.0).reshape(4, 6)
    y, _ = fast.apply(Dropout(rate), x, Tree(), Tree(), Mode.TRAIN, key)
    keep = 1 - Fraction(rate)
    words = np.asarray(jax.random.bits(key, (4, 6), jnp.uint32)).astype(object)
    expected = np.where((words >> 9) < keep * 2**23, np.asarray(x) / np.float32(keep), 0)
    assert np.array_equal(y, expected)
    assert 0 < np.count_nonzero(y) < y.size
