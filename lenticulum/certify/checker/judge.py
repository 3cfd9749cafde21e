"""The verdict for one input of an elementwise kernel: stratum, error in ulp, K, and why it is accepted.

u = 2^-p of the output format; eta = half the smallest subnormal number, or the smallest normal one where the
environment flushes. For an input with the exact value f and the returned value y:

- special input (the table of special values answers): y is what is due, NaN for NaN, zeros by their bits; where a
  number is due that not every format holds, y is judged against it as a number, without a derivative.
- |y - f| / ulp(f) is the error in ulp; K = |y - f| / (u (sum |x_i df/dx_i| + |f|) + eta). At a kink the larger of the
  one-sided slopes counts; where the slope is infinite, none. Where f overflows, the slopes count only if
  4 u sum |x_i df/dx_i| <= |f|, for the linear approximation behind K holds only there.
- An infinite y stands for every number from the overflow threshold on, with its sign. In a format without infinities
  its NaN does, or its largest number where it saturates.
- y is accepted if K <= 4; or inside the running bound of a closed form; or, where the environment flushes, as flushed:
  ±0 for a subnormal result, and what is due at the zeros in place of subnormal arguments; or, where an intermediate of
  every closed form overflows and y is not finite, as a textbook overflow.

Every question is put at rising precision, up to a cap; what is not decided there is said to be undecided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import copysign, isinf, isnan, ldexp
from typing import NamedTuple

from lenticulum.certify.checker.definitions import Definition, cached_definition, ordered_conventions
from lenticulum.certify.checker.dyadic import (
    ZERO,
    DivisionByZero,
    Interval,
    NoValue,
    below,
    magnitudes,
    maximum_of,
    minus,
    negative,
    order,
    over,
    plus,
    point,
    scaled,
)
from lenticulum.certify.checker.evaluation import value_of
from lenticulum.certify.checker.expressions import Expression
from lenticulum.certify.checker.formats import (
    Decoded,
    FloatFormat,
    decode_pattern,
    encode_float,
    finished_pattern,
    magnitude_pattern,
    overflow_pattern,
    overflow_threshold,
)
from lenticulum.certify.checker.running import Bound, running_bound
from lenticulum.certify.checker.slopes import moving
from lenticulum.certify.checker.special_values import Due, rule_of

#: The precision at which a question is given up, and the bits beyond p at which it is first put.
PRECISION_CAP = 4_000
FIRST_GUARD = 14

#: An error in ulp is known well enough when its interval is at most 2^-10 wide, beside 1 and itself.
ULP_BITS = 10

#: K <= 4: the roundings of a straightforward evaluation.
K_LIMIT = 4

#: Differences are taken with so many bits, in which numbers of all formats are exact.
DIFFERENCE_BITS = 9_000

#: Ends nearer to 0 than 2^-FAR are written as 0 and 2^-FAR.
FAR_EXPONENT = 40_000

KINKED_NAMES = ("maximum", "minimum", "absolute")


class Size(NamedTuple):
    """|f| between lo 2^e and hi 2^e: equal to both, or strictly between them."""

    negative: bool
    lo: int
    hi: int
    e: int


class Setting:
    """A definition, the formats, and whether the environment flushes, with what follows from them."""

    def __init__(self, definition: Definition, input_format: FloatFormat, output: FloatFormat, flushes: bool) -> None:
        self.definition, self.input_format, self.output, self.flushes = definition, input_format, output, flushes
        self.rule = rule_of(definition)
        self.threshold = overflow_threshold(output)
        self.overflow = overflow_pattern(output)
        self.sign_bit = 1 << (output.width - 1)
        self.eta = point(1, output.emin if flushes else output.emin - output.precision)
        self.kinked = has_kink(definition.value)

    def value(self, arguments: Sequence[Interval], q: int) -> Interval:
        """An enclosure of f."""
        return value_of(self.definition.value, arguments, q)

    def scale(self, arguments: Sequence[Interval], q: int) -> Interval:
        """An enclosure of sum |x_i df/dx_i|; an infinite or undefined slope counts as 0."""
        total = ZERO
        for i in range(len(arguments)):
            ways = [self.slope(arguments, i, direction, q) for direction in ((1, -1) if self.kinked else (1,))]
            part = ways[0]
            for way in ways[1:]:
                part = maximum_of(part, way, q)
            total = plus(total, part, q)
        return total

    def slope(self, arguments: Sequence[Interval], place: int, direction: int, q: int) -> Interval:
        """An enclosure of |x_i df/dx_i| on one side."""
        seeds = [(a, (a if direction > 0 else negative(a)) if i == place else ZERO) for i, a in enumerate(arguments)]
        try:
            return magnitudes(moving(self.definition.value, seeds, q)[1])
        except DivisionByZero:
            return ZERO

    def size_of(self, f: Interval) -> Size | None:
        """|f| and its sign, or None if the sign is open."""
        lo, hi, e = f
        if lo >= 0:
            return Size(False, lo, hi, e)
        return Size(True, -hi, -lo, e) if hi <= 0 else None

    def is_beyond(self, size: Size) -> bool | None:
        """Whether |f| reaches the overflow threshold."""
        return self.at_least(size, *self.threshold)

    @staticmethod
    def at_least(size: Size, m: int, e: int) -> bool | None:
        """Whether |f| >= m 2^e; None if open."""
        if order(size.lo, size.e, m, e) >= 0:
            return True
        return False if order(size.hi, size.e, m, e) <= 0 else None

    def rounded(self, size: Size) -> int | None:
        """The magnitude pattern to which |f| rounds, or None if open. An end that is not f breaks a tie towards f."""
        if size.lo == size.hi:
            return magnitude_pattern(size.lo, size.e, self.output)
        low = magnitude_pattern(size.lo, size.e, self.output, 1)
        return low if low == magnitude_pattern(size.hi, size.e, self.output, -1) else None

    def spacing(self, m: int, e: int) -> int:
        """The exponent of ulp at m 2^e > 0, or at 0."""
        exponent = m.bit_length() - 1 + e if m else self.output.emin
        return max(exponent, self.output.emin) - self.output.precision + 1

    def meets(self, due: Due, y: Decoded, y_pattern: int) -> tuple[bool | None, bool | None, str]:
        """Whether y is what is due, whether it is that correctly rounded, and a word for it."""
        if not due.judged:
            return True, True, "anything"
        if due.value is None:
            assert due.limit is not None
            return self.near(due.limit, y, y_pattern)
        pattern = encode_float(due.value, self.output)
        word = due.value.hex() if not (isinf(due.value) or isnan(due.value)) else str(due.value)
        if isnan(due.value):
            right = isinstance(y, float) and isnan(y)
            return right, right, word
        found = decode_pattern(pattern, self.output)
        if isinstance(found, tuple) and ldexp(*found) != due.value:
            return self.near(Expression("constant", (), Fraction(due.value)), y, y_pattern)
        right = y_pattern == pattern or (isnan(as_float(found)) and isnan(as_float(y)))
        return right, right, word

    def near(self, limit: Expression, y: Decoded, y_pattern: int) -> tuple[bool | None, bool | None, str]:
        """`meets` for a number that not every format holds: K without derivative is at most 4."""
        number = Judged(self, (), y, y_pattern, limit)
        within = number.K_at_most(Fraction(K_LIMIT)) if number.distance_known else False
        lo, hi, e = number.enclosure
        return within, number.correctly_rounded, lower_float(lo, e).hex()


def has_kink(node: Expression) -> bool:
    """Whether an expression is made with a function that has a kink."""
    return node.name in KINKED_NAMES or any(has_kink(part) for part in node.parts)


def as_float(y: Decoded) -> float:
    """The float of a decoded pattern."""
    return ldexp(*y) if isinstance(y, tuple) else y


def lower_float(m: int, e: int) -> float:
    """The largest binary64 number that is at most m 2^e."""
    excess = max(m.bit_length() - 53, -1074 - e, 0)
    return ldexp(m >> excess, e + excess)


def as_point(y: Decoded) -> Interval:
    """A finite decoded number as an interval."""
    return point(*y) if isinstance(y, tuple) else ZERO


class Judged:
    """One input and one returned value, judged.

    `stratum`: "special", "subnormal input", "overflow", "subnormal result", "regular", or None where the enclosure
    could not decide it at the cap.
    `accepted_by`: "K", "running bound", "flushed", "textbook overflow", "special", or None where no rule accepts.
    `correctly_rounded`: True, False, or None (undecided at the cap); zeros of both signs count as one.
    `undecided`: some question of the rule stayed undecided at the cap (then `accepted_by` is not to be trusted).
    `zero_sign`: y is a zero of the wrong sign where the exact value is not zero.
    `expected`: for special inputs a word for what was expected ("nan", "inf", "-inf", a hexadecimal float, "anything"),
    else None.
    `ulp`: lower and upper end of |y - f| / ulp(f); None where no number is judged (special inputs, NaN for a number).
    `K`: lower and upper end of K, computed when first asked for; None where `ulp` is None.
    """

    accepted_by: str | None = None
    expected: str | None = None
    undecided = False

    def __init__(
        self,
        setting: Setting,
        arguments: tuple[Interval, ...],
        y: Decoded,
        y_pattern: int,
        limit: Expression | None = None,
    ) -> None:
        self.setting, self.arguments, self.y, self.y_pattern, self.limit = setting, arguments, y, y_pattern, limit
        self.bits = setting.output.precision + FIRST_GUARD
        self.size: Size | None = None
        self.beyond: bool | None = None
        self.rounded: int | None = None
        self.error: Interval | None = None
        while not self.settled():
            if self.bits >= PRECISION_CAP:
                break
            self.bits = min(2 * self.bits, PRECISION_CAP)
        self.stratum = self.stratum_without_inputs()

    def enclose(self, q: int) -> Interval:
        """f, or the limit."""
        return value_of(self.limit, (), q) if self.limit is not None else self.setting.value(self.arguments, q)

    def settled(self) -> bool:
        """Look at f with the present bits; whether stratum, rounding and error are known."""
        try:
            self.enclosure = self.enclose(self.bits)
        except NoValue:
            return False
        setting = self.setting
        self.size = size = setting.size_of(self.enclosure)
        if size is None:
            return False
        self.beyond = setting.is_beyond(size)
        self.rounded = setting.rounded(size)
        if self.beyond is None or self.rounded is None or self.stratum_without_inputs() is None:
            return False
        self.error = self.error_in_ulp()
        if self.error is None:
            return not self.distance_known
        lo, hi, e = self.error
        width = hi - lo
        return not width or width.bit_length() <= max(lo.bit_length(), 1 - e) - ULP_BITS

    def stratum_without_inputs(self) -> str | None:
        """The stratum by the size of f."""
        if self.size is None or self.beyond is None:
            return None
        if self.beyond:
            return "overflow"
        normal = self.setting.at_least(self.size, 1, self.setting.output.emin)
        if normal is None:
            return None
        return "regular" if normal or not self.size.hi else "subnormal result"

    @property
    def distance_known(self) -> bool:
        """Whether y stands for a number."""
        return not isnan(as_float(self.y)) or self.setting.output.overflow == "nan"

    def distance(self) -> Interval:
        """|y - f|; 0 where y stands for all numbers beyond the threshold and f is one of them."""
        setting, y = self.setting, as_float(self.y)
        assert self.size is not None
        stands = (
            isinf(y)
            or isnan(y)
            or (setting.output.overflow == "saturate" and self.y_pattern & ~setting.sign_bit == setting.overflow - 1)
        )
        sign = self.size.negative if isnan(y) else copysign(1, y) < 0
        if stands and self.beyond and sign == self.size.negative:
            return ZERO
        number = as_point(self.y)
        if isinf(y) or isnan(y):
            m, e = setting.threshold
            number = point(-m if sign else m, e)
        return magnitudes(minus(number, self.enclosure, DIFFERENCE_BITS))

    def error_in_ulp(self) -> Interval | None:
        """|y - f| / ulp(f): the ends by the largest and the smallest ulp that f may have."""
        if self.size is None or self.beyond is None or not self.distance_known:
            return None
        lo, hi, e = self.distance()
        negative, a, b, exponent = self.size
        small = self.setting.spacing(a, exponent)
        large = self.setting.spacing(b - 1 if a != b and b > 1 and not b & (b - 1) else b, exponent)
        return (lo, hi << (large - small), e - large) if large >= small else (lo, hi, e - small)

    @property
    def correctly_rounded(self) -> bool | None:
        """Whether y is f rounded to nearest even."""
        if self.size is None or self.rounded is None:
            return None
        setting = self.setting
        magnitude = self.y_pattern & ~setting.sign_bit
        if isnan(as_float(self.y)):
            return setting.output.overflow == "nan" and self.rounded == setting.overflow
        if not self.rounded:
            return not magnitude
        return self.y_pattern == finished_pattern(self.size.negative, self.rounded, setting.output)

    @property
    def zero_sign(self) -> bool:
        """Whether y is a zero of the wrong sign and f is not 0."""
        if self.limit is not None or self.size is None or not self.size.hi or not isinstance(self.y, float):
            return False
        return self.y == 0 and (copysign(1, self.y) < 0) != self.size.negative

    @property
    def ulp(self) -> tuple[Fraction, Fraction] | None:
        """Lower and upper end of |y - f| / ulp(f)."""
        return as_fractions(self.error)

    @cached_property
    def K(self) -> tuple[Fraction, Fraction] | None:
        """Lower and upper end of K, to a thousandth if the cap allows it."""
        found = None
        while self.error is not None:
            found = self.mixed_error() or found
            if found is not None and (found[1] - found[0]).bit_length() <= found[0].bit_length() - ULP_BITS:
                break
            if found is not None and not found[1] or not self.more_bits():
                break
        return as_fractions(found)

    def mixed_error(self) -> Interval | None:
        """K with the present bits, None where the slope is not decided."""
        q, setting = self.bits, self.setting
        size = magnitudes(self.enclosure)
        try:
            scale = setting.scale(self.arguments, q) if self.limit is None else ZERO
        except NoValue:
            return None
        if self.beyond and below(size, scaled(scale, 2 - setting.output.precision)) is not False:
            scale = ZERO
        denominator = plus(scaled(plus(scale, size, q), -setting.output.precision), setting.eta, q)
        return over(self.distance(), denominator, q)

    def more_bits(self) -> bool:
        """Double the precision and look again; False at the cap."""
        while self.bits < PRECISION_CAP:
            self.bits = min(2 * self.bits, PRECISION_CAP)
            try:
                self.enclosure = self.enclose(self.bits)
            except NoValue:
                continue
            self.size = self.setting.size_of(self.enclosure) or self.size
            self.error = self.error_in_ulp()
            return True
        return False

    def ulp_at_most(self, bound: Fraction) -> bool | None:
        """Whether |y - f| / ulp(f) <= bound, at rising precision; None where undecided at the cap or no number."""
        while True:
            answer = is_at_most(self.error, bound)
            if answer is not None or self.error is None or not self.more_bits():
                return answer

    def K_at_most(self, bound: Fraction) -> bool | None:
        """Whether K <= bound, at rising precision; None where undecided at the cap or no number."""
        # K <= 2 |y - f| / ulp(f), because ulp(f) <= 2 u |f| or ulp(f) / 2 <= eta: no slope is needed for most inputs.
        if self.error is None:
            return None
        if is_at_most(self.error, bound / 2):
            return True
        while True:
            answer = is_at_most(self.mixed_error(), bound)
            if answer is not None or not self.more_bits():
                return answer


def is_at_most(a: Interval | None, bound: Fraction) -> bool | None:
    """Whether a number known as an interval is at most a bound; None if open."""
    if a is None:
        return None
    n, d = bound.numerator, bound.denominator
    if order(a[1] * d, a[2], n, 0) <= 0:
        return True
    return False if order(a[0] * d, a[2], n, 0) > 0 else None


def as_fractions(a: Interval | None) -> tuple[Fraction, Fraction] | None:
    """The ends of an interval of numbers >= 0, in place of ends below 2^-FAR_EXPONENT 0 and 2^-FAR_EXPONENT."""
    if a is None:
        return None
    lo, hi, e = a
    tiny = Fraction(1, 1 << FAR_EXPONENT)
    low = Fraction(0) if lo.bit_length() + e < -FAR_EXPONENT else as_fraction(lo, e)
    return low, tiny if hi and hi.bit_length() + e < -FAR_EXPONENT else as_fraction(hi, e)


def as_fraction(m: int, e: int) -> Fraction:
    """m 2^e."""
    if not m:
        return Fraction(0)
    return Fraction(m << e) if e >= 0 else Fraction(m, 1 << -e)


class SpecialJudged(Judged):
    """A special input, judged: no number is measured."""

    stratum = "special"

    def __init__(self, setting: Setting, due: Due, y: Decoded, y_pattern: int) -> None:
        self.error = self.size = self.limit = None
        right, self.equal, self.expected = setting.meets(due, y, y_pattern)
        self.undecided = right is None
        self.accepted_by = "special" if right else None

    def take(self, flushed_argument: bool) -> None:
        """Accept y as what is due at a flushed argument."""
        if flushed_argument:
            self.equal, self.undecided, self.accepted_by = True, False, "special"

    @property
    def correctly_rounded(self) -> bool | None:
        """Whether y is what is due, or the number that is due rounded to nearest even."""
        return self.equal


def accept(judged: Judged, x: Sequence[Decoded], subnormal: Sequence[bool]) -> None:
    """Find the rule that accepts a number, in the order of the module's list."""
    small = judged.stratum
    if any(subnormal) and small is not None:
        judged.stratum = "subnormal input"
    setting = judged.setting
    by_k = judged.K_at_most(Fraction(K_LIMIT))
    if by_k:
        judged.accepted_by = "K"
        return
    bounds = [running_bound(form, judged.arguments, setting.output) for form in setting.definition.forms]
    finite = isinstance(judged.y, tuple) or judged.y == 0
    if finite and any(holds(bound, as_point(judged.y)) for bound in bounds):
        judged.accepted_by = "running bound"
    elif setting.flushes and flushed(judged, small, x, subnormal):
        judged.accepted_by = "flushed"
    elif not finite and all(bound.overflows for bound in bounds):
        judged.accepted_by = "textbook overflow"
    unknown = judged.stratum is None or judged.rounded is None or (judged.distance_known and judged.error is None)
    judged.undecided = unknown or (by_k is None and judged.error is not None and judged.accepted_by is None)


