"""The checker's verdict on published values, and its definitions against those of the maker."""

import json
import math
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from checker_parts import checker
from flint import arb, fmpz

from lenticulum import catalog
from lenticulum.check.definition import parse
from lenticulum.numbers import ball, jvp, magnitude, working_precision, zeros_like
from lenticulum.numbers.formats import BFLOAT16, BINARY16, BINARY32, FLOAT8_E4M3FN, FLOAT8_E5M2, decode, encode
from lenticulum.numbers.magnitude import CONSTANTS
from lenticulum.spec.elementwise.special import expected
from lenticulum.spec.elementwise.textbook import evaluation_of, forms_of

NUMERICS = json.loads((Path(__file__).parents[2] / "conformance/data/numerics.json").read_text(encoding="utf-8"))
FORMATS = {each.name: each for each in (BINARY16, BFLOAT16, BINARY32, FLOAT8_E5M2, FLOAT8_E4M3FN)}

#: A definition with its conventions, as a user writes it.
SPECS = (
    *("exp exp2 expm1 log log2 log10 log1p sqrt rsqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh".split()),
    *("acosh atanh erf erfc erfinv lgamma digamma digamma:at_zero=nan sigmoid logit sinc sinc:normalised=no".split()),
    *("entr relu relu6 leaky_relu leaky_relu:negative_slope=1/5 leaky_relu:negative_slope=-1/4 elu".split()),
    *("elu:alpha=3/7 selu celu celu:alpha=5/2 gelu gelu:approximate=tanh silu mish softplus softplus:beta=5/3".split()),
    *("log_sigmoid hard_sigmoid hard_sigmoid:slope=1/5 hard_silu hard_tanh hard_tanh:low=0,high=3/8 soft_sign".split()),
    *("squareplus squareplus:b=1/3 sparse_plus".split()),
    *("pow hypot atan2 logaddexp logaddexp2 xlogy xlogy:at_nan=zero xlog1py".split()),
)


def own(fmt):
    """A format of the maker as the checker has it."""
    return checker().FloatFormat(
        fmt.name, fmt.precision, fmt.minimum_exponent, fmt.maximum_exponent, fmt.width, fmt.overflow
    )


def term_of(spec):
    """The maker's description, and the conventions in the checker's words."""
    name, _, written = spec.partition(":")
    conventions = dict(part.split("=") for part in written.split(",") if part)
    definition = parse(spec)
    return definition.term({role: () for role in definition.entry.arrays}, {}), name, conventions


def arguments(spec, source, fmt, count):
    """Draw `count` ordinary points of a definition as tuples of patterns."""
    term, name, conventions = term_of(spec)
    arity = checker().definition_of(name, conventions).arguments
    while count:
        patterns = tuple(source.getrandbits(fmt.width) for _ in range(arity))
        values = [decode(pattern, fmt) for pattern in patterns]
        if all(isinstance(value, Fraction) for value in values) and expected(term, *map(float, values)) is None:
            count -= 1
            yield patterns, values


def judge(spec, fmt, patterns, y, flushes=False):
    """Judge one pattern in one format."""
    _, name, conventions = term_of(spec)
    return checker().judge(name, conventions, own(fmt), own(fmt), flushes, patterns, y)


def number(m, e):
    """m 2^e as a ball."""
    return arb((fmpz(m), fmpz(e)))


# Published values.


@pytest.mark.parametrize("entry", NUMERICS["values"], ids=lambda entry: entry["id"])
def test_published_values_are_correctly_rounded(entry):
    fmt = FORMATS[entry["format"]]
    y = int(entry["y_bits"], 16)
    judged = judge(entry["function"], fmt, (int(entry["x_bits"], 16),), y)
    assert judged.correctly_rounded is True
    assert judged.accepted_by == "K"
    if entry.get("error_ulp") is not None and judged.stratum != "overflow":
        assert float(judged.ulp[0]) == pytest.approx(entry["error_ulp"], abs=2e-3)
    for neighbour in (y - 1, y + 1):
        other = judge(entry["function"], fmt, (int(entry["x_bits"], 16),), neighbour & ((1 << fmt.width) - 1))
        assert other.correctly_rounded is False
    if "via_binary32_bits" in entry:
        assert not judge(
            entry["function"], fmt, (int(entry["x_bits"], 16),), int(entry["via_binary32_bits"], 16)
        ).correctly_rounded


