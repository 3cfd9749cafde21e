"""Planted mistakes about optimizers: wrong twins of the update maps, each of which a law must reject."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Any

from lenticulum.spec.optimizers.cases import Updates
from lenticulum.spec.optimizers.update import initial_update_state, update_next
from lenticulum.terms import Adagrad, Adam, Momentum, Tree, Update, map_leaves, replace

_calls = count(1)


def _scaled(tree: Tree, factor: Any) -> Tree:
    return map_leaves(lambda leaf: leaf * factor, tree)


def _rate_twice(update: Any, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    return update_next(update, state, parameters, _scaled(cotangent, update.rate))


def _printed_sign(update: Update, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    if "buffer" in state:
        state = state.with_entries(buffer=_scaled(state.buffer, -1))
    return update_next(update, state, parameters, cotangent)


def _first_damped(update: Update, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    damped = replace(update, first="damped") if isinstance(update, Momentum) else update
    return update_next(damped, state, parameters, cotangent)


def _rate_in_step(update: Update, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    return update_next(replace(update, rate_in="step"), state, parameters, cotangent)


def _corrected_stored(update: Update, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    after, moved = update_next(update, state, parameters, cotangent)
    first, second = 1 - after.first_power, 1 - after.second_power
    corrected = after.with_entries(
        first_moment=map_leaves(lambda m: m / first, after.first_moment),
        second_moment=map_leaves(lambda v: v / second, after.second_moment),
    )
    return corrected, moved


def _epsilon_under_the_root(update: Adam, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    inside = Fraction(update.epsilon_root) + Fraction(update.epsilon)
    after, _ = update_next(update, state, parameters, cotangent)
    first, second = 1 - after.first_power, 1 - after.second_power

    def step(p: Any, m: Any, v: Any) -> Any:
        return p - p.lift(Fraction(update.rate)) * (m / first) / (v / second + inside).sqrt()

    return after, map_leaves(step, parameters, after.first_moment, after.second_moment)


def _epsilon_fixed(update: Adam, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    return update_next(replace(update, epsilon=Fraction(1, 8)), state, parameters, cotangent)


def _always_corrected(update: Adam, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    return update_next(replace(update, epsilon_at="corrected"), state, parameters, cotangent)


def _counter_used_before(update: Any, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    """The products of the step before: at the first step 1 - b^0 = 0."""
    decays = Fraction(update.first_decay), Fraction(update.second_decay)
    early = state.with_entries(first_power=state.first_power / decays[0], second_power=state.second_power / decays[1])
    after, moved = update_next(update, early, parameters, cotangent)
    powers = {"first_power": state.first_power * decays[0], "second_power": state.second_power * decays[1]}
    return after.with_entries(**powers), moved


def decay_without_the_rate(
    update: Update, weight_decay: Fraction, state: Tree, parameters: Tree, gradient: Tree
) -> tuple[Tree, Tree]:
    """p' - lambda p: the decay of Loshchilov and Hutter, not rescaled by the rate."""
    after, moved = update_next(update, state, parameters, map_leaves(lambda g: -g, gradient))
    return after, map_leaves(lambda q, p: q - p * weight_decay, moved, parameters)


def _other_place(update: Adagrad, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    other = {"outside": "inside", "inside": "outside"}[update.epsilon_at]
    return update_next(replace(update, epsilon_at=other), state, parameters, cotangent)


def _epsilon_of_adagrad_fixed(update: Adagrad, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    fixed = replace(update, epsilon=Fraction(1, 8), epsilon_at="outside")
    return update_next(fixed, state, parameters, cotangent)


def _hidden_count(update: Update, state: Tree, parameters: Tree, cotangent: Tree) -> tuple[Tree, Tree]:
    return update_next(update, state, parameters, _scaled(cotangent, Fraction(1, next(_calls))))


rate_applied_twice = Updates(next=_rate_twice)
momentum_with_the_sign_in_print = Updates(next=_printed_sign)
first_gradient_damped = Updates(next=_first_damped)
rate_always_in_the_step = Updates(next=_rate_in_step)
stale_look_ahead = Updates(point=lambda update, state, parameters: parameters)
look_ahead_stored = Updates(
    point=lambda update, state, parameters: parameters,
    next=lambda update, state, p, cotangent: update_next(replace(update, stores="look_ahead"), state, p, cotangent),
)
adam_storing_corrected_moments = Updates(next=_corrected_stored)
epsilon_under_the_root = Updates(next=_epsilon_under_the_root)  # pyright: ignore[reportArgumentType]
epsilon_fixed = Updates(next=_epsilon_fixed)  # pyright: ignore[reportArgumentType]
epsilon_always_corrected = Updates(next=_always_corrected)  # pyright: ignore[reportArgumentType]
counter_used_before = Updates(next=_counter_used_before)
epsilon_at_the_other_place = Updates(next=_other_place)  # pyright: ignore[reportArgumentType]
epsilon_of_adagrad_fixed = Updates(next=_epsilon_of_adagrad_fixed)  # pyright: ignore[reportArgumentType]
started_at_zero = Updates(initial=lambda update, p: initial_update_state(replace(update, start=Fraction(0)), p))
start_fixed = Updates(initial=lambda update, p: initial_update_state(replace(update, start=Fraction(1, 10)), p))
steps_counted_outside_the_state = Updates(next=_hidden_count)