def holds(bound: Bound, y: Interval) -> bool:
    """Whether a running bound contains y."""
    if bound.interval is None:
        return False
    lo, hi, e = bound.interval
    return order(lo, e, y[0], y[2]) <= 0 <= order(hi, e, y[0], y[2])


def flushed(judged: Judged, small: str | None, x: Sequence[Decoded], subnormal: Sequence[bool]) -> bool:
    """Whether y is ±0 for a subnormal result, or what is due where subnormal arguments are zeros of their sign."""
    if small == "subnormal result" and judged.y == 0:
        return True
    return any(subnormal) and due_at_zeros(judged.setting, x, subnormal, judged.y, judged.y_pattern)


def due_at_zeros(setting: Setting, x: Sequence[Decoded], subnormal: Sequence[bool], y: Decoded, y_pattern: int) -> bool:
    """Whether y is what is due where the subnormal arguments are zeros of their sign."""
    zeros = [
        copysign(0.0, each[0]) if isinstance(each, tuple) and flag else each
        for each, flag in zip(x, subnormal, strict=True)
    ]
    due = setting.rule(*map(as_float, zeros))
    if due is not None:
        return due.judged and bool(setting.meets(due, y, y_pattern)[0])
    return bool(Judged(setting, tuple(map(as_point, zeros)), y, y_pattern).K_at_most(Fraction(K_LIMIT)))


