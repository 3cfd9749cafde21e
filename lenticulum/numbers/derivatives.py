"""Closed forms of the derivatives of named functions, shared by the forward and the reverse derivative.

A rule of one argument maps the argument, the value and a tangent (or cotangent) to their product with the derivative;
a rule of two arguments gives both partial derivatives. Source: NIST Digital Library of Mathematical Functions,
https://dlmf.nist.gov, chapters 4, 5 and 7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.functions import where

Rule: TypeAlias = Callable[[Any, Any, Any], Any]
Partials: TypeAlias = Callable[[Any, Any, Any], tuple[Any, Any]]


@no_type_check
def _sinc(x: Any, y: Any, t: Any) -> Any:
    """sinc'(x) = (cos(pi x) - sinc x) / x; at 0 that of 1 - (pi x)²/6, whose second one is right too."""
    zero = np.asanyarray((x >= 0) & (x <= 0))
    nonzero = where(zero, x.lift(1, x.shape), x)
    return where(zero, -(x.pi() ** 2) / 3 * x * t, ((x.pi() * x).cos() - y) / nonzero * t)


DERIVATIVES: dict[str, Rule] = {
    "exp2": lambda x, y, t: y * x.lift(2).log() * t,
    "log2": lambda x, y, t: t / (x * x.lift(2).log()),
    "log10": lambda x, y, t: t / (x * x.lift(10).log()),
    "cbrt": lambda x, y, t: t / (3 * y * y),
    "tan": lambda x, y, t: (1 + y * y) * t,
    "asin": lambda x, y, t: t / ((1 - x) * (1 + x)).sqrt(),
    "acos": lambda x, y, t: -t / ((1 - x) * (1 + x)).sqrt(),
    "atan": lambda x, y, t: t / (1 + x * x),
    "sinh": lambda x, y, t: x.cosh() * t,
    "cosh": lambda x, y, t: x.sinh() * t,
    "asinh": lambda x, y, t: t / (1 + x * x).sqrt(),
    "acosh": lambda x, y, t: t / ((x - 1) * (x + 1)).sqrt(),
    "atanh": lambda x, y, t: t / ((1 - x) * (1 + x)),
    "erfinv": lambda x, y, t: x.pi().sqrt() / 2 * (y * y).exp() * t,
    "lgamma": lambda x, y, t: x.digamma() * t,
    "digamma": lambda x, y, t: x.polygamma(1) * t,
    "sigmoid": lambda x, y, t: y * (-x).sigmoid() * t,
    "softplus": lambda x, y, t: x.sigmoid() * t,
    "normal_cdf": lambda x, y, t: (-(x * x) / 2).exp() / (2 * x.pi()).sqrt() * t,
    "sinc": _sinc,
}
"""f'(x) t by the name of f, from x, y = f(x) and t."""

PARTIAL_DERIVATIVES: dict[str, Partials] = {
    "power_real": lambda x, y, z: (y * x.power_real(y - 1), z * x.log()),
    "hypot": lambda x, y, z: (x / z, y / z),
    "atan2": lambda y, x, z: (x / (x * x + y * y), -y / (x * x + y * y)),
}
"""(df/dx, df/dy) by the name of f, from x, y and z = f(x, y), in the order of the arguments."""
