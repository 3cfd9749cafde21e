"""The verdict on elementwise functions, point by point: strata, excuses, and results made by hand."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from lenticulum.check.definition import parse
from lenticulum.check.environment import Environment
from lenticulum.check.judge import judge
from lenticulum.check.slopes import Slope
from lenticulum.numbers.formats import BINARY16, BINARY32, BINARY64

FLUSHES, KEEPS = Environment(BINARY32, flushes=True), Environment(BINARY32, flushes=False)
HALF = Environment(BINARY16, flushes=False)

LARGEST = float(BINARY32.largest)
TINY = 2.0**-126


@dataclass(frozen=True)
class Point:
    """An argument, a result, the stratum, and the rule that carries it or the kind of finding."""

    spec: str
    x: float
    y: float
    stratum: str
    carried: str | None
    kind: str | None = None
    environment: Environment = KEEPS

    def __str__(self) -> str:
        return f"{self.spec}({self.x:g}) = {self.y:g}"


def verdict(point: Point, within: Fraction | None = None) -> tuple[Any, Any]:
    definition = parse(point.spec)
    roles = {"x": np.array([point.x])}
    return judge(
        definition, definition.term({"x": (1,)}, {}), roles, {"y": np.array([point.y])}, point.environment, within
    )


# Expected values: exp(0) = 1 and the special values of ISO C23, Annex F.10; log(2), exp(1) and tanh(1) from DLMF 4.
POINTS = [
    Point("exp", 0.0, 1.0, "special input", None),
    Point("exp", 0.0, 1 + 2.0**-23, "special input", None, "special-value"),
    Point("exp", np.nan, np.nan, "special input", None),
    Point("exp", np.nan, 1.0, "special input", None, "special-value"),
    Point("tanh", -0.0, 0.0, "special input", None, "special-value"),
    Point("log", -1.0, np.nan, "special input", None),
    Point("log", -1.0, 0.0, "special input", None, "special-value"),
    Point("atan", np.inf, float(np.float32(np.pi / 2)), "special input", None),
    Point("atan", np.inf, 1.57, "special input", None, "special-value"),
    Point("exp", 1.0, float(np.float32(2.718281828459045)), "regular", "K"),
    Point("exp", 1.0, 2.7182, "regular", None, "formula"),
    Point("exp", 1.0, np.nan, "regular", None, "special-value"),
    Point("exp", 1.0, np.inf, "regular", None, "overflow"),
    # exp(89) = 4.49e38 is above the overflow threshold 3.40e38; exp(88.72283) = 3.4028e38 is a hair below it.
    Point("exp", 89.0, np.inf, "overflow", "overflow"),
    Point("exp", 89.0, LARGEST, "overflow", None, "overflow"),
    Point("exp", 88.72283172607422, np.inf, "regular", "K"),
    Point("exp", 80.0, np.inf, "regular", None, "overflow"),
    Point("exp", 1e30, np.inf, "overflow", "overflow"),
    Point("exp", 1e30, LARGEST, "overflow", None, "overflow"),
    # exp(-88) = 6.05e-39 is subnormal.
    Point("exp", -88.0, float(np.exp(np.float64(-88))), "subnormal result", "K"),
    Point("exp", -88.0, 0.0, "subnormal result", None, "flush"),
    Point("exp", -88.0, 0.0, "subnormal result", "K", None, FLUSHES),
    Point("exp", -88.0, TINY, "subnormal result", None, "formula"),
    # A subnormal argument may be taken as zero only where everything is: log(0) = -inf, log(1e-40) = -92.1.
    Point("log", 1e-40, -np.inf, "subnormal input", "flushed", None, FLUSHES),
    Point("log", 1e-40, -np.inf, "subnormal input", None, "flush"),
    Point("log", -1e-40, -np.inf, "special input", "flushed", None, FLUSHES),
    Point("log", -1e-40, -np.inf, "special input", None, "special-value"),
    # sin and its argument reduction: the true value at this float is -8.74e-8, and 0 is within K = 1.
    Point("sin", float(np.float32(np.pi)), 0.0, "regular", "K"),
    # x Phi(x) is inf 0 at -inf: the limit is due, and NaN is excused; 1 is neither.
    Point("gelu", -np.inf, -0.0, "special input", None),
    Point("gelu", -np.inf, np.nan, "special input", "undefined at infinity"),
    Point("gelu", -np.inf, 1.0, "special input", None, "special-value"),
    # (x + sqrt(x² + 4)) / 2 overflows in x²: every closed form does. A finite result is judged as ever.
    Point("squareplus", 1e30, np.inf, "regular", "textbook overflow"),
    Point("squareplus", 1e30, float(np.float32(1e30)), "regular", "K"),
    Point("squareplus", 1e30, 5e29, "regular", None, "formula"),
    # log(1 + e^x) overflows in e^x, and max(x, 0) + log(1 + e^-|x|) does not: no excuse.
    Point("softplus", 100.0, np.inf, "regular", None, "overflow"),
    Point("softplus", 100.0, 100.0, "regular", "K"),
]


@pytest.mark.parametrize("point", POINTS, ids=str)
def test_a_point_is_judged_by_its_stratum(point: Point) -> None:
    finding, tally = verdict(point)
    assert (None if finding is None else finding.kind) == point.kind
    assert dict(tally.strata) == {point.stratum: 1}
    assert dict(tally.carried) == ({} if point.carried is None else {point.carried: 1})
    assert tally.undecided == 0


def test_an_infinite_enclosure_stands_for_the_limit() -> None:
    """No ball holds exp(1e300): the argument is taken as infinite."""
    definition = parse("exp")
    env = Environment(BINARY64, flushes=False)
    for y, kind in ((np.inf, None), (1e308, "overflow")):
        finding, tally = judge(
            definition, definition.term({"x": (1,)}, {}), {"x": np.array([1e300])}, {"y": np.array([y])}, env
        )
        assert (finding and finding.kind) == kind
        assert tally.undecided == 0


def test_a_stated_number_of_ulp_replaces_k() -> None:
    # 2^(1/2) = 1.4142135623730951: floats at 0 and 2 units of 2^-23 from the nearest one.
    nearest = float(np.float32(1.4142135623730951))
    for offset, within, accepted in ((0, "1/2", True), (2, "1", False), (2, "3", True)):
        finding, _ = verdict(Point("exp2", 0.5, nearest + offset * 2.0**-23, "", None), Fraction(within))
        assert (finding is None) == accepted, (offset, within)
        assert finding is None or finding.criterion == "ulp"


def test_the_plainest_finding_is_reported_and_all_are_counted() -> None:
    definition = parse("exp")
    x = np.array([0.0, 1.0, 2.0, 89.0])
    got = np.array([2.0, 2.0, np.nan, 0.0])
    finding, tally = judge(definition, definition.term({"x": (4,)}, {}), {"x": x}, {"y": got}, KEEPS)
    assert (finding.kind, finding.position, finding.stratum) == ("formula", (1,), "regular")
    assert dict(tally.rejected) == {"formula": 1, "special-value": 2, "overflow": 1}


SLOPES = [
    # d/dx log(1 + e^x) = 1/2 at 0; the derivative of max and |x| at their tie says nothing of it.
    ("softplus", 1, 0.0, 0.5, None),
    ("softplus", 1, 0.0, 0.0, "formula"),
    ("softplus", 1, 0.0, 1.0, "formula"),
    ("softplus", 2, 0.0, 0.25, None),
    ("softplus", 2, 0.0, 0.5, "formula"),
    # sinc'(0) = 0, finite; NaN comes from 0/0.
    ("sinc", 1, 0.0, 0.0, None),
    ("sinc", 1, 0.0, np.nan, "special-value"),
    # The convention decides at the kink, and either side counts within 4 u of it, not at it.
    ("relu", 1, 0.0, 0.0, None),
    ("relu", 1, 0.0, 0.5, "formula"),
    ("relu:at_kink=half", 1, 0.0, 0.5, None),
    ("relu:at_kink=half", 1, 0.0, 1.0, "formula"),
    ("hard_sigmoid", 1, 3.0, 0.0, None),
    ("hard_sigmoid", 1, 3.0, 1 / 6, "formula"),
    ("hard_sigmoid", 1, float(np.nextafter(np.float32(3), np.float32(0))), 0.0, None),
    ("hard_sigmoid", 1, 2.999, 0.0, "formula"),
    # Nothing is due where the slope is infinite, outside the domain, or at a kink of second order.
    ("sqrt", 1, 0.0, np.nan, None),
    ("log", 1, -1.0, 7.0, None),
    ("relu", 2, 0.0, 7.0, None),
    ("relu", 2, 1.0, 7.0, "formula"),
    ("soft_sign", 2, 0.0, 7.0, None),
    # 1 - tanh² leaves an error of u beside 1; a slope of another size is none.
    ("tanh", 1, 12.0, 0.0, None),
    ("tanh", 1, 12.0, 1e-4, "formula"),
]


@pytest.mark.parametrize(("spec", "order", "x", "y", "kind"), SLOPES)
def test_a_slope_is_judged_by_the_definition(spec: str, order: int, x: float, y: float, kind: str | None) -> None:
    definition = parse(spec)
    slope = Slope(definition, "x", order)
    term = definition.term({"x": (1,)}, {})
    finding, tally = judge(slope, term, {"x": np.array([x])}, {"derivative": np.array([float(np.float32(y))])}, KEEPS)
    assert (None if finding is None else finding.kind) == kind
    assert tally.undecided == 0


def test_magnified_cancellation_excuses_nothing() -> None:
    """(cos(pi x) - sinc x) / x in binary64 at 1e-12 gives what is left of rounding error: any number up to 1e-4."""
    definition = parse("sinc")
    term = definition.term({"x": (1,)}, {})
    env = Environment(BINARY64, flushes=False)
    exact = -(np.pi**2) * 1e-12 / 3
    for x, y, accepted in ((1e-12, exact, True), (1e-12, 0.0, False), (1e-12, 1e-6, False)):
        finding, _ = judge(Slope(definition, "x"), term, {"x": np.array([x])}, {"derivative": np.array([y])}, env)
        assert (finding is None) == accepted, (x, y)
    # At 1e-3 the quotient still has digits, and its running bound is u / x.
    x = 1e-3
    exact = (np.pi * x * np.cos(np.pi * x) - np.sin(np.pi * x)) / (np.pi * x * x)
    finding, tally = judge(Slope(definition, "x"), term, {"x": np.array([x])}, {"derivative": np.array([exact])}, env)
    assert finding is None


def test_two_arguments_and_the_name_of_their_value() -> None:
    definition = parse("logaddexp2")
    term = definition.term({"x": (3,), "y": (3,)}, {})
    # log2(2^1 + 2^1) = 2; log2(2^507.5 + 2^506.5) = 507.5 + log2(3/2).
    x, y = np.array([1.0, 507.5, -np.inf]), np.array([1.0, 506.5, -np.inf])
    good = np.array([2.0, float(np.float16(507.5 + np.log2(1.5))), -np.inf])
    assert judge(definition, term, {"x": x, "y": y}, {"value": good}, HALF)[0] is None
    finding, _ = judge(definition, term, {"x": x, "y": y}, {"value": good + np.array([0, 4.0, 0])}, HALF)
    assert (finding.output, finding.position) == ("value", (1,))
