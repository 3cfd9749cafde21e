"""Generators of the laws on optimizers: generic hyper-parameters, gradients of changing sign and size, exact roots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from lenticulum.numbers import Rational, ball, rational
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.optimizers.update import initial_update_state, update_next, update_point
from lenticulum.terms import Adagrad, Adam, GradientDescent, Momentum, Nesterov, Tree, Update, map_leaves

Gradient = Callable[[Tree], Tree]


@dataclass(frozen=True)
class Updates:
    """What the laws are about: the state before the first step, the point to evaluate at, the next state."""

    initial: Callable[[Update, Tree], Tree] = initial_update_state
    point: Callable[[Update, Tree, Tree], Tree] = update_point
    next: Callable[[Update, Tree, Tree, Tree], tuple[Tree, Tree]] = update_next


UPDATES = Updates()


def step(of: Updates, update: Update, state: Tree, parameters: Tree, gradient: Gradient) -> tuple[Tree, Tree]:
    """One step: the gradient at the point, then the next state and parameters; the cotangent is minus the gradient."""
    found = gradient(of.point(update, state, parameters))
    return of.next(update, state, parameters, map_leaves(lambda g: -g, found))


def descend(
    of: Updates, update: Update, state: Tree, parameters: Tree, gradient: Gradient, steps: int
) -> list[tuple[Tree, Tree]]:
    """The states and parameters after each of some steps."""
    found: list[tuple[Tree, Tree]] = []
    for _ in range(steps):
        state, parameters = step(of, update, state, parameters, gradient)
        found.append((state, parameters))
    return found


def follow(
    of: Updates, update: Update, state: Tree, parameters: Tree, gradients: list[Tree]
) -> list[tuple[Tree, Tree]]:
    """The states and parameters after each of some gradients given beforehand."""
    found: list[tuple[Tree, Tree]] = []
    for each in gradients:
        state, parameters = step(of, update, state, parameters, lambda _, each=each: each)
        found.append((state, parameters))
    return found


def rate(draw: Draw) -> Fraction:
    """A learning rate, never 1 and never a power of another field."""
    return draw.choice([Fraction(1, 10), Fraction(2, 7), Fraction(3, 5), Fraction(1, 16)])


def decay(draw: Draw) -> Fraction:
    """A decay, 0 included rarely: there every momentum is gradient descent."""
    chosen = draw.choice([Fraction(7, 8), Fraction(9, 10), Fraction(1, 2), Fraction(3, 4), Fraction(0)])
    draw.observe("no momentum", chosen == 0)
    return chosen


def descent(draw: Draw) -> GradientDescent:
    """Gradient descent at some rate."""
    return GradientDescent(rate(draw))


def heavy_ball(draw: Draw) -> Momentum:
    """Momentum under every convention."""
    return Momentum(
        rate=rate(draw),
        decay=decay(draw),
        dampening=draw.choice([Fraction(0), Fraction(1, 4), Fraction(2, 3)]),
        first=draw.choice(["undamped", "damped"]),
        rate_in=draw.choice(["step", "buffer"]),
    )


def nesterov(draw: Draw) -> Nesterov:
    """Nesterov under every convention."""
    stores, rate_in = draw.choice(["parameter", "look_ahead"]), draw.choice(["step", "buffer"])
    return Nesterov(rate=rate(draw), decay=decay(draw), stores=stores, rate_in=rate_in)


def adam(draw: Draw) -> Adam:
    """Adam with generic decays; epsilon is about 1/8, where its place can be seen."""
    return Adam(
        rate=rate(draw),
        first_decay=draw.choice([Fraction(7, 8), Fraction(1, 2), Fraction(2, 3)]),
        second_decay=draw.choice([Fraction(7, 8), Fraction(3, 4), Fraction(4, 5)]),
        epsilon=draw.choice([Fraction(1, 8), Fraction(1, 3), Fraction(2, 9)]),
    )


def adagrad(draw: Draw) -> Adagrad:
    """Adagrad with a start value, or none; epsilon is about 1/8, where its place can be seen."""
    start, epsilon = draw.choice([Fraction(0), Fraction(1, 10), Fraction(2, 3)]), draw.choice(["1/8", "1/3", "2/9"])
    return Adagrad(rate(draw), start, epsilon, draw.choice(["outside", "inside"]))


def any_update(draw: Draw) -> Update:
    """One of the optimizers."""
    kinds: list[Callable[[Draw], Update]] = [descent, heavy_ball, nesterov, adagrad, adam]
    return draw.choice(kinds)(draw)


def parameters(draw: Draw) -> Tree:
    """Two named leaves of unequal shapes."""
    return Tree(weight=rational([[fraction(draw), fraction(draw)]]), bias=rational([fraction(draw)]))


def gradients(draw: Draw, steps: int) -> list[Tree]:
    """A sequence of gradients that vanish in places and change sign and size."""
    drawn = [parameters(draw) for _ in range(steps)]
    draw.observe("all gradients equal", all(each == drawn[0] for each in drawn))
    return drawn


def enclosed(tree: Tree) -> Tree:
    """The same numbers as balls, for recurrences with roots."""
    return map_leaves(ball, tree)


def quadratic(draw: Draw) -> tuple[Tree, Gradient]:
    """The curvatures k of the loss sum k p^2 / 2, one for each entry, and its gradient k p."""
    curvature = Tree(
        weight=rational([[positive_fraction(draw), positive_fraction(draw)]]), bias=rational([positive_fraction(draw)])
    )
    return curvature, lambda p: map_leaves(lambda k, q: k * q, curvature, p)


def gradients_with_rational_roots(
    draw: Draw, second_decay: Fraction, steps: int
) -> tuple[list[Fraction], list[Fraction]]:
    """Gradients for which every corrected second moment v^_t of Adam is a square r_t^2, and the roots r_t >= 0.

    The next gradient g and root r lie on the conic alpha g^2 + beta r_t^2 = r^2 with alpha + beta = 1. It holds the
    rational point (r_t, r_t), so a line of any rational slope through it meets it in another rational point.
    """
    found = [Fraction(draw.choice([2, -3, 1, -1]), draw.integer(1, 3))]
    roots = [abs(found[0])]
    for t in range(2, steps + 1):
        alpha = (1 - second_decay) / (1 - second_decay**t)
        slope = Fraction(draw.integer(-4, 4), draw.choice([5, 7, 11]))
        move = 2 * roots[-1] * (slope - alpha) / (alpha - slope * slope)
        found.append(roots[-1] + move)
        roots.append(abs(roots[-1] + slope * move))
    draw.observe("all gradients equal", len(set(found)) == 1)
    return found, roots


def scalar_tree(number: Fraction) -> Tree:
    """One parameter."""
    return Tree(weight=rational([number]))


def scalar(tree: Tree) -> Fraction:
    """The value of one parameter."""
    leaf = tree.weight
    assert isinstance(leaf, Rational)
    return leaf.item()
