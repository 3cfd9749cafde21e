"""The default inputs of elementwise definitions: the edges are there, and random points reach all parts of a format."""

from typing import Any

import numpy as np
import pytest

from lenticulum.check.cases import cases
from lenticulum.check.definition import parse
from lenticulum.check.draw import SeededDraw
from lenticulum.check.points import random_points
from lenticulum.numbers.formats import FORMATS


def drawn(spec: str, dtype: str, shapes: Any = None, seed: int = 0) -> dict[str, list[dict[str, np.ndarray]]]:
    """Return the arrays of the cases by label."""
    found: dict[str, list[dict[str, np.ndarray]]] = {}
    for case in cases(parse(spec), SeededDraw(seed), {}, (), shapes or {}, np.dtype(dtype)):
        found.setdefault(case.label, []).append(dict(case.arrays))
    return found


def among(array: np.ndarray, wanted: list[float]) -> list[bool]:
    """Return whether each number, with its sign, is among the entries of an array."""
    entries = {(float(each), bool(np.signbit(each))) for each in array.ravel() if not np.isnan(each)}
    return [(float(each), bool(np.signbit(each))) in entries for each in wanted]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_the_edges_of_the_format_are_there(dtype: str) -> None:
    fmt = FORMATS[dtype]
    x = drawn("tanh", dtype)["edge"][0]["x"]
    u = float(fmt.unit_roundoff)
    sizes = [0.0, np.inf, float(fmt.smallest_subnormal), float(fmt.smallest_normal), float(fmt.largest)]
    sizes += [float(fmt.smallest_normal - fmt.smallest_subnormal), 1 - u, 1.0, 1 + 2 * u]
    assert x.dtype == np.dtype(dtype)
    assert np.isnan(x.astype(np.float64)).any()
    assert all(among(x, [sign * size for size in sizes for sign in (1.0, -1.0)]))


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("log", [1.0, float(np.nextafter(np.float32(1), np.float32(0)))]),
        ("relu6", [6.0]),
        ("hard_sigmoid", [3.0, -3.0]),
        ("hard_sigmoid:slope=1/5", [2.5, -2.5]),
        ("hard_tanh:low=-7/4,high=5/4", [-1.75, 1.25]),
        # e^x overflows binary32 between these neighbours: log((2 - 2^-24) 2^127) = 88.72283905...
        ("exp", [88.72283172607422, 88.7228395]),
        # ... and is subnormal below log(2^-126) = -87.33654475...
        ("exp", [-87.33654022216797, -87.33654785]),
    ],
)
def test_the_edges_of_the_definition_are_there(spec: str, wanted: list[float]) -> None:
    rounded = [float(np.float32(each)) for each in wanted]
    assert all(among(drawn(spec, "float32")["edge"][0]["x"], rounded))


def test_two_arguments_meet_in_pairs_of_edges_and_in_ties() -> None:
    arrays = drawn("logaddexp", "float16")["edge"][0]
    pairs = {(float(x), float(y)) for x, y in zip(arrays["x"], arrays["y"], strict=True)}
    assert {(np.inf, np.inf), (-np.inf, np.inf), (0.0, -np.inf), (65504.0, 65504.0), (65504.0, -65504.0)} <= pairs
    ties = [x == y for x, y in pairs]
    assert sum(ties) > 50
    near = drawn("logaddexp", "float16")["random"][0]
    # A quarter of the pairs lies within 4 of each other although both are far from 0.
    distance = np.abs(near["x"].astype(np.float64) - near["y"].astype(np.float64))
    assert ((distance <= 4) & (np.abs(near["x"]) > 16)).sum() >= 16


def test_random_points_reach_all_exponents_and_most_of_those_near_one() -> None:
    points = np.array(random_points(SeededDraw(3), np.float32, 4000))
    exponents = np.frexp(np.abs(points))[1] - 1
    assert (exponents.min(), exponents.max()) == (-126, 127)
    near = np.abs(exponents) <= 24
    # Half of them by design, and a fifth (49/254) of the other half.
    assert 0.5 < near.mean() < 0.7
    assert set(range(-24, 25)) <= set(exponents[near].tolist())
    assert 0.4 < (points < 0).mean() < 0.6
    assert all(float(np.float32(point)) == point for point in points)


def test_a_stated_shape_holds_the_same_points_in_pieces() -> None:
    free, fixed = drawn("exp", "float32"), drawn("exp", "float32", {"x": (4, 8)})
    assert {case["x"].shape for found in fixed.values() for case in found} == {(4, 8)}
    for label in ("edge", "random"):
        pieces = np.concatenate([case["x"].ravel() for case in fixed[label]])
        assert pieces[: free[label][0]["x"].size].tobytes() == free[label][0]["x"].tobytes()


def test_one_seed_gives_the_same_bits_and_another_seed_other_points() -> None:
    one, same, other = (drawn("exp", "float32", seed=seed)["random"][0]["x"].tobytes() for seed in (5, 5, 6))
    assert one == same != other
