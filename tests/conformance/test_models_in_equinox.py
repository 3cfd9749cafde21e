"""Models from terms compile to the programs by hand in Equinox; every instruction that differs from a library has a
reason."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
import pytest

from benchmarks.hlo import difference, normal_form
from benchmarks.models import (
    KEY,
    MODELS,
    RATE,
    CausalAttention,
    called,
    descent_by_hand,
    exact_gelu,
    forward,
    linear,
    mlp,
    residual_mlp,
    same_gelu,
    squared_loss,
    step_arguments,
    step_by_hand,
    step_of,
    text,
    transformer_block,
)
from lenticulum import fast
from lenticulum.terms import Adam, Dense, LayerNorm, LearningRate, SelfAttention, SquaredLoss, SupervisedStep

BATCH, WIDTH = 4, 8


def forward_text(term, shape):
    return text(forward, term, jnp.ones(shape), fast.initialparameters(KEY, term), static_argnums=0)


def module_text(module, shape):
    """The program of a module of one example, mapped over a batch."""
    arrays, static = eqx.partition(module, eqx.is_array)
    return text(lambda x, arrays: jax.vmap(eqx.combine(arrays, static))(x), jnp.ones(shape), arrays)


@pytest.mark.parametrize("make", MODELS)
def test_the_forward_program_is_the_one_by_hand(make):
    model = make(BATCH, WIDTH)
    module = model.by_hand(fast.initialparameters(KEY, model.term), same_gelu)
    by_hand = text(called, jnp.ones(model.shape), module)
    assert normal_form(forward_text(model.term, model.shape)) == normal_form(by_hand)


#: Each takes seconds to compile; an MLP with gradient descent is in test_hlo_equals_equinox too.
STEPS = [
    (mlp, "Adam"),
    (transformer_block, "gradient descent"),
    pytest.param(mlp, "gradient descent", marks=pytest.mark.long),
    pytest.param(residual_mlp, "gradient descent", marks=pytest.mark.long),
    pytest.param(residual_mlp, "Adam", marks=pytest.mark.long),
    pytest.param(transformer_block, "Adam", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("make", "update"), STEPS)
def test_the_training_step_is_the_one_by_hand(make, update):
    model = make(BATCH, WIDTH)
    step, arguments = step_by_hand(model, update, same_gelu)
    from_terms = text(fast.train_step, step_of(model, update), *step_arguments(model, update), static_argnums=0)
    assert normal_form(from_terms) == normal_form(text(step, *arguments))


def without_the_residual(module):
    return eqx.tree_at(lambda m: m.parts[1], module, module.parts[1].inner)


def with_other_heads(module):
    inner = module.parts[0].inner
    other = CausalAttention(inner.query, inner.key, inner.value, inner.output, heads=4)
    return eqx.tree_at(lambda m: m.parts[0].inner, module, other)


def with_the_blocks_exchanged(module):
    return eqx.tree_at(lambda m: m.parts, module, module.parts[::-1])


@pytest.mark.parametrize("planted", [without_the_residual, with_other_heads, with_the_blocks_exchanged])
def test_the_comparison_rejects_another_block(planted):
    model = transformer_block(BATCH, WIDTH)
    module = planted(model.by_hand(fast.initialparameters(KEY, model.term), same_gelu))
    by_hand = text(called, jnp.ones(model.shape), module)
    assert normal_form(forward_text(model.term, model.shape)) != normal_form(by_hand)


#: Instructions that the program from terms has more of, and fewer of, each with its reason.
INFINITE = "x and its derivative at -inf and inf, where x Phi(x) as jax.nn has it is -inf 0, which is NaN"
GELU = {
    "abs f32[4,16]": INFINITE,
    "compare pred[4,16]": INFINITE,
    "select f32[4,16]": INFINITE,
}


def test_the_gelu_of_jax_differs_at_the_infinities_alone():
    model = mlp(BATCH, WIDTH)
    module = model.by_hand(fast.initialparameters(KEY, model.term), exact_gelu)
    more, fewer = difference(forward_text(model.term, model.shape), text(called, jnp.ones(model.shape), module))
    assert (more, fewer) == (set(GELU), set())
    ends = jnp.array([-jnp.inf, jnp.inf])
    assert same_gelu(ends).tolist() == [0, jnp.inf]
    assert jnp.isnan(exact_gelu(ends))[0]


def test_the_mlp_of_equinox_is_the_same_program():
    model = mlp(BATCH, WIDTH)
    library = eqx.nn.MLP(WIDTH, WIDTH, 2 * WIDTH, 2, activation=same_gelu, key=KEY)
    assert normal_form(forward_text(model.term, model.shape)) == normal_form(module_text(library, model.shape))


def test_the_layer_norm_of_equinox_clips_the_variance():
    more, fewer = difference(
        forward_text(LayerNorm(WIDTH, 1e-5), (BATCH, WIDTH)),
        module_text(eqx.nn.LayerNorm(WIDTH), (BATCH, WIDTH)),
    )
    # The variance in two passes is a sum of squares: max(0, variance) is the variance.
    assert (more, fewer) == (set(), {"maximum f32[4]"})


TRANSPOSED = "a mapped Linear of Equinox is W xᵀ for each sequence; Dense is x Wᵀ"
SCALED = "Equinox scales the query, the term the scores, as the paper prints it"
ATTENTION = {
    "dot f32[24,8]": TRANSPOSED,
    "dot f32[4,2,4,6]": TRANSPOSED,
    "transpose f32[4,2,4,6]": TRANSPOSED,
    "multiply f32[4,2,6,6]": SCALED,
}
ATTENTION_OF_EQUINOX = {
    "dot f32[8,24]": TRANSPOSED,
    "dot f32[4,2,6,4]": TRANSPOSED,
    "transpose f32[4,2,6,4]": TRANSPOSED,
    "transpose f32[4,6,8]": TRANSPOSED,
    "transpose f32[8,4,6]": TRANSPOSED,
    "multiply f32[8,24]": SCALED,
}


class OneArray(eqx.Module):
    inner: eqx.nn.MultiheadAttention

    def __call__(self, x):
        return self.inner(x, x, x)


def test_the_attention_of_equinox_multiplies_from_the_other_side():
    library = OneArray(eqx.nn.MultiheadAttention(2, WIDTH, key=KEY))
    shape = (BATCH, 6, WIDTH)
    more, fewer = difference(forward_text(SelfAttention(WIDTH, 2), shape), module_text(library, shape))
    assert (more, fewer) == (set(ATTENTION), set(ATTENTION_OF_EQUINOX))


POWERS = "the products of the decays are state of the term; optax counts steps, up to a limit, and takes powers"
FACTORS = "the term divides the corrections into one factor each; optax divides every moment"
DESCENT = "optax adds an update that it multiplied by -rate; the term subtracts"
ADAM = {
    "divide f32[]": FACTORS,
    "multiply f32[2,3]": FACTORS,
    "multiply f32[2]": FACTORS,
    "multiply f32[]": POWERS,
    "subtract f32[2,3]": DESCENT,
    "subtract f32[2]": DESCENT,
}
ADAM_OF_OPTAX = {
    "add f32[2,3]": DESCENT,
    "add f32[2]": DESCENT,
    "add s32[]": POWERS,
    "compare pred[]": POWERS,
    "convert f32[]": POWERS,
    "power f32[]": POWERS,
    "select s32[]": POWERS,
    "subtract f32[]": POWERS,
    "divide f32[2,3]": FACTORS,
    "divide f32[2]": FACTORS,
}


def test_the_adam_of_optax_keeps_a_counter():
    data, label = jnp.ones((4, 3)), jnp.ones((4, 2))
    step = SupervisedStep(Dense(3, 2), SquaredLoss(), LearningRate(1), Adam(RATE, "0.9", "0.999", "1e-8"))
    parameters, state = fast.setup(KEY, step)
    optimizer = optax.adam(RATE)

    def by_hand(data, label, model, state):
        value, gradient = eqx.filter_value_and_grad(squared_loss)(model, data, label)
        update, state = optimizer.update(gradient, state, model)
        return value, optax.apply_updates(model, update), state

    module = linear(parameters)
    more, fewer = difference(
        text(fast.train_step, step, data, label, parameters, state, None, static_argnums=0),
        text(by_hand, data, label, module, optimizer.init(module)),
    )
    assert (more, fewer) == (set(ADAM), set(ADAM_OF_OPTAX))


def test_the_descent_of_optax_is_the_same_program():
    model = mlp(BATCH, WIDTH)
    _, (data, label, module) = step_by_hand(model, "gradient descent", same_gelu)
    optimizer = optax.sgd(RATE)

    def by_optax(data, label, model):
        value, gradient = eqx.filter_value_and_grad(squared_loss)(model, data, label)
        update, _ = optimizer.update(gradient, optimizer.init(model), model)
        return value, optax.apply_updates(model, update)

    by_hand = text(descent_by_hand, data, label, module)
    more, fewer = difference(by_hand, text(by_optax, data, label, module))
    assert {each.split()[0] for each in more} == {"subtract"}
    assert {each.split()[0] for each in fewer} == {"add"}
