"""The range of an expression over intervals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from lenticulum.certify.checker.constants import pi_interval
from lenticulum.certify.checker.dyadic import (
    ONE,
    Interval,
    NoValue,
    below,
    hull,
    magnitudes,
    maximum_of,
    minus,
    negative,
    outward,
    over,
    plus,
    point,
    square,
    square_root,
    times,
    times_ratio,
)
from lenticulum.certify.checker.elementary import (
    At,
    acosh_at,
    asinh_at,
    atanh_at,
    cbrt_at,
    cosh_at,
    exp2_at,
    exp_at,
    exp_interval,
    expm1_at,
    falling,
    log1p_at,
    log2_at,
    log10_at,
    log_at,
    logit_at,
    rising,
    rsqrt_at,
    sigmoid_at,
    sinh_at,
    softplus_at,
    sqrt_at,
    tanh_at,
)
from lenticulum.certify.checker.error_function import erf_at, erfc_at, erfinv_at, normal_cdf_at
from lenticulum.certify.checker.expressions import Expression
from lenticulum.certify.checker.gamma_function import digamma_at, lgamma_at, trigamma_at
from lenticulum.certify.checker.trigonometric import (
    acos_at,
    asin_at,
    atan2_at,
    atan_at,
    cos_at,
    sin_at,
    sinc_at,
    tan_at,
    wave_range,
)
from lenticulum.certify.checker.two_arguments import power_at, softplus2_at

FUNCTIONS: dict[str, tuple[At, str]] = {
    **{"exp": (exp_at, "rising"), "exp2": (exp2_at, "rising"), "expm1": (expm1_at, "rising")},
    **{"log": (log_at, "rising"), "log2": (log2_at, "rising"), "log10": (log10_at, "rising")},
    **{"log1p": (log1p_at, "rising"), "sqrt": (sqrt_at, "rising"), "rsqrt": (rsqrt_at, "falling")},
    **{"cbrt": (cbrt_at, "rising"), "sin": (sin_at, "wave"), "cos": (cos_at, "wave"), "tan": (tan_at, "branch")},
    **{"asin": (asin_at, "rising"), "acos": (acos_at, "falling"), "atan": (atan_at, "rising")},
    **{"sinh": (sinh_at, "rising"), "cosh": (cosh_at, "even"), "tanh": (tanh_at, "rising")},
    **{"asinh": (asinh_at, "rising"), "acosh": (acosh_at, "rising"), "atanh": (atanh_at, "rising")},
    **{"erf": (erf_at, "rising"), "erfc": (erfc_at, "falling"), "erfinv": (erfinv_at, "rising")},
    **{"normal_cdf": (normal_cdf_at, "rising"), "lgamma": (lgamma_at, "point"), "digamma": (digamma_at, "point")},
    **{"trigamma": (trigamma_at, "point"), "sigmoid": (sigmoid_at, "rising"), "softplus": (softplus_at, "rising")},
    **{"logit": (logit_at, "rising"), "sinc": (sinc_at, "point"), "softplus2": (softplus2_at, "rising")},
}
"""How each function is evaluated: at a number, and over an interval by the way in which it runs."""


def function_of(name: str, a: Interval, q: int) -> Interval:
    """The range of a named function; NoValue where it is not known to have one (lgamma, ... over more than a point)."""
    at, way = FUNCTIONS[name]
    if a[0] == a[1]:
        return at(a[0], a[2], q)
    if name == "exp":
        return exp_interval(a, q)
    if way == "rising" or (way == "branch" and below(magnitudes(a), ONE)):
        return rising(at, a, q)
    if way == "falling":
        return falling(at, a, q)
    if way == "even":
        return rising(at, magnitudes(a), q)
    if way == "wave":
        return wave_range(at, name == "sin", a, q)
    raise NoValue


@lru_cache(maxsize=4096)
def constant_interval(number: Fraction, q: int) -> Interval:
    """A rational number: a point where it is dyadic."""
    if not number.denominator & (number.denominator - 1):
        return point(number.numerator, 1 - number.denominator.bit_length())
    return over(point(number.numerator), point(number.denominator), q)


def integer_power(a: Interval, n: int, q: int) -> Interval:
    """a^n, n >= 1: of the size, for an even n."""
    base = magnitudes(a) if n % 2 == 0 else a
    lo, hi, e = base
    return outward(lo**n, hi**n, e * n, q)


def power_of(a: Interval, b: Interval, q: int) -> Interval:
    """The range of x^y: at points, or over a box of x >= 0 from its corners (x^y is monotonic in each argument)."""
    if a[0] == a[1] and b[0] == b[1]:
        return power_at(a, b, q)
    if a[0] < 0:
        raise NoValue
    corners = [power_at(point(m, a[2]), point(n, b[2]), q) for m in a[:2] for n in b[:2]]
    result = corners[0]
    for corner in corners[1:]:
        result = hull(result, corner, q)
    return result


def operation(node: Expression, operands: Sequence[Interval], q: int) -> Interval:
    """The range of one operation over the ranges of its operands."""
    name, a = node.name, operands[0]
    if name in FUNCTIONS:
        return function_of(name, a, q)
    if name == "negative":
        return negative(a)
    if name == "absolute":
        return magnitudes(a)
    if name == "integer power":
        assert node.number is not None
        return integer_power(a, int(node.number), q)
    b = operands[1]
    if name == "add":
        return plus(a, b, q)
    if name == "subtract":
        return minus(a, b, q)
    if name == "multiply":
        return times(a, b, q)
    if name == "divide":
        return over(a, b, q)
    if name == "maximum":
        return maximum_of(a, b, q)
    if name == "minimum":
        return negative(maximum_of(negative(a), negative(b), q))
    if name == "pow":
        return power_of(a, b, q)
    if name == "hypot":
        return square_root(plus(square(a, 2 * q + 8), square(b, 2 * q + 8), 2 * q + 8), q)
    if name == "atan2":
        return angle_of(a, b, q)
    raise ValueError(f"unknown operation {name}")


def angle_of(y: Interval, x: Interval, q: int) -> Interval:
    """The range of the angle over a box that does not touch the abscissas <= 0: from its corners."""
    if y[0] == y[1] and x[0] == x[1]:
        return atan2_at(y, x, q)
    if x[0] <= 0 and y[0] <= 0 <= y[1]:
        raise NoValue
    corners = [atan2_at(point(m, y[2]), point(n, x[2]), q) for m in y[:2] for n in x[:2]]
    result = corners[0]
    for corner in corners[1:]:
        result = hull(result, corner, q)
    return result


def value_of(node: Expression, arguments: Sequence[Interval], q: int) -> Interval:
    """An enclosure of the expression. A product or quotient with a rational constant is rounded once."""
    name, parts = node.name, node.parts
    if name == "x":
        return arguments[0]
    if name == "y":
        return arguments[1]
    if name == "constant":
        assert node.number is not None
        return constant_interval(node.number, q)
    if name == "pi":
        return pi_interval(q)
    if name == "upto":
        return value_of(parts[chosen_branch(node, arguments[0])], arguments, q)
    if name in ("multiply", "divide") and parts[1].name == "constant":
        return by_constant(value_of(parts[0], arguments, q), parts[1].number, name, q)
    if name == "multiply" and parts[0].name == "constant":
        return by_constant(value_of(parts[1], arguments, q), parts[0].number, name, q)
    return operation(node, [value_of(part, arguments, q) for part in parts], q)


def by_constant(a: Interval, number: Fraction | None, name: str, q: int) -> Interval:
    """a times or divided by a rational number."""
    assert number is not None
    n, d = number.numerator, number.denominator
    if name == "divide":
        n, d = (d, n) if n > 0 else (-d, -n)
    return times_ratio(a, n, d, q)


def chosen_branch(node: Expression, x: Interval) -> int:
    """The part of an `upto` that holds at x; NoValue where x is not on one side of the bound."""
    assert node.number is not None
    bound = constant_interval(node.number, 64)
    above = below(bound, x)
    if above is None:
        raise NoValue
    return 2 if above else 1
