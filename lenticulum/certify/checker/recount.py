"""Levels 1 and 2: judge witnesses, some inputs or every input again, and count what the certificate counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from lenticulum.certify.checker.claim import LISTED, STRATA, WITHOUT_MAXIMUM, Claim, Maximum
from lenticulum.certify.checker.judge import Judged, judge


class Verdict(NamedTuple):
    """One input as the certificate counts it.

    `accepted_by` is None where no rule accepts, `error_class` where no number is judged.
    """

    stratum: str
    accepted_by: str | None
    error_class: str | None
    correctly_rounded: bool
    judged: Judged


class Unsettled(Exception):
    """A question that stayed open at the highest precision."""


class UnknownDefinition(Exception):
    """This checker does not have the definition, or not with these conventions."""


class Count:
    """What a stratum of a certificate counts."""

    def __init__(self) -> None:
        self.count = self.rejected = self.correctly_rounded = self.zero_sign = self.no_number = 0
        self.accepted: Counter[str] = Counter()
        self.histogram: Counter[str] = Counter()
        self.undecided: list[int] = []
        self.ulp = Fraction(0)


class Maxima(NamedTuple):
    """The claimed maxima of a stratum."""

    ulp: Maximum | None
    k: Maximum | None


class Exceeding(NamedTuple):
    """An input at which an error is larger than the claimed maximum: `proved` is None where that stays open."""

    stratum: str
    metric: str
    x: int
    proved: bool | None


class Recount:
    """Counts of all strata, wrong special values, and the inputs that exceed a claimed maximum."""

    def __init__(self) -> None:
        self.strata = {name: Count() for name in STRATA}
        self.wrong: list[tuple[int, int, str]] = []
        self.exceeding: list[Exceeding] = []
        self.unsettled: list[int] = []


def recount(claim: Claim, pairs: Iterable[tuple[int, int]]) -> Recount:
    """Judge inputs x with outputs y, and count."""
    result = Recount()
    maxima = {name: Maxima(claim.maximum(name, "ulp"), claim.maximum(name, "K")) for name in STRATA}
    for x, y in pairs:
        judged = judge_again(claim, x, y)
        try:
            verdict = settle(claim, x, y, judged)
        except Unsettled:
            _leave_open(result, judged, x)
            continue
        _count(result, maxima[verdict.stratum], x, y, verdict)
    return result


def judge_again(claim: Claim, x: int, y: int) -> Judged:
    """Judge one input of the claim's enumeration."""
    definition = claim.predicate["definition"]
    try:
        return judge(
            definition["name"],
            definition["conventions"],
            claim.input_format,
            claim.output_format,
            claim.predicate["environment"]["flushes"],
            claim.patterns(x),
            y,
        )
    except ValueError as error:
        raise UnknownDefinition(str(error)) from None


def settle(claim: Claim, x: int, y: int, judged: Judged) -> Verdict:
    """Return the stratum, the accepting rule and the class of the error of one input. Unsettled: one is open."""
    stratum, rounded, accepted_by = stratum_of(judged), judged.correctly_rounded, judged.accepted_by
    if stratum is None or judged.undecided:
        raise Unsettled
    if stratum == "special input":
        # What is due there may be a range of values; a result that is accepted is right.
        right = accepted_by is not None
        return Verdict(stratum, "special" if right else None, None, right, judged)
    if rounded is None:
        raise Unsettled
    if claim.within is not None:
        accepted_by = _accepted_within(claim, claim.within, x, y, judged)
    if stratum in WITHOUT_MAXIMUM:
        return Verdict(stratum, accepted_by, None, rounded, judged)
    # The nearest number is at most half an ulp away.
    return Verdict(stratum, accepted_by, "0" if rounded else error_class(judged), rounded, judged)


def stratum_of(judged: Judged) -> str | None:
    """Return the stratum in the words of a certificate."""
    return "special input" if judged.stratum == "special" else judged.stratum


def _accepted_within(claim: Claim, within: Fraction, x: int, y: int, judged: Judged) -> str | None:
    """Return "within" or "flushed": the rules that remain where a bound in ulp replaces K and the running bound."""
    if judged.ulp is not None:
        inside = at_most(judged, "ulp", within)
        if inside is None:
            raise Unsettled
        if inside:
            return "within"
    return "flushed" if _flushed(claim, x, y, judged) else None


