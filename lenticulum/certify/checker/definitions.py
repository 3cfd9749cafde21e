"""The definitions that a claim may name: a form that does not cancel, and the closed forms as sources print them.

Conventions are words or exact numbers. `at_kink` and `at_nan` choose a derivative or a special value, not the function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from lenticulum.certify.checker.expressions import HALF, PI, Expression, X, Y, call, clip, expression, upto

#: A convention: its choices, or the default of a number.
Choices = tuple[str, ...]
Convention = Choices | Fraction

SLOPE_CHOICES = ("zero", "half", "one")
SIDE_CHOICES = ("left", "half", "right")
REGION_CHOICES = ("outside", "half", "inside")


class Definition(NamedTuple):
    """`value`: the form that is evaluated. `forms`: the closed forms, for the running bound."""

    name: str
    arguments: int
    conventions: dict[str, str | Fraction]
    value: Expression
    forms: tuple[Expression, ...]


class Formula(NamedTuple):
    """Conventions with their choices and defaults, and the function from their values to (value, forms)."""

    arguments: int
    conventions: dict[str, Convention]
    make: Callable[..., tuple[Expression, ...]]


FORMULAS: dict[str, Formula] = {}


def formula(
    name: str, make: Callable[..., tuple[Expression, ...]], arguments: int = 1, **conventions: Convention
) -> None:
    """Add a definition: `make(**conventions)` gives the evaluated form and then the closed forms, if others."""
    FORMULAS[name] = Formula(arguments, conventions, make)


def ordered_conventions(
    conventions: Mapping[str, str | int | Fraction],
) -> tuple[tuple[str, str | int | Fraction], ...]:
    """Conventions in the order of their names."""
    return tuple(sorted(conventions.items()))


def definition_of(name: str, conventions: Mapping[str, str | int | Fraction]) -> Definition:
    """The definition with these conventions, defaults for the others. ValueError: unknown, or no number."""
    return cached_definition(name, ordered_conventions(conventions))


@lru_cache(maxsize=256)
def cached_definition(name: str, given: tuple[tuple[str, str | int | Fraction], ...]) -> Definition:
    """`definition_of`, kept."""
    if name not in FORMULAS:
        raise ValueError(f"unknown definition {name!r}")
    known = FORMULAS[name]
    values: dict[str, str | Fraction] = {
        key: choices if isinstance(choices, Fraction) else choices[0] for key, choices in known.conventions.items()
    }
    for key, value in given:
        if key not in values:
            raise ValueError(f"{name} has no convention {key!r}")
        choices = known.conventions[key]
        values[key] = (
            exact_number(name, key, value) if isinstance(choices, Fraction) else chosen_word(key, value, choices)
        )
    value, *forms = known.make(**values)
    return Definition(name, known.arguments, values, value, tuple(forms) or (value,))


def chosen_word(key: str, value: str | int | Fraction, choices: Choices) -> str:
    """A word among the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{key} = {value!r}: expected {' or '.join(choices)}")
    return value


def exact_number(name: str, key: str, value: str | int | Fraction) -> Fraction:
    """A rational number from a decimal or a quotient; in the range in which the function is defined."""
    if isinstance(value, str) and not PLAIN_NUMBER.fullmatch(value):
        raise ValueError(f"{key} = {value[:40]!r}: expected a decimal or a quotient")
    try:
        number = Fraction(value)
    except (ValueError, ZeroDivisionError, OverflowError, TypeError):
        raise ValueError(f"{key} = {value!r}: expected a rational number") from None
    if number <= 0 and (name, key) not in UNSIGNED_CONVENTIONS:
        raise ValueError(f"{key} = {value}: expected a positive number")
    return number


#: At most 100 digits on each side and an exponent of at most three: no number that takes long to read.
PLAIN_NUMBER = re.compile(r"[+-]?\d{1,100}(\.\d{0,100})?(e[+-]?\d{1,3}|/\d{1,100})?")

#: The numbers that may be zero or negative.
UNSIGNED_CONVENTIONS = {("leaky_relu", "negative_slope"), ("hard_tanh", "low"), ("hard_tanh", "high")}

