"""Adam (Kingma and Ba 2015, Algorithm 1), with the placement of epsilon as a convention."""

from fractions import Fraction

from lenticulum import terms
from lenticulum.numbers import ExactArray, sqrt
from lenticulum.spec.meaning import meaning
from lenticulum.spec.optimizers.momentum import scaled
from lenticulum.terms import Tree, map_leaves


@meaning(terms.Adam)
def adam(
    state: Tree,
    parameters: Tree,
    gradient: Tree,
    *,
    rate: Fraction,
    first_decay: Fraction,
    second_decay: Fraction,
    epsilon: Fraction,
    epsilon_root: Fraction,
    epsilon_at: str,
) -> tuple[Tree, Tree]:
    """Return the raw moments and running products, and p - rate m^ / (sqrt(v^ + epsilon_root) + epsilon).

    m' = b1 m + (1 - b1) g; v' = b2 v + (1 - b2) g²; m^ = m'/(1 - b1^t); v^ = v'/(1 - b2^t). The state holds raw
    moments: the corrected ones of the printed recurrence (arXiv:2103.01931, equation 3.18) compound.
    Values that determine the result: state, parameters, gradient and every field. Pure: the state after is returned.
    """
    first_power = state.first_power * state.first_power.lift(first_decay)
    second_power = state.second_power * state.second_power.lift(second_decay)
    first = map_leaves(lambda m, g: average(m, g, first_decay), state.first_moment, gradient)
    second = map_leaves(lambda v, g: average(v, g * g, second_decay), state.second_moment, gradient)

    def step(p: ExactArray, m: ExactArray, v: ExactArray) -> ExactArray:
        if epsilon_at == "raw":
            size = p.lift(rate) * sqrt(1 - second_power) / (1 - first_power)
            return p - size * m / (root(v, epsilon_root) + p.lift(epsilon))
        corrected_first, corrected_second = m / (1 - first_power), v / (1 - second_power)
        return p - scaled(rate, corrected_first) / (root(corrected_second, epsilon_root) + p.lift(epsilon))

    after = Tree(first_moment=first, second_moment=second, first_power=first_power, second_power=second_power)
    return after, map_leaves(step, parameters, first, second)


def average(old: ExactArray, new: ExactArray, decay: Fraction) -> ExactArray:
    """Return decay old + (1 - decay) new."""
    kept = old.lift(decay)
    return kept * old + (1 - kept) * new


def root(x: ExactArray, epsilon_root: Fraction) -> ExactArray:
    """Return sqrt(x + epsilon_root); an epsilon_root of 0 is no operation."""
    return sqrt(x) if epsilon_root == 0 else sqrt(x + x.lift(epsilon_root))
