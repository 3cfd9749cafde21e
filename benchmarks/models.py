"""Three models from terms, and the same written by hand in Equinox: an MLP, a residual MLP, a transformer block."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from lenticulum import fast
from lenticulum.fast.elementwise.activations import gelu
from lenticulum.terms import (
    Adam,
    Add,
    Dense,
    Gelu,
    GradientDescent,
    LayerNorm,
    LearningRate,
    Mode,
    SelfAttention,
    Skip,
    SquaredLoss,
    SupervisedStep,
    Term,
    Tree,
    Update,
    chain,
)

#: The activation that a model by hand calls.
Activation = Callable[[jax.Array], jax.Array]

EPSILON = 1e-5
KEY = jax.random.key(0)


def same_gelu(x: jax.Array) -> jax.Array:
    """Return x Phi(x) by the function that the term means."""
    return gelu(Tree(), x, approximate="none")


def exact_gelu(x: jax.Array) -> jax.Array:
    """Return x Phi(x), as jax.nn has it."""
    return jax.nn.gelu(x, approximate=False)


class Linear(eqx.Module):
    """y = x Wᵀ + b over the last axis of a batch."""

    weight: jax.Array
    bias: jax.Array

    def __call__(self, x: jax.Array) -> jax.Array:
        y = x @ self.weight.T
        return y + jnp.broadcast_to(self.bias, y.shape)


class Norm(eqx.Module):
    """y = weight (x - mean) / sqrt(var + epsilon) + bias over the last axis."""

    weight: jax.Array
    bias: jax.Array

    def __call__(self, x: jax.Array) -> jax.Array:
        centred = x - jnp.mean(x, axis=-1, keepdims=True)
        variance = jnp.mean(jnp.square(centred), axis=-1, keepdims=True)
        y = centred / jnp.broadcast_to(jnp.sqrt(variance + EPSILON), x.shape)
        return y * jnp.broadcast_to(self.weight, y.shape) + jnp.broadcast_to(self.bias, y.shape)


class CausalAttention(eqx.Module):
    """Multi-head self-attention in which position i sees j iff j <= i, without biases."""

    query: jax.Array
    key: jax.Array
    value: jax.Array
    output: jax.Array
    heads: int = eqx.field(static=True)

    def __call__(self, x: jax.Array) -> jax.Array:
        q, k, v = (self._heads_of(x @ weight.T) for weight in (self.query, self.key, self.value))
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * (1 / math.sqrt(q.shape[-1]))
        seen = jnp.broadcast_to(jnp.tri(x.shape[1], dtype=bool), scores.shape)
        weights = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf), axis=-1)
        return jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape) @ self.output.T

    def _heads_of(self, x: jax.Array) -> jax.Array:
        return x.reshape(*x.shape[:-1], self.heads, -1)


class Perceptron(eqx.Module):
    """Linear maps with an activation between them."""

    layers: list[Linear]
    activation: Activation = eqx.field(static=True)

    def __call__(self, x: jax.Array) -> jax.Array:
        for layer in self.layers[:-1]:
            x = self.activation(layer(x))
        return self.layers[-1](x)


class Residual(eqx.Module):
    """y = f(norm(x)) + x."""

    norm: Norm
    inner: eqx.Module

    def __call__(self, x: jax.Array) -> jax.Array:
        return self.inner(self.norm(x)) + x  # type: ignore[operator]


class Sequence(eqx.Module):
    """One module after the other."""

    parts: list[eqx.Module]

    def __call__(self, x: jax.Array) -> jax.Array:
        for part in self.parts:
            x = part(x)  # type: ignore[operator]
        return x


@dataclass(frozen=True)
class Model:
    """A model in both forms. `by_hand`: from the parameters of the term and an activation. `shape`: of a batch."""

    name: str
    term: Term
    by_hand: Callable[[Tree, Activation], eqx.Module]
    shape: tuple[int, ...]


def mlp(batch: int, width: int) -> Model:
    """Three affine maps with gelu between them."""
    term = chain(
        first=Dense(width, 2 * width), gelu=Gelu(), second=Dense(2 * width, 2 * width), gelu_2=Gelu(),
        third=Dense(2 * width, width),
    )  # fmt: skip

    def by_hand(p: Tree, activation: Activation) -> eqx.Module:
        return Perceptron([linear(p[name]) for name in ("first", "second", "third")], activation)

    return Model("MLP", term, by_hand, (batch, width))


def residual_mlp(batch: int, width: int) -> Model:
    """Two blocks x + mlp(norm(x)), and an affine map."""
    term = chain(block_1=residual(mlp_inside(width)), block_2=residual(mlp_inside(width)), head=Dense(width, width))

    def by_hand(p: Tree, activation: Activation) -> eqx.Module:
        blocks = [mlp_block(p[name], activation) for name in ("block_1", "block_2")]
        return Sequence([*blocks, linear(p.head)])

    return Model("residual MLP", term, by_hand, (batch, width))


def transformer_block(batch: int, width: int, positions: int = 6, heads: int = 2) -> Model:
    """x + attention(norm(x)), then x + mlp(norm(x)), with a causal mask."""
    attention = SelfAttention(width, heads, mask="causal")
    term = chain(attention=residual(attention), mlp=residual(mlp_inside(width)))

    def by_hand(p: Tree, activation: Activation) -> eqx.Module:
        inner = CausalAttention(*p.attention.inner.leaves(), heads=heads)
        return Sequence([Residual(norm(p.attention.norm), inner), mlp_block(p.mlp, activation)])

    return Model("transformer block", term, by_hand, (batch, positions, width))


def residual(inner: Term) -> Skip:
    """f(norm(x)) + x."""
    width = inner.features if isinstance(inner, SelfAttention) else inner.parts[0].inputs  # type: ignore[attr-defined]
    return Skip(chain(norm=LayerNorm(width, EPSILON), inner=inner), Add())


def mlp_inside(width: int) -> Term:
    """Two affine maps with gelu between them, four times as wide inside."""
    return chain(first=Dense(width, 4 * width), gelu=Gelu(), second=Dense(4 * width, width))


def mlp_block(p: Tree, activation: Activation) -> Residual:
    """The block by hand."""
    return Residual(norm(p.norm), Perceptron([linear(p.inner.first), linear(p.inner.second)], activation))


def linear(p: Tree) -> Linear:
    """The affine map by hand."""
    return Linear(p.weight, p.bias)


def norm(p: Tree) -> Norm:
    """The normalisation by hand."""
    return Norm(p.weight, p.bias)


MODELS: tuple[Callable[..., Model], ...] = (mlp, residual_mlp, transformer_block)


#: The constants of the steps by hand.
RATE, FIRST_DECAY, SECOND_DECAY, DIVISOR = 0.1, np.float32(0.9), np.float32(0.999), 1e-8

UPDATES: dict[str, Update] = {
    "gradient descent": GradientDescent(RATE),
    "Adam": Adam(RATE, "0.9", "0.999", "1e-8"),
}


def squared_loss(model: Any, data: jax.Array, label: jax.Array) -> jax.Array:
    """Return half the sum of the squares of the residuals."""
    return 0.5 * jnp.sum((model(data) - label) ** 2)


def descent_by_hand(data: jax.Array, label: jax.Array, model: Any) -> Any:
    """Return the loss and the model after p <- p - rate g."""
    value, gradient = eqx.filter_value_and_grad(squared_loss)(model, data, label)
    return value, jax.tree.map(lambda p, g: p - RATE * g, model, gradient)


class Moments(NamedTuple):
    """The state of Adam by hand: both moments, and the running products of the decays."""

    first: Any
    second: Any
    first_power: jax.Array
    second_power: jax.Array


def adam_by_hand(data: jax.Array, label: jax.Array, model: Any, state: Moments) -> Any:
    """Return the loss, the model and the state after a step of Adam, with the corrections as factors."""
    value, gradient = eqx.filter_value_and_grad(squared_loss)(model, data, label)
    c1, c2 = state.first_power * FIRST_DECAY, state.second_power * SECOND_DECAY
    first = jax.tree.map(lambda m, g: FIRST_DECAY * m + (1 - FIRST_DECAY) * g, state.first, gradient)
    second = jax.tree.map(lambda v, g: SECOND_DECAY * v + (1 - SECOND_DECAY) * (g * g), state.second, gradient)

    def moved(p: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
        return p - (RATE / (jnp.sqrt(v * (1 / (1 - c2))) + DIVISOR)) * (m * (1 / (1 - c1)))

    return value, jax.tree.map(moved, model, first, second), Moments(first, second, c1, c2)


def start_of_adam(model: Any) -> Moments:
    """Return zero moments and products 1."""
    zeros = jax.tree.map(jnp.zeros_like, model)
    return Moments(zeros, zeros, jnp.ones(()), jnp.ones(()))


def forward(term: Term, data: jax.Array, parameters: Tree) -> Any:
    """Return what a term without state makes of a batch."""
    return fast.apply(term, data, parameters, term.state_shapes(), Mode.EVAL, None)[0]


def step_of(model: Model, update: str) -> SupervisedStep:
    """Return the training step of a model."""
    return SupervisedStep(model.term, SquaredLoss(), LearningRate(1), UPDATES[update])


def step_arguments(model: Model, update: str) -> tuple[Any, ...]:
    """Return what `fast.train_step` takes after the description: data, label, parameters, state, and no key."""
    parameters, state = fast.setup(KEY, step_of(model, update))
    return (*batch_of(model), parameters, state, None)


def step_by_hand(model: Model, update: str, activation: Activation) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Return the step by hand, and its arguments."""
    parameters, _ = fast.setup(KEY, step_of(model, update))
    module = model.by_hand(parameters, activation)
    if update == "Adam":
        return adam_by_hand, (*batch_of(model), module, start_of_adam(module))
    return descent_by_hand, (*batch_of(model), module)


def batch_of(model: Model) -> tuple[jax.Array, jax.Array]:
    """Return data and labels."""
    data, label = jax.random.normal(KEY, (2, *model.shape))
    return data, label


def called(data: jax.Array, module: Any) -> Any:
    """Return what a module makes of a batch."""
    return module(data)


def text(function: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """Return the text of the compiled program."""
    return jax.jit(function, **options).lower(*arguments).compile().as_text()
