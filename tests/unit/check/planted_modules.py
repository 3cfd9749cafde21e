"""Modules with one planted mistake each, for the laws that the broken modules of the documentation do not reach."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax import Array


class Overwriting(eqx.Module):
    """Sets its data to zero where that can be written."""

    def __call__(self, x: Any) -> Array:
        if isinstance(x, np.ndarray):
            x[...] = 0
        return jnp.asarray(x)


class Counter:
    """Something that a static field can hold, and change."""

    def __init__(self) -> None:
        self.calls = 0

    def __deepcopy__(self, memory: Any) -> "Counter":
        return self


class Counting(eqx.Module):
    """Adds the number of its calls."""

    counter: Counter = eqx.field(static=True)

    def __init__(self) -> None:
        self.counter = Counter()

    def __call__(self, x: Array) -> Array:
        self.counter.calls += 1
        return x + float(self.counter.calls)


class Untrained(eqx.Module):
    """Refuses evaluation."""

    inference: bool = False

    def __call__(self, x: Array) -> Array:
        if self.inference:
            raise RuntimeError("fit it first")
        return x


class Rescaling(eqx.nn.Dropout):
    """Scales in evaluation too."""

    def __call__(self, x: Array, *, key: Any = None, inference: Any = None, deterministic: Any = None) -> Array:
        return x * (1 - self.p) if self.inference else super().__call__(x, key=key)


def _init(key: Array, x: Array) -> Any:
    return {"w": jax.random.normal(key, x.shape[-1:])}, {"mean": jnp.zeros(x.shape[-1:])}


def _narrowing(params: Any, state: Any, x: Array) -> Any:
    return x * params["w"][None], {"mean": state["mean"].astype(jnp.float16)}


def _overwriting(params: Any, state: Any, x: Array) -> Any:
    if isinstance(state["mean"], np.ndarray):
        state["mean"] += 1
    return x * params["w"][None], {"mean": jnp.asarray(state["mean"])}


@jax.custom_vjp
def _update(x: Array, mean: Array) -> tuple[Array, Array]:
    return x - mean[None], 0.75 * mean + 0.25 * x.mean(0)


def _update_forward(x: Array, mean: Array) -> Any:
    y, mean = _update(x, mean)
    return (y, 0.75 * mean + 0.25 * x.mean(0)), None


_update.defvjp(_update_forward, lambda none, ct: (ct[0], -ct[0].sum(0)))


def _twice(params: Any, state: Any, x: Array) -> Any:
    y, mean = _update(x * params["w"][None], state["mean"])
    return y, {"mean": mean}


narrowing, overwriting, twice = (_init, _narrowing), (_init, _overwriting), (_init, _twice)

_drawn = np.random.default_rng(0)


def _unseeded(key: Array, x: Array) -> Any:
    return {"w": jnp.asarray(_drawn.normal(size=x.shape[-1]), jnp.float32)}


unseeded = (_unseeded, lambda params, x: x * params["w"][None])


class Static:
    """An array that Equinox does not see."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array


class Unstored(eqx.Module):
    """Holds a drawn array in a static field."""

    static: Static = eqx.field(static=True)

    def __init__(self, size: int, *, key: Array) -> None:
        self.static = Static(np.asarray(jax.random.normal(key, (size,))))

    def __call__(self, x: Array) -> Array:
        return x * jnp.asarray(self.static.array)


class OtherWhenTraced(eqx.Module):
    """Computes something else under a transformation."""

    def __call__(self, x: Array) -> Array:
        return x if isinstance(x, jax.core.Tracer) else 2 * x


class OtherWhenMapped(eqx.Module):
    """Computes something else under vmap."""

    def __call__(self, x: Array) -> Array:
        return x if "Batch" in type(x).__name__ else 2 * x


squeezing = (
    lambda key, x: {"w": jax.random.normal(key, (x.shape[-1], 2))},
    lambda params, x: jnp.squeeze(x @ params["w"]),
)
