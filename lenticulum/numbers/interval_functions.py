"""Enclosures of the named functions on arrays of binary64 intervals, by crival (module `ival`).

crival gives the smallest binary64 interval around each image: its functions are CORE-MATH's, correctly rounded in every
direction (https://core-math.gitlabpages.inria.fr). It drops arguments outside the domain silently, so the domain is
tested here; a function that crival lacks is composed of those it has, or has no entry.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lenticulum.numbers.checking import no_type_check
from lenticulum.numbers.errors import MissingPackage

Floats: TypeAlias = NDArray[np.float64]
Booleans: TypeAlias = NDArray[np.bool_]

Interval: TypeAlias = Any
"""crival's array of intervals, with arrays `lo` and `hi`; they are one array for points, and [nan, nan] is empty."""

Domain: TypeAlias = Callable[[Floats, Floats], Booleans]
"""From the lower and the upper ends to the elements that lie in the domain for certain (never an empty one)."""


@lru_cache(maxsize=1)
@no_type_check
def available() -> bool:
    """Whether crival can be imported here: it has no builds for some platforms."""
    try:
        import_module("ival")
    except (ImportError, OSError):
        return False
    return True


@lru_cache(maxsize=1)
@no_type_check
def ival() -> Any:
    """The module of crival, imported at its first use."""
    if not available():
        raise MissingPackage(
            "float64 intervals need crival, which is not installed: pip install lenticulum[exhaustive]"
        )
    return import_module("ival")


@no_type_check
def interval(lo: Floats, hi: Floats) -> Interval:
    """crival's interval of these ends, without the pass over both arrays that its constructor makes."""
    made = object.__new__(ival().Interval)
    made.lo, made.hi = lo, hi
    return made


@lru_cache(maxsize=32)
@no_type_check
def constant(value: float, shape: tuple[int, ...]) -> Floats:
    """A constant array, shared and read-only."""
    array = np.full(shape, value)
    array.flags.writeable = False
    return array


@no_type_check
def points(value: float, like: Interval) -> Interval:
    """The intervals [value, value]."""
    array = constant(value, like.lo.shape)
    return interval(array, array)


@no_type_check
def negative(x: Interval) -> Interval:
    """-x, exact; never -0."""
    upper = 0.0 - x.lo
    return interval(upper if x.lo is x.hi else 0.0 - x.hi, upper)


@no_type_check
def absolute(x: Interval) -> Interval:
    """|x|, exact."""
    if x.lo is x.hi:
        magnitude = np.abs(x.lo)
        return interval(magnitude, magnitude)
    return interval(np.maximum(np.maximum(x.lo, 0.0 - x.hi), 0.0), np.maximum(0.0 - x.lo, x.hi))


@no_type_check
def _increasing(at_points: Callable[[Any, Interval], Interval]) -> Callable[[Any, Interval], Interval]:
    """The images of intervals under an increasing function that is enclosed at points."""

    def function(module: Any, x: Interval) -> Interval:
        if x.lo is x.hi:
            return at_points(module, x)
        return interval(at_points(module, interval(x.lo, x.lo)).lo, at_points(module, interval(x.hi, x.hi)).hi)

    return function


@no_type_check
def _sigmoid(module: Any, x: Interval) -> Interval:
    """1 / (1 + exp(-x)); x occurs once, so this is no wider for intervals than for points."""
    return module.recip(points(1.0, x) + module.exp(negative(x)))


@no_type_check
def _softplus(module: Any, x: Interval) -> Interval:
    """log(1 + exp x) = max(x, 0) + log1p(exp(-|x|)): no cancellation on either side."""
    larger = np.maximum(x.lo, 0.0)
    return interval(larger, larger) + module.log1p(module.exp(negative(absolute(x))))


@no_type_check
def _normal_cdf(module: Any, x: Interval) -> Interval:
    """(1 + erf(x / sqrt 2)) / 2 where nothing cancels, else erfc(-x / sqrt 2) / 2, which costs three times as much.

    From -1 on, 1 + erf(x / sqrt 2) is at least 0.31: at most two bits cancel.
    """
    root = module.rsqrt(module.Interval(2.0))
    scaled = x * interval(constant(root.lo, x.lo.shape), constant(root.hi, x.lo.shape))
    if not (x.lo < -1.0).any():
        return (points(1.0, x) + module.erf(scaled)) * points(0.5, x)
    return module.erfc(negative(scaled)) * points(0.5, x)


@no_type_check
def _sinc(module: Any, x: Interval) -> Interval:
    """sin(pi x) / (pi x), and 1 at the point 0; crival's sin(pi x) does not reduce its argument by a rounded pi."""
    zero = (x.lo == 0) & (x.hi == 0)
    pi = module.Interval(3.141592653589793, 3.1415926535897936)
    turned = x * interval(constant(pi.lo, x.lo.shape), constant(pi.hi, x.lo.shape))
    quotient = module.sinpi(x) / turned
    if not zero.any():
        return quotient
    return interval(np.where(zero, 1.0, quotient.lo), np.where(zero, 1.0, quotient.hi))


COMPOSED: dict[str, Callable[[Any, Interval], Interval]] = {
    "sigmoid": _sigmoid,
    "softplus": _increasing(_softplus),
    "normal_cdf": _increasing(_normal_cdf),
    "sinc": _sinc,
}
"""The functions composed here, by name: enclosures, but not the smallest."""

TIGHT = frozenset(
    "exp exp2 expm1 log log2 log10 log1p sqrt rsqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh"
    " erf erfc recip sqr".split()
)
"""The functions of one argument that crival has: the smallest interval around each image."""

DOMAINS: dict[str, Domain] = {
    "log": lambda lo, hi: lo > 0,
    "log2": lambda lo, hi: lo > 0,
    "log10": lambda lo, hi: lo > 0,
    "log1p": lambda lo, hi: lo > -1,
    "sqrt": lambda lo, hi: lo >= 0,
    "rsqrt": lambda lo, hi: lo > 0,
    "asin": lambda lo, hi: (lo >= -1) & (hi <= 1),
    "acos": lambda lo, hi: (lo >= -1) & (hi <= 1),
    "acosh": lambda lo, hi: lo >= 1,
    "atanh": lambda lo, hi: (lo > -1) & (hi < 1),
    "sinc": lambda lo, hi: (lo > 0) | (hi < 0) | (lo == 0) & (hi == 0),
}
"""Where a function of one argument is defined; all others are defined everywhere (and `sinc`, but not enclosed)."""
