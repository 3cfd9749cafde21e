"""Mistakes planted in the maker, and what catches each: the engines void the run, or the checker counts otherwise."""

from collections import Counter
from dataclasses import replace
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
from maker_and_checker import differences

from lenticulum.certify import certify, condition, rule, running, score, verdict
from lenticulum.certify.cross_check import cross_check
from lenticulum.certify.domain import Domain
from lenticulum.certify.enclosure import Definitely
from lenticulum.certify.statement import certificate_of
from lenticulum.check.definition import parse
from lenticulum.check.errors import CallError
from lenticulum.numbers import ball
from lenticulum.numbers.enclosures import ENCLOSURES
from lenticulum.numbers.interval_functions import COMPOSED, TIGHT, interval, ival

# The name of the module in its package is that of the function that makes such an array.
MODULE = import_module("lenticulum.numbers.interval64")

FUNCTIONS = sorted((TIGHT | set(COMPOSED)) - {"recip", "sqr", "normal_cdf"})

# Softplus divides by beta, and an inverted interval that is divided is put in order again.
HARMLESS = {("softplus", "swapped")}

AGREEING = [
    ("exp", "float16"),
    ("log", "float16"),
    ("soft_sign", "float16"),
    ("silu", "float16"),
    ("atan2", "float8_e5m2"),
    # Rational, so that ties occur.
    ("sparse_plus", "float8_e5m2"),
]

caught = Counter()


def inward(image, x):
    return interval(np.nextafter(image.lo, np.inf), image.hi)


def swapped(image, x):
    return interval(image.hi, image.lo)


def unrounded(image, x):
    """Both ends are the nearer of the two, as without outward rounding."""
    return interval(image.lo, image.lo)


def wrong_branch(image, x):
    """Below 2, the value with its sign changed."""
    return interval(np.where(x.lo < 2, 0.0 - image.hi, image.lo), np.where(x.lo < 2, 0.0 - image.lo, image.hi))


def disagreements(name: str) -> tuple[str, ...]:
    return cross_check(Definitely(parse(name)), Domain("float16", 1), 40).misses


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_engines_agree(name):
    assert disagreements(name) == ()


@pytest.mark.filterwarnings("ignore:overflow encountered in nextafter")
@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        (name, mistake)
        for name in FUNCTIONS
        for mistake in (inward, swapped, unrounded, wrong_branch)
        if (name, mistake.__name__) not in HARMLESS
    ],
)
def test_a_wrong_interval_voids_the_run(name, mistake, monkeypatch):
    if name in COMPOSED:
        right = COMPOSED[name]
        monkeypatch.setitem(COMPOSED, name, lambda module, x: narrow(mistake, right(module, x), x))
    else:
        module = ival()
        right = getattr(module, name)
        changed = {each: getattr(module, each) for each in dir(module)}
        mutant = SimpleNamespace(**{**changed, name: lambda x: mistake(right(x), x)})
        monkeypatch.setattr(MODULE, "ival", lambda: mutant)
    assert disagreements(name)
    caught["cross-check"] += 1


def narrow(mistake, image, x):
    """Apply a mistake to an enclosure that is not the smallest: it moves beyond its own end."""
    beyond = interval(np.nextafter(image.hi, np.inf), np.nextafter(image.hi, np.inf))
    return beyond if mistake in (inward, unrounded) else mistake(image, x)


@pytest.mark.parametrize("name", [*FUNCTIONS, "erfinv", "lgamma", "digamma"])
def test_a_wrong_ball_voids_the_run(name, monkeypatch):
    name = {"softplus": "log1p"}.get(name, name)
    right = ENCLOSURES[name]
    for mistake in (
        lambda x: right.function(x) * (1 + ball([2.0**-60]).elements[0]),
        lambda x: right.function(x).mid() + ball([2.0**-70]).elements[0],
        lambda x: -right.function(x),
    ):
        with monkeypatch.context() as planted:
            planted.setitem(ENCLOSURES, name, replace(right, function=mistake))
            assert disagreements(name)
        caught["cross-check"] += 1


def test_a_run_whose_engines_disagree_claims_nothing(monkeypatch):
    right = ENCLOSURES["exp"]
    monkeypatch.setitem(ENCLOSURES, "exp", replace(right, function=lambda x: right.function(x) * (1 + 2.0**-40)))
    result = certify("numpy:exp", "exp", dtype="float16")
    assert (result.verdict, result.exit_code) == ("undecided", 3)
    assert "DISAGREE" in str(result)
    with pytest.raises(CallError, match="contradict one another"):
        certificate_of(result, "void")


def disagreeing() -> list[str]:
    """Return the definitions on which maker and checker count otherwise."""
    return [
        f"{spec} {flushes}"
        for spec, dtype in AGREEING
        for flushes in (False, True)
        if differences(spec, dtype, flushes=flushes)
    ]


