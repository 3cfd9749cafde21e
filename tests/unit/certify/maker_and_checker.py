"""One set of inputs and outputs judged by the maker and by the checker, which shares no numeric code with it."""

import random
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

import numpy as np

from lenticulum.certify.block import prepare
from lenticulum.certify.checker import judge as checker
from lenticulum.certify.checker.formats import FloatFormat
from lenticulum.certify.enclosure import Definitely, balls, outward
from lenticulum.certify.rule import Rule
from lenticulum.certify.shard import ShardResult
from lenticulum.certify.subject import UNSIGNED
from lenticulum.certify.verdict import judge, sharpen
from lenticulum.check.definition import parse
from lenticulum.numbers.formats import FORMATS, Format, bits_to_float64, encode

Point = tuple[int, ...]


@dataclass
class Counted:
    """What is counted of one stratum, and the ends of the largest errors that the checker knows."""

    counts: Counter = field(default_factory=Counter)
    ulp: list[Fraction] = field(default_factory=lambda: [Fraction(0)] * 2)
    k: list[Fraction] = field(default_factory=lambda: [Fraction(0)] * 2)

    def larger(self, name: str, found: tuple[Fraction, Fraction] | None) -> None:
        if found is not None:
            setattr(self, name, [max(pair) for pair in zip(getattr(self, name), found, strict=True)])


def own(fmt: Format) -> FloatFormat:
    return FloatFormat(fmt.name, fmt.precision, fmt.minimum_exponent, fmt.maximum_exponent, fmt.width, fmt.overflow)


@lru_cache(maxsize=64)
def rows(spec: str, dtype: str, size: int) -> tuple[tuple[Point, int], ...]:
    """Return inputs (zeros, ends of binades, subnormal numbers, no numbers, drawn ones) with outputs of all kinds."""
    fmt, draw, function = FORMATS[dtype], random.Random(spec), Definitely(parse(spec))
    arguments = len(function.definition.entry.arrays)
    step = 1 << fmt.fraction_bits
    edges = [0, 1, 2, step - 1, step, step + 1, fmt.largest_pattern, fmt.largest_pattern + 1, fmt.nan_pattern]
    edges += [encode(Fraction(value), fmt) for value in (1, 2, 3, Fraction(1, 2), 6)]
    edges += [draw.randrange(1 << fmt.width - 1) // step * step + draw.choice([0, step - 1]) for _ in range(8)]
    edges += [each | 1 << fmt.width - 1 for each in edges]
    given = [tuple(draw.choice(edges) for _ in range(arguments)) for _ in range(size // 2)] if arguments > 1 else []
    given += [(each,) for each in edges] if arguments == 1 else []
    given += [tuple(draw.randrange(1 << fmt.width) for _ in range(arguments)) for _ in range(size)]
    found = []
    for x in given:
        points = [bits_to_float64(np.array([each], UNSIGNED[fmt.width]), fmt) for each in x]
        near = 0
        if all(np.isfinite(point).all() for point in points):
            element = balls(function, points, 128)[0]
            lo = outward(element)[0] if element is not None else 0.0
            near = encode(Fraction(lo), fmt) if np.isfinite(lo) else encode(lo, fmt)
        top = (1 << fmt.width) - 1
        # A neighbour for some only: with one for each, taking ties the other way would change no count.
        outputs = [near, min(near + draw.choice([2, 3, 5, 9]), top)]
        outputs += [min(max(near + draw.choice([1, -1]), 0), top)] if draw.random() < 0.5 else []
        outputs += [
            draw.choice([0, 1 << fmt.width - 1, fmt.nan_pattern, fmt.largest_pattern + 1, near ^ 1 << fmt.width - 1])
        ]
        found += [(x, y) for y in outputs]
    return tuple(found)


@lru_cache(maxsize=64)
def checked(spec: str, dtype: str, flushes: bool, size: int) -> tuple[dict[str, Counted], int, int]:
    """Return what the checker counts, special inputs, and how many of those are wrong."""
    fmt = own(FORMATS[dtype])
    name, _, written = spec.partition(":")
    conventions = dict(part.split("=") for part in written.split(",") if part)
    strata: dict[str, Counted] = {}
    special = wrong = 0
    for x, y in rows(spec, dtype, size):
        judged = checker.judge(name, conventions, fmt, fmt, flushes, x, y)
        assert not judged.undecided, (spec, x, y)
        if judged.stratum == "special":
            special, wrong = special + 1, wrong + (judged.accepted_by is None)
            continue
        counted = strata.setdefault(str(judged.stratum), Counted())
        counted.counts.update([f"accepted by {judged.accepted_by}" if judged.accepted_by else "rejected"])
        counted.counts.update(correctly_rounded=bool(judged.correctly_rounded), zero_sign=bool(judged.zero_sign))
        counted.counts.update(count=1, no_number=judged.ulp is None)
        counted.larger("ulp", judged.ulp)
        counted.larger("k", judged.K)
    return strata, special, wrong


def differences(spec: str, dtype: str, *, flushes: bool = False, size: int = 60, intervals: bool = True) -> list[str]:
    """Return where the counts and maxima of the maker are not those of the checker."""
    fmt, function, rule = FORMATS[dtype], Definitely(parse(spec)), Rule(FORMATS[dtype], flushes)
    given = rows(spec, dtype, size)
    patterns = tuple(np.array(column, UNSIGNED[fmt.width]) for column in zip(*(x for x, _ in given), strict=True))
    block = prepare(function, patterns, fmt, fmt, intervals=intervals)
    bits = np.array([y for _, y in given], UNSIGNED[fmt.width])
    result = judge(block, bits, rule, ShardResult())
    sharpen(function, fmt, rule, result)
    strata, special, wrong = checked(spec, dtype, flushes, size)
    found = []
    if (result.special.count, result.special.wrong_count) != (special, wrong):
        found.append(f"special: {result.special.count}, {result.special.wrong_count}, not {special}, {wrong}")
    for name, stratum in result.strata.items():
        due = strata.get(name, Counted())
        counts = Counter({f"accepted by {way}": number for way, number in stratum.accepted.items()})
        counts.update(
            rejected=stratum.rejected,
            correctly_rounded=stratum.correctly_rounded,
            zero_sign=stratum.zero_sign,
            count=stratum.count,
            no_number=stratum.no_number,
        )
        if +counts != +due.counts:
            found.append(f"{name}: {dict(+counts)}, not {dict(+due.counts)}")
        # A certificate states no maxima of results that overflow.
        metrics = {"ulp": stratum.ulp, "k": stratum.k} if name != "overflow" else {}
        for metric, maximum in metrics.items():
            least, most = getattr(due, metric)
            # The upper bound of K may be one that needs no derivative; that of ulp is known to a thousandth.
            if Fraction(maximum.at_most) < least or Fraction(maximum.at_least) > most:
                found.append(f"{name} {metric}: {maximum.at_least} to {maximum.at_most}, not {float(least)}")
            if metric == "ulp" and Fraction(maximum.at_least) < least * Fraction(1023, 1024):
                found.append(f"{name} {metric}: at least {maximum.at_least}, not {float(least)}")
    return found
