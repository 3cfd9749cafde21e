"""The cost of a float32 campaign, in ns per input and core, beside the same campaign as a loop over balls or mpmath.

    python -m benchmarks.certify

Each campaign encloses the exact value at every input, measures the kernel's error in ulp, and keeps the maximum. The
loops do that for one input at a time, as a script would. All three run in this process, one after the other, on inputs
spread over the whole of float32; the loops on fewer of them.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from flint import arb

from benchmarks.accuracy import ROWS, Row
from lenticulum.certify.campaign import Campaign, run_shard
from lenticulum.certify.domain import Domain
from lenticulum.certify.subject import Subject
from lenticulum.certify.third_opinion import FORMULAS
from lenticulum.numbers.formats import BINARY32, bits_to_float64

MEASURED = ("exp", "tanh", "erf", "log1p", "sigmoid", "gelu:approximate=none")

#: What the project aims at, in ns per input.
AIMS = {"exp": 40, "tanh": 100, "erf": 100, "log1p": 100, "gelu:approximate=none": 180}

#: One block of neighbours in every fourth binade, and how many of all inputs the loops take.
BLOCK, BALLS, POINTS = 1 << 16, 20_000, 2_000

HALF_SQRT = arb(1) / arb(2).sqrt()

#: The same definitions as one-line functions of a ball.
OF_A_BALL: dict[str, Callable[[Any], Any]] = {
    "exp": arb.exp,
    "tanh": arb.tanh,
    "erf": arb.erf,
    "log1p": arb.log1p,
    "sigmoid": lambda x: 1 / (1 + (-x).exp()),
    "gelu:approximate=none": lambda x: x / 2 * (-x * HALF_SQRT).erfc(),
}


def starts() -> list[int]:
    """Return the first patterns of the measured blocks: both signs, every fourth exponent."""
    return [sign | exponent << 23 | 0x300000 for sign in (0, 0x80000000) for exponent in range(2, 255, 4)]


def of_ours(row: Row) -> tuple[float, float]:
    """Return ns per input, and the share of inputs whose enclosure needed balls."""
    subject = Subject(row.jax, "jax", "float32", "compiled", row.jax_bind)
    campaign = Campaign(row.spec, (subject,), ("",), Domain("float32", 1), "float32", (True,), "")
    run_shard(campaign, starts()[0], BLOCK)
    inputs = escalated = 0
    started = time.perf_counter()
    for first in starts():
        result = run_shard(campaign, first, BLOCK).results[0]
        inputs, escalated = inputs + result.inputs, escalated + result.escalated
    return (time.perf_counter() - started) / inputs * 1e9, escalated / inputs


def spread(row: Row, count: int) -> tuple[list[float], list[float]]:
    """Return so many inputs from the same blocks, inside the domain, and the kernel's outputs."""
    patterns = np.concatenate([np.arange(first, first + BLOCK, dtype=np.uint32) for first in starts()])
    patterns = patterns[:: max(1, len(patterns) // count)][:count]
    outputs, _ = Subject(row.jax, "jax", "float32", "compiled", row.jax_bind).opened()(patterns)
    x, y = bits_to_float64(patterns, BINARY32), bits_to_float64(outputs, BINARY32)
    kept = np.isfinite(y) & ((row.spec != "log1p") | (x > -1))
    return x[kept].tolist(), y[kept].tolist()


def spacing(value: float) -> float:
    """Return the ulp of binary32 at a number."""
    return 2.0 ** (max(math.frexp(value)[1] - 1, -126) - 23) if value else 2.0**-149


def of_balls(row: Row) -> float:
    """Return ns per input of the loop over balls of 53 bits."""
    function, (xs, ys) = OF_A_BALL[row.spec], spread(row, BALLS)
    worst, started = 0.0, time.perf_counter()
    for x, y in zip(xs, ys, strict=True):
        f = function(arb(x))
        worst = max(worst, float(abs(f - y).abs_upper()) / spacing(float(f)))
    return (time.perf_counter() - started) / len(xs) * 1e9


def of_points(row: Row) -> float:
    """Return ns per input of the loop over mpmath numbers of 64 bits."""
    name, _, choice = row.spec.partition(":approximate=")
    conventions = {"approximate": choice} if choice else {}
    function = FORMULAS[name]
    xs, ys = spread(row, POINTS)
    worst, started = 0.0, time.perf_counter()
    for x, y in zip(xs, ys, strict=True):
        try:
            with mpmath.mp.workprec(64):
                f = function(mpmath.mpf(x), **conventions)
                worst = max(worst, float(abs(f - y)) / spacing(float(f)))
        except (OverflowError, mpmath.mp.NoConvergence):
            continue
    return (time.perf_counter() - started) / len(xs) * 1e9


def main() -> int:
    """Print the table."""
    head = ("ns/input", "aim", "to balls", "ball loop", "ratio", "mpmath loop", "ratio")
    print(f"{'definition':24}" + "".join(f"{name:>12}" for name in head))
    for row in ROWS:
        if row.spec in MEASURED:
            (ours, share), ball_loop, point_loop = of_ours(row), of_balls(row), of_points(row)
            shown = (f"{ours:.0f}", AIMS.get(row.spec, "-"), f"{share:.1e}", f"{ball_loop:.0f}")
            shown += (f"{ball_loop / ours:.0f}x", f"{point_loop:.0f}", f"{point_loop / ours:.0f}x")
            print(f"{row.spec:24}" + "".join(f"{each:>12}" for each in shown), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
