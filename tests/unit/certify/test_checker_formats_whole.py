"""The checker's rounding on whole formats against balls rounded by exact rationals: no input is left open."""

import math
from fractions import Fraction

import pytest
from checker_parts import checker
from test_checker_judge import SPECS, own, term_of

from lenticulum.check.enclosures import ends
from lenticulum.numbers import DomainError, Undecided, ball, working_precision
from lenticulum.numbers.formats import BFLOAT16, BINARY16, FLOAT8_E4M3FN, FLOAT8_E5M2, decode, encode
from lenticulum.spec.elementwise.special import expected
from lenticulum.spec.elementwise.textbook import evaluation_of

#: Balls of so many bits round every one of these inputs, exact ties included.
PRECISIONS = (100, 400, 1600)
BATCH = 256


def rounded(term, points, fmt):
    """Return the pattern that each ordinary point rounds to by balls, None where its ends round apart."""
    form = evaluation_of(term)
    found = [None] * len(points)
    for bits in PRECISIONS:
        left = [i for i, pattern in enumerate(found) if pattern is None]
        for start in range(0, len(left), BATCH):
            chunk = left[start : start + BATCH]
            for i, (low, high) in zip(chunk, enclosed(form, [points[i] for i in chunk], bits), strict=True):
                patterns = {encode(low, fmt), encode(high, fmt)} if low is not None else set()
                if len(patterns) == 1 or (low == 0 == high):
                    found[i] = patterns.pop()
    return found


def enclosed(form, points, bits):
    """Return the ends of the balls at some points, one by one where a point spoils the batch."""
    with working_precision(bits):
        arrays = tuple(ball(list(column)) for column in zip(*points, strict=True))
        try:
            return ends(form(arrays[0] if len(arrays) == 1 else arrays))
        except (Undecided, DomainError):
            if len(points) == 1:
                return [(None, None)]
            half = len(points) // 2
            return enclosed(form, points[:half], bits) + enclosed(form, points[half:], bits)


def disagreements(spec, fmt, step=1):
    """Yield inputs whose rounding the two do not agree on, or which the checker leaves open."""
    c = checker()
    term, name, conventions = term_of(spec)
    values = [decode(pattern, fmt) for pattern in range(1 << fmt.width)]
    count = c.definition_of(name, conventions).arguments
    inputs = range(0, 1 << (fmt.width * count), step)
    mask = (1 << fmt.width) - 1
    inputs = [(x,) if count == 1 else (x >> fmt.width, x & mask) for x in inputs]
    ordinary = [
        patterns
        for patterns in inputs
        if all(isinstance(values[each], Fraction) for each in patterns)
        and expected(term, *(float(values[each]) for each in patterns)) is None
    ]
    exact = rounded(term, [tuple(values[each] for each in patterns) for patterns in ordinary], fmt)
    undecided = 0
    for patterns, y in zip(ordinary, exact, strict=True):
        if y is None:
            undecided += 1
            continue
        judged = c.judge(name, conventions, own(fmt), own(fmt), False, patterns, y)
        if not (judged.correctly_rounded and judged.accepted_by == "K" and not judged.undecided):
            yield patterns, y, judged.stratum, judged.accepted_by, judged.correctly_rounded
    # Balls have no finite end for the fastest growing values, most often of powers, and none is left besides.
    assert undecided <= len(ordinary) // (2 if name == "pow" else 4)
    assert len(ordinary) > 20


@pytest.mark.parametrize("fmt", [FLOAT8_E5M2, FLOAT8_E4M3FN], ids=lambda fmt: fmt.name)
@pytest.mark.parametrize("spec", SPECS)
def test_every_input_of_an_8_bit_format(spec, fmt):
    arity = checker().definition_of(*term_of(spec)[1:]).arguments
    assert not list(disagreements(spec, fmt, 1 if arity == 1 else 131))


@pytest.mark.long
@pytest.mark.parametrize("fmt", [BINARY16, BFLOAT16], ids=lambda fmt: fmt.name)
@pytest.mark.parametrize("spec", SPECS)
def test_every_seventh_input_of_a_16_bit_format(spec, fmt):
    arity = checker().definition_of(*term_of(spec)[1:]).arguments
    assert not list(disagreements(spec, fmt, 7 if arity == 1 else 1_000_003))


def test_the_table_of_domains_is_met():
    """Outside the domain both give NaN, so no ordinary point is missing: log has half of the patterns."""
    values = [decode(pattern, BINARY16) for pattern in range(0, 1 << 16, 97)]
    c = checker()
    rule = c.rule_of(c.definition_of("log", {}))
    assert all((rule(float(x)) is None) == (x > 0 and x != 1 and not math.isinf(x)) for x in values if x == x)
