"""Scores against their definitions in rational numbers: ulp, K, strata, rounding with ties, thresholds, zeros, NaN."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from lenticulum.certify.enclosure import Enclosures
from lenticulum.certify.rule import Rule
from lenticulum.certify.score import BY_K, BY_WITHIN, REJECTED, STRATA, Scores, mixed_errors, score
from lenticulum.certify.subject import UNSIGNED
from lenticulum.numbers.formats import FORMATS, Format, decode, encode

NAMES = ["float8_e5m2", "float8_e4m3fn", "float16", "bfloat16", "float32"]

# A relative error that float64 roundings stay far below.
TIGHT = Fraction(2) ** -45


def spacing(f: Fraction, fmt: Format) -> Fraction:
    """The ulp by its definition, the binade found by doubling and halving."""
    exponent, size = 0, abs(f)
    while size >= 2:
        size, exponent = size / 2, exponent + 1
    while 0 < size < 1:
        size, exponent = size * 2, exponent - 1
    exponent = max(exponent, fmt.minimum_exponent) if size else fmt.minimum_exponent
    return Fraction(2) ** (exponent - fmt.precision + 1)


def number(pattern: int, fmt: Format) -> Fraction | float:
    """A finite number as a Fraction; an infinity or NaN as a float."""
    value = decode(pattern, fmt)
    return Fraction(value) if math.isfinite(value) else float(value)


def around(fmt: Format, draw: random.Random) -> list[Fraction]:
    """Draw exact values: numbers, midpoints, powers of two and what is next to them, thresholds, values between."""
    low, high = fmt.smallest_subnormal, fmt.largest
    found = [low, low / 2, low / 2**20, fmt.smallest_normal, fmt.smallest_normal - low / 2, high]
    threshold = fmt.overflow_threshold
    found += [threshold, threshold * (1 - Fraction(2) ** -40), threshold * (1 + Fraction(2) ** -40), threshold * 1000]
    last = fmt.largest_pattern
    for _ in range(60):
        pattern = draw.randrange(1, last)
        one, two = Fraction(decode(pattern, fmt)), Fraction(decode(pattern + 1, fmt))
        found += [
            one,
            (one + two) / 2,
            (one * 3 + two) / 4,
            one + (two - one) * Fraction(draw.randrange(1 << 12), 1 << 12),
        ]
    for exponent in range(fmt.minimum_exponent - 2, fmt.minimum_exponent + 20):
        power = Fraction(2) ** exponent
        found += [
            power,
            power - spacing(power, fmt) / 4,
            power - spacing(power, fmt) / 2,
            power + spacing(power, fmt) / 2,
        ]
    signed = [value * sign for value in found for sign in (1, -1)]
    # The enclosures of a format are float64 numbers, so the values are made such.
    return [*{Fraction(float(value)) for value in signed}, Fraction(0)]


def candidates(f: Fraction, fmt: Format) -> list[int]:
    """Patterns near the rounded value, the other zero, and what is no number."""
    nearest = encode(f, fmt)
    inside = range(1 << fmt.width)
    near = [nearest + step for step in range(-3, 4) if nearest + step in inside]
    zeros = [0, 1 << (fmt.width - 1)]
    return [*near, *zeros, encode(math.nan, fmt), encode(math.inf, fmt), encode(-math.inf, fmt), nearest ^ zeros[1]]


def cases(name: str) -> tuple[list[Fraction], list[int]]:
    fmt, draw = FORMATS[name], random.Random(name)
    pairs = [(f, y) for f in around(fmt, draw) for y in candidates(f, fmt)]
    return [f for f, _ in pairs], [y for _, y in pairs]


def scored(name: str, values: list[Fraction], patterns: list[int], *, flushes=False, within=None) -> Scores:
    fmt = FORMATS[name]
    f = np.array([float(value) for value in values])
    known = Enclosures(f, f, np.zeros(f.shape, bool), np.zeros(f.shape, bool))
    y = np.array(patterns, UNSIGNED[fmt.width])
    return score(np.zeros(f.shape, bool), y, known, Rule(fmt, flushes, within))


def stands_for(y: int, f: Fraction, fmt: Format) -> Fraction | None:
    """The number that an output is judged as; None for no number."""
    value, threshold = number(y, fmt), fmt.overflow_threshold
    if isinstance(value, Fraction):
        return value
    if math.isinf(value):
        return threshold if value > 0 else -threshold
    return (threshold if f > 0 else -threshold) if fmt.overflow == "nan" else None


def same(y: int, right: int, fmt: Format) -> bool:
    """Whether two patterns are the same number, zeros of both signs being one, and NaN where NaN is due."""
    a, b = number(y, fmt), number(right, fmt)
    return a == b or (math.isnan(a) and math.isnan(b))


def distance(y: int, f: Fraction, fmt: Format) -> Fraction | None:
    """|y - f|; 0 where y stands for all values from the threshold on and f is one of them; None for no number."""
    got, value = stands_for(y, f, fmt), number(y, fmt)
    if got is None:
        return None
    settled = isinstance(value, float) and abs(f) >= fmt.overflow_threshold and (got > 0) == (f > 0)
    return Fraction(0) if settled else abs(got - f)


@pytest.mark.parametrize("flushes", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_errors_of_known_values(name, flushes):
    fmt = FORMATS[name]
    values, patterns = cases(name)
    scores = scored(name, values, patterns, flushes=flushes)
    eta = fmt.smallest_normal if flushes else fmt.smallest_subnormal / 2
    for row, (f, y) in enumerate(zip(values, patterns, strict=True)):
        beyond = abs(f) >= fmt.overflow_threshold
        small = 0 < abs(f) < fmt.smallest_normal
        assert STRATA[scores.stratum[row]] == ("overflow" if beyond else "subnormal result" if small else "regular")
        apart = distance(y, f, fmt)
        if apart is None:
            assert scores.ulp_most[row] == scores.k_most[row] == math.inf
            assert (scores.accepted[row], scores.rounding[row]) == (REJECTED, 0)
            continue
        error = apart / spacing(abs(f), fmt)
        assert Fraction(scores.ulp_least[row]) <= error <= Fraction(scores.ulp_most[row])
        assert Fraction(scores.ulp_most[row]) <= error * (1 + TIGHT)
        assert Fraction(scores.ulp_least[row]) >= error * (1 - TIGHT)
        bound = apart / (fmt.unit_roundoff * abs(f) + eta)
        assert bound <= Fraction(scores.k_most[row]) <= bound * (1 + TIGHT)
        if bound * (1 + TIGHT) <= 4 or bound > 4:
            assert scores.accepted[row] == (BY_K if bound <= 4 else REJECTED)
        zero = number(y, fmt) == 0
        negative = y >> (fmt.width - 1) == 1
        assert scores.zero_sign[row] == (zero and f != 0 and negative == (f > 0))


@pytest.mark.parametrize("name", NAMES)
def test_correct_rounding_of_known_values(name):
    fmt = FORMATS[name]
    values, patterns = cases(name)
    scores = scored(name, values, patterns)
    assert len(set(scores.rounding.tolist())) == 2
    for row, (f, y) in enumerate(zip(values, patterns, strict=True)):
        right = encode(f, fmt)
        assert scores.rounding[row] == same(y, right, fmt), (float(f), hex(y), hex(right))


@pytest.mark.parametrize("name", ["float8_e5m2", "float8_e4m3fn"])
def test_correct_rounding_by_looking_through_all_numbers(name):
    fmt = FORMATS[name]
    finite = [(pattern, number(pattern, fmt)) for pattern in range(256)]
    finite = [(pattern, value) for pattern, value in finite if isinstance(value, Fraction)]
    threshold = fmt.overflow_threshold
    halves = FORMATS["float16"]
    values = [Fraction(decode(pattern, halves)) for pattern in range(1, 0x7C00, 61)]
    values = [value for value in values if value < threshold]
    given = [pattern for pattern, _ in finite]
    scores = scored(name, [f for f in values for _ in given], given * len(values))
    for f, rounding in zip(values, np.split(scores.rounding, len(values)), strict=True):
        nearest = min(abs(value - f) for _, value in finite)
        at = [pattern for pattern, value in finite if abs(value - f) == nearest and (value > 0 or pattern == 0)]
        (right,) = [pattern for pattern in at if len(at) == 1 or pattern % 2 == 0]
        due = {right} | ({0, 0x80} if right == 0 else set())
        assert {pattern for pattern, r in zip(given, rounding, strict=True) if r == 1} == due


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32"])
def test_an_enclosure_bounds_the_error_of_everything_inside(name):
    fmt, draw = FORMATS[name], random.Random(name)
    rows = []
    for f in around(fmt, draw)[::2]:
        lo = hi = float(f)
        for _ in range(draw.randrange(1, 3)):
            lo, hi = (lo, math.nextafter(hi, math.inf)) if draw.random() < 0.5 else (math.nextafter(lo, -math.inf), hi)
        if lo * hi <= 0:
            continue
        rows += [(lo, hi, y, strict) for y in candidates(f, fmt)[:7] for strict in (False, True)]
    lo, hi, y, strict = (np.array(column) for column in zip(*rows, strict=True))
    found = Enclosures(lo, hi, strict.astype(bool), strict.astype(bool))
    scores = score(np.zeros(lo.shape, bool), y.astype(UNSIGNED[fmt.width]), found, Rule(fmt, False))
    decided = 0
    for row, (low, high, pattern, inner) in enumerate(rows):
        a, b = Fraction(low), Fraction(high)
        ends = [a + (b - a) / 1000, (a + b) / 2, b - (b - a) / 1000] + ([] if inner else [a, b])
        threshold = fmt.overflow_threshold
        if (abs(a) >= threshold) != (abs(b) >= threshold):
            continue
        for f in ends:
            apart = distance(pattern, f, fmt)
            if apart is None:
                continue
            error = apart / spacing(abs(f), fmt)
            assert Fraction(scores.ulp_least[row]) <= error <= Fraction(scores.ulp_most[row])
        right = [same(pattern, encode(f, fmt), fmt) for f in ends]
        if scores.rounding[row] >= 0:
            assert set(right) == {scores.rounding[row] == 1}
        decided += scores.rounding[row] >= 0
    assert decided > len(rows) / 2


@pytest.mark.parametrize("flushes", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_mixed_errors_are_bounded_by_the_quotient_of_rationals(name, flushes):
    fmt, draw = FORMATS[name], random.Random(name)
    values, patterns = cases(name)
    chosen = [row for row in range(len(values)) if stands_for(patterns[row], values[row], fmt) is not None][::5]
    conditions = [abs(values[row]) * Fraction(draw.choice([0, 1, 1000, Fraction(1, 3)])) for row in chosen]
    low, high = (np.array([float(c) * factor for c in conditions]) for factor in (1 - 2.0**-40, 1 + 2.0**-40))
    f = np.array([float(values[row]) for row in chosen])
    known = Enclosures(f, f, np.zeros(f.shape, bool), np.zeros(f.shape, bool))
    y = np.array([patterns[row] for row in chosen], UNSIGNED[fmt.width])
    least, most = mixed_errors(lambda points: (low, high), [f], y, known, Rule(fmt, flushes))
    eta = fmt.smallest_normal if flushes else fmt.smallest_subnormal / 2
    for place, (row, condition) in enumerate(zip(chosen, conditions, strict=True)):
        f, apart = values[row], distance(patterns[row], values[row], fmt)
        assert apart is not None
        # Where f overflows, a slope counts only while the first order still describes f.
        steep = abs(f) >= fmt.overflow_threshold and 4 * fmt.unit_roundoff * condition > abs(f)
        k = apart / (fmt.unit_roundoff * ((0 if steep else condition) + abs(f)) + eta)
        assert Fraction(least[place]) <= k <= Fraction(most[place])
        assert Fraction(most[place]) <= Fraction(least[place]) * (1 + Fraction(2) ** -30) or k == 0


def test_a_bound_in_ulp_replaces_the_rule():
    values, patterns = cases("float16")
    within = scored("float16", values, patterns, within=Fraction(3, 4))
    for row in range(len(values)):
        if within.ulp_least[row] > 0.75 or within.ulp_most[row] <= 0.75:
            assert within.accepted[row] == (BY_WITHIN if within.ulp_most[row] <= 0.75 else REJECTED)


def test_a_subnormal_argument_decides_the_stratum():
    f = np.array([1.0, 2.0**-30, 1e9, 0.0])
    known = Enclosures(f, f, np.zeros(4, bool), np.zeros(4, bool))
    scores = score(np.ones(4, bool), np.zeros(4, np.uint16), known, Rule(FORMATS["float16"], False))
    assert {STRATA[each] for each in scores.stratum} == {"subnormal input"}
