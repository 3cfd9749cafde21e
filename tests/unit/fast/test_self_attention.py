"""Self-attention in both interpreters: values by hand, batches, initial values, and what is refused."""

from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast, spec
from lenticulum.numbers import DomainError, ball, log, rational, working_precision
from lenticulum.terms import Mode, SelfAttention, ShapeError, Tree

KEY = jax.random.key(0)
BIASED = {f"use_{name}_bias": True for name in ("query", "key", "value", "output")}


@pytest.mark.parametrize(("mask", "first"), [("none", Fraction(3, 4)), ("causal", Fraction(0))])
def test_the_value_by_hand(mask, first):
    # Every query is 1, so that the keys 0 and log 3 have weights 1 : 3, and the values are the keys.
    term = SelfAttention(1, 1, mask=mask, use_query_bias=True)
    numbers = Tree(query_weight=[[0]], query_bias=[1], key_weight=[[1]], value_weight=[[1]], output_weight=[[2]])
    with working_precision(64):
        exact = Tree({name: ball(numbers[name]) for name in numbers})
        x = log(ball([[1], [3]]))
        y, _ = spec.apply(term, x, exact, Tree(), Mode.EVAL, None)
        due = 2 * log(ball(3)) * ball([[first], [Fraction(3, 4)]])
        assert ((y - due) ** 2 < Fraction(1, 2**100)).all()
    floats = Tree({name: jnp.array(numbers[name], jnp.float32) for name in numbers})
    got, _ = fast.apply(term, jnp.log(jnp.array([[1.0], [3.0]])), floats, Tree(), Mode.EVAL, None)
    # A few roundings of numbers up to 2 log 3 < 4.
    assert np.abs(np.asarray(got) - 2 * np.log(3) * np.array([[float(first)], [0.75]])).max() < 16 * 4 * 2.0**-24


@pytest.mark.parametrize("mask", ["none", "causal"])
def test_a_batch_is_its_sequences_one_by_one(mask):
    term = SelfAttention(4, 2, width=3, mask=mask, **BIASED)
    parameters = fast.initialparameters(KEY, term)
    x = jax.random.normal(KEY, (2, 3, 5, 4))

    @jax.jit
    def layer(x):
        return fast.apply(term, x, parameters, Tree(), Mode.EVAL, None)[0]

    together, mapped = layer(x), jax.vmap(jax.vmap(layer))(x)
    one_by_one = np.stack([np.stack([layer(rows) for rows in sequences]) for sequences in x])
    # Sums of five and six products and of the bias, in any order, of weights below 1 and entries below 4.
    assert max(np.abs(np.asarray(each) - one_by_one).max() for each in (together, mapped)) < 64 * 6 * 4 * 2.0**-24


def test_initial_weights_are_xavier_uniform_and_biases_zero():
    term = SelfAttention(40, 2, width=30, **BIASED)
    parameters = fast.initialparameters(KEY, term)
    assert parameters.names() == term.parameter_shapes().names()
    for name in parameters:
        if name.endswith("bias"):
            assert not parameters[name].any()
        else:
            limit = (6 / 100) ** 0.5
            assert parameters[name].dtype == jnp.float32
            assert 0.9 * limit < float(jnp.abs(parameters[name]).max()) <= limit
    assert not (parameters.query_weight == parameters.key_weight).any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SelfAttention(5, 2), "features = 5, heads = 2: expected a multiple of the heads, or a width"),
        (lambda: SelfAttention(4, 0), "heads = 0: expected at least 1"),
        (lambda: SelfAttention(4, 2, width=0), "width = 0: expected at least 1"),
        (lambda: SelfAttention(4, 2, mask="start"), "mask = 'start': expected one of none, causal"),
    ],
)
def test_what_is_no_layer_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_features_and_positions_are_checked():
    term = SelfAttention(2, 1)
    parameters = fast.initialparameters(KEY, term)
    exact = Tree({name: rational(np.asarray(parameters[name])) for name in parameters})
    with pytest.raises(ShapeError, match=r"SelfAttention: expected \[2\], got \[3\]"):
        fast.apply(term, jnp.ones((4, 3)), parameters, Tree(), Mode.EVAL, None)
    with pytest.raises(ValueError, match=r"\[\.\.\., positions, features\], got \[2\]"):
        fast.apply(term, jnp.ones(2), parameters, Tree(), Mode.EVAL, None)
    with pytest.raises(DomainError, match=r"\(positions, features\), got \[2\]"):
        spec.apply(term, rational([1, 2]), exact, Tree(), Mode.EVAL, None)