@pytest.mark.parametrize(
    "entry", NUMERICS["special_values"], ids=lambda entry: f"{entry['function']}({entry['input']})"
)
def test_published_special_values(entry):
    names = ("exp", "log", "erf", "gelu", "silu") if entry["function"].startswith("any") else (entry["function"],)
    for name in names:
        for fmt in (BINARY16, BFLOAT16, BINARY32):
            x, y = (encode(written(entry[key]), fmt) for key in ("input", "output"))
            judged = judge(name, fmt, (x,), y)
            assert (judged.stratum, judged.accepted_by, judged.correctly_rounded) == ("special", "special", True)
            assert judge(name, fmt, (x,), encode(Fraction(3, 2), fmt)).accepted_by is None
            if written(entry["output"]) == 0:
                assert judge(name, fmt, (x,), y ^ (1 << (fmt.width - 1))).accepted_by is None


def written(text):
    """A number of the vectors file: an integer, a zero with its sign, an infinity or NaN."""
    value = float(text)
    return value if value == 0 or not math.isfinite(value) else Fraction(text)


@pytest.mark.parametrize("entry", NUMERICS["ulp_examples"], ids=lambda entry: entry["note"][:50])
def test_published_errors_in_ulp(entry):
    """The exact value stands as a constant definition of a relu-like kind: its distance is measured, not its input."""
    c, fmt = checker(), FORMATS[entry["format"]]
    ends = entry["exact"] if isinstance(entry["exact"], list) else [entry["exact"]] * 2
    setting = c.Setting(c.definition_of("exp", {}), own(fmt), own(fmt), False)
    y_pattern = int(entry["computed_bits"], 16)
    y = c.decode_pattern(y_pattern, own(fmt))
    found = []
    for end in ends:
        judged = c.Judged(setting, (), y, y_pattern, c.expression(Fraction(end)))
        found.append((judged.ulp, judged.correctly_rounded))
    if entry.get("special") in ("spurious_overflow", "correct_overflow", "missed_overflow"):
        assert found[0][1] is (entry["special"] == "correct_overflow")
    elif entry["error_ulp"] == "inf":
        assert found[0][0] is None
    else:
        errors = entry["error_ulp"] if isinstance(entry["error_ulp"], list) else [entry["error_ulp"]] * 2
        for (ulp, _), error in zip(found, errors if len(set(ends)) == 1 else [], strict=False):
            assert ulp[0] <= Fraction(error) <= ulp[1]
            assert ulp[1] - ulp[0] <= Fraction(1, 1024) * max(1, ulp[1])
        if len(set(ends)) == 2:
            assert min(ulp[0] for ulp, _ in found) >= Fraction(errors[0]) or entry["note"].startswith(
                "exact value known"
            )


@pytest.mark.parametrize("entry", NUMERICS["metric_examples"], ids=lambda entry: entry["function"])
def test_published_metrics(entry):
    if entry["function"] == "1-cos":
        c = checker()
        node = 1 - c.call("cos", c.X)
        definition = c.Definition("1-cos", 1, {}, node, (node,))
        setting = c.Setting(c.definition_of("cos", {}), own(BINARY32), own(BINARY32), False)
        setting.definition = definition
        judged = c.judge_in(
            setting, [c.decode_pattern(int(entry["x_bits"], 16), own(BINARY32))], int(entry["computed_bits"], 16)
        )
    else:
        judged = judge(entry["function"], BINARY32, (int(entry["x_bits"], 16),), int(entry["computed_bits"], 16))
    assert float(judged.ulp[0]) == pytest.approx(entry["error_ulp"], rel=1e-4)
    assert float(judged.K[0]) == pytest.approx(entry["K"], rel=1e-4)
    assert (judged.accepted_by == "K") is (entry["K"] <= 4)


