"""Adam, in a stated order of operations."""

import jax.numpy as jnp
from jaxtyping import Array

from lenticulum.fast.constants import constant, decay_constant
from lenticulum.fast.optimizers.update import format_of, recurrence, zeros_like
from lenticulum.terms.exact import Number, exact
from lenticulum.terms.optimizers import Adam
from lenticulum.terms.tree import Tree, map_leaves


def adam_start(parameters: Tree) -> Tree:
    """Return zero moments and running products 1.

    >>> adam_start(Tree(p=jnp.array([2.0]))).second_power
    Array(1., dtype=float32)
    """
    one = jnp.ones((), format_of(parameters))
    zeros = zeros_like(parameters)
    return Tree(first_moment=zeros, second_moment=zeros, first_power=one, second_power=one)


@recurrence(Adam, start=adam_start)
def adam(
    state: Tree,
    parameters: Tree,
    gradient: Tree,
    *,
    rate: Number,
    first_decay: Number,
    second_decay: Number,
    epsilon: Number,
    epsilon_root: Number,
    epsilon_at: str,
) -> tuple[Tree, Tree]:
    """Take one step of Adam, in the operation order of TorchLean (arXiv:2602.22631).

    c1 <- c1 (x) b1;   c2 <- c2 (x) b2;
    m <- (b1 (x) m) (+) ((1 (-) b1) (x) g);   v <- (b2 (x) v) (+) ((1 (-) b2) (x) (g (x) g));
    i1 = 1 (/) (1 (-) c1);   i2 = 1 (/) (1 (-) c2);
    p <- p (-) ((rate (/) (sqrt(v (x) i2) (+) epsilon)) (x) (m (x) i1)).
    `epsilon_root`, if not zero, is added under the root. With `epsilon_at` "raw" the last step is
    p <- p (-) (((rate (x) (sqrt(1 (-) c2) (/) (1 (-) c1))) (/) (sqrt(v) (+) epsilon)) (x) m).
    All constants are first rounded to the format of the parameters, and 1 (-) b is subtracted there: in binary32
    1 (-) fl(0.999) differs from fl(1 - 0.999) by 1.3e-5, from the first update on.

    States: first_moment and second_moment, raw (arXiv:2103.01931, equation 3.18, prints corrected ones, which
    compounds the corrections), like the parameters; first_power and second_power, the running products c1 and c2.
    Source: Kingma and Ba 2015, Algorithm 1.

    >>> p = Tree(p=jnp.array([1.0, -2.0, 0.5]))
    >>> decays = dict(first_decay="0.9", second_decay="0.999")
    >>> epsilons = dict(epsilon="1e-8", epsilon_root=0, epsilon_at="corrected")
    >>> _, p = adam(adam_start(p), p, Tree(p=jnp.array([0.1, 0.3, -0.2])), rate="0.1", **decays, **epsilons)
    >>> [f"{each:.4f}" for each in p.p]
    ['0.9000', '-2.1000', '0.6000']
    """
    format = format_of(parameters)
    b1 = decay_constant(first_decay, format, "first_decay")
    b2 = decay_constant(second_decay, format, "second_decay")
    learning_rate, eps = constant(rate, format, "rate"), constant(epsilon, format, "epsilon")
    c1, c2 = state.first_power * b1, state.second_power * b2
    first = map_leaves(lambda m, g: b1 * m + (1 - b1) * g, state.first_moment, gradient)
    second = map_leaves(lambda v, g: b2 * v + (1 - b2) * (g * g), state.second_moment, gradient)

    def root(v: Array) -> Array:
        return jnp.sqrt(v if exact(epsilon_root) == 0 else v + constant(epsilon_root, format, "epsilon_root"))

    def corrected(p: Array, m: Array, v: Array) -> Array:
        i1, i2 = 1 / (1 - c1), 1 / (1 - c2)
        return p - (learning_rate / (root(v * i2) + eps)) * (m * i1)

    def raw(p: Array, m: Array, v: Array) -> Array:
        factor = learning_rate * (jnp.sqrt(1 - c2) / (1 - c1))
        return p - (factor / (root(v) + eps)) * m

    move = corrected if epsilon_at == "corrected" else raw
    moved = map_leaves(move, parameters, first, second)
    return Tree(first_moment=first, second_moment=second, first_power=c1, second_power=c2), moved
