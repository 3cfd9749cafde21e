"""Momentum: the heavy ball (Polyak 1964), with its conventions."""

from fractions import Fraction

import numpy as np

from lenticulum import terms
from lenticulum.numbers import ExactArray
from lenticulum.spec.meaning import meaning
from lenticulum.terms import Tree, map_leaves


@meaning(terms.Momentum)
def momentum(
    state: Tree,
    parameters: Tree,
    gradient: Tree,
    *,
    rate: Fraction,
    decay: Fraction,
    dampening: Fraction,
    first: str,
    rate_in: str,
) -> tuple[Tree, Tree]:
    """Return (b', count + 1) and p - rate b', where b' = decay b + (1 - dampening) g.

    The first b' is g itself when `first` is "undamped". With rate_in "buffer": b' = decay b + rate (1 - dampening) g
    and the step is p - b'. The sign in front of decay b is plus: the minus printed in arXiv:2103.01931, equation 3.15,
    damps.
    Values that determine the result: state, parameters, gradient and every field. Pure: the state after is returned.
    """
    damped = dampening if first == "damped" or int(state.count) > 0 else Fraction(0)
    inside, outside = (rate, Fraction(1)) if rate_in == "buffer" else (Fraction(1), rate)
    buffer = map_leaves(
        lambda b, g: b.lift(decay) * b + scaled(inside, scaled_complement(damped, g)), state.buffer, gradient
    )
    moved = map_leaves(lambda p, b: p - scaled(outside, b), parameters, buffer)
    return Tree(buffer=buffer, count=np.uint32(int(state.count) + 1)), moved


def scaled(factor: Fraction, x: ExactArray) -> ExactArray:
    """Return factor * x; a factor of 1 is no operation, so that no rounding is charged for it."""
    return x if factor == 1 else x.lift(factor) * x


def scaled_complement(dampening: Fraction, x: ExactArray) -> ExactArray:
    """Return (1 - dampening) * x; no dampening is no operation."""
    return x if dampening == 0 else (1 - x.lift(dampening)) * x
