"""How the functions of one argument run: odd or even, rising or falling; and that their printed forms agree."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# A wrong function takes one argument or two, so those of a lambda have no type of their own.

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

from lenticulum import terms
from lenticulum.numbers import Ball, ball, decide, erf, log, log1p
from lenticulum.spec.draw import Draw
from lenticulum.spec.elementwise.identity import DLMF
from lenticulum.spec.elementwise.subject import (
    Evaluate,
    above_one,
    balls,
    dyadic,
    evaluate,
    mistaken,
    nonzero,
    positive,
    real,
    same,
    share,
    unit,
)
from lenticulum.spec.elementwise.textbook import forms_of
from lenticulum.spec.law import Grade, Inapplicable, Law, require
from lenticulum.terms import Term

Points = Callable[[Draw], Fraction]

ODD: dict[Term, Points] = {
    terms.Cbrt(): real,
    terms.Sin(): real,
    terms.Tan(): real,
    terms.Asin(): unit,
    terms.Atan(): real,
    terms.Sinh(): real,
    terms.Tanh(): real,
    terms.Asinh(): real,
    terms.Atanh(): unit,
    terms.Erf(): real,
    terms.Erfinv(): unit,
}

EVEN: dict[Term, Points] = {
    terms.Cos(): real,
    terms.Cosh(): real,
    terms.Sinc(): real,
    terms.Sinc(normalised="no"): real,
}

RISING: dict[Term, Points] = {
    terms.Exp(): real,
    terms.Exp2(): real,
    terms.Expm1(): real,
    terms.Log(): positive,
    terms.Log2(): positive,
    terms.Log10(): positive,
    terms.Log1p(): positive,
    terms.Sqrt(): positive,
    terms.Cbrt(): real,
    terms.Asin(): unit,
    terms.Atan(): real,
    terms.Sinh(): real,
    terms.Tanh(): real,
    terms.Asinh(): real,
    terms.Acosh(): above_one,
    terms.Atanh(): unit,
    terms.Erf(): real,
    terms.Erfinv(): unit,
    terms.Digamma(): positive,
    terms.Sigmoid(): real,
    terms.Logit(): share,
}

FALLING: dict[Term, Points] = {terms.Rsqrt(): positive, terms.Acos(): unit, terms.Erfc(): real}

#: What the functions are printed as in more than one way. Exact points: the forms of sums have a kink at a tie.
PRINTED: dict[Term, tuple[Points, ...]] = {
    terms.Sigmoid(): (real,),
    terms.Logit(): (share,),
    terms.Sinc(): (nonzero,),
    terms.Sinc(normalised="no"): (nonzero,),
    terms.Logaddexp(): (dyadic, dyadic),
    terms.Logaddexp2(): (dyadic, dyadic),
}


def parity(of: Evaluate, draw: Draw) -> None:
    """f(-x) = -f(x), or f(-x) = f(x)."""
    term = draw.choice([*ODD, *EVEN])
    sign, points = (-1, ODD[term]) if term in ODD else (1, EVEN[term])
    x = points(draw)
    same(lambda: of(term, -ball(x)), lambda: sign * of(term, ball(x)), "f(-x) differs from ±f(x)", term=term, x=x)


def monotone(of: Evaluate, draw: Draw) -> None:
    """a < b gives f(a) < f(b), or f(a) > f(b)."""
    term = draw.choice([*RISING, *FALLING])
    points = RISING.get(term) or FALLING[term]
    low, high = sorted((points(draw), points(draw)))
    if low == high:
        raise Inapplicable("the same point twice")
    rises = decide(lambda: bool(of(term, ball(low)) < of(term, ball(high))), start=128, cap=1 << 14)
    require(rises == (term in RISING), "it does not rise, or fall, throughout", term=term, low=low, high=high)


def forms_agree(of: Evaluate, draw: Draw) -> None:
    """The evaluated form equals each closed form that the sources print."""
    term = draw.choice(list(PRINTED))
    at = tuple(each(draw) for each in PRINTED[term])

    def data() -> Any:
        return balls(at)[0] if len(at) == 1 else tuple(balls(at))

    for form in cast(tuple[Callable[[Any], Ball], ...], forms_of(term)):
        same(lambda: of(term, data()), lambda form=form: form(data()), "two forms differ", term=term, at=at, form=form)


def _tilted(x: Ball) -> Ball:
    return evaluate(terms.Sin(), x) + x * x / 10**6


LAWS: tuple[Law[Evaluate], ...] = (
    Law(
        "elementwise-parity",
        "f(-x) = -f(x) of the odd functions, f(-x) = f(x) of the even ones",
        DLMF + "4.21.E14, 4.23.E10, 4.35.E14, 4.37.E10, 7.4.E1",
        Grade.ENCLOSED,
        evaluate,
        parity,
        {
            "slightly even": mistaken(terms.Sin, _tilted),
            "of the absolute value": mistaken(terms.Cbrt, lambda x: evaluate(terms.Sqrt(), x * x)),
            "the hyperbolic sine": mistaken(terms.Cosh, lambda x: evaluate(terms.Sinh(), x)),
        },
    ),
    Law(
        "elementwise-monotone",
        "a < b gives f(a) < f(b) of the rising functions, f(a) > f(b) of the falling ones",
        DLMF + "4, 5.4, 7",
        Grade.ENCLOSED,
        evaluate,
        monotone,
        {
            "the opposite": mistaken(terms.Acos, lambda x: evaluate(terms.Asin(), x)),
            "even": mistaken(terms.Erf, lambda x: erf(x * x)),
            "saturated": mistaken(terms.Sigmoid, lambda x: evaluate(terms.Sigmoid(), x - x)),
        },
    ),
    Law(
        "elementwise-forms",
        "every printed form equals the one that is evaluated",
        "each form names its own source",
        Grade.ENCLOSED,
        evaluate,
        forms_agree,
        {
            "one logarithm of 1 + x": mistaken(terms.Logit, lambda x: log(x) - log1p(x)),
            "the smaller": mistaken(terms.Logaddexp, lambda x, y: y + log1p((y - x).exp())),
            "the other convention": mistaken(terms.Sinc, lambda x: evaluate(terms.Sinc("yes"), x / 3)),
        },
    ),
)
