"""Updates as lenses on parameters: the point to evaluate at, and the next state and parameters."""

from fractions import Fraction
from typing import Any

import numpy as np

from lenticulum.numbers import zeros_like
from lenticulum.spec.meaning import fields_for, meaning_of
from lenticulum.spec.optimizers.nesterov import look_ahead
from lenticulum.terms import Adagrad, Adam, Momentum, Nesterov, Tree, Update, map_leaves


def initial_update_state(update: Update, parameters: Tree) -> Tree:
    """Return the state before the first step: zero moments and buffers, products 1, count 0, the start value."""
    zeros = map_leaves(zeros_like, parameters)
    if isinstance(update, Momentum):
        return Tree(buffer=zeros, count=np.uint32(0))
    if isinstance(update, Nesterov):
        return Tree(buffer=zeros)
    if isinstance(update, Adagrad):
        return Tree(accumulator=map_leaves(lambda p: p.lift(Fraction(update.start), p.shape), parameters))
    if isinstance(update, Adam):
        one = one_like(parameters)
        return Tree(first_moment=zeros, second_moment=zeros, first_power=one, second_power=one)
    return Tree()


def update_point(update: Update, state: Tree, parameters: Tree) -> Tree:
    """Return U(s, p): the point at which the model is evaluated. It is p, but for Nesterov's stored parameter."""
    if isinstance(update, Nesterov) and update.stores == "parameter":
        return look_ahead(state, parameters, **fields_for(look_ahead, update))
    return parameters


def update_next(update: Update, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    """Return U*(s, p, p'): the next state and parameters, where p' is the cotangent after the cap, so g = -p'."""
    recurrence = meaning_of(update)
    gradient = map_leaves(lambda c: -c, cotangent)
    return recurrence(state, parameters, gradient, **fields_for(recurrence, update))


def one_like(parameters: Tree) -> Any:
    """Return the number 1 in the number system of the parameters."""
    leaves = parameters.leaves()
    if not leaves:
        raise ValueError("Adam: there are no parameters to update")
    return leaves[0].lift(1)
