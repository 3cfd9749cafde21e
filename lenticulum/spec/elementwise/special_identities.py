"""Functional equations of the error function, the sigmoid, entropy and the gamma function."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# A formula takes as many arguments as its law has points, so those of a lambda have no type of their own.

from __future__ import annotations

from fractions import Fraction

from lenticulum import numbers, terms
from lenticulum.numbers import absolute, ball, ones_like, pi
from lenticulum.spec.elementwise.identity import DLMF, identity, off
from lenticulum.spec.elementwise.subject import Evaluate, no_integer, positive, real, share, unit
from lenticulum.spec.law import Law

PROBABILITY: tuple[Law[Evaluate], ...] = (
    identity(
        "erf-erfc",
        "erf x + erfc x = 1",
        DLMF + "7.2.E2",
        (real,),
        lambda f, x: f.erf(x) + f.erfc(x),
        lambda f, x: ones_like(x),
        {
            "of the normal distribution": (terms.Erf, lambda x: numbers.erf(x / 2)),
            "reflected": (terms.Erfc, lambda x: numbers.erfc(-x)),
        },
    ),
    identity(
        "erf-erfinv",
        "erf(erfinv x) = x",
        DLMF + "7.17.E1",
        (unit,),
        lambda f, x: f.erf(f.erfinv(x)),
        lambda f, x: x,
        {
            "the quantile of the normal distribution": (
                terms.Erfinv,
                lambda x: numbers.sqrt(x - x + 2) * numbers.erfinv(x),
            )
        },
    ),
    identity(
        "sigmoid-reflection",
        "sigmoid(-x) = 1 - sigmoid x",
        "Cox 1958, doi:10.1111/j.2517-6161.1958.tb00292.x",
        (real,),
        lambda f, x: f.sigmoid(-x),
        lambda f, x: 1 - f.sigmoid(x),
        {"not halved": (terms.Sigmoid, numbers.tanh)},
    ),
    identity(
        "sigmoid-tanh",
        "2 sigmoid x - 1 = tanh(x/2)",
        DLMF + "4.28.E4",
        (real,),
        lambda f, x: 2 * f.sigmoid(x) - 1,
        lambda f, x: f.tanh(x / 2),
        {"of twice the argument": (terms.Sigmoid, lambda x: numbers.sigmoid(2 * x))},
    ),
    identity(
        "sigmoid-logit",
        "sigmoid(logit x) = x",
        "Berkson 1944, doi:10.1080/01621459.1944.10500699",
        (share,),
        lambda f, x: f.sigmoid(f.logit(x)),
        lambda f, x: x,
        {"the odds": (terms.Logit, lambda x: x / (1 - x))},
    ),
    identity(
        "logit-reflection",
        "logit(1 - x) = -logit x",
        "Berkson 1944, doi:10.1080/01621459.1944.10500699",
        (share,),
        lambda f, x: f.logit(1 - x),
        lambda f, x: -f.logit(x),
        {"the logarithm alone": (terms.Logit, numbers.log)},
    ),
    identity(
        "entr-product",
        "entr(ab) = a entr b + b entr a",
        "from log(ab) = log a + log b",
        (positive, positive),
        lambda f, a, b: f.entr(a * b),
        lambda f, a, b: a * f.entr(b) + b * f.entr(a),
        {"of two outcomes": (terms.Entr, lambda x: -x * numbers.log(x) - (1 + x) * numbers.log1p(x))},
    ),
    identity(
        "entr-exp",
        "entr(exp x) = -x exp x",
        "from log(exp x) = x",
        (real,),
        lambda f, x: f.entr(f.exp(x)),
        lambda f, x: -x * f.exp(x),
        {
            "in bits": (terms.Entr, lambda x: -x * numbers.log2(x)),
            "the opposite": (terms.Entr, lambda x: x * numbers.log(x)),
        },
    ),
)

GAMMA: tuple[Law[Evaluate], ...] = (
    identity(
        "gamma-recurrence",
        "lgamma(x + 1) = lgamma x + log |x|",
        DLMF + "5.5.E1",
        (no_integer,),
        lambda f, x: f.lgamma(x + 1),
        lambda f, x: f.lgamma(x) + f.log(absolute(x)),
        {
            "of the factorial": (terms.Lgamma, lambda x: numbers.lgamma(x + 1)),
            **off(terms.Lgamma, "slightly too large"),
        },
    ),
    identity(
        "gamma-duplication",
        "lgamma x + lgamma(x + 1/2) = lgamma(2x) + (1 - 2x) log 2 + log(pi)/2, x > 0",
        DLMF + "5.5.E5",
        (positive,),
        lambda f, x: f.lgamma(x) + f.lgamma(x + Fraction(1, 2)),
        lambda f, x: f.lgamma(2 * x) + (1 - 2 * x) * f.log(ball(2)) + f.log(pi(x)) / 2,
        {
            "the leading term of Stirling": (terms.Lgamma, lambda x: x * numbers.log(x) - x),
            "a constant": (terms.Lgamma, lambda x: numbers.lgamma(x) + 1),
        },
    ),
    identity(
        "gamma-reflection",
        "lgamma x + lgamma(1 - x) = log(pi / |sin(pi x)|)",
        DLMF + "5.5.E3",
        (no_integer,),
        lambda f, x: f.lgamma(x) + f.lgamma(1 - x),
        lambda f, x: f.log(pi(x) / absolute(f.sin(pi(x) * x))),
        {"of the absolute value": (terms.Lgamma, lambda x: numbers.lgamma(absolute(x)))},
    ),
    identity(
        "digamma-recurrence",
        "digamma(x + 1) = digamma x + 1/x",
        DLMF + "5.5.E2",
        (no_integer,),
        lambda f, x: f.digamma(x + 1),
        lambda f, x: f.digamma(x) + 1 / x,
        {"the asymptote": (terms.Digamma, lambda x: numbers.log(absolute(x)))},
    ),
    identity(
        "digamma-reflection",
        "digamma(1 - x) - digamma x = pi / tan(pi x)",
        DLMF + "5.5.E4",
        (no_integer,),
        lambda f, x: (f.digamma(1 - x) - f.digamma(x)) * f.sin(pi(x) * x),
        lambda f, x: pi(x) * f.cos(pi(x) * x),
        {"of the absolute value": (terms.Digamma, lambda x: numbers.digamma(absolute(x)))},
    ),
    identity(
        "digamma-duplication",
        "2 digamma(2x) = digamma x + digamma(x + 1/2) + 2 log 2",
        DLMF + "5.5.E8",
        (positive,),
        lambda f, x: 2 * f.digamma(2 * x),
        lambda f, x: f.digamma(x) + f.digamma(x + Fraction(1, 2)) + 2 * f.log(ball(2)),
        {"the harmonic number": (terms.Digamma, lambda x: numbers.digamma(x + 1))},
    ),
)

LAWS = (*PROBABILITY, *GAMMA)
