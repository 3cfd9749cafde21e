"""The exercises of the textbook as laws: a reader's function is accepted, or rejected with the smallest case found.

Each law states what a solution must satisfy, in a formulation other than the solution itself, and plants mistakes that
it must reject (tests/conformance/test_chapter1.py, test_chapter2.py, test_chapter5.py,
test_chapter6.py).
"""

import struct
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Any

from lenticulum import spec
from lenticulum.check.engine import run_law
from lenticulum.numbers import (
    BINARY32,
    Rational,
    Rounded,
    absolute,
    ball,
    cos,
    decode,
    rational,
    rounded,
    sin,
    sqrt,
    total,
    vjp,
    working_precision,
)
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

# Exercise 4: (x, precision, minimum exponent) -> ulp of x.
Spacing = Callable[[Fraction, int, int], Fraction]
# Exercise 5: numbers of binary32 -> numbers of binary32.
Program = Callable[[Rounded], Rounded]
# Exercise 6: (bad inputs, inputs, draws) -> probability.
Chance = Callable[[int, int, int], Fraction]


def spaces_the_numbers_of_its_binade(spacing: Spacing, draw: Draw) -> None:
    """ulp(x) is a power of two; max(|x|, 2^emin) has exactly p digits before it: 2^(p-1) ulp <= |x| < 2^p ulp."""
    precision, lowest = draw.integer(2, 8), -draw.integer(0, 6)
    x = positive_fraction(draw) * Fraction(2) ** (draw.integer(0, 16) - 8) * draw.choice([1, -1])
    given = Fraction(spacing(x, precision, lowest))
    size = max(abs(x), Fraction(2) ** lowest)
    power = given > 0 and all(part & (part - 1) == 0 for part in (given.numerator, given.denominator))
    require(
        power and 2 ** (precision - 1) * given <= size < 2**precision * given,
        "this is not the distance of the numbers around x",
        x=x,
        precision=precision,
        minimum_exponent=lowest,
        given=given,
    )


def loses_no_digits(program: Program, draw: Draw) -> None:
    """K of the result is at most 4, against 1 - cos x = 2 sin(x/2)^2 on balls."""
    mantissa, exponent = draw.integer(1, 1 << 12), draw.integer(0, 20)
    x = Fraction(mantissa, 1 << 12) * Fraction(2) ** -exponent
    y = decode(int(program(rounded(x, BINARY32)).bits()), BINARY32)
    unit, eta = BINARY32.unit_roundoff, BINARY32.smallest_subnormal / 2
    with working_precision(200):
        point = ball(x)
        value, moved = 1 - cos(point), absolute(point * sin(point))
        error = absolute(value - ball(y)) if isinstance(y, Fraction) or y == 0 else None
        inside = error is not None and bool(error <= 4 * (unit * (moved + absolute(value)) + eta))
    require(inside, "K is larger than 4", x=x, given=y)


def counts_the_samples(chance: Chance, draw: Draw) -> None:
    """The probability = the share of all sequences of inputs that hold a bad one, counted one by one."""
    inputs, sample = draw.integer(1, 5), draw.integer(1, 4)
    bad = draw.integer(0, inputs)
    sequences = list(product(range(inputs), repeat=sample))
    expected = Fraction(sum(min(each) < bad for each in sequences), len(sequences))
    given = chance(bad, inputs, sample)
    require(
        given == expected,
        "this is not the share of samples that meet a bad input",
        bad=bad,
        inputs=inputs,
        sample=sample,
        given=given,
        expected=expected,
    )


def ulp_of(x: Fraction, precision: int, minimum_exponent: int) -> Fraction:
    """The power of two of the binade of x, but at least the smallest one, times 2^(1-p)."""
    exponent = abs(x.numerator).bit_length() - x.denominator.bit_length()
    exponent -= abs(x) < Fraction(2) ** exponent
    return Fraction(2) ** (max(exponent, minimum_exponent) - precision + 1)


