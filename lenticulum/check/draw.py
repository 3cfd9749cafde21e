"""Draws: a recorded sequence of natural numbers, from a seed or from an earlier record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from lenticulum.numbers.checking import no_type_check

T = TypeVar("T")


# Unchecked at run time: a generator makes hundreds of draws, and a checked call costs more than the draw.
@no_type_check
class RecordedDraw:
    """A `Draw` that reduces every request to one natural number, 0 being the simplest, and records it.

    `choices`: the numbers, in order: all that a replay or a shrinker needs. `observations`: for each degeneracy that
    the generator observed, whether it held each time.
    """

    def __init__(self) -> None:
        self.choices: list[int] = []
        self.observations: dict[str, bool] = {}

    def integer(self, low: int, high: int) -> int:
        """An integer n with low <= n <= high; the simplest is the one nearest to 0."""
        if low > high:
            raise ValueError(f"integer({low}, {high}): expected low <= high")
        return nearest_first(self._record(high - low), low, high)

    def choice(self, options: Sequence[T]) -> T:
        """One of the options; the simplest is the first."""
        if not options:
            raise ValueError("choice: expected at least one option, got none")
        return options[self._record(len(options) - 1)]

    def bits(self, count: int) -> int:
        """An integer n with 0 <= n < 2^count."""
        return self._record((1 << count) - 1)

    def observe(self, name: str, holds: bool) -> None:
        """Note whether a degeneracy holds; in one case it holds if it held every time."""
        self.observations[name] = self.observations.get(name, True) and bool(holds)

    def _record(self, largest: int) -> int:
        number = self._next(largest)
        self.choices.append(number)
        return number

    def _next(self, largest: int) -> int:
        raise NotImplementedError


@no_type_check
class SeededDraw(RecordedDraw):
    """Uniform choices from a seed; streams with one seed are independent of each other.

    >>> SeededDraw(7).integer(-9, 9) == SeededDraw(7).integer(-9, 9)
    True
    """

    def __init__(self, seed: int, stream: int = 0) -> None:
        super().__init__()
        # The raw words of a bit generator never change between releases of NumPy (NEP 19); `Generator.integers` may.
        self._words = np.random.PCG64(np.random.SeedSequence([seed, stream]))

    def _next(self, largest: int) -> int:
        width = largest.bit_length()
        while True:
            number = 0
            for _ in range(-(-width // 64)):
                number = number << 64 | int(self._words.random_raw())
            # Take the low bits and reject, so that every number is equally likely.
            number &= (1 << width) - 1
            if number <= largest:
                return number


@no_type_check
class ReplayDraw(RecordedDraw):
    """The choices of an earlier record. A missing choice is 0, and one that is too large here is the largest.

    >>> draw = ReplayDraw([3, 99])
    >>> draw.integer(0, 9), draw.choice("abc"), draw.bits(8)
    (3, 'c', 0)
    """

    def __init__(self, choices: Sequence[int]) -> None:
        super().__init__()
        self._given = tuple(choices)

    def _next(self, largest: int) -> int:
        position = len(self.choices)
        return min(self._given[position], largest) if position < len(self._given) else 0


@no_type_check
def nearest_first(number: int, low: int, high: int) -> int:
    """The integer in [low, high] at place `number` in the order of distance from 0, positive before negative.

    >>> [nearest_first(number, -2, 4) for number in range(7)]
    [0, 1, -1, 2, -2, 3, 4]
    >>> [nearest_first(number, 3, 5) for number in range(3)], [nearest_first(number, -5, -4) for number in range(2)]
    ([3, 4, 5], [-4, -5])
    """
    start = min(max(0, low), high)
    above, below = high - start, start - low
    if number > 2 * min(above, below):
        distance = number - min(above, below)
        return start + distance if above > below else start - distance
    return start + (number + 1) // 2 if number % 2 else start - number // 2
