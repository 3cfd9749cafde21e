"""Heavy-ball momentum."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from lenticulum.fast.constants import constant, decay_constant, times
from lenticulum.fast.optimizers.update import format_of, recurrence, zeros_like
from lenticulum.terms.exact import Number, exact
from lenticulum.terms.optimizers import Momentum
from lenticulum.terms.tree import Tree, map_leaves


def momentum_start(parameters: Tree) -> Tree:
    """Return a zero buffer and the count 0.

    >>> momentum_start(Tree(p=jnp.array([2.0]))).count
    Array(0, dtype=uint32)
    """
    return Tree(buffer=zeros_like(parameters), count=jnp.uint32(0))


@recurrence(Momentum, start=momentum_start)
def momentum(
    state: Tree,
    parameters: Tree,
    gradient: Tree,
    *,
    rate: Number,
    decay: Number,
    dampening: Number,
    first: str,
    rate_in: str,
) -> tuple[Tree, Tree]:
    """Take one step of momentum.

    b <- (decay (x) b) (+) ((1 (-) dampening) (x) g);   p <- p (-) (rate (x) b).
    With `first` "undamped" the factor of the first g is 1. With `rate_in` "buffer" the rate multiplies what enters the
    buffer and not what leaves it. Factors 1 are no multiplications. The sign is plus, against the minus printed in
    arXiv:2103.01931, equation 3.15.

    States: buffer, like the parameters; count, a 32-bit integer. Source: Polyak 1964.

    >>> state, p = momentum_start(Tree(p=jnp.array(2.0))), Tree(p=jnp.array(2.0))
    >>> conventions = dict(rate="1/10", decay="9/10", dampening=0, first="undamped", rate_in="step")
    >>> for _ in range(2):
    ...     state, p = momentum(state, p, Tree(p=jnp.array(0.25)), **conventions)
    ...     print(float(p.p), float(state.buffer.p))
    1.975000023841858 0.25
    1.9275000095367432 0.4749999940395355
    """
    format = format_of(parameters)
    kept = decay_constant(decay, format, "decay")
    entering = fresh_weight(state.count, format, dampening=dampening, first=first)

    def average(b: Array, g: Array) -> Array:
        fresh = g if entering is None else entering * g
        return kept * b + (times(rate, fresh, "rate") if rate_in == "buffer" else fresh)

    def move(p: Array, b: Array) -> Array:
        return p - (b if rate_in == "buffer" else times(rate, b, "rate"))

    buffer = map_leaves(average, state.buffer, gradient)
    return Tree(buffer=buffer, count=state.count + 1), map_leaves(move, parameters, buffer)


def fresh_weight(count: Array, format: np.dtype, *, dampening: Number, first: str) -> Any:
    """Return the factor of the gradient that enters the buffer, 1 (-) dampening or 1; None where it is 1 at every step.

    >>> float(fresh_weight(jnp.uint32(0), np.dtype("float32"), dampening="1/4", first="undamped"))
    1.0
    >>> float(fresh_weight(jnp.uint32(1), np.dtype("float32"), dampening="1/4", first="undamped"))
    0.75
    """
    if exact(dampening, "dampening") == 0:
        return None
    damped = 1 - constant(dampening, format, "dampening")
    return jnp.where(count == 0, np.ones_like(damped), damped) if first == "undamped" else damped
