"""Functional equations of the exponential, logarithmic, circular and hyperbolic functions and of roots."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# A formula takes as many arguments as its law has points, so those of a lambda have no type of their own.

from __future__ import annotations

from lenticulum import numbers, terms
from lenticulum.numbers import absolute, ones_like, pi
from lenticulum.spec.elementwise.identity import DLMF, identity, off
from lenticulum.spec.elementwise.subject import Evaluate, above_one, positive, real, unit
from lenticulum.spec.law import Law

EXPONENTIALS: tuple[Law[Evaluate], ...] = (
    identity(
        "exp-sum",
        "exp(a + b) = exp a exp b",
        DLMF + "4.2.E17",
        (real, real),
        lambda f, a, b: f.exp(a + b),
        lambda f, a, b: f.exp(a) * f.exp(b),
        {"the first terms of the series": (terms.Exp, lambda x: 1 + x + x * x / 2)},
    ),
    identity(
        "exp2-sum",
        "exp2(a + b) = exp2 a exp2 b, exp2(1) = 2",
        DLMF + "4.2.E17",
        (real, real),
        lambda f, a, b: f.exp2(a + b + 1),
        lambda f, a, b: 2 * f.exp2(a) * f.exp2(b),
        {"base e": (terms.Exp2, numbers.exp), "the expansion at 0": (terms.Exp2, lambda x: 1 + x)},
    ),
    identity(
        "expm1-exp",
        "expm1 x + 1 = exp x",
        DLMF + "4.2.E19",
        (real,),
        lambda f, x: f.expm1(x) + 1,
        lambda f, x: f.exp(x),
        {"of the opposite": (terms.Expm1, lambda x: numbers.expm1(-x))},
    ),
    identity(
        "log-exp",
        "log(exp x) = x",
        DLMF + "4.2.E18",
        (real,),
        lambda f, x: f.log(f.exp(x)),
        lambda f, x: x,
        {"base 2": (terms.Log, numbers.log2)},
    ),
    identity(
        "log-product",
        "log(ab) = log a + log b",
        DLMF + "4.8.E1",
        (positive, positive),
        lambda f, a, b: f.log(a * b),
        lambda f, a, b: f.log(a) + f.log(b),
        {"shifted by one": (terms.Log, numbers.log1p)},
    ),
    identity(
        "log2-exp2",
        "log2(exp2 x) = x",
        DLMF + "4.2.E21",
        (real,),
        lambda f, x: f.log2(f.exp2(x)),
        lambda f, x: x,
        {"base e": (terms.Log2, numbers.log)},
    ),
    identity(
        "log10-ten",
        "log10(10 x) = log10 x + 1",
        DLMF + "4.2.E21",
        (positive,),
        lambda f, x: f.log10(10 * x),
        lambda f, x: f.log10(x) + 1,
        {"base e": (terms.Log10, numbers.log)},
    ),
    identity(
        "log10-product",
        "log10(ab) = log10 a + log10 b",
        DLMF + "4.8.E1",
        (positive, positive),
        lambda f, a, b: f.log10(a * b),
        lambda f, a, b: f.log10(a) + f.log10(b),
        {"an offset": (terms.Log10, lambda x: numbers.log10(x) + 1)},
    ),
    identity(
        "log1p-expm1",
        "log1p(expm1 x) = x",
        DLMF + "4.2.E18",
        (real,),
        lambda f, x: f.log1p(f.expm1(x)),
        lambda f, x: x,
        {
            "without the shift": (terms.Log1p, lambda x: numbers.log(absolute(x) + 1)),
            "the first terms of the series": (terms.Expm1, lambda x: x + x * x / 2),
        },
    ),
)

ROOTS: tuple[Law[Evaluate], ...] = (
    identity(
        "sqrt-square",
        "(sqrt x)² = x",
        "IEEE 754-2019, 5.4.1",
        (positive,),
        lambda f, x: f.sqrt(x) * f.sqrt(x),
        lambda f, x: x,
        {"the cube root": (terms.Sqrt, numbers.cbrt)},
    ),
    identity(
        "rsqrt-square",
        "x (rsqrt x)² = 1",
        "ISO C23, 7.12.7.9",
        (positive,),
        lambda f, x: x * f.rsqrt(x) * f.rsqrt(x),
        lambda f, x: ones_like(x),
        {"not inverted": (terms.Rsqrt, numbers.sqrt)},
    ),
    identity(
        "cbrt-cube",
        "(cbrt x)³ = x",
        "ISO C23, 7.12.7.1",
        (real,),
        lambda f, x: f.cbrt(x) ** 3,
        lambda f, x: x,
        {"of the absolute value": (terms.Cbrt, lambda x: numbers.cbrt(absolute(x)))},
    ),
)

TRIGONOMETRY: tuple[Law[Evaluate], ...] = (
    identity(
        "pythagoras",
        "sin² x + cos² x = 1",
        DLMF + "4.21.E12",
        (real,),
        lambda f, x: f.sin(x) ** 2 + f.cos(x) ** 2,
        lambda f, x: ones_like(x),
        {
            "degrees": (terms.Sin, lambda x: numbers.sin(pi(x) * x / 180)),
            "hyperbolic": (terms.Cos, numbers.cosh),
        },
    ),
    identity(
        "sin-sum",
        "sin(a + b) = sin a cos b + cos a sin b",
        DLMF + "4.21.E2",
        (real, real),
        lambda f, a, b: f.sin(a + b),
        lambda f, a, b: f.sin(a) * f.cos(b) + f.cos(a) * f.sin(b),
        {"the opposite": (terms.Cos, lambda x: -numbers.cos(x)), "hyperbolic": (terms.Sin, numbers.sinh)},
    ),
    identity(
        "tan-cos",
        "tan x cos x = sin x",
        DLMF + "4.14.E4",
        (real,),
        lambda f, x: f.tan(x) * f.cos(x),
        lambda f, x: f.sin(x),
        {"inverted": (terms.Tan, lambda x: numbers.cos(x) / (numbers.sin(x) + 3))},
    ),
    identity(
        "sin-asin",
        "sin(asin x) = x",
        DLMF + "4.23.E1",
        (unit,),
        lambda f, x: f.sin(f.asin(x)),
        lambda f, x: x,
        {"the other inverse": (terms.Asin, numbers.acos)},
    ),
    identity(
        "asin-acos",
        "asin x + acos x = pi/2",
        DLMF + "4.23.E19",
        (unit,),
        lambda f, x: f.asin(x) + f.acos(x),
        lambda f, x: pi(x) / 2,
        {
            "the other branch of asin": (terms.Asin, lambda x: pi(x) - numbers.asin(x)),
            "the opposite of acos": (terms.Acos, lambda x: -numbers.acos(x)),
        },
    ),
    identity(
        "tan-atan",
        "tan(atan x) = x",
        DLMF + "4.23.E3",
        (real,),
        lambda f, x: f.tan(f.atan(x)),
        lambda f, x: x,
        {"hyperbolic": (terms.Atan, numbers.asinh)},
    ),
    identity(
        "sinc-normalised",
        "pi x sinc x = sin(pi x)",
        "Woodward and Davies 1952, doi:10.1049/pi-3.1952.0011",
        (real,),
        lambda f, x: pi(x) * x * f.sinc(x, normalised="yes"),
        lambda f, x: f.sin(pi(x) * x),
        {"the other convention": (terms.Sinc, lambda x: numbers.sinc(x / pi(x)))},
    ),
    identity(
        "sinc-unnormalised",
        "x sinc x = sin x, not normalised",
        DLMF + "6.2.E9",
        (real,),
        lambda f, x: x * f.sinc(x, normalised="no"),
        lambda f, x: f.sin(x),
        {"the other convention": (terms.Sinc, numbers.sinc)},
    ),
)

HYPERBOLAS: tuple[Law[Evaluate], ...] = (
    identity(
        "hyperbola",
        "cosh² x - sinh² x = 1",
        DLMF + "4.35.E11",
        (real,),
        lambda f, x: f.cosh(x) ** 2 - f.sinh(x) ** 2,
        lambda f, x: ones_like(x),
        {"not halved": (terms.Sinh, lambda x: 2 * numbers.sinh(x)), **off(terms.Cosh, "slightly too large")},
    ),
    identity(
        "sinh-exp",
        "sinh x + cosh x = exp x",
        DLMF + "4.28.E3",
        (real,),
        lambda f, x: f.sinh(x) + f.cosh(x),
        lambda f, x: f.exp(x),
        {"the opposite": (terms.Sinh, lambda x: -numbers.sinh(x)), "circular": (terms.Cosh, numbers.cos)},
    ),
    identity(
        "tanh-cosh",
        "tanh x cosh x = sinh x",
        DLMF + "4.28.E4",
        (real,),
        lambda f, x: f.tanh(x) * f.cosh(x),
        lambda f, x: f.sinh(x),
        {"of half the argument": (terms.Tanh, lambda x: numbers.tanh(x / 2))},
    ),
    identity(
        "sinh-asinh",
        "sinh(asinh x) = x",
        DLMF + "4.37.E1",
        (real,),
        lambda f, x: f.sinh(f.asinh(x)),
        lambda f, x: x,
        {"circular": (terms.Asinh, numbers.atan)},
    ),
    identity(
        "cosh-acosh",
        "cosh(acosh x) = x",
        DLMF + "4.37.E2",
        (above_one,),
        lambda f, x: f.cosh(f.acosh(x)),
        lambda f, x: x,
        {"the other inverse": (terms.Acosh, numbers.asinh)},
    ),
    identity(
        "tanh-atanh",
        "tanh(atanh x) = x",
        DLMF + "4.37.E3",
        (unit,),
        lambda f, x: f.tanh(f.atanh(x)),
        lambda f, x: x,
        {"not halved": (terms.Atanh, lambda x: numbers.log((1 + x) / (1 - x)))},
    ),
)

LAWS = (*EXPONENTIALS, *ROOTS, *TRIGONOMETRY, *HYPERBOLAS)
