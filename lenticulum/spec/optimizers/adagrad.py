"""Adagrad (Duchi, Hazan and Singer 2011), with the start value and the placement of epsilon as conventions."""

from fractions import Fraction

from lenticulum import terms
from lenticulum.numbers import ExactArray, sqrt
from lenticulum.spec.meaning import meaning
from lenticulum.spec.optimizers.momentum import scaled
from lenticulum.terms import Tree, map_leaves


@meaning(terms.Adagrad)
def adagrad(
    state: Tree, parameters: Tree, gradient: Tree, *, rate: Fraction, epsilon: Fraction, epsilon_at: str
) -> tuple[Tree, Tree]:
    """Return a' = a + g² and p - rate g / (sqrt(a') + epsilon), or p - rate g / sqrt(a' + epsilon).

    arXiv:2103.01931, equation 3.17, writes p + rate p' / (epsilon + sqrt(a')): right only where the cap is -1, so that
    p' = -g; another cap would enter a' by its square.
    Values that determine the result: state, parameters, gradient and every field but `start`, which the first state
    holds. Pure: the state after is returned.
    """
    accumulator = map_leaves(lambda a, g: a + g * g, state.accumulator, gradient)

    def step(p: ExactArray, g: ExactArray, a: ExactArray) -> ExactArray:
        delta = p.lift(epsilon)
        size = sqrt(a) + delta if epsilon_at == "outside" else sqrt(a + delta)
        return p - scaled(rate, g / size)

    return Tree(accumulator=accumulator), map_leaves(step, parameters, gradient, accumulator)
