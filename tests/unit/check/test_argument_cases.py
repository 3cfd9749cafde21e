"""Drawn arguments: what each kind promises holds, what decides in reported bugs occurs, and a replay gives the same."""

import numpy as np

from lenticulum.check.argument_cases import Argument, draw_arguments
from lenticulum.check.draw import ReplayDraw, SeededDraw

SEEDS = 200

EVERY = {
    "x": Argument("bounded", ("row",), ("low", "high")),
    "low": Argument("lower", ("row",)),
    "high": Argument("upper", ("row",), ("low",)),
    "scores": Argument("score", ("key'", "key"), ("keep",)),
    "keep": Argument("open mask", ("key",)),
    "mask": Argument("mask", ("row", "key")),
    "value": Argument("value"),
    "cotangent": Argument("cotangent", ("row", "key")),
    "scale": Argument("positive", ("row",)),
    "mean": Argument("location"),
    "step": Argument("step"),
    "n": Argument("count"),
    "position": Argument("position"),
    "i": Argument("pair", (), ("d",)),
    "d": Argument("width"),
}


def drawn(arguments=EVERY, dtype=np.float32):
    return [draw_arguments(SeededDraw(seed), arguments, dtype) for seed in range(SEEDS)]


def test_what_a_kind_promises_holds():
    for case in drawn():
        assert list(case) == list(EVERY)
        assert (case["low"] <= case["high"]).all()
        assert case["keep"].dtype == np.bool_
        assert case["keep"].any()
        assert case["scores"].shape == case["keep"].shape * 2
        assert case["cotangent"].all()
        assert (case["scale"] > 0).all()
        assert case["d"] % 2 == 0
        assert 0 <= case["i"] < case["d"] // 2
        assert case["n"] >= 2
        assert case["scores"].dtype == np.float32
        # Equally spaced numbers are exact in the format.
        places = np.arange(200)
        spaced = case["mean"] + places.astype(np.float32) * case["step"]
        assert (spaced.astype(np.float64) == case["mean"].item() + places * case["step"].item()).all()


def test_what_decides_occurs():
    cases = drawn()
    assert any(case["value"] == 0 for case in cases)
    assert any(case["value"] == 1 for case in cases)
    assert any((case["x"] == case["low"]).all() for case in cases)
    assert any((case["x"] == case["high"]).all() for case in cases)
    assert any((case["x"] > case["high"]).all() for case in cases)
    assert any((case["x"] < case["low"]).all() for case in cases)
    assert any(not case["mask"].any(axis=-1).all() for case in cases)
    assert any(case["mask"].any(axis=-1).all() and not case["mask"].all() for case in cases)
    assert any(case["position"] > 2048 for case in cases)
    assert any(abs(case["mean"]) > 1000 * case["step"] for case in cases)
    assert any(case["mask"].shape[0] == case["mask"].shape[1] > 1 for case in cases)
    assert any(case["mask"].shape[0] != case["mask"].shape[1] for case in cases)

    def hides(case):
        blocked = ~np.broadcast_to(case["keep"], case["scores"].shape)
        return blocked.any() and case["scores"][blocked].min() > case["scores"][~blocked].max() + 88

    assert any(map(hides, cases))


def test_a_replay_draws_the_same():
    draw = SeededDraw(7)
    first = draw_arguments(draw, EVERY, np.float32)
    again = draw_arguments(ReplayDraw(draw.choices), EVERY, np.float32)
    assert all(np.array_equal(first[name], again[name]) for name in EVERY)


def test_floats_are_of_the_dtype():
    import ml_dtypes

    cases = drawn({"x": Argument("value", ("row",))}, ml_dtypes.bfloat16)
    assert all(case["x"].dtype == ml_dtypes.bfloat16 for case in cases)
