"""Laws of Adagrad, exactly: the accumulator in closed form, the step with the root cleared, scale and start."""

from __future__ import annotations

from fractions import Fraction

from lenticulum.numbers import rational
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.spec.optimizers import planted
from lenticulum.spec.optimizers.cases import UPDATES, Updates, adagrad, enclosed, follow, rate, scalar, scalar_tree
from lenticulum.terms import Adagrad, Tree, replace


def accumulator_is_a_sum(of: Updates, draw: Draw) -> None:
    """a_t = start + sum_i g_i^2: nothing decays, and the cap does not enter a second time."""
    update, p = adagrad(draw), enclosed(scalar_tree(fraction(draw)))
    gradients = [fraction(draw) for _ in range(4)]
    given = [enclosed(scalar_tree(g)) for g in gradients]
    for t, (state, _) in enumerate(follow(of, update, of.initial(update, p), p, given), start=1):
        expected = Fraction(update.start) + sum(g * g for g in gradients[:t])
        found = state.accumulator.weight
        require(found.contains(rational([expected])), f"a_{t} differs", update=update, a=found, expected=expected)


def cleared_root(of: Updates, draw: Draw) -> None:
    """(rate g / d - epsilon)^2 = a', or (rate g / d)^2 = a' + epsilon, for the step d = p - p': no root evaluated."""
    update, accumulator, p, g = with_rational_roots(draw)
    after, moved = of.next(update, _state(accumulator), p, scalar_tree(-g))
    d = scalar(p) - scalar(moved)
    if d == 0 or g == 0:
        raise Inapplicable("the step is zero, so that the root cannot be cleared")
    ratio, epsilon = Fraction(update.rate) * g / d, Fraction(update.epsilon)
    outside = update.epsilon_at == "outside"
    square, expected = (ratio - epsilon) ** 2 if outside else ratio**2, accumulator + g * g
    expected = expected if outside else expected + epsilon
    require(square == expected, "the cleared root differs", update=update, g=g, square=square, expected=expected)
    require(scalar(after.accumulator) == accumulator + g * g, "the next a is another", update=update, a=after)


def scale(of: Updates, draw: Draw) -> None:
    """Gradients and epsilon times c, the start and the accumulator times c^2: the parameters do not change.

    An epsilon under the root goes with c^2. With epsilon = 0 the step is invariant to c.
    """
    update, accumulator, p, g = with_rational_roots(draw)
    c = positive_fraction(draw)
    power = c if update.epsilon_at == "outside" else c * c
    larger = replace(update, epsilon=power * Fraction(update.epsilon), start=c * c * Fraction(update.start))
    first, other_first = of.initial(update, p), of.initial(larger, p)
    require(
        scalar(other_first.accumulator) == c * c * scalar(first.accumulator),
        "the start value does not scale by c^2",
        update=update,
        c=c,
        starts=(first, other_first),
    )
    after, moved = of.next(update, _state(accumulator), p, scalar_tree(-g))
    other, other_moved = of.next(larger, _state(c * c * accumulator), p, scalar_tree(-c * g))
    require(moved == other_moved, "the scale shows in the step", update=update, c=c, steps=(moved, other_moved))
    squared = scalar(other.accumulator) == c * c * scalar(after.accumulator)
    require(squared, "the accumulator does not scale by c^2", update=update, c=c, after=after, other=other)


def start_shows_in_the_first_step(of: Updates, draw: Draw) -> None:
    """p_1 = p_0 - rate g / (sqrt(start + g^2) + epsilon): two start values give two first steps."""
    # (3, 4, 5) and (5, 12, 13), scaled: start = 16 s^2 or 144 s^2 beside g = 3 s or 5 s, and start 0.
    s, p, eps = positive_fraction(draw), fraction(draw), draw.choice([Fraction(1, 8), Fraction(1, 3)])
    leg, other, root = draw.choice([(3, 4, 5), (5, 12, 13), (8, 15, 17)])
    g = leg * s * draw.choice([1, -1])
    by = rate(draw)
    moved: list[Fraction] = []
    for start, r in ((Fraction(0), leg * s), ((other * s) ** 2, root * s)):
        update = Adagrad(by, start, eps)
        first = of.initial(update, scalar_tree(p))
        _, after = of.next(update, first, scalar_tree(p), scalar_tree(-g))
        expected = p - by * g / (r + eps)
        moved.append(scalar(after))
        require(moved[-1] == expected, "the first step differs", update=update, p=after, expected=expected)
    require(moved[0] != moved[1], "the start value does not show", rate=by, g=g, steps=moved)


def with_rational_roots(draw: Draw) -> tuple[Adagrad, Fraction, Tree, Fraction]:
    """A case in which a' and a' + epsilon are squares: the update, the accumulator, the parameter, the gradient."""
    root, more = 10 + positive_fraction(draw), Fraction(1, draw.integer(20, 40))
    update = replace(adagrad(draw), epsilon=(root + more) ** 2 - root**2)
    g = fraction(draw)
    return update, root * root - g * g, scalar_tree(fraction(draw)), g


def _state(accumulator: Fraction) -> Tree:
    return Tree(accumulator=scalar_tree(accumulator))


SOURCE = "derived by hand from Duchi, Hazan and Singer 2011, https://jmlr.org/papers/v12/duchi11a.html"

LAWS: tuple[Law[Updates], ...] = (
    Law(
        "adagrad-accumulator-closed-form",
        "a_t = start + sum_i g_i^2",
        SOURCE,
        Grade.ENCLOSED,
        UPDATES,
        accumulator_is_a_sum,
        {
            "another start value": planted.started_at_zero,
            "rate in the cap too": planted.rate_applied_twice,
        },
    ),
    Law(
        "adagrad-cleared-root",
        "(rate g / (p - p') - epsilon)^2 = a', or (rate g / (p - p'))^2 = a' + epsilon",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        cleared_root,
        {"epsilon at the other place": planted.epsilon_at_the_other_place},
    ),
    Law(
        "adagrad-scale",
        "gradients and epsilon times c, start times c^2: the same trajectory",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        scale,
        {"epsilon fixed": planted.epsilon_of_adagrad_fixed, "start fixed": planted.start_fixed},
    ),
    Law(
        "adagrad-start",
        "p_1 = p_0 - rate g / (sqrt(start + g^2) + epsilon)",
        "optax and Keras document the start 1/10, torch.optim.Adagrad 0; the paper is silent",
        Grade.EXACT,
        UPDATES,
        start_shows_in_the_first_step,
        {"another start value": planted.started_at_zero},
    ),
)
