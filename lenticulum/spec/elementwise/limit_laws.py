"""The tables of special values against the definitions: what is due at an end is the limit of the values beside it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from lenticulum import terms
from lenticulum.numbers import Ball, ball, decide
from lenticulum.spec.draw import Draw
from lenticulum.spec.elementwise.special import Expected, expected
from lenticulum.spec.elementwise.subject import evaluate
from lenticulum.spec.law import Grade, Law, require
from lenticulum.terms import Term

#: What is due at a point of a term, or None where it is ordinary.
Table = Callable[..., "Expected | None"]


class End(NamedTuple):
    """A special point, approached from one side: `side` is the sign of x - point, or of an infinite point."""

    term: Term
    point: float
    side: int


def zeros(*kinds: type[Term]) -> list[End]:
    """The two zeros of terms."""
    return [End(kind(), point, side) for kind in kinds for point, side in ((0.0, 1), (-0.0, -1))]


def infinities(*kinds: type[Term]) -> list[End]:
    """The two infinities of terms."""
    return [End(kind(), side * math.inf, side) for kind in kinds for side in (1, -1)]


def above(point: float, *kinds: type[Term]) -> list[End]:
    """A point, approached from above; inf, from below."""
    return [End(kind(), point, 1) for kind in kinds]


def below(point: float, *kinds: type[Term]) -> list[End]:
    """A point, approached from below."""
    return [End(kind(), point, -1) for kind in kinds]


_LOGARITHMS = (terms.Log, terms.Log2, terms.Log10)
_ON_THE_LINE = (
    *(terms.Exp, terms.Exp2, terms.Expm1, terms.Cbrt, terms.Atan, terms.Sinh, terms.Cosh, terms.Tanh, terms.Asinh),
    *(terms.Erf, terms.Erfc, terms.Sigmoid, terms.Sinc),
)

#: Left out: the infinities where circular functions, lgamma and digamma oscillate, so that there is no limit.
ENDS: tuple[End, ...] = (
    *zeros(*_ON_THE_LINE, terms.Sin, terms.Cos, terms.Tan, terms.Asin, terms.Atanh, terms.Erfinv, terms.Log1p),
    *infinities(*_ON_THE_LINE),
    *above(0.0, *_LOGARITHMS, terms.Sqrt, terms.Rsqrt, terms.Entr, terms.Logit),
    *above(math.inf, *_LOGARITHMS, terms.Log1p, terms.Sqrt, terms.Rsqrt, terms.Acosh, terms.Entr),
    *above(math.inf, terms.Lgamma, terms.Digamma),
    *above(1.0, *_LOGARITHMS, terms.Acosh, terms.Lgamma),
    *below(1.0, *_LOGARITHMS, terms.Acos, terms.Atanh, terms.Erfinv, terms.Logit, terms.Lgamma),
    *above(-1.0, terms.Log1p, terms.Atanh, terms.Erfinv, terms.Lgamma),
    *below(-1.0, terms.Lgamma),
    *above(2.0, terms.Lgamma),
    *below(2.0, terms.Lgamma),
    *above(0.5, terms.Logit),
    *below(0.5, terms.Logit),
    *zeros(terms.Lgamma, terms.Digamma),
    *(end._replace(term=terms.Sinc(normalised="no")) for end in (*zeros(terms.Sinc), *infinities(terms.Sinc))),
)


def is_the_limit(table: Table, draw: Draw) -> None:
    """At a distance of 2^-j, or at ±2^j, values lie within 2^(-j/4) of a finite limit, beyond ±sqrt(j)/2 of ±inf.

    Slow enough for the square root and the cube root at 0, for logarithms, and for erfinv at 1. An expected zero at ±0
    or ±inf has the sign of the values beside it.
    """
    holds_at(table, draw.choice(ENDS), draw.integer(24, 40))


def holds_at(table: Table, end: End, exponent: int) -> None:
    """Require the same of one end."""
    due = table(end.term, end.point)
    require(due is not None, "nothing is due at an end", end=end)
    assert due is not None
    near = decide(lambda: _is_near(due, end, exponent), start=256, cap=1 << 13)
    require(near, "what is due is not the limit", end=end, due=due, exponent=exponent)


def _is_near(due: Expected, end: End, exponent: int) -> bool:
    infinite = math.isinf(end.point)
    step = end.side * Fraction(2) ** (exponent if infinite else -exponent)
    y: Ball = evaluate(end.term, ball(step if infinite else Fraction(end.point) + step))
    if due.limit is None and due.value is not None and not math.isfinite(due.value):
        if math.isnan(due.value):
            return False
        return bool((y > 0) == (due.value > 0)) and bool(4 * y * y > exponent)
    limit = due.limit() if due.limit is not None else ball(Fraction(due.value or 0))
    if due.value == 0 and due.judged and (end.point == 0 or infinite):
        if bool((y > 0) != (math.copysign(1.0, due.value) > 0)):
            return False
    return bool((y - limit) ** 4 * 2**exponent < 1)


def altered(kind: type[Term], point: float, value: float) -> Table:
    """Return the table with another value at one point of one kind of term."""

    def table(term: Term, x: float) -> Expected | None:
        due = expected(term, x)
        same = x == point and math.copysign(1.0, x) == math.copysign(1.0, point)
        return replace(due, value=value, limit=None) if due is not None and type(term) is kind and same else due

    return table


LAWS: tuple[Law[Table], ...] = (
    Law(
        "special-values-are-limits",
        "what is due at ±0, ±inf, a pole or an end of the domain is the limit of the values beside it",
        "ISO C23, Annex F.10.1: functions are continuous where the mathematical ones are",
        Grade.ENCLOSED,
        expected,
        is_the_limit,
        {
            "the wrong zero": altered(terms.Log1p, -0.0, 0.0),
            "the limit of exp": altered(terms.Expm1, -math.inf, 0.0),
            "NaN at a pole": altered(terms.Atanh, 1.0, math.nan),
            "the other infinity": altered(terms.Log, 0.0, math.inf),
            "a finite end": altered(terms.Log2, math.inf, 128.0),
            "the right angle rounded": altered(terms.Atan, math.inf, 1.5),
            "the limit of erf": altered(terms.Erfc, math.inf, 1.0),
        },
    ),
)
