"""A functional equation as a law: two formulas in named functions agree at the points drawn."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# A formula takes as many arguments as its law has points, so those of a lambda have no type of their own.

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from lenticulum.numbers import Ball
from lenticulum.spec.draw import Draw
from lenticulum.spec.elementwise.subject import Evaluate, Functions, balls, evaluate, mistaken, same
from lenticulum.spec.law import Grade, Law
from lenticulum.terms import Term

Side = Callable[..., Ball]
Points = Callable[[Draw], Fraction]
Mistake = tuple[type[Term], Callable[..., Any]]

DLMF = "NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov/"


def identity(
    law: str,
    statement: str,
    source: str,
    points: tuple[Points, ...],
    left: Side,
    right: Side,
    planted: Mapping[str, Mistake],
) -> Law[Evaluate]:
    """Return the law left(f, x, ...) = right(f, x, ...) at points drawn one by one.

    `planted`: name -> (kind of term, wrong function).
    """

    def check(of: Evaluate, draw: Draw) -> None:
        drawn = tuple(each(draw) for each in points)
        f = Functions(of)
        same(lambda: left(f, *balls(drawn)), lambda: right(f, *balls(drawn)), f"not so: {statement}", at=drawn)

    mistakes = {name: mistaken(kind, wrong) for name, (kind, wrong) in planted.items()}
    return Law(law, statement, source, Grade.ENCLOSED, evaluate, check, mistakes)


def off(kind: type[Term], name: str) -> dict[str, Mistake]:
    """Return the mistake of a function that is a millionth of x² too large."""
    meaning: Any = kind()
    return {name: (kind, lambda x: evaluate(meaning, x) + Fraction(1, 10**6) * x * x)}
