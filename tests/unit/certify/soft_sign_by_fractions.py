"""x / (1 + |x|) judged and certified with fractions: a second formulation of the counts, for tests of certificates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from types import ModuleType
from typing import Any

from lenticulum.certify.certificate import Certificate, at_least, at_most, build, format_fields
from lenticulum.certify.checker.formats import FloatFormat
from lenticulum.certify.checker.generate import generate
from lenticulum.numbers.formats import FLOAT8_E5M2, Format, decode, encode, ulp

Value = Fraction | float


def value(x: Fraction) -> Fraction:
    """f."""
    return x / (1 + abs(x))


def slope(x: Fraction) -> Fraction:
    """f'."""
    return 1 / (1 + abs(x)) ** 2


def expected(x: Value) -> Value | None:
    """The result that is due at ±0, ±inf and NaN."""
    if isinstance(x, Fraction):
        return None
    return Fraction(1 if x > 0 else -1) if math.isinf(x) else x


class Judged:
    """What the checker's judge returns, computed with fractions."""

    zero_sign = False
    undecided = False

    def __init__(self, pattern: int, y_pattern: int, format: Format) -> None:
        x, y = decode(pattern, format), decode(y_pattern, format)
        due = expected(x)
        self.expected: str | None = None
        self.ulp: tuple[Fraction, Fraction] | None = None
        self.K: tuple[Fraction, Fraction] | None = None
        if due is not None:
            right = encode(due, format) == y_pattern or (_is_nan(due) and _is_nan(y))
            self.stratum = "special"
            self.expected = float(due).hex() if math.isfinite(due) else str(due)
            self.correctly_rounded, self.accepted_by = right, "special" if right else None
            return
        assert isinstance(x, Fraction)
        f = value(x)
        subnormal = [abs(each) < format.smallest_normal for each in (x, f)]
        self.stratum = "subnormal input" if subnormal[0] else "subnormal result" if subnormal[1] else "regular"
        self.correctly_rounded = encode(f, format) == y_pattern
        if _is_nan(y):
            self.accepted_by = None
            return
        returned = _stands_for(y, format)
        error = abs(returned - f)
        self.zero_sign = returned == 0 and (math.copysign(1, float(y)) < 0) != (f < 0)
        k = error / (format.unit_roundoff * (abs(x * slope(x)) + abs(f)) + format.smallest_subnormal / 2)
        self.ulp, self.K = (error / ulp(f, format),) * 2, (k, k)
        self.accepted_by = "K" if k <= 4 else None

    def ulp_at_most(self, bound: Fraction) -> bool:
        """Whether the error is at most a bound."""
        assert self.ulp is not None
        return self.ulp[0] <= bound

    def K_at_most(self, bound: Fraction) -> bool:
        """Whether K is at most a bound."""
        assert self.K is not None
        return self.K[0] <= bound


def _stands_for(y: Value, format: Format) -> Fraction:
    if isinstance(y, float) and math.isinf(y):
        return format.overflow_threshold if y > 0 else -format.overflow_threshold
    return Fraction(y)


def judge(
    name: str, conventions: Any, source: FloatFormat, result: FloatFormat, flushes: bool, x: Any, y: int
) -> Judged:
    """The signature of the checker's judge."""
    assert (name, dict(conventions), flushes, len(x)) == ("soft_sign", {}, False, 1)
    assert source == result
    return _judged(x[0], y, *source[:5])


@cache
def _judged(x: int, y: int, name: str, precision: int, emin: int, emax: int, width: int) -> Judged:
    return Judged(x, y, Format(name, precision, emin, emax, width))


def one_file_checker(judge: Callable[..., Any]) -> Any:
    """The one-file checker as a module, with another judge."""
    module = ModuleType("lenticulum_check_under_test")
    exec(compile(generate(), "lenticulum_check.py", "exec"), module.__dict__)
    module.judge = judge  # type: ignore[attr-defined]
    return module


def rounded_twice(x: Value, format: Format) -> Value:
    """A kernel: the denominator is rounded, then the quotient."""
    if not isinstance(x, Fraction):
        due = expected(x)
        assert due is not None
        return due
    denominator = decode(encode(1 + abs(x), format), format)
    return x / denominator if isinstance(denominator, Fraction) else 0 * float(x)


