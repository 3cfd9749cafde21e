"""Laws of Adam, exactly: moments in closed form, and the step with the root cleared, where the roots are rational."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from lenticulum.numbers import rational
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.spec.optimizers import planted
from lenticulum.spec.optimizers.cases import (
    UPDATES,
    Updates,
    adam,
    follow,
    gradients_with_rational_roots,
    scalar,
    scalar_tree,
)
from lenticulum.terms import Adam, Tree, replace


def moments_are_weighted_sums(of: Updates, draw: Draw) -> None:
    """m_t = (1 - b1) sum_i b1^(t-i) g_i, v_t = (1 - b2) sum_i b2^(t-i) g_i^2, powers b1^t and b2^t."""
    update = adam(draw)
    b1, b2 = Fraction(update.first_decay), Fraction(update.second_decay)
    gradients, _ = gradients_with_rational_roots(draw, b2, 4)
    states = _states(of, update, gradients)
    for t, state in enumerate(states, start=1):
        first, second = _weighted(b1, gradients[:t]), _weighted(b2, [g * g for g in gradients[:t]])
        require(
            scalar(state.first_moment) == first, f"m_{t} differs", update=update, m=state.first_moment, expected=first
        )
        require(scalar(state.second_moment) == second, f"v_{t} differs", update=update, v=state.second_moment)
        powers = rational(b1**t), rational(b2**t)
        require((state.first_power, state.second_power) == powers, f"the products of step {t} differ", update=update)


def corrected_moments_are_means(of: Updates, draw: Draw) -> None:
    """m_t / (1 - b1^t) is a weighted mean of the gradients: a constant gradient is its own mean, at every t."""
    update = adam(draw)
    g = fraction(draw)
    for t, state in enumerate(_states(of, update, [g] * 4), start=1):
        means = (
            state.first_moment.weight / (1 - state.first_power),
            state.second_moment.weight / (1 - state.second_power),
        )
        expected = rational([g]), rational([g * g])
        require(means == expected, f"the corrected moments of step {t} are no means", update=update, g=g, means=means)


def trajectory(of: Updates, draw: Draw) -> None:
    """p_t = p_0 - rate sum_i m^_i / (r_i + epsilon), with the rational roots r_i of the corrected second moments."""
    update = adam(draw)
    b1, b2 = Fraction(update.first_decay), Fraction(update.second_decay)
    gradients, roots = gradients_with_rational_roots(draw, b2, 4)
    expected = start = fraction(draw)
    state, p = of.initial(update, scalar_tree(start)), scalar_tree(start)
    for t, (g, root) in enumerate(zip(gradients, roots, strict=True), start=1):
        state, p = follow(of, update, state, p, [scalar_tree(g)])[-1]
        corrected = _weighted(b1, gradients[:t]) / (1 - b1**t)
        expected -= Fraction(update.rate) * corrected / (root + Fraction(update.epsilon))
        require(scalar(p) == expected, f"step {t} differs", update=update, gradients=gradients, p=p, expected=expected)


def cleared_root(of: Updates, draw: Draw) -> None:
    """(rate m^ / d - epsilon)^2 = v^ + epsilon_root for the step d = p - p' of any state: no root is evaluated."""
    update, state, p, g = _with_rational_roots(draw)
    after, moved = of.next(update, state, p, scalar_tree(-g))
    d = scalar(p) - scalar(moved)
    first = Fraction(update.first_decay) * scalar(state.first_moment) + (1 - Fraction(update.first_decay)) * g
    if d == 0 or first == 0:
        raise Inapplicable("the step is zero, so that the root cannot be cleared")
    b1, b2 = Fraction(update.first_decay), Fraction(update.second_decay)
    second = b2 * scalar(state.second_moment) + (1 - b2) * g * g
    corrected_first = first / (1 - b1 * state.first_power.item())
    corrected_second = second / (1 - b2 * state.second_power.item())
    square = (Fraction(update.rate) * corrected_first / d - Fraction(update.epsilon)) ** 2
    expected = corrected_second + Fraction(update.epsilon_root)
    require(square == expected, "the cleared root differs", update=update, state=state, g=g, square=square, v=expected)
    require(scalar(after.first_moment) == first, "the next m is another", update=update, m=after.first_moment)


def scale(of: Updates, draw: Draw) -> None:
    """Gradients, m and epsilon times c, v and epsilon_root times c^2: the parameters do not change."""
    update, state, p, g = _with_rational_roots(draw)
    c = positive_fraction(draw)
    scaled_update = replace(
        update, epsilon=c * Fraction(update.epsilon), epsilon_root=c * c * Fraction(update.epsilon_root)
    )
    scaled_state = state.with_entries(
        first_moment=scalar_tree(c * scalar(state.first_moment)),
        second_moment=scalar_tree(c * c * scalar(state.second_moment)),
    )
    after, moved = of.next(update, state, p, scalar_tree(-g))
    other, other_moved = of.next(scaled_update, scaled_state, p, scalar_tree(-c * g))
    require(moved == other_moved, "the scale shows in the step", update=update, c=c, steps=(moved, other_moved))
    scaled = scalar(other.first_moment) == c * scalar(after.first_moment)
    scaled = scaled and scalar(other.second_moment) == c * c * scalar(after.second_moment)
    require(scaled, "the moments do not scale by c and c^2", update=update, c=c, after=after, other=other)


