"""Functions whose derivatives JAX computes rightly, with the inputs that a seed draws: no checker may reject one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Right:
    """A function, and its arguments as a function of a generator."""

    function: Callable[..., Any]
    draw: Callable[[np.random.Generator], tuple[Any, ...]]


def normal(*shapes: tuple[int, ...], mean: float = 0.0) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    """Return arrays of normal numbers."""
    return lambda rng: tuple((mean + rng.normal(size=shape)).astype(np.float32) for shape in shapes)


def positive(*shapes: tuple[int, ...]) -> Callable[[np.random.Generator], tuple[Any, ...]]:
    """Return arrays of positive numbers."""
    return lambda rng: tuple(rng.gamma(2.0, size=shape).astype(np.float32) + np.float32(0.1) for shape in shapes)


def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
    deviation = x - x.mean(-1, keepdims=True)
    return weight[None] * deviation * jax.lax.rsqrt((deviation**2).mean(-1, keepdims=True) + 1e-5) + bias[None]


def rms_norm(x: Any, weight: Any) -> Any:
    return weight[None] * x / jnp.sqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)


def attention(query: Any, key: Any, value: Any) -> Any:
    scores = query @ key.T / np.sqrt(query.shape[-1]).astype(np.float32)
    return jax.nn.softmax(jnp.where(jnp.tril(jnp.ones(scores.shape, bool)), scores, -jnp.inf)) @ value


def recurrent(weight: Any, xs: Any) -> Any:
    def step(h: Any, x: Any) -> tuple[Any, Any]:
        h = jnp.tanh(weight @ h + x)
        return h, h.sum()

    return jax.lax.scan(step, jnp.zeros(weight.shape[0]), xs)


def convolution(x: Any, kernel: Any) -> Any:
    return jax.lax.conv_general_dilated(x[None, None], kernel[None, None], (2, 1), [(1, 0), (0, 1)])


def newton_root(x: Any) -> Any:
    return jax.lax.fori_loop(0, 4, lambda _, y: (y + x / y) / 2, 1.0 + x)


def branches(x: Any) -> Any:
    return jax.lax.cond(x.sum() > 0, jnp.sin, lambda x: x**3, x)


def cosine_similarity(x: Any, y: Any) -> Any:
    return jnp.vdot(x, y) / (jnp.linalg.norm(x) * jnp.linalg.norm(y))


def huber(x: Any) -> Any:
    size = jnp.abs(x)
    return jnp.where(size < 1, x * x / 2, size - 0.5).sum()


@jax.custom_jvp
def logistic(x: Any) -> Any:
    return 1 / (1 + jnp.exp(-x))


logistic.defjvp(lambda p, t: (logistic(*p), logistic(p[0]) * (1 - logistic(p[0])) * t[0]))


@jax.custom_vjp
def scaled_product(x: Any, y: Any) -> Any:
    return x * y


scaled_product.defvjp(lambda x, y: (x * y, (x, y)), lambda kept, g: (g * kept[1], g * kept[0]))


def cross_entropy(logits: Any) -> Any:
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), jnp.array([[0], [3], [1]]), 1).mean()


RIGHT = {
    "tanh(x²)": Right(lambda x: jnp.tanh(x**2), normal((6,))),
    "softmax": Right(jax.nn.softmax, normal((6,))),
    "log(x²) near 100": Right(lambda x: jnp.log(x**2), normal((6,), mean=100.0)),
    "exp(-x²)": Right(lambda x: jnp.exp(-x * x), normal((6,))),
    "x sin x": Right(lambda x: x * jnp.sin(x), normal((6,))),
    "logsumexp": Right(jax.nn.logsumexp, normal((6,))),
    "log_softmax": Right(jax.nn.log_softmax, normal((3, 4))),
    "sigmoid": Right(jax.nn.sigmoid, normal((6,))),
    "softplus": Right(jax.nn.softplus, normal((6,))),
    "gelu, tanh": Right(jax.nn.gelu, normal((6,))),
    "gelu, erf": Right(lambda x: jax.nn.gelu(x, approximate=False), normal((6,))),
    "silu": Right(jax.nn.silu, normal((6,))),
    "mish": Right(jax.nn.mish, normal((6,))),
    "layer norm": Right(layer_norm, normal((3, 4), (4,), (4,))),
    "layer norm at mean 100": Right(layer_norm, normal((3, 4), (4,), (4,), mean=100.0)),
    "RMS norm": Right(rms_norm, normal((3, 4), (4,))),
    "x / (1 + x²)": Right(lambda x: x / (1 + x * x), normal((6,))),
    "sqrt(1 + x²)": Right(lambda x: jnp.sqrt(1 + x * x), normal((6,))),
    "log1p(x²)": Right(lambda x: jnp.log1p(x * x), normal((6,))),
    "expm1": Right(jnp.expm1, normal((6,))),
    "cumulative sum of exp": Right(lambda x: jnp.cumsum(jnp.exp(x)), normal((6,))),
    "product": Right(jnp.prod, normal((5,))),
    "tanh of a matrix product": Right(lambda a, b: jnp.tanh(a @ b), normal((3, 4), (4, 2))),
    "causal attention": Right(attention, normal((3, 4), (3, 4), (3, 2))),
    "variance": Right(jnp.var, normal((6,))),
    "norm": Right(jnp.linalg.norm, normal((6,))),
    "maximum": Right(jnp.max, normal((6,))),
    "weighted sort": Right(lambda x: jnp.sort(x) * jnp.arange(1.0, 7.0), normal((6,))),
    "recurrent network": Right(recurrent, normal((3, 3), (4, 3))),
    "convolution": Right(convolution, normal((5, 6), (2, 3))),
    "max pooling": Right(
        lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (2, 2), (2, 2), "VALID"), normal((4, 4))
    ),
    "cross entropy": Right(cross_entropy, normal((3, 4))),
    "erf": Right(jax.lax.erf, normal((6,))),
    "atan2": Right(jnp.arctan2, normal((6,), (6,))),
    "hypot": Right(jnp.hypot, normal((6,), (6,))),
    "x to the power y": Right(jnp.power, positive((6,), (6,))),
    "leaky relu": Right(jax.nn.leaky_relu, normal((6,))),
    "clip": Right(lambda x: jnp.clip(x, -0.5, 0.5) * x, normal((6,))),
    "gather": Right(lambda x: x[jnp.array([2, 0, 2, 5])] ** 2, normal((6,))),
    "scatter-add": Right(lambda x, y: jnp.asarray(x).at[jnp.array([1, 1, 4])].add(y) ** 2, normal((6,), (3,))),
    "square root by Newton's method": Right(newton_root, positive((4,))),
    "branches": Right(branches, normal((6,))),
    "quadratic form under vmap": Right(lambda a, x: jax.vmap(lambda v: v @ a @ v)(x), normal((3, 3), (4, 3))),
    "einsum": Right(lambda a, b: jnp.einsum("ij,jk,ki->i", a, b, a.T @ b.T), normal((3, 3), (3, 3))),
    "lgamma": Right(jax.lax.lgamma, positive((6,))),
    "sinh - x cosh x": Right(lambda x: jnp.sinh(x) - x * jnp.cosh(x), normal((6,))),
    "cosine similarity": Right(cosine_similarity, normal((5,), (5,))),
    "Huber": Right(huber, normal((6,))),
    "checkpoint": Right(jax.checkpoint(lambda x: jnp.sin(jnp.cos(x))), normal((6,))),
    "own logistic rule": Right(logistic, normal((6,))),
    "mean of x³": Right(lambda x: jnp.mean(x**3), normal((6,))),
}
