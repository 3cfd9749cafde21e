"""Published values of numerics: correct roundings, special values, errors in ulp and K, in the maker and in mpmath.

The independent checker is held to the same file in tests/unit/certify/test_checker_judge.py.
"""

import json
import math
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest

from lenticulum.certify.block import prepare
from lenticulum.certify.condition import slopes
from lenticulum.certify.enclosure import Definitely, Enclosures, around, by_balls, enclose
from lenticulum.certify.rule import Rule
from lenticulum.certify.score import mixed_errors, score
from lenticulum.certify.shard import ShardResult
from lenticulum.certify.subject import UNSIGNED
from lenticulum.certify.third_opinion import value
from lenticulum.certify.verdict import judge
from lenticulum.check.definition import parse
from lenticulum.numbers import sin
from lenticulum.numbers.formats import BFLOAT16, BINARY16, BINARY32, bits_to_float64, encode

DATA = json.loads((Path(__file__).parent / "data" / "numerics.json").read_text())
FORMATS = {each.name: each for each in (BINARY16, BFLOAT16, BINARY32)}
CONVENTIONS = {"gelu": {"approximate": "none"}}


def pattern(bits, fmt):
    """Return one pattern as an array."""
    return np.array([bits], UNSIGNED[fmt.width])


def judged(name, fmt, x, y):
    """Return what the maker finds of one output."""
    block = prepare(Definitely(parse(name)), (pattern(x, fmt),), fmt, fmt)
    return judge(block, pattern(y, fmt), Rule(fmt, False), ShardResult())


def number(text):
    """Read a special value as it is written there."""
    return {"NaN": math.nan, "+inf": math.inf, "-inf": -math.inf, "+0": 0.0, "-0": -0.0}.get(text) or float(text)


@pytest.mark.parametrize("entry", DATA["values"], ids=lambda entry: entry["id"])
def test_the_maker_finds_the_published_rounding_and_no_other(entry):
    fmt, x, y = FORMATS[entry["format"]], int(entry["x_bits"], 16), int(entry["y_bits"], 16)
    strata = judged(entry["function"], fmt, x, y).strata.values()
    assert sum(stratum.correctly_rounded for stratum in strata) == 1
    if "error_ulp" in entry and entry["error_ulp"] is not None and entry["kind"] != "overflow_threshold":
        (found,) = (stratum.ulp for stratum in strata if stratum.count)
        assert found.at_least <= found.at_most <= found.at_least + 2.0**-10
        # Printed with nine digits.
        assert found.at_most == pytest.approx(entry["error_ulp"], rel=1e-8, abs=2.0**-10)
    for neighbour in (y - 1, y + 1):
        others = judged(entry["function"], fmt, x, neighbour % (1 << fmt.width)).strata.values()
        assert sum(stratum.correctly_rounded for stratum in others) == 0


@pytest.mark.parametrize("entry", DATA["values"], ids=lambda entry: entry["id"])
def test_mpmath_gives_the_published_digits(entry):
    fmt = FORMATS[entry["format"]]
    x = float(bits_to_float64(pattern(int(entry["x_bits"], 16), fmt), fmt)[0])
    assert x == float.fromhex(entry["x"])
    with mpmath.mp.workdps(60):
        found = value(entry["function"], CONVENTIONS.get(entry["function"], {}), x)
        # 45 significant digits are printed; 40 of mpmath's count.
        assert abs(found - mpmath.mpf(entry["exact"])) <= abs(found) * mpmath.mpf(10) ** -40


@pytest.mark.parametrize("entry", DATA["special_values"], ids=lambda entry: f"{entry['function']}({entry['input']})")
def test_the_maker_expects_the_published_special_values(entry):
    names = ("exp", "expm1", "log", "log1p", "tanh", "rsqrt", "erf", "gelu", "silu", "sigmoid", "softplus")
    for name in names if entry["function"].startswith("any") else (entry["function"],):
        for fmt in FORMATS.values():
            x, y = (
                encode(given if not math.isfinite(given) or given == 0 else Fraction(given), fmt)
                for given in (number(entry["input"]), number(entry["output"]))
            )
            found = judged(name, fmt, x, y).special
            assert (found.count, found.wrong_count) == (1, 0)
            assert judged(name, fmt, x, encode(Fraction(3, 2), fmt)).special.wrong_count == 1
            if number(entry["output"]) == 0:
                assert judged(name, fmt, x, y ^ 1 << (fmt.width - 1)).special.wrong_count == 1


@pytest.mark.parametrize("entry", DATA["ulp_examples"], ids=lambda entry: f"{entry['exact']}-{entry['computed_bits']}")
def test_the_maker_measures_the_published_errors_in_ulp(entry):
    fmt, both = FORMATS[entry["format"]], isinstance(entry["exact"], list)
    ends = [around(Fraction(end)) for end in (entry["exact"] if both else [entry["exact"]] * 2)]
    lo, hi = np.array([ends[0][0]]), np.array([ends[1][1]])
    found = Enclosures(lo, hi, np.ones(1, bool), np.zeros(1, bool))
    scores = score(np.zeros(1, bool), pattern(int(entry["computed_bits"], 16), fmt), found, Rule(fmt, False))
    if entry["error_ulp"] in ("inf", None):
        assert scores.rounding[0] == (entry["special"] == "correct_overflow")
        assert np.isinf(scores.ulp_most[0]) == (entry["special"] == "spurious_nan")
        return
    errors = [Fraction(each) for each in (entry["error_ulp"] if both else [entry["error_ulp"]] * 2)]
    assert Fraction(scores.ulp_least[0]) <= errors[0] <= errors[1] <= Fraction(scores.ulp_most[0])
    # As tight as float64 allows: the ends are off by their own rounding, measured in ulp of the format.
    assert scores.ulp_least[0] >= float(errors[0]) * (1 - 2.0**-36)
    assert scores.ulp_most[0] <= float(errors[1]) * (1 + 2.0**-36)


class OneMinusCosine(Definitely):
    """1 - cos x = 2 sin²(x/2), which is no row of the catalogue."""

    def __init__(self):
        """There is no definition to look up."""

    def __call__(self, *arrays):
        """Return the value on an array of any exact system."""
        half = sin(arrays[0] / 2)
        return 2 * half * half


@pytest.mark.parametrize("entry", DATA["metric_examples"], ids=lambda entry: entry["function"])
def test_the_maker_measures_the_published_mixed_errors(entry):
    fmt, name = FORMATS[entry["format"]], entry["function"]
    function = OneMinusCosine() if name == "1-cos" else Definitely(parse(name))
    y = pattern(int(entry["computed_bits"], 16), fmt)
    points = [bits_to_float64(pattern(int(entry["x_bits"], 16), fmt), fmt)]
    rule, found = Rule(fmt, False), enclose(function, points, fmt)
    scores = score(np.zeros(1, bool), y, found, rule)
    least, most = mixed_errors(lambda p: slopes(function, p), points, y, found, rule)
    # Six digits are printed.
    assert scores.ulp_most[0] == pytest.approx(entry["error_ulp"], rel=1e-5)
    assert least[0] <= most[0] == pytest.approx(entry["K"], rel=1e-5)
    assert (most[0] > 4) == (entry["classification"] == "defect")


def test_balls_alone_give_the_same_enclosures():
    function, points = Definitely(parse("gelu")), [np.array([-5.0, 0.5, 3.0])]
    lo, hi, _ = by_balls(function, points, BINARY32)
    quick = enclose(function, points, BINARY32)
    assert ((lo <= quick.hi) & (quick.lo <= hi)).all()
    assert (hi - lo <= 2.0**-52 * np.abs(lo)).all()
