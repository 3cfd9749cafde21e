"""Equivalences of optimizers between libraries, exactly: the counter of Adam, the cap, the two weight decays.

The places of the rate, of the look-ahead and of epsilon are in `momentum_laws` and `adam_laws`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lenticulum.numbers import DomainError
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.spec.optimizers import planted
from lenticulum.spec.optimizers.adagrad_laws import with_rational_roots
from lenticulum.spec.optimizers.cases import (
    UPDATES,
    Updates,
    adam,
    follow,
    gradients_with_rational_roots,
    rate,
    scalar,
    scalar_tree,
)
from lenticulum.spec.optimizers.update import initial_update_state, update_next
from lenticulum.terms import Adagrad, Adam, GradientDescent, Momentum, Tree, Update, map_leaves, replace

#: From an update, a weight decay, a state, parameters and a gradient: the next state and parameters.
Decayed = Callable[[Update, Fraction, Tree, Tree, Tree], tuple[Tree, Tree]]


def coupled(update: Update, weight_decay: Fraction, state: Tree, parameters: Tree, gradient: Tree) -> tuple[Tree, Tree]:
    """The decay as part of the gradient, g + lambda p: the gradient of loss + lambda p^2 / 2."""
    return update_next(
        update, state, parameters, map_leaves(lambda p, g: -(g + p * weight_decay), parameters, gradient)
    )


def decoupled(update: Any, weight_decay: Fraction, state: Tree, parameters: Tree, gradient: Tree) -> tuple[Tree, Tree]:
    """The decay beside the step: p' - rate lambda p (Loshchilov and Hutter 2019, with their lambda times the rate)."""
    after, moved = update_next(update, state, parameters, map_leaves(lambda g: -g, gradient))
    shrink = Fraction(update.rate) * weight_decay
    return after, map_leaves(lambda q, p: q - p * shrink, moved, parameters)


@dataclass(frozen=True)
class WeightDecays:
    """The two weight decays, as records, so that a planted mistake replaces one of them."""

    coupled: Decayed = coupled
    decoupled: Decayed = decoupled


WEIGHT_DECAYS = WeightDecays()


def counter_of_adam(of: Updates, draw: Draw) -> None:
    """Running products b^t carried in the state = a counter t, incremented before use (Kingma and Ba, Algorithm 1)."""
    update = adam(draw)
    b1, b2 = Fraction(update.first_decay), Fraction(update.second_decay)
    gradients, roots = gradients_with_rational_roots(draw, b2, 3)
    p = start = fraction(draw)
    state, parameters = of.initial(update, scalar_tree(start)), scalar_tree(start)
    m, t = Fraction(0), 0
    for g, root in zip(gradients, roots, strict=True):
        t, m = t + 1, b1 * m + (1 - b1) * g
        p -= Fraction(update.rate) * (m / (1 - b1**t)) / (root + Fraction(update.epsilon))
        try:
            state, parameters = follow(of, update, state, parameters, [scalar_tree(g)])[-1]
        except DomainError:
            require(False, f"step {t} divides by zero", update=update, first_power=state.first_power)
        require(scalar(parameters) == p, f"step {t} differs from the counter", update=update, p=parameters, expected=p)


def cap_of_a_normalised_method(of: Updates, draw: Draw) -> None:
    """The rate in the cap as well as in the update = the method with delta / rate: the scale cancels, not delta."""
    standard, accumulator, p, g = with_rational_roots(draw)
    cap = rate(draw)
    power = cap if standard.epsilon_at == "outside" else cap * cap
    update = replace(standard, epsilon=Fraction(standard.epsilon) * power)
    _, twice = of.next(update, Tree(accumulator=scalar_tree(cap * cap * accumulator)), p, scalar_tree(-cap * g))
    _, once = of.next(standard, Tree(accumulator=scalar_tree(accumulator)), p, scalar_tree(-g))
    require(twice == once, "the cap is not delta / rate", update=update, cap=cap, twice=twice, standard=once)


def weight_decays_of_descent_coincide(of: WeightDecays, draw: Draw) -> None:
    """For gradient descent p - rate (g + lambda p) = (p - rate g) - rate lambda p."""
    update, decay = GradientDescent(rate(draw)), positive_fraction(draw)
    p, g = scalar_tree(fraction(draw)), scalar_tree(fraction(draw))
    one, other = of.coupled(update, decay, Tree(), p, g), of.decoupled(update, decay, Tree(), p, g)
    require(
        one == other, "the two decays differ for descent", rate=update.rate, decay=decay, p=p, g=g, steps=(one, other)
    )


