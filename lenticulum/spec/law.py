"""Law: a statement about a subject, with its check and with the planted mistakes that the check must reject."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from lenticulum.spec.draw import Draw

S = TypeVar("S")


class Grade(Enum):
    """How strong a verdict is; the order is from strongest to weakest.

    PROVED: by a normal form, or on every input. EXACT: by exact equality on the inputs drawn. ENCLOSED: by rigorous
    enclosures on the inputs drawn. MEASURED: by floating-point values on the inputs drawn.
    """

    PROVED = "proved"
    EXACT = "exact"
    ENCLOSED = "enclosed"
    MEASURED = "measured"


class Violation(Exception):
    """A law does not hold of its subject; the witness names the values that show it."""

    def __init__(self, message: str, witness: Mapping[str, object]) -> None:
        super().__init__(message)
        self.message = message
        self.witness = witness

    def __str__(self) -> str:
        return "\n".join([self.message, *(f"  {name} = {value}" for name, value in self.witness.items())])


class Inapplicable(Exception):
    """The hypotheses of a law do not hold in this case, so that the case counts neither for nor against it."""


@dataclass(frozen=True)
class Law(Generic[S]):
    """A law is data: what is claimed, of what, how it is checked, and which mistakes the check must reject.

    `check(subject, draw)` draws one case and returns if the law holds in it. It raises `Violation` if the law fails,
    `Inapplicable` if the hypotheses do, and `numbers.Undecided` if the comparison could not be decided.
    Each planted mistake is a wrong subject: within the cases of one run, `check` must raise `Violation` on it.
    """

    id: str
    statement: str
    source: str
    grade: Grade
    subject: S
    check: Callable[[S, Draw], None]
    planted: Mapping[str, S]


def require(condition: bool, message: str, **witness: object) -> None:
    """Raise `Violation` with the message and the witness unless the condition holds."""
    if not condition:
        raise Violation(message, witness)
