"""Whole runs: all pairs of 8-bit numbers, and runs that compute without float64 intervals."""

from dataclasses import replace

import numpy as np
import pytest
from maker_and_checker import differences

from lenticulum.certify import certify
from lenticulum.certify.campaign import Campaign, merged, run_shard
from lenticulum.certify.domain import Domain
from lenticulum.certify.shard import ShardResult
from lenticulum.certify.subject import Subject

# Computed in float64 and rounded: at most a little more than half a spacing away.
PAIRS = {
    "pow": np.power,
    "hypot": np.hypot,
    "atan2": np.arctan2,
    "logaddexp": np.logaddexp,
    "logaddexp2": np.logaddexp2,
}


def in_double(function):
    def kernel(x, y):
        return function(x.astype(np.float64), y.astype(np.float64)).astype(x.dtype)

    return kernel


@pytest.mark.parametrize("name", PAIRS)
def test_every_pair_of_8_bit_numbers(name):
    result = certify(in_double(PAIRS[name]), name, dtype="float8_e5m2", backend="numpy")
    assert result.coverage == "every pair (65 536)"
    assert len(result.outputs) == 65_536
    assert sum(s.count for s in result.merged.strata.values()) + result.merged.special.count == 65_536
    assert sum(s.rejected for s in result.merged.strata.values()) == 0, str(result)
    regular = result.merged.strata["regular"]
    assert 0.4 < regular.ulp.at_least <= regular.ulp.at_most <= 0.5 + 2.0**-40
    assert regular.correctly_rounded == regular.count


@pytest.mark.parametrize("name", PAIRS)
def test_arguments_in_the_wrong_order_differ(name):
    right = certify(in_double(PAIRS[name]), name, dtype="float8_e5m2", backend="numpy", sample=4096)
    turned = certify(in_double(lambda x, y: PAIRS[name](y, x)), name, dtype="float8_e5m2", backend="numpy", sample=4096)
    assert right.coverage == "sampled (4 096 of 65 536)"
    assert turned.verdict == ("differs" if name in ("pow", "atan2") else right.verdict)


def counts(result: ShardResult) -> dict:
    """Return what does not depend on the engine: everything but bounds, witnesses and escalations."""
    strata = {
        name: (s.count, s.accepted, s.rejected, s.correctly_rounded, s.zero_sign, s.no_number, s.undecided)
        for name, s in result.strata.items()
    }
    return {"strata": strata, "special": result.special, "leaves": result.leaves}


@pytest.mark.parametrize(
    ("target", "spec", "dtype"),
    [
        ("exp", "exp", "float16"),
        ("tanh", "tanh", "float16"),
        ("log1p", "log1p", "float16"),
        ("sqrt", "sqrt", "float16"),
        ("exp", "expm1", "float16"),
        ("hypot", "hypot", "float16"),
        ("sin", "sin", "float32"),
        ("expm1", "expm1", "float32"),
    ],
)
def test_balls_alone_come_to_the_same_counts(target, spec, dtype):
    domain = Domain(dtype, 2 if target == "hypot" else 1, 3000)
    subject = Subject(f"numpy:{target}", "numpy", dtype, "eager")
    campaign = Campaign(spec, (subject,), ("",), domain, dtype, (False,), "")
    with_intervals, without = (
        merged([run_shard(each, 0, 3000)], 0) for each in (campaign, replace(campaign, intervals=False))
    )
    assert counts(with_intervals) == counts(without)
    assert without.escalated > 0
    for name, stratum in with_intervals.strata.items():
        assert stratum.ulp.at_least <= without.strata[name].ulp.at_most
        assert without.strata[name].ulp.at_least <= stratum.ulp.at_most


@pytest.mark.parametrize("spec", ["exp", "silu", "log"])
def test_balls_alone_count_what_the_checker_counts(spec):
    assert differences(spec, "float16", intervals=False) == []