def weight_decays_of_momentum_differ(of: WeightDecays, draw: Draw) -> None:
    """After two steps of momentum, the coupled decay leads by -rate gamma lambda p_0: the buffer remembers it."""
    gamma, decay = draw.choice([Fraction(7, 8), Fraction(1, 2)]), positive_fraction(draw)
    update, p = Momentum(rate(draw), gamma), scalar_tree(fraction(draw))
    gradients = [scalar_tree(fraction(draw)) for _ in range(2)]
    if scalar(p) == 0:
        raise Inapplicable("no weight, no decay")
    ends: list[Fraction] = []
    for take in (of.coupled, of.decoupled):
        state, moved = initial_update_state(update, p), p
        for g in gradients:
            state, moved = take(update, decay, state, moved, g)
        ends.append(scalar(moved))
    lead = -Fraction(update.rate) * gamma * decay * scalar(p)
    require(ends[0] - ends[1] == lead, "the lead is another", update=update, decay=decay, p=p, ends=ends, lead=lead)


def weight_decays_of_normalised_methods_differ(of: WeightDecays, draw: Draw) -> None:
    """In the first step of Adam and Adagrad, coupled: G / (|G| + epsilon), G = g + lambda p; decoupled: another."""
    by, epsilon, decay = rate(draw), Fraction(1, 8), positive_fraction(draw)
    update = draw.choice([Adam(by, "7/8", "3/4", epsilon), Adagrad(by, 0, epsilon)])
    p, g = fraction(draw), fraction(draw)
    state = initial_update_state(update, scalar_tree(p))
    (_, one), (_, other) = (
        take(update, decay, state, scalar_tree(p), scalar_tree(g)) for take in (of.coupled, of.decoupled)
    )
    whole = g + decay * p
    expected = p - by * whole / (abs(whole) + epsilon), p - by * g / (abs(g) + epsilon) - by * decay * p
    if expected[0] == expected[1]:
        raise Inapplicable("the two first steps happen to agree")
    found = scalar(one), scalar(other)
    require(found == expected, "the first steps differ", update=update, p=p, g=g, decay=decay, steps=found)


LAWS: tuple[Law[Updates] | Law[WeightDecays], ...] = (
    Law(
        "adam-counter",
        "running products b1^t, b2^t in the state = a counter that is incremented before it is used",
        "derived by hand from Kingma and Ba 2015, Algorithm 1; Optimisers.jl carries the products",
        Grade.EXACT,
        UPDATES,
        counter_of_adam,
        {"counter used before it is incremented": planted.counter_used_before},
    ),
    Law(
        "cap-of-a-normalised-method",
        "the rate in the cap as well as in the update = the method with delta / rate",
        "derived by hand from arXiv:2103.01931, equation 3.17",
        Grade.EXACT,
        UPDATES,
        cap_of_a_normalised_method,
        {"epsilon fixed": planted.epsilon_of_adagrad_fixed},
    ),
    Law(
        "weight-decay-descent",
        "coupled and decoupled weight decay coincide for gradient descent",
        "Loshchilov and Hutter 2019, Proposition 1, arXiv:1711.05101",
        Grade.EXACT,
        WEIGHT_DECAYS,
        weight_decays_of_descent_coincide,
        {"decay without the rate": WeightDecays(decoupled=planted.decay_without_the_rate)},
    ),
    Law(
        "weight-decay-momentum",
        "after two steps of momentum the coupled decay leads by -rate gamma lambda p_0",
        "derived by hand from arXiv:1711.05101, Algorithm 1",
        Grade.EXACT,
        WEIGHT_DECAYS,
        weight_decays_of_momentum_differ,
        {"taken for synonyms": WeightDecays(decoupled=coupled)},
    ),
    Law(
        "weight-decay-normalised",
        "the first steps of Adam and Adagrad differ between coupled and decoupled decay",
        "derived by hand from arXiv:1711.05101, Algorithm 2",
        Grade.EXACT,
        WEIGHT_DECAYS,
        weight_decays_of_normalised_methods_differ,
        {"taken for synonyms": WeightDecays(decoupled=coupled)},
    ),
)