def test_maker_and_checker_count_the_same():
    assert disagreeing() == []


RIGHT = SimpleNamespace(
    ulp=score.float64_ulp,
    rounding=score._rounding,
    strata=score._strata,
    standing=score.standing_for,
    slopes=condition.slopes,
    same=verdict._same,
    right=verdict._right,
    sizes=score._sizes,
    running=running.inside_running_bound,
)


def eta(factor):
    return property(lambda self: float(self.exact_eta) * factor)


def rounded_to_odd(y_bits, *arguments):
    return RIGHT.rounding(y_bits ^ 1, *arguments)


def never_a_tie(y_bits, least, most, enclosures, format):
    return np.where(most <= 0.5, 1, 0).astype(np.int8)


MISTAKES = {
    "the ulp doubled": (score, "float64_ulp", lambda x, format: 2 * RIGHT.ulp(x, format)),
    "the ulp of the number above": (score, "float64_ulp", lambda x, format: RIGHT.ulp(x * 1.0001, format)),
    "an exponent off by one": (score, "float64_ulp", lambda x, format: RIGHT.ulp(2 * x, format)),
    "no subnormal floor": (score, "float64_ulp", lambda x, format: np.maximum(RIGHT.ulp(x, format) / 2, 1e-300)),
    "ties to odd": (score, "_rounding", rounded_to_odd),
    "ties to both": (score, "_rounding", never_a_tie),
    "strata without subnormal results": (score, "_strata", lambda x, s, b, e, f: np.where(b, 2, np.where(x, 3, 0))),
    "strata without overflow": (score, "_strata", lambda x, s, b, e, f: RIGHT.strata(x, s, b & False, e, f)),
    "strata without subnormal inputs": (score, "_strata", lambda x, s, b, e, f: RIGHT.strata(x & False, s, b, e, f)),
    "infinity as the largest number": (
        score,
        "standing_for",
        lambda y, f, e: np.clip(RIGHT.standing(y, f, e), -float(f.largest), float(f.largest)),
    ),
    "the size of f as its upper end": (score, "_sizes", lambda lo, hi: (np.abs(hi), np.abs(hi) * 0 + 1)),
    "K without a condition": (verdict, "slopes", lambda f, points: (0 * points[0], 0 * points[0])),
    "K with twice the condition": (verdict, "slopes", lambda f, p: tuple(2 * each for each in RIGHT.slopes(f, p))),
    "K of the first argument alone": (
        verdict,
        "slopes",
        lambda f, p: condition._part(f, p, 0) if len(p) > 1 else RIGHT.slopes(f, p),
    ),
    "the limit of K doubled": (score, "K_LIMIT", 8),
    "the limit of K halved": (verdict, "K_LIMIT", 2),
    "eta doubled": (rule.Rule, "eta", eta(2)),
    "eta forgotten": (rule.Rule, "eta", eta(0)),
    "u doubled": (rule.Rule, "unit", property(lambda self: 2 * float(self.format.unit_roundoff))),
    "the sign of a zero ignored": (verdict, "_same", lambda y, due, f: (y == due) | (np.isnan(y) & np.isnan(due))),
    "NaN for anything": (verdict, "_same", lambda y, due, f: RIGHT.same(y, due, f) | np.isnan(y)),
    "special values unjudged": (verdict, "_right", lambda due, y, r: ("anything", np.ones(y.shape, bool))),
    "everything inside the running bound": (
        verdict,
        "inside_running_bound",
        lambda f, p, y, fmt: (np.ones(y.shape, bool), np.zeros(y.shape, bool)),
    ),
    "nothing inside the running bound": (
        verdict,
        "inside_running_bound",
        lambda f, p, y, fmt: (np.zeros(y.shape, bool), np.zeros(y.shape, bool)),
    ),
    "flushing excused everywhere": (verdict, "_flushed", lambda block, chosen, y, r, left: np.ones(y.shape, bool)),
    "flushing never excused": (verdict, "_flushed", lambda block, chosen, y, r, left: np.zeros(y.shape, bool)),
    "every overflow excused": (
        verdict,
        "inside_running_bound",
        lambda f, p, y, fmt: (RIGHT.running(f, p, y, fmt)[0], np.ones(y.shape, bool)),
    ),
    "an upper factor that lowers": (score, "UP", 1 - 2.0**-9),
    "a lower factor that raises": (score, "DOWN", 1 + 2.0**-9),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_judge_of_the_maker_counts_otherwise_than_the_checker(mistake, monkeypatch):
    place, name, value = MISTAKES[mistake]
    monkeypatch.setattr(place, name, value)
    assert disagreeing()
    caught["checker"] += 1


def test_enough_mistakes_were_planted(capsys):
    with capsys.disabled():
        print(f"\n{sum(caught.values())} mutants of the maker: {dict(caught)}")
    assert len(MISTAKES) >= 20
