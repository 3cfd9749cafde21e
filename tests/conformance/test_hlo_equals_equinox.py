"""A training step from terms compiles to the program written by hand in Equinox, with either place of the rate."""

import equinox as eqx
import jax
import jax.numpy as jnp
import pytest

from benchmarks.hlo import normal_form
from lenticulum import fast
from lenticulum.terms import Dense, GradientDescent, LearningRate, Relu, SquaredLoss, SupervisedStep, Tanh, chain

MODEL = chain(first=Dense(3, 5), tanh=Tanh(), second=Dense(5, 4), relu=Relu(), third=Dense(4, 2))
RATE = 0.1
STEPS = {
    "in the cap": SupervisedStep(MODEL, SquaredLoss(), LearningRate(RATE), GradientDescent()),
    "in the update": SupervisedStep(MODEL, SquaredLoss(), LearningRate(1), GradientDescent(RATE)),
}
DATA, LABEL = jnp.ones((7, 3)), jnp.ones((7, 2))
KEY = jax.random.key(0)


class Linear(eqx.Module):
    weight: jax.Array
    bias: jax.Array

    def __call__(self, x):
        y = x @ self.weight.T
        return y + jnp.broadcast_to(self.bias, y.shape)


class MultilayerPerceptron(eqx.Module):
    first: Linear
    second: Linear
    third: Linear

    def __call__(self, x):
        return self.third(jax.nn.relu(self.second(jnp.tanh(self.first(x)))))


def loss(model, data, label):
    return 0.5 * jnp.sum((model(data) - label) ** 2)


def step_with_rate_in_the_cap(data, label, model):
    def scaled(model):
        value = loss(model, data, label)
        return RATE * value, value

    (_, value), gradient = eqx.filter_value_and_grad(scaled, has_aux=True)(model)
    return value, jax.tree.map(lambda p, g: p - g, model, gradient)


def step_with_rate_in_the_update(data, label, model):
    value, gradient = eqx.filter_value_and_grad(loss)(model, data, label)
    return value, jax.tree.map(lambda p, g: p - RATE * g, model, gradient)


def step_with_one_more_multiplication(data, label, model):
    value, gradient = eqx.filter_value_and_grad(loss)(model, data, label)
    return value, jax.tree.map(lambda p, g: p - RATE * (g * p), model, gradient)


def step_with_the_update_written_as_a_mean(data, label, model):
    value, gradient = eqx.filter_value_and_grad(loss)(model, data, label)
    return value, jax.tree.map(lambda p, g: (1 - RATE) * p + RATE * (p - g), model, gradient)


def step_with_another_rate(data, label, model):
    value, gradient = eqx.filter_value_and_grad(loss)(model, data, label)
    return value, jax.tree.map(lambda p, g: p - 0.10000001 * g, model, gradient)


BY_HAND = {"in the cap": step_with_rate_in_the_cap, "in the update": step_with_rate_in_the_update}


PLANTED = [step_with_one_more_multiplication, step_with_the_update_written_as_a_mean, step_with_another_rate]


def hlo_from_terms(step):
    parameters, state = fast.setup(KEY, step)
    compiled = jax.jit(fast.train_step, static_argnums=0).lower(step, DATA, LABEL, parameters, state, KEY).compile()
    return compiled.as_text()


def hlo_by_hand(step):
    parameters = fast.initialparameters(KEY, MODEL)
    layers = [Linear(parameters[name].weight, parameters[name].bias) for name in ("first", "second", "third")]
    model = MultilayerPerceptron(*layers)
    return jax.jit(step).lower(DATA, LABEL, model).compile().as_text()


@pytest.mark.parametrize("place", STEPS)
def test_a_step_from_terms_compiles_to_the_program_written_by_hand(place):
    assert normal_form(hlo_from_terms(STEPS[place])) == normal_form(hlo_by_hand(BY_HAND[place]))


def test_the_two_places_of_the_rate_are_two_programs():
    in_the_cap, in_the_update = (normal_form(hlo_from_terms(step)) for step in STEPS.values())
    assert in_the_cap != in_the_update


@pytest.mark.parametrize("planted", PLANTED)
def test_the_comparison_rejects_another_program(planted):
    assert normal_form(hlo_from_terms(STEPS["in the update"])) != normal_form(hlo_by_hand(planted))


def test_the_comparison_rejects_leaves_in_another_order():
    def swapped(data, label, model):
        value, model = step_with_rate_in_the_update(data, label, model)
        return value, [(layer.bias, layer.weight) for layer in (model.first, model.second, model.third)]

    assert normal_form(hlo_from_terms(STEPS["in the update"])) != normal_form(hlo_by_hand(swapped))


def test_the_normal_form_forgets_names_only():
    text = normal_form(hlo_by_hand(step_with_rate_in_the_update))
    renamed = "HloModule other, " + text.replace("%", "%other.")
    assert normal_form(renamed) == text
    assert normal_form(renamed.replace("subtract", "add", 1)) != text
