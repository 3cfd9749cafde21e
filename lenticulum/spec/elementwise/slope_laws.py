"""The derivatives of the functions, in closed form: the forward derivative equals them, and the reverse equals it."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# A formula takes as many arguments as its law has points, so those of a lambda have no type of their own.

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from lenticulum import numbers, terms
from lenticulum.numbers import ball, exp, jvp, log, ones_like, pi, polygamma, rsqrt, sqrt, vjp, zeros_like
from lenticulum.spec.draw import Draw
from lenticulum.spec.elementwise.identity import DLMF
from lenticulum.spec.elementwise.subject import (
    Evaluate,
    above_one,
    balls,
    dyadic,
    evaluate,
    mistaken,
    no_integer,
    nonzero,
    positive,
    real,
    same,
    share,
    unit,
)
from lenticulum.spec.law import Grade, Law
from lenticulum.terms import Term

Points = Callable[[Draw], Fraction]
Formula = Callable[..., Any]


class Slope(NamedTuple):
    """Where a function is differentiated, and its partial derivatives, each in closed form."""

    points: tuple[Points, ...]
    partials: tuple[Formula, ...]


def _sinc(x: Any) -> Any:
    return (numbers.cos(pi(x) * x) - numbers.sin(pi(x) * x) / (pi(x) * x)) / x


def _bell(x: Any) -> Any:
    return 2 * exp(-x * x) / sqrt(pi(x))


def _two(x: Any) -> Any:
    return 2 * ones_like(x)


#: Where a derivative has two forms, it stands here in the one that `numbers` does not use.
SLOPES: dict[Term, Slope] = {
    terms.Exp(): Slope((real,), (exp,)),
    terms.Exp2(): Slope((real,), (lambda x: exp(x * log(_two(x))) * log(_two(x)),)),
    terms.Expm1(): Slope((real,), (lambda x: numbers.expm1(x) + 1,)),
    terms.Log(): Slope((positive,), (lambda x: 1 / x,)),
    terms.Log2(): Slope((positive,), (lambda x: 1 / x / log(_two(x)),)),
    terms.Log10(): Slope((positive,), (lambda x: 1 / x / log(5 * _two(x)),)),
    terms.Log1p(): Slope((positive,), (lambda x: 1 / (1 + x),)),
    terms.Sqrt(): Slope((positive,), (lambda x: rsqrt(x) / 2,)),
    terms.Rsqrt(): Slope((positive,), (lambda x: -(rsqrt(x) ** 3) / 2,)),
    terms.Cbrt(): Slope((nonzero,), (lambda x: numbers.cbrt(x) / (3 * x),)),
    terms.Sin(): Slope((real,), (numbers.cos,)),
    terms.Cos(): Slope((real,), (lambda x: -numbers.sin(x),)),
    terms.Tan(): Slope((real,), (lambda x: 1 / numbers.cos(x) ** 2,)),
    terms.Asin(): Slope((unit,), (lambda x: rsqrt(1 - x * x),)),
    terms.Acos(): Slope((unit,), (lambda x: -rsqrt(1 - x * x),)),
    terms.Atan(): Slope((real,), (lambda x: 1 / (1 + x * x),)),
    terms.Sinh(): Slope((real,), (lambda x: (exp(x) + exp(-x)) / 2,)),
    terms.Cosh(): Slope((real,), (lambda x: (exp(x) - exp(-x)) / 2,)),
    terms.Tanh(): Slope((real,), (lambda x: 1 / numbers.cosh(x) ** 2,)),
    terms.Asinh(): Slope((real,), (lambda x: rsqrt(1 + x * x),)),
    terms.Acosh(): Slope((above_one,), (lambda x: rsqrt(x * x - 1),)),
    terms.Atanh(): Slope((unit,), (lambda x: (1 / (1 + x) + 1 / (1 - x)) / 2,)),
    terms.Erf(): Slope((real,), (_bell,)),
    terms.Erfc(): Slope((real,), (lambda x: -_bell(x),)),
    terms.Erfinv(): Slope((unit,), (lambda x: 1 / _bell(numbers.erfinv(x)),)),
    terms.Lgamma(): Slope((no_integer,), (numbers.digamma,)),
    terms.Digamma(): Slope((no_integer,), (lambda x: polygamma(x + 1, 1) + 1 / (x * x),)),
    terms.Sigmoid(): Slope((real,), (lambda x: exp(-x) / (1 + exp(-x)) ** 2,)),
    terms.Logit(): Slope((share,), (lambda x: 1 / x + 1 / (1 - x),)),
    terms.Sinc(): Slope((nonzero,), (_sinc,)),
    terms.Sinc(normalised="no"): Slope((nonzero,), (lambda x: (numbers.cos(x) - numbers.sin(x) / x) / x,)),
    terms.Entr(): Slope((positive,), (lambda x: -log(x) - 1,)),
    terms.Pow(): Slope((positive, real), (lambda x, y: y / x * exp(y * log(x)), lambda x, y: log(x) * exp(y * log(x)))),
    terms.Hypot(): Slope(
        (nonzero, real), (lambda x, y: x * rsqrt(x * x + y * y), lambda x, y: y * rsqrt(x * x + y * y))
    ),
    terms.Atan2(): Slope((nonzero, nonzero), (lambda x, y: 1 / (y + x / y * x), lambda x, y: -1 / (x + y / x * y))),
    terms.Logaddexp(): Slope(
        (dyadic, dyadic), (lambda x, y: 1 / (1 + exp(y - x)), lambda x, y: exp(y) / (exp(x) + exp(y)))
    ),
    terms.Logaddexp2(): Slope(
        (dyadic, dyadic),
        (lambda x, y: 1 / (1 + numbers.exp2(y - x)), lambda x, y: 1 / (1 + numbers.exp2(x - y))),
    ),
    terms.Xlogy(): Slope((real, positive), (lambda x, y: log(y), lambda x, y: x / y)),
    terms.Xlog1py(): Slope((real, positive), (lambda x, y: log(1 + y), lambda x, y: x / (1 + y))),
}


def _at(of: Evaluate, term: Term) -> Callable[..., Any]:
    return lambda *x: of(term, x[0] if len(x) == 1 else x)


def forward(term: Term) -> Callable[[Evaluate, Draw], None]:
    """Return the check that every partial derivative has its closed form."""

    def check(of: Evaluate, draw: Draw) -> None:
        drawn = tuple(each(draw) for each in SLOPES[term].points)
        for number, formula in enumerate(SLOPES[term].partials):

            def derivative(number: int = number) -> Any:
                x = balls(drawn)
                tangents = [ones_like(each) if i == number else zeros_like(each) for i, each in enumerate(x)]
                return jvp(_at(of, term), x, tangents)[1]

            same(derivative, lambda f=formula: f(*balls(drawn)), "the derivative differs", at=drawn, argument=number)

    return check


def reverse(of: Evaluate, draw: Draw) -> None:
    """The reverse derivative is the transpose of the forward one."""
    term = draw.choice(list(SLOPES))
    drawn = tuple(each(draw) for each in SLOPES[term].points)
    for number in range(len(drawn)):

        def pulled(number: int = number) -> Any:
            value, pull = vjp(_at(of, term), *balls(drawn))
            return pull(ones_like(value))[number]

        def pushed(number: int = number) -> Any:
            x = balls(drawn)
            tangents = [ones_like(each) if i == number else zeros_like(each) for i, each in enumerate(x)]
            return jvp(_at(evaluate, term), x, tangents)[1]

        same(pulled, pushed, "the reverse derivative is not the transpose", term=term, at=drawn, argument=number)


def bend(of: Evaluate, draw: Draw) -> None:
    """sinc'' (0) = -pi²/3, not normalised -1/3, and sinc'(0) = 0: derivatives at the point that the quotient lacks."""
    normalised = draw.choice(["yes", "no"])

    def slope(x: Any) -> Any:
        return jvp(lambda x: of(terms.Sinc(normalised), x), (x,), (ones_like(x),))[1]

    at_zero = ball(0)
    same(lambda: slope(at_zero), lambda: ball(0), "sinc'(0) is not 0", normalised=normalised)
    scale = (lambda: pi(at_zero)) if normalised == "yes" else (lambda: ball(1))
    second = lambda: jvp(slope, (ball(0),), (ball(1),))[1]  # noqa: E731
    same(second, lambda: -(scale() ** 2) / 3, "sinc''(0) differs", normalised=normalised)


