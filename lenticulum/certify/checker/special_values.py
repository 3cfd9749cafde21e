"""What a definition is at special inputs: signed zeros, infinities, NaN, poles, outside the domain, exact points.

Sources: IEEE 754-2019, 9.2.1, and ISO C23, Annex F.10, for the functions that they name; for the others, the limits of
the definition. Inputs are Python floats, which hold every number of the formats exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import copysign, floor, inf, isinf, isnan, isqrt, nan
from typing import NamedTuple

from lenticulum.certify.checker.definitions import Definition
from lenticulum.certify.checker.dyadic import order
from lenticulum.certify.checker.expressions import PI, Expression, call, expression
from lenticulum.certify.checker.formats import FloatFormat, decode_pattern, magnitude_pattern


class Due(NamedTuple):
    """What is due: a float, or a number (a constant expression) that is judged like any number, or anything."""

    value: float | None = None
    limit: Expression | None = None
    judged: bool = True


#: What is due at the arguments, or None at ordinary ones.
Rule = Callable[..., Due | None]

INVALID = Due(nan)
EITHER_ZERO = Due(limit=expression(0))
ANYTHING = Due(judged=False)

SMALLEST_FORMATS = (FloatFormat("e5m2", 3, -14, 15, 8, "infinity"), FloatFormat("e4m3fn", 4, -6, 8, 8, "nan"))


def due_number(value: Fraction) -> Due:
    """A number: to be met exactly if even the formats of eight bits have it, otherwise judged as a number."""
    n, d = abs(value.numerator), value.denominator
    if not d & (d - 1) and all(in_format(n, 1 - d.bit_length(), fmt) for fmt in SMALLEST_FORMATS):
        return Due(float(value))
    return Due(limit=expression(value))


def in_format(m: int, e: int, fmt: FloatFormat) -> bool:
    """Whether m 2^e >= 0 is a finite number of the format."""
    nearest = decode_pattern(magnitude_pattern(m, e, fmt), fmt)
    return nearest == 0 if not m else isinstance(nearest, tuple) and order(*nearest, m, e) == 0


def quarter_turns_due(count: int) -> Due:
    """pi count / 4."""
    return Due(limit=PI * Fraction(count, 4))


def limits(x: float, zero: Due | float | None, low: Due | float, high: Due | float) -> Due | None:
    """What is due at ±0 (None: the zero itself), -inf and inf."""
    if x == 0:
        found = x if zero is None else zero
    elif isinf(x):
        found = high if x > 0 else low
    else:
        return None
    return found if isinstance(found, Due) else Due(found)


def outside(x: float, low: float, high: float) -> bool:
    """Whether x lies outside [low, high]."""
    return not low <= x <= high


def logarithm_due(x: float) -> Due | None:
    """-inf at ±0, +0 at 1, NaN below 0."""
    if x == 1:
        return Due(0.0)
    return INVALID if x < 0 else limits(x, -inf, nan, inf)


def log1p_due(x: float) -> Due | None:
    """-inf at -1, NaN below."""
    if x <= -1:
        return INVALID if x < -1 else Due(-inf)
    return limits(x, None, nan, inf)


def root_due(x: float) -> Due | None:
    """NaN below 0, -0 at -0."""
    return INVALID if x < 0 else limits(x, None, nan, inf)


def inverse_root_due(x: float) -> Due | None:
    """±inf at ±0, NaN below 0."""
    return INVALID if x < 0 else limits(x, copysign(inf, x), nan, 0.0)


def arc_cosine_due(x: float) -> Due | None:
    """+0 at 1, NaN outside [-1, 1]."""
    return Due(0.0) if x == 1 else INVALID if outside(x, -1, 1) else None


def area_cosine_due(x: float) -> Due | None:
    """+0 at 1, NaN below."""
    return Due(0.0) if x == 1 else INVALID if x < 1 else limits(x, nan, nan, inf)


def pole_at_ends(x: float) -> Due | None:
    """±0 at ±0, ±inf at ±1, NaN beyond: atanh and erfinv."""
    if abs(x) >= 1:
        return Due(copysign(inf, x)) if abs(x) == 1 else INVALID
    return limits(x, None, nan, nan)


def gamma_pole(x: float) -> bool:
    """Whether x is 0, -1, -2, ..."""
    return x <= 0 and not isinf(x) and x == floor(x)


def lgamma_due(x: float) -> Due | None:
    """+0 at 1 and 2, inf at the poles and at ±inf."""
    if x in (1, 2):
        return Due(0.0)
    return Due(inf) if isinf(x) or gamma_pole(x) else None


def digamma_due(x: float, at_zero: str) -> Due | None:
    """NaN at the poles but 0, where the sign of the zero tells the side unless by convention it is NaN too.

    The poles accumulate at -inf: nothing is due there.
    """
    if gamma_pole(x):
        return Due(copysign(inf, -x)) if x == 0 and at_zero == "infinity" else INVALID
    return limits(x, nan, ANYTHING, inf)


def logit_due(x: float) -> Due | None:
    """-inf at 0, inf at 1, +0 at 1/2, NaN outside."""
    if x in (0, 0.5, 1):
        return Due({0: -inf, 0.5: 0.0, 1: inf}[x])
    return INVALID if outside(x, 0, 1) else None


def entr_due(x: float) -> Due | None:
    """0 at ±0, -inf below 0 and at inf."""
    return Due(0.0) if x == 0 else Due(-inf) if x < 0 or isinf(x) else None


def relu_due(x: float, high: float) -> Due | None:
    """+0 at +0; a zero of either sign at -0 and -inf."""
    return limits(x, EITHER_ZERO if copysign(1, x) < 0 else 0.0, EITHER_ZERO, high)


def leaky_relu_due(x: float, negative_slope: Fraction) -> Due | None:
    """±0 and ±inf for a positive slope, as relu for none; a negative slope turns -inf around."""
    if negative_slope > 0:
        return limits(x, None, -inf, inf)
    if negative_slope == 0 or x >= 0 or not isinf(x):
        return relu_due(x, inf)
    return Due(inf)


def softplus_due(x: float, beta: Fraction) -> Due | None:
    """log(2) / beta at ±0."""
    return limits(x, Due(limit=call("log", expression(2)) / beta), 0.0, inf)


def log_sigmoid_due(x: float) -> Due | None:
    """-log 2 at ±0; at inf a zero of either sign, as the two forms give."""
    return limits(x, Due(limit=-call("log", expression(2))), -inf, EITHER_ZERO)


def hard_tanh_due(x: float, low: Fraction, high: Fraction) -> Due | None:
    """The ends at ±inf; at ±0 the zero itself, or the end that 0 is clipped to."""
    at_low, at_high = (due_number(end) if end else EITHER_ZERO for end in (low, high))
    zero = None if low < 0 < high else at_low if low >= 0 else at_high
    return limits(x, zero, at_low, at_high)


def squareplus_due(x: float, b: Fraction) -> Due | None:
    """sqrt(b) / 2 at ±0."""
    roots = [isqrt(n) for n in (b.numerator, b.denominator)]
    root = Fraction(*roots)
    return limits(x, due_number(root / 2) if root * root == b else Due(limit=call("sqrt", expression(b)) / 2), 0.0, inf)


def power_due(x: float, y: float) -> Due | None:
    """The table of pow in C23, F.10.4.5."""
    if x == 1 or y == 0:
        return Due(1.0)
    if isnan(x) or isnan(y):
        return INVALID
    whole = not isinf(y) and y == floor(y)
    sign = copysign(1, x) if whole and y % 2 == 1 else 1.0
    if isinf(y):
        return Due(1.0) if x == -1 else Due(inf if (abs(x) > 1) == (y > 0) else 0.0)
    if x == 0:
        return Due(sign * (inf if y < 0 else 0.0))
    if isinf(x):
        return Due(sign * (0.0 if y < 0 else inf))
    return INVALID if x < 0 and not whole else None


def hypot_due(x: float, y: float) -> Due | None:
    """inf beside anything, NaN included; the size of the other argument beside a zero."""
    if isinf(x) or isinf(y):
        return Due(inf)
    if isnan(x) or isnan(y):
        return INVALID
    return Due(abs(x) + abs(y)) if x == 0 or y == 0 else None


def angle_due(x: float, y: float) -> Due | None:
    """The table of atan2 in C23, F.10.1.4: x is the ordinate, y the abscissa."""
    sign = 1 if copysign(1, x) > 0 else -1
    left = copysign(1, y) < 0
    if isinf(x) and isinf(y):
        return quarter_turns_due(sign * (3 if left else 1))
    if x == 0 or isinf(y):
        return quarter_turns_due(4 * sign) if left else Due(copysign(0.0, x))
    return quarter_turns_due(2 * sign) if y == 0 or isinf(x) else None


def logaddexp_due(x: float, y: float) -> Due | None:
    """inf beside anything; the other argument beside -inf, +0 for ±0: the zero of log 1."""
    if inf in (x, y):
        return Due(inf)
    return Due(max(x, y) + 0.0) if -inf in (x, y) else None


def product_due(x: float, y: float, pole: float, at_nan: str) -> Due | None:
    """x log t for a t that is 0 at y = `pole` and 1 at y = pole + 1: 0 for x = 0, else in the extended reals."""
    if x == 0:
        return INVALID if isnan(y) and at_nan == "nan" else Due(0.0)
    if isnan(x) or isnan(y) or y < pole:
        return INVALID
    if y == pole:
        return Due(-copysign(inf, x))
    sign = (y > pole + 1) - (y < pole + 1)
    if isinf(x):
        return Due(copysign(inf, x * sign)) if sign else INVALID
    return Due(copysign(inf, x)) if isinf(y) else None


RULES: dict[str, Rule] = {
    **dict.fromkeys(("exp", "exp2"), lambda x: limits(x, 1.0, 0.0, inf)),
    "expm1": lambda x: limits(x, None, -1.0, inf),
    **dict.fromkeys(("log", "log2", "log10"), logarithm_due),
    "log1p": log1p_due,
    "sqrt": root_due,
    "rsqrt": inverse_root_due,
    **dict.fromkeys(("cbrt", "sinh", "asinh"), lambda x: limits(x, None, -inf, inf)),
    **dict.fromkeys(("sin", "tan"), lambda x: limits(x, None, nan, nan)),
    "cos": lambda x: limits(x, 1.0, nan, nan),
    "asin": lambda x: INVALID if outside(x, -1, 1) else limits(x, None, nan, nan),
    "acos": arc_cosine_due,
    "atan": lambda x: limits(x, None, quarter_turns_due(-2), quarter_turns_due(2)),
    "cosh": lambda x: limits(x, 1.0, inf, inf),
    **dict.fromkeys(("tanh", "erf", "soft_sign"), lambda x: limits(x, None, -1.0, 1.0)),
    "acosh": area_cosine_due,
    **dict.fromkeys(("atanh", "erfinv"), pole_at_ends),
    "erfc": lambda x: limits(x, 1.0, 2.0, 0.0),
    "lgamma": lgamma_due,
    "digamma": digamma_due,
    "sigmoid": lambda x: limits(x, 0.5, 0.0, 1.0),
    "logit": logit_due,
    "sinc": lambda x: limits(x, 1.0, ANYTHING, ANYTHING),
    "entr": entr_due,
    "relu": lambda x: relu_due(x, inf),
    "relu6": lambda x: relu_due(x, 6.0),
    "leaky_relu": leaky_relu_due,
    **dict.fromkeys(("elu", "celu"), lambda x, alpha: limits(x, None, due_number(-alpha), inf)),
    "selu": lambda x, scale, alpha: limits(x, None, due_number(-scale * alpha), inf),
    **dict.fromkeys(("gelu", "silu", "mish"), lambda x: limits(x, None, -0.0, inf)),
    "softplus": softplus_due,
    "log_sigmoid": log_sigmoid_due,
    "hard_sigmoid": lambda x: limits(x, 0.5, EITHER_ZERO, 1.0),
    "hard_silu": lambda x: limits(x, None, EITHER_ZERO, inf),
    "hard_tanh": hard_tanh_due,
    "squareplus": squareplus_due,
    "sparse_plus": lambda x: limits(x, 0.25, EITHER_ZERO, inf),
    "pow": power_due,
    "hypot": hypot_due,
    "atan2": angle_due,
    **dict.fromkeys(("logaddexp", "logaddexp2"), logaddexp_due),
    "xlogy": lambda x, y, at_nan: product_due(x, y, 0.0, at_nan),
    "xlog1py": lambda x, y, at_nan: product_due(x, y, -1.0, at_nan),
}

#: Conventions on which the rules depend.
USED_CONVENTIONS = ("at_zero", "negative_slope", "alpha", "scale", "beta", "low", "high", "b", "at_nan")

#: Definitions whose rules answer NaN themselves.
ANSWER_NAN = ("pow", "hypot", "xlogy", "xlog1py")


def rule_of(definition: Definition) -> Rule:
    """The rule of a definition with its conventions filled in; NaN gives NaN unless the rule says otherwise."""
    rule = RULES[definition.name]
    used = {key: value for key, value in definition.conventions.items() if key in USED_CONVENTIONS}
    if definition.name in ANSWER_NAN:
        return lambda *x: rule(*x, **used)
    return lambda *x: INVALID if any(isnan(each) for each in x) else rule(*x, **used)