SPACING = Law[Spacing](
    "exercise 4",
    "ulp is the spacing of the numbers of the binade, with a floor below the normal numbers",
    "Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., section 2.3.2",
    Grade.EXACT,
    ulp_of,
    spaces_the_numbers_of_its_binade,
    {
        "no floor": lambda x, p, lowest: ulp_of(x, p, -1000),
        "one bit too many": lambda x, p, lowest: ulp_of(x, p + 1, lowest),
        "the relative spacing": lambda x, p, lowest: abs(x) * Fraction(2) ** (1 - p),
        "positive numbers only": lambda x, p, lowest: ulp_of(max(x, Fraction(2) ** lowest), p, lowest),
    },
)

ONE_MINUS_COS = Law[Program](
    "exercise 5",
    "1 - cos x can be computed without loss of digits",
    "Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 1.7",
    Grade.ENCLOSED,
    lambda x: 2 * (sin(x / 2) * sin(x / 2)),
    loses_no_digits,
    {
        "the difference": lambda x: 1 - cos(x),
        "by the square of the sine": lambda x: 1 - sqrt(1 - sin(x) * sin(x)),
        "a series cut off early": lambda x: x * x / 2,
    },
)

CHANCE = Law[Chance](
    "exercise 6",
    "m draws meet a fraction q with probability 1 - (1 - q)^m",
    "elementary counting",
    Grade.EXACT,
    lambda bad, inputs, sample: 1 - (1 - Fraction(bad, inputs)) ** sample,
    counts_the_samples,
    {
        "added up": lambda bad, inputs, sample: Fraction(bad * sample, inputs),
        "every draw bad": lambda bad, inputs, sample: Fraction(bad, inputs) ** sample,
        "one draw too few": lambda bad, inputs, sample: 1 - (1 - Fraction(bad, inputs)) ** (sample - 1),
    },
)

# Exercise 10: a number -> its key.
KeyOf = Callable[[object], Hashable]
# Exercise 11: a partition of numbers into groups -> its one form.
Groups = tuple[tuple[int, ...], ...]
Canonical = Callable[[Groups], Hashable]
# Exercise 12: (key, program) of each call -> the calls that are served another program.
Calls = Sequence[tuple[int, str]]
Served = Callable[[Calls], list[int]]


def same_bits(a: object, b: object) -> bool:
    """Whether two numbers are of one type and, as IEEE numbers or integers, one value; NaN is one value."""
    if type(a) is not type(b):
        return False
    if not isinstance(a, float) or not isinstance(b, float):
        return a == b
    return (a != a and b != b) or struct.pack("<d", a) == struct.pack("<d", b)


def separates_what_differs(key: KeyOf, draw: Draw) -> None:
    """Two numbers share a key, and its hash, exactly if they have the same type and bits."""
    numbers = [True, False, 1, 0, -1, -2, 1.0, 0.0, -0.0, 0.5, -2.0, float("nan"), float("inf")]
    a, b = draw.choice(numbers), draw.choice(numbers)
    if isinstance(b, float) and b != b:
        b = float("nan")  # another object
    shared = key(a) == key(b) and hash(key(a)) == hash(key(b))
    require(shared == same_bits(a, b), "this is not the identity of a number", a=repr(a), b=repr(b), shared=shared)


def partition(draw: Draw, size: int) -> Groups:
    """Put each number into one of the groups, and the groups and their members into some order."""
    groups: dict[int, list[int]] = {}
    for number in range(size):
        members = groups.setdefault(draw.integer(0, size - 1), [])
        members.insert(draw.integer(0, len(members)), number)
    left = list(groups.values())
    ordered: list[tuple[int, ...]] = []
    while left:
        ordered.append(tuple(left.pop(draw.integer(0, len(left) - 1))))
    return tuple(ordered)


def gives_one_form(canonical: Canonical, draw: Draw) -> None:
    """Two spellings have one form exactly if they are one partition, that is, the same set of sets."""
    size = draw.integer(1, 3)
    a, b = partition(draw, size), partition(draw, size)
    one = frozenset(map(frozenset, a)) == frozenset(map(frozenset, b))
    given = canonical(a) == canonical(b)
    require(given == one, "this is not one form for each partition", a=a, b=b, given=given, expected=one)