for primitive in (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "cbrt", "sin", "cos", "tan"),
    *("asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "erfinv", "lgamma"),
):
    formula(primitive, lambda primitive=primitive: (call(primitive, X),))

for primitive in ("pow", "hypot", "atan2"):
    formula(primitive, lambda primitive=primitive: (call(primitive, X, Y),), arguments=2)


def exp_of(x: Expression) -> Expression:
    """e^x."""
    return call("exp", x)


def minus_size(x: Expression) -> Expression:
    """-|x|."""
    return -call("absolute", x)


def positive_part(x: Expression) -> Expression:
    """max(x, 0)."""
    return call("maximum", x, 0)


def negative_part(x: Expression) -> Expression:
    """min(x, 0)."""
    return call("minimum", x, 0)


def sinc_forms(normalised: str) -> tuple[Expression, ...]:
    """sin(pi x) / (pi x), or sin x / x."""
    if normalised == "no":
        return (call("sin", X) / X,)
    return call("sinc", X), call("sin", PI * X) / (PI * X)


def logaddexp_forms() -> tuple[Expression, ...]:
    """log(e^x + e^y), by the larger argument where it is evaluated."""
    larger = call("maximum", X, Y)
    difference = minus_size(X - Y)
    return (
        larger + call("softplus", difference),
        call("log", exp_of(X) + exp_of(Y)),
        larger + call("log1p", exp_of(difference)),
    )


def logaddexp2_forms() -> tuple[Expression, ...]:
    """log2(2^x + 2^y), by the larger argument where it is evaluated."""
    larger = call("maximum", X, Y)
    power = call("exp2", minus_size(X - Y))
    return (
        larger + call("softplus2", minus_size(X - Y)),
        call("log2", call("exp2", X) + call("exp2", Y)),
        larger + call("log1p", power) / call("log", expression(2)),
    )


formula("digamma", lambda at_zero: (call("digamma", X),), at_zero=("infinity", "nan"))
formula(
    "sigmoid",
    lambda: (call("sigmoid", X), 1 / (1 + exp_of(-X)), exp_of(X) / (1 + exp_of(X))),
)
formula(
    "logit",
    lambda: (call("logit", X), call("log", X) - call("log1p", -X), call("log", X / (1 - X))),
)
formula("sinc", sinc_forms, normalised=("yes", "no"))
formula("entr", lambda: (-X * call("log", X),))
formula("logaddexp", logaddexp_forms, arguments=2)
formula("logaddexp2", logaddexp2_forms, arguments=2)
formula("xlogy", lambda at_nan: (X * call("log", Y),), arguments=2, at_nan=("nan", "zero"))
formula("xlog1py", lambda at_nan: (X * call("log1p", Y),), arguments=2, at_nan=("nan", "zero"))


def elu_forms(alpha: Fraction, at_kink: str) -> tuple[Expression, ...]:
    """max(x, 0) + alpha expm1(min(x, 0)); on one side, where it is evaluated."""
    return (
        upto(0, alpha * call("expm1", X), X),
        positive_part(X) + alpha * call("expm1", negative_part(X)),
    )


def selu_forms(scale: Fraction, alpha: Fraction, at_kink: str) -> tuple[Expression, ...]:
    """scale elu(x, alpha)."""
    return (
        upto(0, scale * alpha * call("expm1", X), scale * X),
        scale * (positive_part(X) + alpha * call("expm1", negative_part(X))),
    )


def celu_forms(alpha: Fraction) -> tuple[Expression, ...]:
    """max(x, 0) + alpha expm1(min(x, 0) / alpha)."""
    return (
        upto(0, alpha * call("expm1", X / alpha), X),
        positive_part(X) + alpha * call("expm1", negative_part(X) / alpha),
    )


def gelu_forms(approximate: str) -> tuple[Expression, ...]:
    """x Phi(x) = (x/2) erfc(-x / sqrt 2), or x/2 (1 + tanh z) = x sigmoid(2 z), z = sqrt(2/pi) (x + 0.044715 x³)."""
    if approximate == "none":
        value = X * call("normal_cdf", X)
        return value, value, X / 2 * call("erfc", -X * call("sqrt", expression(HALF)))
    z = call("sqrt", 2 / PI) * (X + Fraction("0.044715") * X**3)
    value = X * call("sigmoid", 2 * z)
    return value, X / 2 * (1 + call("tanh", z)), value


