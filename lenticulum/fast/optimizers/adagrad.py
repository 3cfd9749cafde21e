"""Adagrad, in a stated order of operations."""

import jax.numpy as jnp
from jaxtyping import Array

from lenticulum.fast.constants import constant, times
from lenticulum.fast.optimizers.update import format_of, recurrence
from lenticulum.terms.exact import Number
from lenticulum.terms.optimizers import Adagrad
from lenticulum.terms.tree import Tree, map_leaves


def adagrad_start(parameters: Tree, *, start: Number) -> Tree:
    """Return accumulators of the start value.

    >>> adagrad_start(Tree(p=jnp.array([2.0])), start="1/8")
    Tree(accumulator=Tree(p=Array([0.125], dtype=float32)))
    """
    first = constant(start, format_of(parameters), "start")
    return Tree(accumulator=map_leaves(lambda p: jnp.full_like(p, first), parameters))


@recurrence(Adagrad, start=adagrad_start)
def adagrad(
    state: Tree, parameters: Tree, gradient: Tree, *, rate: Number, epsilon: Number, epsilon_at: str
) -> tuple[Tree, Tree]:
    """Take one step of Adagrad.

    a <- a (+) (g (x) g);   p <- p (-) (rate (x) (g (/) (sqrt(a) (+) epsilon))).
    With `epsilon_at` "inside" the denominator is sqrt(a (+) epsilon).

    States: accumulator, like the parameters. Source: Duchi, Hazan and Singer 2011.

    >>> p = Tree(p=jnp.array(1.0))
    >>> state = adagrad_start(p, start=9)
    >>> state, p = adagrad(state, p, Tree(p=jnp.array(4.0)), rate="1/2", epsilon=3, epsilon_at="outside")
    >>> float(state.accumulator.p), float(p.p)
    (25.0, 0.75)
    """
    eps = constant(epsilon, format_of(parameters), "epsilon")
    accumulator = map_leaves(lambda a, g: a + g * g, state.accumulator, gradient)

    def move(p: Array, g: Array, a: Array) -> Array:
        size = jnp.sqrt(a) + eps if epsilon_at == "outside" else jnp.sqrt(a + eps)
        return p - times(rate, g / size, "rate")

    return Tree(accumulator=accumulator), map_leaves(move, parameters, gradient, accumulator)
