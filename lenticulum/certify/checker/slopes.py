"""How an expression moves with its arguments: enclosures of value and directional derivative together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lenticulum.certify.checker.constants import log2_interval
from lenticulum.certify.checker.dyadic import (
    ONE,
    ZERO,
    Interval,
    NoValue,
    below,
    maximum_of,
    minus,
    negative,
    over,
    plus,
    point,
    scaled,
    square,
    square_root,
    times,
)
from lenticulum.certify.checker.elementary import log10_of_e
from lenticulum.certify.checker.error_function import inverse_root_pi, inverse_root_two_pi
from lenticulum.certify.checker.evaluation import (
    FUNCTIONS,
    chosen_branch,
    constant_interval,
    function_of,
    integer_power,
    operation,
    value_of,
)
from lenticulum.certify.checker.expressions import Expression
from lenticulum.certify.checker.trigonometric import cos_pi_at

#: Value and derivative in a direction.
Moving = tuple[Interval, Interval]

#: A slope f'(x) from x, y = f(x) and the precision.
Slope = Callable[[Interval, Interval, int], Interval]


def root_of_difference(x: Interval, q: int) -> Interval:
    """sqrt(1 - x²)."""
    v = q + 64
    return square_root(times(minus(ONE, x, v), plus(ONE, x, v), v), q)


def bell(x: Interval, halves: int, q: int) -> Interval:
    """e^(-x² / 2^halves)."""
    return function_of("exp", negative(scaled(square(x, 4 * q), -halves)), q)


def sinc_slope(x: Interval, y: Interval, q: int) -> Interval:
    """(cos(pi x) - sinc x) / x, 0 at 0."""
    if x[0] != x[1]:
        raise NoValue
    return over(minus(cos_pi_at(x[0], x[2], q), y, q), x, q) if x[0] else ZERO


SLOPES: dict[str, Slope] = {
    "exp": lambda x, y, q: y,
    "exp2": lambda x, y, q: times(y, log2_interval(q), q),
    "expm1": lambda x, y, q: function_of("exp", x, q),
    "log": lambda x, y, q: over(ONE, x, q),
    "log2": lambda x, y, q: over(ONE, times(x, log2_interval(q), q), q),
    "log10": lambda x, y, q: over(log10_of_e(q), x, q),
    "log1p": lambda x, y, q: over(ONE, plus(ONE, x, q + 64), q),
    "sqrt": lambda x, y, q: over(ONE, scaled(y, 1), q),
    "rsqrt": lambda x, y, q: over(negative(y), scaled(x, 1), q),
    "cbrt": lambda x, y, q: over(ONE, times(point(3), square(y, q), q), q),
    "sigmoid": lambda x, y, q: times(y, function_of("sigmoid", negative(x), q), q),
    "softplus": lambda x, y, q: function_of("sigmoid", x, q),
    "softplus2": lambda x, y, q: function_of("sigmoid", times(x, log2_interval(q), q), q),
    "logit": lambda x, y, q: over(ONE, times(x, minus(ONE, x, q + 64), q), q),
    "tanh": lambda x, y, q: square(over(ONE, function_of("cosh", x, q), q), q),
    "sinh": lambda x, y, q: function_of("cosh", x, q),
    "cosh": lambda x, y, q: function_of("sinh", x, q),
    "asinh": lambda x, y, q: over(ONE, square_root(plus(ONE, square(x, 2 * q), q), q), q),
    "acosh": lambda x, y, q: over(ONE, square_root(times(minus(x, ONE, q + 64), plus(x, ONE, q), q), q), q),
    "atanh": lambda x, y, q: over(ONE, times(minus(ONE, x, q + 64), plus(ONE, x, q + 64), q), q),
    "sin": lambda x, y, q: function_of("cos", x, q),
    "cos": lambda x, y, q: negative(function_of("sin", x, q)),
    "tan": lambda x, y, q: plus(ONE, square(y, q), q),
    "asin": lambda x, y, q: over(ONE, root_of_difference(x, q), q),
    "acos": lambda x, y, q: negative(over(ONE, root_of_difference(x, q), q)),
    "atan": lambda x, y, q: over(ONE, plus(ONE, square(x, q), q), q),
    "erf": lambda x, y, q: scaled(times(bell(x, 0, q), inverse_root_pi(q), q), 1),
    "erfc": lambda x, y, q: negative(scaled(times(bell(x, 0, q), inverse_root_pi(q), q), 1)),
    "erfinv": lambda x, y, q: scaled(over(function_of("exp", square(y, q), q), inverse_root_pi(q), q), -1),
    "normal_cdf": lambda x, y, q: times(bell(x, 1, q), inverse_root_two_pi(q), q),
    "lgamma": lambda x, y, q: function_of("digamma", x, q),
    "digamma": lambda x, y, q: function_of("trigamma", x, q),
    "sinc": sinc_slope,
}


def pair_slopes(name: str, a: Interval, b: Interval, value: Interval, q: int) -> tuple[Interval, Interval]:
    """The two partial derivatives of a function of two arguments."""
    if name == "pow":
        size = value if a[0] > 0 else negative(value) if a[1] < 0 else None
        if size is None:
            raise NoValue
        logarithm = function_of("log", a if a[0] > 0 else negative(a), q)
        return over(times(b, value, q), a, q), times(value, logarithm, q)
    if name == "hypot":
        return over(a, value, q), over(b, value, q)
    norm = plus(square(a, q), square(b, q), q)
    return over(b, norm, q), over(negative(a), norm, q)


def larger(a: Moving, b: Moving, q: int) -> Moving:
    """The maximum: where both are the same number, the larger derivative in the direction of movement."""
    (value, moved), (other, moved_too) = a, b
    if below(other, value):
        return a
    if below(value, other):
        return b
    if value[0] == value[1] and other[0] == other[1]:
        return (value, maximum_of(moved, moved_too, q)) if below(value, other) is False else b
    raise NoValue


def mirrored(a: Moving) -> Moving:
    """-a."""
    return negative(a[0]), negative(a[1])


def moving(node: Expression, arguments: Sequence[Moving], q: int) -> Moving:
    """Value and derivative where the arguments move as given. NoValue: not decided, DivisionByZero: infinite."""
    name = node.name
    if name == "x":
        return arguments[0]
    if name == "y":
        return arguments[1]
    values = [value for value, _ in arguments]
    if name in ("constant", "pi"):
        return value_of(node, values, q), ZERO
    if name == "upto":
        return moving(node.parts[chosen_branch(node, values[0])], arguments, q)
    parts = [moving(part, arguments, q) for part in node.parts]
    (a, da) = parts[0]
    if name == "negative":
        return mirrored(parts[0])
    if name == "absolute":
        return larger(parts[0], mirrored(parts[0]), q)
    if name == "maximum":
        return larger(parts[0], parts[1], q)
    if name == "minimum":
        return mirrored(larger(mirrored(parts[0]), mirrored(parts[1]), q))
    value = operation(node, [part[0] for part in parts], q)
    if all(part[1] == ZERO for part in parts):
        return value, ZERO
    if name in FUNCTIONS:
        return value, times(SLOPES[name](a, value, q), da, q)
    if name == "integer power":
        assert node.number is not None
        n = int(node.number)
        return value, times(times(constant_interval(node.number, q), integer_power(a, n - 1, q), q), da, q)
    b, db = parts[1]
    if name == "add":
        return value, plus(da, db, q)
    if name == "subtract":
        return value, minus(da, db, q)
    if name == "multiply":
        return value, plus(times(da, b, q), times(a, db, q), q)
    if name == "divide":
        return value, over(minus(da, times(value, db, q), q), b, q)
    first, second = pair_slopes(name, a, b, value, q)
    return value, plus(times(first, da, q), times(second, db, q), q)
