"""Nesterov's accelerated gradient (1983, in the form of Sutskever et al. 2013): one recurrence seen at two points."""

from fractions import Fraction

from lenticulum import terms
from lenticulum.spec.meaning import meaning
from lenticulum.spec.optimizers.momentum import scaled
from lenticulum.terms import Tree, map_leaves


@meaning(terms.Nesterov)
def nesterov(
    state: Tree, parameters: Tree, gradient: Tree, *, rate: Fraction, decay: Fraction, stores: str, rate_in: str
) -> tuple[Tree, Tree]:
    """Return b' and the next stored point, where b' = decay b + g and g is the gradient at the look-ahead.

    stores "parameter": p - rate b'. stores "look_ahead": q - rate (g + decay b'). With rate_in "buffer" the buffer
    holds rate g and the steps are p - b' and q - (rate g + decay b').
    Values that determine the result: state, parameters, gradient and every field. Pure: the state after is returned.
    Laws: conjugacy of the two forms by q = p - rate decay b.
    """
    inside, outside = (rate, Fraction(1)) if rate_in == "buffer" else (Fraction(1), rate)
    pushed = map_leaves(lambda g: scaled(inside, g), gradient)
    buffer = map_leaves(lambda b, g: b.lift(decay) * b + g, state.buffer, pushed)
    if stores == "parameter":
        moved = map_leaves(lambda p, b: p - scaled(outside, b), parameters, buffer)
    else:
        moved = map_leaves(lambda q, g, b: q - scaled(outside, g + b.lift(decay) * b), parameters, pushed, buffer)
    return Tree(buffer=buffer), moved


def look_ahead(state: Tree, parameters: Tree, *, rate: Fraction, decay: Fraction, rate_in: str) -> Tree:
    """Return q = p - rate decay b: where the stored p will be if the gradient vanishes."""
    outside = Fraction(1) if rate_in == "buffer" else rate
    return map_leaves(lambda p, b: p - scaled(outside, b.lift(decay) * b), parameters, state.buffer)
