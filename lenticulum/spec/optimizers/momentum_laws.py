"""Laws of gradient descent, momentum and Nesterov: closed forms on the quadratic, conjugacies, places of the rate."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from lenticulum.numbers import ExactArray, total
from lenticulum.spec.bitwise import bitwise_equal
from lenticulum.spec.draw import Draw
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.spec.optimizers import planted
from lenticulum.spec.optimizers.cases import (
    UPDATES,
    Updates,
    any_update,
    decay,
    descend,
    enclosed,
    follow,
    gradients,
    heavy_ball,
    nesterov,
    parameters,
    quadratic,
    rate,
    step,
)
from lenticulum.terms import Adagrad, Adam, GradientDescent, Momentum, Nesterov, Tree, map_leaves, replace

Matrix = tuple[tuple[ExactArray, ExactArray], tuple[ExactArray, ExactArray]]


def append(of: Updates, draw: Draw) -> None:
    """run(xs ++ ys) = run(ys) after run(xs): what a step needs is in the state."""
    update, start = any_update(draw), parameters(draw)
    xs, ys = gradients(draw, draw.integer(1, 3)), gradients(draw, draw.integer(2, 4))
    if isinstance(update, Adagrad | Adam):
        start, xs, ys = enclosed(start), [enclosed(x) for x in xs], [enclosed(y) for y in ys]
    state = of.initial(update, start)
    at_once = follow(of, update, state, start, [*xs, *ys])[-1]
    between = follow(of, update, state, start, xs)[-1]
    in_two = follow(of, update, *between, ys)[-1]
    require(
        bitwise_equal(at_once, in_two), "the run in two parts differs", update=update, at_once=at_once, in_two=in_two
    )


def zero_gradient(of: Updates, draw: Draw) -> None:
    """U*(s, p, 0) is a documented drift: b' = decay b, and p moves by what is left in the buffer.

    Descent stays, and so do Adam from zero moments and Adagrad.
    """
    update, start = any_update(draw), parameters(draw)
    if isinstance(update, Adagrad | Adam):
        start = enclosed(start)
        _, unmoved = step(
            of, update, of.initial(update, start), start, lambda _: map_leaves(lambda leaf: leaf * 0, start)
        )
        require(
            unmoved == start, "p moved from zero moments and a zero gradient", update=update, p=start, moved=unmoved
        )
        return
    state, p = follow(of, update, of.initial(update, start), start, gradients(draw, 2))[-1]
    after, moved = step(of, update, state, p, lambda _: map_leaves(lambda leaf: leaf * 0, p))
    if isinstance(update, GradientDescent):
        require(moved == p, "p moved without a gradient", p=p, moved=moved)
        return
    assert isinstance(update, Momentum | Nesterov)
    gamma = Fraction(update.decay)
    outside = Fraction(update.rate) if update.rate_in == "step" else Fraction(1)
    again = gamma if isinstance(update, Nesterov) and update.stores == "look_ahead" else Fraction(1)
    buffer = _scaled(state.buffer, gamma)
    drifted = _minus(p, _scaled(buffer, outside * again))
    require(after.buffer == buffer, "the buffer is not decayed", update=update, before=state.buffer, after=after.buffer)
    require(moved == drifted, "the drift is another", update=update, p=p, moved=moved, expected=drifted)


def descent_on_the_quadratic(of: Updates, draw: Draw) -> None:
    """p_n = (1 - rate k)^n p_0."""
    update, start = GradientDescent(rate(draw)), parameters(draw)
    curvature, gradient = quadratic(draw)
    eps = Fraction(update.rate)
    for n, (_, p) in enumerate(descend(of, update, Tree(), start, gradient, 4), start=1):
        expected = map_leaves(lambda k, p0, n=n: (1 - k * eps) ** n * p0, curvature, start)
        require(p == expected, f"step {n} differs from (1 - rate k)^n p0", update=update, p=p, expected=expected)


def heavy_ball_on_the_quadratic(of: Updates, draw: Draw) -> None:
    """(s, p)_n = [[gamma, -rate k], [gamma, 1 - rate k]]^n (s, p)_0, where s = -rate b is the last move."""
    update = Momentum(rate=rate(draw), decay=decay(draw), rate_in=draw.choice(["step", "buffer"]))
    gamma, eps = Fraction(update.decay), Fraction(update.rate)
    _iterates(of, draw, update, lambda k: ((k.lift(gamma), -eps * k), (k.lift(gamma), 1 - eps * k)))


def nesterov_on_the_quadratic(of: Updates, draw: Draw) -> None:
    """(s, p)_n = [[gamma (1 - rate k), -rate k], [gamma (1 - rate k), 1 - rate k]]^n (s, p)_0, where p is stored."""
    update = Nesterov(rate=rate(draw), decay=decay(draw), rate_in=draw.choice(["step", "buffer"]))
    gamma, eps = Fraction(update.decay), Fraction(update.rate)
    _iterates(of, draw, update, lambda k: ((gamma * (1 - eps * k), -eps * k), (gamma * (1 - eps * k), 1 - eps * k)))


def buffer_is_a_weighted_sum(of: Updates, draw: Draw) -> None:
    """b_t = sum_i decay^(t-i) (1 - dampening) g_i, and the first g enters undamped where `first` says so."""
    update, start, given = heavy_ball(draw), parameters(draw), gradients(draw, 4)
    gamma, kept = Fraction(update.decay), 1 - Fraction(update.dampening)
    inside = Fraction(update.rate) if update.rate_in == "buffer" else Fraction(1)
    for t, (state, _) in enumerate(follow(of, update, of.initial(update, start), start, given), start=1):
        weights = [gamma ** (t - i) * kept * inside for i in range(1, t + 1)]
        if update.first == "undamped":
            weights[0] = gamma ** (t - 1) * inside
        expected = _combination(weights, given[:t])
        require(state.buffer == expected, f"the buffer after step {t} differs", update=update, buffer=state.buffer)
        require(int(state.count) == t, "the count is not the number of steps", count=state.count, steps=t)


def nesterov_forms_are_conjugate(of: Updates, draw: Draw) -> None:
    """The look-aheads q = p - rate decay b of the stored p, and the stored q, are one trajectory, on a cubic loss."""
    stored = replace(nesterov(draw), stores="parameter")
    ahead = replace(stored, stores="look_ahead")
    start = parameters(draw)
    curvature, _ = quadratic(draw)

    def gradient(q: Tree) -> Tree:
        return map_leaves(lambda k, x: k * x + x * x / 3, curvature, q)

    state = of.initial(stored, start)
    ps = descend(of, stored, state, start, gradient, 3)
    qs = descend(of, ahead, of.initial(ahead, start), start, gradient, 3)
    outside = Fraction(stored.rate) if stored.rate_in == "step" else Fraction(1)
    for n, ((s, p), (other, q)) in enumerate(zip(ps, qs, strict=True), start=1):
        expected = _minus(p, _scaled(s.buffer, outside * Fraction(stored.decay)))
        require(q == expected, f"step {n}: q differs from p - rate decay b", update=stored, q=q, expected=expected)
        require(s.buffer == other.buffer, f"step {n}: the buffers differ", update=stored, buffers=(s, other))


def place_of_a_constant_rate(of: Updates, draw: Draw) -> None:
    """With one rate, its two places give one trajectory, and buffers that differ by the rate."""
    outside = replace(draw.choice([heavy_ball(draw), nesterov(draw)]), rate_in="step")
    inside = replace(outside, rate_in="buffer")
    start = parameters(draw)
    _, gradient = quadratic(draw)
    steps = descend(of, outside, of.initial(outside, start), start, gradient, 4)
    buffers = descend(of, inside, of.initial(inside, start), start, gradient, 4)
    for n, ((s, p), (t, q)) in enumerate(zip(steps, buffers, strict=True), start=1):
        require(p == q, f"step {n}: the trajectories differ", update=outside, step=p, buffer=q)
        scaled = _scaled(s.buffer, Fraction(outside.rate))
        require(t.buffer == scaled, f"step {n}: the buffers do not differ by the rate", update=outside, buffer=t.buffer)


def place_of_a_changing_rate(of: Updates, draw: Draw) -> None:
    """After a change from r to r', the rate in the buffer leads by exactly decay b (r' - r) in the next step."""
    r, changed = rate(draw), rate(draw)
    outside = Momentum(rate=r, decay=decay(draw), rate_in="step")
    start, (first, second) = parameters(draw), gradients(draw, 2)
    if r == changed or outside.decay == 0 or not any((leaf > 0).any() or (leaf < 0).any() for leaf in first.leaves()):
        raise Inapplicable("the rate, the decay or the gradient is such that nothing can differ")

    def ends(update: Momentum) -> tuple[Tree, Tree]:
        after = follow(of, update, of.initial(update, start), start, [first])[-1]
        return after[0], follow(of, replace(update, rate=changed), *after, [second])[-1][1]

    state, by_step = ends(outside)
    _, by_buffer = ends(replace(outside, rate_in="buffer"))
    lead = _scaled(state.buffer, Fraction(outside.decay) * (changed - r))
    require(
        by_buffer == map_leaves(lambda p, d: p + d, by_step, lead), "the lead is another", by_step=by_step, lead=lead
    )
    require(by_buffer != by_step, "the two placements agree under a schedule", rates=(r, changed), p=by_step)


def _iterates(of: Updates, draw: Draw, update: Momentum | Nesterov, matrix: Callable[[ExactArray], Matrix]) -> None:
    """From a start where the buffer is not zero, n steps are the n-th power of the matrix, entry by entry."""
    curvature, gradient = quadratic(draw)
    p, s = parameters(draw), parameters(draw)
    outside = Fraction(update.rate) if update.rate_in == "step" else Fraction(1)
    state = of.initial(update, p).with_entries(buffer=_scaled(s, -1 / outside))
    for n, (after, moved) in enumerate(descend(of, update, state, p, gradient, 4), start=1):
        s, p = (map_leaves(lambda k, x, y, row=row: _row(matrix(k)[row], x, y), curvature, s, p) for row in (0, 1))
        require(moved == p, f"step {n} differs from the matrix power", update=update, p=moved, expected=p)
        move = _scaled(after.buffer, -outside)
        require(move == s, f"the move of step {n} differs", update=update, move=move, expected=s)


def _row(entries: tuple[ExactArray, ExactArray], x: ExactArray, y: ExactArray) -> ExactArray:
    return entries[0] * x + entries[1] * y


def _scaled(tree: Tree, factor: Fraction) -> Tree:
    return map_leaves(lambda leaf: leaf * factor, tree)


def _minus(left: Tree, right: Tree) -> Tree:
    return map_leaves(lambda x, y: x - y, left, right)


def _combination(weights: list[Fraction], trees: list[Tree]) -> Tree:
    def combined(*leaves: ExactArray) -> ExactArray:
        return total([leaf * weight for leaf, weight in zip(leaves, weights, strict=True)])

    return map_leaves(combined, *trees)


SOURCE = "derived by hand from arXiv:2103.01931, equations 3.11, 3.15, 3.16 with the sign of Polyak 1964"
RATE_SOURCE = "derived by hand from torch.optim.SGD (the rate in the step) and Sutskever et al. 2013 (in the buffer)"

LAWS: tuple[Law[Updates], ...] = (
    Law(
        "optimizer-append",
        "run(xs ++ ys) = run(ys) after run(xs)",
        "an optimizer is a pure step of (state, parameters): George et al. 2026 (TorchLean), arXiv:2602.22631",
        Grade.EXACT,
        UPDATES,
        append,
        {"steps counted outside the state": planted.steps_counted_outside_the_state},
    ),
    Law(
        "zero-gradient-drift",
        "U*(s, p, 0) = (gamma s, p + gamma s) for momentum, and (s, p) for descent",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        zero_gradient,
        {"momentum with the sign in print": planted.momentum_with_the_sign_in_print},
    ),
    Law(
        "descent-closed-form",
        "p_n = (1 - rate k)^n p_0 on k p^2 / 2",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        descent_on_the_quadratic,
        {"rate applied twice": planted.rate_applied_twice},
    ),
    Law(
        "heavy-ball-closed-form",
        "(s, p)_n = [[gamma, -rate k], [gamma, 1 - rate k]]^n (s, p)_0 on k p^2 / 2",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        heavy_ball_on_the_quadratic,
        {
            "momentum with the sign in print": planted.momentum_with_the_sign_in_print,
            "rate applied twice": planted.rate_applied_twice,
        },
    ),
    Law(
        "nesterov-closed-form",
        "(s, p)_n = [[gamma (1 - rate k), -rate k], [gamma (1 - rate k), 1 - rate k]]^n (s, p)_0 on k p^2 / 2",
        SOURCE,
        Grade.EXACT,
        UPDATES,
        nesterov_on_the_quadratic,
        {
            "look-ahead stored": planted.look_ahead_stored,
            "stale parameters in the look-ahead": planted.stale_look_ahead,
            "momentum with the sign in print": planted.momentum_with_the_sign_in_print,
            "rate applied twice": planted.rate_applied_twice,
        },
    ),
    Law(
        "momentum-buffer-closed-form",
        "b_t = sum_i decay^(t-i) (1 - dampening) g_i, the first g undamped or damped",
        "derived by hand from the recurrence in the documentation of torch.optim.SGD",
        Grade.EXACT,
        UPDATES,
        buffer_is_a_weighted_sum,
        {
            "first gradient damped": planted.first_gradient_damped,
            "momentum with the sign in print": planted.momentum_with_the_sign_in_print,
        },
    ),
    Law(
        "nesterov-conjugacy",
        "q_n = p_n - rate decay b_n: the stored look-ahead and the look-ahead of the stored parameter",
        "derived by hand from Sutskever et al. 2013 (p is stored) and optax.trace (the look-ahead is stored)",
        Grade.EXACT,
        UPDATES,
        nesterov_forms_are_conjugate,
        {"stale parameters in the look-ahead": planted.stale_look_ahead},
    ),
    Law(
        "rate-placement-constant",
        "with a constant rate, the rate in the buffer and in the step give one trajectory",
        RATE_SOURCE,
        Grade.EXACT,
        UPDATES,
        place_of_a_constant_rate,
        {"rate always in the step": planted.rate_always_in_the_step},
    ),
    Law(
        "rate-placement-schedule",
        "after a change from r to r', the rate in the buffer leads by decay b (r' - r)",
        RATE_SOURCE,
        Grade.EXACT,
        UPDATES,
        place_of_a_changing_rate,
        {"rate always in the step": planted.rate_always_in_the_step},
    ),
)
