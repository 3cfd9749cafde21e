"""The third opinion: every definition at a point, in mpmath, written from the formulas of its documentation.

mpmath is no enclosure engine; its values are computed with twice the digits that are used. Agreement of FLINT,
CORE-MATH and mpmath is agreement of three implementations by three hands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import mpmath
from mpmath import mp

#: Digits that count, and digits that are carried.
DIGITS, CARRIED = 40, 90

#: Digits that a formula loses at x, in multiples of |log10 |x||: by subtracting nearly equal numbers, or in an
#: exponential of a rounded power of x.
LOST = {"squareplus": 2, "logaddexp": 2, "logaddexp2": 2, "gelu": 3}

Formula = Callable[..., Any]


def value(name: str, conventions: Mapping[str, Fraction | str], *point: float) -> Any:
    """Return the value of a definition at an ordinary point, as an mpmath number good to 40 digits.

    Digits that a formula loses are carried too.

    >>> mpmath.nstr(value("gelu", {"approximate": "none"}, 1.0), 20)
    '0.84134474606854294859'
    """
    extra = 0
    if name in LOST:
        extra = max((LOST[name] * int(abs(mpmath.log10(abs(mpmath.mpf(x))))) for x in point if x), default=0)
    with mp.workdps(CARRIED + extra):
        given = {key: _number(choice) for key, choice in conventions.items()}
        return +FORMULAS[name](*(mpmath.mpf(x) for x in point), **given)


def _number(choice: Fraction | str | None) -> Any:
    return choice if isinstance(choice, str) or choice is None else mpmath.mpf(choice.numerator) / choice.denominator


def _cbrt(x: Any) -> Any:
    return mpmath.sign(x) * mpmath.cbrt(abs(x))


def _log_gamma(x: Any) -> Any:
    return mpmath.re(mpmath.loggamma(x))


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


def _softplus(x: Any, beta: Any = 1) -> Any:
    return mpmath.log1p(mpmath.exp(beta * x)) / beta


def _sinc(x: Any, normalised: str = "yes") -> Any:
    return mpmath.sincpi(x) if normalised == "yes" else mpmath.sinc(x)


def _clip(x: Any, low: Any, high: Any) -> Any:
    return min(max(x, low), high)


def _gelu(x: Any, approximate: str = "none") -> Any:
    if approximate == "none":
        return x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2
    inner = mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf("0.044715") * x**3)
    return x / (1 + mpmath.exp(-2 * inner))


def _elu(x: Any, alpha: Any) -> Any:
    return x if x > 0 else alpha * mpmath.expm1(x)


def _selu(x: Any, **_: Any) -> Any:
    alpha, scale = mpmath.mpf("1.6732632423543772848170429916717"), mpmath.mpf("1.0507009873554804934193349852946")
    return scale * (x if x > 0 else alpha * mpmath.expm1(x))


def _sparse_plus(x: Any) -> Any:
    return mpmath.mpf(0) if x <= -1 else x if x >= 1 else (x + 1) ** 2 / 4


def _entropy(x: Any) -> Any:
    return -x * mpmath.log(x)


FORMULAS: dict[str, Formula] = {
    "exp": mpmath.exp,
    "exp2": lambda x: mpmath.mpf(2) ** x,
    "expm1": mpmath.expm1,
    "log": mpmath.log,
    "log2": lambda x: mpmath.log(x, 2),
    "log10": mpmath.log10,
    "log1p": mpmath.log1p,
    "sqrt": mpmath.sqrt,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "cbrt": _cbrt,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
    "asin": mpmath.asin,
    "acos": mpmath.acos,
    "atan": mpmath.atan,
    "sinh": mpmath.sinh,
    "cosh": mpmath.cosh,
    "tanh": mpmath.tanh,
    "asinh": mpmath.asinh,
    "acosh": mpmath.acosh,
    "atanh": mpmath.atanh,
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "erfinv": mpmath.erfinv,
    "lgamma": _log_gamma,
    "digamma": mpmath.digamma,
    "sigmoid": _sigmoid,
    "logit": lambda x: mpmath.log(x / (1 - x)),
    "sinc": _sinc,
    "entr": _entropy,
    "pow": mpmath.power,
    "hypot": mpmath.hypot,
    "atan2": mpmath.atan2,
    "logaddexp": lambda x, y: mpmath.log(mpmath.exp(x) + mpmath.exp(y)),
    "logaddexp2": lambda x, y: mpmath.log(mpmath.mpf(2) ** x + mpmath.mpf(2) ** y, 2),
    "xlogy": lambda x, y, **_: x * mpmath.log(y) if x else mpmath.mpf(0),
    "xlog1py": lambda x, y, **_: x * mpmath.log1p(y) if x else mpmath.mpf(0),
    "relu": lambda x, **_: max(x, mpmath.mpf(0)),
    "relu6": lambda x, **_: _clip(x, mpmath.mpf(0), mpmath.mpf(6)),
    "leaky_relu": lambda x, negative_slope, **_: x if x > 0 else negative_slope * x,
    "elu": lambda x, alpha, **_: _elu(x, alpha),
    "selu": _selu,
    "celu": lambda x, alpha, **_: x if x > 0 else alpha * mpmath.expm1(x / alpha),
    "gelu": _gelu,
    "silu": lambda x: x * _sigmoid(x),
    "mish": lambda x: x * mpmath.tanh(_softplus(x)),
    "softplus": _softplus,
    "log_sigmoid": lambda x: -_softplus(-x),
    "hard_sigmoid": lambda x, slope, **_: _clip(slope * x + mpmath.mpf(1) / 2, 0, 1),
    "hard_silu": lambda x, **_: x * _clip(x + 3, 0, 6) / 6,
    "hard_tanh": lambda x, low, high, **_: _clip(x, low, high),
    "soft_sign": lambda x: x / (1 + abs(x)),
    "squareplus": lambda x, b: (x + mpmath.sqrt(x * x + b)) / 2,
    "sparse_plus": _sparse_plus,
}
