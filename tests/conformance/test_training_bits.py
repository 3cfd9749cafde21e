"""TorchLean's training run (arXiv:2602.22631), bit for bit: our seeded builder and fast Adam, both passes written here.

Everything runs op by op: in a compiled function XLA may contract a product and a sum into one operation,
which is another program.
"""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lenticulum import fast, spec
from lenticulum.terms import Adam, Dense, Dropout, GradientDescent, Mode, Relu, Tree, chain

VECTORS = {
    entry["id"]: entry
    for entry in json.loads((Path(__file__).parent / "data" / "torchlean.json").read_text(encoding="utf-8"))["vectors"]
}
MODEL = chain(hidden=Dense(2, 8), activation=Relu(), output=Dense(8, 1))
SEED = 2026
ADAM, SGD = Adam(rate="0.03"), GradientDescent(rate="0.03")
HELD_OUT = (np.float32(0.25), np.float32(-0.75))
ZERO, TWO = np.float32(0), np.float32(2)


def dataset() -> list[tuple[tuple[np.float32, np.float32], np.float32]]:
    """The 25 points, first coordinate slowest; the target is evaluated in binary64 and rounded once."""
    grid = [-1.0, -0.5, 0.0, 0.5, 1.0]
    points = [(a, b) for a in grid for b in grid]
    targets = [0.8 * max(a + b, 0.0) - 0.4 * max(b - a, 0.0) + 0.2 for a, b in points]
    return [((np.float32(a), np.float32(b)), np.float32(y)) for (a, b), y in zip(points, targets, strict=True)]


def forward(p: Tree, x: tuple[np.float32, np.float32]) -> tuple[list, list, np.float32]:
    """z, h and the prediction, by left folds from 0 in binary32."""
    z, h = [], []
    for weight, bias in zip(p.hidden.weight, p.hidden.bias, strict=True):
        z.append((ZERO + weight[0] * x[0] + weight[1] * x[1]) + bias)
        h.append(z[-1] if z[-1] > 0 else ZERO)
    total = ZERO
    for weight, activation in zip(p.output.weight[0], h, strict=True):
        total = total + weight * activation
    return z, h, total + p.output.bias[0]


def backward(p: Tree, x: tuple[np.float32, np.float32], z: list, h: list, g: np.float32) -> Tree:
    """The gradient for the cotangent g of the prediction, in binary32."""
    gz = [weight * g if each > 0 else ZERO for weight, each in zip(p.output.weight[0], z, strict=True)]
    return Tree(
        hidden=Tree(weight=np.array([[each * x[0], each * x[1]] for each in gz]), bias=np.array(gz)),
        activation=Tree(),
        output=Tree(weight=np.array([[g * each for each in h]]), bias=np.array([g])),
    )


def sample_loss(p: Tree, x: tuple[np.float32, np.float32], y: np.float32) -> np.float32:
    difference = forward(p, x)[2] - y
    return difference * difference


def mean_loss(p: Tree) -> float:
    return float(np.mean([np.float64(sample_loss(p, x, y)) for x, y in dataset()]))


def train(update, updates: int) -> tuple[Tree, list[np.float32]]:
    """The parameters after some updates, as NumPy arrays, and the loss of the current sample before each."""
    data, losses = dataset(), []
    parameters = jax.tree.map(jnp.asarray, spec.build(SEED, MODEL).parameters)
    state = fast.initial_update_state(update, parameters)
    for t in range(updates):
        x, y = data[t % len(data)]
        p = jax.tree.map(np.asarray, parameters)
        z, h, prediction = forward(p, x)
        difference = prediction - y
        losses.append(difference * difference)
        cotangent = jax.tree.map(lambda leaf: jnp.asarray(-leaf), backward(p, x, z, h, TWO * difference))
        state, parameters = fast.update_next(update, state, parameters, cotangent)
    return jax.tree.map(np.asarray, parameters), losses


@pytest.fixture(scope="module")
def trained() -> tuple[Tree, list[np.float32]]:
    return train(ADAM, 200)


def bits(parameters: Tree) -> list[list[str]]:
    return [[f"{word:08x}" for word in leaf.ravel().view(np.uint32)] for leaf in parameters.leaves()]


