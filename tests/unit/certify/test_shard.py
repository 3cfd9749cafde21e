"""What shards know merges in any order and grouping, and is written and read without loss."""

import json
import random

import pytest

from lenticulum.certify import shard
from lenticulum.certify.score import STRATA
from lenticulum.certify.shard import Maximum, ShardResult, Special, Stratum

# Few different numbers, so that ties are drawn often.
BOUNDS = [0.0, 0.25, 0.5, 1 / 3, 5e-324, float("inf")]

SEEDS = range(30)


def point(draw: random.Random) -> tuple[int, int]:
    return draw.randrange(4), draw.randrange(4)


def maximum(draw: random.Random) -> Maximum:
    """Draw a maximum: of one witness there is one error, so the ends are functions of the point and the bound."""
    if draw.random() < 0.3:
        return Maximum()
    at_most, x = draw.choice(BOUNDS), point(draw)
    return Maximum(at_most, at_most / 2, x, 7 * x[0] + x[1])


def stratum(draw: random.Random) -> Stratum:
    undecided = sorted(point(draw) for _ in range(draw.randrange(3)))
    counts = {name: draw.randrange(6) for name in ("count", "rejected", "correctly_rounded", "zero_sign", "no_number")}
    return Stratum(
        **counts,
        accepted={way: draw.randrange(1, 6) for way in draw.sample(["K", "flushed"], draw.randrange(3))},
        ulp=maximum(draw),
        k=maximum(draw),
        undecided=undecided,
        undecided_count=len(undecided),
        worst_rejected=maximum(draw),
    )


def drawn(seed: int) -> ShardResult:
    draw = random.Random(seed)
    wrong = sorted((point(draw), draw.randrange(6), draw.choice(["nan", "inf"])) for _ in range(draw.randrange(4)))
    return ShardResult(
        inputs=draw.randrange(6),
        strata={name: stratum(draw) for name in STRATA},
        special=Special(draw.randrange(6), len(wrong), wrong),
        binades={draw.randrange(4): maximum(draw) for _ in range(draw.randrange(4))},
        leaves={draw.randrange(10): "ab" for _ in range(draw.randrange(4))},
        escalated=draw.randrange(6),
    )


def merged(*parts: ShardResult) -> dict:
    whole = ShardResult()
    for part in parts:
        whole.merge(ShardResult.from_json(part.to_json()))
    return whole.to_json()


@pytest.mark.parametrize("seed", SEEDS)
def test_merging_is_associative_and_commutative(seed):
    a, b, c = (drawn(3 * seed + part) for part in range(3))
    left = ShardResult.from_json(merged(a, b))
    right = ShardResult.from_json(merged(b, c))
    assert merged(left, c) == merged(a, right) == merged(a, b, c) == merged(c, a, b) == merged(b, c, a)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_neutral(seed):
    a = drawn(seed)
    assert merged(ShardResult(), a) == merged(a, ShardResult()) == merged(a)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_result_is_written_and_read_without_loss(seed):
    a = drawn(seed)
    text = json.dumps(a.to_json(), allow_nan=False)
    assert ShardResult.from_json(json.loads(text)) == a


@pytest.mark.parametrize("seed", SEEDS)
def test_counts_add_and_maxima_are_maxima(seed):
    a, b = drawn(2 * seed), drawn(2 * seed + 1)
    whole = ShardResult.from_json(merged(a, b))
    assert whole.inputs == a.inputs + b.inputs
    assert whole.special.wrong_count == a.special.wrong_count + b.special.wrong_count
    assert whole.special.wrong == sorted(a.special.wrong + b.special.wrong)
    for name in STRATA:
        one, two, both = a.strata[name], b.strata[name], whole.strata[name]
        assert both.count == one.count + two.count
        assert sum(both.accepted.values()) == sum(one.accepted.values()) + sum(two.accepted.values())
        for field in ("ulp", "k", "worst_rejected"):
            pair = [getattr(one, field), getattr(two, field)]
            top = max(each.at_most for each in pair)
            # The witness is that of the largest lower bound, and of equal ones the first input.
            witness = min(((-each.at_least, each.x) for each in pair if each.x), default=(-0.0, ()))
            found = getattr(both, field)
            assert (found.at_most, -found.at_least, found.x) == (top, *witness)


def test_of_many_the_first_are_listed_and_all_are_counted(monkeypatch):
    monkeypatch.setattr(shard, "LISTED", 40)
    parts = [
        ShardResult(
            strata={name: Stratum(undecided=[(i,)], undecided_count=1) for name in STRATA},
            special=Special(1, 1, [((i,), 0, "nan")]),
        )
        for i in range(50, 0, -1)
    ]
    whole = ShardResult()
    for part in parts[::2] + parts[1::2]:
        whole.merge(part)
    stratum = whole.strata["regular"]
    assert (stratum.undecided_count, whole.special.wrong_count) == (50, 50)
    assert stratum.undecided == [(i,) for i in range(1, 41)]
    assert [x for x, _, _ in whole.special.wrong] == stratum.undecided
