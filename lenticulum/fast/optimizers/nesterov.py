"""Nesterov momentum: the gradient is taken at a look-ahead."""

from jaxtyping import Array

from lenticulum.fast.constants import decay_constant, times
from lenticulum.fast.optimizers.update import format_of, recurrence, zeros_like
from lenticulum.terms.exact import Number
from lenticulum.terms.optimizers import Nesterov
from lenticulum.terms.tree import Tree, map_leaves


def nesterov_start(parameters: Tree) -> Tree:
    """Return a zero buffer.

    >>> import jax.numpy as jnp
    >>> nesterov_start(Tree(p=jnp.array([2.0])))
    Tree(buffer=Tree(p=Array([0.], dtype=float32)))
    """
    return Tree(buffer=zeros_like(parameters))


def nesterov_point(state: Tree, parameters: Tree, *, rate: Number, decay: Number, stores: str, rate_in: str) -> Tree:
    """Return the look-ahead q = p (-) (rate (x) (decay (x) b)), or what is stored where that is the look-ahead itself.

    >>> import jax.numpy as jnp
    >>> conventions = dict(rate="1/2", decay="1/2", stores="parameter", rate_in="step")
    >>> float(nesterov_point(Tree(buffer=Tree(p=jnp.array(4.0))), Tree(p=jnp.array(2.0)), **conventions).p)
    1.0
    """
    if stores == "look_ahead":
        return parameters
    kept = decay_constant(decay, format_of(parameters), "decay")

    def look_ahead(p: Array, b: Array) -> Array:
        return p - (kept * b if rate_in == "buffer" else times(rate, kept * b, "rate"))

    return map_leaves(look_ahead, parameters, state.buffer)


@recurrence(Nesterov, start=nesterov_start, point=nesterov_point)
def nesterov(
    state: Tree, parameters: Tree, gradient: Tree, *, rate: Number, decay: Number, stores: str, rate_in: str
) -> tuple[Tree, Tree]:
    """Take one step of Nesterov momentum, with the gradient at `nesterov_point`.

    b <- (decay (x) b) (+) g;   p <- p (-) (rate (x) b) where p is stored, and
    q <- q (-) (rate (x) (g (+) (decay (x) b))) where the look-ahead is. With `rate_in` "buffer" the rate multiplies g
    instead. Factors 1 are no multiplications. The sign is plus, against the minus printed in arXiv:2103.01931,
    equation 3.16.

    States: buffer, like the parameters. Source: Nesterov 1983; Sutskever et al. 2013 (stores the parameter).

    >>> import jax.numpy as jnp
    >>> conventions = dict(rate="1/10", decay="9/10", stores="parameter", rate_in="step")
    >>> state = Tree(buffer=Tree(p=jnp.array(-5.0)))
    >>> state, p = nesterov(state, Tree(p=jnp.array(1.0)), Tree(p=jnp.array(-4.2)), **conventions)
    >>> f"{state.buffer.p:.2f} {p.p:.2f}"
    '-8.70 1.87'
    """
    kept = decay_constant(decay, format_of(parameters), "decay")
    entering = map_leaves(lambda g: times(rate, g, "rate"), gradient) if rate_in == "buffer" else gradient
    buffer = map_leaves(lambda b, g: kept * b + g, state.buffer, entering)
    moved = map_leaves(lambda g, b: g + kept * b, entering, buffer) if stores == "look_ahead" else buffer

    def move(p: Array, b: Array) -> Array:
        return p - (b if rate_in == "buffer" else times(rate, b, "rate"))

    return Tree(buffer=buffer), map_leaves(move, parameters, moved)