def assert_prints(value: float, printed: float, digits: int = 6) -> None:
    # The rule of the vector file: half a unit of the last printed digit, widened by 4 percent of that unit.
    assert abs(float(value) - printed) <= (0.5 + 0.04) * 10.0**-digits


def expected(name: str):
    return VECTORS[name]["expected"]


@pytest.mark.parametrize("updates", [1, 5])
def test_parameter_bits_after_a_few_updates(updates):
    assert bits(train(ADAM, updates)[0]) == expected(f"tl.train.bits.{updates}")


def test_parameter_bits_after_200_updates(trained):
    assert bits(trained[0]) == expected("tl.train.bits.200")


def test_bits_see_another_order_of_operations():
    # The planted difference: 1 - 0.999 subtracted in binary64 and rounded once, as in code that subtracts floats.
    p, g = Tree(p=jnp.float32([1.0, 0.5])), Tree(p=jnp.float32([0.3, -0.7]))
    state, _ = fast.update_next(ADAM, fast.initial_update_state(ADAM, p), p, jax.tree.map(lambda leaf: -leaf, g))
    other = np.float32(1 - 0.999) * (np.asarray(g.p) * np.asarray(g.p))
    stated = (np.float32(1) - np.float32(0.999)) * (np.asarray(g.p) * np.asarray(g.p))
    assert np.asarray(state.second_moment.p).tobytes() == stated.tobytes() != other.tobytes()


def test_losses_of_200_updates_as_printed(trained):
    parameters, losses = trained
    printed = expected("tl.train.200")
    assert_prints(mean_loss(spec.build(SEED, MODEL).parameters), printed["before"])
    for loss, print_of_it in zip(losses[::25], printed["losses"], strict=True):
        assert_prints(loss, print_of_it)
    assert_prints(mean_loss(parameters), printed["after"])
    assert_prints(forward(parameters, HELD_OUT)[2], printed["held_out"])


def test_held_out_prediction_before_training_as_printed():
    assert_prints(forward(spec.build(SEED, MODEL).parameters, HELD_OUT)[2], expected("tl.train.0"))


def test_two_updates_as_printed():
    parameters, _ = train(ADAM, 2)
    loss, held_out = expected("tl.train.2")
    assert_prints(mean_loss(parameters), loss)
    assert_prints(forward(parameters, HELD_OUT)[2], held_out)


def test_fifty_updates_as_printed():
    assert_prints(mean_loss(train(ADAM, 50)[0]), expected("tl.train.50"))


@pytest.mark.parametrize(("name", "update"), [("adam", ADAM), ("sgd", SGD)])
def test_hundred_updates_as_printed(name, update):
    assert_prints(mean_loss(train(update, 100)[0]), expected("tl.train.opt.100")[name])


def test_input_gradient_of_put_as_printed():
    parameters = jax.tree.map(jnp.asarray, spec.build(SEED, MODEL).parameters)
    _, slope = fast.put(
        MODEL, jnp.array(HELD_OUT), parameters, MODEL.state_shapes(), Mode.EVAL, None, jnp.ones(1, jnp.float32)
    )
    for component, printed in zip(slope, expected("tl.train.input_gradient"), strict=True):
        assert_prints(component, printed)


@pytest.mark.parametrize(("mode", "position"), [(Mode.EVAL, 0), (Mode.TRAIN, 1)])
def test_dropout_of_rate_zero_keeps_the_loss_in_both_modes(mode, position):
    model = chain(hidden=Dense(2, 8), activation=Relu(), dropout=Dropout(0, draws="seed_stream"), output=Dense(8, 1))
    built = jax.tree.map(jnp.asarray, spec.build(SEED, model).parameters)
    states = jax.tree.map(jnp.asarray, spec.build(SEED, model).states)
    losses = []
    for x, y in dataset():
        prediction, _ = fast.apply(model, jnp.array(x), built, states, mode, None)
        losses.append(float(prediction[0] - y) ** 2)
    assert_prints(np.mean(losses), expected("tl.dropout.loss.p0")[position])
