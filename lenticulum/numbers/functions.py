"""The named functions of exact arrays, which definitions are written in; each dispatches to the number system."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar, overload

import numpy as np

from lenticulum.numbers.array import Booleans, ExactArray
from lenticulum.numbers.log_rational import LogRational, log_rational
from lenticulum.numbers.rational import Rational

Array = TypeVar("Array", bound=ExactArray)


def exp(x: Array) -> Array:
    """e to the power x, elementwise."""
    return x.exp()


def exp2(x: Array) -> Array:
    """2 to the power x, elementwise."""
    return x.exp2()


def expm1(x: Array) -> Array:
    """e to the power x, minus 1, elementwise."""
    return x.expm1()


@overload
def log(x: Rational) -> LogRational: ...
@overload
def log(x: Array) -> Array: ...
def log(x: ExactArray) -> ExactArray:
    """The natural logarithm, elementwise; x > 0. The logarithm of a Rational array is a LogRational array."""
    return log_rational(x).log() if isinstance(x, Rational) else x.log()


def log1p(x: Array) -> Array:
    """The natural logarithm of 1 + x, elementwise; x > -1."""
    return x.log1p()


def log2(x: Array) -> Array:
    """The binary logarithm, elementwise; x > 0."""
    return x.log2()


def log10(x: Array) -> Array:
    """The decimal logarithm, elementwise; x > 0."""
    return x.log10()


def sqrt(x: Array) -> Array:
    """The square root, elementwise; x >= 0."""
    return x.sqrt()


def root_of_squares(x: Array) -> Array:
    """The square root of a sum of squares, elementwise: of 0 it is 0, where its derivative is 0 by convention.

    A running bound allows for no negative sum, which `sqrt` would have to.
    """
    return x.root_of_squares()


def rsqrt(x: Array) -> Array:
    """1 / sqrt(x), elementwise; x > 0."""
    return x.rsqrt()


def cbrt(x: Array) -> Array:
    """The real cube root, elementwise."""
    return x.cbrt()


def tanh(x: Array) -> Array:
    """The hyperbolic tangent, elementwise."""
    return x.tanh()


def sinh(x: Array) -> Array:
    """The hyperbolic sine, elementwise."""
    return x.sinh()


def cosh(x: Array) -> Array:
    """The hyperbolic cosine, elementwise."""
    return x.cosh()


def asinh(x: Array) -> Array:
    """The inverse hyperbolic sine, elementwise."""
    return x.asinh()


def acosh(x: Array) -> Array:
    """The non-negative inverse hyperbolic cosine, elementwise; x >= 1."""
    return x.acosh()


def atanh(x: Array) -> Array:
    """The inverse hyperbolic tangent, elementwise; -1 < x < 1."""
    return x.atanh()


def erf(x: Array) -> Array:
    """The error function 2/sqrt(pi) * integral of exp(-t*t) from 0 to x, elementwise."""
    return x.erf()


def erfc(x: Array) -> Array:
    """1 - erf(x), elementwise, without the cancellation."""
    return x.erfc()


def erfinv(x: Array) -> Array:
    """The inverse of erf, elementwise; -1 < x < 1."""
    return x.erfinv()


def lgamma(x: Array) -> Array:
    """log |Gamma(x)|, elementwise; x not in {0, -1, -2, ...}."""
    return x.lgamma()


def digamma(x: Array) -> Array:
    """The derivative of log Gamma, elementwise; x not in {0, -1, -2, ...}."""
    return x.digamma()


def polygamma(x: Array, order: int) -> Array:
    """The derivative of this order of digamma, elementwise; of order 1 it is the trigamma function."""
    return x.polygamma(order)


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)), elementwise."""
    return x.sigmoid()


def softplus(x: Array) -> Array:
    """log(1 + exp(x)), elementwise, without cancellation or overflow."""
    return x.softplus()


def normal_cdf(x: Array) -> Array:
    """The standard normal distribution function Phi, erfc(-x / sqrt(2)) / 2, elementwise."""
    return x.normal_cdf()


def sinc(x: Array) -> Array:
    """sin(pi x) / (pi x), and 1 at 0, elementwise."""
    return x.sinc()


def sin(x: Array) -> Array:
    """The sine, elementwise."""
    return x.sin()


def cos(x: Array) -> Array:
    """The cosine, elementwise."""
    return x.cos()


