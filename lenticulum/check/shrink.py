"""Shrinking: from a record of choices that shows a finding to a simpler one that shows the same finding."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Choices = tuple[int, ...]
#: Replays choices; returns those that were used if the same finding appears, else None.
Replay = Callable[[Choices], Sequence[int] | None]

BLOCKS = (16, 8, 4, 2, 1)


def shrink(choices: Sequence[int], replay: Replay, trials: int = 1000) -> Choices:
    """Return choices that replay to the same finding, as simple as `trials` replays can make them.

    Simpler means fewer choices, then smaller ones from the left. The moves: delete a block, set a block to zero, halve
    a number, lower it by two (which keeps the sign of an integer) or by one; repeated until none helps. Only what was
    replayed with success is returned; if nothing simpler was, that is `choices` itself.

    >>> shrink([7, 12, 40], lambda choices: choices if sum(choices) >= 10 else None)
    (10,)
    """
    search = _Search(tuple(choices), replay, trials)
    before = None
    while search.left and search.best != before:
        before = search.best
        for block in BLOCKS:
            search.delete(block)
        for block in BLOCKS:
            search.zero(block)
        for position in reversed(range(len(search.best))):
            search.lower(position)
    return search.best


class _Search:
    """The simplest choices so far, and the trials that are left."""

    def __init__(self, best: Choices, replay: Replay, trials: int) -> None:
        self.best, self.replay, self.left = best, replay, trials

    def accept(self, candidate: Choices) -> bool:
        """Move to a candidate if it is simpler and shows the same finding."""
        if not self.left or _order(candidate) >= _order(self.best):
            return False
        self.left -= 1
        used = self.replay(candidate)
        # A replay may use more choices than the candidate has, and is then no simplification.
        if used is None or _order(tuple(used)) >= _order(self.best):
            return False
        self.best = tuple(used)
        return True

    def delete(self, block: int) -> None:
        """Drop blocks, the last first: late choices rarely decide what the others mean."""
        start = len(self.best) - block
        while start >= 0:
            self.accept(self.best[:start] + self.best[start + block :])
            start = min(start, len(self.best)) - block

    def zero(self, block: int) -> None:
        """Make blocks of choices the simplest ones."""
        start = len(self.best) - block
        while start >= 0:
            self.accept(self.best[:start] + (0,) * block + self.best[start + block :])
            start = min(start, len(self.best)) - block

    def lower(self, position: int) -> None:
        """Halve the number at a position as often as that helps, then lower it in steps of two and of one."""
        for smaller in (lambda number: number // 2, lambda number: number - 2, lambda number: number - 1):
            while position < len(self.best) and smaller(self.best[position]) >= 0:
                candidate = (*self.best[:position], smaller(self.best[position]), *self.best[position + 1 :])
                if not self.accept(candidate):
                    break


def _order(choices: Choices) -> tuple[int, Choices]:
    return len(choices), choices