def epsilon_hat(of: Updates, draw: Draw) -> None:
    """The reordered form with epsilon is Algorithm 1 with epsilon / sqrt(1 - b2^t): one constant cannot serve both."""
    b2, s = Fraction(7, 8), draw.choice([Fraction(1, 2), Fraction(2, 3), Fraction(3, 4), Fraction(4, 5)])
    raw = replace(adam(draw), second_decay=b2, epsilon_at="raw")
    corrected = replace(raw, epsilon_at="corrected", epsilon=Fraction(raw.epsilon) / s)
    root, g, m = 10 + positive_fraction(draw), fraction(draw), fraction(draw)
    second = (root * root - (1 - b2) * g * g) / b2
    state = _state(m, second, Fraction(1, 3), (1 - s * s) / b2)
    p = scalar_tree(fraction(draw))
    (_, by_raw), (_, by_corrected) = (of.next(each, state, p, scalar_tree(-g)) for each in (raw, corrected))
    require(by_raw == by_corrected, "the two places differ by more than sqrt(1 - b2^t)", update=raw, state=state, g=g)


def _with_rational_roots(draw: Draw) -> tuple[Adam, Tree, Tree, Fraction]:
    """A case of Adam in which v^ + epsilon_root and v^ + epsilon_root + epsilon are squares.

    The second keeps a planted mistake, epsilon under the root, as exact as the definition. The root is above 10, so
    that the second moment it belongs to is positive. Returns the update, the state, the parameter and the gradient.
    """
    root, more = 10 + positive_fraction(draw), Fraction(1, draw.integer(20, 40))
    inside = Fraction(1, draw.integer(7, 9))
    update = replace(adam(draw), epsilon=(root + more) ** 2 - root**2, epsilon_root=inside)
    g, m = fraction(draw), fraction(draw)
    b2, power = Fraction(update.second_decay), Fraction(draw.integer(1, 6), 7)
    second = ((root * root - inside) * (1 - b2 * power) - (1 - b2) * g * g) / b2
    return update, _state(m, second, Fraction(draw.integer(1, 4), 5), power), scalar_tree(fraction(draw)), g


def _state(first: Fraction, second: Fraction, first_power: Fraction, second_power: Fraction) -> Tree:
    return Tree(
        first_moment=scalar_tree(first),
        second_moment=scalar_tree(second),
        first_power=rational(first_power),
        second_power=rational(second_power),
    )


def _states(of: Updates, update: Adam, gradients: list[Fraction]) -> Iterator[Tree]:
    """The states after each gradient, one by one: after a wrong one, the next root need not be rational."""
    p = scalar_tree(Fraction(2))
    state = of.initial(update, p)
    for g in gradients:
        state, p = follow(of, update, state, p, [scalar_tree(g)])[-1]
        yield state


def _weighted(decay: Fraction, terms: list[Fraction]) -> Fraction:
    """(1 - decay) sum_i decay^(t-i) x_i."""
    return (1 - decay) * sum((decay ** (len(terms) - i) * x for i, x in enumerate(terms, start=1)), Fraction(0))


SOURCE = "derived by hand from Kingma and Ba 2015, Algorithm 1 (arXiv:1412.6980)"

LAWS: tuple[Law[Updates], ...] = (
    Law(
        "adam-moments-closed-form",
        "m_t = (1 - b1) sum_i b1^(t-i) g_i, v_t = (1 - b2) sum_i b2^(t-i) g_i^2",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        moments_are_weighted_sums,
        {"Adam storing corrected moments": planted.adam_storing_corrected_moments},
    ),
    Law(
        "adam-corrected-moments-are-means",
        "m_t / (1 - b1^t) = g and v_t / (1 - b2^t) = g^2 for a constant gradient g",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        corrected_moments_are_means,
        {"Adam storing corrected moments": planted.adam_storing_corrected_moments},
    ),
    Law(
        "adam-trajectory",
        "p_t = p_0 - rate sum_i m^_i / (sqrt(v^_i) + epsilon)",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        trajectory,
        {"rate applied twice": planted.rate_applied_twice},
    ),
    Law(
        "adam-cleared-root",
        "(rate m^ / (p - p') - epsilon)^2 = v^ + epsilon_root",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        cleared_root,
        {
            "epsilon under the root": planted.epsilon_under_the_root,
            "Adam storing corrected moments": planted.adam_storing_corrected_moments,
        },
    ),
    Law(
        "adam-scale",
        "gradients and epsilon times c, epsilon_root times c^2: the same trajectory",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        scale,
        {"epsilon fixed": planted.epsilon_fixed},
    ),
    Law(
        "adam-epsilon-hat",
        "the reordered form with epsilon = Algorithm 1 with epsilon / sqrt(1 - b2^t)",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        epsilon_hat,
        {"epsilon always corrected": planted.epsilon_always_corrected},
    ),
)