def toward_zero(x: Value, format: Format) -> Value:
    """A wrong kernel: twice the slope beyond 1, NaN at 2, and +1 at -inf."""
    if x == -math.inf:
        return Fraction(1)
    if x == 2:
        return math.nan
    y = rounded_twice(x, format)
    return min(2 * y, Fraction(1)) if isinstance(y, Fraction) and y > Fraction(1, 2) else y


def outputs_of(kernel: Callable[[Value, Format], Value], format: Format) -> list[int]:
    """The output of a kernel at every pattern, NaN as the canonical one."""
    nan = encode(math.nan, format)
    patterns = [encode(kernel(decode(p, format), format), format) for p in range(2**format.width)]
    return [nan if _is_nan(decode(p, format)) else p for p in patterns]


def _is_nan(value: Value) -> bool:
    return isinstance(value, float) and math.isnan(value)


def fields_of(outputs: list[int], format: Format) -> dict[str, Any]:
    """What a campaign counts."""
    digits = format.width // 4
    strata: dict[str, Any] = {
        name: {
            "count": 0,
            "accepted": Counter(),
            "rejected": 0,
            "correctly_rounded": 0,
            "ulp": None,
            "K": None,
            "histogram": Counter(),
            "no_number": 0,
            "zero_sign": 0,
            "undecided": [],
        }
        for name in ("regular", "subnormal input", "subnormal result", "overflow")
    }
    special: dict[str, Any] = {"count": 0, "wrong_count": 0, "wrong": []}
    largest: dict[tuple[str, str], Fraction] = {}
    finding = None
    for x, y in enumerate(outputs):
        judged, spelled = Judged(x, y, format), {"x": f"0x{x:0{digits}x}", "y": f"0x{y:0{digits}x}"}
        if judged.accepted_by is None and finding is None:
            kind = "special-value" if judged.stratum == "special" else "formula"
            finding = {"kind": kind, **spelled, "exact": "see the definition", "k": None}
            finding["k"] = at_least(judged.K[0]) if judged.K is not None else None
        if judged.stratum == "special":
            special["count"] += 1
            if judged.accepted_by is None:
                special["wrong_count"] += 1
                special["wrong"].append({**spelled, "expected": judged.expected})
            continue
        stratum = strata[judged.stratum]
        stratum["count"] += 1
        stratum["correctly_rounded"] += judged.correctly_rounded
        stratum["zero_sign"] += judged.zero_sign
        if judged.accepted_by is None:
            stratum["rejected"] += 1
        else:
            stratum["accepted"][judged.accepted_by] += 1
        if judged.ulp is None:
            stratum["no_number"] += 1
        else:
            error = judged.ulp[0]
            stratum["histogram"][str(0 if error <= Fraction(1, 2) else math.ceil(math.log2(error)) + 1)] += 1
            for metric, found in (("ulp", error), ("K", judged.K[0] if judged.K else None)):
                assert found is not None
                if found > largest.get((judged.stratum, metric), Fraction(-1)):
                    largest[judged.stratum, metric] = found
                    stratum[metric] = {"at_most": at_most(found), "at_least": at_least(found), **spelled}
    return {
        "definition": {"name": "soft_sign", "conventions": {}, "equation": "x / (1 + |x|)", "sha256": "0" * 64},
        "format": {"input": format_fields(format), "output": format_fields(format)},
        "arguments": 1,
        "coverage": {"kind": "exhaustive", "checked": len(outputs), "seed": None},
        "mode": "eager",
        "shape_class": "one array of length 256",
        "environment": {"flushes": False, "versions": {"numpy": "2.0"}, "processor": "any"},
        "strata": strata,
        "special": special,
        "within": None,
        "finding": finding,
        "engines": {
            "maker": {"fractions": "3.11"},
            "cross_check": {"inputs": len(outputs), "engines": ["fractions"], "misses": 0},
        },
        "not_claimed": ["other formats"],
        "made": "2026-01-01T00:00:00Z",
        "cost": {"seconds": 0.25},
    }


def certificate(
    kernel: Callable[[Value, Format], Value] = rounded_twice, format: Format = FLOAT8_E5M2, name: str = "soft_sign"
) -> Certificate:
    """The certificate of a kernel on every input of a format."""
    outputs = outputs_of(kernel, format)
    content = b"".join(y.to_bytes(format.width // 8, "little") for y in outputs)
    return build("tests:soft_sign", "1" * 64, fields_of(outputs, format), name=name, outputs=content)