# Formats.


@pytest.mark.parametrize("fmt", [BINARY16, BFLOAT16, FLOAT8_E5M2, FLOAT8_E4M3FN], ids=lambda fmt: fmt.name)
def test_patterns_mean_the_same_and_round_to_themselves(fmt):
    c = checker()
    for pattern in range(0, 1 << fmt.width, 1 if fmt.width == 8 else 7):
        found, meant = c.decode_pattern(pattern, own(fmt)), decode(pattern, fmt)
        if isinstance(found, tuple):
            assert found[0] * Fraction(2) ** found[1] == meant
            assert c.magnitude_pattern(abs(found[0]), found[1], own(fmt)) == pattern & ((1 << (fmt.width - 1)) - 1)
        else:
            assert found == meant or (math.isnan(found) and math.isnan(meant))
            assert math.copysign(1, found) == math.copysign(1, meant) or math.isnan(found)


@pytest.mark.parametrize("fmt", FORMATS.values(), ids=FORMATS)
def test_rounding_agrees_with_rationals(fmt):
    c, source = checker(), random.Random(7)
    for _ in range(4000):
        m, e = (
            source.getrandbits(fmt.precision + 4),
            source.randint(fmt.minimum_exponent - fmt.precision - 8, fmt.maximum_exponent),
        )
        value = m * Fraction(2) ** (e - 6)
        pattern = c.finished_pattern(False, c.magnitude_pattern(m, e - 6, own(fmt)), own(fmt))
        assert pattern == encode(value, fmt), (m, e)


# The definitions of the maker.


def test_the_catalogue_has_the_same_definitions_and_conventions():
    rows = {row.name: row for row in catalog.CATALOG.values() if row.kind == "elementwise"}
    known = checker().FORMULAS
    assert set(rows) == set(known)
    for name, row in rows.items():
        fields = getattr(row.example, "__dataclass_fields__", {})
        assert set(fields) == set(known[name].conventions), name
        for key, choices in known[name].conventions.items():
            default = choices if isinstance(choices, Fraction) else choices[0]
            assert getattr(row.example, key) == default, (name, key)
            if not isinstance(choices, Fraction):
                assert set(row.conventions[key]) == set(choices)


def test_every_primitive_is_allowed_the_same_roundings():
    assert checker().UNITS == CONSTANTS


