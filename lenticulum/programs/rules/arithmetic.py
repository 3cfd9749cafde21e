"""Arithmetic and the named functions, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lenticulum.numbers import where
from lenticulum.programs.rule import Step, rule
from lenticulum.programs.rules.conversion import to_format
from lenticulum.programs.rules.extremes import first_or_either
from lenticulum.programs.values import decided, plain


@rule("add", "add_any")
def add(step: Step, x: Any, y: Any) -> Any:
    """x + y."""
    return x + y


@rule("sub")
def subtract(step: Step, x: Any, y: Any) -> Any:
    """x - y."""
    return x - y


@rule("mul")
def multiply(step: Step, x: Any, y: Any) -> Any:
    """x y, in the format of the result, which may be wider than that of the operands."""
    if step.parameters.get("out_dtype") is not None:
        x, y = to_format(step, x, step.dtype), to_format(step, y, step.dtype)
    return x * y


@rule("div")
def divide(step: Step, x: Any, y: Any) -> Any:
    """x / y."""
    return x / y


@rule("neg")
def negate(step: Step, x: Any) -> Any:
    """-x."""
    return -x


@rule("square")
def square(step: Step, x: Any) -> Any:
    """x²."""
    return x**2


@rule("one_minus_square")
def one_minus_square(step: Step, x: Any) -> Any:
    """1 - x², evaluated as (1 + x)(1 - x)."""
    return (1 + x) * (1 - x)


@rule("polynomial")
def polynomial(step: Step, x: Any, *coefficients: Any) -> Any:
    """a_0 + a_1 x + ... + a_n x^n by Horner's rule, from the constant term on."""
    found = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        found = found * x + coefficient
    return found.broadcast_to(step.shape)


@rule("integer_pow")
def integer_power(step: Step, x: Any) -> Any:
    """x to an integer power."""
    return x ** step.parameters["y"]


@rule("pow")
def power(step: Step, x: Any, y: Any) -> Any:
    """x to the power y: of a negative x where y is an integer; 0 to a positive power is 0, and x^0 is 1."""
    x = x.broadcast_to(step.shape)
    if isinstance(y, np.ndarray):
        return _integer_powers(x, decided(y, step.name))
    y = y.broadcast_to(step.shape)
    exponents = _integers(y)
    positive = x > 0
    one = x.lift(1, x.shape)
    general = where(positive, x, one).power_real(y)
    if exponents is None:
        nothing = one / x.lift(0, x.shape)
        zero = (x >= 0) & (x <= 0) & (y > 0)
        return where(positive, general, where(zero, x.lift(0, x.shape), nothing))
    return where(positive, general, _integer_powers(x, exponents))


def _integers(y: Any) -> NDArray[Any] | None:
    """Return exponents as integers if every one is an integer for certain."""
    elements = getattr(plain(y), "elements", None)
    if elements is None or not all(x.is_exact() and x.is_integer() and abs(x) < 2**16 for x in elements):
        return None
    return np.array([int(x.unique_fmpz()) for x in elements], np.int64).reshape(y.shape)


def _integer_powers(x: Any, exponents: NDArray[Any]) -> Any:
    exponents = np.broadcast_to(exponents, x.shape)
    found = x.lift(1, x.shape)
    for exponent in np.unique(exponents).tolist():
        if exponent:
            found = where(np.asarray(exponents == exponent), x**exponent, found)
    return found


@rule("sqrt")
def sqrt(step: Step, x: Any) -> Any:
    """The square root."""
    return x.sqrt()


@rule("exp2")
def exp2(step: Step, x: Any) -> Any:
    """2 to the power x."""
    return x.exp2()


@rule("atan2")
def atan2(step: Step, y: Any, x: Any) -> Any:
    """The angle of the point (x, y)."""
    return y.atan2(x)


@rule("erf_inv")
def erfinv(step: Step, x: Any) -> Any:
    """The inverse of erf."""
    return x.erfinv()


@rule("polygamma")
def polygamma(step: Step, order: Any, x: Any) -> Any:
    """The derivative of an integer order of digamma."""
    orders = _integers(order)
    if orders is None:
        return x.lift(1, x.shape) / x.lift(0, x.shape)
    found = x
    for each in np.unique(orders).tolist():
        found = where(np.broadcast_to(orders, x.shape) == each, x.digamma() if each == 0 else x.polygamma(each), found)
    return found


def _named(primitive: str, method: str) -> None:
    def function(step: Step, x: Any) -> Any:
        return getattr(x, method)()

    function.__doc__ = f"The named function `{method}`."
    rule(primitive)(function)


NAMED = (
    "exp log log2 log1p expm1 tanh sin cos tan asin acos atan sinh cosh asinh acosh atanh cbrt rsqrt erf erfc lgamma"
    " digamma"
).split()

for _name in NAMED:
    _named(_name, _name)
_named("logistic", "sigmoid")


@rule("abs")
def absolute(step: Step, x: Any) -> Any:
    """|x|; its derivative at 0 is any number between -1 and 1."""
    return where(first_or_either(plain(x) >= 0, plain(x) <= 0), x, -x)
