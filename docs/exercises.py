"""The exercises of the textbook as laws: a reader's function is accepted, or rejected with the smallest case found.

Each law states what a solution must satisfy, in a formulation other than the solution itself, and plants mistakes that
it must reject (tests/conformance/test_chapter1.py).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce

from lenticulum import spec
from lenticulum.check.engine import run_law
from lenticulum.numbers import Rational, rational, total, vjp
from lenticulum.spec.draw import Draw, fraction, positive_fraction
from lenticulum.spec.law import Grade, Law, require
from lenticulum.terms import Mode, Momentum, Tree

# Exercise 1: gradients -> gradient.
Accumulate = Callable[[Sequence[Fraction]], Fraction]
# Exercise 2: (start, gradient, rate, decay, steps) -> parameter.
Closed = Callable[[Fraction, Fraction, Fraction, Fraction, int], Fraction]
# Exercise 3: (running, batch mean, new weight, mode) -> running.
Running = Callable[[Fraction, Fraction, Fraction, Mode], Fraction]


def accumulates_to_the_mean_loss(accumulate: Accumulate, draw: Draw) -> None:
    """The gradient made from the gradients of k losses = the gradient of their mean, which is differentiated as one."""
    point = rational(fraction(draw))
    losses = [(fraction(draw), fraction(draw)) for _ in range(draw.integer(1, 4))]

    def mean_loss(p: Rational) -> Rational:
        return total([(p * slope - label) ** 2 for slope, label in losses]) / len(losses)

    gradients = [2 * slope * (point.item() * slope - label) for slope, label in losses]
    _, pull = vjp(mean_loss, point)
    expected = pull(point.lift(1))[0].item()
    given = accumulate(gradients)
    require(
        given == expected,
        "this is not the gradient of the mean loss",
        gradients=", ".join(map(str, gradients)),
        given=given,
        expected=expected,
    )


def equals_the_recurrence(closed: Closed, draw: Draw) -> None:
    """The closed form after n steps with a constant gradient = the recurrence taken n times."""
    start, gradient = fraction(draw), fraction(draw)
    rate, decay = positive_fraction(draw), Fraction(draw.integer(0, 5), 6)
    steps = draw.integer(0, 5)
    update = Momentum(rate, decay)
    parameters = Tree(theta=rational(start))
    state = spec.initial_update_state(update, parameters)
    for _ in range(steps):
        state, parameters = spec.update_next(update, state, parameters, Tree(theta=rational(-gradient)))
    given, expected = closed(start, gradient, rate, decay, steps), parameters.theta.item()
    require(
        given == expected,
        "the closed form is not the recurrence",
        start=start,
        gradient=gradient,
        rate=rate,
        decay=decay,
        steps=steps,
        given=given,
        expected=expected,
    )


def averages_the_training_batches(running: Running, draw: Draw) -> None:
    """After any calls, the running mean is (1-w)^k r_0 + sum_i w (1-w)^(k-i) b_i over the k training batches alone."""
    weight = Fraction(draw.integer(1, 5), 6)
    start = fraction(draw)
    calls = [(draw.choice([Mode.TRAIN, Mode.EVAL]), fraction(draw)) for _ in range(draw.integer(1, 5))]
    given = reduce(lambda r, call: running(r, call[1], weight, call[0]), calls, start)
    batches = [batch for mode, batch in calls if mode is Mode.TRAIN]
    kept = 1 - weight
    expected = kept ** len(batches) * start + sum(
        (weight * kept**age * batch for age, batch in enumerate(reversed(batches))), Fraction(0)
    )
    require(
        given == expected,
        "this is not the average of the training batches",
        start=start,
        weight=weight,
        calls=", ".join(f"{mode.value} {batch}" for mode, batch in calls),
        given=given,
        expected=expected,
    )


ACCUMULATION = Law[Accumulate](
    "exercise 1",
    "the mean of the gradients is the gradient of the mean loss",
    "linearity of the derivative",
    Grade.EXACT,
    lambda gradients: sum(gradients, Fraction(0)) / len(gradients),
    accumulates_to_the_mean_loss,
    {
        "never divided": lambda gradients: sum(gradients, Fraction(0)),
        "the last one only": lambda gradients: gradients[-1],
        "each one halved": lambda gradients: sum(gradients, Fraction(0)) / 2,
    },
)


def momentum_in_closed_form(
    start: Fraction, gradient: Fraction, rate: Fraction, decay: Fraction, steps: int
) -> Fraction:
    """The i-th buffer is a geometric sum; the parameter moves by the rate times their sum."""
    buffers = [gradient * (1 - decay**i) / (1 - decay) for i in range(1, steps + 1)]
    return start - rate * sum(buffers, Fraction(0))


CLOSED_FORM = Law[Closed](
    "exercise 2",
    "n steps of momentum with a constant gradient have a closed form",
    "Polyak 1964",
    Grade.EXACT,
    momentum_in_closed_form,
    equals_the_recurrence,
    {
        "the buffer at its limit": lambda start, g, rate, decay, n: start - rate * n * g / (1 - decay),
        "no momentum": lambda start, g, rate, decay, n: start - rate * n * g,
        "one step too many": lambda start, g, rate, decay, n: momentum_in_closed_form(start, g, rate, decay, n + 1),
        "the sign in print": lambda start, g, rate, decay, n: momentum_in_closed_form(start, g, rate, -decay, n),
    },
)


def running_mean(running: Fraction, batch: Fraction, weight: Fraction, mode: Mode) -> Fraction:
    """Training averages the batch in; evaluation leaves the state alone."""
    return (1 - weight) * running + weight * batch if mode is Mode.TRAIN else running


RUNNING_MEAN = Law[Running](
    "exercise 3",
    "the running mean averages the training batches, and evaluations can be erased",
    "Ioffe and Szegedy 2015, arXiv:1502.03167",
    Grade.EXACT,
    running_mean,
    averages_the_training_batches,
    {
        "evaluation that updates": lambda r, b, w, mode: running_mean(r, b, w, Mode.TRAIN),
        "weights exchanged": lambda r, b, w, mode: running_mean(r, b, 1 - w, mode),
        "replaced by the batch": lambda r, b, w, mode: b if mode is Mode.TRAIN else r,
    },
)

EXERCISES: dict[int, Law] = {1: ACCUMULATION, 2: CLOSED_FORM, 3: RUNNING_MEAN}


def check(exercise: int, function: Callable[..., Fraction]) -> None:
    """Print the verdict on a reader's function: accepted in so many cases, or the smallest case that rejects it."""
    result = run_law(EXERCISES[exercise], function, seed=0, cases=200)
    if result.violation is None:
        print(f"accepted in all {result.checked} cases")
    else:
        print(f"rejected: {result.violation}")
