"""The running error bound of a closed form: what its floating-point evaluation, step by step as printed, may give.

Every operation encloses the exact result over its operands and inflates it by its own rounding:

    computed = exact (1 + d) + e,   |d| <= c u,   |e| <= smallest normal (only where the result may be subnormal)

Maximum, minimum, absolute value and sign are exact. A subnormal input or constant also counts as 0, and one that the
format does not have is rounded once. Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
sections 2.2, 3.1 and 3.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lenticulum.certify.checker.constants import pi_interval
from lenticulum.certify.checker.dyadic import ZERO, Interval, NoValue, hull, magnitudes, order, plus
from lenticulum.certify.checker.evaluation import chosen_branch, constant_interval, operation
from lenticulum.certify.checker.expressions import Expression
from lenticulum.certify.checker.formats import FloatFormat, decode_pattern, overflow_pattern

UNITS = {
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "sqrt", "constant"), 1),
    **{"exp": 12, "expm1": 13, "log1p": 6},
    **dict.fromkeys(("exp2", "log", "log2", "log10", "rsqrt", "cbrt", "power"), 4),
    **dict.fromkeys(("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "hypot", "erfinv", "power_real"), 4),
    **dict.fromkeys(("sinh", "cosh", "asinh", "acosh", "atanh"), 4),
    **{"tanh": 10, "sigmoid": 6, "softplus": 8, "sinc": 8},
    **dict.fromkeys(("erf", "erfc", "normal_cdf", "lgamma", "digamma", "polygamma"), 16),
}
"""The rounding allowed to one operation, in units of u."""

NAME_OF_UNITS = {"integer power": "power", "pow": "power_real", "trigamma": "polygamma"}
EXACT = ("negative", "absolute", "maximum", "minimum")


class Bound(NamedTuple):
    """`interval`: None where nothing bounds the result. `overflows`: an intermediate may exceed the largest number."""

    interval: Interval | None
    overflows: bool


def running_bound(form: Expression, arguments: Sequence[Interval], fmt: FloatFormat) -> Bound:
    """The running bound of a form at exact arguments."""
    run = Evaluation(fmt)
    try:
        result = run.of(form, [run.given(argument) for argument in arguments])
    except NoValue:
        return Bound(None, False)
    intermediate = [node for node in run.overflowed if node is not form]
    return Bound(None if run.overflowed else result, bool(intermediate))


class Evaluation:
    """One evaluation in one format; `overflowed` lists the operations whose result may exceed the largest number."""

    def __init__(self, fmt: FloatFormat) -> None:
        self.format, self.precision = fmt, fmt.precision + 64
        largest = decode_pattern(overflow_pattern(fmt) - 1, fmt)
        assert isinstance(largest, tuple)
        self.largest = largest
        self.overflowed: list[Expression | None] = []

    def of(self, node: Expression, arguments: Sequence[Interval]) -> Interval:
        """The range of exact and computed values of an expression."""
        name, q = node.name, self.precision
        if name == "x":
            return arguments[0]
        if name == "y":
            return arguments[1]
        if name == "constant":
            assert node.number is not None
            return self.given(constant_interval(node.number, q), node)
        if name == "pi":
            return self.rounded(pi_interval(q), UNITS["constant"], node)
        if name == "upto":
            return self.of(node.parts[chosen_branch(node, arguments[0])], arguments)
        result = operation(node, [self.of(part, arguments) for part in node.parts], q)
        if name in EXACT:
            return result
        units = UNITS[NAME_OF_UNITS.get(name, name)]
        if name == "integer power":
            assert node.number is not None
            units = max(units, int(node.number) - 1)
        return self.rounded(result, units, node)

    def given(self, a: Interval, node: Expression | None = None) -> Interval:
        """An input or constant: exact where the format has it (0 as well, if subnormal), otherwise rounded once."""
        if a[0] == a[1] and self.representable(a[0], a[2]):
            size = magnitudes(a)
            return a if not a[0] or order(size[0], size[2], 1, self.format.emin) >= 0 else hull(a, ZERO, self.precision)
        return self.rounded(a, UNITS["constant"], node)

    def representable(self, m: int, e: int) -> bool:
        """Whether m 2^e is a finite number of the format."""
        if not m:
            return True
        if order(abs(m), e, *self.largest) > 0:
            return False
        lowest = (m & -m).bit_length() - 1 + e
        return lowest >= max(m.bit_length() - 1 + e, self.format.emin) - self.format.precision + 1

    def rounded(self, a: Interval, units: int, node: Expression | None) -> Interval:
        """The result after a rounding of so many u, and after what underflow may do; too large a result is noted."""
        result = self.inflated(a, units)
        size = magnitudes(result)
        if order(size[1], size[2], *self.largest) > 0:
            self.overflowed.append(node)
        elif (size[0] or size[1]) and order(size[0], size[2], 1, self.format.emin) < 0:
            result = plus(result, (-1, 1, self.format.emin), self.precision)
        return result

    def inflated(self, a: Interval, units: int) -> Interval:
        """a (1 ± c u) exactly, the ends moved away from each other."""
        lo, hi, e = a
        p = self.format.precision
        lower = (lo << p) - units * abs(lo)
        upper = (hi << p) + units * abs(hi)
        return lower, upper, e - p
