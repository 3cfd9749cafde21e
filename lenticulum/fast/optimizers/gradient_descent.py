"""Gradient descent."""

from lenticulum.fast.constants import times
from lenticulum.fast.optimizers.update import recurrence
from lenticulum.terms.exact import Number
from lenticulum.terms.optimizers import GradientDescent
from lenticulum.terms.tree import Tree, map_leaves


@recurrence(GradientDescent)
def gradient_descent(state: Tree, parameters: Tree, gradient: Tree, *, rate: Number) -> tuple[Tree, Tree]:
    """Take one step against the gradient.

    p <- p (-) (rate (x) g).

    Returns: the empty state and the new parameters. Source: arXiv:2103.01931, equation 3.11.

    >>> import jax.numpy as jnp
    >>> _, p = gradient_descent(Tree(), Tree(p=jnp.array(2.0)), Tree(p=jnp.array(0.25)), rate="1/2")
    >>> float(p.p)
    1.875
    """
    return state, map_leaves(lambda p, g: p - times(rate, g, "rate"), parameters, gradient)
