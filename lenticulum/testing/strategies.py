"""Hypothesis strategies: the generators of the command line, driven by Hypothesis. There is no second set."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from hypothesis import event
from hypothesis import strategies as st

from lenticulum.check.random_cases import Case, case
from lenticulum.check.random_data import array
from lenticulum.check.random_terms import SIZES, Sizes, TermGenerator
from lenticulum.spec.draw import Draw
from lenticulum.terms import Space, Term

T = TypeVar("T")


class HypothesisDraw:
    """A `Draw` whose choices Hypothesis makes, and shrinks.

    Arguments: `draw`: the `draw` of a composite strategy, or `data.draw`. An observation that holds is an event.
    """

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        """An integer n with low <= n <= high."""
        return self._draw(st.integers(low, high))

    def choice(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self._draw(st.sampled_from(options))

    def bits(self, count: int) -> int:
        """An integer n with 0 <= n < 2^count."""
        return self._draw(st.integers(0, (1 << count) - 1))

    def observe(self, name: str, holds: bool) -> None:
        """Show the degeneracy in Hypothesis' statistics."""
        if holds:
            event(name)


def generated(generator: Callable[..., T], *arguments: Any) -> st.SearchStrategy[T]:
    """What a generator makes of a draw; further arguments are passed on to it.

    >>> from hypothesis import given
    >>> from lenticulum.spec.draw import fraction
    >>> @given(generated(fraction, 9, 6))
    ... def check(q):
    ...     assert abs(q) <= 9
    >>> check()
    """

    def generate(draw: Callable[..., Any]) -> T:
        # A run-time type checker picks the elements that it looks at by `random`, which Hypothesis refuses in a
        # strategy; nothing drawn depends on it, so its state is put back.
        before = random.getstate()
        try:
            return generator(HypothesisDraw(draw), *arguments)
        finally:
            random.setstate(before)

    return st.composite(generate)()


def cases(sizes: Sizes = SIZES) -> st.SearchStrategy[Case]:
    """Terms with everything that determines their value and their reverse derivative."""
    return generated(case, sizes)


def terms(source: Space, features: tuple[int, ...] = (3, 2, 4, 1), nesting: int = 8) -> st.SearchStrategy[Term]:
    """Terms from a source, nested at most `nesting` deep, with these numbers of features inside."""

    def term(draw: Draw) -> Term:
        return TermGenerator(draw, features).model(source, nesting)

    return generated(term)


def arrays(shape: tuple[int, ...]) -> st.SearchStrategy[np.ndarray]:
    """Arrays of float32 of mixed scale and sign."""
    return generated(array, shape)