@lru_cache(maxsize=64)
def setting_of(
    name: str,
    conventions: tuple[tuple[str, str | int | Fraction], ...],
    input_format: FloatFormat,
    output_format: FloatFormat,
    flushes: bool,
) -> Setting:
    """The setting, kept."""
    return Setting(cached_definition(name, conventions), input_format, output_format, flushes)


def judge(
    definition_name: str,
    conventions: Mapping[str, str | int | Fraction],
    input_format: FloatFormat,
    output_format: FloatFormat,
    flushes: bool,
    x_patterns: tuple[int, ...],
    y_pattern: int,
) -> Judged:
    """Judge the pattern `y_pattern` (of `output_format`) that a kernel returned for `x_patterns` (of `input_format`).

    `conventions` are those of the certificate: words, or rational numbers written as decimals or quotients. ValueError:
    an unknown definition, convention or value, or a number of arguments that is not that of the definition.
    """
    setting = setting_of(definition_name, ordered_conventions(conventions), input_format, output_format, flushes)
    if len(x_patterns) != setting.definition.arguments:
        raise ValueError(f"{definition_name} takes {setting.definition.arguments} arguments, got {len(x_patterns)}")
    return judge_in(setting, [decode_pattern(pattern, input_format) for pattern in x_patterns], y_pattern)


def judge_in(setting: Setting, x: Sequence[Decoded], y_pattern: int) -> Judged:
    """Judge decoded arguments in a setting."""
    y, emin = decode_pattern(y_pattern, setting.output), setting.input_format.emin
    subnormal = [isinstance(each, tuple) and order(abs(each[0]), each[1], 1, emin) < 0 for each in x]
    due = setting.rule(*map(as_float, x))
    if due is not None:
        special = SpecialJudged(setting, due, y, y_pattern)
        # A subnormal argument outside the domain may be flushed to a zero at its end: log of it is then -inf.
        if special.accepted_by is None and setting.flushes and any(subnormal):
            special.take(due_at_zeros(setting, x, subnormal, y, y_pattern))
        return special
    judged = Judged(setting, tuple(map(as_point, x)), y, y_pattern)
    accept(judged, x, subnormal)
    return judged