def test_unknown_names_and_conventions_are_refused():
    definition_of = checker().definition_of
    for name, conventions in (
        *(("no", {}), ("exp", {"alpha": "1"}), ("gelu", {"approximate": "yes"}), ("elu", {"alpha": "0"})),
        *(("elu", {"alpha": "1e999999999"}), ("elu", {"alpha": "1/0"}), ("hard_tanh", {"low": "2", "high": "1"})),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            definition_of(name, conventions)
    with pytest.raises(ValueError, match="takes 1 arguments"):
        judge("exp", BINARY16, (1, 2), 0)


@pytest.mark.parametrize("spec", SPECS)
def test_values_and_slopes_agree_with_the_maker(spec):
    """The value on balls, and sum |x_i f_i| by the maker's dual numbers, meet the checker's intervals."""
    c, source = checker(), random.Random(8)
    term, name, conventions = term_of(spec)
    definition = c.definition_of(name, conventions)
    setting = c.Setting(definition, own(BINARY16), own(BINARY16), False)
    form = evaluation_of(term)
    for _, values in arguments(spec, source, BINARY16, 60):
        points = tuple(c.constant_interval(value, 99) for value in values)
        with working_precision(400):
            arrays = [ball([value]) for value in values]
            exact = form(arrays[0] if len(arrays) == 1 else tuple(arrays)).elements[0]
            if not exact.is_finite() or abs(exact) > arb(2) ** 9000:
                continue
            assert_overlap(c.value_of(definition.value, points, 120), exact)
            moved = arb(0)
            for place in range(len(arrays)):
                tangents = [each if i == place else zeros_like(each) for i, each in enumerate(arrays)]
                _, tangent = jvp(lambda *x: form(x[0] if len(x) == 1 else x), arrays, tangents)
                moved += abs(tangent.elements[0])
            assert_overlap(setting.scale(points, 120), moved)


def assert_overlap(interval, exact):
    """Both enclosures may be the truth, and both are narrow."""
    lo, hi, e = interval
    assert not number(hi, e) < exact, (interval, exact)
    assert not number(lo, e) > exact, (interval, exact)
    size = max(abs(lo), abs(hi))
    assert (hi - lo) << 40 <= size or number(hi - lo, e) < arb(2) ** -60, (interval, exact)


@pytest.mark.parametrize("spec", SPECS)
def test_closed_forms_have_the_same_running_bounds(spec):
    """Ours lies within theirs, to a 32nd of the width, and is narrower by a quarter of it at most.

    The maker's balls are symmetric and bound the spread of tanh or a quotient from above; ends of intervals are sharp.
    A subnormal input is left out: it stands for [0, x], of which a ball reaches below 0.
    """
    c, source = checker(), random.Random(9)
    term, name, conventions = term_of(spec)
    definition = c.definition_of(name, conventions)
    theirs = forms_of(term)
    assert len(theirs) == len(definition.forms)
    compared = 0
    for _, values in arguments(spec, source, BINARY16, 60):
        if any(abs(value) < BINARY16.smallest_normal for value in values):
            continue
        points = tuple(c.constant_interval(value, 99) for value in values)
        bounds = [c.running_bound(form, points, own(BINARY16)).interval for form in definition.forms]
        others = []
        for form in theirs:
            arrays = tuple(magnitude([value], BINARY16) for value in values)
            try:
                bound = form(arrays[0] if len(arrays) == 1 else arrays)
            except ArithmeticError:
                others.append(None)
                continue
            others.append((bound.lower().tolist()[0], bound.upper().tolist()[0]) if bound.bounded().all() else None)
        assert sorted(each is None for each in bounds) == sorted(each is None for each in others), values
        ours = sorted(tuple(c.as_fraction(end, each[2]) for end in each[:2]) for each in bounds if each)
        for (lo, hi), (low, high) in zip(ours, sorted(each for each in others if each), strict=True):
            width, floor = high - low, BINARY16.smallest_normal
            assert -width / 32 - floor <= lo - low <= width / 4 + floor, (values, (lo, hi), (low, high))
            assert -width / 32 - floor <= high - hi <= width / 4 + floor, (values, (lo, hi), (low, high))
            compared += 1
    assert compared > 5


CORNERS = (
    0.0,
    -0.0,
    math.inf,
    -math.inf,
    math.nan,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    0.75,
    -1.5,
    6.0,
    2.0**-20,
    -(2.0**-20),
    1e4,
    -1e4,
)


@pytest.mark.parametrize("spec", SPECS)
def test_special_values_agree_with_the_maker(spec):
    c = checker()
    term, name, conventions = term_of(spec)
    definition = c.definition_of(name, conventions)
    rule = c.rule_of(definition)
    points = [(x,) for x in CORNERS] if definition.arguments == 1 else [(x, y) for x in CORNERS for y in CORNERS]
    for point in points:
        ours, theirs = rule(*point), expected(term, *point)
        assert (ours is None) == (theirs is None), point
        if ours is None:
            continue
        assert ours.judged == theirs.judged, point
        if ours.judged and theirs.limit is not None:
            lo, hi, e = c.value_of(ours.limit, (), 60)
            with working_precision(200):
                limit = theirs.limit().elements[0]
                assert number(lo, e) <= limit <= number(hi, e) or (limit - number(lo, e)).contains(0), point
        elif ours.judged:
            assert np.array_equal([ours.value], [theirs.value], equal_nan=True), point
            assert math.copysign(1, ours.value) == math.copysign(1, theirs.value) or math.isnan(ours.value), point