def _name(term: Term) -> str:
    return type(term).__name__.lower() + ("-unnormalised" if term == terms.Sinc("no") else "")


def _tilted(term: Term) -> Evaluate:
    """A millionth of the sum of the arguments is added."""
    return mistaken(type(term), lambda *x: _at(evaluate, term)(*x) + sum(x[1:], x[0]) * Fraction(1, 10**6))


LAWS: tuple[Law[Evaluate], ...] = (
    *(
        Law(
            f"{_name(term)}-derivative",
            "every partial derivative has its closed form",
            DLMF + "4, 5, 7",
            Grade.ENCLOSED,
            evaluate,
            forward(term),
            {"slightly steeper": _tilted(term)},
        )
        for term in SLOPES
    ),
    Law(
        "elementwise-reverse",
        "the reverse derivative is the transpose of the forward one",
        "the definition of the reverse derivative, arXiv:1910.07065",
        Grade.ENCLOSED,
        evaluate,
        reverse,
        {"of another function": mistaken(terms.Sin, numbers.cos)},
    ),
    Law(
        "sinc-at-0",
        "sinc'(0) = 0 and sinc''(0) = -pi²/3, not normalised -1/3",
        "the series sin x / x = 1 - x²/6 + ..., " + DLMF + "4.19.E1",
        Grade.ENCLOSED,
        evaluate,
        bend,
        {
            "constant at 0": mistaken(terms.Sinc, lambda x: numbers.cos(0 * x)),
            "of another scale": mistaken(terms.Sinc, lambda x: 1 - x * x / 2),
        },
    ),
)
