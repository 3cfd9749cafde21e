"""A Gauss-Newton fit by conjugate gradients, twice: with the local model as a pytree, and with closures over it.

min over p of ½ ‖w tanh(A p) - y‖². At each outer step the model m(s) = c + gᵀs + ½ sᵀJᵀJs is built anew, its minimiser
is found by conjugate gradients, with a forcing term min(½, √(‖g‖ / ‖g₀‖)) and a cap, both of which change at each step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from lenticulum.fast.pytree import register_node
from lenticulum.terms.value import Value, value

#: How often Python code of a program was traced, by its name.
TRACES: dict[str, int] = {"conjugate_gradients": 0, "linearised": 0}


@value
class Residual(Value):
    """The kind of residual: a weight of tanh, as a description that is compared by value."""

    weight: float = 1.0


def residual(kind: Residual, matrix: Array, data: Array, point: Array) -> Array:
    """w tanh(A p) - y."""
    return kind.weight * jnp.tanh(matrix @ point) - data


class LocalModel:
    """The Gauss-Newton model at a point: arrays are leaves, the kind of residual is the auxiliary value."""

    __slots__ = ("data", "kind", "matrix", "point")

    def __init__(self, matrix: Array, data: Array, point: Array, kind: Residual) -> None:
        self.matrix, self.data, self.point, self.kind = matrix, data, point, kind

    def hessian_product(self, step: Array) -> Array:
        """JᵀJ s."""
        at = lambda p: residual(self.kind, self.matrix, self.data, p)  # noqa: E731
        _, image = jax.jvp(at, (self.point,), (step,))
        return jax.vjp(at, self.point)[1](image)[0]

    def gradient(self) -> Array:
        """Jᵀr."""
        at = lambda p: residual(self.kind, self.matrix, self.data, p)  # noqa: E731
        value, back = jax.vjp(at, self.point)
        return back(value)[0]


register_node(LocalModel, children=("matrix", "data", "point"))

State = tuple[Array, Array, Array, Array, Array]


def iterated(product: Callable[[Array], Array], right: Array, tolerance: Array, cap: Array) -> Array:
    """Conjugate gradients for H s = right, until ‖right - H s‖ <= tolerance ‖right‖ or `cap` products are spent."""
    bound = tolerance * jnp.linalg.norm(right)

    def unfinished(state: State) -> Array:
        _, left, _, _, count = state
        return (jnp.linalg.norm(left) > bound) & (count < cap)

    def improved(state: State) -> State:
        solution, left, direction, square, count = state
        image = product(direction)
        length = square / (direction @ image)
        solution, left = solution + length * direction, left - length * image
        next_square = left @ left
        return solution, left, left + (next_square / square) * direction, next_square, count + 1

    start = (jnp.zeros_like(right), right, right, right @ right, jnp.int32(0))
    return lax.while_loop(unfinished, improved, start)[0]


@jax.jit
def linearised(model: LocalModel) -> tuple[Array, Array]:
    """The gradient of the objective and its norm."""
    TRACES["linearised"] += 1
    gradient = model.gradient()
    return gradient, jnp.linalg.norm(gradient)


@jax.jit
def conjugate_gradients(model: LocalModel, right: Array, tolerance: Array, cap: Array) -> Array:
    """The step of the model: all that changes is an argument, so nothing can go stale and nothing is compiled again."""
    TRACES["conjugate_gradients"] += 1
    return iterated(model.hessian_product, right, tolerance, cap)


def closed_over(model: LocalModel, right: Array, tolerance: Array, cap: Array) -> Array:
    """The same step, by a function that closes over the model, the tolerance and the cap: a new one each time."""

    @jax.jit
    def step(right: Array) -> Array:
        TRACES["conjugate_gradients"] += 1
        return iterated(model.hessian_product, right, tolerance, cap)

    return step(right)


def fit(step: Callable[..., Array], matrix: Array, data: Array, start: Array, iterations: int) -> dict[str, Any]:
    """Return the points and the norms of the gradient of a number of outer steps; every model is built anew."""
    point, points, norms = jax.device_get(start), [], []
    for iteration in range(iterations):
        model = LocalModel(matrix, data, jax.device_put(point), Residual(weight=2.0))
        gradient, norm = jax.device_get(linearised(model))
        norms.append(float(norm))
        forcing = min(0.5, (norms[-1] / norms[0]) ** 0.5)
        tolerance, cap = jax.device_put(np.float32(forcing)), jax.device_put(np.int32(4 + iteration))
        point = point + jax.device_get(step(model, jax.device_put(-gradient), tolerance, cap))
        points.append(point)
    return {"points": points, "norms": norms}