def finds_the_stale_calls(served: Served, draw: Draw) -> None:
    """A call is served the program of the first call with its key."""
    calls = [(draw.integer(0, 2), draw.choice(["f", "g"])) for _ in range(draw.integer(1, 5))]
    keys = [key for key, _ in calls]
    expected = [n for n, (key, program) in enumerate(calls) if calls[keys.index(key)][1] != program]
    given = list(served(calls))
    require(given == expected, "these are not the calls that are served another program",
            calls=calls, given=given, expected=expected)  # fmt: skip


def stale_calls(calls: Calls) -> list[int]:
    """Keep the program of the first call with each key, and compare."""
    cache: dict[int, str] = {}
    return [number for number, (key, program) in enumerate(calls) if cache.setdefault(key, program) != program]


def of_the_last_call(calls: Calls) -> list[int]:
    """A cache that each call overwrites, which jax does not have."""
    cache: dict[int, str] = {}
    found = []
    for number, (key, program) in enumerate(calls):
        if cache.get(key, program) != program:
            found.append(number)
        cache[key] = program
    return found


IDENTITY = Law[KeyOf](
    "exercise 10",
    "a key separates numbers of another type or other bits, and no others",
    "Stated for this library; what weaker keys cost is in tests/conformance/test_published_miscompiles.py",
    Grade.EXACT,
    lambda number: (type(number), repr(number)),
    separates_what_differs,
    {
        "the number itself": lambda number: number,
        "type and number": lambda number: (type(number), number),
        "its hash": lambda number: (type(number), hash(number)),
        "as a float": lambda number: repr(float(number)),
    },
)

ONE_FORM = Law[Canonical](
    "exercise 11",
    "one meaning has one form, and two meanings have two",
    "Stated for this library",
    Grade.EXACT,
    lambda groups: tuple(sorted(tuple(sorted(group)) for group in groups)),
    gives_one_form,
    {
        "as it is written": lambda groups: groups,
        "sorted outside only": lambda groups: tuple(sorted(groups)),
        "sorted inside only": lambda groups: tuple(tuple(sorted(group)) for group in groups),
        "the sizes": lambda groups: tuple(sorted(map(len, groups))),
    },
)

STALE_CALLS = Law[Served](
    "exercise 12",
    "a call is stale if the first call with its key had another program",
    "Stated for this library",
    Grade.EXACT,
    stale_calls,
    finds_the_stale_calls,
    {
        "against the last call": of_the_last_call,
        "every call with a key of two programs": lambda calls: [
            n for n, (key, _) in enumerate(calls) if len({program for other, program in calls if other == key}) > 1
        ],
        "misses": lambda calls: [n for n, (key, _) in enumerate(calls) if key not in [k for k, _ in calls[:n]]],
    },
)

# Exercise 7: (p, a, cotangent) -> cotangents of p and of a.
Put = Callable[[Fraction, Fraction, Fraction], tuple[Fraction, Fraction]]
# Exercise 8: (x, y, cotangent) -> cotangents of x and of y, all of them bits.
BooleanPut = Callable[[int, int, int], tuple[int, int]]
# Exercise 9: ((x, y), sum) -> (x, y).
PutSum = Callable[[tuple[Fraction, Fraction], Fraction], tuple[Fraction, Fraction]]


def pulls_back_both_uses(put: Put, draw: Draw) -> None:
    """The cotangents of f(p, a) = p (p + a) = c times its central differences, which are exact for a quadratic."""
    p, a, c, h = fraction(draw), fraction(draw), fraction(draw), positive_fraction(draw)

    def f(p: Fraction, a: Fraction) -> Fraction:
        return p * (p + a)

    expected = (c * (f(p + h, a) - f(p - h, a)) / (2 * h), c * (f(p, a + h) - f(p, a - h)) / (2 * h))
    given = put(p, a, c)
    shown = {"given": row(given), "expected": row(expected)}
    require(given == expected, "this is not the put", p=p, a=a, cotangent=c, **shown)


