"""The fast path adds, bit for bit, what the general one does; only its bound of K may be weaker."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from lenticulum.certify import verdict
from lenticulum.certify.block import prepare
from lenticulum.certify.enclosure import Definitely, Enclosures
from lenticulum.certify.plain import judge_plain
from lenticulum.certify.rule import Rule
from lenticulum.certify.shard import ShardResult
from lenticulum.check.definition import parse
from lenticulum.numbers.formats import BINARY32, bits_to_float64

SIZE = 1 << 12

# Sign and exponent fields of blocks: results of all kinds, and blocks in which the kind changes.
FIELDS = (0x3F0, 0x3F7, 0x3F8, 0x3FF, 0x400, 0x42B, 0x42F, 0x430, 0x5F0, 0x5F8, 0x600, 0x62B, 0x62F, 0x680)
FIRST = [field << 21 for field in FIELDS] + [0x3F800000, 0x42B00000, 0x42CE0000, 0xC2AE0000, 0xC2CF0000, 0x7F000000]

SPECS = ["exp", "tanh", "sigmoid", "gelu", "log", "sqrt", "softplus", "erfc", "soft_sign", "relu", "sinh"]


def outputs(block, draw: np.random.Generator, errors: float) -> np.ndarray:
    """Return float32 numbers near the exact values, some of them moved by a few spacings."""
    exact = np.where(np.isfinite(block.enclosures.lo), block.enclosures.lo, 0.0)
    with np.errstate(all="ignore"):
        bits = exact.astype(np.float32).view(np.uint32)
    moved = draw.random(bits.size) < errors
    steps = draw.integers(-3, 4, bits.size)
    return np.where(moved & (bits & 0x7FFFFFFF > 8) & (bits & 0x7FFFFFFF < 0x7F7FFFF0), bits + steps, bits).astype(
        np.uint32
    )


def both(block, bits: np.ndarray, monkeypatch, *, flushes=False) -> tuple[bool, ShardResult, ShardResult]:
    rule = Rule(BINARY32, flushes)
    # The general path narrows enclosures where it must, so each gets its own.
    fast = verdict.judge(fresh(block), bits, rule, ShardResult())
    used = judge_plain(fresh(block), bits, rule, ShardResult())
    with monkeypatch.context() as without:
        without.setattr(verdict, "judge_plain", lambda *arguments: False)
        return used, fast, verdict.judge(fresh(block), bits, rule, ShardResult())


def fresh(block):
    found = block.enclosures
    copies = Enclosures(found.lo.copy(), found.hi.copy(), found.strict.copy(), found.escalated.copy())
    return replace(block, enclosures=copies)


def compare(fast: ShardResult, slow: ShardResult) -> None:
    one, two = fast.to_json(), slow.to_json()
    for name, stratum in two["strata"].items():
        bound, exact = one["strata"][name].pop("k"), stratum.pop("k")
        # Both are bounds; the general one covers some roundings more.
        assert float.fromhex(bound["at_most"]) >= float.fromhex(exact["at_most"]) * (1 - 2.0**-48), name
        assert float.fromhex(bound["at_least"]) <= float.fromhex(exact["at_most"]), name
    assert one == two


@pytest.mark.parametrize("spec", SPECS)
def test_both_paths_add_the_same(spec, monkeypatch):
    function, draw, used = Definitely(parse(spec)), np.random.default_rng(len(spec)), 0
    for number, first in enumerate(FIRST):
        start = first + int(draw.integers(0, (1 << 21) - SIZE)) // SIZE * SIZE if number % 2 else first
        block = prepare(function, (np.arange(start, start + SIZE, dtype=np.uint32),), BINARY32, BINARY32)
        if not block.ordinary.size:
            continue
        if block.ordinary.size < SIZE:
            assert not block.plain
        bits = np.zeros(SIZE, np.uint32)
        bits[block.ordinary] = outputs(block, draw, [0.0, 0.2, 0.0005][number % 3])
        plain, fast, slow = both(block, bits, monkeypatch, flushes=number % 4 == 0)
        compare(fast, slow)
        used += plain
    # The comparison is about blocks that take the fast path.
    assert used >= 2


@pytest.mark.parametrize("spec", ["exp", "tanh", "gelu"])
def test_what_is_wrong_is_left_to_the_general_path(spec, monkeypatch):
    function = Definitely(parse(spec))
    block = prepare(function, (np.arange(0x3F000000, 0x3F000000 + SIZE, dtype=np.uint32),), BINARY32, BINARY32)
    right = outputs(block, np.random.default_rng(0), 0.0)
    assert judge_plain(block, right, Rule(BINARY32, False), ShardResult())
    for pattern in (0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, int(right[7]) + 20, int(right[7]) ^ 0x80000000):
        wrong = right.copy()
        wrong[7] = pattern
        used, fast, slow = both(block, wrong, monkeypatch)
        assert not used
        assert sum(stratum.rejected for stratum in fast.strata.values()) == 1
        compare(fast, slow)
    assert not judge_plain(block, right, Rule(BINARY32, False, Fraction(1)), ShardResult())


def test_a_block_of_overflows_needs_the_right_infinities(monkeypatch):
    function = Definitely(parse("exp"))
    block = prepare(function, (np.arange(0x43000000, 0x43000000 + SIZE, dtype=np.uint32),), BINARY32, BINARY32)
    right = np.full(SIZE, 0x7F800000, np.uint32)
    used, fast, slow = both(block, right, monkeypatch)
    assert used
    compare(fast, slow)
    for pattern in (0x7F7FFFFF, 0xFF800000, 0x7FC00000):
        wrong = right.copy()
        wrong[-1] = pattern
        used, fast, slow = both(block, wrong, monkeypatch)
        assert not used
        compare(fast, slow)


def test_next_to_half_the_smallest_number_nothing_rounds_up():
    # |silu(-2^-149)| = 2^-150 - 2^-300 + ...: it rounds to zero, and the smallest number is not the nearest.
    block = prepare(Definitely(parse("silu")), (np.array([0x80000001], np.uint32),), BINARY32, BINARY32)
    assert float(bits_to_float64(block.patterns[0], BINARY32)[0]) == -(2.0**-149)
    counted = [
        verdict.judge(block, np.array([y], np.uint32), Rule(BINARY32, False), ShardResult())
        for y in (0x80000001, 0x80000000)
    ]
    assert [each.strata["subnormal input"].correctly_rounded for each in counted] == [0, 1]


def test_around_a_power_of_two_the_rounding_is_decided_although_the_spacing_is_not():
    # sigmoid(-2^-110) = 1/2 - 2^-112: an enclosure holds 1/2, where the ulp doubles; the number below is not nearest.
    block = prepare(Definitely(parse("sigmoid")), (np.array([0x88800000], np.uint32),), BINARY32, BINARY32)
    for y, rounded in ((0x3F000000, 1), (0x3EFFFFFF, 0), (0x3F000001, 0)):
        found = verdict.judge(fresh(block), np.array([y], np.uint32), Rule(BINARY32, False), ShardResult())
        stratum = found.strata["regular"]
        assert (stratum.accepted, stratum.correctly_rounded, stratum.undecided_count) == ({"K": 1}, rounded, 0)


@pytest.mark.parametrize(
    ("spec", "first", "value"),
    [("exp", 0x31000000, 0x3F800000), ("sigmoid", 0x43000000, 0x3F800000), ("tanh", 0xC1F00000, 0xBF800000)],
)
def test_one_enclosure_and_one_output_are_judged_once_for_all(spec, first, value, monkeypatch):
    patterns = np.arange(first, first + SIZE, dtype=np.uint32)
    block = prepare(Definitely(parse(spec)), (patterns,), BINARY32, BINARY32)
    assert block.plain
    assert block.constant
    # Right; a spacing off, where K accepts; a hundred spacings off, which no rule accepts; and no numbers.
    for pattern, accepted in ((value, True), (value - 1, True), (value - 100, False), (0x7FC00000, False)):
        used, fast, slow = both(block, np.full(SIZE, pattern, np.uint32), monkeypatch)
        assert used == accepted
        compare(fast, slow)
        assert fast.strata["regular"].count == SIZE
    # One other output among the same ones is seen, wherever it stands.
    for place in (0, 1, SIZE - 1):
        bits = np.full(SIZE, value, np.uint32)
        bits[place] = value - 100
        _, fast, slow = both(block, bits, monkeypatch)
        compare(fast, slow)
        assert fast.strata["regular"].rejected == 1