def _flushed(claim: Claim, x: int, y: int, judged: Judged) -> bool:
    """Whether flushing explains y: a zero for a subnormal result, or the result at zero for a subnormal argument."""
    if not claim.predicate["environment"]["flushes"]:
        return False
    magnitude = y & (2 ** (claim.output_format.width - 1) - 1)
    if judged.stratum == "subnormal result" and magnitude == 0:
        return True
    if judged.stratum != "subnormal input":
        return False
    at_zero = judge_again(claim, _with_subnormals_flushed(claim, x), y)
    return bool(at_zero.correctly_rounded)


def _with_subnormals_flushed(claim: Claim, x: int) -> int:
    """Return the input with every subnormal argument replaced by the zero of its sign."""
    width, precision = claim.input_format.width, claim.input_format.precision
    flushed = 0
    for pattern in claim.patterns(x):
        exponent = (pattern & (2 ** (width - 1) - 1)) >> (precision - 1)
        flushed = flushed << width | (pattern if exponent else pattern & 2 ** (width - 1))
    return flushed


def error_class(judged: Judged) -> str | None:
    """Return the class of the error: 0 up to 1/2 ulp, k from 2^(k-2) (left out) to 2^(k-1); None if it is no number."""
    ends = judged.ulp
    if ends is None:
        return None
    low, high = (_class_of(end) for end in ends)
    while low < high:
        inside = at_most(judged, "ulp", Fraction(2) ** (low - 1))
        if inside is None:
            raise Unsettled
        if inside:
            high = low
        else:
            low += 1
    return str(low)


def _class_of(error: Fraction) -> int:
    """Return ceil(log2(2 error)), and 0 below: 2^(k-2) < error <= 2^(k-1).

    >>> [_class_of(Fraction(n, 8)) for n in (0, 1, 4, 5, 8, 9)]
    [0, 0, 0, 1, 1, 2]
    """
    if 2 * error <= 1:
        return 0
    return (-(-2 * error.numerator // error.denominator) - 1).bit_length()


def at_most(judged: Judged, metric: str, bound: Fraction) -> bool | None:
    """Whether an error is at most a bound; None where that stays open."""
    return judged.ulp_at_most(bound) if metric == "ulp" else judged.K_at_most(bound)


def at_least(judged: Judged, metric: str, bound: Fraction) -> bool | None:
    """Whether an error is at least a bound."""
    low, high = (judged.ulp if metric == "ulp" else judged.K) or (Fraction(0), Fraction(0))
    if low >= bound:
        return True
    if high < bound:
        return False
    # An error that is known exactly was decided above; another one is not equal to the bound, or stays open.
    below = judged.ulp_at_most(bound) if metric == "ulp" else judged.K_at_most(bound)
    return None if below is None else not below


def _leave_open(result: Recount, judged: Judged, x: int) -> None:
    stratum = stratum_of(judged)
    if stratum is None:
        result.unsettled.append(x)
    else:
        count = result.strata[stratum]
        count.count += 1
        count.no_number += 1
        count.undecided.append(x)


def _count(result: Recount, maxima: Maxima, x: int, y: int, verdict: Verdict) -> None:
    count, judged = result.strata[verdict.stratum], verdict.judged
    count.count += 1
    count.correctly_rounded += verdict.correctly_rounded
    count.zero_sign += verdict.stratum != "special input" and judged.zero_sign
    if verdict.accepted_by is not None:
        count.accepted[verdict.accepted_by] += 1
    else:
        count.rejected += 1
        if verdict.stratum == "special input" and len(result.wrong) < LISTED:
            result.wrong.append((x, y, judged.expected or ""))
    if verdict.error_class is None:
        count.no_number += 1
    else:
        count.histogram[verdict.error_class] += 1
        if not judged.ulp_at_most(count.ulp):
            count.ulp = max(count.ulp, (judged.ulp or (count.ulp, count.ulp))[1])
        for metric, maximum in (("ulp", maxima.ulp), ("K", maxima.k)):
            holds = maximum is not None and at_most(judged, metric, maximum.at_most)
            if holds is not True:
                result.exceeding.append(Exceeding(verdict.stratum, metric, x, None if holds is None else True))
