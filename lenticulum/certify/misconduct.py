"""Calls that are wrong whatever numbers they return: a subject that raises, changes its input, or changes its type."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lenticulum.certify.subject import Kernel, WrongOutput
from lenticulum.check.target import one_line
from lenticulum.numbers.formats import Format

Array = np.ndarray


class Misconduct(Exception):
    """What happened, and the shortest array of inputs found with which it happens.

    `kind`: "raises", "mutates" or "type". `patterns`: one array for each argument.
    """

    def __init__(self, kind: str, words: str, patterns: tuple[Array, ...]) -> None:
        super().__init__(kind, words, patterns)
        self.kind, self.words, self.patterns = kind, words, patterns


def called(kernel: Kernel, patterns: tuple[Array, ...], output: Format) -> Array:
    """Return the outputs of a kernel as patterns.

    The kernel is given copies, so that one that writes into its arguments changes no input of the run.

    Raises: Misconduct, with the shortest part of the inputs that halving finds.
    """
    y_bits, wrong = _attempt(kernel, patterns, output)
    if wrong is None:
        return y_bits
    kind = wrong[0]
    shortest = _halved(lambda part: (_attempt(kernel, part, output)[1] or ("",))[0] == kind, patterns)
    words = (_attempt(kernel, shortest, output)[1] or wrong)[1]
    raise Misconduct(kind, words, shortest)


def _attempt(kernel: Kernel, patterns: tuple[Array, ...], output: Format) -> tuple[Array, tuple[str, str] | None]:
    """Return the outputs, and what is wrong with the call: its kind in one word, and a sentence."""
    given = tuple(each.copy() for each in patterns)
    nothing = np.zeros(0, np.uint8)
    try:
        y_bits, format = kernel(*given)
    except WrongOutput as error:
        return nothing, ("type", str(error))
    except MemoryError:
        raise
    except Exception as error:
        return nothing, ("raises", one_line(error))
    for number, (before, after) in enumerate(zip(patterns, given, strict=True), 1):
        if not np.array_equal(before, after):
            return nothing, ("mutates", f"the call changes its argument {number}")
    if y_bits.shape != patterns[0].shape:
        return nothing, ("type", f"of shape {list(patterns[0].shape)} it makes {list(y_bits.shape)}")
    if format != output:
        return nothing, ("type", f"it returns {format.name}, elsewhere {output.name}")
    return y_bits, None


def _halved(shows: Callable[[tuple[Array, ...]], bool], patterns: tuple[Array, ...]) -> tuple[Array, ...]:
    """Return a part that still shows something, neither half of which does."""
    while patterns[0].size > 1:
        half = patterns[0].size // 2
        parts = (tuple(each[:half] for each in patterns), tuple(each[half:] for each in patterns))
        found = next((part for part in parts if shows(part)), None)
        if found is None:
            return patterns
        patterns = found
    return patterns