def tan(x: Array) -> Array:
    """The tangent, elementwise."""
    return x.tan()


def asin(x: Array) -> Array:
    """The inverse sine in [-pi/2, pi/2], elementwise; -1 <= x <= 1."""
    return x.asin()


def acos(x: Array) -> Array:
    """The inverse cosine in [0, pi], elementwise; -1 <= x <= 1."""
    return x.acos()


def atan(x: Array) -> Array:
    """The inverse tangent in [-pi/2, pi/2], elementwise."""
    return x.atan()


def atan2(y: Array, x: Array | int | Fraction) -> Array:
    """The angle of the point (x, y) in [-pi, pi], elementwise; y is the ordinate; not both are 0."""
    return y.atan2(x)


def hypot(x: Array, y: Array | int | Fraction) -> Array:
    """sqrt(x*x + y*y), elementwise."""
    return x.hypot(y)


def power_real(x: Array, y: Array | int | Fraction) -> Array:
    """x to the real power y, exp(y log x), elementwise; x > 0."""
    return x.power_real(y)


def pi(like: Array) -> Array:
    """The circle constant as a 0-d array of the system of `like`."""
    return like.pi()


def absolute(x: Array) -> Array:
    """The absolute value, elementwise; its derivative at 0 is 0 by convention."""
    return x.absolute()


def maximum(a: Array, b: Array | int | Fraction) -> Array:
    """The larger of two numbers, elementwise; at an exact tie the derivative is 0 by convention (so relu'(0) = 0)."""
    return a.maximum(b)


def minimum(a: Array, b: Array | int | Fraction) -> Array:
    """The smaller of two numbers, elementwise; at an exact tie the derivative is 0 by convention."""
    return a.minimum(b)


def where(condition: Booleans, a: Array, b: Array | int | Fraction) -> Array:
    """a where the condition holds, b elsewhere; `condition` is a NumPy bool array, and the three broadcast."""
    if condition.dtype != np.bool_:
        raise TypeError(f"got a condition of dtype {condition.dtype}, expected bool")
    other = a.lift(b) if isinstance(b, int | Fraction) else b
    shape = np.broadcast_shapes(condition.shape, a.shape, other.shape)
    return a.broadcast_to(shape).select(_broadcast(condition, shape), other.broadcast_to(shape))


def _broadcast(condition: Booleans, shape: tuple[int, ...]) -> Booleans:
    """The condition in this shape, with its mask (see `Interval64`)."""
    if isinstance(condition, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(condition)
        return np.ma.array(np.broadcast_to(condition.data, shape), mask=np.broadcast_to(mask, shape))
    return np.broadcast_to(condition, shape)


def concatenate(arrays: Sequence[Array], axis: int = 0) -> Array:
    """The arrays joined along an existing axis."""
    if not arrays:
        raise ValueError("got no arrays, expected at least one")
    offsets = np.cumsum([0] + [array.size for array in arrays])
    positions = [
        np.arange(array.size).reshape(array.shape) + offset for array, offset in zip(arrays, offsets[:-1], strict=True)
    ]
    return arrays[0].join(arrays[1:]).take(np.concatenate(positions, axis=axis))


def stack(arrays: Sequence[Array], axis: int = 0) -> Array:
    """The arrays, all of one shape, joined along a new axis."""
    if not arrays:
        raise ValueError("got no arrays, expected at least one")
    shape = arrays[0].shape
    if any(array.shape != shape for array in arrays):
        raise ValueError(f"got shapes {[array.shape for array in arrays]}, expected equal shapes")
    positions = np.arange(arrays[0].size).reshape(shape)
    blocks = [positions + number * positions.size for number in range(len(arrays))]
    return arrays[0].join(arrays[1:]).take(np.stack(blocks, axis=axis))


def zeros_like(x: Array) -> Array:
    """Exact zeros of the shape and system of x."""
    return x.lift(0, x.shape)


def ones_like(x: Array) -> Array:
    """Exact ones of the shape and system of x."""
    return x.lift(1, x.shape)


def total(arrays: Sequence[Array]) -> Array:
    """The sum of a non-empty list of arrays, from left to right."""
    if not arrays:
        raise ValueError("got no arrays, expected at least one: an empty sum has no shape")
    result = arrays[0]
    for array in arrays[1:]:
        result = result + array
    return result
