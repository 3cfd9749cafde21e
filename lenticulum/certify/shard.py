"""What a run knows of a range of inputs: counts, maxima and witnesses by stratum, as plain data that merges."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from lenticulum.certify.score import BY_K, REJECTED, STRATA, UNDECIDED, WAYS, Scores

Array = np.ndarray

#: The order in which a rejected input is chosen to be shown.
STRATA_WORST_FIRST = ("regular", "special", "overflow", "subnormal result", "subnormal input")

#: How many inputs of a kind are listed; all are counted.
LISTED = 4096

#: An input as the patterns of its arguments.
Point = tuple[int, ...]


@dataclass
class Maximum:
    """The largest error of a stratum: an upper bound for every input, and a lower bound at the witness (x, y)."""

    at_most: float = 0.0
    at_least: float = 0.0
    x: Point = ()
    y: int = 0

    def take(self, other: Maximum) -> None:
        """Keep the larger bounds; of equal witnesses the earlier, so that the order of merging does not matter."""
        self.at_most = max(self.at_most, other.at_most)
        if other.x and (not self.x or (other.at_least, self.x) > (self.at_least, other.x)):
            self.at_least, self.x, self.y = other.at_least, other.x, other.y


@dataclass
class Stratum:
    """Counts and maxima of one stratum."""

    count: int = 0
    accepted: dict[str, int] = field(default_factory=dict)
    rejected: int = 0
    correctly_rounded: int = 0
    zero_sign: int = 0
    no_number: int = 0
    ulp: Maximum = field(default_factory=Maximum)
    k: Maximum = field(default_factory=Maximum)
    undecided: list[Point] = field(default_factory=list)
    undecided_count: int = 0
    worst_rejected: Maximum = field(default_factory=Maximum)

    def merge(self, other: Stratum) -> None:
        """Add the counts, keep the maxima."""
        self.count += other.count
        self.rejected += other.rejected
        self.correctly_rounded += other.correctly_rounded
        self.zero_sign += other.zero_sign
        self.no_number += other.no_number
        self.undecided_count += other.undecided_count
        self.undecided = sorted([*self.undecided, *other.undecided])[:LISTED]
        for way, number in other.accepted.items():
            self.accepted[way] = self.accepted.get(way, 0) + number
        self.ulp.take(other.ulp)
        self.k.take(other.k)
        self.worst_rejected.take(other.worst_rejected)


@dataclass
class Special:
    """The special inputs: how many, and which outputs are wrong (x, y, and the word for what was expected)."""

    count: int = 0
    wrong_count: int = 0
    wrong: list[tuple[Point, int, str]] = field(default_factory=list)

    def merge(self, other: Special) -> None:
        """Add the counts; list the first of the wrong ones."""
        self.count += other.count
        self.wrong_count += other.wrong_count
        self.wrong = sorted([*self.wrong, *other.wrong])[:LISTED]


@dataclass
class ShardResult:
    """One subject on one range of inputs, or on several after merging.

    `binades`: sign and exponent field of the first argument -> its largest error in ulp. `leaves`: index -> SHA-256 of
    the outputs of a leaf. `escalated`: how many enclosures needed balls.
    """

    inputs: int = 0
    strata: dict[str, Stratum] = field(default_factory=lambda: {name: Stratum() for name in STRATA})
    special: Special = field(default_factory=Special)
    binades: dict[int, Maximum] = field(default_factory=dict)
    leaves: dict[int, str] = field(default_factory=dict)
    escalated: int = 0

    def merge(self, other: ShardResult) -> None:
        """Add another range: associative and commutative."""
        self.inputs += other.inputs
        self.escalated += other.escalated
        for name, stratum in other.strata.items():
            self.strata[name].merge(stratum)
        self.special.merge(other.special)
        for key, maximum in other.binades.items():
            self.binades.setdefault(key, Maximum()).take(maximum)
        self.leaves.update(other.leaves)

    def to_json(self) -> dict[str, Any]:
        """Return plain data: floats as hexadecimal text, tuples as lists."""
        return _plain(asdict(self))

    @staticmethod
    def from_json(data: dict[str, Any]) -> ShardResult:
        """Read what `to_json` wrote."""
        strata = {name: _stratum(each) for name, each in data["strata"].items()}
        special = data["special"]
        return ShardResult(
            inputs=data["inputs"],
            strata=strata,
            special=Special(
                special["count"], special["wrong_count"], [(tuple(x), y, word) for x, y, word in special["wrong"]]
            ),
            binades={int(key): _maximum(each) for key, each in data["binades"].items()},
            leaves={int(key): leaf for key, leaf in data["leaves"].items()},
            escalated=data["escalated"],
        )


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_plain(value) for value in data]
    return data.hex() if isinstance(data, float) else data


def _maximum(data: dict[str, Any]) -> Maximum:
    return Maximum(float.fromhex(data["at_most"]), float.fromhex(data["at_least"]), tuple(data["x"]), data["y"])


def _stratum(data: dict[str, Any]) -> Stratum:
    maxima = {name: _maximum(data[name]) for name in ("ulp", "k", "worst_rejected")}
    undecided = [tuple(point) for point in data["undecided"]]
    return Stratum(**{**data, **maxima, "undecided": undecided})


def tally(
    result: ShardResult, patterns: tuple[Array, ...], y_bits: Array, scores: Scores, k: tuple[Array, Array]
) -> None:
    """Add scored inputs to a result.

    Arguments: `k`: ends of K where it was computed, NaN elsewhere.
    """
    k_least, k_most = k

    def maximum(rows: Array, most: Array, least: Array) -> Maximum:
        best = int(rows[np.argmax(most[rows])])
        return Maximum(float(most[best]), float(least[best]), point_at(patterns, best), int(y_bits[best]))

    for number, name in enumerate(STRATA):
        rows = np.flatnonzero(scores.stratum == number)
        if not rows.size:
            continue
        rounding, stratum = scores.rounding[rows], result.strata[name]
        # An input is undecided as a whole: it is in no other count.
        accepted = np.where(rounding < 0, UNDECIDED, scores.accepted[rows])
        ways = {way: int((accepted == BY_K + place).sum()) for place, way in enumerate(WAYS)}
        open_rows = rows[accepted == UNDECIDED]
        added = Stratum(
            count=int(rows.size),
            accepted={way: count for way, count in ways.items() if count},
            rejected=int((accepted == REJECTED).sum()),
            correctly_rounded=int(((rounding == 1) & (accepted != UNDECIDED)).sum()),
            zero_sign=int((scores.zero_sign[rows] & (accepted != UNDECIDED)).sum()),
            no_number=int(np.isinf(scores.ulp_most[rows]).sum()),
            undecided=[point_at(patterns, row) for row in open_rows[:LISTED]],
            undecided_count=int(open_rows.size),
        )
        numbers = rows[np.isfinite(scores.ulp_most[rows])]
        if numbers.size:
            added.ulp = maximum(numbers, scores.ulp_most, scores.ulp_least)
        known = numbers[np.isfinite(k_most[numbers])]
        if known.size:
            added.k = maximum(known, k_most, k_least)
        bad = rows[accepted == REJECTED]
        if bad.size:
            size = np.where(np.isfinite(k_most), k_most, scores.ulp_most)
            added.worst_rejected = maximum(bad, size, np.where(np.isfinite(k_most), k_least, scores.ulp_least))
        stratum.merge(added)


def point_at(patterns: tuple[Array, ...], row: Any) -> Point:
    """Return the patterns of one input."""
    return tuple(int(each[row]) for each in patterns)
