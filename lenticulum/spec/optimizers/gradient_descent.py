"""Gradient descent (Cauchy 1847)."""

from fractions import Fraction

from lenticulum import terms
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree, map_leaves


@meaning(terms.GradientDescent)
def gradient_descent(state: Tree, parameters: Tree, gradient: Tree, *, rate: Fraction) -> tuple[Tree, Tree]:
    """Return the state and p - rate g.

    Values that determine the result: parameters, gradient, rate. Pure; no state.
    Source: arXiv:2103.01931, equation 3.11 with p' = -g.
    """
    return state, map_leaves(lambda p, g: p - p.lift(rate) * g, parameters, gradient)
