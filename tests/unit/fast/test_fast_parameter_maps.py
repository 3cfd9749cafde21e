"""Parameter maps in JAX: published and hand-computed values, the user's own maps, and how they start."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast, spec
from lenticulum.numbers import ball, rational
from lenticulum.terms import (
    ComposedMap,
    Dense,
    Dropout,
    Hypernetwork,
    IdentityMap,
    LowRank,
    Mode,
    ParameterMap,
    PartwiseMap,
    Reparametrise,
    Symmetric,
    Tanh,
    Tree,
    WeightNorm,
    freeze,
    map_leaves,
    tie,
    value,
)

PLAIN = Dense(2, 1, use_bias=False)


def weight_cotangent(term, parameters, state, of_weight):
    """The cotangents of the parameters where the cotangent of the weight W of W x is `of_weight`: x is its row."""
    x, one = jnp.array([of_weight]), jnp.ones((1, 1))
    return fast.put(term, x, parameters, state, Mode.EVAL, None, one)[0].weight


def test_the_put_of_weight_norm_is_that_of_the_paper():
    # Salimans and Kingma 2016, equation 3, at v = (3, 4), g = 10 and the gradient (1, 0), by hand:
    # g' = (1, 0).v / |v| = 3/5, and v' = g / |v| (1, 0) - g g' v / |v|² = (2, 0) - (6/25)(3, 4).
    term = Reparametrise(PLAIN, WeightNorm(("weight",)))
    point = Tree(weight=Tree(gain=jnp.array([10.0]), direction=jnp.array([[3.0, 4.0]])))
    pulled = weight_cotangent(term, point, Tree(), [1.0, 0.0])
    # Four roundings each; the largest summand is 2.
    np.testing.assert_allclose(pulled.gain, [0.6], rtol=0, atol=4 * 2 * 2**-24)
    np.testing.assert_allclose(pulled.direction, [[32 / 25, -24 / 25]], rtol=0, atol=4 * 2 * 2**-24)


def test_the_put_of_low_rank_is_that_of_matrix_calculus():
    # A' = scale W' Bᵀ and B' = scale Aᵀ W', W' itself for the base; small integers, so exact.
    term = Reparametrise(PLAIN, LowRank(("weight",), 1, scale=2, base="parameter"))
    point = Tree(weight=Tree(base=jnp.array([[1.0, 1.0]]), left=jnp.array([[3.0]]), right=jnp.array([[5.0, 7.0]])))
    pulled = weight_cotangent(term, point, Tree(), [1.0, -2.0])
    assert pulled.base.tolist() == [[1.0, -2.0]]
    assert pulled.left.tolist() == [[2.0 * (5 - 14)]]
    assert pulled.right.tolist() == [[6.0, -12.0]]


def test_the_put_of_the_symmetric_part_is_the_symmetric_part():
    term = Reparametrise(Dense(2, 2, use_bias=False), Symmetric(("weight",)))
    x, cotangent = jnp.array([[1.0, 0.0]]), jnp.array([[4.0, 2.0]])
    # W' = c xᵀ = [[4, 0], [2, 0]].
    pulled, _ = fast.put(term, x, Tree(weight=jnp.eye(2)), Tree(), Mode.EVAL, None, cotangent)
    assert pulled.weight.tolist() == [[4.0, 1.0], [1.0, 0.0]]


MODEL = Dense(2, 3) >> Tanh() >> Dense(3, 3)
MAPS = {
    "low rank": LowRank(("layer_1.weight", "layer_3.weight"), 2, "3/2"),
    "low rank, learned base": LowRank(("layer_1.weight",), 1, "1/2", "parameter"),
    "weight norm": WeightNorm(("layer_1.weight", "layer_3.weight")),
    "identity": IdentityMap(),
    "two maps": ComposedMap((WeightNorm(("layer_1.weight.right",)), LowRank(("layer_1.weight",), 2))),
    "side by side": PartwiseMap(("layer_1", "layer_3"), (WeightNorm(("weight",)), LowRank(("weight",), 1))),
}


@pytest.mark.parametrize("name", MAPS)
def test_a_map_with_a_start_at_the_drawn_matrix_starts_as_the_term_does(name):
    term, key, x = Reparametrise(MODEL, MAPS[name]), jax.random.key(3), jnp.array([[0.5, -2.0]])
    start, state = fast.initialparameters(key, term), fast.initialstates(key, term)
    assert map_leaves(lambda leaf: leaf.shape, start) == term.parameter_shapes()
    assert map_leaves(lambda leaf: leaf.shape, state) == term.state_shapes()
    y, after = fast.apply(term, x, start, state, Mode.TRAIN, None)
    expected, _ = fast.apply(MODEL, x, fast.initialparameters(key, MODEL), MODEL.state_shapes(), Mode.TRAIN, None)
    assert jax.tree.map(lambda leaf: leaf.tolist(), after) == jax.tree.map(lambda leaf: leaf.tolist(), state)
    # Exactly where the map adds 0; a weight norm divides by the length it multiplied with: three roundings for each
    # weight, and sums of at most three products.
    tolerance = 0 if "norm" not in name and "side" not in name else 32 * 2**-24
    np.testing.assert_allclose(y, expected, rtol=tolerance, atol=tolerance)


def test_a_generator_starts_from_the_keys_of_its_paths():
    term = Reparametrise(MODEL, Hypernetwork("layer_1.bias", Dense(4, 3), 4))
    start = fast.initialparameters(jax.random.key(0), term).layer_1.bias
    assert (start.embedding.shape, start.generator.weight.shape) == ((4,), (3, 4))
    assert len(set(start.embedding.tolist())) == 4


def test_a_generator_that_draws_is_refused_where_it_is_applied():
    term = Reparametrise(Dense(2, 3), Hypernetwork("bias", Dense(4, 3) >> Dropout(), 4))
    parameters, state = fast.setup(jax.random.key(0), term)
    with pytest.raises(TypeError, match="key"):
        fast.apply(term, jnp.ones((1, 2)), parameters, state, Mode.TRAIN, jax.random.key(1))


def test_a_frozen_base_has_no_cotangent_and_stays():
    term = Reparametrise(PLAIN, LowRank(("weight",), 1))
    parameters, state = fast.setup(jax.random.key(0), term)
    pulled, _ = fast.put(term, jnp.ones((1, 2)), parameters, state, Mode.TRAIN, None, jnp.ones((1, 1)))
    assert pulled.weight.names() == ("left", "right")
    gradient = jax.grad(lambda state: fast.apply(term, jnp.ones((1, 2)), parameters, state, Mode.EVAL, None)[0].sum())
    assert not gradient(state).frozen.weight.any()


@value
class Doubled(ParameterMap):
    def parameter_shapes(self, shapes):
        return shapes


@value
class Nameless(ParameterMap):
    def parameter_shapes(self, shapes):
        return shapes


@value
class MoreThanLowRank(LowRank):
    pass


@spec.parameter_map(Doubled)
@fast.parameter_map(Doubled)
def doubled(parameters):
    return map_leaves(lambda leaf: leaf + leaf, parameters)


@fast.initial_map(Doubled)
def halved(by, key, drawn):
    return map_leaves(lambda leaf: leaf / 2, drawn), Tree()


def test_a_map_of_ones_own_has_meanings_puts_and_a_start():
    term, x = Reparametrise(PLAIN, Doubled()), [[1, 2]]
    parameters, cotangent = [[3, 5]], [[1]]
    y, _ = spec.apply(term, rational(x), Tree(weight=rational(parameters)), Tree(), Mode.EVAL, None)
    fast_y, _ = fast.apply(
        term, jnp.array(x, float), Tree(weight=jnp.array(parameters, float)), Tree(), Mode.EVAL, None
    )
    assert (y, fast_y.tolist()) == (rational([[26]]), [[26.0]])
    at = Tree(weight=rational(parameters)), Tree(), Mode.EVAL, None, rational(cotangent)
    assert spec.put(term, rational(x), *at)[0].weight == rational([[2, 4]])
    key = jax.random.key(0)
    assert (2 * fast.initialparameters(key, term).weight == fast.initialparameters(key, PLAIN).weight).all()


@pytest.mark.parametrize(
    ("by", "exact", "quick"),
    [
        (
            Nameless(),
            "no exact meaning for the parameter map Nameless: register",
            "Nameless has no fast parameter map;",
        ),
        (
            MoreThanLowRank(("weight",), 1, base="parameter"),
            "for the parameter map MoreThanLowRank; it is a subclass of LowRank, whose meaning it does not inherit",
            "MoreThanLowRank has no fast parameter map; it does not inherit that of LowRank",
        ),
    ],
)
def test_a_map_without_a_row_of_its_own_is_an_error_that_names_both(by, exact, quick):
    term = Reparametrise(PLAIN, by)
    zeros = map_leaves(jnp.zeros, term.parameter_shapes())
    with pytest.raises(TypeError, match=exact):
        spec.apply(
            term,
            rational([[1, 2]]),
            map_leaves(lambda leaf: rational(np.asarray(leaf)), zeros),
            Tree(),
            Mode.EVAL,
            None,
        )
    with pytest.raises(TypeError, match=quick):
        fast.apply(term, jnp.ones((1, 2)), zeros, Tree(), Mode.EVAL, None)
    with pytest.raises(TypeError, match="has no fast start of a parameter map"):
        fast.initialparameters(jax.random.key(0), term)


def test_a_meaning_that_asks_for_what_the_map_has_not_is_refused():
    with pytest.raises(TypeError, match="asks for rank, which Nameless does not have"):
        spec.parameter_map(Nameless)(lambda parameters, *, rank: parameters)
    with pytest.raises(TypeError, match="the meaning of Nameless takes 'rank'; its fields are none"):
        fast.parameter_map(Nameless)(lambda parameters, *, rank: parameters)


def test_the_exact_weight_norm_has_rows_of_the_given_length():
    # |gain| = 5/2 in each row, whatever the direction; the enclosure is of width 2^-90 or so.
    made = spec.parameter_maps.weight_norm(ball(["5/2", "-5/2"]), ball([[1, 2], ["1/3", -7]]))
    squares = (made * made).sum(axis=-1)
    assert all(abs(float(each) - 6.25) < 2**-40 for each in squares.midpoint().tolist())
    assert (made[1, 0].midpoint() < 0).all()


def test_a_whole_layer_is_tied_and_frozen_alike_in_both_interpreters():
    twins = Dense(2, 2) >> Dense(2, 2)
    for term in (tie(twins, ("layer_1", "layer_2")), freeze(twins, "layer_1")):
        parameters, state = fast.setup(jax.random.key(1), term)
        y, _ = fast.apply(term, jnp.ones((1, 2)), parameters, state, Mode.EVAL, None)
        exact = [map_leaves(lambda leaf: rational(np.asarray(leaf)), tree) for tree in (parameters, state)]
        expected, _ = spec.apply(term, rational([[1, 1]]), *exact, Mode.EVAL, None)
        # Two layers of two products each: six roundings, all terms below 4.
        np.testing.assert_allclose(y, np.array(expected.tolist(), float), rtol=0, atol=6 * 4 * 2**-24)