def mish_forms() -> tuple[Expression, ...]:
    """x tanh(softplus(x))."""
    shifted = positive_part(X) + call("log1p", exp_of(minus_size(X)))
    return (
        X * call("tanh", call("softplus", X)),
        X * call("tanh", call("log1p", exp_of(X))),
        X * call("tanh", shifted),
    )


def softplus_forms(beta: Fraction) -> tuple[Expression, ...]:
    """log(1 + e^(beta x)) / beta."""
    return (
        call("softplus", beta * X) / beta,
        call("log1p", exp_of(beta * X)) / beta,
        positive_part(X) + call("log1p", exp_of(-(beta * call("absolute", X)))) / beta,
    )


def hard_sigmoid_forms(slope: Fraction, at_kink: str) -> tuple[Expression, ...]:
    """clip(slope x + 1/2, 0, 1), or clip(x + 1/(2 slope), 0, 1/slope) / (1/slope)."""
    line = clip(slope * X + HALF, 0, 1)
    return line, line, clip(X + HALF / slope, 0, 1 / slope) / (1 / slope)


def hard_silu_forms(at_kink: str) -> tuple[Expression, ...]:
    """x relu6(x + 3) / 6."""
    gate = clip(X + 3, 0, 6)
    return X * gate / 6, X * gate / 6, X * (gate / 6)


def squareplus_forms(b: Fraction) -> tuple[Expression, ...]:
    """(x + sqrt(x² + b)) / 2 = (b/2) / (sqrt(x² + b) - x)."""
    root = call("sqrt", X * X + b)
    return upto(0, (b / 2) / (root - X), (X + root) / 2), (X + root) / 2


def hard_tanh_forms(low: Fraction, high: Fraction, at_kink: str) -> tuple[Expression, ...]:
    """min(max(x, low), high)."""
    if low >= high:
        raise ValueError(f"low = {low}, high = {high}: expected low < high")
    return (clip(X, low, high),)


formula("relu", lambda at_kink: (positive_part(X),), at_kink=SLOPE_CHOICES)
formula("relu6", lambda at_kink: (clip(X, 0, 6),), at_kink=SLOPE_CHOICES)
formula(
    "leaky_relu",
    lambda negative_slope, at_kink: (positive_part(X) + negative_slope * negative_part(X),),
    negative_slope=Fraction(1, 100),
    at_kink=SIDE_CHOICES,
)
formula("elu", elu_forms, alpha=Fraction(1), at_kink=SIDE_CHOICES)
formula(
    "selu",
    selu_forms,
    scale=Fraction("1.0507009873554804934193349852946"),
    alpha=Fraction("1.6732632423543772848170429916717"),
    at_kink=SIDE_CHOICES,
)
formula("celu", celu_forms, alpha=Fraction(1))
formula("gelu", gelu_forms, approximate=("none", "tanh"))
formula("silu", lambda: (X * call("sigmoid", X), X * call("sigmoid", X), X / (1 + exp_of(-X))))
formula("mish", mish_forms)
formula("softplus", softplus_forms, beta=Fraction(1))
formula(
    "log_sigmoid",
    lambda: (
        -call("softplus", -X),
        -call("log1p", exp_of(-X)),
        negative_part(X) - call("log1p", exp_of(minus_size(X))),
    ),
)
formula("hard_sigmoid", hard_sigmoid_forms, slope=Fraction(1, 6), at_kink=REGION_CHOICES)
formula("hard_silu", hard_silu_forms, at_kink=REGION_CHOICES)
formula("hard_tanh", hard_tanh_forms, low=Fraction(-1), high=Fraction(1), at_kink=REGION_CHOICES)
formula("soft_sign", lambda: (X / (1 + call("absolute", X)),))
formula("squareplus", squareplus_forms, b=Fraction(4))
formula("sparse_plus", lambda: (upto(-1, expression(0), upto(1, (X + 1) ** 2 / 4, X)),))