def pulls_back_or(put: BooleanPut, draw: Draw) -> None:
    """Bit by bit the cotangent is d where flipping the input flips x or y: OR is one formula in which no x repeats."""
    x, y, d = draw.integer(0, 1), draw.integer(0, 1), draw.integer(0, 1)
    expected = (d * ((1 - x | y) ^ (x | y)), d * ((x | 1 - y) ^ (x | y)))
    given = put(x, y, d)
    shown = {"given": row(given), "expected": row(expected)}
    require(given == expected, "this is not the reverse of OR", x=x, y=y, cotangent=d, **shown)


def obeys_the_three_laws(put: PutSum, draw: Draw) -> None:
    """GetPut, PutGet and PutPut for get(x, y) = x + y."""
    s = fraction(draw), fraction(draw)
    a, b = fraction(draw), fraction(draw)
    back, once = put(s, sum(s)), put(s, a)
    require(back == s, "GetPut fails: putting back the sum changes the pair", pair=row(s), put=row(back))
    require(sum(once) == a, "PutGet fails: the sum is not what was put", pair=row(s), put=a, sum=sum(once))
    twice, direct = put(once, b), put(s, b)
    shown = {"twice": row(twice), "once": row(direct)}
    require(twice == direct, "PutPut fails: the first put shows", pair=row(s), puts=row((a, b)), **shown)


def row(values: Any) -> str:
    """Numbers in a row."""
    return ", ".join(map(str, values)) if isinstance(values, tuple) else str(values)


BOTH_USES = Law[Put](
    "exercise 7",
    "the cotangent of a parameter is the sum over its uses",
    "arXiv:2103.01931, Definition 2.6 (RD.4)",
    Grade.EXACT,
    lambda p, a, c: (c * (2 * p + a), c * p),
    pulls_back_both_uses,
    {
        "the first use": lambda p, a, c: (c * (p + a), c * p),
        "the second use": lambda p, a, c: (c * p, c * p),
        "components exchanged": lambda p, a, c: (c * p, c * (2 * p + a)),
    },
)

OR = Law[BooleanPut](
    "exercise 8",
    "OR is x + y + x y modulo 2",
    "Wilson and Zanasi, Reverse Derivative Ascent, arXiv:2101.10488",
    Grade.EXACT,
    lambda x, y, d: ((1 + y) * d % 2, (1 + x) * d % 2),
    pulls_back_or,
    {
        "to the larger one": lambda x, y, d: (x * d, y * d),
        "that of AND": lambda x, y, d: (y * d, x * d),
        "that of XOR": lambda x, y, d: (d, d),
    },
)

SUM = Law[PutSum](
    "exercise 9",
    "the sum of a pair is a lawful lens, for a put that changes one of the two",
    "Foster et al. 2007",
    Grade.EXACT,
    lambda s, a: (a - s[1], s[1]),
    obeys_the_three_laws,
    {
        "in halves": lambda s, a: (a / 2, a / 2),
        "added": lambda s, a: (s[0] + a, s[1]),
        "the transpose": lambda s, a: (a, a),
        # GetPut and PutGet hold, PutPut does not: which of the two changes depends on what is there.
        "the smaller one changes": lambda s, a: (a - s[1], s[1]) if s[0] <= s[1] else (s[0], a - s[0]),
    },
)

EXERCISES: dict[int, Law] = {
    **{1: ACCUMULATION, 2: CLOSED_FORM, 3: RUNNING_MEAN},
    **{4: SPACING, 5: ONE_MINUS_COS, 6: CHANCE},
    **{7: BOTH_USES, 8: OR, 9: SUM},
    **{10: IDENTITY, 11: ONE_FORM, 12: STALE_CALLS},
}


def check(exercise: int, function: Callable[..., Any]) -> None:
    """Print the verdict on a reader's function: accepted in so many cases, or the smallest case that rejects it."""
    result = run_law(EXERCISES[exercise], function, seed=0, cases=200)
    if result.violation is None:
        print(f"accepted in all {result.checked} cases")
    else:
        print(f"rejected: {result.violation}")
