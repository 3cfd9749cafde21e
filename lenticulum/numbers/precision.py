"""The working precision of balls, process-wide in FLINT, and the driver that raises it until a question is decided."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import RLock
from typing import TypeVar

import flint

from lenticulum.numbers.errors import Undecided

Answer = TypeVar("Answer")

_lock = RLock()


def current_precision() -> int:
    """The working precision in bits."""
    return flint.ctx.prec


@contextmanager
def working_precision(bits: int) -> Generator[None]:
    """Compute with this many bits inside the block, then restore.

    FLINT's precision belongs to the process: the block holds a lock that other threads wait for, so spread work over
    processes instead.
    """
    if bits < 2:
        raise ValueError(f"got a precision of {bits} bits, expected at least 2")
    with _lock:
        before = flint.ctx.prec
        flint.ctx.prec = bits
        try:
            yield
        finally:
            flint.ctx.prec = before


def decide(function: Callable[[], Answer], start: int = 64, cap: int = 4096) -> Answer:
    """Call `function()` at `start` bits, doubling until it does not raise Undecided; Undecided at the cap says so.

    >>> from lenticulum.numbers import ball, decide
    >>> decide(lambda: bool((ball(10) ** -40).exp() > 1))
    True
    """
    bits = start
    while True:
        try:
            with working_precision(bits):
                return function()
        except Undecided as undecided:
            if bits >= cap:
                raise Undecided(f"still undecided at the cap of {cap} bits: {undecided}") from undecided
        bits = min(2 * bits, cap)
